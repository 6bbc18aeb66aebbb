// SPDX-License-Identifier: GPL-2.0

//! Text that users write into a file, as sysfs hands it over.
//!
//! Shells end it with a newline, daemons with nothing, and cpupower writes its whole buffer, padded
//! with NULs. Beyond that, text is taken exactly or not at all: `" 128"` is no number and `power `
//! no word.

/// The word that was written: everything before the first NUL, less one newline at the end.
pub(crate) fn word(written: &[u8]) -> &[u8] {
    let end = written
        .iter()
        .position(|byte| *byte == 0)
        .unwrap_or(written.len());
    let word = written.get(..end).unwrap_or(written);
    word.strip_suffix(b"\n").unwrap_or(word)
}

/// The number that a word is: decimal, or hexadecimal with `0x`, or octal with `0`, as `kstrtouint()`
/// of C takes it; `None` if it is none or more than 32 bits.
pub(crate) fn number(word: &[u8]) -> Option<u32> {
    let word = core::str::from_utf8(word).ok()?;
    let digits = word.strip_prefix('+').unwrap_or(word);
    let (digits, radix) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (digits.get(2..)?, 16),
        [b'0', _, ..] => (digits.get(1..)?, 8),
        _ => (digits, 10),
    };
    // `from_str_radix` would take a second sign.
    if !digits.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    u32::from_str_radix(digits, radix).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_ends_at_its_newline_or_at_the_first_nul() {
        for written in [
            "power",
            "power\n",
            "power\0",
            "power\n\0\0\0",
            "power\0rest\n",
        ] {
            assert_eq!(word(written.as_bytes()), b"power", "{written:?}");
        }
    }

    #[test]
    fn nothing_else_is_cut_from_a_word() {
        for written in [" power", "power ", "power\n\n", "power\r\n"] {
            assert_ne!(word(written.as_bytes()), b"power", "{written:?}");
        }
        assert_eq!(word(b""), b"");
        assert_eq!(word(&[b'a'; 4096]), &[b'a'; 4096]);
    }

    #[test]
    fn numbers_are_decimal_hexadecimal_or_octal() {
        let cases: [(&str, u32); 9] = [
            ("0", 0),
            ("255", 255),
            ("+7", 7),
            ("0x80", 128),
            ("0XbF", 191),
            ("010", 8),
            ("00", 0),
            ("4294967295", u32::MAX),
            ("0xffffffff", u32::MAX),
        ];
        for (text, value) in cases {
            assert_eq!(number(text.as_bytes()), Some(value), "{text}");
        }
    }

    #[test]
    fn anything_else_is_no_number() {
        for text in [
            "",
            "+",
            "-1",
            "--1",
            "++1",
            "+-1",
            "0x",
            "0x-1",
            "0x+1",
            "08",
            "1 ",
            " 1",
            "1.5",
            "1e3",
            "power",
            "4294967296",
            "0x100000000",
            "99999999999999999999999",
            "\u{661}",
        ] {
            assert_eq!(number(text.as_bytes()), None, "{text:?}");
        }
        assert_eq!(number(&[0xff, 0xfe]), None);
        assert_eq!(number(&[b'9'; 4096]), None);
    }
}
