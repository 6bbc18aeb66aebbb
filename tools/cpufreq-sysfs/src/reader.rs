// SPDX-License-Identifier: GPL-2.0
//! Reads files below a root directory.

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::attribute::{Attribute, Directory};
use crate::cpu_list::{CpuId, CpuList};
use crate::cpuinfo::CpuInfo;
use crate::error::{Error, OptionalExt, ParseError, Result};
use crate::mode::Mode;
use crate::presence::Presence;
use crate::status_dir::StatusDir;
use crate::switch::Switch;

const CPU_DIR: &str = "sys/devices/system/cpu";
/// No attribute is longer than a page; 64 KiB is the largest page of any architecture.
const ATTRIBUTE_LIMIT: u64 = 64 * 1024;
/// `/proc/cpuinfo` takes about 1.6 KiB for each CPU.
const CPUINFO_LIMIT: u64 = 32 * 1024 * 1024;

/// Reads the files of the kernel below a root directory.
#[derive(Clone, Debug)]
pub struct Reader {
    root: PathBuf,
}

impl Default for Reader {
    /// Reads the running machine.
    fn default() -> Self {
        Self::new(Path::new("/"))
    }
}

impl Reader {
    /// Reads below `root` in place of `/`.
    pub fn new(root: &Path) -> Self {
        Self {
            root: root.to_path_buf(),
        }
    }

    /// Reads one file of one CPU.
    ///
    /// # Errors
    /// When the file cannot be read or holds anything but a `T`.
    pub fn read<T: FromStr<Err = ParseError>>(
        &self,
        cpu: CpuId,
        attribute: &Attribute<T>,
    ) -> Result<T> {
        self.value(&attribute.relative_path(cpu))
    }

    /// Full path of one file of one CPU, whether it exists or not.
    pub fn path<T>(&self, cpu: CpuId, attribute: &Attribute<T>) -> PathBuf {
        self.root.join(attribute.relative_path(cpu))
    }

    /// Directory of the CPU, whether it exists or not.
    pub fn cpu_path(&self, cpu: CpuId) -> PathBuf {
        self.root.join(CPU_DIR).join(format!("cpu{cpu}"))
    }

    /// File that says whether the CPU is online; absent for a CPU that cannot be switched off.
    pub fn online_path(&self, cpu: CpuId) -> PathBuf {
        self.cpu_path(cpu).join("online")
    }

    /// Directory of the policy of the CPU; there only while a driver is in charge.
    pub fn policy_path(&self, cpu: CpuId) -> PathBuf {
        self.cpu_path(cpu).join(Directory::Policy.name())
    }

    /// Whether the CPU is online. A CPU without the file `online` cannot be switched off.
    ///
    /// # Errors
    /// When the file `online` cannot be read or is neither 0 nor 1.
    pub fn presence(&self, cpu: CpuId) -> Result<Presence> {
        if !self.cpu_path(cpu).is_dir() {
            return Ok(Presence::Absent);
        }
        match self
            .value(&format!("{CPU_DIR}/cpu{cpu}/online"))
            .optional()?
        {
            None | Some(Switch(true)) => Ok(Presence::Online),
            Some(Switch(false)) => Ok(Presence::Offline),
        }
    }

    /// CPUs that the machine can have: `possible`, or the directories `cpuN` where the kernel has no such file.
    ///
    /// # Errors
    /// When neither can be read.
    pub fn possible(&self) -> Result<CpuList> {
        match self.value(&format!("{CPU_DIR}/possible")).optional()? {
            Some(list) => Ok(list),
            None => self.cpu_directories(),
        }
    }

    fn cpu_directories(&self) -> Result<CpuList> {
        let path = self.root.join(CPU_DIR);
        let entries = fs::read_dir(&path).map_err(|error| Error::from_io(&path, error))?;
        let cpu = |name: &str| name.strip_prefix("cpu")?.parse().ok();
        Ok(entries
            .flatten()
            .filter_map(|entry| entry.file_name().to_str().and_then(cpu))
            .collect())
    }

    /// The directory of the amd-pstate driver in charge.
    ///
    /// Where a built-in driver is switched off and the module runs beside it, both directories exist and only the
    /// module's says that it drives; `None` where there is none at all.
    ///
    /// # Errors
    /// When a `status` that exists cannot be read or is no mode.
    pub fn status(&self) -> Result<Option<(StatusDir, Mode)>> {
        let mut found = None;
        for dir in StatusDir::ALL {
            let Some(mode) = self.value::<Mode>(&dir.status()).optional()? else {
                continue;
            };
            if mode.drives() {
                return Ok(Some((dir, mode)));
            }
            found = found.or(Some((dir, mode)));
        }
        Ok(found)
    }

