// SPDX-License-Identifier: GPL-2.0
//! The kernel log and the register log of the guest.

use cppc_model::log::Entry;
use vmtest_proto::{LogRecord, Reply, Request};

use super::{unexpected, Machine, Result};
use crate::registers::Mark;

/// A moment in the life of a machine; what both logs got since then can be asked for.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    kernel: u64,
    registers: Mark,
}

impl Machine {
    /// The present moment.
    ///
    /// # Errors
    ///
    /// When the guest is gone, or there is no register log.
    pub fn now(&mut self) -> Result<Moment> {
        let (_, kernel) = self.kernel_log(u64::MAX)?;
        Ok(Moment {
            kernel,
            registers: self.registers.mark()?,
        })
    }

    /// What the kernel logged since then.
    ///
    /// # Errors
    ///
    /// When the guest is gone.
    pub fn dmesg_since(&mut self, moment: Moment) -> Result<Vec<LogRecord>> {
        Ok(self.kernel_log(moment.kernel)?.0)
    }

    /// What the register log got since then.
    ///
    /// # Errors
    ///
    /// When the log cannot be read.
    pub fn registers_since(&self, moment: Moment) -> Result<Vec<Entry>> {
        Ok(self.registers.since(moment.registers)?)
    }

    /// Puts a line into the kernel log.
    ///
    /// # Errors
    ///
    /// When the guest is gone.
    pub fn note(&mut self, text: &str) -> Result<()> {
        self.done(Request::Note {
            text: text.to_owned(),
        })
    }

    fn kernel_log(&mut self, from: u64) -> Result<(Vec<LogRecord>, u64)> {
        match self.ask(Request::Log { from })? {
            Reply::Log { records, next } => Ok((records, next)),
            other => Err(unexpected("read the kernel log", &other)),
        }
    }
}
