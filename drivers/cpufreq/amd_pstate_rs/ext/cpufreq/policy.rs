// SPDX-License-Identifier: GPL-2.0

//! A cpufreq policy: the frequency limits of one CPU and who keeps to them.

use core::{
    marker::PhantomData,
    ptr::NonNull, //
};

use kernel::{
    bindings,
    cpu::CpuId,
    prelude::*, //
};

/// A policy, in a callback that the core made for it.
///
/// All accesses are volatile: the core and the sysfs files of other CPUs may write a field at any
/// time. Each field is read in one piece, so that a reader gets an old or a new value.
///
/// # Invariants
///
/// `raw` points to a policy that lives for `'a`.
#[derive(Clone, Copy)]
pub(crate) struct Policy<'a> {
    raw: NonNull<bindings::cpufreq_policy>,
    _lifetime: PhantomData<&'a ()>,
}

macro_rules! getters {
    ($($(#[$attr:meta])* $get:ident: $type:ty = $($field:ident).+;)*) => {$(
        $(#[$attr])*
        #[inline(always)]
        pub(crate) fn $get(self) -> $type {
            // SAFETY: The policy is live by the type's invariant; the read is volatile because
            // others may write the field meanwhile.
            unsafe { (&raw const (*self.raw.as_ptr()).$($field).+).read_volatile() }
        }
    )*}
}

macro_rules! setters {
    ($($(#[$attr:meta])* $set:ident: $type:ty = $($field:ident).+;)*) => {$(
        $(#[$attr])*
        #[inline(always)]
        pub(crate) fn $set(self, value: $type) {
            // SAFETY: The policy is live by the type's invariant, and the core leaves this field to
            // the driver in the callbacks that it passes a policy to.
            unsafe { (&raw mut (*self.raw.as_ptr()).$($field).+).write_volatile(value) }
        }
    )*}
}

impl<'a> Policy<'a> {
    /// # Safety
    ///
    /// `raw` must point to a policy that lives for `'a`.
    #[inline(always)]
    pub(super) unsafe fn from_raw(raw: *mut bindings::cpufreq_policy) -> Self {
        Self {
            // INVARIANT: By this function's contract.
            // SAFETY: A live policy is not at address 0.
            raw: unsafe { NonNull::new_unchecked(raw) },
            _lifetime: PhantomData,
        }
    }

    pub(super) fn as_raw(self) -> *mut bindings::cpufreq_policy {
        self.raw.as_ptr()
    }

    getters! {
        /// The lower limit, in kHz.
        min: u32 = min;
        /// The upper limit, in kHz.
        max: u32 = max;
        /// What the core believes to be the current frequency, in kHz.
        cur: u32 = cur;
        /// The lowest frequency that the CPU has, in kHz.
        cpuinfo_min: u32 = cpuinfo.min_freq;
        /// The minimum that users asked for, in kHz; 0 if none did.
        user_min: i32 = min_freq_req.pnode.prio;
        /// The maximum that users asked for, in kHz; the largest number if none did.
        user_max: i32 = max_freq_req.pnode.prio;
    }

    setters! {
        /// In [`Driver::init`](super::Driver::init): the minimum that users are taken to ask for.
        set_user_min: u32 = min;
        /// In [`Driver::init`](super::Driver::init): the maximum that users are taken to ask for.
        set_user_max: u32 = max;
        /// Sets whether boost is on.
        set_boost_enabled: bool = boost_enabled;
        /// Sets the current frequency, in kHz.
        set_cur: u32 = cur;
        /// Sets the lowest frequency that the CPU has, in kHz.
        set_cpuinfo_min: u32 = cpuinfo.min_freq;
        /// Sets the highest frequency that the CPU has for now, in kHz: the nominal one while boost
        /// is off.
        set_cpuinfo_max: u32 = cpuinfo.max_freq;
        /// Sets how long a change of frequency takes, in ns.
        set_transition_latency: u32 = cpuinfo.transition_latency;
        /// Sets how long governors leave between two changes, in µs.
        set_transition_delay_us: u32 = transition_delay_us;
        /// Sets whether the scheduler may change the frequency directly.
        set_fast_switch_possible: bool = fast_switch_possible;
        /// Has the core pass on the next choice of the governor even if it is the one before.
        set_update_limits: bool = update_limits;
        /// Sets whether the core offers a switch for boost.
        set_boost_supported: bool = boost_supported;
    }

    /// The CPU that the policy is of. A policy of this kind of driver has just one.
    pub(crate) fn cpu(self) -> Result<CpuId> {
        // SAFETY: As in `getters!`; the core changes `cpu` only while the policy has several.
        let cpu = unsafe { (&raw const (*self.raw.as_ptr()).cpu).read_volatile() };
        CpuId::from_u32(cpu).ok_or(ENODEV)
    }

    /// Whether the policy was ready for users: whether it has their limits.
    pub(crate) fn was_ready(self) -> bool {
        // SAFETY: As in `getters!`.
        !unsafe { (&raw const (*self.raw.as_ptr()).max_freq_req.qos).read_volatile() }.is_null()
    }

    /// Keeps the policy from being made, ended and set anew. May sleep.
    pub(super) fn read(self) -> ReadGuard<'a> {
        // SAFETY: The policy is live; the lock is released by the guard.
        unsafe { bindings::down_read(&raw mut (*self.raw.as_ptr()).rwsem) };
        ReadGuard(self)
    }

    /// What to aim for between the limits; `None` if the core knows no such strategy.
    pub(crate) fn strategy(self) -> Option<Strategy> {
        // SAFETY: As in `getters!`.
        Strategy::from_raw(unsafe { (&raw const (*self.raw.as_ptr()).policy).read_volatile() })
    }

    /// In [`Driver::init`](super::Driver::init): the strategy to start with, if the user's default
    /// governor is none.
    pub(crate) fn set_strategy(self, strategy: Strategy) {
        // SAFETY: As in `setters!`.
        unsafe { (&raw mut (*self.raw.as_ptr()).policy).write_volatile(strategy.into_raw()) }
    }

    /// The strategy that the policy had when its CPU went, if it had one.
    pub(crate) fn last_strategy(self) -> Option<Strategy> {
        // SAFETY: As in `getters!`.
        Strategy::from_raw(unsafe { (&raw const (*self.raw.as_ptr()).last_policy).read_volatile() })
    }

    /// In [`Driver::init`](super::Driver::init): the strategy to come back to.
    pub(crate) fn set_last_strategy(self, strategy: Strategy) {
        // SAFETY: As in `setters!`.
        unsafe { (&raw mut (*self.raw.as_ptr()).last_policy).write_volatile(strategy.into_raw()) }
    }

    /// The governor that the policy had when its CPU went, if it had one.
    pub(crate) fn last_governor(self) -> Option<GovernorName> {
        // SAFETY: As in `getters!`. Whoever unregisters a governor may clear the first byte of the
        // name meanwhile; either way it is a name.
        let name = unsafe { (&raw const (*self.raw.as_ptr()).last_governor).read_volatile() };
        (name[0] != 0).then_some(GovernorName(name))
    }

    /// In [`Driver::init`](super::Driver::init): the governor to come back to.
    pub(crate) fn set_last_governor(self, governor: GovernorName) {
        // SAFETY: As for the read.
        unsafe { (&raw mut (*self.raw.as_ptr()).last_governor).write_volatile(governor.0) }
    }

    /// Whether the governor changes its choice all the time, with the load.
    #[inline(always)]
    pub(crate) fn governor_is_dynamic(self) -> bool {
        // SAFETY: The policy is live; a driver that has `target` is called with a governor set.
        let governor = unsafe { (&raw const (*self.raw.as_ptr()).governor).read_volatile() };
        if governor.is_null() {
            return false;
        }
        // SAFETY: A governor outlives the policies that use it.
        unsafe { (*governor).flags & GOV_DYNAMIC_SWITCHING != 0 }
    }

    /// Wakes whoever polls the policy's file `name`. May sleep.
    pub(crate) fn notify(self, name: &CStr) {
        // SAFETY: The policy is live and so is its folder; the name ends with NUL.
        unsafe {
            bindings::sysfs_notify(
                &raw mut (*self.raw.as_ptr()).kobj,
                core::ptr::null(),
                name.as_char_ptr(),
            )
        };
    }

    /// The data that the driver keeps with the policy, null if it keeps none.
    #[inline(always)]
    pub(super) fn driver_data<T>(self) -> *mut T {
        // SAFETY: As in `getters!`.
        unsafe { (&raw const (*self.raw.as_ptr()).driver_data).read_volatile() }.cast()
    }

    pub(super) fn set_driver_data<T>(self, data: *mut T) {
        // SAFETY: As in `setters!`.
        unsafe { (&raw mut (*self.raw.as_ptr()).driver_data).write_volatile(data.cast()) }
    }

    /// Has the core work out the limits again, in [`Driver::set_boost`](super::Driver::set_boost):
    /// the core calls that with the policy held for writing where a user switches boost for one
    /// CPU, and with CPU hotplug held back where it is for all.
    pub(crate) fn refresh_limits(self) {
        // SAFETY: The policy is live. The core itself calls this function without more than that.
        unsafe { bindings::refresh_frequency_limits(self.as_raw()) };
    }

    /// Runs `change`, which takes the CPU to frequency `new`, between the two notices that the core
    /// wants of a change. Sleeps while another change of the policy is going on.
    pub(crate) fn transition(self, new: u32, change: impl FnOnce() -> Result) -> Result {
        let mut freqs = bindings::cpufreq_freqs {
            old: self.cur(),
            new,
            ..Default::default()
        };
        // SAFETY: The policy is live, and `freqs` for as long as the transition.
        unsafe { bindings::cpufreq_freq_transition_begin(self.as_raw(), &mut freqs) };
        let result = change();
        // SAFETY: As above; it ends what was begun.
        unsafe {
            bindings::cpufreq_freq_transition_end(
                self.as_raw(),
                &mut freqs,
                c_int::from(result.is_err()),
            )
        };
        result
    }
}

/// A policy held for reading.
pub(super) struct ReadGuard<'a>(Policy<'a>);

impl Drop for ReadGuard<'_> {
    fn drop(&mut self) {
        // SAFETY: The policy is live, and `Policy::read` took the lock.
        unsafe { bindings::up_read(&raw mut (*self.0.raw.as_ptr()).rwsem) };
    }
}

/// `CPUFREQ_GOV_DYNAMIC_SWITCHING`, which is a macro that bindgen cannot see.
const GOV_DYNAMIC_SWITCHING: u8 = 1 << 0;

/// What a driver without governors aims for, between the limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strategy {
    /// `powersave`: what the driver thinks best.
    Powersave,
    /// `performance`: speed above all.
    Performance,
}

