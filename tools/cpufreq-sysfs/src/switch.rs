// SPDX-License-Identifier: GPL-2.0
//! Files that say yes or no.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::error::ParseError;

/// Something that is on or off: `1` and `0`, or `enabled` and `disabled`, depending on the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Switch(pub bool);

impl fmt::Display for Switch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(if self.0 { "on" } else { "off" })
    }
}

impl FromStr for Switch {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text {
            "1" | "enabled" => Ok(Self(true)),
            "0" | "disabled" => Ok(Self(false)),
            _ => Err(ParseError::new(
                "0, 1, enabled or disabled",
                text,
                "none of these",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_and_words_are_understood_and_nothing_else() {
        assert_eq!("1".parse(), Ok(Switch(true)));
        assert_eq!("disabled".parse(), Ok(Switch(false)));
        assert!("2".parse::<Switch>().is_err());
        assert!("Enabled".parse::<Switch>().is_err());
    }

    proptest! {
        #[test]
        fn any_text_is_a_switch_or_an_error(text in "\\PC*") {
            let _ = text.parse::<Switch>();
        }
    }
}
