// SPDX-License-Identifier: GPL-2.0
//! What every command works with.

use std::cell::OnceCell;

use cpufreq_sysfs::{CpuId, CpuInfo, CpuList, CpuSelection, Error, Presence, Reader};

use crate::problem::{Problem, Problems};

/// The machine that is looked at.
#[derive(Debug)]
pub struct Context {
    /// Reads its files.
    pub reader: Reader,
    cpuinfo: OnceCell<CpuInfo>,
}

impl Context {
    /// Looks at the machine that the reader reads.
    pub fn new(reader: Reader) -> Self {
        Self {
            reader,
            cpuinfo: OnceCell::new(),
        }
    }

    /// The processor; one that cannot be told is a problem, and then unknown.
    pub fn cpuinfo(&self, problems: &mut Problems) -> &CpuInfo {
        self.cpuinfo.get_or_init(|| {
            self.reader.cpuinfo().unwrap_or_else(|error| {
                problems.add(Problem::Machine(error));
                CpuInfo::default()
            })
        })
    }

    /// The CPUs that are meant.
    ///
    /// # Errors
    /// When the machine cannot have one of them, or does not say which it can have.
    pub fn resolve(&self, selection: &CpuSelection) -> Result<CpuList, Problem> {
        let possible = self.reader.possible().map_err(Problem::Machine)?;
        Ok(selection.resolve(&possible)?)
    }

    /// Whether the CPU runs; `None`, with the problem noted, where that cannot be told.
    ///
    /// A CPU that the user named and that does not run is a problem; one among all is not.
    pub fn presence(&self, cpu: CpuId, named: bool, problems: &mut Problems) -> Option<Presence> {
        let presence = problems.note(cpu, self.reader.presence(cpu))?;
        if named {
            match presence {
                Presence::Online => {}
                Presence::Offline => problems.add(Problem::Offline {
                    cpu,
                    path: self.reader.online_path(cpu),
                }),
                Presence::Absent => problems.add(Problem::Absent {
                    cpu,
                    path: self.reader.cpu_path(cpu),
                }),
            }
        }
        Some(presence)
    }

    /// Whether a driver is in charge of the CPU; notes a problem where none is.
    pub fn has_driver(&self, cpu: CpuId, problems: &mut Problems) -> bool {
        let policy = self.reader.policy_path(cpu);
        if policy.is_dir() {
            return true;
        }
        problems.add(Problem::NoDriver { cpu, path: policy });
        false
    }

    /// An error for a file whose content is the number that stands for "not known".
    pub fn no_value<T>(
        &self,
        cpu: CpuId,
        attribute: &cpufreq_sysfs::Attribute<T>,
        found: &str,
    ) -> Error {
        Error::NoValue {
            path: self.reader.path(cpu, attribute),
            found: found.to_owned(),
        }
    }
}
