// SPDX-License-Identifier: GPL-2.0
//! The register log's file.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use cppc_model::log::Entry;

/// A log that is complete up to what the guest does next: every line is
/// handed to the kernel in one write, before the guest goes on.
pub struct Log {
    file: Mutex<File>,
}

impl Log {
    /// Makes the file, or empties it.
    pub fn create(path: &Path) -> io::Result<Self> {
        File::create(path).map(|file| Self {
            file: Mutex::new(file),
        })
    }

    /// Appends a line.
    pub fn append(&self, entry: &Entry) -> io::Result<()> {
        let mut line = entry.to_line().map_err(io::Error::other)?;
        line.push('\n');
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(line.as_bytes())
    }
}
