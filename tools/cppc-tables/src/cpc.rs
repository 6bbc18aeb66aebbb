// SPDX-License-Identifier: GPL-2.0
//! `_CPC`, revision 3 (ACPI 6.5, 8.4.6.1): where each value of CPPC is found.

use cppc_model::{Platform, Register};

use crate::aml::{self, Location, Term};

/// Entries of a revision 3 package, the two that say so included.
const ENTRIES: u32 = 23;
const REVISION: u32 = 3;

/// The `_CPC` package of a CPU.
///
/// The order is the specification's. What AMD's firmware does not offer is
/// not offered here either.
pub(crate) fn package(platform: &Platform) -> Term {
    let mut elements = vec![aml::integer(ENTRIES), aml::integer(REVISION)];
    elements.extend(locations().map(aml::register));
    elements.push(aml::integer(platform.lowest_mhz()));
    elements.push(aml::integer(platform.nominal_mhz()));
    aml::package(&elements)
}

/// The registers, from highest performance to reference performance.
fn locations() -> [Location; 19] {
    use Register::{Aperf, Cap1, Enable, Mperf, Req, Status};
    let absent = Location::nowhere();
    [
        // Highest, nominal, lowest nonlinear, lowest performance
        Location::of_msr(Cap1, 8, 24),
        Location::of_msr(Cap1, 8, 16),
        Location::of_msr(Cap1, 8, 8),
        Location::of_msr(Cap1, 8, 0),
        // Guaranteed performance
        absent,
        // Desired, minimum, maximum performance
        Location::of_msr(Req, 8, 16),
        Location::of_msr(Req, 8, 8),
        Location::of_msr(Req, 8, 0),
        // Performance reduction tolerance, time window, counter wraparound
        absent,
        absent,
        absent,
        // Reference and delivered performance counter
        Location::of_msr(Mperf, 64, 0),
        Location::of_msr(Aperf, 64, 0),
        // Performance limited
        Location::of_msr(Status, 2, 0),
        // CPPC enable
        Location::of_msr(Enable, 1, 0),
        // Autonomous selection enable, autonomous activity window
        absent,
        absent,
        // Energy performance preference
        Location::of_msr(Req, 8, 24),
        // Reference performance: without it, nominal, which the model's
        // counters keep to
        absent,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_entries_as_the_package_says() {
        // Two that say so, the registers, two clocks.
        assert_eq!(u32::try_from(2 + locations().len() + 2), Ok(ENTRIES));
    }
}
