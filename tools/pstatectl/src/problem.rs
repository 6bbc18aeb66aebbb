// SPDX-License-Identifier: GPL-2.0
//! What went wrong in a run, and what that makes of the exit code.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use cpufreq_sysfs::{CpuId, CpuList, Error, ErrorKind, SelectionError};
use serde_json::{json, Value};

use crate::exit::Exit;

/// One thing that could not be shown.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// A file could not be read or understood.
    #[error("CPU {cpu}: {error}")]
    File {
        /// The CPU that the file belongs to.
        cpu: CpuId,
        /// What is wrong, with the file.
        error: Error,
    },
    /// A file of the whole machine could not be read or understood.
    #[error("{0}")]
    Machine(Error),
    /// No driver is in charge of the CPU.
    #[error("CPU {cpu}: {}: no such directory: no cpufreq driver is in charge of this CPU", path.display())]
    NoDriver {
        /// The CPU.
        cpu: CpuId,
        /// The directory that a driver would have made.
        path: PathBuf,
    },
    /// The CPU is switched off.
    #[error("CPU {cpu}: {}: the CPU is offline", path.display())]
    Offline {
        /// The CPU.
        cpu: CpuId,
        /// The file that says so.
        path: PathBuf,
    },
    /// The kernel has no such CPU.
    #[error("CPU {cpu}: {}: no such CPU", path.display())]
    Absent {
        /// The CPU.
        cpu: CpuId,
        /// The directory that it would have.
        path: PathBuf,
    },
    /// The machine cannot have such a CPU.
    #[error("--cpu: {0}")]
    Selection(#[from] SelectionError),
}

impl Problem {
    /// The exit code where this is all there is to say.
    fn exit(&self) -> Exit {
        match self {
            Self::NoDriver { .. } => Exit::NoDriver,
            Self::Offline { .. } | Self::Absent { .. } | Self::Selection(_) => Exit::CpuOffline,
            Self::File { error, .. } | Self::Machine(error) => match error.kind() {
                ErrorKind::Denied => Exit::NoPermission,
                ErrorKind::Inactive => Exit::CpuOffline,
                ErrorKind::Missing | ErrorKind::NoValue => Exit::NotAvailable,
                ErrorKind::Empty
                | ErrorKind::Malformed
                | ErrorKind::NotText
                | ErrorKind::TooLarge => Exit::Malformed,
                _ => Exit::Failure,
            },
        }
    }

    fn kind(&self) -> Value {
        match self {
            Self::NoDriver { .. } => json!("no_driver"),
            Self::Offline { .. } => json!("offline"),
            Self::Absent { .. } | Self::Selection(_) => json!("no_such_cpu"),
            Self::File { error, .. } | Self::Machine(error) => json!(error.kind()),
        }
    }

    fn cpu(&self) -> Option<CpuId> {
        match self {
            Self::File { cpu, .. }
            | Self::NoDriver { cpu, .. }
            | Self::Offline { cpu, .. }
            | Self::Absent { cpu, .. } => Some(*cpu),
            Self::Machine(_) | Self::Selection(_) => None,
        }
    }

    fn path(&self) -> Option<&Path> {
        match self {
            Self::File { error, .. } | Self::Machine(error) => Some(error.path()),
            Self::NoDriver { path, .. }
            | Self::Offline { path, .. }
            | Self::Absent { path, .. } => Some(path),
            Self::Selection(_) => None,
        }
    }

    /// The entry in the list of errors of a JSON document.
    pub fn json(&self) -> Value {
        json!({
            "cpu": self.cpu(),
            "kind": self.kind(),
            "file": self.path().map(|path| path.to_string_lossy()),
            "message": self.to_string(),
        })
    }
}

/// All problems of a run, and whether anything could be shown in spite of them.
#[derive(Debug, Default)]
pub struct Problems {
    list: Vec<Problem>,
    texts: HashSet<String>,
    shown: bool,
}

