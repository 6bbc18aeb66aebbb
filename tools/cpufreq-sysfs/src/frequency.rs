// SPDX-License-Identifier: GPL-2.0
//! Frequencies and the time a change of frequency takes.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::error::ParseError;
use crate::number::{decimal, decimal_u32};

/// A frequency in kHz, the unit of every file under `cpufreq/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct KiloHertz(pub u64);

impl fmt::Display for KiloHertz {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for KiloHertz {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        decimal(text, "a frequency in kHz").map(Self)
    }
}

/// A frequency in MHz, the unit of `acpi_cppc/nominal_freq` and `acpi_cppc/lowest_freq` (ACPI 6.5, 8.4.6.1.1.7 and 8.4.6.1.1.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct MegaHertz(pub u32);

impl MegaHertz {
    /// The same frequency in kHz.
    pub fn to_khz(self) -> KiloHertz {
        KiloHertz(u64::from(self.0) * 1000)
    }
}

impl FromStr for MegaHertz {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        decimal_u32(text, "a frequency in MHz").map(Self)
    }
}

/// Frequencies in kHz separated by blanks, as in `scaling_available_frequencies`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct FrequencyList(pub Vec<KiloHertz>);

impl FromStr for FrequencyList {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        text.split_ascii_whitespace()
            .map(str::parse)
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

/// Longest time a change of frequency takes, in ns, as in `cpuinfo_transition_latency`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransitionLatency(u32);

impl TransitionLatency {
    /// The time in ns, or `None` where the driver does not know it: 0 and `CPUFREQ_ETERNAL` (all bits set) mean that.
    pub fn nanoseconds(self) -> Option<u32> {
        match self.0 {
            0 | u32::MAX => None,
            known => Some(known),
        }
    }
}

impl FromStr for TransitionLatency {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        decimal_u32(text, "a time in ns").map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_largest_megahertz_fits_in_kilohertz() {
        assert_eq!(MegaHertz(u32::MAX).to_khz(), KiloHertz(4_294_967_295_000));
    }

    #[test]
    fn a_latency_of_zero_or_eternity_is_unknown() {
        let nanoseconds = |text: &str| text.parse::<TransitionLatency>().unwrap().nanoseconds();
        assert_eq!(nanoseconds("0"), None);
        assert_eq!(nanoseconds("4294967295"), None);
        assert_eq!(nanoseconds("20000"), Some(20000));
    }

    #[test]
    fn a_list_of_frequencies_may_end_with_a_blank() {
        let list: FrequencyList = "3400000 2200000 ".parse().unwrap();
        assert_eq!(list.0, [KiloHertz(3_400_000), KiloHertz(2_200_000)]);
        assert_eq!(
            "3400000 fast".parse::<FrequencyList>().unwrap_err().found,
            "fast"
        );
    }

    proptest! {
        #[test]
        fn any_text_is_a_value_or_an_error(text in "\\PC*") {
            let _ = text.parse::<KiloHertz>();
            let _ = text.parse::<MegaHertz>();
            let _ = text.parse::<FrequencyList>();
            let _ = text.parse::<TransitionLatency>();
        }
    }
}
