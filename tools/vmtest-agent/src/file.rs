// SPDX-License-Identifier: GPL-2.0
//! Files, read and written the way that sysfs and `/dev/cpu/N/msr` notice.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;

use vmtest_proto::{Bytes, Reply};

use crate::serve::{refusal, Answer};

/// Most bytes that one read at an offset may ask for.
const LONGEST_READ: usize = 64 * 1024;

/// Reads the whole file.
pub fn read(path: &str) -> Answer {
    match fs::read(path) {
        Ok(data) => Ok(Reply::Data(Bytes(data))),
        Err(error) => Err(refusal("read", path, &error)),
    }
}

/// Reads at most `length` bytes at `offset` with one system call.
pub fn read_at(path: &str, offset: u64, length: u32) -> Answer {
    let mut data = vec![0; (length as usize).min(LONGEST_READ)];
    let count = File::open(path).and_then(|file| file.read_at(&mut data, offset));
    match count {
        Ok(count) => {
            data.truncate(count);
            Ok(Reply::Data(Bytes(data)))
        }
        Err(error) => Err(refusal("read", path, &error)),
    }
}

/// Writes all bytes with one system call; each call is one store to an attribute.
pub fn write(path: &str, data: &[u8]) -> Answer {
    store(path, data, |mut file| file.write(data))
}

/// Writes all bytes at `offset` with one system call.
pub fn write_at(path: &str, offset: u64, data: &[u8]) -> Answer {
    store(path, data, |file| file.write_at(data, offset))
}

fn store(path: &str, data: &[u8], write: impl Fn(&File) -> io::Result<usize>) -> Answer {
    let count = OpenOptions::new()
        .write(true)
        .open(path)
        .and_then(|file| write(&file));
    match count {
        Ok(count) if count == data.len() => Ok(Reply::Done),
        Ok(count) => {
            let short = io::Error::other(format!("took only {count} of {} bytes", data.len()));
            Err(refusal("write", path, &short))
        }
        Err(error) => Err(refusal("write", path, &error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_file_is_refused_with_its_name_and_errno() {
        let refusal = read("/no/such/file").unwrap_err();
        assert_eq!(refusal.errno, 2);
        assert!(refusal.text.contains("/no/such/file"), "{refusal}");
    }

    #[test]
    fn a_write_changes_no_more_than_it_says() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "abcdef").unwrap();
        let path = file.path().to_str().unwrap();
        assert_eq!(write_at(path, 2, b"XY").unwrap(), Reply::Done);
        assert_eq!(read(path).unwrap(), Reply::Data(Bytes::from("abXYef")));
        assert_eq!(read_at(path, 3, 2).unwrap(), Reply::Data(Bytes::from("Ye")));
    }

    #[test]
    fn a_write_does_not_make_a_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("new");
        assert_eq!(write(path.to_str().unwrap(), b"1").unwrap_err().errno, 2);
        assert!(!path.exists());
    }
}
