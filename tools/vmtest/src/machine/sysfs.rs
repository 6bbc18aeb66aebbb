// SPDX-License-Identifier: GPL-2.0
//! Files of the guest, which are mostly attributes in sysfs.

use vmtest_proto::{Bytes, Entry, Exit, Reply, Request, Snapshot};

use super::{unexpected, GuestError, Machine, Result};

impl Machine {
    /// Reads a file to its end.
    ///
    /// # Errors
    ///
    /// [`GuestError::Refused`] with the error of the guest's kernel, or when the guest is gone.
    pub fn read(&mut self, path: &str) -> Result<Vec<u8>> {
        match self.ask(Request::Read {
            path: path.to_owned(),
        })? {
            Reply::Data(data) => Ok(data.0),
            other => Err(unexpected(&format!("read {path}"), &other)),
        }
    }

    /// Reads a file as text, without the newline at its end.
    ///
    /// # Errors
    ///
    /// As [`Machine::read`].
    pub fn text(&mut self, path: &str) -> Result<String> {
        let text = Bytes(self.read(path)?).to_text();
        Ok(text.strip_suffix('\n').map(str::to_owned).unwrap_or(text))
    }

    /// Reads a file that holds one decimal number.
    ///
    /// # Errors
    ///
    /// As [`Machine::read`], or [`GuestError::Malformed`].
    pub fn number(&mut self, path: &str) -> Result<u64> {
        let content = self.text(path)?;
        content.trim().parse().map_err(|_| GuestError::Malformed {
            path: path.to_owned(),
            reason: "not a number",
            content,
        })
    }

    /// Reads exactly `length` bytes at `offset`.
    ///
    /// # Errors
    ///
    /// As [`Machine::read`].
    pub fn read_at(&mut self, path: &str, offset: u64, length: u32) -> Result<Vec<u8>> {
        match self.ask(Request::ReadAt {
            path: path.to_owned(),
            offset,
            length,
        })? {
            Reply::Data(data) => Ok(data.0),
            other => Err(unexpected(&format!("read {path}"), &other)),
        }
    }

    /// Writes exactly these bytes with one `write`.
    ///
    /// # Errors
    ///
    /// As [`Machine::read`].
    pub fn write(&mut self, path: &str, data: impl AsRef<[u8]>) -> Result<()> {
        self.done(Request::Write {
            path: path.to_owned(),
            data: Bytes::from(data),
        })
    }

    /// Lists what is below a directory, `depth` levels down.
    ///
    /// # Errors
    ///
    /// As [`Machine::read`].
    pub fn list(&mut self, path: &str, depth: u32) -> Result<Vec<Entry>> {
        match self.ask(Request::List {
            path: path.to_owned(),
            depth,
        })? {
            Reply::Entries(entries) => Ok(entries),
            other => Err(unexpected(&format!("list {path}"), &other)),
        }
    }

    /// Reads every regular file below a directory, `depth` levels down, but what is called as one
    /// of `skip`.
    ///
    /// # Errors
    ///
    /// As [`Machine::read`].
    pub fn snapshot(&mut self, path: &str, depth: u32, skip: &[&str]) -> Result<Vec<Snapshot>> {
        let skip = skip.iter().map(|&name| name.to_owned()).collect();
        let path = path.to_owned();
        match self.ask(Request::Snapshot { path, depth, skip })? {
            Reply::Files(files) => Ok(files),
            other => Err(unexpected("a snapshot", &other)),
        }
    }

    /// Whether a file or directory exists.
    ///
    /// # Errors
    ///
    /// When the guest is gone.
    pub fn exists(&mut self, path: &str) -> Result<bool> {
        let ran = self.run(&["test", "-e", path])?;
        Ok(ran.exit == Exit::Code(0))
    }
}
