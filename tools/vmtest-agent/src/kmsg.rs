// SPDX-License-Identifier: GPL-2.0
//! The kernel log, record by record (Documentation/ABI/testing/dev-kmsg).

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;

use rustix::fs::OFlags;
use vmtest_proto::{LogRecord, Reply};

use crate::serve::{refusal, Answer};

const PATH: &str = "/dev/kmsg";

/// Longest record that the kernel hands out (`PRINTK_MESSAGE_MAX`) is 2 KiB.
const LONGEST_RECORD: usize = 8192;

/// Puts a line into the kernel log. Where that is impossible nobody could be told of it either.
pub fn note(text: &str) {
    if let Ok(mut log) = OpenOptions::new().write(true).open(PATH) {
        // Level 5 is "notice"; one record is one write.
        let _ = log.write_all(format!("<5>vmtest: {text}\n").as_bytes());
    }
}

/// The log as far as it has been read. Records are kept, since reading them all again for each
/// request takes the emulated processor a third of a second.
#[derive(Default)]
pub struct KernelLog {
    file: Option<File>,
    records: Vec<LogRecord>,
}

impl KernelLog {
    /// All records from sequence number `from` on.
    pub fn read(&mut self, from: u64) -> Answer {
        self.catch_up()
            .map_err(|error| refusal("read", PATH, &error))?;
        let wanted = self.records.iter().filter(|record| record.sequence >= from);
        let next = self
            .records
            .last()
            .map_or(0, |record| record.sequence.saturating_add(1));
        Ok(Reply::Log {
            records: wanted.cloned().collect(),
            next,
        })
    }

    fn catch_up(&mut self) -> io::Result<()> {
        let mut file = match self.file.take() {
            Some(file) => file,
            None => open()?,
        };
        let outcome = read_new(&mut file, &mut self.records);
        self.file = Some(file);
        outcome
    }
}

fn open() -> io::Result<File> {
    let nonblocking = i32::try_from(OFlags::NONBLOCK.bits()).map_err(io::Error::other)?;
    OpenOptions::new()
        .read(true)
        .custom_flags(nonblocking)
        .open(PATH)
}

fn read_new(log: &mut File, records: &mut Vec<LogRecord>) -> io::Result<()> {
    let mut buffer = [0; LONGEST_RECORD];
    loop {
        match log.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(length) => {
                let bytes = buffer.get(..length).unwrap_or_default();
                records.extend(parse(&String::from_utf8_lossy(bytes)));
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
            // The record was overwritten while we were about to read it; the next is fine.
            Err(error) if error.raw_os_error() == Some(rustix::io::Errno::PIPE.raw_os_error()) => {}
            Err(error) => return Err(error),
        }
    }
}

/// Reads `priority,sequence,microseconds,flags;text`, then lines that begin with a space and name
/// the device.
fn parse(record: &str) -> Option<LogRecord> {
    let (head, rest) = record.split_once(';')?;
    let mut fields = head.split(',');
    let priority: u32 = fields.next()?.parse().ok()?;
    let sequence = fields.next()?.parse().ok()?;
    let time_us = fields.next()?.parse().ok()?;
    let text = rest.lines().next().unwrap_or_default().to_owned();
    Some(LogRecord {
        sequence,
        level: u8::try_from(priority & 7).ok()?,
        time_us,
        text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_taken_apart() {
        let record = "6,339,5140900,-;NET: Registered\n SUBSYSTEM=net\n DEVICE=+net:lo\n";
        assert_eq!(
            parse(record),
            Some(LogRecord {
                sequence: 339,
                level: 6,
                time_us: 5_140_900,
                text: "NET: Registered".to_owned(),
            })
        );
    }

    #[test]
    fn the_facility_is_not_part_of_the_level() {
        assert_eq!(parse("13,1,2,-;vmtest: x").unwrap().level, 5);
    }

    #[test]
    fn what_is_no_record_gives_none() {
        assert_eq!(parse("nonsense"), None);
        assert_eq!(parse("6,x,5,-;text"), None);
    }
}
