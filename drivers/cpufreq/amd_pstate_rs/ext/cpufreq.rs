// SPDX-License-Identifier: GPL-2.0

//! The cpufreq core, as far as [`kernel::cpufreq`] of 7.3 does not reach.
//!
//! What is missing there: attributes of a driver's own, transition notices, and a view of a policy
//! that may be shared. The fast path runs while other CPUs read and write the same policy, so the
//! exclusive `&mut Policy` of [`kernel::cpufreq`] would be a false promise.
//!
//! C header: [`include/linux/cpufreq.h`](srctree/include/linux/cpufreq.h)

mod attribute;
mod driver;
mod policy;

pub(crate) use attribute::{Attribute, FreqAttr, WritableAttribute};
pub(crate) use driver::{BoostSwitch, Driver, Registration};
pub(crate) use policy::{GovernorName, Policy, Strategy, Verify};

use core::fmt;

use kernel::{
    bindings,
    prelude::*, //
};

/// Whether boost is on for all CPUs together, by the switch of the driver that `policy` is of.
pub(crate) fn boost_is_on(_policy: Policy<'_>) -> bool {
    // SAFETY: The core has a driver, as there is a policy.
    unsafe { bindings::cpufreq_boost_enabled() }
}

/// The name of a driver that is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BoundDriver {
    name: [u8; bindings::CPUFREQ_NAME_LEN as usize],
}

impl BoundDriver {
    /// The driver that the cpufreq core has now, if it has one.
    pub(crate) fn current() -> Option<Self> {
        let mut bound = Self {
            name: [0; bindings::CPUFREQ_NAME_LEN as usize],
        };
        // The reference to a policy holds its driver back: unregistering waits for the last one.
        let policy = (0..kernel::cpu::nr_cpu_ids()).find_map(policy::PolicyRef::of);

        // SAFETY: No requirements.
        let name = unsafe { bindings::cpufreq_get_current_driver() };
        if name.is_null() {
            return None;
        }
        if policy.is_some() {
            // SAFETY: `name` is the array of that size in the driver's `cpufreq_driver`, which is
            // there for as long as the driver is registered, so while `policy` holds it.
            bound.name = unsafe {
                name.cast::<[u8; bindings::CPUFREQ_NAME_LEN as usize]>()
                    .read()
            };
        }
        Some(bound)
    }
}

impl fmt::Display for BoundDriver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match CStr::from_bytes_until_nul(&self.name).map(CStr::to_str) {
            Ok(Ok(name)) if !name.is_empty() => f.write_str(name),
            _ => f.write_str("another driver"),
        }
    }
}
