// SPDX-License-Identifier: GPL-2.0

//! Who decides how fast a CPU runs: the operation modes, by the words that users write.

use core::fmt;

/// An operation mode of the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Nobody: no driver is registered.
    Disable,
    /// A cpufreq governor chooses a level and firmware goes there.
    Passive,
    /// Firmware chooses between the policy's limits, by an energy preference.
    Active,
    /// A cpufreq governor chooses the lowest level, and firmware one between that and the maximum.
    Guided,
}

impl Mode {
    /// All modes that can be asked for.
    pub(crate) const ALL: [Self; 4] = [Self::Disable, Self::Passive, Self::Active, Self::Guided];

    /// The mode's word.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Disable => "disable",
            Self::Passive => "passive",
            Self::Active => "active",
            Self::Guided => "guided",
        }
    }

    /// The mode of exactly this word. Prefixes and other spellings are no modes.
    pub(crate) fn from_word(word: &[u8]) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|mode| mode.name().as_bytes() == word)
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What has to happen to the registered driver to go from one mode to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transition {
    /// Nothing: the mode is the same.
    Stay,
    /// Register a driver.
    Register,
    /// Unregister the driver.
    Unregister,
    /// Unregister the driver and register the other one.
    Replace,
    /// Tell the driver, which serves both modes.
    Tell,
}

impl Transition {
    /// The way from mode `from` to mode `to`.
    pub(crate) fn between(from: Mode, to: Mode) -> Self {
        match (from, to) {
            _ if from == to => Self::Stay,
            (Mode::Disable, _) => Self::Register,
            (_, Mode::Disable) => Self::Unregister,
            (Mode::Active, _) | (_, Mode::Active) => Self::Replace,
            _ => Self::Tell,
        }
    }
}

/// The words that users can choose from, for a message.
pub(crate) struct Words;

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for mode in Mode::ALL {
            write!(f, "{separator}{mode}")?;
            separator = ", ";
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mode_is_found_by_its_own_word() {
        for mode in Mode::ALL {
            assert_eq!(Mode::from_word(mode.name().as_bytes()), Some(mode));
        }
    }

    #[test]
    fn anything_but_the_exact_word_is_no_mode() {
        for word in [
            "",
            "passiv",
            "passive ",
            "Passive",
            "passive\n",
            "pasive",
            "undefined",
            "undefin",
        ] {
            assert_eq!(Mode::from_word(word.as_bytes()), None, "{word:?}");
        }
    }

    #[test]
    fn the_words_are_listed_for_people() {
        assert_eq!(Words.to_string(), "disable, passive, active, guided");
    }

    #[test]
    fn every_pair_of_modes_has_its_way() {
        use Mode::{Active, Disable, Guided, Passive};
        for mode in Mode::ALL {
            assert_eq!(Transition::between(mode, mode), Transition::Stay);
        }
        for mode in [Passive, Active, Guided] {
            assert_eq!(Transition::between(Disable, mode), Transition::Register);
            assert_eq!(Transition::between(mode, Disable), Transition::Unregister);
        }
        for mode in [Passive, Guided] {
            assert_eq!(Transition::between(Active, mode), Transition::Replace);
            assert_eq!(Transition::between(mode, Active), Transition::Replace);
        }
        assert_eq!(Transition::between(Passive, Guided), Transition::Tell);
        assert_eq!(Transition::between(Guided, Passive), Transition::Tell);
    }
}
