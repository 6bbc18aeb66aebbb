// SPDX-License-Identifier: GPL-2.0
//! `_PSS` and `_PCT` (ACPI 6.5, 8.4.5): the older interface, for acpi-cpufreq.

use cppc_model::{Platform, Register};

use crate::aml::{self, Location, Term};

/// How long a transition takes, and how long the bus is kept from others, in
/// microseconds.
const LATENCY: u32 = 1;

/// `_PCT`: the registers that set and show the P-state.
pub(crate) fn control_and_status() -> Term {
    let registers = [Register::PerfCtl, Register::PerfStatus]
        .map(|register| aml::register(Location::of_msr(register, 64, 0)));
    aml::package(&registers)
}

/// `_PSS`: each P-state's clock in MHz, and the number that selects it.
pub(crate) fn supported_states(platform: &Platform) -> Term {
    let states: Vec<_> = (0..)
        .zip(platform.pstates())
        .map(|(number, pstate)| {
            // Power at a clock, in mW: an invention that keeps the order.
            let power = pstate.mhz;
            aml::package(&[pstate.mhz, power, LATENCY, LATENCY, number, number].map(aml::integer))
        })
        .collect();
    aml::package(&states)
}
