// SPDX-License-Identifier: GPL-2.0

//! Passive mode: a cpufreq governor chooses a level, the firmware goes there.

use core::marker::PhantomData;

use kernel::{
    cpufreq::flags,
    prelude::*, //
};

use crate::asked::Question;
use crate::cpudata::{CpuData, Levels};
use crate::ext::{
    cppc,
    cpufreq::{
        Driver,
        Policy,
        Verify, //
    },
    processor::Feature,
};
use crate::hal::Backend;
use crate::perf::Khz;
use crate::prefcore;

/// How long a change takes where the tables do not say, in ns.
const TRANSITION_LATENCY_NS: u32 = 20_000;
/// How long governors leave between two changes where the tables do not say, in µs.
const TRANSITION_DELAY_US: u32 = 1000;
/// The same for processors that are faster (`X86_FEATURE_AMD_FAST_CPPC`).
const FAST_TRANSITION_DELAY_US: u32 = 600;

/// The driver of passive mode.
pub(crate) struct Passive<B: Backend>(PhantomData<B>);

#[vtable]
impl<B: Backend> Driver for Passive<B> {
    const NAME: &'static CStr = c"amd-pstate";
    const FLAGS: u16 = flags::CONST_LOOPS | flags::NEED_UPDATE_LIMITS;

    type Data = CpuData<B>;

    fn init(policy: Policy<'_>) -> Result<KBox<Self::Data>> {
        let cpu = policy.cpu()?;
        let data = CpuData::<B>::new(cpu).inspect_err(|error| {
            pr_err!(
                "cpu{}: cannot be driven ({})\n",
                cpu.as_u32(),
                error.to_errno()
            );
        })?;

        let latency_ns = cppc::transition_latency(cpu);
        let delay_us = if Feature::FAST_CPPC.present() {
            FAST_TRANSITION_DELAY_US
        } else {
            TRANSITION_DELAY_US
        };
        policy.set_transition_latency(latency_ns.unwrap_or(TRANSITION_LATENCY_NS));
        policy.set_transition_delay_us(latency_ns.map_or(delay_us, |ns| ns / 1000));

        policy.set_cpuinfo_min(data.caps.min_freq.get());
        policy.set_cpuinfo_max(data.max_freq().get());
        // A guess; the governor's first choice replaces it.
        policy.set_cur(data.caps.min_freq.get());
        policy.set_boost_supported(data.has_boost());
        policy.set_fast_switch_possible(B::FAST_SWITCH);
        Ok(data)
    }

    fn exit(policy: Policy<'_>, data: KBox<Self::Data>) {
        policy.set_fast_switch_possible(false);
        // An offline CPU was given back when it went.
        match data.give_back() {
            Ok(()) => (),
            Err(error) if error == ENXIO => (),
            Err(error) => pr_warn!(
                "cannot put back the registers of a CPU as they were found ({})\n",
                error.to_errno()
            ),
        }
    }

    fn verify(limits: &mut Verify<'_>, data: Option<&Self::Data>) -> Result {
        if limits.is_min_default() {
            let data = data.ok_or(EINVAL)?;
            limits.set_min(data.default_min_freq().get());
        }
        limits.bound_to_cpu();
        Ok(())
    }

    fn target(policy: Policy<'_>, data: &Self::Data, target: u32) -> Result {
        policy.transition(target, || data.target(policy, Khz::new(target)))
    }

    #[inline(always)]
    fn fast_switch(policy: Policy<'_>, data: &Self::Data, target: u32) -> u32 {
        data.answer(policy, Question::Frequency(target), |caps, limits| {
            Levels::within(limits, caps.scale.perf(Khz::new(target)))
        });
        target
    }

    #[inline(always)]
    fn adjust_perf(
        policy: Policy<'_>,
        data: &Self::Data,
        min: usize,
        target: usize,
        capacity: usize,
    ) {
        let question = Question::Share {
            min,
            target,
            capacity,
        };
        data.answer(policy, question, |caps, limits| {
            let highest = caps.levels.highest;
            let min = highest.share(min, capacity).max(limits.min_perf());
            let max = limits.max_perf().max(min);
            Levels::between(min, highest.share(target, capacity), max)
        });
    }

    fn online(_policy: Policy<'_>, data: &Self::Data) -> Result {
        data.wake()
    }

    fn offline(_policy: Policy<'_>, data: &Self::Data) -> Result {
        data.give_back()
    }

    fn suspend(_policy: Policy<'_>, data: &Self::Data) -> Result {
        data.suspend()
    }

    fn resume(policy: Policy<'_>, data: &Self::Data) -> Result {
        data.wake()?;
        // What the governor wanted last, until it wants something else.
        data.target(policy, Khz::new(policy.cur()))
    }

    fn set_boost(policy: Policy<'_>, data: &Self::Data, on: bool) -> Result {
        if !data.has_boost() {
            return Err(EOPNOTSUPP);
        }
        let max = if on {
            data.max_freq()
        } else {
            data.caps.nominal_freq.min(data.max_freq())
        };
        policy.set_cpuinfo_max(max.get());
        policy.refresh_limits();
        Ok(())
    }

    fn update_limits(policy: Policy<'_>, data: &Self::Data) {
        if let Some(ranking) = policy.cpu().ok().and_then(prefcore::ranking) {
            data.set_ranking(ranking);
        }
    }
}
