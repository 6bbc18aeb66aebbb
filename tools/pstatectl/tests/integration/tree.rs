// SPDX-License-Identifier: GPL-2.0
//! Builds directory trees that look like machines.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::fs::{self, OpenOptions};
use std::os::unix::fs::{symlink, FileExt};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

pub const CPU_DIR: &str = "sys/devices/system/cpu";

/// What one CPU of a fake machine can do and is told to do; kHz and MHz as in the files.
#[derive(Clone, Debug)]
pub struct Numbers {
    pub highest_perf: u32,
    pub nominal_perf: u32,
    pub lowest_nonlinear_perf: u32,
    pub lowest_perf: u32,
    pub max_khz: u64,
    pub nominal_mhz: u32,
    pub lowest_nonlinear_khz: u64,
    pub lowest_mhz: u32,
    pub min_limit_khz: u64,
    pub max_limit_khz: u64,
    pub current_khz: u64,
    pub latency_ns: u32,
    pub ranking: u32,
}

impl Default for Numbers {
    /// A Zen 4 core in round numbers.
    fn default() -> Self {
        Self {
            highest_perf: 196,
            nominal_perf: 136,
            lowest_nonlinear_perf: 45,
            lowest_perf: 17,
            max_khz: 4_900_000,
            nominal_mhz: 3400,
            lowest_nonlinear_khz: 1_125_000,
            lowest_mhz: 400,
            min_limit_khz: 1_125_000,
            max_limit_khz: 4_900_000,
            current_khz: 1_897_456,
            latency_ns: 20_000,
            ranking: 226,
        }
    }
}

/// A fake machine.
pub struct Tree {
    dir: TempDir,
    cpus: u32,
}

impl Tree {
    /// A machine with so many CPUs, all online, and no driver.
    pub fn new(cpus: u32) -> Self {
        let tree = Self {
            dir: tempfile::tempdir().unwrap(),
            cpus,
        };
        let list = format!("0-{}\n", cpus - 1);
        for file in ["possible", "present", "online"] {
            tree.write(&format!("{CPU_DIR}/{file}"), &list);
        }
        for cpu in 0..cpus {
            fs::create_dir_all(tree.path(&format!("{CPU_DIR}/cpu{cpu}"))).unwrap();
            if cpu > 0 {
                tree.write(&format!("{CPU_DIR}/cpu{cpu}/online"), "1\n");
            }
        }
        tree.write("proc/cpuinfo", cpuinfo(cpus.max(256), &asked_flags()));
        tree.write("proc/stat", stat(&(0..cpus).collect::<Vec<_>>()));
        tree
    }

    /// amd-pstate in one of its modes on every CPU, as the driver built into the kernel shows it.
    pub fn amd_pstate(self, mode: &str) -> Self {
        self.write(&format!("{CPU_DIR}/amd_pstate/status"), format!("{mode}\n"));
        self.write(&format!("{CPU_DIR}/amd_pstate/prefcore"), "enabled\n");
        self.amd_pstate_policies(mode)
    }

    /// The module in one of its modes, beside the built-in driver that is switched off.
    pub fn amd_pstate_rs(self, mode: &str) -> Self {
        self.write(&format!("{CPU_DIR}/amd_pstate/status"), "disable\n");
        self.write(
            &format!("{CPU_DIR}/amd_pstate_rs/status"),
            format!("{mode}\n"),
        );
        self.write(&format!("{CPU_DIR}/amd_pstate_rs/prefcore"), "enabled\n");
        self.amd_pstate_policies(mode)
    }

    fn amd_pstate_policies(self, mode: &str) -> Self {
        self.write(&format!("{CPU_DIR}/cpufreq/boost"), "1\n");
        let driver = if mode == "active" {
            "amd-pstate-epp"
        } else {
            "amd-pstate"
        };
        for cpu in 0..self.cpus {
            let numbers = Numbers {
                ranking: 226 - 5 * (cpu / 2 % 8),
                ..Numbers::default()
            };
            self.policy(cpu, driver, &numbers);
            self.amd_attributes(cpu, &numbers);
            self.cppc(cpu, &numbers);
            if mode == "active" {
                self.set(cpu, "energy_performance_preference", "balance_performance");
                self.set(
                    cpu,
                    "energy_performance_available_preferences",
                    "default performance balance_performance balance_power power ",
                );
                self.set(cpu, "scaling_available_governors", "performance powersave");
                self.set(cpu, "scaling_governor", "powersave");
            }
        }
        self
    }

