// SPDX-License-Identifier: GPL-2.0
//! Writes the answer and the problems.

pub mod duration;
pub mod speed;
pub mod style;
pub mod table;

use std::io::{self, Write};

use anstream::AutoStream;
use clap::error::ErrorKind;
use serde_json::{json, Map, Value};

use crate::cli::{Cli, Color, Command, UsageError};
use crate::command::Answer;
use crate::exit::Exit;
use crate::problem::Problems;

/// Version of the JSON documents: raised when a field changes its meaning or goes.
const SCHEMA: u32 = 1;

/// Writes the answer to standard output and the problems to standard error.
pub fn print(answer: &Answer, problems: &Problems, cli: &Cli) -> Exit {
    let choice = cli.color.into();
    let text = if cli.json {
        document(answer, problems, cli)
    } else {
        answer.text.clone()
    };
    let mut stderr = AutoStream::new(io::stderr(), choice);
    for line in problems.lines() {
        // A standard error that cannot be written leaves the exit code as the only witness.
        let _ = writeln!(stderr, "{}", style::error(&line));
    }
    let mut stdout = AutoStream::new(io::stdout(), choice);
    written(
        stdout
            .write_all(text.as_bytes())
            .and_then(|()| stdout.flush()),
        problems.exit(),
    )
}

/// Help and version go to standard output, a wrong command line to standard error and, with `--json`, also to the document.
pub fn usage(usage: &UsageError) -> Exit {
    let asked_for = matches!(
        usage.error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    );
    let exit = if asked_for { Exit::Ok } else { Exit::Usage };
    if usage.json && !asked_for {
        let message = usage.error.to_string();
        let error =
            json!({ "cpu": null, "kind": "usage", "file": null, "message": message.trim_end() });
        let text = pretty(&json!({ "schema": SCHEMA, "command": null, "errors": [error] }));
        if io::stdout().write_all(text.as_bytes()).is_err() {
            return Exit::Failure;
        }
    }
    written(usage.error.print(), exit)
}

/// A reader that has seen enough (`| head`) is no failure; anything else that stops output is.
fn written(result: io::Result<()>, exit: Exit) -> Exit {
    match result {
        Ok(()) => exit,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => exit,
        Err(error) => {
            let _ = writeln!(io::stderr(), "pstatectl: standard output: {error}");
            Exit::Failure
        }
    }
}

fn document(answer: &Answer, problems: &Problems, cli: &Cli) -> String {
    let command = match cli.command {
        Command::FrequencyInfo(_) => "frequency-info",
        Command::Info(_) => "info",
    };
    let mut document = Map::new();
    document.insert("schema".into(), json!(SCHEMA));
    document.insert("command".into(), json!(command));
    document.extend(answer.json.clone());
    let errors = problems.iter().map(crate::problem::Problem::json).collect();
    document.insert("errors".into(), Value::Array(errors));
    pretty(&Value::Object(document))
}

fn pretty(document: &Value) -> String {
    format!("{document:#}\n")
}

impl From<Color> for anstream::ColorChoice {
    fn from(color: Color) -> Self {
        match color {
            Color::Auto => Self::Auto,
            Color::Always => Self::Always,
            Color::Never => Self::Never,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_pipe_keeps_the_exit_code_and_a_full_disk_does_not() {
        assert_eq!(
            written(Err(io::ErrorKind::BrokenPipe.into()), Exit::Partial),
            Exit::Partial
        );
        assert_eq!(
            written(Err(io::ErrorKind::StorageFull.into()), Exit::Ok),
            Exit::Failure
        );
    }
}
