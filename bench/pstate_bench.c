// SPDX-License-Identifier: GPL-2.0
/*
 * pstate_bench: calls the fast paths of whichever cpufreq driver is bound, between markers.
 *
 * A marker is a write to an I/O port of the simulated platform, which notes with it how many
 * instructions the CPU has executed so far.  Everything between a begin and its end runs on one CPU
 * with interrupts off, as the scheduler would call it, so that the counts repeat exactly; only the
 * slow path, which may sleep, is counted with interrupts on.
 *
 * Loading the module runs the benchmark once and then fails with -EAGAIN, so that it need not be
 * unloaded before the next run.
 *
 *   insmod pstate_bench.ko tag=3          the driver that is bound
 *   insmod pstate_bench.ko tag=4 null=1   a driver that does nothing: the floor
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpufreq.h>
#include <linux/io.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/sched/cpufreq.h>
#include <linux/workqueue.h>

static unsigned int tag;
module_param(tag, uint, 0);
MODULE_PARM_DESC(tag, "Number that stands in every marker of this run, 0 to 255");

static bool null;
module_param(null, bool, 0);
MODULE_PARM_DESC(null, "Measure a driver that does nothing, which needs that none is bound");

#define MARK_PORT	0x0cf0
#define CALLS		1000
#define SLOW_CALLS	200
#define CAPACITY	1024

/* The order is that of the names in tools/vmtest/src/bench/pattern.rs. */
enum pattern {
	EMPTY_LOOP,
	ADJUST_CHANGING,
	ADJUST_UNCHANGED,
	ADJUST_ALTERNATING,
	ADJUST_CLAMPED,
	SWITCH_CHANGING,
	SWITCH_UNCHANGED,
	SWITCH_ALTERNATING,
	SWITCH_CLAMPED,
	TARGET_CHANGING,
	TARGET_UNCHANGED,
	PATTERNS,
};

/* cpufreq_driver_adjust_perf(): for built-in governors only, so not exported. */
static void (*adjust_perf)(struct cpufreq_policy *policy, unsigned long min, unsigned long target,
			   unsigned long max, unsigned long capacity);

/* Finds a function that is not exported, by the only way left to a module. */
static int find_adjust_perf(void)
{
	struct kprobe probe = { .symbol_name = "cpufreq_driver_adjust_perf" };
	int ret = register_kprobe(&probe);

	if (ret) {
		pr_err("cannot find %s (%d)\n", probe.symbol_name, ret);
		return ret;
	}
	/* Where there is an ENDBR64, the probe stands behind it. */
	adjust_perf = (void *)probe.addr - probe.offset;
	unregister_kprobe(&probe);
	return 0;
}

static void mark(enum pattern pattern, bool end)
{
	outl(tag << 16 | pattern << 8 | end, MARK_PORT);
}

/* A share of the capacity: 64 to 1023, another one at each call. */
static unsigned long share(unsigned int call)
{
	return 64 + call * 7 % 960;
}

/* A frequency within the policy's limits, another level at each call. */
static unsigned int freq(struct cpufreq_policy *policy, unsigned int call)
{
	unsigned int step = (policy->max - policy->min) / 64;

	return policy->min + step * (call % 64);
}

static noinline void adjust(struct cpufreq_policy *policy, enum pattern pattern)
{
	unsigned int call;

	for (call = 0; call < CALLS; call++) {
		unsigned long target;

		switch (pattern) {
		case ADJUST_CHANGING:
			target = share(call);
			break;
		case ADJUST_ALTERNATING:
			target = call & 1 ? 900 : 500;
			break;
		case ADJUST_CLAMPED:
			/* Below the policy's minimum: another question, the same request. */
			target = 1 + call % 8;
			break;
		default:
			target = 700;
		}
		adjust_perf(policy, 0, target, CAPACITY, CAPACITY);
	}
}

static noinline void fast_switch(struct cpufreq_policy *policy, enum pattern pattern)
{
	unsigned int call;

	for (call = 0; call < CALLS; call++) {
		unsigned int target;

		switch (pattern) {
		case SWITCH_CHANGING:
			target = freq(policy, call);
			break;
		case SWITCH_ALTERNATING:
			target = freq(policy, call & 1 ? 60 : 20);
			break;
		case SWITCH_CLAMPED:
			target = policy->min - 1 - call % 8;
			break;
		default:
			target = freq(policy, 40);
		}
		cpufreq_driver_fast_switch(policy, target);
	}
}

