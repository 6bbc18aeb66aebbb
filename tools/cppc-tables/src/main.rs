// SPDX-License-Identifier: GPL-2.0
//! Writes the ACPI tables of a described machine into a folder.

#![forbid(unsafe_code)]

use std::path::PathBuf;

use anyhow::Context;
use clap::Parser;
use cppc_model::Platform;

/// Write the ACPI tables of a described machine, and print what else QEMU needs
/// for it
#[derive(Parser)]
#[command(version)]
struct Args {
    /// Description of the machine
    #[arg(long, value_name = "FILE")]
    platform: PathBuf,

    /// Number of CPUs [default: as many as the description lists]
    #[arg(long, value_name = "N")]
    cpus: Option<usize>,

    /// Folder for the tables
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let mut platform = Platform::load(&args.platform)?;
    if let Some(cpus) = args.cpus {
        platform = platform.with_cpus(cpus)?;
    }
    let path = args.out.join("ssdt.aml");
    std::fs::write(&path, cppc_tables::ssdt(&platform))
        .with_context(|| format!("cannot write {}", path.display()))?;
    println!("-acpitable file={}", path.display());
    println!("-cpu {}", platform.qemu_cpu());
    println!("-append {:?}", platform.kernel_args().join(" "));
    Ok(())
}
