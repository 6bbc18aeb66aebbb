// SPDX-License-Identifier: GPL-2.0
//! Content that no kernel should give: a clear error, never a panic.

use std::fs;

use proptest::prelude::*;

use crate::program::pstatectl;
use crate::tree::{Tree, CPU_DIR};

/// Every file that the program reads of an amd-pstate machine in active mode, below the directory of the CPUs.
const FILES: [&str; 30] = [
    "possible",
    "amd_pstate/status",
    "amd_pstate/prefcore",
    "cpufreq/boost",
    "cpu1/online",
    "cpu1/cpufreq/scaling_driver",
    "cpu1/cpufreq/related_cpus",
    "cpu1/cpufreq/affected_cpus",
    "cpu1/cpufreq/cpuinfo_min_freq",
    "cpu1/cpufreq/cpuinfo_max_freq",
    "cpu1/cpufreq/cpuinfo_cur_freq",
    "cpu1/cpufreq/cpuinfo_transition_latency",
    "cpu1/cpufreq/scaling_min_freq",
    "cpu1/cpufreq/scaling_max_freq",
    "cpu1/cpufreq/scaling_cur_freq",
    "cpu1/cpufreq/scaling_governor",
    "cpu1/cpufreq/scaling_available_governors",
    "cpu1/cpufreq/scaling_available_frequencies",
    "cpu1/cpufreq/boost",
    "cpu1/cpufreq/energy_performance_preference",
    "cpu1/cpufreq/amd_pstate_max_freq",
    "cpu1/cpufreq/amd_pstate_lowest_nonlinear_freq",
    "cpu1/cpufreq/amd_pstate_highest_perf",
    "cpu1/cpufreq/amd_pstate_prefcore_ranking",
    "cpu1/cpufreq/amd_pstate_hw_prefcore",
    "cpu1/acpi_cppc/nominal_perf",
    "cpu1/acpi_cppc/lowest_nonlinear_perf",
    "cpu1/acpi_cppc/lowest_perf",
    "cpu1/acpi_cppc/nominal_freq",
    "cpu1/acpi_cppc/lowest_freq",
];

/// Files that neither command needs in active mode: the preference stands in the place of the latency, and a hardware
/// frequency is shown only where there is one.
const NOT_NEEDED: [&str; 2] = [
    "cpu1/cpufreq/cpuinfo_transition_latency",
    "cpu1/cpufreq/cpuinfo_cur_freq",
];

/// Content that is wrong in a way of its own for every file.
const BAD: [(&str, &[u8]); 7] = [
    ("empty", b""),
    ("a newline", b"\n"),
    ("NULs", b"\0\0\0\0"),
    ("not UTF-8", b"\xff\xfe\n"),
    ("negative", b"-1\n"),
    ("too large", b"99999999999999999999999999\n"),
    ("escapes", b"\x1b[31mred\n"),
];

const COMMANDS: [&str; 4] = [
    "-c all frequency-info",
    "info",
    "-c all frequency-info --json",
    "info --json",
];

fn active() -> Tree {
    Tree::new(2).amd_pstate("active").flags("")
}

#[test]
fn every_bad_file_is_named_once_and_costs_only_its_own_value() {
    let tree = active();
    for file in FILES {
        let path = tree.path(&format!("{CPU_DIR}/{file}"));
        let good = fs::read(&path).ok();
        for (what, bytes) in BAD {
            fs::write(&path, bytes).unwrap();
            check_bad_file(&tree, file, what);
        }
        match good {
            Some(good) => fs::write(&path, good).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
    }
}

fn check_bad_file(tree: &Tree, file: &str, what: &str) {
    let text = pstatectl(tree, "-c all frequency-info");
    let info = pstatectl(tree, "info");
    let errors = format!("{file}, {what}: {}{}", text.stderr, info.stderr);
    let blamed = [&text, &info].map(|run| run.stderr.matches(&format!("{file}: ")).count());
    assert!(blamed.iter().all(|count| *count <= 1), "{errors}");
    if !NOT_NEEDED.contains(&file) {
        assert_ne!(blamed, [0, 0], "{errors}");
    }
    assert!(
        [&text, &info]
            .iter()
            .all(|run| run.code != 101 && !run.stderr.contains('\u{1b}')),
        "{errors}"
    );
    if !["possible", "cpu1/online"].contains(&file) {
        assert!(
            text.stdout.contains("driver: amd-pstate-epp"),
            "{errors}{}",
            text.stdout
        );
    }
}

#[test]
fn a_file_that_never_ends_is_cut_off() {
    let tree = active().with_bytes(
        &format!("{CPU_DIR}/cpu1/cpufreq/scaling_governor"),
        vec![b'a'; 1 << 20],
    );
    let run = pstatectl(&tree, "-c 1 frequency-info -p");
    assert_eq!(run.code, 8);
    assert!(
        run.stderr
            .contains("scaling_governor: longer than 65536 bytes"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_cpu_that_vanishes_with_its_directory_is_absent() {
    let tree = active().without(&format!("{CPU_DIR}/cpu1"));
    let run = pstatectl(&tree, "-c 1 info");
    assert_eq!(run.code, 5);
    assert!(run.stderr.contains("cpu1: no such CPU"), "{}", run.stderr);
    assert_eq!(pstatectl(&tree, "info").code, 0);
}

#[test]
fn a_policy_that_vanishes_half_way_loses_its_values_only() {
    let policy = format!("{CPU_DIR}/cpufreq/policy1");
    let tree = active()
        .without(&format!("{policy}/scaling_driver"))
        .without(&format!("{policy}/scaling_max_freq"));
    let run = pstatectl(&tree, "info");
    assert_eq!(run.code, 6);
    assert!(
        run.stdout.contains("amd-pstate-epp on 0, none on 1"),
        "{}",
        run.stdout
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_in_any_file_end_without_a_panic(
        contents in proptest::collection::vec((0..FILES.len(), any::<Vec<u8>>()), 1..6),
        cpuinfo in any::<Option<Vec<u8>>>(),
    ) {
        let mut tree = active();
        for (file, bytes) in &contents {
            tree = tree.with_bytes(&format!("{CPU_DIR}/{}", FILES[*file]), bytes);
        }
        if let Some(bytes) = cpuinfo {
            tree = tree.with_bytes("proc/cpuinfo", bytes);
        }
        for args in COMMANDS {
            let run = pstatectl(&tree, args);
            prop_assert!((0..=8).contains(&run.code), "{}: {}", run.code, run.stderr);
            prop_assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
            if args.ends_with("--json") {
                run.json();
            }
        }
    }
}
