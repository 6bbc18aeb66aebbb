// SPDX-License-Identifier: GPL-2.0

//! Files of a driver's own in a policy's folder, `/sys/devices/system/cpu/cpufreq/policy*/`.

use core::cell::UnsafeCell;

use kernel::{
    bindings,
    fmt,
    prelude::*, //
};

use super::{Driver, Policy};
use crate::ext::sysfs::Page;

/// A file in the folder of a policy of driver `D`.
pub(crate) trait Attribute<D: Driver> {
    /// The file's name.
    const NAME: &'static CStr;

    /// Writes the file's text.
    fn show(policy: Policy<'_>, data: &D::Data, page: &mut Page<'_>) -> fmt::Result;
}

/// An [`Attribute`] that can be written.
pub(crate) trait WritableAttribute<D: Driver>: Attribute<D> {
    /// Takes the text that was written, in force or not at all. A success wakes whoever polls the
    /// file.
    fn store(policy: Policy<'_>, data: &D::Data, written: &[u8]) -> Result;
}

/// An [`Attribute`] in the form that the core wants.
///
/// A driver hands it over when it registers; see [`Registration::new`](super::Registration::new).
#[repr(transparent)]
pub(crate) struct FreqAttr(UnsafeCell<bindings::freq_attr>);

// SAFETY: The pointers in it are to constants.
unsafe impl Send for FreqAttr {}

impl FreqAttr {
    /// The read-only file `A` of driver `D`.
    pub(crate) fn new<D: Driver, A: Attribute<D>>() -> Self {
        Self::with_mode(A::NAME, 0o444, Self::show::<D, A>, None)
    }

    /// The file `A` of driver `D`, which the administrator can write.
    pub(crate) fn writable<D: Driver, A: WritableAttribute<D>>() -> Self {
        Self::with_mode(
            A::NAME,
            0o644,
            Self::show::<D, A>,
            Some(Self::store::<D, A>),
        )
    }

    #[allow(clippy::needless_update)]
    fn with_mode(name: &'static CStr, mode: u16, show: Show, store: Option<Store>) -> Self {
        Self(UnsafeCell::new(bindings::freq_attr {
            attr: bindings::attribute {
                name: name.as_char_ptr(),
                mode,
                #[cfg(CONFIG_DEBUG_LOCK_ALLOC)]
                key: crate::ext::lockdep::ATTRIBUTE.as_ptr(),
                ..pin_init::zeroed()
            },
            show: Some(show),
            store,
        }))
    }

    pub(super) fn as_ptr(&self) -> *mut bindings::freq_attr {
        self.0.get()
    }

    /// # Safety
    ///
    /// To be called by the cpufreq core only, for a file in a folder of driver `D`.
    unsafe extern "C" fn show<D: Driver, A: Attribute<D>>(
        policy: *mut bindings::cpufreq_policy,
        buffer: *mut c_char,
    ) -> isize {
        // SAFETY: The core passes a live policy and holds it for reading.
        let policy = unsafe { Policy::from_raw(policy) };
        // SAFETY: The core answers EBUSY in this one's place where the policy has no CPU, and holds
        // the policy, so that it does not end meanwhile: `init` is over and `exit` has not begun.
        let data = unsafe { super::driver::data::<D>(policy) };
        // SAFETY: sysfs passes a page of its own.
        let mut page = unsafe { Page::from_raw(buffer) };

        match A::show(policy, data, &mut page) {
            Ok(()) => page.len(),
            Err(_) => EIO.to_errno() as isize,
        }
    }

    /// # Safety
    ///
    /// To be called by the cpufreq core only, for a file in a folder of driver `D`.
    unsafe extern "C" fn store<D: Driver, A: WritableAttribute<D>>(
        policy: *mut bindings::cpufreq_policy,
        buffer: *const c_char,
        count: usize,
    ) -> isize {
        // SAFETY: The core passes a live policy and holds it for writing.
        let policy = unsafe { Policy::from_raw(policy) };
        // SAFETY: As in `show`.
        let data = unsafe { super::driver::data::<D>(policy) };
        // SAFETY: sysfs passes a buffer of `count` bytes that nobody else has.
        let written = unsafe { core::slice::from_raw_parts(buffer.cast::<u8>(), count) };

        match A::store(policy, data, written) {
            Ok(()) => {
                policy.notify(A::NAME);
                count as isize
            }
            Err(error) => error.to_errno() as isize,
        }
    }
}

type Show = unsafe extern "C" fn(*mut bindings::cpufreq_policy, *mut c_char) -> isize;
type Store = unsafe extern "C" fn(*mut bindings::cpufreq_policy, *const c_char, usize) -> isize;
