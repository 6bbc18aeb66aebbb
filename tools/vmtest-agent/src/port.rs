// SPDX-License-Identifier: GPL-2.0
//! The channel to the host: the second serial port, as a clean stream of bytes.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};

use rustix::termios::{tcgetattr, tcsetattr, OptionalActions};

/// The second serial port; the first one is the console.
pub const PATH: &str = "/dev/ttyS1";

/// Baud rate. QEMU sends as fast as it can whatever is set, but derives from it how long it holds
/// back the interrupt for the last few bytes of a line; at the default of 9600 that is 4 ms.
const BAUD: u32 = 115_200;

/// Both directions of the channel.
pub struct Port {
    reader: BufReader<File>,
    writer: File,
}

impl Port {
    /// Opens the port and switches off all that a terminal does to the bytes.
    pub fn open() -> io::Result<Self> {
        let writer = OpenOptions::new().read(true).write(true).open(PATH)?;
        let mut settings = tcgetattr(&writer)?;
        settings.make_raw();
        settings.set_speed(BAUD)?;
        tcsetattr(&writer, OptionalActions::Flush, &settings)?;
        let reader = BufReader::new(writer.try_clone()?);
        Ok(Self { reader, writer })
    }

    /// The next line, or `None` when the host has hung up.
    pub fn next_line(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        let length = self.reader.read_until(b'\n', &mut line)?;
        Ok((length > 0).then_some(line))
    }

    /// Sends one line.
    pub fn send(&mut self, line: &[u8]) -> io::Result<()> {
        self.writer.write_all(line)
    }
}
