// SPDX-License-Identifier: GPL-2.0

//! A word that one CPU writes while others may read it: C's `READ_ONCE()` and `WRITE_ONCE()`.
//!
//! `kernel::sync::atomic::Atomic` offers the same, but in 7.3 each of its loads and stores is a call
//! of a C helper, which the scheduler's path should not pay for.

use core::cell::UnsafeCell;

/// A variable that may be read and written at the same time. Neither tears; nothing is ordered.
#[repr(transparent)]
pub(crate) struct Volatile<T: Word>(UnsafeCell<T>);

/// Types that the processor reads and writes in one piece.
///
/// # Safety
///
/// The type is an integer that is not wider than a register and is aligned to its size.
pub(crate) unsafe trait Word: Copy {}

// SAFETY: As the trait asks, on all architectures with 64 bits.
unsafe impl Word for u32 {}
// SAFETY: As above.
unsafe impl Word for u64 {}
// SAFETY: As above.
unsafe impl Word for usize {}

// SAFETY: By the contract of `Word`, an access cannot tear, so that a reader gets a value that
// somebody wrote. The kernel's memory model gives volatile accesses that meaning.
unsafe impl<T: Word> Sync for Volatile<T> {}

impl<T: Word> Volatile<T> {
    /// A variable that holds `value`.
    pub(crate) const fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }

    /// Reads the variable.
    #[inline(always)]
    pub(crate) fn get(&self) -> T {
        // SAFETY: The pointer is that of a live variable; see the `Sync` implementation for races.
        unsafe { self.0.get().read_volatile() }
    }

    /// Writes the variable.
    #[inline(always)]
    pub(crate) fn set(&self, value: T) {
        // SAFETY: As for `get`.
        unsafe { self.0.get().write_volatile(value) }
    }
}
