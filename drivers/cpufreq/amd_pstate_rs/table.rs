// SPDX-License-Identifier: GPL-2.0

//! Reading a CPU's capabilities from its firmware, and refusing those that cannot be true.

use kernel::{
    cpu::CpuId,
    prelude::*, //
};

use crate::boost;
use crate::capabilities::Capabilities;
use crate::ext::{
    cppc,
    processor::HotplugGuard, //
};
use crate::hal::Backend;
use crate::quirks::Frequencies;
use crate::refusal::Refusal;

/// The capabilities of `cpu`, checked. May sleep.
pub(crate) fn read<B: Backend>(
    cpu: CpuId,
    frequencies: Frequencies,
) -> Result<Capabilities, Refusal> {
    let number = cpu.as_u32();
    let unreadable = |what| move |error| Refusal::Unreadable(number, what, error);

    let levels = B::levels(cpu).map_err(unreadable("performance levels"))?;
    levels
        .check()
        .map_err(|reason| Refusal::Implausible(number, reason))?;
    let table = cppc::Frequencies::of(cpu).map_err(unreadable("_CPC"))?;
    let freqs = frequencies.over(table);

    Capabilities::new(levels, freqs.nominal_mhz, freqs.lowest_mhz)
        .map_err(|reason| Refusal::Implausible(number, reason))
}

/// What all CPUs have in common.
pub(crate) struct Overview {
    /// Whether any of them can boost.
    pub(crate) boost: bool,
}

/// Reads the capabilities of every CPU that is online, so that a machine with a bad table is
/// refused before anything is written to it. May sleep.
pub(crate) fn check_all<B: Backend>(frequencies: Frequencies) -> Result<Overview, Refusal> {
    let guard = HotplugGuard::hold();
    let mut boost = false;
    for cpu in guard.online_cpus() {
        read::<B>(cpu, frequencies)?;
        boost |= boost::is_available(cpu)
            .map_err(|error| Refusal::Unreadable(cpu.as_u32(), "HWCR", error))?;
    }
    Ok(Overview { boost })
}
