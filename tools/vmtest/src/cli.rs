// SPDX-License-Identifier: GPL-2.0
//! The command line.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::iter;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::{Args, Parser, Subcommand};

use crate::boot::Host;
use crate::driver::Driver;
use crate::guest::Parts;
use crate::runner::Runner;
use crate::scenario::{self, Scenario};
use crate::verdict::exit;
use crate::{bench, demo, interrupt, qemu, shell};

/// Boots a kernel on a simulated platform and runs scenarios in it.
///
/// Exit codes: 0 all passed; 1 a scenario failed; 2 wrong usage; 69 a machine never ran;
/// 130 interrupted.
#[derive(Debug, Parser)]
#[command(name = "vmtest", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run scenarios, all or those whose names contain one of the filters
    Run {
        #[command(flatten)]
        paths: Paths,
        /// Driver to run with; the reference is the kernel's own, for scenarios that allow it
        #[arg(long, value_enum, default_value_t)]
        driver: Driver,
        /// Keep the logs of scenarios that pass as well
        #[arg(long)]
        keep: bool,
        /// Give each scenario a machine of its own
        #[arg(long)]
        fresh: bool,
        /// Parts of scenarios' names
        filters: Vec<String>,
    },
    /// List the scenarios
    List {
        /// Parts of scenarios' names
        filters: Vec<String>,
    },
    /// Boot a desktop part, load the driver and show what it does
    Demo {
        #[command(flatten)]
        paths: Paths,
    },
    /// Count what the drivers' fast paths cost, the C driver's and the module's
    Bench {
        #[command(flatten)]
        paths: Paths,
        /// Platform to measure on
        #[arg(long, default_value = "zen3-uniform")]
        platform: String,
        /// File for all figures, as JSON
        #[arg(long)]
        json: Option<PathBuf>,
        /// File for a chart
        #[arg(long)]
        svg: Option<PathBuf>,
    },
    /// Boot a machine and run commands in it, one a line from standard input
    Shell {
        #[command(flatten)]
        paths: Paths,
        /// Platform to boot
        #[arg(long, default_value = "zen4-desktop")]
        platform: String,
        /// Number of CPUs
        #[arg(long, default_value_t = 2)]
        cpus: usize,
        /// Kernel arguments
        #[arg(long, default_value = "amd_pstate=disable")]
        append: String,
    },
}

/// Where everything is.
#[derive(Debug, Args)]
struct Paths {
    /// QEMU
    #[arg(long, env = "VMTEST_QEMU", default_value = "qemu-system-x86_64")]
    qemu: PathBuf,
    /// The kernel to boot
    #[arg(long, env = "VMTEST_KERNEL")]
    kernel: PathBuf,
    /// Its modules, …/lib/modules/<release>
    #[arg(long, env = "VMTEST_MODULES")]
    modules: PathBuf,
    /// The module under test, amd_pstate_rs.ko
    #[arg(long, env = "VMTEST_MODULE")]
    module: PathBuf,
    /// The benchmark's module, pstate_bench.ko; without it nothing can be counted
    #[arg(long, env = "VMTEST_BENCH_MODULE")]
    bench_module: Option<PathBuf>,
    /// The platform plugin, libcppc_qemu.so
    #[arg(long, env = "VMTEST_PLUGIN")]
    plugin: PathBuf,
    /// Folder with the platforms' descriptions
    #[arg(long, env = "VMTEST_PLATFORMS")]
    platforms: PathBuf,
    /// The agent's program
    #[arg(long, env = "VMTEST_AGENT")]
    agent: PathBuf,
    /// pstatectl's program
    #[arg(long, env = "VMTEST_PSTATECTL")]
    pstatectl: PathBuf,
    /// Folder for the logs
    #[arg(long, env = "VMTEST_OUT", default_value = "build/vmtest")]
    out: PathBuf,
    /// Tree that the guest's programs are taken from
    #[arg(long, env = "VMTEST_ROOT", default_value = "/")]
    root: PathBuf,
    /// Seconds that a machine may take to boot
    #[arg(long, env = "VMTEST_BOOT_BOUND", default_value_t = 120)]
    boot_bound: u64,
}

/// Runs what the command line asks for.
#[must_use]
pub fn main() -> ExitCode {
    // clap itself ends with code 2 where the usage is wrong.
    let code = match Cli::parse().command {
        Command::List { filters } => list(&filters),
        Command::Run {
            paths,
            driver,
            keep,
            fresh,
            filters,
        } => run(&paths, driver, keep, fresh, &filters),
        Command::Demo { paths } => with_host(&paths, demo::run),
        Command::Bench {
            paths,
            platform,
            json,
            svg,
        } => with_host(&paths, |host, out| {
            let files = bench::Files { json, svg };
            bench::run(host, out, &platform, &files)
        }),
        Command::Shell {
            paths,
            platform,
            cpus,
            append,
        } => with_host(&paths, |host, out| {
            shell::run(host, out, &platform, cpus, &append)
        }),
    };
    code.into()
}

