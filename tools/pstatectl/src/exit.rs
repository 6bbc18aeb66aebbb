// SPDX-License-Identifier: GPL-2.0
//! Exit codes: one meaning each, stable for scripts.

use std::process::ExitCode;

/// How a run of `pstatectl` ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Everything that was asked for was done.
    Ok,
    /// The answer could not be written, or the system failed in a way that has no code of its own.
    Failure,
    /// The command line is wrong; nothing was done.
    Usage,
    /// This user may not do that.
    NoPermission,
    /// No cpufreq driver is in charge of the CPUs asked for.
    NoDriver,
    /// The CPUs asked for are offline or do not exist.
    CpuOffline,
    /// A part of what was asked for is missing; the rest is there.
    Partial,
    /// The driver in charge does not offer what was asked for.
    NotAvailable,
    /// A file of the kernel holds something that it must not.
    Malformed,
    /// The kernel refused a setting. No command that only reads ends so.
    KernelRefused,
}

impl Exit {
    /// Every code with its number and meaning, for the help text.
    pub const TABLE: [(Self, u8, &'static str); 10] = [
        (Self::Ok, 0, "all that was asked for was done"),
        (
            Self::Failure,
            1,
            "output could not be written, or a file could not be read for another reason",
        ),
        (Self::Usage, 2, "wrong command line, nothing was done"),
        (Self::NoPermission, 3, "no permission"),
        (Self::NoDriver, 4, "no cpufreq driver on these CPUs"),
        (Self::CpuOffline, 5, "the CPU is offline or does not exist"),
        (Self::Partial, 6, "a part is missing, the rest was done"),
        (Self::NotAvailable, 7, "this driver does not offer it"),
        (
            Self::Malformed,
            8,
            "a file of the kernel holds what it must not",
        ),
        (Self::KernelRefused, 9, "the kernel refused the setting"),
    ];

    /// The number that the shell sees.
    pub fn code(self) -> u8 {
        Self::TABLE
            .iter()
            .find(|(exit, _, _)| *exit == self)
            .map_or(1, |(_, code, _)| *code)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        exit.code().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_code_has_one_meaning() {
        let codes: BTreeSet<_> = Exit::TABLE.iter().map(|(_, code, _)| code).collect();
        assert_eq!(codes.len(), Exit::TABLE.len());
    }

    #[test]
    fn scripts_may_rely_on_these_numbers() {
        assert_eq!(Exit::Ok.code(), 0);
        assert_eq!(Exit::Usage.code(), 2);
        assert_eq!(Exit::NoPermission.code(), 3);
        assert_eq!(Exit::NoDriver.code(), 4);
        assert_eq!(Exit::CpuOffline.code(), 5);
        assert_eq!(Exit::Partial.code(), 6);
        assert_eq!(Exit::NotAvailable.code(), 7);
        assert_eq!(Exit::Malformed.code(), 8);
        assert_eq!(Exit::KernelRefused.code(), 9);
    }
}
