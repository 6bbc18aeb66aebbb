// SPDX-License-Identifier: GPL-2.0
//! What is in a directory, to any depth.

use std::fs::{self, FileType};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use vmtest_proto::{Bytes, Entry, EntryKind, Refusal, Reply, Snapshot};

use crate::serve::{refusal, Answer};

/// Lists `path`, `depth` levels down, in order of path. Links are named and not followed.
pub fn list(path: &str, depth: u32) -> Answer {
    Ok(Reply::Entries(entries(path, depth, &[])?))
}

/// Reads all regular files of the list. Whatever is called as one of `skip` is left out.
pub fn snapshot(path: &str, depth: u32, skip: &[String]) -> Answer {
    let mut files = entries(path, depth, skip)?;
    files.retain(|entry| entry.kind == EntryKind::File);
    let read = |Entry { path, mode, .. }| {
        let content = fs::read(&path).map(Bytes);
        let content = content.map_err(|error| error.raw_os_error().unwrap_or(0));
        Snapshot {
            path,
            mode,
            content,
        }
    };
    Ok(Reply::Files(files.into_iter().map(read).collect()))
}

fn entries(path: &str, depth: u32, skip: &[String]) -> Result<Vec<Entry>, Refusal> {
    let mut entries = Vec::new();
    collect(Path::new(path), depth, skip, &mut entries)
        .map_err(|error| refusal("list", path, &error))?;
    entries.sort();
    Ok(entries)
}

fn collect(
    directory: &Path,
    depth: u32,
    skip: &[String],
    entries: &mut Vec<Entry>,
) -> io::Result<()> {
    if depth == 0 {
        return Ok(());
    }
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if skip.iter().any(|name| entry.file_name() == name.as_str()) {
            continue;
        }
        let path = entry.path();
        // What goes away while we look is no error: sysfs changes under us.
        let Ok(metadata) = fs::symlink_metadata(&path) else {
            continue;
        };
        entries.push(Entry {
            path: path.to_string_lossy().into_owned(),
            kind: kind(metadata.file_type()),
            mode: metadata.permissions().mode() & 0o7777,
        });
        if metadata.is_dir() {
            // Nor is a directory that may not be read.
            let _ = collect(&path, depth - 1, skip, entries);
        }
    }
    Ok(())
}

fn kind(of: FileType) -> EntryKind {
    if of.is_file() {
        EntryKind::File
    } else if of.is_dir() {
        EntryKind::Directory
    } else if of.is_symlink() {
        EntryKind::Link
    } else {
        EntryKind::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(reply: Reply, below: &Path) -> Vec<(String, EntryKind)> {
        let Reply::Entries(entries) = reply else {
            panic!("{reply:?}")
        };
        let name = |path: &str| {
            let below = Path::new(path).strip_prefix(below).unwrap();
            below.to_str().unwrap().to_owned()
        };
        entries
            .iter()
            .map(|entry| (name(&entry.path), entry.kind))
            .collect()
    }

    #[test]
    fn links_are_named_and_not_followed() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        fs::create_dir(root.join("policy0")).unwrap();
        fs::write(root.join("policy0/scaling_driver"), "").unwrap();
        std::os::unix::fs::symlink("policy0", root.join("cpufreq")).unwrap();
        let listed = names(list(root.to_str().unwrap(), 5).unwrap(), root);
        assert_eq!(
            listed,
            [
                ("cpufreq".to_owned(), EntryKind::Link),
                ("policy0".to_owned(), EntryKind::Directory),
                ("policy0/scaling_driver".to_owned(), EntryKind::File),
            ]
        );
    }

    #[test]
    fn depth_one_stays_in_the_directory() {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir_all(directory.path().join("a/b")).unwrap();
        let listed = names(
            list(directory.path().to_str().unwrap(), 1).unwrap(),
            directory.path(),
        );
        assert_eq!(listed, [("a".to_owned(), EntryKind::Directory)]);
    }

    #[test]
    fn a_snapshot_reads_files_and_leaves_out_what_it_is_told_to() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        fs::create_dir_all(root.join("policy0/stats")).unwrap();
        for file in [
            "policy0/boost",
            "policy0/scaling_cur_freq",
            "policy0/stats/total_trans",
        ] {
            fs::write(root.join(file), "1\n").unwrap();
        }
        let skip = ["stats", "scaling_cur_freq"].map(str::to_owned);
        let Ok(Reply::Files(files)) = snapshot(root.to_str().unwrap(), 3, &skip) else {
            panic!("no files");
        };
        let path = root.join("policy0/boost").to_str().unwrap().to_owned();
        let mode = files[0].mode;
        assert_eq!(
            files,
            [Snapshot {
                path,
                mode,
                content: Ok(Bytes::from("1\n"))
            }]
        );
    }
}
