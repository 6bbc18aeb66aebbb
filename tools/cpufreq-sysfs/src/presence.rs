// SPDX-License-Identifier: GPL-2.0
//! Whether a CPU is there.

/// State of a CPU number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// The CPU runs.
    Online,
    /// The CPU is there and switched off.
    Offline,
    /// The kernel has no such CPU, or has it no longer.
    Absent,
}