    /// Whether amd-pstate honours the ranking of cores.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn prefcore(&self, dir: StatusDir) -> Result<Switch> {
        self.value(&dir.prefcore())
    }

    /// The boost switch of the whole machine, which the cpufreq core offers for drivers that can boost.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn global_boost(&self) -> Result<Switch> {
        self.value(&format!("{CPU_DIR}/cpufreq/boost"))
    }

    /// `intel_pstate/no_turbo`: on means that turbo is off.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn intel_no_turbo(&self) -> Result<Switch> {
        self.value(&format!("{CPU_DIR}/intel_pstate/no_turbo"))
    }

    /// What the kernel says of the processor.
    ///
    /// # Errors
    /// When `/proc/cpuinfo` cannot be read or a number in it is none.
    pub fn cpuinfo(&self) -> Result<CpuInfo> {
        let path = self.root.join("proc/cpuinfo");
        let text = text_of(&path, CPUINFO_LIMIT)?;
        text.parse()
            .map_err(|source| Error::Malformed { path, source })
    }

    /// Reads a model specific register of one CPU through `/dev/cpu/N/msr`.
    ///
    /// # Errors
    /// When the device is not there, may not be opened, or the processor has no such register.
    pub fn msr(&self, cpu: CpuId, address: u32) -> Result<u64> {
        let path = self.root.join(format!("dev/cpu/{cpu}/msr"));
        let mut value = [0; 8];
        File::open(&path)
            .and_then(|file| file.read_exact_at(&mut value, u64::from(address)))
            .map_err(|error| Error::from_io(&path, error))?;
        Ok(u64::from_le_bytes(value))
    }

    fn value<T: FromStr<Err = ParseError>>(&self, relative: &str) -> Result<T> {
        let path = self.root.join(relative);
        let text = text_of(&path, ATTRIBUTE_LIMIT)?;
        let text = text.strip_suffix('\n').unwrap_or(&text);
        if text.trim().is_empty() {
            return Err(Error::Empty { path });
        }
        if text.starts_with('<') && text.ends_with('>') && text.len() < 32 {
            return Err(Error::NoValue {
                path,
                found: text.escape_debug().to_string(),
            });
        }
        text.parse()
            .map_err(|source| Error::Malformed { path, source })
    }
}

