// SPDX-License-Identifier: GPL-2.0
//! Runs the program.

use std::process::{Command, Output};

use serde_json::Value;

use crate::tree::Tree;

/// What a run left behind.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            code: output
                .status
                .code()
                .expect("the program was not killed by a signal"),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Run {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error} in {}", self.stdout))
    }

    /// Standard error without the root of the tree, which has another name every time.
    pub fn errors(&self, tree: &Tree) -> String {
        self.stderr.replace(&tree.root().display().to_string(), "")
    }
}

/// `pstatectl` on a tree, with arguments separated by blanks.
pub fn pstatectl(tree: &Tree, args: &str) -> Run {
    command(tree, args).output().unwrap().into()
}

/// The same, to be changed before it runs.
pub fn command(tree: &Tree, args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pstatectl"));
    command
        .args(args.split_whitespace())
        .env("PSTATECTL_ROOT", tree.root())
        .env_remove("NO_COLOR");
    command
}
