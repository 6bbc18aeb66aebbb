// SPDX-License-Identifier: GPL-2.0

//! Who decides how fast a CPU runs: the operation modes, by the words that users write.

use core::fmt;

/// An operation mode of the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// No driver: the module does not load.
    Disable,
    /// A cpufreq governor chooses the level, the firmware follows.
    Passive,
}

impl Mode {
    /// All modes that can be asked for.
    pub(crate) const ALL: [Self; 2] = [Self::Disable, Self::Passive];

    /// The mode's word.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Disable => "disable",
            Self::Passive => "passive",
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

/// The words that users can choose from, for a message: `disable, passive`.
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
        ] {
            assert_eq!(Mode::from_word(word.as_bytes()), None, "{word:?}");
        }
    }

    #[test]
    fn the_words_are_listed_for_people() {
        assert_eq!(Words.to_string(), "disable, passive");
    }
}
