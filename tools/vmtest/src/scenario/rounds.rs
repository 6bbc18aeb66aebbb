// SPDX-License-Identifier: GPL-2.0
//! A hundred rounds of load and unload with hotplug leave nothing behind.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use anyhow::{ensure, Context, Result};
use vmtest_proto::LogRecord;

use super::{Scenario, C_DRIVER_OFF};
use crate::driver::{LOG_PREFIX, MODULE};
use crate::machine::Machine;

pub const SCENARIOS: &[Scenario] = &[Scenario {
    about: "100 rounds of load and unload with hotplug leave no trace, no file and no memory",
    shared: false,
    bound: Duration::from_secs(240),
    run: hundred_rounds,
    ..Scenario::new("rounds", C_DRIVER_OFF)
}];

/// Rounds before the first look: what the kernel allocates once is allocated by then.
const WARM_UP: usize = 10;
const ROUNDS: usize = 100;

/// Where a driver can leave a file, and how deep to look.
const FILES: [(&str, u32); 5] = [
    ("/sys/devices/system/cpu", 5),
    ("/sys/module", 1),
    ("/sys/kernel/debug", 2),
    ("/sys/kernel/tracing/events", 2),
    ("/proc", 1),
];

/// Beginnings of the lines that rounds may log.
const EXPECTED_LINES: [&str; 5] = [
    LOG_PREFIX,
    "smpboot: Booting Node 0 Processor",
    "smpboot: CPU ",
    "vmtest: ",
    "kvm-clock: ",
];

fn hundred_rounds(m: &mut Machine) -> Result<()> {
    let files = files(m)?;
    let begin = m.now()?;
    for round in 0..WARM_UP {
        one_round(m, round).with_context(|| format!("round {round}"))?;
    }
    let early = slab_objects(m)?;
    for round in WARM_UP..ROUNDS {
        one_round(m, round).with_context(|| format!("round {round}"))?;
    }
    let grown = grown(&early, &slab_objects(m)?, ROUNDS - WARM_UP);
    ensure!(
        grown.is_empty(),
        "slabs that grew with each round: {grown:?}"
    );
    let left: Vec<_> = self::files(m)?
        .symmetric_difference(&files)
        .cloned()
        .collect();
    ensure!(left.is_empty(), "files that came or went: {left:?}");
    let log = m.dmesg_since(begin)?;
    let strange = strange_lines(&log);
    ensure!(
        strange.is_empty(),
        "the log has lines of another kind:\n{}",
        strange.join("\n")
    );
    Ok(())
}

/// One load and unload. A CPU goes off- and online, in each round at another moment.
fn one_round(m: &mut Machine, round: usize) -> Result<()> {
    let last = m.cpus().end - 1;
    let (offline_at, online_at) = match round % 5 {
        0 => (0, 1),
        1 => (1, 1),
        2 => (1, 2),
        3 => (0, 2),
        _ => (2, 2),
    };
    let hotplug = |m: &mut Machine, moment| -> Result<()> {
        if offline_at == moment {
            m.set_online(last, false)?;
        }
        if online_at == moment {
            m.set_online(last, true)?;
        }
        Ok(())
    };
    hotplug(m, 0)?;
    m.modprobe(&[MODULE])?;
    hotplug(m, 1)?;
    m.rmmod(MODULE)?;
    hotplug(m, 2)
}

/// Paths that belong to no process.
fn files(m: &mut Machine) -> Result<BTreeSet<String>> {
    let mut all = BTreeSet::new();
    for (folder, depth) in FILES {
        let paths = m.list(folder, depth)?.into_iter().map(|entry| entry.path);
        all.extend(paths.filter(|path| !is_process(path)));
    }
    Ok(all)
}

fn is_process(path: &str) -> bool {
    path.strip_prefix("/proc/")
        .is_some_and(|name| name.starts_with(|c: char| c.is_ascii_digit()))
}

/// Number of objects in use, by slab cache.
fn slab_objects(m: &mut Machine) -> Result<BTreeMap<String, usize>> {
    // Objects freed into a CPU's own slab count as used until the cache is shrunk.
    m.run(&[
        "sh",
        "-c",
        "for i in /sys/kernel/slab/*/shrink; do echo 1 > $i; done",
    ])?;
    Ok(parse_slabs(&m.text("/proc/slabinfo")?))
}

fn parse_slabs(slabinfo: &str) -> BTreeMap<String, usize> {
    let lines = slabinfo.lines().skip(2).filter_map(|line| {
        let mut fields = line.split_ascii_whitespace();
        Some((fields.next()?.to_owned(), fields.next()?.parse().ok()?))
    });
    lines.collect()
}

/// Caches that got an object or more in each round.
fn grown(
    early: &BTreeMap<String, usize>,
    late: &BTreeMap<String, usize>,
    rounds: usize,
) -> Vec<String> {
    let growth = |name: &str, now: usize| now.saturating_sub(early.get(name).copied().unwrap_or(0));
    let grown = late
        .iter()
        .filter(|(name, now)| growth(name, **now) >= rounds);
    grown
        .map(|(name, now)| format!("{name} by {} to {now}", growth(name, *now)))
        .collect()
}

fn strange_lines(log: &[LogRecord]) -> Vec<&str> {
    let lines = log.iter().map(|record| record.text.as_str());
    lines
        .filter(|line| !EXPECTED_LINES.iter().any(|known| line.starts_with(known)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLABINFO: &str = "slabinfo - version: 2.1\n\
        # name            <active_objs> <num_objs> <objsize>\n\
        kmalloc-64          1200   1280     64   64    1 : tunables    0\n\
        dentry              5000   5100    192   21    1 : tunables    0\n";

    #[test]
    fn slabs_are_read_by_name() {
        let slabs = parse_slabs(SLABINFO);
        assert_eq!(slabs.get("kmalloc-64"), Some(&1200));
        assert_eq!(slabs.len(), 2);
    }

    #[test]
    fn a_cache_that_grows_with_the_rounds_is_found() {
        let early = parse_slabs(SLABINFO);
        let mut late = early.clone();
        late.insert("dentry".into(), 5050);
        assert!(grown(&early, &late, 90).is_empty());
        late.insert("kmalloc-64".into(), 1290);
        assert_eq!(grown(&early, &late, 90), ["kmalloc-64 by 90 to 1290"]);
        late.insert("leaky".into(), 100);
        assert_eq!(grown(&early, &late, 90).len(), 2);
    }

    #[test]
    fn processes_are_no_files_of_a_driver() {
        assert!(is_process("/proc/1") && is_process("/proc/4711"));
        assert!(!is_process("/proc/cpuinfo") && !is_process("/sys/1"));
    }
}
