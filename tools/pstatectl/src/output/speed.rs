// SPDX-License-Identifier: GPL-2.0
//! Frequencies in cpupower's spelling.

use std::fmt;

use cpufreq_sysfs::KiloHertz;

/// How exactly a frequency is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// Three to four digits.
    Rounded,
    /// Every digit.
    Exact,
}

impl Rounding {
    /// The choice of `--no-rounding`.
    pub fn new(no_rounding: bool) -> Self {
        if no_rounding {
            Self::Exact
        } else {
            Self::Rounded
        }
    }
}

/// A frequency with its unit, digit for digit as cpupower's `print_speed` prints it wherever that prints a right one.
///
/// Three cases differ: 1 GHz and 1 MHz sharp take the larger unit, below 1 MHz the unit is kHz where cpupower prints
/// nothing, and frequencies beyond 32 bits do not wrap around.
#[derive(Clone, Copy, Debug)]
pub struct Speed(pub KiloHertz, pub Rounding);

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(KiloHertz(khz), rounding) = *self;
        match (rounding, khz) {
            (Rounding::Exact, 1_000_000..) => {
                write!(f, "{}.{:06} GHz", khz / 1_000_000, khz % 1_000_000)
            }
            (Rounding::Exact, 1_001..) => write!(f, "{}.{:03} MHz", khz / 1000, khz % 1000),
            (Rounding::Rounded, 1_000_000..) => {
                let khz = round_to(khz, 10_000);
                write!(f, "{}.{:02} GHz", khz / 1_000_000, khz % 1_000_000 / 10_000)
            }
            (Rounding::Rounded, 100_001..) => write!(f, "{} MHz", round_to(khz, 1000) / 1000),
            (Rounding::Rounded, 1_000..) => {
                let khz = round_to(khz, 100);
                write!(f, "{}.{:01} MHz", khz / 1000, khz % 1000 / 100)
            }
            (_, khz) => write!(f, "{khz} kHz"),
        }
    }
}

/// Half a step and more goes up; at the end of the range, where no step is left, down.
pub(super) fn round_to(value: u64, step: u64) -> u64 {
    let down = value - value % step;
    if value % step >= step / 2 {
        down.checked_add(step).unwrap_or(down)
    } else {
        down
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rounded(khz: u64) -> String {
        Speed(KiloHertz(khz), Rounding::Rounded).to_string()
    }

    fn exact(khz: u64) -> String {
        Speed(KiloHertz(khz), Rounding::Exact).to_string()
    }

    #[test]
    fn rounded_numbers_are_those_of_cpupower() {
        assert_eq!(rounded(4_900_000), "4.90 GHz");
        assert_eq!(rounded(1_897_456), "1.90 GHz");
        assert_eq!(rounded(4_995_000), "5.00 GHz");
        assert_eq!(rounded(400_000), "400 MHz");
        assert_eq!(rounded(544_500), "545 MHz");
        assert_eq!(rounded(99_950), "100.0 MHz");
        assert_eq!(rounded(1_050), "1.1 MHz");
    }

    #[test]
    fn exact_numbers_are_those_of_cpupower() {
        assert_eq!(exact(4_900_001), "4.900001 GHz");
        assert_eq!(exact(400_000), "400.000 MHz");
        assert_eq!(exact(1_000), "1000 kHz");
        assert_eq!(exact(0), "0 kHz");
    }

    #[test]
    fn where_cpupower_prints_nothing_or_the_wrong_unit_this_does_not() {
        assert_eq!(rounded(1_000_000), "1.00 GHz");
        assert_eq!(exact(1_000_000), "1.000000 GHz");
        assert_eq!(rounded(1_000), "1.0 MHz");
        assert_eq!(rounded(999), "999 kHz");
        assert_eq!(rounded(0), "0 kHz");
        assert_eq!(exact(5_000_000_000), "5000.000000 GHz");
    }

    proptest! {
        #[test]
        fn every_frequency_has_a_spelling(khz: u64) {
            prop_assert!(rounded(khz).ends_with("Hz"));
            prop_assert!(exact(khz).ends_with("Hz"));
        }
    }
}
