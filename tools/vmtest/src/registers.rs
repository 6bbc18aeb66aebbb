// SPDX-License-Identifier: GPL-2.0
//! The register log of a running machine.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;

use cppc_model::log::{Entry, Event, LineError};
use cppc_model::{Register, Request};

/// The log's file. Whatever the guest did before it answered is in it.
#[derive(Debug, Clone)]
pub struct RegisterLog {
    path: PathBuf,
}

/// A place in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark(u64);

/// A log that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RegisterLogError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A line is not the log's.
    #[error("{}: {source}: {line}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: LineError,
        /// The line.
        line: String,
    },
}

impl RegisterLog {
    /// The log in this file.
    #[must_use]
    pub fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// The present end of the log.
    ///
    /// # Errors
    ///
    /// When the file cannot be read.
    pub fn mark(&self) -> Result<Mark, RegisterLogError> {
        let metadata = self
            .path
            .metadata()
            .map_err(|source| self.unreadable(source))?;
        Ok(Mark(metadata.len()))
    }

    /// All entries since the mark.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or a line is wrong.
    pub fn since(&self, mark: Mark) -> Result<Vec<Entry>, RegisterLogError> {
        let text = self
            .text_since(mark)
            .map_err(|source| self.unreadable(source))?;
        // A last line without its end is still being written, by something later than the answer
        // that we have had.
        let complete = text.rsplit_once('\n').map_or("", |(complete, _)| complete);
        complete.lines().map(|line| self.entry(line)).collect()
    }

    fn entry(&self, line: &str) -> Result<Entry, RegisterLogError> {
        Entry::from_line(line).map_err(|source| RegisterLogError::Line {
            path: self.path.clone(),
            source,
            line: line.to_owned(),
        })
    }

    fn text_since(&self, mark: Mark) -> io::Result<String> {
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(mark.0))?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        Ok(text)
    }

    fn unreadable(&self, source: io::Error) -> RegisterLogError {
        RegisterLogError::Unreadable {
            path: self.path.clone(),
            source,
        }
    }
}

/// A write of a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Write {
    /// The CPU that did it.
    pub cpu: u32,
    /// The register.
    pub register: Register,
    /// What was written.
    pub value: u64,
    /// What was there before.
    pub old: u64,
}

/// The writes among the entries.
pub fn writes(entries: &[Entry]) -> impl Iterator<Item = Write> + '_ {
    entries.iter().filter_map(|entry| match entry.event {
        Event::Write {
            reg, value, old, ..
        } => Some(Write {
            cpu: entry.cpu,
            register: reg,
            value,
            old,
        }),
        _ => None,
    })
}

/// The performance requests that one CPU made, the oldest first.
#[must_use]
pub fn requests(entries: &[Entry], cpu: u32) -> Vec<Request> {
    writes(entries)
        .filter(|write| write.cpu == cpu && write.register == Register::Req)
        .map(|write| Request::from_bits(write.value))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn line(cpu: u32, register: Register, value: u64) -> String {
        let event = Event::Write {
            reg: register,
            msr: register.msr(),
            value,
            old: 0,
        };
        Entry { t: 0, cpu, event }.to_line().unwrap()
    }

    #[test]
    fn only_what_came_after_the_mark_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let log = RegisterLog::new(folder.path().join("log"));
        let (first, second) = (line(0, Register::Enable, 1), line(1, Register::Req, 0xa6));
        fs::write(&log.path, format!("{first}\n")).unwrap();
        let mark = log.mark().unwrap();
        fs::write(&log.path, format!("{first}\n{second}\n{{\"t\":1")).unwrap();
        let entries = log.since(mark).unwrap();
        assert_eq!(requests(&entries, 1), [Request::new().with_max(0xa6)]);
        assert!(requests(&entries, 0).is_empty());
        assert_eq!(entries.len(), 1);
    }

    #[test]
    fn a_damaged_line_is_shown_with_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let log = RegisterLog::new(folder.path().join("log"));
        fs::write(&log.path, "nonsense\n").unwrap();
        let error = log.since(Mark(0)).unwrap_err().to_string();
        assert!(
            error.contains("nonsense") && error.contains("log"),
            "{error}"
        );
    }
}
