// SPDX-License-Identifier: GPL-2.0
//! Which instructions concern the model.

/// How many bytes an `out` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// `al`
    Byte,
    /// `ax`
    Word,
    /// `eax`
    Dword,
}

impl Width {
    /// What of `eax` is written.
    pub fn of(self, eax: u32) -> u32 {
        match self {
            Self::Byte => eax & 0xff,
            Self::Word => eax & 0xffff,
            Self::Dword => eax,
        }
    }
}

/// An instruction that concerns the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// `rdmsr`
    Rdmsr,
    /// `wrmsr`
    Wrmsr,
    /// `cpuid`
    Cpuid,
    /// `rdtsc`. `rdtscp` is not shown to the guest, since the model does not
    /// know the register that it reads besides.
    Rdtsc,
    /// `out dx, al/ax/eax`. The form with the port in the instruction reaches
    /// only ports below 256, where none of the model's is.
    Out(Width),
}

/// Decodes one whole instruction, as QEMU cut it out.
pub fn decode(bytes: &[u8]) -> Option<Op> {
    let (prefixes, opcode) = split(bytes);
    match opcode {
        [0x0f, 0x32] => Some(Op::Rdmsr),
        [0x0f, 0x30] => Some(Op::Wrmsr),
        [0x0f, 0xa2] => Some(Op::Cpuid),
        [0x0f, 0x31] => Some(Op::Rdtsc),
        [0xee] => Some(Op::Out(Width::Byte)),
        // 16-bit code, where the prefix means the opposite, is not told apart:
        // no guest writes the model's ports from there.
        [0xef] if prefixes.contains(&OPERAND_SIZE) => Some(Op::Out(Width::Word)),
        [0xef] => Some(Op::Out(Width::Dword)),
        _ => None,
    }
}

const OPERAND_SIZE: u8 = 0x66;

/// Splits the prefixes off. A REX byte counts as one: as an instruction of
/// its own, which it is outside 64-bit code, it would have nothing after it.
fn split(bytes: &[u8]) -> (&[u8], &[u8]) {
    let prefixes = bytes.iter().take_while(|byte| is_prefix(**byte)).count();
    bytes.split_at(prefixes)
}

fn is_prefix(byte: u8) -> bool {
    matches!(
        byte,
        OPERAND_SIZE | 0x67 | 0x26 | 0x2e | 0x36 | 0x3e | 0x64 | 0x65 | 0xf2 | 0xf3 | 0x40..=0x4f
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_plain_instructions_are_found() {
        assert_eq!(decode(&[0x0f, 0x32]), Some(Op::Rdmsr));
        assert_eq!(decode(&[0x0f, 0x30]), Some(Op::Wrmsr));
        assert_eq!(decode(&[0x0f, 0xa2]), Some(Op::Cpuid));
        assert_eq!(decode(&[0x0f, 0x31]), Some(Op::Rdtsc));
        assert_eq!(decode(&[0xee]), Some(Op::Out(Width::Byte)));
        assert_eq!(decode(&[0xef]), Some(Op::Out(Width::Dword)));
        assert_eq!(decode(&[0x66, 0xef]), Some(Op::Out(Width::Word)));
    }

    #[test]
    fn prefixes_before_them_change_nothing() {
        // As the kernel pads wrmsr for its alternatives.
        assert_eq!(decode(&[0x2e, 0x2e, 0x0f, 0x30]), Some(Op::Wrmsr));
        assert_eq!(decode(&[0x48, 0x0f, 0x32]), Some(Op::Rdmsr));
        assert_eq!(decode(&[0xf3, 0x0f, 0xa2]), Some(Op::Cpuid));
    }

    #[test]
    fn what_only_contains_them_is_not_taken() {
        for bytes in [
            &[][..],
            &[0x0f],
            &[0x0f, 0x33],
            &[0x0f, 0x32, 0x90],
            &[0xb8, 0x0f, 0x30, 0x0f, 0x30],
            &[0x0f, 0x01, 0xf9],
            &[0xe6, 0xf0],
            &[0x48],
            &[0x66],
        ] {
            assert_eq!(decode(bytes), None, "{bytes:x?}");
        }
    }

    #[test]
    fn an_out_writes_as_much_as_its_width_says() {
        assert_eq!(Width::Byte.of(0x1234_5678), 0x78);
        assert_eq!(Width::Word.of(0x1234_5678), 0x5678);
        assert_eq!(Width::Dword.of(0x1234_5678), 0x1234_5678);
    }

    proptest! {
        #[test]
        fn only_the_last_bytes_decide(prefix in prop::sample::select(&[0x2eu8, 0x36, 0x64, 0x41, 0x48, 0xf3][..]), n in 0usize..12) {
            let mut bytes = vec![prefix; n];
            bytes.extend([0x0f, 0x30]);
            prop_assert_eq!(decode(&bytes), Some(Op::Wrmsr));
        }

        #[test]
        fn no_bytes_break_it(bytes in prop::collection::vec(any::<u8>(), 0..20)) {
            if decode(&bytes).is_some() {
                prop_assert!(matches!(bytes.last(), Some(0x30..=0x32 | 0xa2 | 0xee | 0xef)));
            }
        }
    }
}