    /// acpi-cpufreq with a table of three steps.
    pub fn acpi_cpufreq(self) -> Self {
        self.write(&format!("{CPU_DIR}/cpufreq/boost"), "1\n");
        for cpu in 0..self.cpus {
            let numbers = Numbers {
                max_limit_khz: 3_400_000,
                min_limit_khz: 1_600_000,
                ..Numbers::default()
            };
            self.policy(cpu, "acpi-cpufreq", &numbers);
            self.cppc(cpu, &numbers);
            self.set(cpu, "cpuinfo_min_freq", 1_600_000);
            self.set(cpu, "cpuinfo_transition_latency", 0);
            self.set(
                cpu,
                "scaling_available_frequencies",
                "3400000 2200000 1600000 ",
            );
            self.set(cpu, "cpuinfo_cur_freq", 2_200_000);
            self.set(
                cpu,
                "stats/time_in_state",
                "3400000 1000\n2200000 500\n1600000 2500",
            );
            self.set(cpu, "stats/total_trans", 777);
        }
        self
    }

    /// cppc_cpufreq.
    pub fn cppc_cpufreq(self) -> Self {
        for cpu in 0..self.cpus {
            let numbers = Numbers {
                latency_ns: 1000,
                ..Numbers::default()
            };
            self.policy(cpu, "cppc_cpufreq", &numbers);
            self.cppc(cpu, &numbers);
        }
        self
    }

    /// Every number of one CPU that amd-pstate drives.
    pub fn set_numbers(&self, cpu: u32, numbers: &Numbers) {
        for (file, value) in policy_files(numbers) {
            self.set(cpu, file, value);
        }
        self.amd_attributes(cpu, numbers);
        self.cppc(cpu, numbers);
    }

    /// Replaces the feature flags of the processor, for tests without cpupower.
    pub fn flags(self, flags: &str) -> Self {
        self.write("proc/cpuinfo", cpuinfo(1, flags));
        self
    }

    /// Switches a CPU off. Its policy stays; the kernel then answers EBUSY, for which the files are missing here.
    pub fn offline(self, cpu: u32) -> Self {
        let online: Vec<u32> = (0..self.cpus).filter(|other| *other != cpu).collect();
        self.write(&format!("{CPU_DIR}/cpu{cpu}/online"), "0\n");
        let list: Vec<String> = online.iter().map(u32::to_string).collect();
        self.write(
            &format!("{CPU_DIR}/online"),
            format!("{}\n", list.join(",")),
        );
        self.write("proc/stat", stat(&online));
        let policy = self.path(&format!("{CPU_DIR}/cpufreq/policy{cpu}"));
        if policy.exists() {
            fs::remove_dir_all(&policy).unwrap();
            fs::create_dir(policy).unwrap();
        }
        self
    }

    /// Writes one file of the policy of a CPU.
    pub fn with(self, cpu: u32, file: &str, value: impl Display) -> Self {
        self.set(cpu, file, value);
        self
    }

    /// Writes any bytes to a file below the root.
    pub fn with_bytes(self, relative: &str, bytes: impl AsRef<[u8]>) -> Self {
        self.write(relative, bytes);
        self
    }

    /// A model specific register of CPU 0; the file has holes, as the addresses are far apart.
    pub fn register(self, address: u64, value: u64) -> Self {
        let path = self.path("dev/cpu/0/msr");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let device = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
            .unwrap();
        device.write_all_at(&value.to_le_bytes(), address).unwrap();
        self
    }

    /// Takes a file or a directory away.
    pub fn without(self, relative: &str) -> Self {
        let path = self.path(relative);
        if path.is_dir() && !path.is_symlink() {
            fs::remove_dir_all(path).unwrap();
        } else {
            fs::remove_file(path).unwrap();
        }
        self
    }

    /// Makes a file unreadable for root too: a directory in its place.
    pub fn unreadable(self, relative: &str) -> Self {
        let tree = self.without(relative);
        fs::create_dir(tree.path(relative)).unwrap();
        tree
    }

    pub fn root(&self) -> &Path {
        self.dir.path()
    }

    pub fn path(&self, relative: &str) -> PathBuf {
        self.dir.path().join(relative)
    }

