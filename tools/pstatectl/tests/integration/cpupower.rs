// SPDX-License-Identifier: GPL-2.0
//! Runs the real cpupower on a tree.
//!
//! cpupower reads absolute paths, so it runs with the tree as its root directory, to which it and its libraries are
//! copied. It asks the CPUID instruction for the vendor's features, which cannot be replaced: on a processor that is
//! not AMD's it would take other ways than those compared here.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::program::Run;
use crate::tree::Tree;

/// Version that the layouts are taken from.
const VERSION: &str = "cpupower 7.3";

/// Set this where a comparison that cannot be made is a failure.
const REQUIRE: &str = "PSTATECTL_REQUIRE_CPUPOWER";

/// cpupower and everything that it needs.
pub struct Cpupower {
    files: Vec<PathBuf>,
}

impl Cpupower {
    /// Finds cpupower, or says once on standard error why the comparisons are skipped.
    pub fn find() -> Option<&'static Self> {
        static FOUND: OnceLock<Option<Cpupower>> = OnceLock::new();
        let found = FOUND.get_or_init(|| match Self::look() {
            Ok(found) => Some(found),
            Err(reason) => {
                assert!(
                    env::var_os(REQUIRE).is_none(),
                    "no comparison with cpupower: {reason}"
                );
                skipped(&format!("no comparison with cpupower: {reason}"));
                None
            }
        });
        found.as_ref()
    }

    fn look() -> Result<Self, String> {
        let cpuinfo = fs::read_to_string("/proc/cpuinfo").map_err(|error| error.to_string())?;
        if !cpuinfo.contains("AuthenticAMD") {
            return Err("this processor is not AMD's".into());
        }
        let binary = Path::new("/usr/bin/cpupower");
        let version = Command::new(binary)
            .arg("--version")
            .output()
            .map_err(|error| format!("cpupower: {error}"))?;
        let version = String::from_utf8_lossy(&version.stdout)
            .lines()
            .next()
            .unwrap_or_default()
            .to_owned();
        if version != VERSION {
            return Err(format!(
                "{} says \"{version}\", not \"{VERSION}\"",
                binary.display()
            ));
        }
        let libraries = Command::new("ldd")
            .arg(binary)
            .output()
            .map_err(|error| format!("ldd: {error}"))?;
        let libraries = String::from_utf8_lossy(&libraries.stdout).into_owned();
        let mut files: Vec<PathBuf> = libraries
            .split_whitespace()
            .filter(|word| word.starts_with('/'))
            .map(PathBuf::from)
            .collect();
        files.push(binary.to_path_buf());
        let cpupower = Self { files };
        let probe = Tree::new(1).amd_pstate("passive");
        let run = cpupower.try_run(&probe, "--version")?;
        if run.stdout.starts_with(VERSION) {
            Ok(cpupower)
        } else {
            Err(format!("chroot: {}", run.stderr.trim()))
        }
    }

    /// Runs cpupower with the tree as its root.
    pub fn run(&self, tree: &Tree, args: &str) -> Run {
        self.try_run(tree, args).unwrap()
    }

    fn try_run(&self, tree: &Tree, args: &str) -> Result<Run, String> {
        if !tree.path("usr/bin/cpupower").exists() {
            // Another process copies: a file that this one has open for writing cannot be executed by a child of
            // another test that is between fork and exec.
            let mut copy = Command::new("cp");
            copy.args(["--dereference", "--parents"])
                .args(&self.files)
                .arg(tree.root());
            let copied = copy.output().map_err(|error| format!("cp: {error}"))?;
            if !copied.status.success() {
                return Err(String::from_utf8_lossy(&copied.stderr).into_owned());
            }
        }
        let mut command = if is_root() {
            Command::new("chroot")
        } else {
            let mut command = Command::new("unshare");
            command.args(["--map-root-user", "chroot"]);
            command
        };
        command
            .arg(tree.root())
            .arg("/usr/bin/cpupower")
            .args(args.split_whitespace())
            .env("LC_ALL", "C");
        Ok(command
            .output()
            .map_err(|error| format!("chroot: {error}"))?
            .into())
    }
}

/// Says that something is skipped, past the capture of the test harness, which hides what a passing test prints.
pub fn skipped(reason: &str) {
    let _ = writeln!(io::stderr(), "SKIPPED: {reason}");
}

fn is_root() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .any(|line| line.starts_with("Uid:") && line.split_whitespace().nth(2) == Some("0"))
}
