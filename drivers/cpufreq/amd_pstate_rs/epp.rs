// SPDX-License-Identifier: GPL-2.0

//! The energy performance preference: what firmware shall favour when it chooses by itself.

use core::fmt;

use crate::text;

/// A preference as firmware takes it: 0 is all for performance, 255 all for saving energy.
///
/// Source: ACPI specification 6.5, section 8.4.6.1.7 (energy performance preference register).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Epp(u8);

impl Epp {
    pub(crate) const PERFORMANCE: Self = Self(0x00);
    pub(crate) const BALANCE_PERFORMANCE: Self = Self(0x80);
    pub(crate) const BALANCE_POWER: Self = Self(0xbf);
    pub(crate) const POWER: Self = Self(0xff);

    /// The values that have a name.
    const NAMED: [(Self, &'static str); 4] = [
        (Self::PERFORMANCE, "performance"),
        (Self::BALANCE_PERFORMANCE, "balance_performance"),
        (Self::BALANCE_POWER, "balance_power"),
        (Self::POWER, "power"),
    ];

    /// The preference of this number.
    pub(crate) const fn new(value: u8) -> Self {
        Self(value)
    }

    /// The number of this preference.
    pub(crate) const fn get(self) -> u8 {
        self.0
    }
}

/// What a user chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Preference {
    /// A value by its name, or firmware's own by the name `default`.
    Named(Epp),
    /// A value by its number.
    Raw(Epp),
    /// The value follows the platform profile and the power source.
    Dynamic,
}

impl Preference {
    /// The words that can be written, for `energy_performance_available_preferences`.
    pub(crate) const WORDS: &'static str =
        "default performance balance_performance balance_power power dynamic ";

    const DEFAULT: &'static [u8] = b"default";
    const DYNAMIC: &'static [u8] = b"dynamic";

    /// The preference that was written into the file; `default` is what firmware had.
    ///
    /// `None` if it is neither one of the words nor a number up to 255.
    pub(crate) fn parse(written: &[u8], default: Epp) -> Option<Self> {
        let word = text::word(written);
        if word == Self::DEFAULT {
            return Some(Self::Named(default));
        }
        if word == Self::DYNAMIC {
            return Some(Self::Dynamic);
        }
        let named = Epp::NAMED.iter().find(|(_, name)| name.as_bytes() == word);
        if let Some((epp, _)) = named {
            return Some(Self::Named(*epp));
        }
        let number = text::number(word)?;
        u8::try_from(number).ok().map(|value| Self::Raw(Epp(value)))
    }
}

/// As the file reads: a word or number that can be written back.
impl fmt::Display for Preference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dynamic => f.write_str("dynamic"),
            Self::Raw(epp) => write!(f, "{}", epp.0),
            Self::Named(epp) => match Epp::NAMED.iter().find(|(named, _)| named == epp) {
                Some((_, name)) => f.write_str(name),
                // What firmware had need not have a name.
                None => write!(f, "{}", epp.0),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRMWARE: Epp = Epp::new(0x55);

    fn parse(text: &str) -> Option<Preference> {
        Preference::parse(text.as_bytes(), FIRMWARE)
    }

    #[test]
    fn every_listed_word_can_be_written() {
        for word in Preference::WORDS.split_whitespace() {
            assert!(parse(word).is_some(), "{word}");
            assert!(parse(&format!("{word}\n\0\0\0")).is_some(), "{word}");
        }
    }

    #[test]
    fn names_have_their_values() {
        for (word, value) in [
            ("performance", 0),
            ("balance_performance", 128),
            ("balance_power", 191),
            ("power", 255),
        ] {
            assert_eq!(parse(word), Some(Preference::Named(Epp::new(value))));
        }
    }

    #[test]
    fn default_is_what_firmware_had() {
        assert_eq!(parse("default"), Some(Preference::Named(FIRMWARE)));
    }

    #[test]
    fn every_number_of_eight_bits_can_be_written_and_read_back() {
        for value in 0..=255u8 {
            let raw = Preference::Raw(Epp::new(value));
            assert_eq!(parse(&value.to_string()), Some(raw));
            assert_eq!(parse(&format!("{value:#x}\n")), Some(raw));
            assert_eq!(raw.to_string(), value.to_string());
        }
    }

    #[test]
    fn whatever_reads_can_be_written_back() {
        let all = (0..=255).map(Epp::new);
        let preferences = all
            .flat_map(|epp| [Preference::Named(epp), Preference::Raw(epp)])
            .chain([Preference::Dynamic]);
        for preference in preferences {
            let text = preference.to_string();
            assert_eq!(parse(&text).map(|back| back.to_string()), Some(text));
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "\n",
            "256",
            "-1",
            "powe",
            "powers",
            "Power",
            "power ",
            " power",
            "custom",
            "0x100",
            "performance balance_performance",
        ] {
            assert_eq!(parse(text), None, "{text:?}");
        }
        assert_eq!(Preference::parse(&[b'p'; 4096], FIRMWARE), None);
    }
}