impl Problems {
    /// Notes a problem, once: two parts of an answer may need the same file.
    pub fn add(&mut self, problem: Problem) {
        if self.texts.insert(problem.to_string()) {
            self.list.push(problem);
        }
    }

    /// Keeps the value; notes the problem where there is none.
    pub fn note<T>(&mut self, cpu: CpuId, result: Result<T, Error>) -> Option<T> {
        result
            .map_err(|error| self.add(Problem::File { cpu, error }))
            .ok()
    }

    /// Like [`Problems::note`], where a file that does not exist is no problem.
    pub fn note_optional<T>(&mut self, cpu: CpuId, result: Result<T, Error>) -> Option<T> {
        match result {
            Err(error) if error.is_missing() => None,
            other => self.note(cpu, other),
        }
    }

    /// Says that something was found.
    pub fn shown(&mut self) {
        self.shown = true;
    }

    /// The problems in the order in which they were met.
    pub fn iter(&self) -> impl Iterator<Item = &Problem> {
        self.list.iter()
    }

    /// One line for each problem, but only one for all CPUs without a driver.
    pub fn lines(&self) -> Vec<String> {
        let driverless: CpuList = self
            .list
            .iter()
            .filter_map(|problem| match problem {
                Problem::NoDriver { cpu, .. } => Some(*cpu),
                _ => None,
            })
            .collect();
        let mut lines = Vec::new();
        let mut told = false;
        for problem in &self.list {
            match problem {
                Problem::NoDriver { .. } if told => {}
                Problem::NoDriver { path, .. } if driverless.len() > 1 => {
                    told = true;
                    lines.push(format!(
                        "CPUs {driverless}: {}: no such directory: no cpufreq driver is in charge of these CPUs",
                        path.display()
                    ));
                }
                _ => lines.push(problem.to_string()),
            }
        }
        lines
    }

    /// Ok without problems, partial where something was shown in spite of them, else the code of the first.
    pub fn exit(&self) -> Exit {
        match self.list.first() {
            None => Exit::Ok,
            Some(_) if self.shown => Exit::Partial,
            Some(first) => first.exit(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing() -> Problem {
        Problem::File {
            cpu: CpuId::BOOT,
            error: Error::Missing {
                path: "/sys/f".into(),
            },
        }
    }

    #[test]
    fn the_first_problem_decides_where_nothing_was_shown() {
        let mut problems = Problems::default();
        assert_eq!(problems.exit(), Exit::Ok);
        problems.add(missing());
        problems.add(Problem::Offline {
            cpu: CpuId::BOOT,
            path: "/sys/online".into(),
        });
        assert_eq!(problems.exit(), Exit::NotAvailable);
    }

    #[test]
    fn something_shown_makes_it_partial() {
        let mut problems = Problems::default();
        problems.shown();
        assert_eq!(problems.exit(), Exit::Ok);
        problems.add(missing());
        assert_eq!(problems.exit(), Exit::Partial);
    }

    #[test]
    fn cpus_without_a_driver_share_a_line() {
        let mut problems = Problems::default();
        for number in 0..256 {
            let cpu = CpuId::new(number).unwrap();
            problems.add(Problem::NoDriver {
                cpu,
                path: format!("/sys/cpu{cpu}/cpufreq").into(),
            });
        }
        problems.add(missing());
        let lines = problems.lines();
        assert_eq!(lines.len(), 2);
        assert!(
            lines[0].starts_with("CPUs 0-255: /sys/cpu0/cpufreq: "),
            "{}",
            lines[0]
        );
    }

    #[test]
    fn the_json_entry_names_cpu_kind_and_file() {
        let entry = missing().json();
        assert_eq!(entry["cpu"], 0);
        assert_eq!(entry["kind"], "missing");
        assert_eq!(entry["file"], "/sys/f");
        assert_eq!(entry["message"], "CPU 0: /sys/f: no such file");
    }
}
