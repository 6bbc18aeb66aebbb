// SPDX-License-Identifier: GPL-2.0
//! The directory with the global files of amd-pstate.

/// Where the driver in charge keeps `status` and `prefcore`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusDir {
    /// `amd_pstate/`: the driver built into the kernel, or the module where that is not built in.
    AmdPstate,
    /// `amd_pstate_rs/`: the module beside a built-in driver, which keeps the other name even when it is switched off.
    AmdPstateRs,
}

impl StatusDir {
    /// Both, in the order in which they are looked at.
    pub const ALL: [Self; 2] = [Self::AmdPstate, Self::AmdPstateRs];

    /// Name below `/sys/devices/system/cpu/`.
    pub fn name(self) -> &'static str {
        match self {
            Self::AmdPstate => "amd_pstate",
            Self::AmdPstateRs => "amd_pstate_rs",
        }
    }

    /// Path of `status` below the root.
    pub(crate) fn status(self) -> String {
        format!("sys/devices/system/cpu/{}/status", self.name())
    }

    /// Path of `prefcore` below the root.
    pub(crate) fn prefcore(self) -> String {
        format!("sys/devices/system/cpu/{}/prefcore", self.name())
    }
}
