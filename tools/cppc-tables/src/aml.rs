// SPDX-License-Identifier: GPL-2.0
//! As much of the ACPI machine language as the tables need (ACPI 6.5, 20.2).
//!
//! A term is the bytes that encode it; each function makes one from those of
//! its parts.

use cppc_model::Register;

/// An encoded term.
pub(crate) type Term = Vec<u8>;

const ZERO_OP: u8 = 0x00;
const ONE_OP: u8 = 0x01;
const NAME_OP: u8 = 0x08;
const BYTE_PREFIX: u8 = 0x0a;
const WORD_PREFIX: u8 = 0x0b;
const DWORD_PREFIX: u8 = 0x0c;
const SCOPE_OP: u8 = 0x10;
const BUFFER_OP: u8 = 0x11;
const PACKAGE_OP: u8 = 0x12;
const METHOD_OP: u8 = 0x14;
const ROOT_CHAR: u8 = b'\\';
const DUAL_NAME_PREFIX: u8 = 0x2e;
const MULTI_NAME_PREFIX: u8 = 0x2f;
const RETURN_OP: u8 = 0xa4;

/// One segment of a name: four characters, filled up with underscores.
pub(crate) type Segment = [u8; 4];

/// An integer, in as few bytes as hold it.
pub(crate) fn integer(value: u32) -> Term {
    if value == 0 {
        vec![ZERO_OP]
    } else if value == 1 {
        vec![ONE_OP]
    } else if let Ok(value) = u8::try_from(value) {
        vec![BYTE_PREFIX, value]
    } else if let Ok(value) = u16::try_from(value) {
        joined(&[&[WORD_PREFIX], &value.to_le_bytes()])
    } else {
        joined(&[&[DWORD_PREFIX], &value.to_le_bytes()])
    }
}

/// A path from the root of the namespace.
pub(crate) fn path(segments: &[Segment]) -> Term {
    let mut term = vec![ROOT_CHAR];
    match segments {
        [_] => {}
        [_, _] => term.push(DUAL_NAME_PREFIX),
        more => term.extend([MULTI_NAME_PREFIX, count(more.len())]),
    }
    term.extend(segments.iter().flatten());
    term
}

/// `Name (segment, value)`
pub(crate) fn name(segment: Segment, value: &Term) -> Term {
    joined(&[&[NAME_OP], &segment, value])
}

/// `Scope (path) { terms }`
pub(crate) fn scope(path: &Term, terms: &[Term]) -> Term {
    with_length(SCOPE_OP, &joined(&[path, &terms.concat()]))
}

/// `Package () { elements }`
pub(crate) fn package(elements: &[Term]) -> Term {
    let elements = joined(&[&[count(elements.len())], &elements.concat()]);
    with_length(PACKAGE_OP, &elements)
}

/// `Method (segment, 0) { Return (value) }`
pub(crate) fn method_that_returns(segment: Segment, value: &Term) -> Term {
    const NO_ARGUMENTS: u8 = 0;
    with_length(
        METHOD_OP,
        &joined(&[&segment, &[NO_ARGUMENTS], &[RETURN_OP], value]),
    )
}

/// Where a register is: an address space, and bits at an address in it.
#[derive(Clone, Copy)]
pub(crate) struct Location {
    space: u8,
    width: u8,
    offset: u8,
    access: u8,
    address: u64,
}

impl Location {
    const SYSTEM_MEMORY: u8 = 0x00;
    const FUNCTIONAL_FIXED_HARDWARE: u8 = 0x7f;

    /// `width` bits from bit `offset` on of a model specific register.
    pub(crate) fn of_msr(register: Register, width: u8, offset: u8) -> Self {
        Self {
            space: Self::FUNCTIONAL_FIXED_HARDWARE,
            width,
            offset,
            access: 0,
            address: u64::from(register.msr()),
        }
    }

    /// A register that there is not: width 0 at address 0 (8.4.6.1).
    pub(crate) fn nowhere() -> Self {
        Self {
            space: Self::SYSTEM_MEMORY,
            width: 0,
            offset: 0,
            access: 0,
            address: 0,
        }
    }
}

/// `ResourceTemplate () { Register (location) }`
pub(crate) fn register(location: Location) -> Term {
    /// Generic register descriptor (6.4.3.7), and the bytes that follow.
    const DESCRIPTOR: [u8; 3] = [0x82, 12, 0];
    /// End tag (6.4.2.9); a checksum of 0 counts as right.
    const END: [u8; 2] = [0x79, 0];
    let resource = joined(&[
        &DESCRIPTOR,
        &[
            location.space,
            location.width,
            location.offset,
            location.access,
        ],
        &location.address.to_le_bytes(),
        &END,
    ]);
    let size = integer(u32::try_from(resource.len()).unwrap_or(0));
    with_length(BUFFER_OP, &joined(&[&size, &resource]))
}

/// An opcode, the length of what follows (the length's own bytes included),
/// and what follows.
fn with_length(opcode: u8, rest: &[u8]) -> Term {
    joined(&[&[opcode], &package_length(rest.len()), rest])
}

/// PkgLength (20.2.4): one byte up to 63, else a byte that says how many more
/// there are and holds the low four bits.
fn package_length(rest: usize) -> Vec<u8> {
    if rest < 0x3f {
        return vec![count(rest + 1)];
    }
    let more = if rest + 2 < 1 << 12 {
        1
    } else if rest + 3 < 1 << 20 {
        2
    } else {
        3
    };
    let length = rest + 1 + more;
    let lead = (count(more) << 6) | count(length & 0xf);
    let high = (length >> 4).to_le_bytes();
    std::iter::once(lead)
        .chain(high.into_iter().take(more))
        .collect()
}

/// A number that the encoding gives one byte. Those here are at most 255.
fn count(number: usize) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}

fn joined(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_take_as_few_bytes_as_hold_them() {
        assert_eq!(integer(0), [0x00]);
        assert_eq!(integer(1), [0x01]);
        assert_eq!(integer(2), [0x0a, 2]);
        assert_eq!(integer(255), [0x0a, 255]);
        assert_eq!(integer(256), [0x0b, 0, 1]);
        assert_eq!(integer(0x1_0000), [0x0c, 0, 0, 1, 0]);
    }

    #[test]
    fn lengths_count_their_own_bytes() {
        assert_eq!(package_length(0), [1]);
        assert_eq!(package_length(62), [63]);
        assert_eq!(package_length(63), [0x41, 0x04]);
        assert_eq!(package_length(4093), [0x4f, 0xff]);
        assert_eq!(package_length(4094), [0x81, 0x00, 0x01]);
    }

    #[test]
    fn paths_say_how_many_segments_they_have() {
        assert_eq!(path(&[*b"_SB_"]), b"\\_SB_");
        assert_eq!(path(&[*b"_SB_", *b"STAT"]), b"\\\x2e_SB_STAT");
        assert_eq!(
            path(&[*b"_SB_", *b"CPUS", *b"C000"]),
            b"\\\x2f\x03_SB_CPUSC000"
        );
    }

    #[test]
    fn a_register_is_a_buffer_with_one_descriptor() {
        let term = register(Location::of_msr(Register::Cap1, 8, 24));
        assert_eq!(
            term,
            [
                0x11, 20, 0x0a, 17, 0x82, 12, 0, 0x7f, 8, 24, 0, 0xb0, 0x02, 0x01, 0xc0, 0, 0, 0,
                0, 0x79, 0
            ]
        );
    }
}
