// SPDX-License-Identifier: GPL-2.0

//! The kernel's CPPC library: what the ACPI tables say about a CPU's performance.
//!
//! C headers: [`include/acpi/cppc_acpi.h`](srctree/include/acpi/cppc_acpi.h)

use kernel::{
    cpu::CpuId,
    error::to_result,
    prelude::*, //
};

use super::bindings;

/// Whether ACPI is on and every online CPU has a `_CPC` object that the kernel could read.
pub(crate) fn is_valid() -> bool {
    // SAFETY: No requirements.
    unsafe { bindings::acpi_cpc_valid() }
}

/// Nominal and lowest frequency in MHz by `_CPC`; 0 where the table has none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frequencies {
    pub(crate) nominal_mhz: u32,
    pub(crate) lowest_mhz: u32,
}

impl Frequencies {
    /// Of `cpu`. May sleep, and waits for firmware where the table lies in shared memory. Fails
    /// with `ENODEV` without `_CPC` and with `EFAULT` if one of its levels reads as zero.
    pub(crate) fn of(cpu: CpuId) -> Result<Self> {
        let mut caps = bindings::cppc_perf_caps::default();
        // SAFETY: `caps` is valid for writes during the call; a CPU number of a `CpuId` is below
        // `nr_cpu_ids` and so has per-CPU data.
        to_result(unsafe { bindings::cppc_get_perf_caps(cpu.as_u32() as c_int, &mut caps) })?;
        Ok(Self {
            nominal_mhz: caps.nominal_freq,
            lowest_mhz: caps.lowest_freq,
        })
    }
}

/// The time that a change of performance takes by the ACPI tables, in ns; `None` if they say none.
pub(crate) fn transition_latency(cpu: CpuId) -> Option<u32> {
    // SAFETY: The CPU number is valid as above.
    u32::try_from(unsafe { bindings::cppc_get_transition_latency(cpu.as_u32() as c_int) }).ok()
}

/// Whether this processor ranks its cores: whether their highest levels differ. May sleep.
pub(crate) fn has_preferred_cores() -> Result<bool> {
    let mut detected = false;
    // SAFETY: `detected` is valid for writes during the call.
    to_result(unsafe { bindings::amd_detect_prefcore(&mut detected) })?;
    Ok(detected)
}

/// The highest level of `cpu` on its scale, without the ranking that firmware may have put into it.
/// May sleep.
pub(crate) fn boost_numerator(cpu: CpuId) -> Result<u64> {
    let mut numerator = 0;
    // SAFETY: `numerator` is valid for writes during the call.
    to_result(unsafe { bindings::amd_get_boost_ratio_numerator(cpu.as_u32(), &mut numerator) })?;
    Ok(numerator)
}

/// The highest level of `cpu` as firmware has it now: its ranking where there are preferred cores.
/// May sleep.
pub(crate) fn highest_perf(cpu: CpuId) -> Result<u32> {
    let mut highest = 0;
    // SAFETY: `highest` is valid for writes during the call.
    to_result(unsafe { bindings::amd_get_highest_perf(cpu.as_u32(), &mut highest) })?;
    Ok(highest)
}
