// SPDX-License-Identifier: GPL-2.0
//! Lines of the kernel log with which a kernel complains of a fault in itself.

use vmtest_proto::LogRecord;

/// Pieces of text that no healthy kernel logs. The taint lines of an out-of-tree module are not
/// among them; what a taint does beyond that is seen in `/proc/sys/kernel/tainted`.
const COMPLAINTS: [&str; 19] = [
    "BUG:",
    "BUG at",
    "Call Trace:",
    "INFO: possible",
    "INFO: task",
    "Kernel panic",
    "Oops",
    "UBSAN:",
    "WARNING:",
    "cannot create duplicate",
    "corruption",
    "detected stall",
    "general protection",
    "inconsistent lock state",
    "panicked at",
    "refcount_t:",
    "scheduling while atomic",
    "sleeping function called",
    "unchecked MSR access",
];

/// Taint bits that an out-of-tree, unsigned module sets (Documentation/admin-guide/tainted-kernels).
pub const OUT_OF_TREE_TAINT: u64 = (1 << 12) | (1 << 13);

/// The records that are complaints.
pub fn find(log: &[LogRecord]) -> Vec<&LogRecord> {
    log.iter()
        .filter(|record| is_complaint(&record.text))
        .collect()
}

fn is_complaint(text: &str) -> bool {
    COMPLAINTS.iter().any(|complaint| text.contains(complaint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_sick_kernel_says_is_found() {
        for line in [
            "WARNING: CPU: 1 PID: 81 at kernel/sched/core.c:1 foo+0x1/0x2",
            "BUG: sleeping function called from invalid context at mm/slab.h:1",
            "unchecked MSR access error: WRMSR to 0xc00102b3 (tried to write 0x1)",
            "Oops: general protection fault, probably for non-canonical address",
            "INFO: possible circular locking dependency detected",
            "rust_kernel: panicked at drivers/cpufreq/amd_pstate_rs/perf.rs:1:",
            "sysfs: cannot create duplicate filename '/devices/system/cpu/amd_pstate'",
            "rcu: INFO: rcu_preempt self-detected stall on CPU",
        ] {
            assert!(is_complaint(line), "{line}");
        }
    }

    #[test]
    fn what_a_healthy_kernel_says_is_not() {
        for line in [
            "amd_pstate_rs: loading out-of-tree module taints kernel.",
            "amd_pstate_rs: module verification failed: signature and/or required key missing",
            "amd_pstate_rs: no _CPC object",
            "smpboot: CPU 1 is now offline",
            "Warning: unable to open an initial console.",
        ] {
            assert!(!is_complaint(line), "{line}");
        }
    }
}
