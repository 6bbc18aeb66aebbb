// SPDX-License-Identifier: GPL-2.0
//! The end of the machine.

use std::fs::OpenOptions;
use std::os::unix::fs::FileExt;

use vmtest_proto::{EXIT_PORT, EXIT_VALUE};

use crate::serve::{refusal, Answer};

const PATH: &str = "/dev/port";

/// Ends the machine through QEMU's debug exit. A power-off goes through ACPI and the firmware, and
/// after a suspend it does not always end QEMU.
pub fn exit() -> Answer {
    let port = OpenOptions::new().write(true).open(PATH);
    let written = port.and_then(|port| port.write_all_at(&[EXIT_VALUE], u64::from(EXIT_PORT)));
    match written {
        // QEMU is gone before this is reached, unless it has no such device.
        Ok(()) => Err(refusal(
            "exit through",
            PATH,
            &std::io::Error::other("still running"),
        )),
        Err(error) => Err(refusal("exit through", PATH, &error)),
    }
}