    fn write(&self, relative: &str, content: impl AsRef<[u8]>) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    fn set(&self, cpu: u32, file: &str, value: impl Display) {
        self.write(
            &format!("{CPU_DIR}/cpufreq/policy{cpu}/{file}"),
            format!("{value}\n"),
        );
    }

    /// The files of the cpufreq core.
    fn policy(&self, cpu: u32, driver: &str, numbers: &Numbers) {
        self.set(cpu, "scaling_driver", driver);
        self.set(cpu, "related_cpus", cpu);
        self.set(cpu, "affected_cpus", cpu);
        self.set(cpu, "scaling_governor", "schedutil");
        let governors = "conservative ondemand userspace powersave performance schedutil ";
        self.set(cpu, "scaling_available_governors", governors);
        self.set(cpu, "boost", 1);
        for (file, value) in policy_files(numbers) {
            self.set(cpu, file, value);
        }
        symlink(
            format!("../cpufreq/policy{cpu}"),
            self.path(&format!("{CPU_DIR}/cpu{cpu}/cpufreq")),
        )
        .unwrap();
    }

    fn amd_attributes(&self, cpu: u32, numbers: &Numbers) {
        self.set(cpu, "amd_pstate_max_freq", numbers.max_khz);
        self.set(
            cpu,
            "amd_pstate_lowest_nonlinear_freq",
            numbers.lowest_nonlinear_khz,
        );
        self.set(cpu, "amd_pstate_highest_perf", numbers.highest_perf);
        self.set(cpu, "amd_pstate_prefcore_ranking", numbers.ranking);
        self.set(cpu, "amd_pstate_hw_prefcore", "enabled");
    }

    fn cppc(&self, cpu: u32, numbers: &Numbers) {
        for (file, value) in [
            ("highest_perf", numbers.highest_perf),
            ("nominal_perf", numbers.nominal_perf),
            ("lowest_nonlinear_perf", numbers.lowest_nonlinear_perf),
            ("lowest_perf", numbers.lowest_perf),
            ("nominal_freq", numbers.nominal_mhz),
            ("lowest_freq", numbers.lowest_mhz),
        ] {
            self.write(
                &format!("{CPU_DIR}/cpu{cpu}/acpi_cppc/{file}"),
                format!("{value}\n"),
            );
        }
    }
}

fn policy_files(numbers: &Numbers) -> [(&'static str, u64); 6] {
    [
        ("cpuinfo_min_freq", u64::from(numbers.lowest_mhz) * 1000),
        ("cpuinfo_max_freq", numbers.max_khz),
        ("cpuinfo_transition_latency", u64::from(numbers.latency_ns)),
        ("scaling_min_freq", numbers.min_limit_khz),
        ("scaling_max_freq", numbers.max_limit_khz),
        ("scaling_cur_freq", numbers.current_khz),
    ]
}

fn stat(online: &[u32]) -> String {
    let line = |cpu: &u32| format!("cpu{cpu} 10 0 10 1000 0 0 0 0 0 0\n");
    format!(
        "cpu  10 0 10 1000 0 0 0 0 0 0\n{}",
        online.iter().map(line).collect::<Vec<_>>().concat()
    )
}

/// The features that cpupower asks the CPUID instruction for, as they are on the machine that runs the tests: no tree
/// can stand in for the instruction.
fn asked_flags() -> String {
    let host = host_flags();
    let asked = ["aperfmperf", "cpb", "hw_pstate", "ida"];
    asked
        .into_iter()
        .filter(|flag| host.contains(*flag))
        .collect::<Vec<_>>()
        .join(" ")
}

fn cpuinfo(cpus: u32, flags: &str) -> String {
    let processor = |cpu| {
        format!(
            "processor\t: {cpu}\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 97\n\
             model name\t: AMD Ryzen 9 7950X 16-Core Processor\nstepping\t: 2\nflags\t\t: fpu {flags}\n\n"
        )
    };
    (0..cpus).map(processor).collect::<Vec<_>>().concat()
}

/// Feature flags of the machine that runs the tests.
pub fn host_flags() -> BTreeSet<String> {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let flags = cpuinfo
        .lines()
        .find_map(|line| line.strip_prefix("flags")?.split_once(':'));
    flags
        .map(|(_, words)| words.split_whitespace().map(str::to_owned).collect())
        .unwrap_or_default()
}