impl Strategy {
    fn from_raw(policy: u32) -> Option<Self> {
        match policy {
            bindings::CPUFREQ_POLICY_POWERSAVE => Some(Self::Powersave),
            bindings::CPUFREQ_POLICY_PERFORMANCE => Some(Self::Performance),
            _ => None,
        }
    }

    fn into_raw(self) -> u32 {
        match self {
            Self::Powersave => bindings::CPUFREQ_POLICY_POWERSAVE,
            Self::Performance => bindings::CPUFREQ_POLICY_PERFORMANCE,
        }
    }
}

/// The name of a governor.
#[derive(Clone, Copy)]
pub(crate) struct GovernorName([c_char; bindings::CPUFREQ_NAME_LEN as usize]);

/// Limits that a user or the core asks for, to be checked before a policy gets them.
pub(crate) struct Verify<'a> {
    limits: &'a mut bindings::cpufreq_policy_data,
}

impl<'a> Verify<'a> {
    pub(super) fn new(limits: &'a mut bindings::cpufreq_policy_data) -> Self {
        Self { limits }
    }

    /// The CPU whose policy the limits are for.
    pub(super) fn cpu(&self) -> u32 {
        self.limits.cpu
    }

    /// Whether nobody asked for a minimum.
    pub(crate) fn is_min_default(&self) -> bool {
        self.limits.min == bindings::FREQ_QOS_MIN_DEFAULT_VALUE
    }

