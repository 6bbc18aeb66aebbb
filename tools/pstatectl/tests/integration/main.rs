// SPDX-License-Identifier: GPL-2.0
//! Tests of the program as users run it, on trees that stand for machines.
//!
//! The modules are marked as tests because the lints allow `unwrap` and indexing in tests only.

#[cfg(test)]
mod cpupower;
#[cfg(test)]
mod differences;
#[cfg(test)]
mod exit_codes;
#[cfg(test)]
mod frequency_info;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod info;
#[cfg(test)]
mod json;
#[cfg(test)]
mod program;
#[cfg(test)]
mod side_by_side;
#[cfg(test)]
mod tree;
