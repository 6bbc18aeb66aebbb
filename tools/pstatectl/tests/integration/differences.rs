// SPDX-License-Identifier: GPL-2.0
//! Where we differ from cpupower, on purpose: each case of `DIFFERENCES.md` that a tree can show, with both outputs.

use crate::cpupower::Cpupower;
use crate::program::{pstatectl, Run};
use crate::tree::Tree;

const CPPC: &str = "sys/devices/system/cpu/cpu0/acpi_cppc";

/// The outputs of both programs on CPU 0, cpupower's first.
fn both(tree: &Tree, options: &str) -> Option<(Run, Run)> {
    let args = format!("-c 0 frequency-info {options}");
    Some((Cpupower::find()?.run(tree, &args), pstatectl(tree, &args)))
}

fn passive() -> Tree {
    Tree::new(1).amd_pstate("passive")
}

#[test]
fn one_gigahertz_sharp_is_spelled_in_gigahertz() {
    let tree = passive().with(0, "scaling_cur_freq", 1_000_000);
    let Some((theirs, ours)) = both(&tree, "-fm") else {
        return;
    };
    assert!(theirs.stdout.contains(" 1000 MHz "), "{}", theirs.stdout);
    assert!(ours.stdout.contains(" 1.00 GHz "), "{}", ours.stdout);
    let Some((theirs, ours)) = both(&tree, "-fmn") else {
        return;
    };
    assert!(
        theirs.stdout.contains(" 1000.000 MHz "),
        "{}",
        theirs.stdout
    );
    assert!(ours.stdout.contains(" 1.000000 GHz "), "{}", ours.stdout);
}

#[test]
fn a_frequency_of_a_megahertz_and_less_is_not_left_out() {
    let Some((theirs, ours)) = both(&passive().with(0, "scaling_cur_freq", 800), "-fm") else {
        return;
    };
    assert!(
        theirs.stdout.contains("frequency:  (asserted"),
        "{}",
        theirs.stdout
    );
    assert!(
        ours.stdout.contains("frequency: 800 kHz (asserted"),
        "{}",
        ours.stdout
    );
}

#[test]
fn a_frequency_beyond_32_bits_does_not_wrap() {
    let Some((theirs, ours)) = both(
        &passive().with(0, "scaling_cur_freq", 5_000_000_000_u64),
        "-fm",
    ) else {
        return;
    };
    assert!(theirs.stdout.contains(" 705.00 GHz "), "{}", theirs.stdout);
    assert!(ours.stdout.contains(" 5000.00 GHz "), "{}", ours.stdout);
}

#[test]
fn levels_that_are_missing_are_not_zero() {
    let Some((theirs, ours)) = both(&passive().without(CPPC), "-c") else {
        return;
    };
    assert!(
        theirs
            .stdout
            .contains("Nominal Performance: 0. Nominal Frequency: .\n"),
        "{}",
        theirs.stdout
    );
    assert_eq!(theirs.code, 0);
    let line = "Nominal Performance: Not Available. Nominal Frequency: Not Available.\n";
    assert!(ours.stdout.contains(line), "{}", ours.stdout);
    assert!(
        ours.stderr.contains("acpi_cppc/nominal_perf: no such file"),
        "{}",
        ours.stderr
    );
    assert_eq!(ours.code, 6);
}

#[test]
fn boost_that_cannot_be_told_is_not_yes() {
    let Some((theirs, ours)) = both(&passive().without(&format!("{CPPC}/nominal_perf")), "-b")
    else {
        return;
    };
    assert!(
        theirs.stdout.contains("Supported: yes\n"),
        "{}",
        theirs.stdout
    );
    assert!(
        ours.stdout.contains("Supported: Not Available\n"),
        "{}",
        ours.stdout
    );
}

#[test]
fn a_preference_that_is_missing_is_said_to_be() {
    let Some((theirs, ours)) = both(&passive(), "-z") else {
        return;
    };
    assert_eq!(
        (theirs.stdout.as_str(), theirs.stderr.as_str(), theirs.code),
        ("analyzing CPU 0:\n", "", 234)
    );
    assert_eq!(
        ours.stdout,
        "analyzing CPU 0:\n  energy performance preference: Not Available\n"
    );
    assert!(
        ours.stderr
            .contains("energy_performance_preference: no such file"),
        "{}",
        ours.stderr
    );
    assert_eq!(ours.code, 7);
}

#[test]
fn performance_levels_that_are_missing_are_said_to_be() {
    let Some((theirs, ours)) = both(&Tree::new(1).acpi_cpufreq().without(CPPC), "-c") else {
        return;
    };
    assert_eq!(
        (theirs.stdout.as_str(), theirs.code),
        ("analyzing CPU 0:\n", 0)
    );
    assert_eq!(
        (ours.stdout.as_str(), ours.code),
        ("analyzing CPU 0:\nNot Available\n", 7)
    );
    assert!(
        ours.stderr.contains("acpi_cppc/nominal_freq: no such file"),
        "{}",
        ours.stderr
    );
}

