// SPDX-License-Identifier: GPL-2.0
//! I/O ports of the q35 board that mean something to the model.

use crate::decode::Width;

/// A port that nothing on the board answers: writes to it only show up in the
/// register log, so that a guest can mark a place in it.
const MARKER: u16 = 0x0cf0;

/// The power management control register (ICH9, PMBASE 600h, PM1_CNT).
const POWER_CONTROL: u16 = 0x0604;

/// What a guest tells the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// A marker with this value.
    Mark(u32),
    /// The machine is to sleep, S3: everything but memory loses power.
    Sleep,
}

impl Signal {
    /// The signal in a write to a port, if there is one.
    pub fn from_out(port: u16, width: Width, eax: u32) -> Option<Self> {
        let value = width.of(eax);
        match port {
            MARKER => Some(Self::Mark(value)),
            POWER_CONTROL if is_sleep(value) => Some(Self::Sleep),
            _ => None,
        }
    }
}

/// PM1_CNT (ACPI 6.5, 4.8.3.2.1): SLP_EN with the SLP_TYP that the board's
/// DSDT gives for S3.
fn is_sleep(value: u32) -> bool {
    const ENABLE: u32 = 1 << 13;
    const TYPE: u32 = 0b111 << 10;
    const TYPE_S3: u32 = 1 << 10;
    value & ENABLE != 0 && value & TYPE == TYPE_S3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_carry_what_was_written() {
        let signal = Signal::from_out(0x0cf0, Width::Byte, 0x1234);
        assert_eq!(signal, Some(Signal::Mark(0x34)));
    }

    #[test]
    fn only_the_order_to_enter_s3_is_a_sleep() {
        let out = |value| Signal::from_out(0x0604, Width::Word, value);
        assert_eq!(out(0x2401), Some(Signal::Sleep));
        // The type alone, as the kernel writes it first; S5; S4; on.
        assert_eq!(out(0x0401), None);
        assert_eq!(out(0x2001), None);
        assert_eq!(out(0x2801), None);
        assert_eq!(out(0x0001), None);
    }

    #[test]
    fn other_ports_mean_nothing() {
        for port in [0x0cf8, 0x0cf1, 0x3f8, 0x0600] {
            assert_eq!(Signal::from_out(port, Width::Dword, u32::MAX), None);
        }
    }
}
