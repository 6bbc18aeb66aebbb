// SPDX-License-Identifier: GPL-2.0
//! What the agent answers.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Bytes;

/// The first line that the agent sends, once the guest is ready for requests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// [`PROTOCOL`](crate::PROTOCOL) of the agent.
    pub protocol: u32,
    /// Release of the running kernel, as `uname -r` prints it.
    pub release: String,
}

/// Answer to one [`Request`](crate::Request).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// It is done and there is nothing to tell.
    Done,
    /// What was read.
    Data(Bytes),
    /// What is in the directory.
    Entries(Vec<Entry>),
    /// What is in the files.
    Files(Vec<Snapshot>),
    /// The command has ended.
    Ran {
        /// How it ended.
        exit: Exit,
        /// What it wrote to standard output.
        stdout: Bytes,
        /// What it wrote to standard error.
        stderr: Bytes,
    },
    /// The command runs; this is its number.
    Job(u32),
    /// What is in the kernel log.
    Log {
        /// Records, the oldest first.
        records: Vec<LogRecord>,
        /// Sequence number that the next record will have.
        next: u64,
    },
    /// Answers to a batch, one for each request.
    Batch(Vec<Reply>),
    /// The guest refused it.
    Refused(Refusal),
}

/// An error that the guest's kernel gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// Error number; 0 where the error has none.
    pub errno: i32,
    /// What was tried, and the error in words.
    pub text: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// It ended by itself with this code.
    Code(i32),
    /// A signal ended it.
    Signal(i32),
    /// It ran past its bound and was killed.
    Late,
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exit code {code}"),
            Self::Signal(signal) => write!(f, "signal {signal}"),
            Self::Late => f.write_str("killed because it ran too long"),
        }
    }
}

/// One entry of a directory.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Entry {
    /// Absolute path.
    pub path: String,
    /// What it is.
    pub kind: EntryKind,
    /// Permission bits, as in `chmod`.
    pub mode: u32,
}

/// One file of a directory, and what is in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Absolute path.
    pub path: String,
    /// Permission bits, as in `chmod`.
    pub mode: u32,
    /// What was read, or the error number.
    pub content: Result<Bytes, i32>,
}

/// What an entry of a directory is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Link,
    /// A device, a pipe or a socket.
    Other,
}

/// One record of the kernel log (see Documentation/ABI/testing/dev-kmsg).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogRecord {
    /// Sequence number.
    pub sequence: u64,
    /// Level, 0 (emergency) to 7 (debug).
    pub level: u8,
    /// Time since boot in microseconds.
    pub time_us: u64,
    /// The text, without the lines that name a device.
    pub text: String,
}