#[test]
fn the_latency_is_shown_in_active_mode_too() {
    let Some((theirs, ours)) = both(&Tree::new(1).amd_pstate("active"), "-y") else {
        return;
    };
    assert_eq!(
        (theirs.stdout.as_str(), theirs.code),
        ("analyzing CPU 0:\n", 234)
    );
    assert_eq!(
        (ours.stdout.as_str(), ours.code),
        ("analyzing CPU 0:\n  maximum transition latency: 20000\n", 0)
    );
}

#[test]
fn statistics_that_are_missing_are_said_to_be() {
    let Some((theirs, ours)) = both(&passive(), "-s") else {
        return;
    };
    assert_eq!(
        (theirs.stdout.as_str(), theirs.code),
        ("analyzing CPU 0:\n", 0)
    );
    assert_eq!(
        (ours.stdout.as_str(), ours.code),
        ("analyzing CPU 0:\nNot Available\n", 7)
    );
}

#[test]
fn statistics_without_a_change_end_their_line_and_divide_by_nothing() {
    let tree = Tree::new(1)
        .acpi_cpufreq()
        .with(0, "stats/total_trans", 0)
        .with(0, "stats/time_in_state", "3400000 0\n1600000 0");
    let Some((theirs, ours)) = both(&tree, "-sm") else {
        return;
    };
    assert_eq!(
        theirs.stdout,
        "analyzing CPU 0:\n3.40 GHz:-nan%, 1.60 GHz:-nan%"
    );
    assert_eq!(
        ours.stdout,
        "analyzing CPU 0:\n3.40 GHz:0.00%, 1.60 GHz:0.00%  (0)\n"
    );
}

#[test]
fn the_hardware_frequency_that_is_missing_is_said_to_be() {
    let tree = passive().flags("");
    let Some((_, ours)) = both(&tree, "-w") else {
        return;
    };
    assert_eq!(
        ours.stdout,
        "analyzing CPU 0:\n  current CPU frequency: Unable to call hardware\n"
    );
    assert!(
        ours.stderr.contains("cpuinfo_cur_freq: no such file"),
        "{}",
        ours.stderr
    );
    assert_eq!(ours.code, 7);
}

#[test]
fn a_name_that_only_begins_like_amd_pstate_is_another_driver() {
    let Some((theirs, ours)) = both(&passive().with(0, "scaling_driver", "amd-foo"), "-c") else {
        return;
    };
    assert!(
        theirs.stdout.contains("amd-pstate limits:"),
        "{}",
        theirs.stdout
    );
    assert!(ours.stdout.contains("CPPC limits:"), "{}", ours.stdout);
}

#[test]
fn the_driver_of_each_cpu_counts_and_not_that_of_cpu_0() {
    let tree = Tree::new(2)
        .amd_pstate("passive")
        .without("sys/devices/system/cpu/cpu0/cpufreq");
    let args = "-c 1 frequency-info -c";
    let Some(cpupower) = Cpupower::find() else {
        return;
    };
    let (theirs, ours) = (cpupower.run(&tree, args), pstatectl(&tree, args));
    assert!(theirs.stdout.contains("CPPC limits:"), "{}", theirs.stdout);
    assert!(
        ours.stdout.contains("amd-pstate limits:"),
        "{}",
        ours.stdout
    );
}

#[test]
fn one_bad_cpu_does_not_end_the_list() {
    let tree = Tree::new(3)
        .amd_pstate("passive")
        .without("sys/devices/system/cpu/cpu1/cpufreq");
    let Some(cpupower) = Cpupower::find() else {
        return;
    };
    let args = "-c all frequency-info -d";
    let (theirs, ours) = (cpupower.run(&tree, args), pstatectl(&tree, args));
    assert!(
        !theirs.stdout.contains("analyzing CPU 2"),
        "{}",
        theirs.stdout
    );
    assert!(
        ours.stdout
            .contains("analyzing CPU 2:\n  driver: amd-pstate\n"),
        "{}",
        ours.stdout
    );
    assert_eq!((theirs.code, ours.code), (234, 6));
}

#[test]
fn what_is_no_number_is_an_error_and_not_its_first_digits() {
    let Some((theirs, ours)) = both(
        &passive().with(0, "scaling_cur_freq", "1897456 or so"),
        "-f",
    ) else {
        return;
    };
    assert!(
        theirs.stdout.contains("1897456 (asserted"),
        "{}",
        theirs.stdout
    );
    assert!(
        ours.stderr
            .contains("cpufreq/scaling_cur_freq: expected a frequency in kHz"),
        "{}",
        ours.stderr
    );
    assert_eq!((theirs.code, ours.code), (0, 8));
}

#[test]
fn the_exit_codes_are_our_own() {
    let args = "frequency-info -d -p";
    let Some(cpupower) = Cpupower::find() else {
        return;
    };
    let tree = passive();
    let (theirs, ours) = (cpupower.run(&tree, args), pstatectl(&tree, args));
    assert!(
        theirs.stdout.starts_with("You can't specify more than one"),
        "{}",
        theirs.stdout
    );
    assert!(
        ours.stderr.contains("cannot be used with"),
        "{}",
        ours.stderr
    );
    assert_eq!((theirs.code, ours.code), (234, 2));
    assert_eq!(ours.stdout, "");
}
