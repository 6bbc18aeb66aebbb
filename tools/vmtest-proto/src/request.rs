// SPDX-License-Identifier: GPL-2.0
//! What the host asks of the agent.

use serde::{Deserialize, Serialize};

use crate::Bytes;

/// One thing for the agent to do. Paths are absolute paths in the guest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// Answer [`Reply::Done`](crate::Reply::Done) and do nothing.
    Ping,
    /// Read the whole file.
    Read {
        /// File to read.
        path: String,
    },
    /// Read `length` bytes at `offset` with one `pread`, as `/dev/cpu/N/msr` wants it.
    ReadAt {
        /// File to read.
        path: String,
        /// Where to begin, in bytes.
        offset: u64,
        /// How much to read, in bytes.
        length: u32,
    },
    /// Write the bytes with one `write`, because each `write` is one store to a sysfs attribute.
    Write {
        /// File to write; it is neither made nor cut.
        path: String,
        /// What to write, exactly.
        data: Bytes,
    },
    /// Write the bytes at `offset` with one `pwrite`.
    WriteAt {
        /// File to write.
        path: String,
        /// Where to begin, in bytes.
        offset: u64,
        /// What to write, exactly.
        data: Bytes,
    },
    /// List every entry below a directory, links not followed, in order of path.
    List {
        /// Directory to begin with.
        path: String,
        /// How many levels to go down; 1 lists the directory itself.
        depth: u32,
    },
    /// Read every regular file below a directory, links not followed, in order of path. It saves
    /// the host to name each of them: what goes to the guest is the slow half of the channel.
    Snapshot {
        /// Directory to begin with.
        path: String,
        /// How many levels to go down; 1 reads the files of the directory itself.
        depth: u32,
        /// Files and folders of these names are left out.
        skip: Vec<String>,
    },
    /// Run a command to its end.
    Run {
        /// Program, looked up in `PATH`, and its arguments.
        argv: Vec<String>,
        /// What it reads from its standard input.
        stdin: Bytes,
        /// After this many milliseconds it is killed.
        bound_ms: u64,
    },
    /// Start a command and leave it running; its output is thrown away.
    Spawn {
        /// Program, looked up in `PATH`, and its arguments.
        argv: Vec<String>,
    },
    /// Kill what [`Request::Spawn`] started and wait until it has gone.
    Kill {
        /// The number that the start was answered with.
        job: u32,
    },
    /// Read the kernel log from a record on.
    Log {
        /// First sequence number wanted.
        from: u64,
    },
    /// Put a line into the kernel log, to find one's way in the console log.
    Note {
        /// The line.
        text: String,
    },
    /// Do all of these in their order, whatever becomes of each.
    Batch(Vec<Request>),
    /// End the machine at once; there is no answer.
    Exit,
}
