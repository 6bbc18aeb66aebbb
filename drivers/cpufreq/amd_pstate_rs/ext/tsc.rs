// SPDX-License-Identifier: GPL-2.0

//! The time stamp counter.

use core::arch::asm;

use kernel::bindings;

/// The counter now.
pub(crate) fn now() -> u64 {
    let (low, high): (u32, u32);
    // SAFETY: Always allowed in the kernel, and changes nothing.
    unsafe {
        asm!(
            "rdtsc",
            out("eax") low,
            out("edx") high,
            options(nomem, nostack, preserves_flags),
        )
    };
    u64::from(high) << u32::BITS | u64::from(low)
}

/// How fast it counts, in kHz.
pub(crate) fn khz() -> u32 {
    // SAFETY: Constant after boot.
    unsafe { (&raw const bindings::cpu_khz).read() }
}
