// SPDX-License-Identifier: GPL-2.0
//! What can go wrong with a request to the guest.

use vmtest_proto::{Exit, Refusal};

use crate::process::ChannelError;
use crate::registers::RegisterLogError;

/// What went wrong with a request.
#[derive(Debug, thiserror::Error)]
pub enum GuestError {
    /// The guest's kernel refused it.
    #[error("{0}")]
    Refused(Refusal),
    /// A command did not end with exit code 0.
    #[error("`{command}`: {exit}\n{output}")]
    Failed {
        /// The command.
        command: String,
        /// How it ended.
        exit: Exit,
        /// All that it wrote.
        output: String,
    },
    /// The guest does not answer.
    #[error("{request}: {source}")]
    Channel {
        /// What was asked.
        request: String,
        /// What became of it.
        source: ChannelError,
    },
    /// The answer makes no sense.
    #[error("{request}: {reason}")]
    Garbage {
        /// What was asked.
        request: String,
        /// What is wrong with the answer.
        reason: String,
    },
    /// The register log cannot be read.
    #[error("register log: {0}")]
    Registers(#[from] RegisterLogError),
    /// A file has not the form that it should have.
    #[error("{path}: {reason}: {content:?}")]
    Malformed {
        /// The file.
        path: String,
        /// What was expected.
        reason: &'static str,
        /// What is in it.
        content: String,
    },
}

impl GuestError {
    /// Error number, where the guest's kernel gave one.
    #[must_use]
    pub fn errno(&self) -> Option<i32> {
        match self {
            Self::Refused(refusal) if refusal.errno != 0 => Some(refusal.errno),
            _ => None,
        }
    }
}

/// Result of a request.
pub type Result<T> = std::result::Result<T, GuestError>;
