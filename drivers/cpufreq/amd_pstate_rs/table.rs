// SPDX-License-Identifier: GPL-2.0

//! Reading a CPU's capabilities from its firmware, and refusing those that cannot be true.

use kernel::{
    cpu::CpuId,
    prelude::*, //
};

use crate::capabilities::Capabilities;
use crate::ext::{
    cppc,
    processor::HotplugGuard, //
};
use crate::hal::Backend;
use crate::refusal::Refusal;

/// The capabilities of `cpu`, checked. May sleep.
pub(crate) fn read<B: Backend>(cpu: CpuId) -> Result<Capabilities, Refusal> {
    let number = cpu.as_u32();
    let unreadable = |what| move |error| Refusal::Unreadable(number, what, error);

    let levels = B::levels(cpu).map_err(unreadable("performance levels"))?;
    levels
        .check()
        .map_err(|reason| Refusal::Implausible(number, reason))?;
    let freqs = cppc::Frequencies::of(cpu).map_err(unreadable("_CPC"))?;

    Capabilities::new(levels, freqs.nominal_mhz, freqs.lowest_mhz)
        .map_err(|reason| Refusal::Implausible(number, reason))
}

/// Reads the capabilities of every CPU that is online, so that a machine with a bad table is
/// refused before anything is written to it. May sleep.
pub(crate) fn check_all<B: Backend>() -> Result<(), Refusal> {
    let guard = HotplugGuard::hold();
    for cpu in guard.online_cpus() {
        read::<B>(cpu)?;
    }
    Ok(())
}
