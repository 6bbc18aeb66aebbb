// SPDX-License-Identifier: GPL-2.0
//! `pstatectl`: shows how Linux drives the frequency of AMD processors.
//!
//! The binary is a thin front of this library, so that tests, completions and manual pages use the same definition of
//! the command line. A command first collects what it shows ([`cpufreq_sysfs`] reads, nothing is printed), then one
//! of the outputs renders it: text for people, or JSON of a documented version for programs. What went wrong is kept
//! beside what was found, so that one bad file costs one value and not the whole answer.
#![forbid(unsafe_code)]

pub mod cli;
pub mod exit;

mod command;
mod context;
mod output;
mod problem;
mod run;

pub use run::run;
