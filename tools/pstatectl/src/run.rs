// SPDX-License-Identifier: GPL-2.0
//! One run of the program.

use std::ffi::OsString;

use cpufreq_sysfs::Reader;

use crate::cli::Cli;
use crate::command;
use crate::context::Context;
use crate::exit::Exit;
use crate::output;
use crate::problem::Problems;

/// Runs the program with these arguments, the first being its name, and says how it ended.
pub fn run(args: impl IntoIterator<Item = OsString>) -> Exit {
    let cli = match Cli::read(args) {
        Ok(cli) => cli,
        Err(usage) => return output::usage(&usage),
    };
    let mut problems = Problems::default();
    let context = Context::new(Reader::new(&cli.root));
    let answer = command::answer(&cli, &context, &mut problems);
    output::print(&answer, &problems, &cli)
}
