// SPDX-License-Identifier: GPL-2.0
//! What can go wrong when a file of the kernel is read, always with the file.

use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

/// Result of reading one file.
pub type Result<T> = std::result::Result<T, Error>;

/// Longest piece of foreign text that an error repeats, in characters.
const QUOTE_LIMIT: usize = 40;

/// A file that could not be read or understood.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file does not exist: the driver in charge does not offer it, or the CPU has gone.
    #[error("{}: no such file", path.display())]
    Missing {
        /// File that was looked for.
        path: PathBuf,
    },
    /// The file exists, but this user may not read it.
    #[error("{}: permission denied", path.display())]
    Denied {
        /// File that was opened.
        path: PathBuf,
    },
    /// The kernel answered EBUSY, which the cpufreq core does for the policy of a CPU that is offline.
    #[error("{}: the CPU is offline (the kernel answered EBUSY)", path.display())]
    Inactive {
        /// File that was read.
        path: PathBuf,
    },
    /// Opening or reading failed in another way.
    #[error("{}: cannot be read: {source}", path.display())]
    Io {
        /// File that was read.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file is longer than any file of its kind.
    #[error("{}: longer than {limit} bytes", path.display())]
    TooLarge {
        /// File that was read.
        path: PathBuf,
        /// Number of bytes after which reading stopped.
        limit: u64,
    },
    /// The file holds nothing, or only white space.
    #[error("{}: is empty", path.display())]
    Empty {
        /// File that was read.
        path: PathBuf,
    },
    /// The file is not text.
    #[error("{}: not text: byte {offset} is not valid UTF-8", path.display())]
    NotText {
        /// File that was read.
        path: PathBuf,
        /// Position of the first byte that is not text.
        offset: usize,
    },
    /// The kernel says in words that there is no value, such as `<unknown>` or `<unsupported>`.
    #[error("{}: the kernel has no value here ({found})", path.display())]
    NoValue {
        /// File that was read.
        path: PathBuf,
        /// The words of the kernel.
        found: String,
    },
    /// The file holds text of another form than its type.
    #[error("{}: {source}", path.display())]
    Malformed {
        /// File that was read.
        path: PathBuf,
        /// What was expected and what stood there.
        source: ParseError,
    },
}

/// Kind of an [`Error`], with names that programs may rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ErrorKind {
    /// See [`Error::Missing`].
    Missing,
    /// See [`Error::Denied`].
    Denied,
    /// See [`Error::Inactive`].
    Inactive,
    /// See [`Error::Io`].
    Io,
    /// See [`Error::TooLarge`].
    TooLarge,
    /// See [`Error::Empty`].
    Empty,
    /// See [`Error::NotText`].
    NotText,
    /// See [`Error::NoValue`].
    NoValue,
    /// See [`Error::Malformed`].
    Malformed,
}

impl Error {
    /// Sorts an error of the system into the kinds that callers tell apart.
    pub(crate) fn from_io(path: &Path, source: io::Error) -> Self {
        let path = path.to_path_buf();
        match source.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Self::Missing { path },
            io::ErrorKind::PermissionDenied => Self::Denied { path },
            io::ErrorKind::ResourceBusy => Self::Inactive { path },
            _ => Self::Io { path, source },
        }
    }

    /// The file that the error is about.
    pub fn path(&self) -> &Path {
        match self {
            Self::Missing { path }
            | Self::Denied { path }
            | Self::Inactive { path }
            | Self::Io { path, .. }
            | Self::TooLarge { path, .. }
            | Self::Empty { path }
            | Self::NotText { path, .. }
            | Self::NoValue { path, .. }
            | Self::Malformed { path, .. } => path,
        }
    }

    /// The kind, for decisions and for programs.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Missing { .. } => ErrorKind::Missing,
            Self::Denied { .. } => ErrorKind::Denied,
            Self::Inactive { .. } => ErrorKind::Inactive,
            Self::Io { .. } => ErrorKind::Io,
            Self::TooLarge { .. } => ErrorKind::TooLarge,
            Self::Empty { .. } => ErrorKind::Empty,
            Self::NotText { .. } => ErrorKind::NotText,
            Self::NoValue { .. } => ErrorKind::NoValue,
            Self::Malformed { .. } => ErrorKind::Malformed,
        }
    }

    /// Whether the file is simply not there.
    pub fn is_missing(&self) -> bool {
        self.kind() == ErrorKind::Missing
    }
}

