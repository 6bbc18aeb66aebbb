// SPDX-License-Identifier: GPL-2.0
//! Model specific registers of AMD that say how boost and the older P-states stand.
//!
//! Read through `/dev/cpu/N/msr`, which exists only with the msr module; this crate never loads it.

/// Hardware Configuration (`MSRC001_0015`, PPR: `HWCR`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hwcr(pub u64);

impl Hwcr {
    /// Address of the register.
    pub const ADDRESS: u32 = 0xc001_0015;
    const CPB_DIS: u64 = 1 << 25;

    /// `CpbDis`: core performance boost is switched off for this core.
    pub fn boost_disabled(self) -> bool {
        self.0 & Self::CPB_DIS != 0
    }
}

/// P-state Current Limit (`MSRC001_0061`, PPR: `PStateCurLim`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PstateLimit(pub u64);

impl PstateLimit {
    /// Address of the register.
    pub const ADDRESS: u32 = 0xc001_0061;
    const MAX_VAL_SHIFT: u32 = 4;
    const MAX_VAL_MASK: u64 = 0x7;

    /// `PstateMaxVal`: number of the slowest P-state, 0 to 7.
    pub fn slowest(self) -> u32 {
        // Three bits fit in any integer.
        u32::try_from((self.0 >> Self::MAX_VAL_SHIFT) & Self::MAX_VAL_MASK).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boost_is_disabled_by_bit_25_alone() {
        assert!(Hwcr(1 << 25).boost_disabled());
        assert!(!Hwcr(!(1 << 25)).boost_disabled());
    }

    #[test]
    fn the_slowest_state_stands_in_bits_4_to_6() {
        assert_eq!(PstateLimit(0x20).slowest(), 2);
        assert_eq!(PstateLimit(u64::MAX).slowest(), 7);
    }
}
