// SPDX-License-Identifier: GPL-2.0

//! Boost: clock frequencies above the nominal one, as long as power and temperature allow.

use kernel::{
    cpu::CpuId,
    prelude::*, //
};

use crate::ext::{
    msr::Register,
    processor::Feature, //
};
use crate::register::Hwcr;

/// Whether `cpu` can boost: the processor has it and firmware does not forbid it. May sleep.
pub(crate) fn is_available(cpu: CpuId) -> Result<bool> {
    if !Feature::CPB.present() {
        return Ok(false);
    }
    Ok(!Hwcr::read_on(cpu)?.boost_disabled())
}
