// SPDX-License-Identifier: GPL-2.0
//! The time stamp counter.

use crate::platform::Platform;

/// The time stamp counter of a machine: it runs at the nominal clock, as MPERF
/// does, but on all CPUs alike, and whether they idle or not.
///
/// A kernel takes a core's frequency from the ratio of its counters and the
/// rate of this one, so it only shows what was granted where this one runs at
/// the described clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tsc {
    mhz: u32,
}

impl Tsc {
    /// The counter of this machine; none if its clock is 0, since no machine
    /// starts with a counter that stands still.
    pub fn new(platform: &Platform) -> Option<Self> {
        let mhz = platform.nominal_mhz();
        (mhz != 0).then_some(Self { mhz })
    }

    /// Its value at `now` (ns).
    pub fn at(self, now: u64) -> u64 {
        let cycles = u128::from(now) * u128::from(self.mhz) / 1000;
        // It wraps.
        u64::try_from(cycles & u128::from(u64::MAX)).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::path::Path;

    const DESKTOP: &str = include_str!("../../../platforms/zen4-desktop.toml");

    fn tsc(nominal_mhz: &str) -> Option<Tsc> {
        let odd = "deliberate = [\"clock.nominal_mhz\", \"clock.lowest_mhz\"]\ncores =";
        let text = match nominal_mhz {
            "0" => DESKTOP.replacen("cores =", odd, 1),
            _ => DESKTOP.to_owned(),
        };
        let text = text.replace(
            "nominal_mhz = 4500",
            &format!("nominal_mhz = {nominal_mhz}"),
        );
        Tsc::new(&Platform::parse(Path::new("test.toml"), &text).unwrap())
    }

    #[test]
    fn it_counts_at_the_nominal_clock() {
        assert_eq!(tsc("4500").unwrap().at(1_000_000_000), 4_500_000_000);
    }

    #[test]
    fn a_machine_without_a_clock_has_none() {
        assert_eq!(tsc("0"), None);
    }

    proptest! {
        #[test]
        fn it_never_goes_back_before_it_wraps(now in 0u64..u64::MAX / 8, later in 0u64..1 << 40) {
            let tsc = tsc("4500").unwrap();
            prop_assert!(tsc.at(now + later).wrapping_sub(tsc.at(now)) <= later * 9 / 2 + 1);
        }
    }
}
