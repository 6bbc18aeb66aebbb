// SPDX-License-Identifier: GPL-2.0

//! The driver's files that need no kernel.
//!
//! Nothing is added to them here: the same files are a part of the module, and their tests, at the
//! foot of each, run with `cargo test`.

// What the driver uses and a library without users does not.
#![allow(dead_code)]
// Tables of cases name their types in full.
#![cfg_attr(test, allow(clippy::type_complexity))]

#[path = "../../../drivers/cpufreq/amd_pstate_rs/capabilities.rs"]
mod capabilities;
#[path = "../../../drivers/cpufreq/amd_pstate_rs/epp.rs"]
mod epp;
#[path = "../../../drivers/cpufreq/amd_pstate_rs/limits.rs"]
mod limits;
#[path = "../../../drivers/cpufreq/amd_pstate_rs/mode.rs"]
mod mode;
#[path = "../../../drivers/cpufreq/amd_pstate_rs/perf.rs"]
mod perf;
#[path = "../../../drivers/cpufreq/amd_pstate_rs/reciprocal.rs"]
mod reciprocal;
#[path = "../../../drivers/cpufreq/amd_pstate_rs/text.rs"]
mod text;
