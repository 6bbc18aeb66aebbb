// SPDX-License-Identifier: GPL-2.0
//! Governors, and the two policies that drivers with a governor of their own offer under the same file.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::driver::name;
use crate::error::ParseError;

/// Longest name of a governor (kernel: `CPUFREQ_NAME_LEN` less the closing NUL).
const NAME_LEN: usize = 15;

/// Content of `scaling_governor`, kept as it was read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Governor(String);

impl fmt::Display for Governor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl FromStr for Governor {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        name(text, "the name of a governor", NAME_LEN).map(Self)
    }
}

/// Content of `scaling_available_governors`, in the kernel's order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct GovernorList(pub Vec<Governor>);

impl fmt::Display for GovernorList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, governor) in self.0.iter().enumerate() {
            let blank = if position == 0 { "" } else { " " };
            write!(f, "{blank}{governor}")?;
        }
        Ok(())
    }
}

impl FromStr for GovernorList {
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
    fn the_list_prints_without_the_closing_blank_of_the_kernel() {
        let list: GovernorList = "performance powersave ".parse().unwrap();
        assert_eq!(list.to_string(), "performance powersave");
        assert_eq!(list.0.len(), 2);
    }

    #[test]
    fn a_word_of_another_alphabet_is_refused() {
        assert!("schedutíl".parse::<Governor>().is_err());
    }

    proptest! {
        #[test]
        fn any_text_is_a_list_or_an_error(text in "\\PC*") {
            let _ = text.parse::<GovernorList>();
            let _ = text.parse::<Governor>();
        }
    }
}
