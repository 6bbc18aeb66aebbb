// SPDX-License-Identifier: GPL-2.0
//! Plain decimal numbers as the kernel prints them.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::error::ParseError;

/// Parses a decimal number of at most 64 bits: digits only, as `%u` and `%llu` print them.
///
/// A sign, a base prefix or white space inside is refused: no kernel file that this crate knows has them.
pub(crate) fn decimal(text: &str, expected: &'static str) -> Result<u64, ParseError> {
    if text.is_empty() {
        return Err(ParseError::new(expected, text, "nothing there"));
    }
    if text.starts_with('-') {
        return Err(ParseError::new(expected, text, "negative"));
    }
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(ParseError::new(expected, text, "not a decimal number"));
    }
    text.parse()
        .map_err(|_| ParseError::new(expected, text, "too large"))
}

/// Like [`decimal`], for values that the kernel keeps in 32 bits.
pub(crate) fn decimal_u32(text: &str, expected: &'static str) -> Result<u32, ParseError> {
    u32::try_from(decimal(text, expected)?)
        .map_err(|_| ParseError::new(expected, text, "too large"))
}

/// A number of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Count(pub u64);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Count {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        decimal(text, "a count").map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn signs_prefixes_blanks_and_overflow_are_refused_with_the_reason() {
        let reason = |text| decimal(text, "n").unwrap_err().reason;
        assert_eq!(reason(""), "nothing there");
        assert_eq!(reason("-1"), "negative");
        assert_eq!(reason("+1"), "not a decimal number");
        assert_eq!(reason("0x10"), "not a decimal number");
        assert_eq!(reason("1 2"), "not a decimal number");
        assert_eq!(reason("18446744073709551616"), "too large");
        assert_eq!(
            decimal_u32("4294967296", "n").unwrap_err().reason,
            "too large"
        );
        assert_eq!(decimal("18446744073709551615", "n"), Ok(u64::MAX));
    }

    proptest! {
        #[test]
        fn any_text_is_a_number_or_an_error(text in "\\PC*") {
            let _ = decimal(&text, "n");
        }

        #[test]
        fn what_is_printed_reads_back(value: u64) {
            prop_assert_eq!(Count(value).to_string().parse(), Ok(Count(value)));
        }
    }
}
