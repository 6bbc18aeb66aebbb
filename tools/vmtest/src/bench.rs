// SPDX-License-Identifier: GPL-2.0
//! Counts what the drivers' fast paths cost.
//!
//! A small module in the guest calls the fast paths of whichever driver is bound, between markers
//! that the platform notes together with the number of instructions executed so far. The C driver,
//! one that does nothing, and the module come one after the other on the same machine.

mod bounds;
mod chart;
mod count;
mod figure;
mod gap;
mod mark;
mod measure;
mod pattern;
mod report;
mod subject;
mod table;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{ensure, Context, Result};

pub use bounds::{exceeded, written_more};
pub use figure::Figure;
pub use measure::Measure;
pub use report::Report;
pub use subject::{Setting, Subject};

use crate::boot::{Boot, Host, NeverRan};
use crate::interrupt;
use crate::verdict::exit;

/// How long all of it may take, the boot aside.
const BOUND: Duration = Duration::from_secs(600);

/// Where the figures go, besides the terminal.
#[derive(Debug, Default)]
pub struct Files {
    /// All of them, as JSON.
    pub json: Option<PathBuf>,
    /// A chart.
    pub svg: Option<PathBuf>,
}

/// Boots the machine, measures, and says with its exit code whether it could.
#[must_use]
pub fn run(host: &Host, out: &Path, platform: &str, files: &Files) -> u8 {
    match measure_and_show(host, out, platform, files) {
        Ok(()) => exit::PASSED,
        Err(_) if interrupt::came() => exit::INTERRUPTED,
        Err(error) => {
            eprintln!("vmtest: {error:#}");
            if error.is::<NeverRan>() {
                exit::NEVER_RAN
            } else {
                exit::FAILED
            }
        }
    }
}

fn measure_and_show(host: &Host, out: &Path, platform: &str, files: &Files) -> Result<()> {
    let folder = out.join("bench");
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let boot = Boot {
        platform,
        cpus: 2,
        kernel_args: "amd_pstate=passive",
        counting: true,
    };
    let mut machine = host.boot(&boot, &folder)?;
    machine.set_bound(BOUND);
    let report = Report::measure(&mut Measure::new(&mut machine))?;
    ensure!(machine.end(), "the machine did not end when it was told to");

    print!("{}", table::tables(&report));
    if let Some(path) = &files.json {
        write(path, &(serde_json::to_string_pretty(&report)? + "\n"))?;
    }
    if let Some(path) = &files.svg {
        write(path, &chart::svg(&report))?;
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| path.display().to_string())
}
