// SPDX-License-Identifier: GPL-2.0
//! Bytes that stay exact and, where they are text, readable in the message.

use std::fmt;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A string of bytes, sent as a JSON string in which each character stands for one byte.
///
/// What sysfs reads and writes is nearly always ASCII and must stay readable in a log of the
/// messages; NULs and bytes above 0x7f must survive all the same, because tools do write them.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Bytes(pub Vec<u8>);

impl Bytes {
    /// The text, with what is not UTF-8 replaced.
    #[must_use]
    pub fn to_text(&self) -> String {
        String::from_utf8_lossy(&self.0).into_owned()
    }
}

impl<T: AsRef<[u8]>> From<T> for Bytes {
    fn from(bytes: T) -> Self {
        Self(bytes.as_ref().to_vec())
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.escape_ascii())
    }
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text: String = self.0.iter().copied().map(char::from).collect();
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(OneByteACharacter)
    }
}

struct OneByteACharacter;

impl Visitor<'_> for OneByteACharacter {
    type Value = Bytes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string of characters up to U+00FF")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Bytes, E> {
        text.chars()
            .map(|c| u8::try_from(c).map_err(|_| E::invalid_value(Unexpected::Char(c), &self)))
            .collect::<Result<Vec<u8>, E>>()
            .map(Bytes)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn text_is_readable_in_the_message() {
        let json = serde_json::to_string(&Bytes::from("schedutil\n")).unwrap();
        assert_eq!(json, r#""schedutil\n""#);
    }

    #[test]
    fn a_character_that_is_no_byte_is_refused() {
        let error = serde_json::from_str::<Bytes>("\"\u{20ac}\"").unwrap_err();
        assert!(error.to_string().contains("U+00FF"), "{error}");
    }

    proptest! {
        #[test]
        fn any_bytes_survive_the_trip(bytes: Vec<u8>) {
            let json = serde_json::to_string(&Bytes(bytes.clone())).unwrap();
            prop_assert!(!json.contains('\n'));
            prop_assert_eq!(serde_json::from_str::<Bytes>(&json).unwrap().0, bytes);
        }
    }
}
