// SPDX-License-Identifier: GPL-2.0
//! The driver under test: the module, or the kernel's own C driver as the reference for it.

use anyhow::{ensure, Context, Result};
use vmtest_proto::LogRecord;

use crate::machine::{Machine, CPUS};

/// The module's name.
pub const MODULE: &str = "amd_pstate_rs";

/// What every line that the module logs begins with.
pub const LOG_PREFIX: &str = "amd_pstate_rs: ";

/// Lines with the module's name that the kernel logs of any module like it.
const OF_ANY_MODULE: [&str; 2] = [
    "loading out-of-tree module taints",
    "module verification failed",
];

/// A driver that scenarios can be run with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Driver {
    /// The module.
    #[default]
    Module,
    /// The kernel's own driver, to see whether a scenario asks for what the reference does.
    Reference,
}

impl Driver {
    /// Kernel arguments with which the reference can be switched on, in the place of those that
    /// switch it off for good.
    #[must_use]
    pub fn kernel_args(self, of_scenario: &str) -> String {
        match self {
            Self::Module => of_scenario.to_owned(),
            Self::Reference => of_scenario.replace("amd_pstate=disable", "amd_pstate=passive"),
        }
    }

    /// Makes this the machine's driver.
    ///
    /// # Errors
    ///
    /// When it does not load.
    pub fn load(self, machine: &mut Machine) -> Result<()> {
        match self {
            Self::Module => machine.modprobe(&[MODULE]).context("load the driver")?,
            Self::Reference => set_c_driver(machine, "passive")?,
        }
        Ok(())
    }

    /// Takes the driver away. It is no error if it is not there.
    ///
    /// # Errors
    ///
    /// When it does not go.
    pub fn unload(self, machine: &mut Machine) -> Result<()> {
        match self {
            Self::Module if machine.has_module(MODULE)? => {
                machine.rmmod(MODULE).context("unload the driver")?;
            }
            Self::Module => {}
            Self::Reference => set_c_driver(machine, "disable")?,
        }
        Ok(())
    }
}

/// Switches the C driver to a mode, or off. The kernel must have been booted with it on.
///
/// # Errors
///
/// When the kernel refuses or the mode does not change.
pub fn set_c_driver(machine: &mut Machine, mode: &str) -> Result<()> {
    let status = format!("{CPUS}/amd_pstate/status");
    if machine.text(&status)? != mode {
        machine
            .write(&status, mode)
            .context("switch the C driver")?;
    }
    let now = machine.text(&status)?;
    ensure!(now == mode, "the C driver is {now}, not {mode}");
    Ok(())
}

/// The lines that the module itself logged, without their prefix.
#[must_use]
pub fn lines(log: &[LogRecord]) -> Vec<&str> {
    let own = log
        .iter()
        .filter_map(|record| record.text.strip_prefix(LOG_PREFIX));
    own.filter(|line| !OF_ANY_MODULE.iter().any(|other| line.starts_with(other)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(text: &str) -> LogRecord {
        LogRecord {
            sequence: 0,
            level: 6,
            time_us: 0,
            text: text.to_owned(),
        }
    }

    #[test]
    fn only_the_module_s_own_lines_are_taken() {
        let log = [
            record("amd_pstate_rs: loading out-of-tree module taints kernel."),
            record("amd_pstate_rs: module verification failed: signature missing"),
            record("amd_pstate: driver load is disabled"),
            record("amd_pstate_rs: passive mode, requests by MSR"),
        ];
        assert_eq!(lines(&log), ["passive mode, requests by MSR"]);
    }

    #[test]
    fn the_reference_is_booted_in_the_mode_that_it_can_come_back_to() {
        let args = Driver::Reference.kernel_args("a amd_pstate=disable b");
        assert_eq!(args, "a amd_pstate=passive b");
        assert_eq!(
            Driver::Module.kernel_args("amd_pstate=disable"),
            "amd_pstate=disable"
        );
    }
}
