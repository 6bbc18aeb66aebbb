// SPDX-License-Identifier: GPL-2.0
//! Runs scenarios one after the other, on as few machines as they allow.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{anyhow, ensure, Context};

use crate::boot::{last_words, Boot, Host};
use crate::complaints;
use crate::driver::Driver;
use crate::interrupt;
use crate::machine::{Machine, Moment};
use crate::scenario::Scenario;
use crate::verdict::{Tally, Verdict};

/// Runs scenarios and keeps the logs of those that fail.
pub struct Runner<'a> {
    host: &'a Host,
    out: &'a Path,
    driver: Driver,
    keep: bool,
    running: Option<(Boot<'static>, Machine)>,
    booted: u32,
}

impl<'a> Runner<'a> {
    /// A runner that keeps logs below `out`; with `keep`, those of scenarios that pass as well.
    #[must_use]
    pub fn new(host: &'a Host, out: &'a Path, driver: Driver, keep: bool) -> Self {
        Self {
            host,
            out,
            driver,
            keep,
            running: None,
            booted: 0,
        }
    }

    /// Runs all of them, and reports each as it ends.
    pub fn run<'s>(&mut self, scenarios: impl IntoIterator<Item = &'s Scenario>) -> Tally {
        let mut tally = Tally::default();
        for scenario in in_groups(scenarios) {
            let begin = Instant::now();
            let verdict = self.run_one(scenario);
            tally.count(&verdict);
            let seconds = begin.elapsed().as_secs_f64();
            let name = scenario.name;
            match &verdict {
                Verdict::Passed => println!("ok    {name} ({seconds:.1} s)"),
                Verdict::Failed(why) => println!("FAIL  {name} ({seconds:.1} s): {why}"),
                Verdict::NeverRan(why) => println!("NONE  {name}: {why}"),
                Verdict::Interrupted => println!("STOP  {name}: interrupted"),
            }
            if verdict == Verdict::Interrupted {
                break;
            }
        }
        self.retire();
        tally
    }

    fn run_one(&mut self, scenario: &Scenario) -> Verdict {
        let kept = self.out.join(scenario.name);
        if let Err(error) = forget(&kept) {
            return Verdict::NeverRan(format!("{}: {error}", kept.display()));
        }
        let mut machine = match self.machine(scenario) {
            Ok(machine) => machine,
            Err(verdict) => return verdict,
        };
        let folder = machine.folder().to_owned();
        let outcome = watched(&mut machine, scenario);
        if outcome.is_ok() && scenario.shared {
            self.running = Some((scenario.boot, machine));
        } else {
            end(machine);
        }
        match outcome {
            Ok(()) => {
                if self.keep {
                    self.keep_logs(&folder, &kept);
                }
                Verdict::Passed
            }
            Err(_) if interrupt::came() => Verdict::Interrupted,
            Err(error) => {
                self.keep_logs(&folder, &kept);
                Verdict::Failed(format!("{error:#}\n{}", last_words(&folder)))
            }
        }
    }

    /// The running machine, if it is the right one, or a new one.
    fn machine(&mut self, scenario: &Scenario) -> Result<Machine, Verdict> {
        if let Some((boot, machine)) = self.running.take() {
            if scenario.shared && boot == scenario.boot {
                return Ok(machine);
            }
            self.running = Some((boot, machine));
            self.retire();
        }
        self.booted += 1;
        let folder = self.out.join(format!(".machine-{}", self.booted));
        let made = forget(&folder).and_then(|()| fs::create_dir_all(&folder));
        made.map_err(|error| Verdict::NeverRan(format!("{}: {error}", folder.display())))?;
        let kernel_args = self.driver.kernel_args(scenario.boot.kernel_args);
        let boot = Boot {
            kernel_args: &kernel_args,
            ..scenario.boot
        };
        match self.host.boot(&boot, &folder) {
            Ok(mut machine) => {
                machine.driver = self.driver;
                let Boot {
                    platform,
                    cpus,
                    kernel_args,
                    counting: _,
                } = boot;
                let seconds = machine.boot_time().as_secs_f64();
                println!("boot  {platform}, {cpus} CPUs, {kernel_args} ({seconds:.1} s)");
                Ok(machine)
            }
            Err(_) if interrupt::came() => Err(Verdict::Interrupted),
            Err(never_ran) => {
                self.keep_logs(&folder, &self.out.join(scenario.name));
                Err(Verdict::NeverRan(never_ran.to_string()))
            }
        }
    }

    fn retire(&mut self) {
        if let Some((_, machine)) = self.running.take() {
            let folder = machine.folder().to_owned();
            end(machine);
            // The folder is of no use any more; a leftover harms nobody.
            let _ = forget(&folder);
        }
    }

    fn keep_logs(&self, folder: &Path, kept: &Path) {
        if let Err(error) = copy(folder, kept) {
            eprintln!("vmtest: keep logs in {}: {error}", kept.display());
        }
    }
}

