// SPDX-License-Identifier: GPL-2.0
//! Boots a kernel on a simulated platform and runs scenarios in it.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    vmtest::cli::main()
}
