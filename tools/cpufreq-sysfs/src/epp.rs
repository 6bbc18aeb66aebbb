// SPDX-License-Identifier: GPL-2.0
//! Energy performance preference.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::driver::name;
use crate::error::ParseError;

/// Longest word accepted: `dynamic(profile:balanced-performance)` and room to spare.
const NAME_LEN: usize = 63;

/// Content of `energy_performance_preference`.
///
/// AMD writes it in 8 bits of `MSR_AMD_CPPC_REQ`: 0 asks for performance, 255 for saving power.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Epp {
    /// What the firmware or the driver chose at the start.
    Default,
    /// 0x00.
    Performance,
    /// 0x80.
    BalancePerformance,
    /// 0xBF.
    BalancePower,
    /// 0xFF.
    Power,
    /// Only listed, never read: some number that has no name.
    Custom,
    /// A number that has no name.
    Raw(u8),
    /// Another word, such as `dynamic(profile:balanced)`.
    Other(String),
}

impl Epp {
    const NAMES: [(Self, &'static str); 6] = [
        (Self::Default, "default"),
        (Self::Performance, "performance"),
        (Self::BalancePerformance, "balance_performance"),
        (Self::BalancePower, "balance_power"),
        (Self::Power, "power"),
        (Self::Custom, "custom"),
    ];
}

impl fmt::Display for Epp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Raw(value) => value.fmt(f),
            Self::Other(word) => f.pad(word),
            named => f.pad(
                Self::NAMES
                    .iter()
                    .find(|(epp, _)| epp == named)
                    .map_or("", |(_, name)| *name),
            ),
        }
    }
}

impl FromStr for Epp {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        const EXPECTED: &str = "an energy performance preference (a word, or 0 to 255)";
        if let Some((epp, _)) = Self::NAMES.iter().find(|(_, name)| *name == text) {
            return Ok(epp.clone());
        }
        if text.starts_with(|first: char| first.is_ascii_digit() || first == '-' || first == '+') {
            return text
                .parse()
                .map(Self::Raw)
                .map_err(|_| ParseError::new(EXPECTED, text, "not 0 to 255"));
        }
        name(text, EXPECTED, NAME_LEN).map(Self::Other)
    }
}

impl Serialize for Epp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Content of `energy_performance_available_preferences`, in the kernel's order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct EppList(pub Vec<Epp>);

impl FromStr for EppList {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        text.split_ascii_whitespace()
            .map(str::parse)
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_numbers_and_dynamic_profiles_read_back_as_they_print() {
        for text in [
            "default",
            "balance_power",
            "custom",
            "0",
            "255",
            "dynamic(profile:balanced)",
        ] {
            assert_eq!(text.parse::<Epp>().unwrap().to_string(), text);
        }
        assert_eq!("128".parse(), Ok(Epp::Raw(128)));
    }

    #[test]
    fn a_number_of_more_than_eight_bits_is_refused() {
        assert_eq!("256".parse::<Epp>().unwrap_err().reason, "not 0 to 255");
        assert_eq!("-1".parse::<Epp>().unwrap_err().reason, "not 0 to 255");
    }

    proptest! {
        #[test]
        fn any_text_is_a_preference_or_an_error(text in "\\PC*") {
            let _ = text.parse::<Epp>();
            let _ = text.parse::<EppList>();
        }
    }
}
