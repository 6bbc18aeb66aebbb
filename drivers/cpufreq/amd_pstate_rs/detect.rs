// SPDX-License-Identifier: GPL-2.0

//! Is this a machine for this driver? Nothing here writes to it.

use crate::ext::{
    cppc,
    cpufreq::BoundDriver,
    processor::{
        Feature,
        Identity, //
    },
};
use crate::refusal::Refusal;

/// The family of Zen and Zen 2, whose first models have no CPPC.
const FAMILY_17H: u8 = 0x17;
/// The first model of that family that may have it.
const FIRST_CPPC_MODEL: u8 = 0x30;

/// Checks the processor, the ACPI tables and that no other driver is there, cheapest first.
pub(crate) fn check_machine() -> Result<(), Refusal> {
    let processor = Identity::of_boot_cpu();
    if !processor.is_amd {
        return Err(Refusal::NotAmd);
    }
    if Feature::XENPV.present() {
        return Err(Refusal::XenPv);
    }
    if !Feature::HW_PSTATE.present() {
        return Err(Refusal::NoHwPstate);
    }
    if processor.family == FAMILY_17H && processor.model < FIRST_CPPC_MODEL {
        return Err(Refusal::TooOld(processor.family, processor.model));
    }
    if !Feature::CPPC.present() {
        return Err(Refusal::NoCppc);
    }
    if !cppc::is_valid() {
        return Err(Refusal::NoCpc);
    }
    match BoundDriver::current() {
        Some(driver) => Err(Refusal::Bound(driver)),
        None => Ok(()),
    }
}
