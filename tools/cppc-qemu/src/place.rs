// SPDX-License-Identifier: GPL-2.0
//! Where the guest goes on behind an instruction that was skipped.

/// An instruction's place in its page, and its length.
///
/// QEMU translates a block of instructions once for all mappings of its page,
/// such as those of a library in different processes. So the address of an
/// instruction is not known when it is translated, but its place in the page
/// is, since mappings differ by whole pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place(u32);

const PAGE: u64 = 4096;
const PAGE_BITS: u32 = PAGE.trailing_zeros();

impl Place {
    /// The place of an instruction of `size` bytes at `address` in any of its
    /// mappings.
    pub fn new(address: u64, size: usize) -> Self {
        let offset = u32::try_from(address % PAGE).unwrap_or(0);
        let size = u32::try_from(size).unwrap_or(0);
        Self((size << PAGE_BITS) | offset)
    }

    /// The place in one number, for a callback's userdata.
    pub fn to_number(self) -> u32 {
        self.0
    }

    /// The place that [`to_number`](Self::to_number) was called for.
    pub fn from_number(number: u32) -> Self {
        Self(number)
    }

    /// The address behind the instruction, in the mapping that the guest runs
    /// in. In a callback `rip` is the address of the block, or of one of its
    /// instructions up to this one; a block begins in the page that its last
    /// instruction begins in.
    pub fn behind(self, rip: u64) -> u64 {
        let offset = u64::from(self.0) % PAGE;
        let size = u64::from(self.0 >> PAGE_BITS);
        let ahead = offset.wrapping_sub(rip) % PAGE;
        rip.wrapping_add(ahead).wrapping_add(size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn in_the_mapping_of_translation_it_is_the_next_address() {
        let place = Place::new(0x7f00_0000_1ff1, 2);
        assert_eq!(place.behind(0x7f00_0000_1ff1), 0x7f00_0000_1ff3);
        assert_eq!(place.behind(0x7f00_0000_1000), 0x7f00_0000_1ff3);
    }

    #[test]
    fn in_another_mapping_it_moves_by_whole_pages() {
        // From the identity mapping to the kernel's own, as at its start.
        let place = Place::new(0x0f4d_e8ad, 2);
        assert_eq!(place.behind(0xffff_ffff_98ed_e8aa), 0xffff_ffff_98ed_e8af);
    }

    #[test]
    fn an_instruction_may_reach_into_the_next_page() {
        let place = Place::new(0x1fff, 2);
        assert_eq!(place.behind(0x5000), 0x6001);
    }

    proptest! {
        #[test]
        fn any_mapping_and_any_rip_of_the_block_will_do(
            page in 0u64..1 << 51, other in 0u64..1 << 51, offset in 0..PAGE, back: u64, size in 1usize..=15,
        ) {
            let place = Place::new(page * PAGE + offset, size);
            let place = Place::from_number(place.to_number());
            let address = other * PAGE + offset;
            let rip = address - back % (offset + 1);
            prop_assert_eq!(place.behind(rip), address + u64::try_from(size).unwrap());
        }
    }
}
