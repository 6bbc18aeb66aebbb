// SPDX-License-Identifier: GPL-2.0
//! The simulated platform of one machine: its description, and the files made from it.

use std::fs;
use std::path::{Path, PathBuf};

use cppc_model::Platform;

use crate::boot::{Boot, NeverRan};

/// A platform, ready for QEMU.
#[derive(Debug)]
pub struct Prepared {
    /// What it is, with as many CPUs as the machine has.
    pub platform: Platform,
    /// Its description file, which the plugin reads as well.
    pub description: PathBuf,
    /// The ACPI table made from it.
    pub table: PathBuf,
}

impl Prepared {
    /// Reads the description of the machine to boot and writes its ACPI table into `folder`.
    ///
    /// # Errors
    ///
    /// When there is no such description, or it is wrong.
    pub fn new(platforms: &Path, boot: &Boot<'_>, folder: &Path) -> Result<Self, NeverRan> {
        let description = platforms.join(boot.platform).with_extension("toml");
        let platform = Platform::load(&description)
            .and_then(|platform| platform.with_cpus(boot.cpus))
            .map_err(|error| NeverRan::because(error.to_string()))?;
        let table = folder.join("ssdt.aml");
        fs::write(&table, cppc_tables::ssdt(&platform))
            .map_err(|error| NeverRan::because(format!("{}: {error}", table.display())))?;
        Ok(Self {
            platform,
            description,
            table,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_platform_that_is_not_there_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let boot = Boot {
            platform: "pentium",
            cpus: 1,
            kernel_args: "",
            counting: false,
        };
        let error = Prepared::new(folder.path(), &boot, folder.path()).unwrap_err();
        assert!(error.reason.contains("pentium.toml"), "{error}");
    }
}