/* What the loops above cost by themselves: the choice of a target, and nothing called. */
static noinline void empty(struct cpufreq_policy *policy)
{
	unsigned int call;

	for (call = 0; call < CALLS; call++) {
		unsigned long target = share(call);

		asm volatile("" : : "r" (policy), "r" (target) : "memory");
	}
}

static void run_fast(struct cpufreq_policy *policy)
{
	enum pattern pattern;
	unsigned long flags;

	local_irq_save(flags);
	for (pattern = EMPTY_LOOP; pattern < TARGET_CHANGING; pattern++) {
		/* The first call of a pattern may change what the one before left. */
		if (pattern >= SWITCH_CHANGING)
			cpufreq_driver_fast_switch(policy, freq(policy, 40));
		else if (pattern >= ADJUST_CHANGING)
			adjust_perf(policy, 0, 700, CAPACITY, CAPACITY);

		mark(pattern, false);
		if (pattern >= SWITCH_CHANGING)
			fast_switch(policy, pattern);
		else if (pattern >= ADJUST_CHANGING)
			adjust(policy, pattern);
		else
			empty(policy);
		mark(pattern, true);
	}
	local_irq_restore(flags);
}

static void run_slow(struct cpufreq_policy *policy)
{
	enum pattern pattern;
	unsigned int call;

	for (pattern = TARGET_CHANGING; pattern < PATTERNS; pattern++) {
		mark(pattern, false);
		for (call = 0; call < SLOW_CALLS; call++)
			cpufreq_driver_target(policy,
					      freq(policy, pattern == TARGET_CHANGING ? call : 40),
					      CPUFREQ_RELATION_L);
		mark(pattern, true);
	}
}

static long run(void *unused)
{
	struct cpufreq_policy *policy __free(put_cpufreq_policy) =
		cpufreq_cpu_get(raw_smp_processor_id());

	if (!policy) {
		pr_err("no driver is bound\n");
		return -ENODEV;
	}
	if (!policy->fast_switch_enabled) {
		pr_err("the governor must be schedutil, with fast switching\n");
		return -EINVAL;
	}
	run_fast(policy);
	run_slow(policy);
	return 0;
}

static int null_init(struct cpufreq_policy *policy)
{
	policy->cpuinfo.min_freq = 400000;
	policy->cpuinfo.max_freq = 5000000;
	policy->cur = 400000;
	policy->fast_switch_possible = true;
	return 0;
}

static int null_verify(struct cpufreq_policy_data *limits)
{
	cpufreq_verify_within_cpu_limits(limits);
	return 0;
}

static int null_target(struct cpufreq_policy *policy, unsigned int target, unsigned int relation)
{
	return 0;
}

static unsigned int null_fast_switch(struct cpufreq_policy *policy, unsigned int target)
{
	return target;
}

static void null_adjust_perf(struct cpufreq_policy *policy, unsigned long min,
			     unsigned long target, unsigned long max, unsigned long capacity)
{
}

static struct cpufreq_driver null_driver = {
	.name = "pstate-null",
	.flags = CPUFREQ_CONST_LOOPS | CPUFREQ_NEED_UPDATE_LIMITS,
	.init = null_init,
	.verify = null_verify,
	.target = null_target,
	.fast_switch = null_fast_switch,
	.adjust_perf = null_adjust_perf,
};

static int __init pstate_bench_init(void)
{
	int ret;

	if (tag > U8_MAX) {
		pr_err("tag %u is above 255\n", tag);
		return -EINVAL;
	}
	ret = find_adjust_perf();
	if (ret)
		return ret;
	if (null) {
		ret = cpufreq_register_driver(&null_driver);
		if (ret)
			return ret;
	}
	ret = work_on_cpu(0, run, NULL);
	if (null)
		cpufreq_unregister_driver(&null_driver);

	return ret ?: -EAGAIN;
}
module_init(pstate_bench_init);

MODULE_DESCRIPTION("Benchmark of cpufreq drivers' fast paths");
MODULE_LICENSE("GPL");
