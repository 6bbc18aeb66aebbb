// SPDX-License-Identifier: GPL-2.0
//! The ACPI tables that firmware would have for a described machine.
//!
//! [`ssdt`] makes one table that adds to each CPU of the emulator's own
//! namespace the objects that a frequency driver reads: `_CPC` for amd-pstate,
//! `_PSS`, `_PCT` and `_PPC` for acpi-cpufreq. They point at the same registers
//! that the model answers for and hold the same numbers, since both come from
//! one [`cppc_model::Platform`].

#![forbid(unsafe_code)]

mod aml;
mod cpc;
mod pstates;
mod ssdt;
mod table;

pub use ssdt::ssdt;
