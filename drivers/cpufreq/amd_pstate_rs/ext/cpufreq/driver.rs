// SPDX-License-Identifier: GPL-2.0

//! A cpufreq driver and its registration with the core.

use core::{
    cell::UnsafeCell,
    marker::PhantomData, //
};

use kernel::{
    bindings,
    error::{
        from_result,
        to_result,
        VTABLE_DEFAULT_ERROR, //
    },
    prelude::*,
    sync::{
        Arc,
        ArcBorrow, //
    },
};

use super::policy::PolicyRef;
use super::{FreqAttr, Policy, Verify};

/// What the cpufreq core asks of a driver.
///
/// The core calls [`Driver::init`] first and [`Driver::exit`] last for each policy; everything
/// between gets the data that `init` made. But for `fast_switch` and `adjust_perf`, all callbacks
/// may sleep. `set_boost` and `update_limits` may run beside others.
///
/// A driver has either `target`, and with it `fast_switch` and `adjust_perf`, or `set_policy`.
#[vtable]
pub(crate) trait Driver: Sized + 'static {
    /// The driver's name, at most 15 bytes: `scaling_driver`.
    const NAME: &'static CStr;
    /// Flags of [`kernel::cpufreq::flags`].
    const FLAGS: u16;
    /// What the driver keeps for all policies together.
    type Context: Send + Sync + 'static;
    /// What the driver keeps for each policy.
    type Data: Send + Sync + 'static;

    /// Takes on a new policy.
    fn init(
        policy: Policy<'_>,
        context: ArcBorrow<'_, Self::Context>,
    ) -> Result<Pin<KBox<Self::Data>>>;

    /// Gives up a policy. Its CPU may be offline.
    fn exit(policy: Policy<'_>, data: Pin<KBox<Self::Data>>);

    /// Corrects limits that somebody wants. `data` is missing while the policy is being made.
    fn verify(limits: &mut Verify<'_>, data: Option<&Self::Data>) -> Result;

    /// Takes the CPU to frequency `target` in kHz.
    fn target(_policy: Policy<'_>, _data: &Self::Data, _target: u32) -> Result {
        build_error!(VTABLE_DEFAULT_ERROR)
    }

    /// Takes the CPU that runs this to frequency `target` in kHz and returns the frequency it got.
    ///
    /// Called by the scheduler with a run queue locked: must not sleep, allocate, print or wake.
    fn fast_switch(_policy: Policy<'_>, _data: &Self::Data, _target: u32) -> u32 {
        build_error!(VTABLE_DEFAULT_ERROR)
    }

    /// Takes the CPU that runs this to a share of its performance: `target` of `capacity`, and not
    /// less than `min` of it.
    ///
    /// Called by the scheduler as [`Driver::fast_switch`] is, and under the same rules.
    fn adjust_perf(
        _policy: Policy<'_>,
        _data: &Self::Data,
        _min: usize,
        _target: usize,
        _capacity: usize,
    ) {
        build_error!(VTABLE_DEFAULT_ERROR)
    }

    /// Puts the policy's limits and its [`Strategy`](super::Strategy) in force.
    fn set_policy(_policy: Policy<'_>, _data: &Self::Data) -> Result {
        build_error!(VTABLE_DEFAULT_ERROR)
    }

    /// The policy's CPU is back online.
    fn online(policy: Policy<'_>, data: &Self::Data) -> Result;

    /// The policy's CPU is going offline.
    fn offline(policy: Policy<'_>, data: &Self::Data) -> Result;

    /// The system is going to sleep.
    fn suspend(policy: Policy<'_>, data: &Self::Data) -> Result;

    /// The system is awake again.
    fn resume(policy: Policy<'_>, data: &Self::Data) -> Result;

    /// Allows or forbids boost.
    fn set_boost(policy: Policy<'_>, data: &Self::Data, on: bool) -> Result;

    /// Firmware says that the CPU's capabilities changed.
    fn update_limits(policy: Policy<'_>, data: &Self::Data);
}

/// The data of a policy of driver `D`.
///
/// # Safety
///
/// Only for a policy of `D` for which `init` succeeded and `exit` has not begun.
#[inline(always)]
pub(super) unsafe fn data<'a, D: Driver>(policy: Policy<'a>) -> &'a D::Data {
    // SAFETY: By this function's contract, `init_callback` stored a box of this type, which lives
    // until `exit_callback`, so for as long as the callback that the policy was passed to.
    unsafe { &*policy.driver_data::<D::Data>() }
}

/// The switch for boost that the core offers with a driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoostSwitch {
    /// There is none: no CPU can boost.
    Absent,
    On,
    Off,
}

/// A driver that the core knows; dropping it unregisters the driver and so ends every policy.
pub(crate) struct Registration<D: Driver> {
    driver: KBox<UnsafeCell<bindings::cpufreq_driver>>,
    /// The core reads this list, and what it points to, for every new policy.
    _list: KVec<*mut bindings::freq_attr>,
    _attributes: KVec<FreqAttr>,
    /// What `driver_data` of the driver points to.
    _context: Arc<D::Context>,
    _driver: PhantomData<D>,
}

// SAFETY: The raw pointers are the core's to follow, and it has locks for that.
unsafe impl<D: Driver> Send for Registration<D> {}
// SAFETY: A shared registration offers nothing but a read of one word.
unsafe impl<D: Driver> Sync for Registration<D> {}

impl<D: Driver> Registration<D> {
    /// Registers the driver: the core calls [`Driver::init`] for every CPU before this returns.
    ///
    /// Each policy gets the files `attributes`. Fails with `EEXIST` if a driver is registered
    /// already, and with `ENODEV` if no policy could be made.
    pub(crate) fn new(
        context: Arc<D::Context>,
        attributes: KVec<FreqAttr>,
        boost: BoostSwitch,
    ) -> Result<Self> {
        let mut list = KVec::with_capacity(attributes.len() + 1, GFP_KERNEL)?;
        for attribute in &attributes {
            list.push(attribute.as_ptr(), GFP_KERNEL)?;
        }
        list.push(core::ptr::null_mut(), GFP_KERNEL)?;

        let driver = KBox::new(
            UnsafeCell::new(bindings::cpufreq_driver {
                attr: list.as_mut_ptr(),
                driver_data: Arc::as_ptr(&context).cast_mut().cast(),
                boost_enabled: boost == BoostSwitch::On,
                set_boost: match boost {
                    BoostSwitch::Absent => None,
                    BoostSwitch::On | BoostSwitch::Off => Some(Self::set_boost_callback),
                },
                ..Self::VTABLE
            }),
            GFP_KERNEL,
        )?;
        // SAFETY: The driver, its list, the attributes and the context are on the heap and stay
        // there until `drop`, which unregisters first. All callbacks belong to `D`.
        to_result(unsafe { bindings::cpufreq_register_driver(driver.get()) })?;

        Ok(Self {
            driver,
            _list: list,
            _attributes: attributes,
            _context: context,
            _driver: PhantomData,
        })
    }

    /// Where users put the switch for boost of all CPUs together.
    pub(crate) fn boost(&self) -> BoostSwitch {
        // SAFETY: The driver is live; a volatile read, since the core may write meanwhile.
        let on = unsafe { (&raw const (*self.driver.get()).boost_enabled).read_volatile() };
        // SAFETY: The driver is live and this field constant.
        let present = unsafe { (*self.driver.get()).set_boost.is_some() };
        match (present, on) {
            (false, _) => BoostSwitch::Absent,
            (true, true) => BoostSwitch::On,
            (true, false) => BoostSwitch::Off,
        }
    }

    const VTABLE: bindings::cpufreq_driver = bindings::cpufreq_driver {
        name: Self::name(),
        flags: D::FLAGS,
        init: Some(Self::init_callback),
        exit: Some(Self::exit_callback),
        verify: Some(Self::verify_callback),
        target: if D::HAS_TARGET {
            Some(Self::target_callback)
        } else {
            None
        },
        fast_switch: if D::HAS_FAST_SWITCH {
            Some(Self::fast_switch_callback)
        } else {
            None
        },
        adjust_perf: if D::HAS_ADJUST_PERF {
            Some(Self::adjust_perf_callback)
        } else {
            None
        },
        setpolicy: if D::HAS_SET_POLICY {
            Some(Self::set_policy_callback)
        } else {
            None
        },
        online: Some(Self::online_callback),
        offline: Some(Self::offline_callback),
        suspend: Some(Self::suspend_callback),
        resume: Some(Self::resume_callback),
        update_limits: Some(Self::update_limits_callback),
        ..pin_init::zeroed()
    };

    const fn name() -> [c_char; bindings::CPUFREQ_NAME_LEN as usize] {
        let mut name = [0; bindings::CPUFREQ_NAME_LEN as usize];
        let bytes = D::NAME.to_bytes();
        const_assert!(D::NAME.to_bytes().len() < bindings::CPUFREQ_NAME_LEN as usize);

        // `for` is not allowed in a constant.
        let mut i = 0;
        while i < bytes.len() {
            name[i] = bytes[i] as c_char;
            i += 1;
        }
        name
    }
}

impl<D: Driver> Drop for Registration<D> {
    fn drop(&mut self) {
        // SAFETY: `new` registered it. When this returns, no callback runs and none will.
        unsafe { bindings::cpufreq_unregister_driver(self.driver.get()) };
    }
}

/// The callbacks in C's form.
///
/// # Safety
///
/// All of them are called by the cpufreq core alone, with a policy that is live for the call; those
/// that look for driver data, between a successful `init_callback` and `exit_callback`.
impl<D: Driver> Registration<D> {
    /// # Safety
    ///
    /// See the `impl` block.
    unsafe extern "C" fn init_callback(policy: *mut bindings::cpufreq_policy) -> c_int {
        // SAFETY: See the `impl` block.
        let policy = unsafe { Policy::from_raw(policy) };
        // SAFETY: No requirements. The driver registered is this one, since it is called.
        let context = unsafe { bindings::cpufreq_get_driver_data() };
        // SAFETY: `new` stored the pointer of an `Arc` that the registration keeps.
        let context = unsafe { ArcBorrow::from_raw(context.cast::<D::Context>().cast_const()) };
        from_result(|| {
            let data = D::init(policy, context)?;
            // SAFETY: The box stays where it is: `exit_callback` takes it back as pinned.
            policy.set_driver_data(KBox::into_raw(unsafe { Pin::into_inner_unchecked(data) }));
            Ok(0)
        })
    }

    /// # Safety
    ///
    /// See the `impl` block.
    unsafe extern "C" fn exit_callback(policy: *mut bindings::cpufreq_policy) {
        // SAFETY: See the `impl` block.
        let policy = unsafe { Policy::from_raw(policy) };
        let data = policy.driver_data::<D::Data>();
        policy.set_driver_data::<D::Data>(core::ptr::null_mut());
        // SAFETY: `init_callback` stored this box, and nobody else takes it.
        let data = Pin::from(unsafe { KBox::from_raw(data) });
        D::exit(policy, data);
    }

    /// # Safety
    ///
    /// See the `impl` block.
    unsafe extern "C" fn verify_callback(limits: *mut bindings::cpufreq_policy_data) -> c_int {
        // SAFETY: The core passes limits on its own stack that nobody else sees.
        let mut limits = Verify::new(unsafe { &mut *limits });
        let policy = PolicyRef::of(limits.cpu());
        let data = policy.as_ref().and_then(|policy| {
            // SAFETY: The policy is one of this driver's, since it is the driver registered. Its
            // data is either null or what `init_callback` stored, and the core does not call
            // `exit_callback` while it is in `verify`.
            unsafe { policy.policy().driver_data::<D::Data>().as_ref() }
        });
        from_result(|| {
            D::verify(&mut limits, data)?;
            if let Some(policy) = &policy {
                limits.announce(policy.policy());
            }
            Ok(0)
        })
    }

    /// # Safety
    ///
    /// See the `impl` block.
    unsafe extern "C" fn target_callback(
        policy: *mut bindings::cpufreq_policy,
        target: c_uint,
        _relation: c_uint,
    ) -> c_int {
        // SAFETY: See the `impl` block.
        let (policy, data) = unsafe { Self::parts(policy) };
        from_result(|| D::target(policy, data, target).map(|()| 0))
    }

    /// # Safety
    ///
    /// See the `impl` block.
    unsafe extern "C" fn fast_switch_callback(
        policy: *mut bindings::cpufreq_policy,
        target: c_uint,
    ) -> c_uint {
        // SAFETY: See the `impl` block.
        let (policy, data) = unsafe { Self::parts(policy) };
        D::fast_switch(policy, data, target)
    }

    /// # Safety
    ///
    /// See the `impl` block.
    unsafe extern "C" fn adjust_perf_callback(
        policy: *mut bindings::cpufreq_policy,
        min: c_ulong,
        target: c_ulong,
        _max: c_ulong,
        capacity: c_ulong,
    ) {
        // SAFETY: See the `impl` block.
        let (policy, data) = unsafe { Self::parts(policy) };
        D::adjust_perf(policy, data, min, target, capacity);
    }

    /// # Safety
    ///
    /// See the `impl` block.
    unsafe extern "C" fn set_policy_callback(policy: *mut bindings::cpufreq_policy) -> c_int {
        // SAFETY: See the `impl` block.
        let (policy, data) = unsafe { Self::parts(policy) };
        from_result(|| D::set_policy(policy, data).map(|()| 0))
    }

    /// # Safety
    ///
    /// See the `impl` block.
    unsafe extern "C" fn online_callback(policy: *mut bindings::cpufreq_policy) -> c_int {
        // SAFETY: See the `impl` block.
        let (policy, data) = unsafe { Self::parts(policy) };
        from_result(|| D::online(policy, data).map(|()| 0))
    }

    /// # Safety
    ///
    /// See the `impl` block.
    unsafe extern "C" fn offline_callback(policy: *mut bindings::cpufreq_policy) -> c_int {
        // SAFETY: See the `impl` block.
        let (policy, data) = unsafe { Self::parts(policy) };
        from_result(|| D::offline(policy, data).map(|()| 0))
    }

    /// # Safety
    ///
    /// See the `impl` block.
    unsafe extern "C" fn suspend_callback(policy: *mut bindings::cpufreq_policy) -> c_int {
        // SAFETY: See the `impl` block.
        let (policy, data) = unsafe { Self::parts(policy) };
        from_result(|| D::suspend(policy, data).map(|()| 0))
    }

    /// # Safety
    ///
    /// See the `impl` block.
    unsafe extern "C" fn resume_callback(policy: *mut bindings::cpufreq_policy) -> c_int {
        // SAFETY: See the `impl` block.
        let (policy, data) = unsafe { Self::parts(policy) };
        from_result(|| D::resume(policy, data).map(|()| 0))
    }

    /// # Safety
    ///
    /// See the `impl` block.
    unsafe extern "C" fn set_boost_callback(
        policy: *mut bindings::cpufreq_policy,
        state: c_int,
    ) -> c_int {
        // SAFETY: See the `impl` block.
        let policy = unsafe { Policy::from_raw(policy) };
        // The core switches boost for all CPUs without holding their policies, so that this one may
        // have ended meanwhile.
        // SAFETY: The data is either null or what `init_callback` stored.
        let data = unsafe { policy.driver_data::<D::Data>().as_ref() };
        from_result(|| D::set_boost(policy, data.ok_or(ENODEV)?, state != 0).map(|()| 0))
    }

    /// # Safety
    ///
    /// See the `impl` block.
    unsafe extern "C" fn update_limits_callback(policy: *mut bindings::cpufreq_policy) {
        // SAFETY: See the `impl` block.
        let policy = unsafe { Policy::from_raw(policy) };
        // The core calls this for a notice from firmware with no more than a reference to the
        // policy. While it is held for reading, its data stays.
        let _held = policy.read();
        // SAFETY: The data is either null or what `init_callback` stored.
        if let Some(data) = unsafe { policy.driver_data::<D::Data>().as_ref() } {
            D::update_limits(policy, data);
        }
    }

    /// A policy and its data.
    ///
    /// # Safety
    ///
    /// See the `impl` block.
    #[inline(always)]
    unsafe fn parts<'a>(policy: *mut bindings::cpufreq_policy) -> (Policy<'a>, &'a D::Data) {
        // SAFETY: The policy is live for the call, and no longer is it used.
        let policy = unsafe { Policy::from_raw(policy) };
        // SAFETY: The core calls between `init` and `exit`.
        let data = unsafe { data::<D>(policy) };
        (policy, data)
    }
}
