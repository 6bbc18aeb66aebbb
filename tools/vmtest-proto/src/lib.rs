// SPDX-License-Identifier: GPL-2.0
//! Messages between the `vmtest` harness on the host and its agent in the guest.
//!
//! Each message is one JSON object on one line. The agent speaks first, with a [`Hello`]; from then
//! on the host sends one [`Request`] at a time and the agent answers each with one [`Reply`].
//! The line carries a number so that an answer that comes too late is never taken for the next one.

#![forbid(unsafe_code)]

mod bytes;
mod line;
mod reply;
mod request;

pub use bytes::Bytes;
pub use line::{decode, encode, DecodeError, Numbered};
pub use reply::{Entry, EntryKind, Exit, Hello, LogRecord, Refusal, Reply, Snapshot};
pub use request::Request;

/// Version of the messages. The agent names it in its [`Hello`]; the host refuses another one.
pub const PROTOCOL: u32 = 2;

/// Port of QEMU's `isa-debug-exit` device, through which the agent ends the machine.
pub const EXIT_PORT: u16 = 0xf4;

/// Value that the agent writes to [`EXIT_PORT`] for an end that the host asked for.
/// QEMU makes `(value << 1) | 1` of it, so 63 cannot be confused with QEMU's own 0 and 1.
pub const EXIT_VALUE: u8 = 31;
