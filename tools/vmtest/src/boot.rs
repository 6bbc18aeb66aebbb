// SPDX-License-Identifier: GPL-2.0
//! From a description of the machine to a guest that answers.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use vmtest_proto::{decode, Hello, PROTOCOL};

use crate::machine::Machine;
use crate::platform::Prepared;
use crate::process::{ChannelError, Qemu};
use crate::qemu::{Invocation, Plugin};

/// Names of the files that a machine leaves in its folder.
pub mod files {
    /// The console.
    pub const CONSOLE: &str = "console.log";
    /// What QEMU and the plugin said.
    pub const QEMU: &str = "qemu.log";
    /// The command line of QEMU.
    pub const COMMAND: &str = "qemu.cmdline";
    /// The register log.
    pub const REGISTERS: &str = "registers.jsonl";
}

/// A machine to be booted. Scenarios that name an equal one can share it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Boot<'a> {
    /// Name of the platform's description.
    pub platform: &'a str,
    /// Number of processors.
    pub cpus: usize,
    /// Kernel arguments beyond those of every guest.
    pub kernel_args: &'a str,
    /// Whether instructions are counted, which makes everything slower.
    pub counting: bool,
}

impl<'a> Boot<'a> {
    /// The same on another platform.
    #[must_use]
    pub const fn on(self, platform: &'a str) -> Self {
        Self { platform, ..self }
    }
}

/// What every machine of one run has in common.
#[derive(Debug, Clone)]
pub struct Host {
    /// QEMU's program.
    pub qemu: PathBuf,
    /// The kernel.
    pub kernel: PathBuf,
    /// The initramfs.
    pub initrd: PathBuf,
    /// The platform plugin.
    pub plugin: PathBuf,
    /// Folder with the platforms' descriptions.
    pub platforms: PathBuf,
    /// How long the agent may take to say hello.
    pub hello_bound: Duration,
}

/// The machine never ran: nothing can be said about what was to be tested.
#[derive(Debug, thiserror::Error)]
#[error("the machine never ran: {reason}{}", shown(evidence))]
pub struct NeverRan {
    /// Why.
    pub reason: String,
    /// What QEMU and the console said last.
    pub evidence: String,
}

impl NeverRan {
    /// One that has nothing to show.
    #[must_use]
    pub fn because(reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
            evidence: String::new(),
        }
    }
}

fn shown(evidence: &str) -> String {
    if evidence.is_empty() {
        String::new()
    } else {
        format!("\n{evidence}")
    }
}

impl Host {
    /// Boots a machine that keeps its files in `folder`, and waits until its agent says hello.
    ///
    /// # Errors
    ///
    /// [`NeverRan`], whatever the reason.
    pub fn boot(&self, boot: &Boot<'_>, folder: &Path) -> Result<Machine, NeverRan> {
        let begin = Instant::now();
        let prepared = Prepared::new(&self.platforms, boot, folder)?;
        let invocation = self.invocation(boot, &prepared, folder);
        let mut qemu = self
            .start(&invocation, folder)
            .map_err(|error| NeverRan::because(format!("{}: {error}", self.qemu.display())))?;
        match hello(&mut qemu, self.hello_bound) {
            Ok(hello) => Ok(Machine::new(qemu, prepared, hello, folder, begin.elapsed())),
            Err(mut reason) => {
                if let Some(status) = qemu.wait(Duration::from_secs(1)) {
                    reason = format!("{reason}; QEMU: {status}");
                }
                qemu.kill();
                Err(NeverRan {
                    reason,
                    evidence: last_words(folder),
                })
            }
        }
    }

    fn invocation(&self, boot: &Boot<'_>, prepared: &Prepared, folder: &Path) -> Invocation {
        let plugin = Plugin {
            object: self.plugin.clone(),
            platform: prepared.description.clone(),
            log: folder.join(files::REGISTERS),
            counting: boot.counting,
        };
        let mut append = prepared.platform.kernel_args();
        append.push(boot.kernel_args.to_owned());
        Invocation {
            cpu: prepared.platform.qemu_cpu(),
            cpus: boot.cpus,
            kernel: self.kernel.clone(),
            initrd: self.initrd.clone(),
            append: append.join(" "),
            tables: vec![prepared.table.clone()],
            plugin: Some(plugin),
            console: folder.join(files::CONSOLE),
        }
    }

    fn start(&self, invocation: &Invocation, folder: &Path) -> io::Result<Qemu> {
        let arguments = invocation.arguments();
        let line: Vec<_> = arguments
            .iter()
            .map(|argument| format!("{argument:?}"))
            .collect();
        let line = format!("{} {}\n", self.qemu.display(), line.join(" "));
        fs::write(folder.join(files::COMMAND), line)?;
        Qemu::start(&self.qemu, &arguments, &folder.join(files::QEMU))
    }
}

fn hello(qemu: &mut Qemu, bound: Duration) -> Result<Hello, String> {
    let line = qemu.receive(bound).map_err(|error| match error {
        ChannelError::Late { bound } => format!("no hello within {} s", bound.as_secs()),
        ChannelError::Ended => "it ended before its hello".to_owned(),
        other => other.to_string(),
    })?;
    let hello: Hello = decode(&line).map_err(|error| format!("no hello: {error}"))?;
    if hello.protocol != PROTOCOL {
        return Err(format!(
            "its agent speaks protocol {}, not {PROTOCOL}",
            hello.protocol
        ));
    }
    Ok(hello)
}

/// The last lines that QEMU and the console wrote.
#[must_use]
pub fn last_words(folder: &Path) -> String {
    let mut words = Vec::new();
    for (name, lines) in [(files::QEMU, 8), (files::CONSOLE, 12)] {
        let bytes = fs::read(folder.join(name)).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let all: Vec<&str> = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        let last = all
            .get(all.len().saturating_sub(lines)..)
            .unwrap_or_default();
        words.extend(
            last.iter()
                .map(|line| format!("    {name}: {}", line.trim_end())),
        );
    }
    words.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_words_are_the_last_lines_of_both_logs() {
        let folder = tempfile::tempdir().unwrap();
        let lines: Vec<_> = (0..50).map(|line| format!("line {line}\r\n\n")).collect();
        let console = lines.concat();
        fs::write(folder.path().join(files::CONSOLE), console).unwrap();
        fs::write(folder.path().join(files::QEMU), "plugin: no such key\n").unwrap();
        let words = last_words(folder.path());
        assert!(words.contains("qemu.log: plugin: no such key"), "{words}");
        assert!(
            words.contains("console.log: line 49") && !words.contains("line 30"),
            "{words}"
        );
    }

    #[test]
    fn logs_that_are_not_there_have_no_last_words() {
        assert_eq!(last_words(Path::new("/no/such/folder")), "");
    }
}
