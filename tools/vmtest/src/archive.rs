// SPDX-License-Identifier: GPL-2.0
//! The initramfs as a tree of entries, and as the cpio archive that the kernel unpacks.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use cpio::newc::{self, ModeFileType};

/// One entry of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Node {
    Directory,
    File { mode: u32, data: Vec<u8> },
    Link { target: String },
    Device { major: u32, minor: u32 },
}

/// A tree of files for the guest's root. Directories appear by themselves.
#[derive(Debug, Clone, Default)]
pub struct Archive {
    // Sorted, so that a directory comes before what is in it.
    nodes: BTreeMap<PathBuf, Node>,
}

impl Archive {
    /// Adds a directory and those above it.
    pub fn directory(&mut self, path: impl AsRef<Path>) {
        self.put(path.as_ref(), Node::Directory);
    }

    /// Adds a file with permission bits `mode`.
    pub fn file(&mut self, path: impl AsRef<Path>, mode: u32, data: Vec<u8>) {
        self.put(path.as_ref(), Node::File { mode, data });
    }

    /// Adds a symbolic link to `target`.
    pub fn link(&mut self, path: impl AsRef<Path>, target: impl Into<String>) {
        self.put(
            path.as_ref(),
            Node::Link {
                target: target.into(),
            },
        );
    }

    /// Adds a character device.
    pub fn device(&mut self, path: impl AsRef<Path>, major: u32, minor: u32) {
        self.put(path.as_ref(), Node::Device { major, minor });
    }

    /// Whether there is an entry at `path`.
    #[must_use]
    pub fn contains(&self, path: impl AsRef<Path>) -> bool {
        self.nodes.contains_key(&relative(path.as_ref()))
    }

    /// Writes the archive in the "newc" format, the only one that the kernel knows.
    ///
    /// # Errors
    ///
    /// When `output` takes no more, or a file has 4 GiB or more.
    pub fn write<W: Write>(&self, mut output: W) -> io::Result<()> {
        for (number, (path, node)) in (1..).zip(&self.nodes) {
            output = write_node(output, number, path, node)?;
        }
        newc::trailer(output)?.flush()
    }

    fn put(&mut self, path: &Path, node: Node) {
        let path = relative(path);
        for parent in path
            .ancestors()
            .skip(1)
            .filter(|parent| *parent != Path::new(""))
        {
            self.nodes
                .entry(parent.to_owned())
                .or_insert(Node::Directory);
        }
        self.nodes.insert(path, node);
    }
}

/// The path as it stands in the archive: without root, and without anything that leads out of it.
fn relative(path: &Path) -> PathBuf {
    path.components()
        .filter(|part| matches!(part, Component::Normal(_)))
        .collect()
}

fn write_node<W: Write>(output: W, number: u32, path: &Path, node: &Node) -> io::Result<W> {
    let builder = newc::Builder::new(&path.to_string_lossy())
        .ino(number)
        .nlink(1);
    let (builder, data): (_, &[u8]) = match node {
        Node::Directory => (
            builder
                .mode(0o755)
                .set_mode_file_type(ModeFileType::Directory),
            &[],
        ),
        Node::File { mode, data } => (
            builder
                .mode(*mode)
                .set_mode_file_type(ModeFileType::Regular),
            data,
        ),
        Node::Link { target } => (
            builder
                .mode(0o777)
                .set_mode_file_type(ModeFileType::Symlink),
            target.as_bytes(),
        ),
        Node::Device { major, minor } => {
            let builder = builder.rdev_major(*major).rdev_minor(*minor);
            (
                builder.mode(0o600).set_mode_file_type(ModeFileType::Char),
                &[],
            )
        }
    };
    let size = u32::try_from(data.len()).map_err(io::Error::other)?;
    let mut writer = builder.write(output, size);
    writer.write_all(data)?;
    writer.finish()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    /// Unpacks an archive into (name, mode, content).
    fn unpack(bytes: &[u8]) -> Vec<(String, u32, Vec<u8>)> {
        let mut found = Vec::new();
        let mut rest = bytes;
        loop {
            let mut reader = newc::Reader::new(rest).unwrap();
            if reader.entry().is_trailer() {
                return found;
            }
            let (name, mode) = (reader.entry().name().to_owned(), reader.entry().mode());
            let mut data = Vec::new();
            reader.read_to_end(&mut data).unwrap();
            rest = reader.finish().unwrap();
            found.push((name, mode, data));
        }
    }

    fn written(archive: &Archive) -> Vec<u8> {
        let mut bytes = Vec::new();
        archive.write(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn directories_come_before_what_is_in_them() {
        let mut archive = Archive::default();
        archive.file("/usr/bin/cpupower", 0o755, b"elf".to_vec());
        archive.link("/bin", "usr/bin");
        let names: Vec<_> = unpack(&written(&archive))
            .into_iter()
            .map(|entry| entry.0)
            .collect();
        assert_eq!(names, ["bin", "usr", "usr/bin", "usr/bin/cpupower"]);
    }

    #[test]
    fn content_and_mode_survive() {
        let mut archive = Archive::default();
        archive.file("/init", 0o755, b"\x7fELF\0odd".to_vec());
        assert_eq!(
            unpack(&written(&archive)),
            [("init".to_owned(), 0o100_755, b"\x7fELF\0odd".to_vec())]
        );
    }

    #[test]
    fn a_device_carries_its_numbers() {
        let mut archive = Archive::default();
        archive.device("/dev/console", 5, 1);
        let bytes = written(&archive);
        let mut reader = newc::Reader::new(&*bytes).unwrap();
        assert_eq!(reader.entry().name(), "dev");
        reader = newc::Reader::new(reader.finish().unwrap()).unwrap();
        let entry = reader.entry();
        assert_eq!((entry.rdev_major(), entry.rdev_minor()), (5, 1));
        assert_eq!(entry.mode() & 0o170_000, 0o020_000);
    }

    #[test]
    fn no_path_leads_out_of_the_root() {
        let mut archive = Archive::default();
        archive.file("/a/../../etc/passwd", 0o644, Vec::new());
        assert!(archive.contains("a/etc/passwd"));
    }
}
