// SPDX-License-Identifier: GPL-2.0
//! One request after the other, each to the part that does it.

use std::convert::Infallible;
use std::time::Duration;

use anyhow::{bail, Context};
use vmtest_proto::{decode, encode, Hello, Numbered, Refusal, Reply, Request, PROTOCOL};

use crate::jobs::Jobs;
use crate::kmsg::KernelLog;
use crate::port::Port;
use crate::{command, exit, file, kmsg, list};

/// The agent at work.
pub struct Server {
    port: Port,
    jobs: Jobs,
    log: KernelLog,
}

impl Server {
    /// A server with nothing running yet.
    pub fn new(port: Port) -> Self {
        Self {
            port,
            jobs: Jobs::default(),
            log: KernelLog::default(),
        }
    }

    /// Says hello and serves until the machine ends.
    pub fn serve(&mut self) -> anyhow::Result<Infallible> {
        let release = rustix::system::uname()
            .release()
            .to_string_lossy()
            .into_owned();
        self.port.send(&encode(&Hello {
            protocol: PROTOCOL,
            release,
        })?)?;
        loop {
            let Some(line) = self.port.next_line().context("wait for a request")? else {
                bail!("the host has hung up");
            };
            let Numbered { number, message } = decode::<Numbered<Request>>(&line)?;
            let message = self.answer(message);
            self.jobs.reap();
            self.port.send(&encode(&Numbered { number, message })?)?;
        }
    }

    fn answer(&mut self, request: Request) -> Reply {
        let answer = match request {
            Request::Ping => Ok(Reply::Done),
            Request::Read { path } => file::read(&path),
            Request::ReadAt {
                path,
                offset,
                length,
            } => file::read_at(&path, offset, length),
            Request::Write { path, data } => file::write(&path, &data.0),
            Request::WriteAt { path, offset, data } => file::write_at(&path, offset, &data.0),
            Request::List { path, depth } => list::list(&path, depth),
            Request::Snapshot { path, depth, skip } => list::snapshot(&path, depth, &skip),
            Request::Run {
                argv,
                stdin,
                bound_ms,
            } => command::run(&argv, stdin.0, Duration::from_millis(bound_ms)),
            Request::Spawn { argv } => self.jobs.start(&argv),
            Request::Kill { job } => self.jobs.kill(job),
            Request::Log { from } => self.log.read(from),
            Request::Note { text } => {
                kmsg::note(&text);
                Ok(Reply::Done)
            }
            Request::Batch(requests) => Ok(Reply::Batch(
                requests
                    .into_iter()
                    .map(|request| self.answer(request))
                    .collect(),
            )),
            Request::Exit => exit::exit(),
        };
        answer.unwrap_or_else(Reply::Refused)
    }
}

/// What each part gives back.
pub type Answer = Result<Reply, Refusal>;

/// Makes a refusal of an error of the kernel.
pub fn refusal(what: &str, subject: &str, error: &std::io::Error) -> Refusal {
    Refusal {
        errno: error.raw_os_error().unwrap_or(0),
        text: format!("{what} {subject}: {error}"),
    }
}
