// SPDX-License-Identifier: GPL-2.0
//! The command line of QEMU, and which QEMU may be used.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use vmtest_proto::EXIT_PORT;

/// Oldest version whose plugin interface is the one that the platform plugin speaks (7).
pub const OLDEST: Version = Version {
    major: 11,
    minor: 1,
};

/// Memory of a guest, in MiB.
const MEMORY_MIB: u32 = 512;

/// What every guest kernel is told. A panic reboots at once, which `-no-reboot` turns into the end
/// of QEMU; an oops is a panic, so that a broken kernel cannot go on and seem well.
const KERNEL_ARGUMENTS: &str =
    "console=ttyS0,115200 rdinit=/init panic=-1 oops=panic loglevel=7 printk.devkmsg=on";

/// A version of QEMU.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// First number.
    pub major: u32,
    /// Second number.
    pub minor: u32,
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// A QEMU that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum QemuError {
    /// There is none.
    #[error("{}: {source} (Debian package qemu-system-x86)", program.display())]
    Missing {
        /// What was looked for.
        program: PathBuf,
        /// Why it cannot be run.
        source: std::io::Error,
    },
    /// It does not say its version.
    #[error("{}: does not say its version, but {said:?}", program.display())]
    Unknown {
        /// The program.
        program: PathBuf,
        /// What it says.
        said: String,
    },
    /// It is too old.
    #[error("{} is QEMU {found}; at least {OLDEST} is needed", program.display())]
    TooOld {
        /// The program.
        program: PathBuf,
        /// Its version.
        found: Version,
    },
}

/// Refuses a QEMU that is missing or too old.
///
/// # Errors
///
/// See [`QemuError`].
pub fn check(program: &Path) -> Result<Version, QemuError> {
    let output = Command::new(program)
        .arg("--version")
        .output()
        .map_err(|source| QemuError::Missing {
            program: program.to_owned(),
            source,
        })?;
    let said = String::from_utf8_lossy(&output.stdout);
    let found = parse_version(&said).ok_or_else(|| QemuError::Unknown {
        program: program.to_owned(),
        said: said.lines().next().unwrap_or_default().to_owned(),
    })?;
    if found < OLDEST {
        return Err(QemuError::TooOld {
            program: program.to_owned(),
            found,
        });
    }
    Ok(found)
}

/// Reads `QEMU emulator version 11.1.3 (Debian …)`.
fn parse_version(said: &str) -> Option<Version> {
    let (_, rest) = said.split_once("version ")?;
    let mut numbers = rest.split(|c: char| !c.is_ascii_digit());
    let major = numbers.next()?.parse().ok()?;
    let minor = numbers.next()?.parse().ok()?;
    Some(Version { major, minor })
}

/// The plugin that plays the processor's firmware.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plugin {
    /// The shared object.
    pub object: PathBuf,
    /// The platform's description.
    pub platform: PathBuf,
    /// Where it writes the register log.
    pub log: PathBuf,
    /// Whether it counts instructions.
    pub counting: bool,
}

/// One machine, as QEMU is told of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invocation {
    /// Argument of `-cpu`.
    pub cpu: String,
    /// Number of processors.
    pub cpus: usize,
    /// The kernel.
    pub kernel: PathBuf,
    /// The initramfs.
    pub initrd: PathBuf,
    /// Kernel arguments beyond [`KERNEL_ARGUMENTS`].
    pub append: String,
    /// ACPI tables to add.
    pub tables: Vec<PathBuf>,
    /// The plugin, if there is a platform.
    pub plugin: Option<Plugin>,
    /// Where the console goes.
    pub console: PathBuf,
}

impl Invocation {
    /// The arguments, in the order in which QEMU gets them.
    ///
    /// The agent's channel is the second serial port, which is QEMU's own standard input and
    /// output: no socket to make, to wait for or to leave behind.
    #[must_use]
    pub fn arguments(&self) -> Vec<OsString> {
        let mut arguments = Arguments::default();
        arguments
            .flags(&["-no-user-config", "-nodefaults", "-no-reboot"])
            // Whatever becomes of the harness, no machine outlives it.
            .pair("-run-with", "exit-with-parent=on")
            .pair("-display", "none")
            .pair("-M", "q35")
            .pair("-accel", "tcg,thread=multi")
            .pair("-cpu", &self.cpu)
            .pair("-smp", self.cpus.to_string())
            .pair("-m", MEMORY_MIB.to_string())
            .pair("-chardev", option("file,id=console,path=", &self.console))
            .pair("-serial", "chardev:console")
            .pair("-chardev", "stdio,id=agent,signal=off")
            .pair("-serial", "chardev:agent")
            .pair(
                "-device",
                format!("isa-debug-exit,iobase={EXIT_PORT:#x},iosize=0x4"),
            );
        for table in &self.tables {
            arguments.pair("-acpitable", option("file=", table));
        }
        if let Some(plugin) = &self.plugin {
            arguments.pair("-plugin", plugin.argument(self.cpus));
        }
        arguments
            .pair("-kernel", &self.kernel)
            .pair("-initrd", &self.initrd)
            .pair(
                "-append",
                format!("{KERNEL_ARGUMENTS} {}", self.append).trim_end(),
            );
        arguments.0
    }
}

