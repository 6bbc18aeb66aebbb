// SPDX-License-Identifier: GPL-2.0
//! The commands: each collects an answer, none prints.

pub mod frequency_info;
pub mod info;

mod level;

use serde_json::{Map, Value};

use crate::cli::{Cli, Command};
use crate::context::Context;
use crate::problem::Problems;

/// What a command found, in both forms.
#[derive(Debug, Default)]
pub struct Answer {
    /// For people and for scripts that parse text.
    pub text: String,
    /// For programs: the fields of the document beside `schema`, `command` and `errors`.
    pub json: Map<String, Value>,
}

/// Runs the command that was asked for.
pub fn answer(cli: &Cli, context: &Context, problems: &mut Problems) -> Answer {
    match &cli.command {
        Command::FrequencyInfo(args) => {
            frequency_info::answer(args, cli.cpu.as_ref(), context, problems)
        }
        Command::Info(args) => {
            info::answer(args.cpu.as_ref().or(cli.cpu.as_ref()), context, problems)
        }
    }
}
