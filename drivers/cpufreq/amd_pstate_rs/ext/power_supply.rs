// SPDX-License-Identifier: GPL-2.0

//! Where the machine's power comes from.
//!
//! C header: [`include/linux/power_supply.h`](srctree/include/linux/power_supply.h)

use kernel::{
    bindings,
    error::to_result,
    prelude::*,
    sync::Arc,
    types::Opaque, //
};

/// Whether the machine runs on mains power; yes where nothing is known. May sleep.
pub(crate) fn is_mains() -> bool {
    // SAFETY: No requirements.
    unsafe { super::bindings::power_supply_is_system_supplied() != 0 }
}

/// Something that wants to know when a power supply changes.
pub(crate) trait Listener: Send + Sync + 'static {
    /// A power supply changed in some way. May sleep.
    fn power_changed(&self);
}

/// A listener that is told, until this is dropped.
#[pin_data(PinnedDrop)]
#[repr(C)]
pub(crate) struct Subscription<T: Listener> {
    #[pin]
    block: Opaque<bindings::notifier_block>,
    listener: Arc<T>,
}

// SAFETY: The chain that the block is on has a lock of its own.
unsafe impl<T: Listener> Send for Subscription<T> {}
// SAFETY: As above.
unsafe impl<T: Listener> Sync for Subscription<T> {}

impl<T: Listener> Subscription<T> {
    /// Has `listener` told. May sleep. The caller may hold no lock that the listener takes.
    pub(crate) fn new(listener: Arc<T>) -> impl PinInit<Self, Error> {
        try_pin_init!(Self {
            listener,
            block <- Opaque::try_ffi_init(|slot: *mut bindings::notifier_block| {
                // SAFETY: The slot is pinned memory. The listener, which the block's address leads
                // to, is in place before this runs.
                unsafe {
                    slot.write(bindings::notifier_block {
                        notifier_call: Some(Self::notify),
                        ..Default::default()
                    });
                    to_result(super::bindings::power_supply_reg_notifier(slot))
                }
            }),
        })
    }

    /// # Safety
    ///
    /// To be called by the notifier chain only, with the block of a `Subscription<T>`.
    unsafe extern "C" fn notify(
        block: *mut bindings::notifier_block,
        _event: c_ulong,
        _supply: *mut c_void,
    ) -> c_int {
        // SAFETY: The block is the first field of a subscription, which takes it off the chain
        // before it goes.
        let subscription = unsafe { &*block.cast::<Self>() };
        subscription.listener.power_changed();
        bindings::NOTIFY_OK as c_int
    }
}

#[pinned_drop]
impl<T: Listener> PinnedDrop for Subscription<T> {
    fn drop(self: Pin<&mut Self>) {
        // SAFETY: `new` put the block on the chain. When this returns, `notify` does not run.
        unsafe { super::bindings::power_supply_unreg_notifier(self.block.get()) };
    }
}
