// SPDX-License-Identifier: GPL-2.0
//! Operation modes of amd-pstate.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::error::ParseError;

/// Mode in `amd_pstate/status` (kernel: `enum amd_pstate_mode`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// The driver has not chosen a mode.
    Undefined,
    /// The driver is loaded but drives no CPU.
    Disable,
    /// A governor of the kernel chooses the level.
    Passive,
    /// The processor chooses, steered by the energy performance preference.
    Active,
    /// The processor chooses between limits that a governor of the kernel sets.
    Guided,
}

impl Mode {
    const NAMES: [(Self, &'static str); 5] = [
        (Self::Undefined, "undefined"),
        (Self::Disable, "disable"),
        (Self::Passive, "passive"),
        (Self::Active, "active"),
        (Self::Guided, "guided"),
    ];

    /// Whether CPUs are driven in this mode.
    pub fn drives(self) -> bool {
        matches!(self, Self::Passive | Self::Active | Self::Guided)
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::NAMES
            .iter()
            .find(|(mode, _)| mode == self)
            .map_or("", |(_, name)| *name);
        f.pad(name)
    }
}

impl FromStr for Mode {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::NAMES
            .iter()
            .find(|(_, name)| *name == text)
            .map(|(mode, _)| *mode)
            .ok_or_else(|| ParseError::new("a mode of amd-pstate", text, "not one that is known"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_mode_reads_back_as_it_prints() {
        for (mode, name) in Mode::NAMES {
            assert_eq!(mode.to_string(), name);
            assert_eq!(name.parse(), Ok(mode));
        }
    }

    #[test]
    fn a_prefix_is_not_a_mode() {
        assert!("passiv".parse::<Mode>().is_err());
    }

    #[test]
    fn only_three_modes_drive_cpus() {
        let driving: Vec<_> = Mode::NAMES
            .iter()
            .filter(|(mode, _)| mode.drives())
            .map(|(_, name)| *name)
            .collect();
        assert_eq!(driving, ["passive", "active", "guided"]);
    }

    proptest! {
        #[test]
        fn any_text_is_a_mode_or_an_error(text in "\\PC*") {
            let _ = text.parse::<Mode>();
        }
    }
}
