// SPDX-License-Identifier: GPL-2.0
//! The first process of a `vmtest` guest.
//!
//! It mounts what a scenario looks at, says hello on the second serial port and then does what the
//! host asks, one request at a time. It has no opinion: what is right or wrong is decided on the
//! host. If it ends, so does the kernel ("attempted to kill init"), which the host notices.

#![forbid(unsafe_code)]

mod boot;
mod command;
mod exit;
mod file;
mod jobs;
mod kmsg;
mod list;
mod port;
mod serve;

use std::process::ExitCode;

use anyhow::Context;

fn main() -> ExitCode {
    let Err(error) = run();
    kmsg::note(&format!("the agent gives up: {error:#}"));
    ExitCode::FAILURE
}

fn run() -> anyhow::Result<std::convert::Infallible> {
    boot::mount_all()?;
    let port = port::Port::open().context(port::PATH)?;
    kmsg::note("the agent is ready");
    serve::Server::new(port).serve()
}
