// SPDX-License-Identifier: GPL-2.0
//! Kernel modules for the guest: found by name, with those that they need, unpacked, and indexed
//! by depmod, so that modprobe in the guest is the real thing.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{bail, ensure, Context, Result};
use goblin::elf::Elf;
use walkdir::WalkDir;

use crate::archive::Archive;

/// Modules that scenarios load: register access, the other driver, and the governors that the
/// stock kernel does not have built in.
const WANTED: [&str; 6] = [
    "acpi_cpufreq",
    "cpufreq_conservative",
    "cpufreq_ondemand",
    "cpufreq_powersave",
    "cpufreq_userspace",
    "msr",
];

/// A kernel's modules, by name.
pub struct ModuleTree {
    release: String,
    paths: BTreeMap<String, PathBuf>,
}

impl ModuleTree {
    /// Finds every module below `folder`, which is `…/lib/modules/<release>`.
    ///
    /// # Errors
    ///
    /// When the folder cannot be read or holds no module.
    pub fn scan(folder: &Path) -> Result<Self> {
        let release = folder.file_name().and_then(|name| name.to_str());
        let release = release.with_context(|| format!("{}: names no release", folder.display()))?;
        let mut paths = BTreeMap::new();
        for entry in WalkDir::new(folder) {
            let path = entry?.into_path();
            if let Some(name) = module_name(&path) {
                paths.insert(name, path);
            }
        }
        ensure!(
            !paths.is_empty(),
            "{}: holds no kernel modules",
            folder.display()
        );
        Ok(Self {
            release: release.to_owned(),
            paths,
        })
    }

    /// The kernel release that the modules belong to.
    #[must_use]
    pub fn release(&self) -> &str {
        &self.release
    }

    /// Unpacked modules `names` and all that they need.
    fn closure(&self, names: &[&str]) -> Result<BTreeMap<String, Vec<u8>>> {
        let mut open: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut found = BTreeMap::new();
        while let Some(name) = open.pop() {
            if found.contains_key(&name) {
                continue;
            }
            let path = self.paths.get(&name);
            let path = path.with_context(|| format!("no module {name} for {}", self.release))?;
            let data = read_module(path)?;
            open.extend(needed(&data).with_context(|| path.display().to_string())?);
            found.insert(name, data);
        }
        Ok(found)
    }
}

/// Adds our own modules, the [`WANTED`] ones and all that they need to the archive, with depmod's
/// index.
///
/// # Errors
///
/// When a module is missing or damaged, or depmod is missing or fails.
pub fn install(archive: &mut Archive, tree: &ModuleTree, own: &[PathBuf]) -> Result<()> {
    let staging = tempfile::tempdir().context("make a folder for the modules")?;
    let folder = Path::new("lib/modules").join(tree.release());
    let stage = staging.path().join(&folder);
    fs::create_dir_all(stage.join("kernel"))?;
    fs::create_dir_all(stage.join("updates"))?;

    let mut needed_by_own = Vec::new();
    for module in own {
        let data = read_module(module)?;
        needed_by_own.extend(needed(&data).with_context(|| module.display().to_string())?);
        let name = module
            .file_name()
            .with_context(|| format!("{}: no file", module.display()))?;
        fs::write(stage.join("updates").join(name), data)?;
    }
    let names: Vec<&str> = needed_by_own
        .iter()
        .map(String::as_str)
        .chain(WANTED)
        .collect();
    for (name, data) in tree.closure(&names)? {
        fs::write(stage.join("kernel").join(name).with_extension("ko"), data)?;
    }
    depmod(staging.path(), tree.release())?;

    for entry in WalkDir::new(&stage) {
        let path = entry?.into_path();
        if path.is_file() {
            let guest = Path::new("/usr")
                .join(&folder)
                .join(path.strip_prefix(&stage)?);
            archive.file(guest, 0o644, fs::read(&path)?);
        }
    }
    Ok(())
}

fn depmod(root: &Path, release: &str) -> Result<()> {
    let output = Command::new("depmod")
        .arg("-b")
        .arg(root)
        .arg(release)
        .output();
    let output = output.context("run depmod (Debian package kmod)")?;
    if !output.status.success() {
        bail!(
            "depmod: {}: {}",
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    Ok(())
}

/// `acpi_cpufreq` for `…/acpi-cpufreq.ko.xz`; modprobe makes no difference between `-` and `_`.
fn module_name(path: &Path) -> Option<String> {
    let file = path.file_name()?.to_str()?;
    let name = file
        .strip_suffix(".ko")
        .or_else(|| file.strip_suffix(".ko.xz"))?;
    Some(name.replace('-', "_"))
}

fn read_module(path: &Path) -> Result<Vec<u8>> {
    let data = fs::read(path).with_context(|| path.display().to_string())?;
    if path.extension().is_none_or(|extension| extension != "xz") {
        return Ok(data);
    }
    let mut unpacked = Vec::new();
    lzma_rs::xz_decompress(&mut data.as_slice(), &mut unpacked)
        .with_context(|| format!("{}: unpack", path.display()))?;
    Ok(unpacked)
}

/// Names in the `depends=` entry of the section `.modinfo`.
fn needed(module: &[u8]) -> Result<Vec<String>> {
    let elf = Elf::parse(module).context("not an ELF file")?;
    let section = elf
        .section_headers
        .iter()
        .find(|header| elf.shdr_strtab.get_at(header.sh_name) == Some(".modinfo"));
    let range = section.and_then(|header| header.file_range());
    let info = range
        .and_then(|range| module.get(range))
        .context("has no section .modinfo")?;
    Ok(depends(info))
}

fn depends(info: &[u8]) -> Vec<String> {
    let entries = info
        .split(|&byte| byte == 0)
        .filter_map(|entry| std::str::from_utf8(entry).ok());
    let lists = entries.filter_map(|entry| entry.strip_prefix("depends="));
    let names = lists
        .flat_map(|list| list.split(','))
        .filter(|name| !name.is_empty());
    names.map(|name| name.replace('-', "_")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_whatever_the_packing_and_the_dashes() {
        for path in [
            "a/acpi-cpufreq.ko",
            "acpi-cpufreq.ko.xz",
            "b/acpi_cpufreq.ko",
        ] {
            assert_eq!(
                module_name(Path::new(path)).as_deref(),
                Some("acpi_cpufreq")
            );
        }
        assert_eq!(module_name(Path::new("modules.dep")), None);
    }

    #[test]
    fn dependencies_are_read_from_modinfo() {
        let info = b"license=GPL\0depends=processor,acpi-x\0name=y\0";
        assert_eq!(depends(info), ["processor", "acpi_x"]);
        assert!(depends(b"license=GPL\0depends=\0").is_empty());
    }

    #[test]
    fn a_folder_without_modules_is_refused() {
        let empty = tempfile::tempdir().unwrap();
        let error = ModuleTree::scan(empty.path()).err().unwrap();
        assert!(
            error.to_string().contains("holds no kernel modules"),
            "{error}"
        );
    }

    #[test]
    fn a_damaged_module_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("broken.ko.xz");
        fs::write(&path, "no xz").unwrap();
        let error = format!("{:#}", read_module(&path).unwrap_err());
        assert!(error.contains("broken.ko.xz"), "{error}");
    }
}
