// SPDX-License-Identifier: GPL-2.0
//! The header that every ACPI table begins with (ACPI 6.5, 5.2.6).

/// Bytes of the header.
pub(crate) const HEADER: usize = 36;

/// Where in the header the checksum stands.
const CHECKSUM: usize = 9;

/// A whole table: the header, with length and checksum, and the body.
pub(crate) fn table(signature: [u8; 4], revision: u8, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(HEADER + body.len()).unwrap_or(u32::MAX);
    let mut table = [
        &signature[..],
        &length.to_le_bytes(),
        &[revision, 0],
        // OEM ID, OEM table ID, OEM revision
        b"AMDSIM",
        b"CPUPERF ",
        &1u32.to_le_bytes(),
        // Creator ID and revision
        b"CPPC",
        &1u32.to_le_bytes(),
        body,
    ]
    .concat();
    let sum = table.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte));
    if let Some(checksum) = table.get_mut(CHECKSUM) {
        *checksum = sum.wrapping_neg();
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bytes_add_up_to_nothing() {
        for body in [&[][..], &[1, 2, 3], &[0xff; 300]] {
            let table = table(*b"TEST", 2, body);
            let sum = table.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte));
            assert_eq!(sum, 0);
            assert_eq!(table.len(), HEADER + body.len());
        }
    }

    #[test]
    fn the_header_tells_the_whole_length() {
        let table = table(*b"TEST", 2, &[0; 300]);
        assert_eq!(table[..9], *b"TEST\x50\x01\0\0\x02");
        assert_eq!(table[HEADER..], [0; 300]);
    }
}