impl Plugin {
    fn argument(&self, cpus: usize) -> OsString {
        let mut argument = escaped(&self.object);
        argument.push(option(",platform=", &self.platform));
        argument.push(format!(",cpus={cpus}"));
        argument.push(option(",log=", &self.log));
        if self.counting {
            argument.push(",count=on");
        }
        argument
    }
}

#[derive(Default)]
struct Arguments(Vec<OsString>);

impl Arguments {
    fn flags(&mut self, flags: &[&str]) -> &mut Self {
        self.0.extend(flags.iter().map(OsString::from));
        self
    }

    fn pair(&mut self, name: &str, value: impl Into<OsString>) -> &mut Self {
        self.0.extend([name.into(), value.into()]);
        self
    }
}

fn option(name: &str, path: &Path) -> OsString {
    let mut argument = OsString::from(name);
    argument.push(escaped(path));
    argument
}

/// QEMU splits the values of options at commas; a comma in a path is doubled.
fn escaped(path: &Path) -> OsString {
    path.to_string_lossy().replace(',', ",,").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn invocation() -> Invocation {
        Invocation {
            cpu: "EPYC-Milan".into(),
            cpus: 2,
            kernel: "/k/vmlinuz".into(),
            initrd: "/run/initrd".into(),
            append: "amd_pstate=disable".into(),
            tables: vec!["/run/ssdt.aml".into()],
            plugin: Some(Plugin {
                object: "/lib/plugin.so".into(),
                platform: "/p/zen,4.toml".into(),
                log: "/run/registers.jsonl".into(),
                counting: false,
            }),
            console: "/run/console.log".into(),
        }
    }

    fn value(invocation: &Invocation, name: &str) -> Vec<String> {
        let arguments = invocation.arguments();
        let pairs = arguments.windows(2).filter(|pair| pair[0] == name);
        pairs
            .map(|pair| pair[1].to_str().unwrap().to_owned())
            .collect()
    }

    #[test]
    fn the_machine_ends_when_its_kernel_or_its_harness_does() {
        let arguments = invocation().arguments();
        assert!(arguments.contains(&OsString::from("-no-reboot")));
        assert_eq!(value(&invocation(), "-run-with"), ["exit-with-parent=on"]);
        assert!(value(&invocation(), "-append")[0].contains("panic=-1 oops=panic"));
    }

    #[test]
    fn a_comma_in_a_path_is_no_separator() {
        assert_eq!(
            value(&invocation(), "-plugin"),
            ["/lib/plugin.so,platform=/p/zen,,4.toml,cpus=2,log=/run/registers.jsonl"]
        );
    }

    #[test]
    fn instructions_are_counted_only_on_request() {
        let mut counting = invocation();
        assert!(!value(&counting, "-plugin")[0].contains("count"));
        if let Some(plugin) = &mut counting.plugin {
            plugin.counting = true;
        }
        assert!(value(&counting, "-plugin")[0].ends_with(",count=on"));
    }

    #[test]
    fn the_scenario_s_kernel_arguments_come_last() {
        assert!(value(&invocation(), "-append")[0].ends_with(" amd_pstate=disable"));
    }

    #[test]
    fn without_a_platform_there_is_no_plugin_and_no_table() {
        let plain = Invocation {
            plugin: None,
            tables: Vec::new(),
            ..invocation()
        };
        assert!(value(&plain, "-plugin").is_empty());
        assert!(value(&plain, "-acpitable").is_empty());
        assert_eq!(value(&plain, "-smp"), ["2"]);
    }

    #[test]
    fn the_console_comes_before_the_agent() {
        assert_eq!(
            value(&invocation(), "-serial"),
            ["chardev:console", "chardev:agent"]
        );
    }

    #[test]
    fn versions_are_read_and_compared() {
        let debian = "QEMU emulator version 11.1.3 (Debian 1:11.1.3+ds-1~bpo13+1)\nCopyright";
        assert_eq!(
            parse_version(debian),
            Some(Version {
                major: 11,
                minor: 1
            })
        );
        assert_eq!(
            parse_version("QEMU emulator version 7.2.19"),
            Some(Version { major: 7, minor: 2 })
        );
        assert_eq!(parse_version("bash: no such file"), None);
        assert!(
            Version { major: 7, minor: 2 } < OLDEST
                && OLDEST
                    < Version {
                        major: 12,
                        minor: 0
                    }
        );
    }

    #[test]
    fn an_old_qemu_is_refused_with_both_versions() {
        let error = QemuError::TooOld {
            program: "qemu-system-x86_64".into(),
            found: Version { major: 7, minor: 2 },
        };
        assert!(
            error.to_string().contains("7.2") && error.to_string().contains("11.1"),
            "{error}"
        );
    }

    #[test]
    fn a_missing_qemu_is_named_with_its_package() {
        let error = check(Path::new("/no/such/qemu")).unwrap_err().to_string();
        assert!(
            error.contains("/no/such/qemu") && error.contains("qemu-system-x86"),
            "{error}"
        );
    }
}
