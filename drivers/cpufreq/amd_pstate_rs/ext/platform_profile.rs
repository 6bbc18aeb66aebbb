// SPDX-License-Identifier: GPL-2.0

//! Platform profiles: one choice of the user for the whole machine, between saving energy and speed,
//! that every driver with something to say about it makes come true.
//!
//! C header: [`include/linux/platform_profile.h`](srctree/include/linux/platform_profile.h)

use core::marker::PhantomData;

use kernel::{
    cpu::CpuId,
    error::{
        from_err_ptr,
        from_result, //
    },
    prelude::*,
    str::CString,
    sync::Arc, //
};

use super::bindings;

/// A profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    LowPower,
    Balanced,
    Performance,
}

impl Profile {
    const ALL: [Self; 3] = [Self::LowPower, Self::Balanced, Self::Performance];

    const fn into_raw(self) -> bindings::platform_profile_option {
        match self {
            Self::LowPower => bindings::platform_profile_option_PLATFORM_PROFILE_LOW_POWER,
            Self::Balanced => bindings::platform_profile_option_PLATFORM_PROFILE_BALANCED,
            Self::Performance => bindings::platform_profile_option_PLATFORM_PROFILE_PERFORMANCE,
        }
    }

    fn from_raw(raw: bindings::platform_profile_option) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|profile| profile.into_raw() == raw)
    }
}

/// Something that profiles can be set for.
pub(crate) trait Handler: Send + Sync + 'static {
    /// The profile now. May sleep.
    fn profile(&self) -> Profile;

    /// Puts a profile in force. May sleep.
    fn set_profile(&self, profile: Profile) -> Result;
}

/// A handler that users can reach, until it is dropped.
pub(crate) struct Registration<T: Handler> {
    device: *mut kernel::bindings::device,
    _name: CString,
    _handler: Arc<T>,
}

// SAFETY: The pointer is to a device that has a lock of its own.
unsafe impl<T: Handler> Send for Registration<T> {}
// SAFETY: A shared registration offers nothing.
unsafe impl<T: Handler> Sync for Registration<T> {}

impl<T: Handler> Registration<T> {
    /// Registers `handler` under `name`, as a child of `cpu`. May sleep.
    ///
    /// The caller may hold no lock that the handler takes.
    pub(crate) fn new(cpu: CpuId, name: CString, handler: Arc<T>) -> Result<Self> {
        // SAFETY: The function takes any number.
        let parent = unsafe { kernel::bindings::get_cpu_device(cpu.as_u32()) };
        if parent.is_null() {
            return Err(ENODEV);
        }
        // SAFETY: The CPU's device stays while it has a policy. The name, the handler and the static
        // operations live until `drop` has removed the device.
        let device = from_err_ptr(unsafe {
            bindings::platform_profile_register(
                parent,
                name.as_char_ptr(),
                (&raw const *handler).cast_mut().cast(),
                &Operations::<T>::TABLE,
            )
        })?;
        Ok(Self {
            device,
            _name: name,
            _handler: handler,
        })
    }
}

impl<T: Handler> Drop for Registration<T> {
    fn drop(&mut self) {
        // SAFETY: `new` registered it. When this returns, none of the operations runs.
        unsafe { bindings::platform_profile_remove(self.device) };
    }
}

struct Operations<T>(PhantomData<T>);

impl<T: Handler> Operations<T> {
    const TABLE: bindings::platform_profile_ops = bindings::platform_profile_ops {
        probe: Some(Self::probe),
        hidden_choices: None,
        profile_get: Some(Self::profile_get),
        profile_set: Some(Self::profile_set),
    };

    /// # Safety
    ///
    /// To be called by the platform profile core only.
    unsafe extern "C" fn probe(_handler: *mut c_void, choices: *mut c_ulong) -> c_int {
        for profile in Profile::ALL {
            // SAFETY: The core passes a bitmap with a bit for each profile; they all fit a word.
            unsafe { *choices |= 1 << profile.into_raw() };
        }
        0
    }

    /// # Safety
    ///
    /// `device` must be the one of a registration of `T`.
    unsafe fn handler<'a>(device: *mut kernel::bindings::device) -> &'a T {
        // SAFETY: The core stored the pointer that `Registration::new` passed, and the handler lives
        // until the device is gone.
        unsafe { &*(*device).driver_data.cast::<T>() }
    }

    /// # Safety
    ///
    /// To be called by the platform profile core only, for a device of `T`.
    unsafe extern "C" fn profile_get(
        device: *mut kernel::bindings::device,
        profile: *mut bindings::platform_profile_option,
    ) -> c_int {
        // SAFETY: As this function asks.
        let handler = unsafe { Self::handler(device) };
        // SAFETY: The core passes a place for the answer.
        unsafe { profile.write(handler.profile().into_raw()) };
        0
    }

    /// # Safety
    ///
    /// To be called by the platform profile core only, for a device of `T`.
    unsafe extern "C" fn profile_set(
        device: *mut kernel::bindings::device,
        profile: bindings::platform_profile_option,
    ) -> c_int {
        // SAFETY: As this function asks.
        let handler = unsafe { Self::handler(device) };
        from_result(|| {
            handler.set_profile(Profile::from_raw(profile).ok_or(EOPNOTSUPP)?)?;
            Ok(0)
        })
    }
}
