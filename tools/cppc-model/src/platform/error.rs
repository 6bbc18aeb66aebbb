// SPDX-License-Identifier: GPL-2.0
//! Why a description was refused.

use std::path::{Path, PathBuf};

use thiserror::Error;

/// A description that cannot be used. Each names the file, and the field
/// where there is one.
#[derive(Debug, Error)]
pub enum PlatformError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The description file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is not TOML, or lacks a field, or has one that is not known.
    #[error("{}: {source}", path.display())]
    Syntax {
        /// The description file.
        path: PathBuf,
        /// What the parser said, with line and field.
        source: Box<toml::de::Error>,
    },
    /// A field's value makes no machine.
    #[error("{}: {field}: {reason}", path.display())]
    Field {
        /// The description file.
        path: PathBuf,
        /// The field, with the tables that it stands in.
        field: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl PlatformError {
    pub(crate) fn field(path: &Path, field: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Field {
            path: path.to_owned(),
            field: field.into(),
            reason: reason.into(),
        }
    }
}
