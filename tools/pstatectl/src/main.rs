// SPDX-License-Identifier: GPL-2.0
//! Entry of `pstatectl`; see the library for the rest.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    pstatectl::run(std::env::args_os()).into()
}