/// Turns "no such file" into `None` and leaves every other error alone.
pub trait OptionalExt<T> {
    /// `Ok(None)` when the file does not exist.
    ///
    /// # Errors
    /// Every error but [`Error::Missing`].
    fn optional(self) -> Result<Option<T>>;
}

impl<T> OptionalExt<T> for Result<T> {
    fn optional(self) -> Result<Option<T>> {
        match self {
            Ok(value) => Ok(Some(value)),
            Err(error) if error.is_missing() => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Text that is not of the form that its type asks for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found \"{found}\" ({reason})")]
pub struct ParseError {
    /// What was asked for, with its unit.
    pub expected: &'static str,
    /// The text that stood there, escaped and cut to a readable length.
    pub found: String,
    /// What is wrong with it.
    pub reason: &'static str,
}

impl ParseError {
    pub(crate) fn new(expected: &'static str, found: &str, reason: &'static str) -> Self {
        let mut quoted: String = found
            .chars()
            .take(QUOTE_LIMIT)
            .flat_map(char::escape_debug)
            .collect();
        if found.chars().nth(QUOTE_LIMIT).is_some() {
            quoted.push('…');
        }
        Self {
            expected,
            found: quoted,
            reason,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_the_system_becomes_the_kind_that_callers_tell_apart() {
        let kind = |kind| Error::from_io(Path::new("/f"), io::Error::from(kind)).kind();
        assert_eq!(kind(io::ErrorKind::NotFound), ErrorKind::Missing);
        assert_eq!(kind(io::ErrorKind::PermissionDenied), ErrorKind::Denied);
        assert_eq!(kind(io::ErrorKind::ResourceBusy), ErrorKind::Inactive);
        assert_eq!(kind(io::ErrorKind::Other), ErrorKind::Io);
    }

    #[test]
    fn every_text_starts_with_the_file() {
        let path = PathBuf::from("/sys/a");
        let source = ParseError::new("a number", "x", "not a digit");
        let errors = [
            Error::Missing { path: path.clone() },
            Error::Denied { path: path.clone() },
            Error::Inactive { path: path.clone() },
            Error::Io {
                path: path.clone(),
                source: io::Error::other("odd"),
            },
            Error::TooLarge {
                path: path.clone(),
                limit: 1,
            },
            Error::Empty { path: path.clone() },
            Error::NotText {
                path: path.clone(),
                offset: 3,
            },
            Error::NoValue {
                path: path.clone(),
                found: "<unknown>".into(),
            },
            Error::Malformed {
                path: path.clone(),
                source,
            },
        ];
        for error in errors {
            assert!(error.to_string().starts_with("/sys/a: "), "{error}");
            assert_eq!(error.path(), path);
        }
    }

    #[test]
    fn foreign_text_is_escaped_and_cut() {
        let error = ParseError::new("a number", &"\u{1b}".repeat(100), "not a digit");
        assert!(!error.to_string().contains('\u{1b}'));
        assert!(error.found.ends_with('…'));
    }

    #[test]
    fn only_a_missing_file_is_optional() {
        let missing: Result<u8> = Err(Error::Missing { path: "/f".into() });
        assert!(missing.optional().unwrap().is_none());
        let denied: Result<u8> = Err(Error::Denied { path: "/f".into() });
        assert_eq!(denied.optional().unwrap_err().kind(), ErrorKind::Denied);
    }
}
