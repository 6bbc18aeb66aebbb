// SPDX-License-Identifier: GPL-2.0

//! Preferred cores: cores of one processor that reach higher frequencies than the others.
//!
//! Firmware ranks them by the highest level that it states for each. The scheduler takes such an
//! order only from code that is built into the kernel (`sched_set_itmt_core_prio()` is not
//! exported), so this driver shows the ranking and does not feed it.

use kernel::{
    cpu::CpuId,
    prelude::*, //
};

use crate::ext::{
    cppc,
    processor::Feature, //
};

/// Whether the ranking of this processor is used: whether it has one, and neither the user
/// (`prefcore=0`) nor the processor has a better idea. May sleep.
pub(crate) fn detect(wanted: bool) -> Result<bool> {
    // Processors that classify workloads have a driver for that (amd_hfi), which feeds the
    // scheduler better than a fixed order can.
    let superseded = cfg!(CONFIG_AMD_HFI) && Feature::WORKLOAD_CLASS.present();
    Ok(wanted && !superseded && cppc::has_preferred_cores()?)
}

/// The rank of `cpu` as firmware has it now; `None` if it cannot be read. May sleep.
pub(crate) fn ranking(cpu: CpuId) -> Option<u32> {
    cppc::highest_perf(cpu).ok()
}
