// SPDX-License-Identifier: GPL-2.0
//! `/proc/cpuinfo`, as far as x86 processors are told apart by it.

use std::collections::BTreeSet;
use std::str::FromStr;

use serde::Serialize;

use crate::error::ParseError;
use crate::number::decimal_u32;

/// Maker of the processor (CPUID leaf 0).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Vendor {
    /// `AuthenticAMD`.
    Amd,
    /// `HygonGenuine`.
    Hygon,
    /// `GenuineIntel`.
    Intel,
    /// Another one, or not x86.
    #[default]
    Unknown,
}

/// What the kernel says of the first processor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CpuInfo {
    /// Maker.
    pub vendor: Vendor,
    /// Family, such as 0x19 for Zen 3 and Zen 4.
    pub family: Option<u32>,
    /// Model within the family.
    pub model: Option<u32>,
    /// Name for people.
    pub model_name: Option<String>,
    flags: BTreeSet<String>,
}

impl CpuInfo {
    /// Whether the kernel lists the feature flag, such as `cppc`, `cpb`, `hw_pstate` or `aperfmperf`.
    pub fn has_flag(&self, flag: &str) -> bool {
        self.flags.contains(flag)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), ParseError> {
        match key {
            "vendor_id" => self.vendor = vendor(value),
            "cpu family" => self.family = Some(decimal_u32(value, "a processor family")?),
            "model" => self.model = Some(decimal_u32(value, "a processor model")?),
            "model name" => self.model_name = Some(printable(value)),
            "flags" => self.flags = value.split_ascii_whitespace().map(str::to_owned).collect(),
            _ => {}
        }
        Ok(())
    }
}

fn vendor(text: &str) -> Vendor {
    match text {
        "AuthenticAMD" => Vendor::Amd,
        "HygonGenuine" => Vendor::Hygon,
        "GenuineIntel" => Vendor::Intel,
        _ => Vendor::Unknown,
    }
}

/// The name is a string of the firmware: nothing of it may move the cursor of a terminal.
fn printable(text: &str) -> String {
    text.chars()
        .filter(|character| !character.is_control())
        .take(64)
        .collect()
}

impl FromStr for CpuInfo {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut info = Self::default();
        for line in text.lines().take_while(|line| !line.trim().is_empty()) {
            if let Some((key, value)) = line.split_once(':') {
                info.set(key.trim(), value.trim())?;
            }
        }
        Ok(info)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TWO_CPUS: &str = "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 97\n\
        model name\t: AMD Ryzen 9\nflags\t\t: fpu cppc hw_pstate\n\nprocessor\t: 1\nvendor_id\t: GenuineIntel\n";

    #[test]
    fn the_first_processor_is_taken() {
        let info: CpuInfo = TWO_CPUS.parse().unwrap();
        assert_eq!(info.vendor, Vendor::Amd);
        assert_eq!(info.family, Some(0x19));
        assert_eq!(info.model, Some(0x61));
        assert_eq!(info.model_name.as_deref(), Some("AMD Ryzen 9"));
    }

    #[test]
    fn flags_are_whole_words() {
        let info: CpuInfo = TWO_CPUS.parse().unwrap();
        assert!(info.has_flag("cppc"));
        assert!(!info.has_flag("cpp"));
    }

    #[test]
    fn a_machine_that_is_not_x86_has_no_vendor() {
        let info: CpuInfo = "processor\t: 0\nCPU implementer\t: 0x41\n".parse().unwrap();
        assert_eq!(info, CpuInfo::default());
    }

    #[test]
    fn a_family_that_is_no_number_is_refused() {
        assert_eq!(
            "cpu family\t: many\n".parse::<CpuInfo>().unwrap_err().found,
            "many"
        );
    }

    proptest! {
        #[test]
        fn any_text_is_information_or_an_error(text in "(?s).*") {
            let _ = text.parse::<CpuInfo>();
        }
    }
}