fn list(filters: &[String]) -> u8 {
    let chosen = chosen(filters);
    let width = chosen
        .iter()
        .map(|scenario| scenario.name.len())
        .max()
        .unwrap_or(0);
    for Scenario { name, about, .. } in &chosen {
        println!("{name:width$}  {about}");
    }
    no_match(&chosen, filters).unwrap_or(exit::PASSED)
}

fn run(paths: &Paths, driver: Driver, keep: bool, fresh: bool, filters: &[String]) -> u8 {
    let mut chosen = chosen(filters);
    if let Some(code) = no_match(&chosen, filters) {
        return code;
    }
    if driver == Driver::Reference {
        chosen.retain(|scenario| scenario.with_reference);
    }
    for scenario in &mut chosen {
        scenario.shared &= !fresh;
    }
    with_host(paths, |host, out| {
        let begin = Instant::now();
        let tally = Runner::new(host, out, driver, keep).run(&chosen);
        println!(
            "{:.0} s; logs of failures are in {}",
            begin.elapsed().as_secs_f64(),
            out.display()
        );
        println!("{tally}");
        tally.exit_code()
    })
}

fn chosen(filters: &[String]) -> Vec<Scenario> {
    let wanted = |name: &str| {
        filters.is_empty() || filters.iter().any(|filter| name.contains(filter.as_str()))
    };
    scenario::all()
        .filter(|scenario| wanted(scenario.name))
        .copied()
        .collect()
}

fn no_match(chosen: &[Scenario], filters: &[String]) -> Option<u8> {
    chosen.is_empty().then(|| {
        eprintln!(
            "vmtest: no scenario's name contains {}",
            filters.join(" or ")
        );
        exit::USAGE
    })
}

/// Prepares what all machines have in common and goes on with it.
fn with_host(paths: &Paths, go_on: impl FnOnce(&Host, &Path) -> u8) -> u8 {
    let scratch = match tempfile::tempdir() {
        Ok(scratch) => scratch,
        Err(error) => return unavailable(&anyhow::Error::from(error).context("make a folder")),
    };
    match prepare(paths, scratch.path()) {
        Ok(host) => go_on(&host, &paths.out),
        Err(error) => unavailable(&error),
    }
}

fn unavailable(error: &anyhow::Error) -> u8 {
    eprintln!("vmtest: no machine can run: {error:#}");
    exit::NEVER_RAN
}

fn prepare(paths: &Paths, scratch: &Path) -> Result<Host> {
    interrupt::watch().context("watch for signals")?;
    qemu::check(&paths.qemu)?;
    for file in [&paths.kernel, &paths.plugin, &paths.platforms] {
        fs::metadata(file).with_context(|| file.display().to_string())?;
    }
    let parts = Parts {
        root: paths.root.clone(),
        agent: paths.agent.clone(),
        modules: paths.modules.clone(),
        own_modules: iter::once(&paths.module)
            .chain(&paths.bench_module)
            .cloned()
            .collect(),
        pstatectl: paths.pstatectl.clone(),
    };
    let initrd = scratch.join("initrd");
    let mut file = BufWriter::new(File::create(&initrd)?);
    parts
        .build()?
        .write(&mut file)
        .and_then(|()| file.flush())
        .context("write the initramfs")?;
    Ok(Host {
        qemu: paths.qemu.clone(),
        kernel: paths.kernel.clone(),
        initrd,
        plugin: absolute(&paths.plugin)?,
        platforms: absolute(&paths.platforms)?,
        hello_bound: Duration::from_secs(paths.boot_bound),
    })
}

/// QEMU opens what has no `/` in its name differently.
fn absolute(path: &Path) -> Result<PathBuf> {
    fs::canonicalize(path).with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn filters_choose_by_part_of_the_name() {
        let names = |filters: &[&str]| -> Vec<&str> {
            let filters: Vec<String> = filters.iter().map(|&filter| filter.to_owned()).collect();
            chosen(&filters)
                .iter()
                .map(|scenario| scenario.name)
                .collect()
        };
        assert_eq!(names(&["bind-off-at-boot"]), ["bind-off-at-boot"]);
        assert!(names(&["bind", "no such"]).len() > 1);
        assert!(names(&["no such"]).is_empty());
        assert_eq!(names(&[]).len(), scenario::all().count());
    }

    #[test]
    fn a_filter_that_matches_nothing_is_wrong_usage() {
        assert_eq!(list(&["no such".to_owned()]), exit::USAGE);
    }
}