impl Drop for Runner<'_> {
    fn drop(&mut self) {
        for number in 1..=self.booted {
            let _ = forget(&self.out.join(format!(".machine-{number}")));
        }
    }
}

/// Ends a machine. One that has to be killed has not answered any more, which its scenario has
/// found already; but it is said, for it may be the harness's own fault.
fn end(machine: Machine) {
    if !machine.end() {
        eprintln!("vmtest: the machine did not end by itself and was killed");
    }
}

/// Brings scenarios that can share a machine together; the order is otherwise kept.
fn in_groups<'s>(scenarios: impl IntoIterator<Item = &'s Scenario>) -> Vec<&'s Scenario> {
    let mut groups: Vec<Vec<&Scenario>> = Vec::new();
    for scenario in scenarios {
        let same = |group: &&mut Vec<&Scenario>| {
            let fits = |other: &&&Scenario| other.shared && other.boot == scenario.boot;
            scenario.shared && group.first().as_ref().is_some_and(fits)
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(scenario),
            None => groups.push(vec![scenario]),
        }
    }
    groups.into_iter().flatten().collect()
}

/// Runs the scenario and then looks whether the kernel is still well.
fn watched(machine: &mut Machine, scenario: &Scenario) -> anyhow::Result<()> {
    machine.set_bound(scenario.bound);
    machine.note(&format!("scenario {}", scenario.name))?;
    let begin = machine.now()?;
    let taint = machine.number(TAINT)?;
    let driver = machine.driver;
    driver.unload(machine)?;
    let outcome = (scenario.run)(machine).and_then(|()| driver.unload(machine));
    let health = is_well(machine, begin, taint);
    match (outcome, health) {
        (Err(error), Err(ill)) => Err(anyhow!("{error:#}\n{ill:#}")),
        (outcome, health) => outcome.and(health),
    }
}

/// Where the kernel says what has tainted it.
const TAINT: &str = "/proc/sys/kernel/tainted";

/// Fails if the kernel has complained since then, or has another taint.
fn is_well(machine: &mut Machine, begin: Moment, taint: u64) -> anyhow::Result<()> {
    let log = machine.dmesg_since(begin).context("the kernel log")?;
    let found = complaints::find(&log);
    let found: Vec<&str> = found.iter().map(|record| record.text.as_str()).collect();
    ensure!(
        found.is_empty(),
        "the kernel complains:\n{}",
        found.join("\n")
    );
    let now = machine.number(TAINT)?;
    let new = now & !(taint | complaints::OUT_OF_TREE_TAINT);
    ensure!(
        new == 0,
        "the kernel is tainted: {now:#x}, before {taint:#x}"
    );
    Ok(())
}

fn forget(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path: PathBuf = entry?.path();
        if let Some(name) = path.file_name() {
            fs::copy(&path, to.join(name))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn scenario(name: &'static str, platform: &'static str, shared: bool) -> Scenario {
        Scenario {
            name,
            about: "",
            boot: Boot {
                platform,
                cpus: 1,
                kernel_args: "",
                counting: false,
            },
            shared,
            bound: Duration::ZERO,
            with_reference: false,
            run: |_| Ok(()),
        }
    }

    #[test]
    fn scenarios_that_can_share_a_machine_come_together() {
        let all = [
            scenario("a", "zen4", true),
            scenario("b", "zen3", true),
            scenario("c", "zen4", false),
            scenario("d", "zen4", true),
        ];
        let names: Vec<_> = in_groups(&all)
            .iter()
            .map(|scenario| scenario.name)
            .collect();
        assert_eq!(names, ["a", "d", "b", "c"]);
    }

    #[test]
    fn what_is_not_there_is_forgotten_without_error() {
        assert!(forget(Path::new("/no/such/folder")).is_ok());
    }

    #[test]
    fn logs_are_copied_to_where_they_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("a/to"));
        fs::create_dir(&from).unwrap();
        fs::write(from.join("console.log"), "x").unwrap();
        copy(&from, &to).unwrap();
        assert_eq!(fs::read_to_string(to.join("console.log")).unwrap(), "x");
    }
}
