// SPDX-License-Identifier: GPL-2.0

//! Names for locks in files that are made while the module runs.
//!
//! Lockdep tells locks apart by the address of something static. A file's attribute brings one of
//! its own, but these are on the heap.

use core::{
    cell::UnsafeCell,
    mem::MaybeUninit, //
};

use kernel::bindings;

/// What lockdep knows a lock by.
#[repr(transparent)]
pub(crate) struct Key(UnsafeCell<MaybeUninit<bindings::lock_class_key>>);

// SAFETY: Only lockdep reads and writes it, under a lock of its own.
unsafe impl Sync for Key {}

impl Key {
    /// The key's address, in the form that C wants.
    pub(super) const fn as_ptr(&self) -> *mut bindings::lock_class_key {
        self.0.get().cast()
    }
}

/// The key of all files of this module.
pub(crate) static ATTRIBUTE: Key = Key(UnsafeCell::new(MaybeUninit::zeroed()));
