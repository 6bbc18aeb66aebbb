// SPDX-License-Identifier: GPL-2.0
//! The kind of machine that the FADT names (Preferred_PM_Profile).
//!
//! QEMU's FADT leaves it unspecified, and a second one cannot be added, since
//! it would have to know where QEMU puts the DSDT. So the front changes
//! QEMU's own one in the guest's memory, between the time when its firmware
//! has put it there and the time when its kernel reads it.

use thiserror::Error;

use crate::guest::Memory;

/// Why the FADT could not be changed.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum FadtError {
    /// No root pointer where firmware puts it.
    #[error("there is no ACPI root pointer in the guest's memory")]
    NoRootPointer,
    /// A table lies outside of memory or is too short.
    #[error("the guest's ACPI tables cannot be read at {0:#x}")]
    Unreadable(u64),
    /// The root table does not list a FADT.
    #[error("the guest's ACPI tables have no FADT")]
    NoFadt,
    /// The memory cannot be written.
    #[error("the guest's FADT cannot be written at {0:#x}")]
    Unwritable(u64),
}

/// Where a PC's firmware leaves the root pointer, on a multiple of 16.
const BIOS_AREA: u64 = 0xe_0000;
const BIOS_AREA_LEN: usize = 0x2_0000;
/// Offset of the RSDT's address in the root pointer (ACPI 6.5, 5.2.5.3).
const RSDT_ADDRESS: usize = 16;
/// Bytes of a table's header (5.2.6); its length and its checksum.
const HEADER: usize = 36;
const LENGTH: usize = 4;
const CHECKSUM: usize = 9;
/// Offset of Preferred_PM_Profile in the FADT (5.2.9).
const PM_PROFILE: usize = 45;

/// Writes the profile into the guest's FADT, and makes its checksum right.
pub fn set_pm_profile(memory: &mut impl Memory, profile: u8) -> Result<(), FadtError> {
    let (address, mut fadt) = find(memory)?;
    let unreadable = FadtError::Unreadable(address);
    *fadt.get_mut(PM_PROFILE).ok_or(unreadable)? = profile;
    let sum = fadt.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte));
    let checksum = fadt.get_mut(CHECKSUM).ok_or(unreadable)?;
    *checksum = checksum.wrapping_sub(sum);
    if memory.write_memory(address, &fadt) {
        Ok(())
    } else {
        Err(FadtError::Unwritable(address))
    }
}

/// The FADT's address and its bytes.
fn find(memory: &impl Memory) -> Result<(u64, Vec<u8>), FadtError> {
    let root = root_table(memory)?;
    let entries = root.get(HEADER..).unwrap_or_default();
    for entry in entries.chunks_exact(4) {
        let address = u64::from(word(entry, 0).unwrap_or(0));
        let fadt = table(memory, address)?;
        if fadt.starts_with(b"FACP") {
            return Ok((address, fadt));
        }
    }
    Err(FadtError::NoFadt)
}

/// The RSDT. QEMU's root pointer is of the first version, without an XSDT.
fn root_table(memory: &impl Memory) -> Result<Vec<u8>, FadtError> {
    let area = memory
        .read_memory(BIOS_AREA, BIOS_AREA_LEN)
        .ok_or(FadtError::Unreadable(BIOS_AREA))?;
    let pointer = area
        .chunks_exact(16)
        .position(|chunk| chunk.starts_with(b"RSD PTR "))
        .ok_or(FadtError::NoRootPointer)?;
    let address = word(&area, pointer * 16 + RSDT_ADDRESS).ok_or(FadtError::NoRootPointer)?;
    table(memory, address.into())
}

/// A whole table.
fn table(memory: &impl Memory, address: u64) -> Result<Vec<u8>, FadtError> {
    let unreadable = FadtError::Unreadable(address);
    let header = memory.read_memory(address, HEADER).ok_or(unreadable)?;
    let length = word(&header, LENGTH)
        .and_then(|length| usize::try_from(length).ok())
        .filter(|length| (HEADER..=LONGEST_TABLE).contains(length))
        .ok_or(unreadable)?;
    memory.read_memory(address, length).ok_or(unreadable)
}

/// More than any table of QEMU's has.
const LONGEST_TABLE: usize = 1 << 20;

/// The little-endian 32 bit number at an offset.
fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes(*bytes))
}