/// The whole text of a file of at most `limit` bytes.
fn text_of(path: &Path, limit: u64) -> Result<String> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(limit + 1).read_to_end(&mut bytes))
        .map_err(|error| Error::from_io(path, error))?;
    let path = path.to_path_buf();
    if u64::try_from(bytes.len()).is_ok_and(|length| length > limit) {
        return Err(Error::TooLarge { path, limit });
    }
    String::from_utf8(bytes).map_err(|error| Error::NotText {
        path,
        offset: error.utf8_error().valid_up_to(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attribute;
    use crate::error::ErrorKind;
    use crate::frequency::KiloHertz;
    use proptest::prelude::*;
    use tempfile::TempDir;

    struct Tree(TempDir);

    impl Tree {
        fn new() -> Self {
            Self(tempfile::tempdir().unwrap())
        }

        fn with(self, relative: &str, content: impl AsRef<[u8]>) -> Self {
            let path = self.0.path().join(relative);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
            self
        }

        fn with_dir(self, relative: &str) -> Self {
            fs::create_dir_all(self.0.path().join(relative)).unwrap();
            self
        }

        fn reader(&self) -> Reader {
            Reader::new(self.0.path())
        }
    }

    const MAX_FREQ: &str = "sys/devices/system/cpu/cpu0/cpufreq/scaling_max_freq";

    fn max_freq(content: impl AsRef<[u8]>) -> Result<KiloHertz> {
        Tree::new()
            .with(MAX_FREQ, content)
            .reader()
            .read(CpuId::BOOT, &attribute::SCALING_MAX_FREQ)
    }

    fn kind_of(content: impl AsRef<[u8]>) -> ErrorKind {
        let error = max_freq(content).unwrap_err();
        assert!(error.path().ends_with(MAX_FREQ), "{error}");
        error.kind()
    }

    #[test]
    fn a_value_is_read_without_its_newline() {
        assert_eq!(max_freq("4900000\n").unwrap(), KiloHertz(4_900_000));
        assert_eq!(max_freq("4900000").unwrap(), KiloHertz(4_900_000));
    }

    #[test]
    fn hostile_content_is_an_error_of_its_own_kind_with_the_file() {
        assert_eq!(kind_of(""), ErrorKind::Empty);
        assert_eq!(kind_of("\n"), ErrorKind::Empty);
        assert_eq!(kind_of("  \n"), ErrorKind::Empty);
        assert_eq!(kind_of("<unknown>\n"), ErrorKind::NoValue);
        assert_eq!(kind_of("4900000\0\0\n"), ErrorKind::Malformed);
        assert_eq!(kind_of("-1\n"), ErrorKind::Malformed);
        assert_eq!(kind_of("99999999999999999999\n"), ErrorKind::Malformed);
        assert_eq!(kind_of(b"49\xff\n"), ErrorKind::NotText);
        assert_eq!(kind_of(vec![b'1'; 70_000]), ErrorKind::TooLarge);
    }

    #[test]
    fn a_missing_file_and_a_directory_in_its_place_are_told_apart() {
        let kind = |tree: Tree| {
            tree.reader()
                .read(CpuId::BOOT, &attribute::SCALING_MAX_FREQ)
                .unwrap_err()
                .kind()
        };
        assert_eq!(kind(Tree::new()), ErrorKind::Missing);
        assert_eq!(kind(Tree::new().with_dir(MAX_FREQ)), ErrorKind::Io);
    }

    #[test]
    fn a_cpu_is_online_offline_or_absent() {
        let cpu = |number| CpuId::new(number).unwrap();
        let tree = Tree::new()
            .with_dir("sys/devices/system/cpu/cpu0")
            .with("sys/devices/system/cpu/cpu1/online", "0\n")
            .with("sys/devices/system/cpu/cpu2/online", "1\n")
            .with("sys/devices/system/cpu/cpu3/online", "2\n");
        let reader = tree.reader();
        assert_eq!(reader.presence(cpu(0)).unwrap(), Presence::Online);
        assert_eq!(reader.presence(cpu(1)).unwrap(), Presence::Offline);
        assert_eq!(reader.presence(cpu(2)).unwrap(), Presence::Online);
        assert_eq!(
            reader.presence(cpu(3)).unwrap_err().kind(),
            ErrorKind::Malformed
        );
        assert_eq!(reader.presence(cpu(4)).unwrap(), Presence::Absent);
    }

    #[test]
    fn possible_cpus_come_from_the_directories_where_the_file_is_missing() {
        let tree = Tree::new()
            .with_dir("sys/devices/system/cpu/cpu0")
            .with_dir("sys/devices/system/cpu/cpu10")
            .with_dir("sys/devices/system/cpu/cpuidle");
        assert_eq!(tree.reader().possible().unwrap().to_string(), "0,10");
        let tree = tree.with("sys/devices/system/cpu/possible", "0-15\n");
        assert_eq!(tree.reader().possible().unwrap().to_string(), "0-15");
    }

    #[test]
    fn the_status_that_drives_wins_over_one_that_is_switched_off() {
        let c_driver = "sys/devices/system/cpu/amd_pstate/status";
        let module = "sys/devices/system/cpu/amd_pstate_rs/status";
        let status = |tree: Tree| tree.reader().status().unwrap();
        assert_eq!(status(Tree::new()), None);
        assert_eq!(
            status(Tree::new().with(c_driver, "guided\n")),
            Some((StatusDir::AmdPstate, Mode::Guided))
        );
        assert_eq!(
            status(Tree::new().with(c_driver, "disable\n")),
            Some((StatusDir::AmdPstate, Mode::Disable))
        );
        let both = Tree::new()
            .with(c_driver, "disable\n")
            .with(module, "passive\n");
        assert_eq!(status(both), Some((StatusDir::AmdPstateRs, Mode::Passive)));
    }

    #[test]
    fn a_register_is_eight_bytes_at_its_address() {
        let tree = Tree::new().with("dev/cpu/0/msr", [0, 0, 1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(
            tree.reader().msr(CpuId::BOOT, 2).unwrap(),
            0x0807_0605_0403_0201
        );
        assert_eq!(
            tree.reader().msr(CpuId::BOOT, 3).unwrap_err().kind(),
            ErrorKind::Io
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn any_bytes_give_a_value_or_an_error_with_the_file(bytes: Vec<u8>) {
            let tree = Tree::new()
                .with(MAX_FREQ, &bytes)
                .with("proc/cpuinfo", &bytes)
                .with("sys/devices/system/cpu/possible", &bytes)
                .with("sys/devices/system/cpu/amd_pstate/status", &bytes)
                .with("sys/devices/system/cpu/cpu0/cpufreq/stats/time_in_state", &bytes);
            let reader = tree.reader();
            if let Err(error) = reader.read(CpuId::BOOT, &attribute::SCALING_MAX_FREQ) {
                prop_assert!(error.path().ends_with(MAX_FREQ));
            }
            let _ = (reader.cpuinfo(), reader.possible(), reader.status());
            let _ = reader.read(CpuId::BOOT, &attribute::TIME_IN_STATE);
        }
    }
}
