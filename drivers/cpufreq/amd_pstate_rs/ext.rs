// SPDX-License-Identifier: GPL-2.0

//! The border to C: kernel services that the `kernel` crate of 7.3 does not offer.
//!
//! All `unsafe` of this driver is here, one service a file, each shaped as it could stand in the
//! `kernel` crate one day. Nothing here knows of performance levels or of AMD's registers.

mod bindings;

pub(crate) mod acpi;
pub(crate) mod cppc;
pub(crate) mod cpufreq;
pub(crate) mod dmi;
#[cfg(CONFIG_DEBUG_LOCK_ALLOC)]
mod lockdep;
pub(crate) mod msr;
pub(crate) mod param;
pub(crate) mod platform_profile;
pub(crate) mod power_supply;
pub(crate) mod processor;
pub(crate) mod sysfs;
pub(crate) mod trace;
pub(crate) mod tsc;
pub(crate) mod volatile;