/// A guest's memory for tests.
#[cfg(test)]
pub mod fake {
    use super::{Memory, CHECKSUM, HEADER, LENGTH, PM_PROFILE, RSDT_ADDRESS};

    pub const RSDT: usize = 0x10_0000;
    pub const SSDT: usize = 0x10_0100;
    pub const FADT: usize = 0x10_0200;
    pub const FADT_LEN: usize = 244;

    /// 2 MiB of memory.
    #[derive(Clone, PartialEq, Eq)]
    pub struct FakeMemory(pub Vec<u8>);

    impl Memory for FakeMemory {
        fn read_memory(&self, address: u64, len: usize) -> Option<Vec<u8>> {
            let start = usize::try_from(address).ok()?;
            let bytes = self.0.get(start..start.checked_add(len)?);
            bytes.map(<[u8]>::to_vec)
        }

        fn write_memory(&mut self, address: u64, bytes: &[u8]) -> bool {
            self.put(usize::try_from(address).unwrap(), bytes);
            true
        }
    }

    impl FakeMemory {
        /// Without any table.
        pub fn empty() -> Self {
            Self(vec![0; 0x20_0000])
        }

        /// With tables, as firmware leaves them.
        pub fn booted() -> Self {
            let mut memory = Self::empty();
            memory.put(0xf_5a80, b"RSD PTR ");
            memory.put(0xf_5a80 + RSDT_ADDRESS, &0x10_0000u32.to_le_bytes());
            let entries = [0x10_0100u32.to_le_bytes(), 0x10_0200u32.to_le_bytes()];
            memory.put_table(RSDT, b"RSDT", entries.as_flattened());
            memory.put_table(SSDT, b"SSDT", &[]);
            memory.put_table(FADT, b"FACP", &[7; FADT_LEN - HEADER]);
            memory
        }

        pub fn put(&mut self, at: usize, bytes: &[u8]) {
            self.0[at..at + bytes.len()].copy_from_slice(bytes);
        }

        fn put_table(&mut self, at: usize, signature: &[u8; 4], body: &[u8]) {
            let length = u32::try_from(HEADER + body.len()).unwrap();
            self.put(at, signature);
            self.put(at + LENGTH, &length.to_le_bytes());
            self.put(at + HEADER, body);
        }

        pub fn pm_profile(&self) -> u8 {
            self.0[FADT + PM_PROFILE]
        }

        pub fn fadt_checksum(&self) -> u8 {
            self.0[FADT + CHECKSUM]
        }

        pub fn fadt_sum(&self) -> u8 {
            let fadt = &self.0[FADT..FADT + FADT_LEN];
            fadt.iter().fold(0, |sum, byte| sum.wrapping_add(*byte))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::fake::{FakeMemory, FADT, RSDT};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_profile_is_set_and_the_checksum_is_right() {
        let mut memory = FakeMemory::booted();
        assert_eq!(set_pm_profile(&mut memory, 4), Ok(()));
        assert_eq!((memory.pm_profile(), memory.fadt_sum()), (4, 0));
        let mut by_hand = FakeMemory::booted();
        by_hand.put(FADT + PM_PROFILE, &[4]);
        by_hand.put(FADT + CHECKSUM, &[memory.fadt_checksum()]);
        assert!(by_hand == memory, "something else was changed");
    }

    #[test]
    fn what_is_missing_is_named() {
        let error = set_pm_profile(&mut FakeMemory::empty(), 4);
        assert_eq!(error, Err(FadtError::NoRootPointer));
        let mut no_fadt = FakeMemory::booted();
        no_fadt.put(FADT, b"XXXX");
        assert_eq!(set_pm_profile(&mut no_fadt, 4), Err(FadtError::NoFadt));
        let mut outside = FakeMemory::booted();
        outside.put(RSDT + HEADER, &0xffff_0000u32.to_le_bytes());
        let error = set_pm_profile(&mut outside, 4);
        assert_eq!(error, Err(FadtError::Unreadable(0xffff_0000)));
    }

    proptest! {
        #[test]
        fn broken_tables_break_nothing(at in 0usize..0x300, bytes: [u8; 8], profile: u8) {
            let mut memory = FakeMemory::booted();
            memory.put(RSDT + at, &bytes);
            if set_pm_profile(&mut memory, profile).is_err() {
                let mut untouched = FakeMemory::booted();
                untouched.put(RSDT + at, &bytes);
                prop_assert!(memory == untouched);
            }
        }
    }
}
