// SPDX-License-Identifier: GPL-2.0
//! Definitions of the P-states that firmware sets up.

/// P-state definition (`MSRC001_0064` and the seven that follow, PPR: `PStateDef`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PstateDef(pub u64);

impl PstateDef {
    /// Address of the first definition.
    pub const ADDRESS: u32 = 0xc001_0064;
    const ENABLE: u64 = 1 << 63;

    /// `PstateEn`: the definition is in use.
    pub fn enabled(self) -> bool {
        self.0 & Self::ENABLE != 0
    }

    /// Core frequency in MHz for a processor family from 0x17 on, or `None` where the definition gives none.
    ///
    /// Up to family 0x19 it is 200 MHz times `CpuFid` over `CpuDfsId`; from 0x1a on, 5 MHz times `CpuFid`.
    pub fn mhz(self, family: u32) -> Option<u64> {
        match family {
            0x17..=0x19 => (200 * self.bits(0, 8)).checked_div(self.bits(8, 6)),
            0x1a.. => Some(self.bits(0, 12))
                .filter(|fid| *fid > 0x0f)
                .map(|fid| 5 * fid),
            _ => None,
        }
    }

    fn bits(self, low: u32, width: u32) -> u64 {
        (self.0 >> low) & ((1 << width) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn zen_3_divides_and_zen_5_multiplies() {
        assert_eq!(PstateDef(0x0888).mhz(0x19), Some(3400));
        assert_eq!(PstateDef(0x0358).mhz(0x1a), Some(4280));
    }

    #[test]
    fn a_divisor_of_zero_gives_no_frequency() {
        assert_eq!(PstateDef(0x0088).mhz(0x17), None);
        assert_eq!(PstateDef(0x0f).mhz(0x1a), None);
        assert_eq!(PstateDef(0x0888).mhz(0x10), None);
    }

    #[test]
    fn the_top_bit_enables() {
        assert!(PstateDef(1 << 63).enabled());
        assert!(!PstateDef(!(1 << 63)).enabled());
    }

    proptest! {
        #[test]
        fn no_register_content_panics(value: u64, family: u32) {
            let _ = PstateDef(value).mhz(family);
        }
    }
}
