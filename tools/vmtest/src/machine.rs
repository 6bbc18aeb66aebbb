// SPDX-License-Identifier: GPL-2.0
//! A running guest, as scenarios see it.

mod commands;
mod error;
mod logs;
mod sysfs;
mod system;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cppc_model::Platform;
use vmtest_proto::{decode, encode, Hello, Numbered, Reply, Request, EXIT_VALUE};

pub use commands::{Job, Ran};
pub use error::{GuestError, Result};
pub use logs::Moment;
pub use system::{policy, CPUS};

use crate::boot::files;
use crate::driver::Driver;
use crate::platform::Prepared;
use crate::process::Qemu;
use crate::registers::RegisterLog;

/// How long the agent may take for anything but a command.
const ANSWER_BOUND: Duration = Duration::from_secs(30);

/// How long QEMU may take to end when the agent has ended the machine.
const EXIT_BOUND: Duration = Duration::from_secs(5);

/// A guest that answers. It is killed when this is dropped.
pub struct Machine {
    qemu: Qemu,
    number: u64,
    deadline: Instant,
    prepared: Prepared,
    registers: RegisterLog,
    hello: Hello,
    folder: PathBuf,
    boot_time: Duration,
    /// The driver that scenarios load.
    pub driver: Driver,
}

impl Machine {
    pub(crate) fn new(
        qemu: Qemu,
        prepared: Prepared,
        hello: Hello,
        folder: &Path,
        boot_time: Duration,
    ) -> Self {
        let deadline = Instant::now() + ANSWER_BOUND;
        let registers = RegisterLog::new(folder.join(files::REGISTERS));
        let folder = folder.to_owned();
        let driver = Driver::default();
        Self {
            qemu,
            number: 0,
            deadline,
            prepared,
            registers,
            hello,
            folder,
            boot_time,
            driver,
        }
    }

    /// The platform that the machine runs on, with as many CPUs as the machine has.
    #[must_use]
    pub fn platform(&self) -> &Platform {
        &self.prepared.platform
    }

    /// Folder with the machine's logs.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Time from the start of QEMU to the agent's hello.
    #[must_use]
    pub fn boot_time(&self) -> Duration {
        self.boot_time
    }

    /// Release of the running kernel.
    #[must_use]
    pub fn release(&self) -> &str {
        &self.hello.release
    }

    /// From now on, all requests together may take this long.
    pub fn set_bound(&mut self, bound: Duration) {
        self.deadline = Instant::now() + bound;
    }

    /// Sends many requests at once; each has its own answer, refused ones too.
    ///
    /// # Errors
    ///
    /// When the guest is gone.
    pub fn batch(&mut self, requests: Vec<Request>) -> Result<Vec<Reply>> {
        match self.ask(Request::Batch(requests))? {
            Reply::Batch(replies) => Ok(replies),
            other => Err(unexpected("a batch", &other)),
        }
    }

    /// Does nothing, there and back.
    ///
    /// # Errors
    ///
    /// When the guest is gone.
    pub fn ping(&mut self) -> Result<()> {
        self.done(Request::Ping)
    }

    /// Ends the machine through the agent, or kills it when that has no effect. Says whether the
    /// guest was still able to end by itself.
    pub fn end(mut self) -> bool {
        self.number += 1;
        let exit = Numbered {
            number: self.number,
            message: Request::Exit,
        };
        let sent = encode(&exit).is_ok_and(|line| self.qemu.send(&line).is_ok());
        let status = if sent {
            self.qemu.wait(EXIT_BOUND)
        } else {
            None
        };
        status.and_then(|status| status.code()) == Some(i32::from(EXIT_VALUE) * 2 + 1)
    }

    pub(crate) fn done(&mut self, request: Request) -> Result<()> {
        let subject = name(&request);
        match self.ask(request)? {
            Reply::Done => Ok(()),
            other => Err(unexpected(&subject, &other)),
        }
    }

    pub(crate) fn ask(&mut self, request: Request) -> Result<Reply> {
        self.ask_for(request, ANSWER_BOUND)
    }

    pub(crate) fn ask_for(&mut self, request: Request, bound: Duration) -> Result<Reply> {
        let subject = name(&request);
        let channel = |source| GuestError::Channel {
            request: subject.clone(),
            source,
        };
        let garbage = |reason| GuestError::Garbage {
            request: subject.clone(),
            reason,
        };
        self.number += 1;
        let line = encode(&Numbered {
            number: self.number,
            message: request,
        });
        self.qemu
            .send(&line.map_err(|error| garbage(error.to_string()))?)
            .map_err(channel)?;
        let left = self.deadline.saturating_duration_since(Instant::now());
        let line = self.qemu.receive(bound.min(left)).map_err(channel)?;
        let reply: Numbered<Reply> = decode(&line).map_err(|error| garbage(error.to_string()))?;
        if reply.number != self.number {
            return Err(garbage(format!(
                "answer {} to request {}",
                reply.number, self.number
            )));
        }
        match reply.message {
            Reply::Refused(refusal) => Err(GuestError::Refused(refusal)),
            message => Ok(message),
        }
    }
}

fn unexpected(request: &str, reply: &Reply) -> GuestError {
    GuestError::Garbage {
        request: request.to_owned(),
        reason: format!("answered with {reply:?}"),
    }
}

/// The request in a few words, for errors.
fn name(request: &Request) -> String {
    match request {
        Request::Read { path } | Request::ReadAt { path, .. } => format!("read {path}"),
        Request::Write { path, data } | Request::WriteAt { path, data, .. } => {
            format!("write {data:?} to {path}")
        }
        Request::List { path, .. } | Request::Snapshot { path, .. } => format!("list {path}"),
        Request::Run { argv, .. } | Request::Spawn { argv } => format!("run {}", argv.join(" ")),
        Request::Batch(requests) => format!("a batch of {}", requests.len()),
        other => format!("{other:?}"),
    }
}
