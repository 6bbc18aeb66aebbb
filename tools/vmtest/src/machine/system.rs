// SPDX-License-Identifier: GPL-2.0
//! CPUs, registers and modules of the guest.

use cppc_model::Register;

use super::{GuestError, Machine, Ran, Result};

/// Where the kernel shows the CPUs.
pub const CPUS: &str = "/sys/devices/system/cpu";

/// An attribute of a CPU's cpufreq policy. Both drivers make one policy for each CPU.
#[must_use]
pub fn policy(cpu: usize, attribute: &str) -> String {
    format!("{CPUS}/cpufreq/policy{cpu}/{attribute}")
}

impl Machine {
    /// The CPUs' numbers.
    pub fn cpus(&self) -> std::ops::Range<usize> {
        0..self.platform().cpus()
    }

    /// Takes a CPU off- or online.
    ///
    /// # Errors
    ///
    /// When the kernel refuses, or the guest is gone.
    pub fn set_online(&mut self, cpu: usize, online: bool) -> Result<()> {
        self.write(
            &format!("{CPUS}/cpu{cpu}/online"),
            if online { "1" } else { "0" },
        )
    }

    /// Reads a register of an online CPU. The module `msr` must be loaded.
    ///
    /// # Errors
    ///
    /// When the kernel refuses, or the guest is gone.
    pub fn register(&mut self, cpu: usize, register: Register) -> Result<u64> {
        let path = format!("/dev/cpu/{cpu}/msr");
        let bytes = self.read_at(&path, u64::from(register.msr()), 8)?;
        let bytes: [u8; 8] = bytes.try_into().map_err(|bytes| GuestError::Malformed {
            path,
            reason: "not eight bytes",
            content: format!("{bytes:?}"),
        })?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// Loads a module with its parameters, and fails when it is refused.
    ///
    /// # Errors
    ///
    /// [`GuestError::Failed`] with modprobe's words.
    pub fn modprobe(&mut self, arguments: &[&str]) -> Result<()> {
        self.try_modprobe(arguments)?.ok().map(|_| ())
    }

    /// Loads a module, or does not.
    ///
    /// # Errors
    ///
    /// When the guest is gone.
    pub fn try_modprobe(&mut self, arguments: &[&str]) -> Result<Ran> {
        let argv: Vec<&str> = [&["modprobe"], arguments].concat();
        self.run(&argv)
    }

    /// Unloads a module.
    ///
    /// # Errors
    ///
    /// [`GuestError::Failed`] with rmmod's words.
    pub fn rmmod(&mut self, module: &str) -> Result<()> {
        self.run(&["rmmod", module])?.ok().map(|_| ())
    }

    /// Whether a module is loaded.
    ///
    /// # Errors
    ///
    /// When the guest is gone.
    pub fn has_module(&mut self, module: &str) -> Result<bool> {
        let modules = self.text("/proc/modules")?;
        Ok(modules
            .lines()
            .any(|line| line.split(' ').next() == Some(module)))
    }
}
