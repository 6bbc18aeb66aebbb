// SPDX-License-Identifier: GPL-2.0

//! Preferred cores: cores of one processor that reach higher frequencies than the others.
//!
//! Firmware ranks them by the highest level that it states for each. The scheduler takes such an
//! order only from code that is built into the kernel (`sched_set_itmt_core_prio()` is not
//! exported), so a loadable module can show the ranking but not feed it.

use kernel::{
    cpu::CpuId,
    prelude::*,
    sync::atomic::{
        Atomic,
        Relaxed, //
    },
};

use crate::ext::{
    cppc,
    processor::Feature, //
};

/// Whether the ranking is used: it is there, and neither the user nor the processor has a better
/// idea.
static ENABLED: Atomic<bool> = Atomic::new(false);

/// Finds out whether this processor ranks its cores, unless the user does not want to know
/// (`prefcore=0`). May sleep.
pub(crate) fn detect(wanted: bool) -> Result {
    // Processors that classify workloads have a driver for that (amd_hfi), which feeds the
    // scheduler better than a fixed order can.
    let superseded = cfg!(CONFIG_AMD_HFI) && Feature::WORKLOAD_CLASS.present();
    let enabled = wanted && !superseded && cppc::has_preferred_cores()?;

    ENABLED.store(enabled, Relaxed);
    Ok(())
}

/// Whether the ranking is used.
pub(crate) fn is_enabled() -> bool {
    ENABLED.load(Relaxed)
}

/// The rank of `cpu` as firmware has it now; `None` if the ranking is not used or cannot be read.
/// May sleep.
pub(crate) fn ranking(cpu: CpuId) -> Option<u32> {
    if !is_enabled() {
        return None;
    }
    cppc::highest_perf(cpu).ok()
}