    /// Asks for a minimum, in kHz.
    pub(crate) fn set_min(&mut self, min: u32) {
        self.limits.min = min;
    }

    /// Wakes whoever polls a limit that these change. The core holds the policy for writing while it
    /// puts them in force, so that who is woken reads them and not the ones before. May sleep.
    pub(super) fn announce(&self, policy: Policy<'_>) {
        if self.limits.min != policy.min() {
            policy.notify(c"scaling_min_freq");
        }
        if self.limits.max != policy.max() {
            policy.notify(c"scaling_max_freq");
        }
    }

    /// Moves both limits into what the CPU has, the minimum not above the maximum.
    pub(crate) fn bound_to_cpu(&mut self) {
        let (lowest, highest) = (self.limits.cpuinfo.min_freq, self.limits.cpuinfo.max_freq);

        // As `cpufreq_verify_within_limits()` has it: where the two contradict each other the
        // maximum wins, since it may be there to keep the CPU cool.
        self.limits.max = self.limits.max.max(lowest).min(highest);
        self.limits.min = self.limits.min.max(lowest).min(self.limits.max);
    }
}

/// A counted reference to the policy of a CPU, found by number.
pub(super) struct PolicyRef(NonNull<bindings::cpufreq_policy>);

impl PolicyRef {
    /// The policy of `cpu`, if it has one.
    pub(super) fn of(cpu: u32) -> Option<Self> {
        // SAFETY: The function takes any number.
        NonNull::new(unsafe { bindings::cpufreq_cpu_get(cpu) }).map(Self)
    }

    pub(super) fn policy(&self) -> Policy<'_> {
        // SAFETY: The reference keeps the policy alive for as long as it is borrowed.
        unsafe { Policy::from_raw(self.0.as_ptr()) }
    }
}

impl Drop for PolicyRef {
    fn drop(&mut self) {
        // SAFETY: `of` took the reference.
        unsafe { bindings::cpufreq_cpu_put(self.0.as_ptr()) };
    }
}
