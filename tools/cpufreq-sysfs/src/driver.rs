// SPDX-License-Identifier: GPL-2.0
//! Names of cpufreq drivers.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::error::ParseError;

/// Longest name of a driver (kernel: `CPUFREQ_NAME_LEN` less the closing NUL).
const NAME_LEN: usize = 15;

/// Content of `scaling_driver`, kept as it was read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct DriverName(String);

/// The drivers that are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DriverKind {
    /// amd-pstate in passive or guided mode.
    AmdPstate,
    /// amd-pstate in active mode.
    AmdPstateEpp,
    /// P-states of ACPI (`_PSS`).
    AcpiCpufreq,
    /// The generic driver of CPPC.
    CppcCpufreq,
    /// Another driver.
    Other,
}

impl DriverKind {
    /// Whether this is amd-pstate in one of its modes.
    pub fn is_amd_pstate(self) -> bool {
        matches!(self, Self::AmdPstate | Self::AmdPstateEpp)
    }
}

impl DriverName {
    /// Which of the known drivers this is; names count in full.
    pub fn kind(&self) -> DriverKind {
        match self.0.as_str() {
            "amd-pstate" => DriverKind::AmdPstate,
            "amd-pstate-epp" => DriverKind::AmdPstateEpp,
            "acpi-cpufreq" => DriverKind::AcpiCpufreq,
            "cppc_cpufreq" => DriverKind::CppcCpufreq,
            _ => DriverKind::Other,
        }
    }
}

impl fmt::Display for DriverName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl FromStr for DriverName {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        name(text, "the name of a driver", NAME_LEN).map(Self)
    }
}

/// Checks a name that ends up on a terminal: visible ASCII, a letter first, not too long.
pub(crate) fn name(text: &str, expected: &'static str, limit: usize) -> Result<String, ParseError> {
    if text.is_empty() {
        return Err(ParseError::new(expected, text, "nothing there"));
    }
    if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(ParseError::new(
            expected,
            text,
            "not one word of visible ASCII",
        ));
    }
    if !text.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return Err(ParseError::new(
            expected,
            text,
            "does not begin with a letter",
        ));
    }
    if text.len() > limit {
        return Err(ParseError::new(expected, text, "too long"));
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_the_exact_names_are_amd_pstate() {
        let kind = |text: &str| text.parse::<DriverName>().unwrap().kind();
        assert_eq!(kind("amd-pstate"), DriverKind::AmdPstate);
        assert_eq!(kind("amd-pstate-epp"), DriverKind::AmdPstateEpp);
        assert_eq!(kind("amd-foo"), DriverKind::Other);
        assert!(!kind("cppc_cpufreq").is_amd_pstate());
    }

    #[test]
    fn a_number_is_no_name() {
        assert_eq!(
            "-1".parse::<DriverName>().unwrap_err().reason,
            "does not begin with a letter"
        );
    }

    #[test]
    fn control_characters_and_long_names_are_refused() {
        assert_eq!(
            "a\u{1b}[2J".parse::<DriverName>().unwrap_err().reason,
            "not one word of visible ASCII"
        );
        assert_eq!(
            "a".repeat(16).parse::<DriverName>().unwrap_err().reason,
            "too long"
        );
    }

    proptest! {
        #[test]
        fn any_text_is_a_name_or_an_error(text in "\\PC*") {
            if let Ok(name) = text.parse::<DriverName>() {
                prop_assert_eq!(name.to_string(), text);
            }
        }
    }
}
