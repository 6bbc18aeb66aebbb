// SPDX-License-Identifier: GPL-2.0
//! What is in the guest: agent, busybox, Debian's own tools with their libraries, and modules.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{ensure, Context, Result};

use crate::archive::Archive;
use crate::elf;
use crate::modules::{self, ModuleTree};

/// Programs taken from the host's root as they are. The guest has them because scenarios are about
/// what users' own tools do; modprobe is kmod under its other name.
const PROGRAMS: [(&str, &str); 2] = [("/usr/bin/cpupower", "linux-cpupower"), (KMOD, "kmod")];

const KMOD: &str = "/usr/bin/kmod";
const KMOD_NAMES: [&str; 5] = ["depmod", "insmod", "lsmod", "modprobe", "rmmod"];
const BUSYBOX: &str = "/usr/bin/busybox";

/// What the guest is made of.
#[derive(Debug, Clone)]
pub struct Parts {
    /// Tree that the programs are taken from, `/` for the host's own.
    pub root: PathBuf,
    /// The agent's program.
    pub agent: PathBuf,
    /// `…/lib/modules/<release>` of the kernel.
    pub modules: PathBuf,
    /// Modules of our own: the one under test, and that of the benchmark where it is built.
    pub own_modules: Vec<PathBuf>,
    /// pstatectl's program.
    pub pstatectl: PathBuf,
}

impl Parts {
    /// Puts the guest together.
    ///
    /// # Errors
    ///
    /// When a part is missing; the error names the file and, where there is one, its package.
    pub fn build(&self) -> Result<Archive> {
        let mut archive = Archive::default();
        skeleton(&mut archive);
        self.install_busybox(&mut archive)?;
        self.install_programs(&mut archive)?;
        let tree = ModuleTree::scan(&self.modules)?;
        modules::install(&mut archive, &tree, &self.own_modules)?;
        Ok(archive)
    }

    fn install_busybox(&self, archive: &mut Archive) -> Result<()> {
        let program = elf::below(&self.root, BUSYBOX);
        install(archive, BUSYBOX, &program).context("Debian package busybox-static")?;
        for applet in applets(&program)? {
            let path = Path::new("/usr/bin").join(applet);
            archive.link(path, BUSYBOX);
        }
        Ok(())
    }

    fn install_programs(&self, archive: &mut Archive) -> Result<()> {
        let mut all = Vec::new();
        for (guest, package) in PROGRAMS {
            let host = elf::below(&self.root, guest);
            install(archive, guest, &host).with_context(|| format!("Debian package {package}"))?;
            all.push(host);
        }
        for name in KMOD_NAMES {
            archive.link(Path::new("/usr/sbin").join(name), KMOD);
        }
        for (guest, host) in [
            ("/init", &self.agent),
            ("/usr/bin/pstatectl", &self.pstatectl),
        ] {
            install(archive, guest, host)?;
            all.push(host.clone());
        }
        for (guest, host) in elf::dependencies(&self.root, &all)? {
            install(archive, merged(&guest), &host)?;
        }
        Ok(())
    }
}

/// Folders, links and devices that must be there before the agent runs.
fn skeleton(archive: &mut Archive) {
    for folder in [
        "dev", "proc", "sys", "tmp", "run", "root", "etc", "usr/bin", "usr/sbin",
    ] {
        archive.directory(folder);
    }
    // Debian's layout since the merge of /usr; the tools are linked for it.
    for (link, target) in [
        ("bin", "usr/bin"),
        ("sbin", "usr/sbin"),
        ("lib", "usr/lib"),
        ("lib64", "usr/lib64"),
    ] {
        archive.link(link, target);
    }
    // The kernel opens the console for the first process before devtmpfs is there.
    archive.device("/dev/console", 5, 1);
    archive.device("/dev/null", 1, 3);
}

/// `/usr/lib64/x` for `/lib64/x`: a file below a link would not be unpacked.
fn merged(path: &Path) -> PathBuf {
    if path.starts_with("/usr") {
        path.to_owned()
    } else {
        elf::below(Path::new("/usr"), path)
    }
}

fn install(archive: &mut Archive, guest: impl AsRef<Path>, host: &Path) -> Result<()> {
    let data = fs::read(host).with_context(|| host.display().to_string())?;
    archive.file(guest, 0o755, data);
    Ok(())
}

/// Names that busybox answers to, less those of the real tools.
fn applets(busybox: &Path) -> Result<Vec<String>> {
    let output = Command::new(busybox).arg("--list").output();
    let output = output.with_context(|| busybox.display().to_string())?;
    let list = String::from_utf8_lossy(&output.stdout);
    ensure!(
        list.lines().any(|name| name == "sh"),
        "{}: has no sh",
        busybox.display()
    );
    let real = |name: &&str| KMOD_NAMES.contains(name) || *name == "busybox";
    Ok(list
        .lines()
        .filter(|name| !real(name))
        .map(str::to_owned)
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_go_where_the_links_lead() {
        assert_eq!(
            merged(Path::new("/lib64/ld.so")),
            Path::new("/usr/lib64/ld.so")
        );
        assert_eq!(
            merged(Path::new("/usr/lib/x.so")),
            Path::new("/usr/lib/x.so")
        );
    }

    #[test]
    fn a_missing_program_is_named_with_its_package() {
        let empty = tempfile::tempdir().unwrap();
        let parts = Parts {
            root: empty.path().to_owned(),
            agent: "/none".into(),
            modules: "/none".into(),
            own_modules: vec!["/none".into()],
            pstatectl: "/none".into(),
        };
        let error = format!("{:#}", parts.build().unwrap_err());
        assert!(
            error.contains("busybox-static") && error.contains("usr/bin/busybox"),
            "{error}"
        );
    }

    #[test]
    fn the_skeleton_has_a_console_for_the_first_process() {
        let mut archive = Archive::default();
        skeleton(&mut archive);
        assert!(archive.contains("/dev/console") && archive.contains("/dev/null"));
    }
}
