// SPDX-License-Identifier: GPL-2.0
//! What a program needs beside itself: its interpreter and its shared libraries.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use goblin::elf::Elf;

/// Where Debian's dynamic linker looks on amd64 when nothing else is said.
const LIBRARY_FOLDERS: [&str; 4] = [
    "/lib/x86_64-linux-gnu",
    "/usr/lib/x86_64-linux-gnu",
    "/lib64",
    "/usr/lib",
];

/// A program or library that cannot be made complete.
#[derive(Debug, thiserror::Error)]
pub enum ElfError {
    /// A file cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file is not ELF.
    #[error("{}: not an ELF file: {source}", path.display())]
    NotElf {
        /// The file.
        path: PathBuf,
        /// Why.
        source: goblin::error::Error,
    },
    /// A library is in none of the places where the guest's linker will look.
    #[error("{}: needs {library}, which is in none of {}", path.display(), LIBRARY_FOLDERS.join(", "))]
    NoLibrary {
        /// Who needs it.
        path: PathBuf,
        /// Its name.
        library: String,
    },
}

/// Finds all that the programs need, as path in the guest and path on the host.
///
/// `root` is the tree in which the libraries are looked up, `/` for the host's own.
///
/// # Errors
///
/// When a file cannot be read, is not ELF, or needs a library that is nowhere.
pub fn dependencies(
    root: &Path,
    programs: &[PathBuf],
) -> Result<BTreeMap<PathBuf, PathBuf>, ElfError> {
    let mut found = BTreeMap::new();
    let mut open: Vec<PathBuf> = programs.to_vec();
    while let Some(path) = open.pop() {
        for (guest, host) in direct_dependencies(root, &path)? {
            if found.insert(guest, host.clone()).is_none() {
                open.push(host);
            }
        }
    }
    Ok(found)
}

fn direct_dependencies(root: &Path, path: &Path) -> Result<Vec<(PathBuf, PathBuf)>, ElfError> {
    let bytes = fs::read(path).map_err(|source| ElfError::Unreadable {
        path: path.to_owned(),
        source,
    })?;
    let elf = Elf::parse(&bytes).map_err(|source| ElfError::NotElf {
        path: path.to_owned(),
        source,
    })?;
    let mut found = Vec::new();
    if let Some(interpreter) = elf.interpreter {
        found.push((PathBuf::from(interpreter), below(root, interpreter)));
    }
    for library in elf.libraries {
        let place = find_library(root, library).ok_or_else(|| ElfError::NoLibrary {
            path: path.to_owned(),
            library: library.to_owned(),
        })?;
        found.push(place);
    }
    Ok(found)
}

fn find_library(root: &Path, library: &str) -> Option<(PathBuf, PathBuf)> {
    LIBRARY_FOLDERS.iter().find_map(|folder| {
        let guest = Path::new(folder).join(library);
        let host = below(root, &guest);
        host.is_file().then_some((guest, host))
    })
}

/// The absolute path `path` of the guest as it lies below `root`.
#[must_use]
pub fn below(root: &Path, path: impl AsRef<Path>) -> PathBuf {
    let path = path.as_ref();
    root.join(path.strip_prefix("/").unwrap_or(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_real_program_brings_its_linker_and_the_c_library() {
        let shell = fs::canonicalize("/bin/sh").unwrap();
        let found = dependencies(Path::new("/"), &[shell]).unwrap();
        let has = |name: &str| found.keys().any(|path| path.ends_with(name));
        assert!(has("libc.so.6") && has("ld-linux-x86-64.so.2"), "{found:?}");
        assert!(found.values().all(|path| path.is_file()), "{found:?}");
    }

    #[test]
    fn a_library_that_is_nowhere_is_named_with_who_needs_it() {
        let empty = tempfile::tempdir().unwrap();
        let shell = fs::canonicalize("/bin/sh").unwrap();
        // The interpreter is looked up first and is missing as well in an empty root.
        let text = dependencies(empty.path(), &[shell.clone()])
            .unwrap_err()
            .to_string();
        assert!(
            text.contains("libc.so.6") && text.contains(shell.to_str().unwrap()),
            "{text}"
        );
    }

    #[test]
    fn what_is_no_program_is_refused_by_name() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "#!/bin/sh\n").unwrap();
        let error = dependencies(Path::new("/"), &[file.path().to_owned()]).unwrap_err();
        assert!(matches!(error, ElfError::NotElf { .. }), "{error}");
    }
}
