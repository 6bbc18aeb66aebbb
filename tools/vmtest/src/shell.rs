// SPDX-License-Identifier: GPL-2.0
//! A machine for people: each line of standard input is a command for the guest's shell.

use std::io::{self, BufRead, Write};
use std::path::Path;
use std::time::Duration;

use crate::boot::{Boot, Host};
use crate::machine::{GuestError, Machine};
use crate::verdict::exit;

/// How long one command may take.
const COMMAND_BOUND: Duration = Duration::from_secs(600);

/// Boots a machine and serves until the input ends.
#[must_use]
pub fn run(host: &Host, out: &Path, platform: &str, cpus: usize, kernel_args: &str) -> u8 {
    let folder = out.join("shell");
    if let Err(error) = std::fs::create_dir_all(&folder) {
        eprintln!("vmtest: {}: {error}", folder.display());
        return exit::NEVER_RAN;
    }
    let mut machine = match host.boot(
        &Boot {
            platform,
            cpus,
            kernel_args,
            counting: false,
        },
        &folder,
    ) {
        Ok(machine) => machine,
        Err(never_ran) => {
            eprintln!("vmtest: {never_ran}");
            return exit::NEVER_RAN;
        }
    };
    eprintln!(
        "{} on {platform} after {:.1} s; logs are in {}",
        machine.release(),
        machine.boot_time().as_secs_f64(),
        folder.display()
    );
    match serve(&mut machine) {
        Ok(()) => {
            machine.end();
            exit::PASSED
        }
        Err(error) => {
            eprintln!("vmtest: {error}");
            exit::FAILED
        }
    }
}

fn serve(machine: &mut Machine) -> Result<(), GuestError> {
    let mut lines = io::stdin().lock().lines();
    loop {
        eprint!("# ");
        let _ = io::stderr().flush();
        let Some(Ok(line)) = lines.next() else {
            return Ok(());
        };
        machine.set_bound(COMMAND_BOUND);
        let ran = machine.run_for(&["sh", "-c", &line], COMMAND_BOUND)?;
        print!("{}", ran.stdout);
        eprint!("{}", ran.stderr);
        if ran.clone().ok().is_err() {
            eprintln!("({})", ran.exit);
        }
    }
}
