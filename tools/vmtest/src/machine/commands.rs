// SPDX-License-Identifier: GPL-2.0
//! Commands in the guest.

use std::time::Duration;

use vmtest_proto::{Bytes, Exit, Reply, Request};

use super::{unexpected, GuestError, Machine, Result};

/// How much longer than the command itself the answer to it may take.
const COMMAND_GRACE: Duration = Duration::from_secs(10);

/// How long a command may take when nothing else is said.
const COMMAND_BOUND: Duration = Duration::from_secs(30);

/// A command that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// The command.
    pub command: String,
    /// How it ended.
    pub exit: Exit,
    /// What it wrote to standard output.
    pub stdout: String,
    /// What it wrote to standard error.
    pub stderr: String,
}

impl Ran {
    /// Itself, if it ended with exit code 0.
    ///
    /// # Errors
    ///
    /// [`GuestError::Failed`] with all that it wrote.
    pub fn ok(self) -> Result<Self> {
        if self.exit == Exit::Code(0) {
            return Ok(self);
        }
        let output = format!("{}{}", self.stdout, self.stderr);
        Err(GuestError::Failed {
            command: self.command,
            exit: self.exit,
            output,
        })
    }
}

/// A command that runs in the guest.
#[derive(Debug, PartialEq, Eq)]
pub struct Job(u32);

impl Machine {
    /// Runs a command to its end, whatever that is.
    ///
    /// # Errors
    ///
    /// When there is no such program, or the guest is gone.
    pub fn run(&mut self, argv: &[&str]) -> Result<Ran> {
        self.run_for(argv, COMMAND_BOUND)
    }

    /// Runs a command to its end or its bound.
    ///
    /// # Errors
    ///
    /// As [`Machine::run`].
    pub fn run_for(&mut self, argv: &[&str], bound: Duration) -> Result<Ran> {
        let command = argv.join(" ");
        let request = Request::Run {
            argv: argv.iter().map(|&argument| argument.to_owned()).collect(),
            stdin: Bytes::default(),
            bound_ms: u64::try_from(bound.as_millis()).unwrap_or(u64::MAX),
        };
        match self.ask_for(request, bound + COMMAND_GRACE)? {
            Reply::Ran {
                exit,
                stdout,
                stderr,
            } => Ok(Ran {
                command,
                exit,
                stdout: stdout.to_text(),
                stderr: stderr.to_text(),
            }),
            other => Err(unexpected(&format!("run {command}"), &other)),
        }
    }

    /// Starts a command and leaves it running.
    ///
    /// # Errors
    ///
    /// As [`Machine::run`].
    pub fn spawn(&mut self, argv: &[&str]) -> Result<Job> {
        let argv: Vec<String> = argv.iter().map(|&argument| argument.to_owned()).collect();
        match self.ask(Request::Spawn { argv })? {
            Reply::Job(job) => Ok(Job(job)),
            other => Err(unexpected("start a command", &other)),
        }
    }

    /// Kills what [`Machine::spawn`] started.
    ///
    /// # Errors
    ///
    /// When the guest is gone.
    pub fn kill(&mut self, job: Job) -> Result<()> {
        self.done(Request::Kill { job: job.0 })
    }
}
