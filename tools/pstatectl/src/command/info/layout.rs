// SPDX-License-Identifier: GPL-2.0
//! The screen of `info`.

use std::cmp::Reverse;

use super::cpu_view::{Capabilities, CpuView, Limits};
use super::group::group;
use super::machine::Machine;
use crate::command::level::Level;
use crate::output::speed::{Rounding, Speed};
use crate::output::style::heading;
use crate::output::table::{table, wrapped};
use cpufreq_sysfs::{CpuList, Switch};

/// What stands where the machine says nothing.
const NOTHING: &str = "-";

/// The whole screen.
pub fn text(machine: &Machine, views: &[CpuView]) -> String {
    let parts = [
        summary(machine, views),
        capabilities(views),
        limits(views),
        ranking(views),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n")
}

fn summary(machine: &Machine, views: &[CpuView]) -> String {
    let mut rows = vec![("driver", drivers(machine, views))];
    if let Some((dir, mode)) = machine.status {
        rows.push(("amd-pstate mode", format!("{mode} ({}/status)", dir.name())));
    }
    rows.extend(machine.processor.clone().map(|name| ("processor", name)));
    let offline: CpuList = machine.offline.iter().copied().collect();
    let offline = if offline.is_empty() {
        String::new()
    } else {
        format!(", offline {}", offline.compact())
    };
    rows.push((
        "CPUs",
        format!("{}{offline}", or_nothing(&machine.online.compact())),
    ));
    rows.extend(machine.boost.map(|boost| ("boost", boost.to_string())));
    rows.extend(
        machine
            .prefcore
            .map(|prefcore| ("preferred cores", prefcore.to_string())),
    );
    let line = |(name, value)| format!("{} {value}\n", heading(&format!("{name:<15}")));
    rows.into_iter().map(line).collect::<Vec<_>>().concat()
}

fn drivers(machine: &Machine, views: &[CpuView]) -> String {
    let groups = group(views, |view| view.driver.as_ref());
    let name = |driver: Option<&cpufreq_sysfs::DriverName>| {
        driver.map_or_else(|| "none".to_owned(), ToString::to_string)
    };
    match groups.as_slice() {
        [] => NOTHING.to_owned(),
        [one] => match one.value {
            None if machine.mode().is_some_and(|mode| !mode.drives()) => {
                "none (amd-pstate is switched off)".to_owned()
            }
            None => "none (no cpufreq driver is in charge)".to_owned(),
            driver => name(driver),
        },
        several => {
            let each: Vec<_> = several
                .iter()
                .map(|g| format!("{} on {}", name(g.value), g.cpus.compact()))
                .collect();
            each.join(", ")
        }
    }
}

fn capabilities(views: &[CpuView]) -> String {
    let groups = group(views, |view| view.capabilities);
    if groups
        .iter()
        .all(|group| group.value == Capabilities::default())
    {
        return String::new();
    }
    let mut notes = Notes::default();
    let rows = groups.iter().map(|group| {
        let Capabilities {
            highest,
            nominal,
            lowest_nonlinear,
            lowest,
        } = group.value;
        let mut row = vec![notes.cpus(&group.cpus)];
        row.extend([highest, nominal, lowest_nonlinear, lowest].map(level));
        row
    });
    let header = ["CPUs", "highest", "nominal", "low. nonlinear", "lowest"];
    let table = table(&header, rows);
    format!(
        "{}
{table}{}",
        heading("Capabilities: perf and frequency"),
        notes.text()
    )
}

fn limits(views: &[CpuView]) -> String {
    let groups = group(views, |view| &view.limits);
    if groups.iter().all(|group| *group.value == Limits::default()) {
        return String::new();
    }
    let mut notes = Notes::default();
    let rows = groups.iter().map(|group| {
        let Limits {
            governor,
            min,
            max,
            boost,
            epp,
        } = group.value;
        vec![
            notes.cpus(&group.cpus),
            level(*min),
            level(*max),
            governor
                .as_ref()
                .map_or_else(|| NOTHING.to_owned(), ToString::to_string),
            boost
                .as_ref()
                .map_or_else(|| NOTHING.to_owned(), Switch::to_string),
            epp.as_ref()
                .map_or_else(|| NOTHING.to_owned(), ToString::to_string),
        ]
    });
    let header = ["CPUs", "min", "max", "governor", "boost", "EPP"];
    let table = table(&header, rows);
    format!(
        "{}
{table}{}",
        heading("Limits of requests"),
        notes.text()
    )
}

/// One entry for each rank, the best cores first.
fn ranking(views: &[CpuView]) -> String {
    let mut groups = group(views, |view| view.ranking);
    groups.retain(|group| group.value.is_some());
    if groups.is_empty() {
        return String::new();
    }
    groups.sort_by_key(|group| Reverse(group.value));
    let entries = groups
        .iter()
        .filter_map(|group| Some(format!("{}: {}", group.value?, group.cpus.compact())));
    format!(
        "{}\n{}",
        heading("Ranking: best cores first"),
        wrapped(entries)
    )
}

/// Lists of CPUs that are too long for a cell, and stand below the table.
#[derive(Debug, Default)]
struct Notes(Vec<String>);

impl Notes {
    /// The longest list that a cell takes, in characters: what the other columns leave of the line in active mode.
    const CELL: usize = 9;

    /// The list, or the number of the note with the list.
    fn cpus(&mut self, cpus: &CpuList) -> String {
        let list = cpus.compact();
        if list.len() <= Self::CELL {
            return list;
        }
        let number = self.0.len() + 1;
        self.0
            .push(format!("({number}) {} CPUs: {list}", cpus.len()));
        format!("({number})")
    }

    fn text(self) -> String {
        wrapped(self.0)
    }
}

fn level(level: Level) -> String {
    let freq = level
        .freq
        .map(|freq| Speed(freq, Rounding::Rounded).to_string());
    match (level.perf, freq) {
        (Some(perf), Some(freq)) => format!("{perf:>3} {freq}"),
        (Some(perf), None) => format!("{perf:>3}"),
        (None, Some(freq)) => freq,
        (None, None) => NOTHING.to_owned(),
    }
}

fn or_nothing(text: &str) -> &str {
    if text.is_empty() {
        NOTHING
    } else {
        text
    }
}
