// SPDX-License-Identifier: GPL-2.0
//! `frequency-info` against the real cpupower: the same text where cpupower is right.

use proptest::prelude::*;

use crate::cpupower::{skipped, Cpupower};
use crate::program::pstatectl;
use crate::tree::{host_flags, Numbers, Tree};

/// Every output option, and the modifiers where they count.
const OPTIONS: [&str; 28] = [
    "",
    "-e",
    "-n",
    "-e -n",
    "-d",
    "-r",
    "-a",
    "-y",
    "-ym",
    "-ymn",
    "-z",
    "-l",
    "-lm",
    "-lmn",
    "-g",
    "-p",
    "-pn",
    "-f",
    "-fm",
    "-fmn",
    "-b",
    "-c",
    "-cn",
    "-o",
    "--driver",
    "--related-cpus",
    "--hwlimits --human",
    "--performance",
];

/// What cpupower shows of CPU 0, or of all for `-o`, is what we show.
fn assert_same(cpupower: &Cpupower, tree: &Tree, cpus: &str, options: &str) {
    let cpus = if options == "-o" {
        String::new()
    } else {
        format!("-c {cpus} ")
    };
    let args = format!("{cpus}frequency-info {options}");
    let theirs = cpupower.run(tree, &args);
    let ours = pstatectl(tree, &args);
    assert_eq!(ours.stdout, theirs.stdout, "{args}");
}

fn assert_all_same(tree: &Tree, left_out: &[&str]) {
    let Some(cpupower) = Cpupower::find() else {
        return;
    };
    for options in OPTIONS
        .into_iter()
        .filter(|options| !left_out.contains(options))
    {
        assert_same(cpupower, tree, "0", options);
    }
}

/// A machine with boost in CPUID has cpupower read registers that no tree can stand in for.
fn boost_is_in_the_registers() -> bool {
    let registers = host_flags().contains("cpb");
    if registers {
        skipped("the boost of this processor is in registers that a tree does not have");
    }
    registers
}

#[test]
fn passive_mode_is_the_same_with_every_option() {
    assert_all_same(&Tree::new(4).amd_pstate("passive"), &["-z"]);
}

#[test]
fn guided_mode_is_the_same_with_every_option() {
    assert_all_same(&Tree::new(4).amd_pstate("guided"), &["-z"]);
}

#[test]
fn active_mode_is_the_same_with_every_option() {
    assert_all_same(&Tree::new(4).amd_pstate("active"), &["-y", "-ym", "-ymn"]);
}

#[test]
fn the_module_beside_the_built_in_driver_is_the_same_with_every_option() {
    assert_all_same(&Tree::new(4).amd_pstate_rs("passive"), &["-z"]);
}

#[test]
fn acpi_cpufreq_is_the_same_with_every_option() {
    if !boost_is_in_the_registers() {
        assert_all_same(&Tree::new(4).acpi_cpufreq(), &["-z"]);
    }
}

#[test]
fn a_table_of_steps_has_statistics_and_a_hardware_frequency() {
    let Some(cpupower) = Cpupower::find() else {
        return;
    };
    let tree = Tree::new(1).acpi_cpufreq();
    for options in [
        "-s", "-sm", "-smn", "-w", "-wm", "-wmn", "--stats", "--hwfreq",
    ] {
        assert_same(cpupower, &tree, "0", options);
    }
}

#[test]
fn cppc_cpufreq_is_the_same_with_every_option() {
    if !boost_is_in_the_registers() {
        assert_all_same(&Tree::new(2).cppc_cpufreq(), &["-z"]);
    }
}

#[test]
fn a_machine_without_a_driver_is_the_same_with_every_option() {
    if !boost_is_in_the_registers() {
        assert_all_same(&Tree::new(2), &["-z", "-c", "-cn", "--performance"]);
    }
}

#[test]
fn offline_cpus_and_lists_are_the_same() {
    let Some(cpupower) = Cpupower::find() else {
        return;
    };
    let tree = Tree::new(4).amd_pstate("passive").offline(3);
    for cpus in ["3", "all", "0-3", "0,2-3", "0-3:2", "0-3:3"] {
        assert_same(cpupower, &tree, cpus, "");
        assert_same(cpupower, &tree, cpus, "-f");
    }
    assert_same(cpupower, &tree, "0", "-o");
}

#[test]
fn two_hundred_and_fifty_six_cpus_are_the_same() {
    let Some(cpupower) = Cpupower::find() else {
        return;
    };
    let tree = Tree::new(256).amd_pstate("active");
    for options in ["", "-o"] {
        assert_same(cpupower, &tree, "all", options);
    }
}

#[test]
fn several_cpus_on_one_clock_are_the_same() {
    let Some(cpupower) = Cpupower::find() else {
        return;
    };
    let tree = Tree::new(4)
        .amd_pstate("passive")
        .with(0, "related_cpus", "0 2 3")
        .with(0, "affected_cpus", "0 2");
    assert_same(cpupower, &tree, "0", "-r");
    assert_same(cpupower, &tree, "0", "-a");
}

#[test]
fn boost_that_is_off_and_cores_without_ranking_are_the_same() {
    let Some(cpupower) = Cpupower::find() else {
        return;
    };
    let boost_off = Tree::new(1)
        .amd_pstate("passive")
        .with(0, "cpuinfo_max_freq", 3_400_000);
    assert_same(cpupower, &boost_off, "0", "");
    let no_boost = Tree::new(1)
        .amd_pstate("passive")
        .with(0, "amd_pstate_highest_perf", 136);
    assert_same(cpupower, &no_boost, "0", "");
    let policy = "sys/devices/system/cpu/cpufreq/policy0";
    let no_ranking = Tree::new(1)
        .amd_pstate("passive")
        .without(&format!("{policy}/amd_pstate_hw_prefcore"))
        .without(&format!("{policy}/amd_pstate_prefcore_ranking"));
    assert_same(cpupower, &no_ranking, "0", "");
    let disabled = Tree::new(1)
        .amd_pstate("passive")
        .with(0, "amd_pstate_hw_prefcore", "disabled");
    assert_same(cpupower, &disabled, "0", "");
}

#[test]
fn a_frequency_and_a_latency_that_are_not_known_yet_are_the_same() {
    let Some(cpupower) = Cpupower::find() else {
        return;
    };
    let tree = Tree::new(1)
        .amd_pstate("passive")
        .with(0, "scaling_cur_freq", 0)
        .with(0, "cpuinfo_transition_latency", u32::MAX);
    for options in ["", "-f", "-fm", "-y", "-ym"] {
        assert_same(cpupower, &tree, "0", options);
    }
    assert_eq!(pstatectl(&tree, "frequency-info").code, 0);
    assert_eq!(pstatectl(&tree, "frequency-info -f").code, 7);
}

/// Frequencies that cpupower spells right: above 1 MHz and not 1 GHz sharp.
fn khz() -> impl Strategy<Value = u64> {
    prop_oneof![1_001u64..10_000_000, 990_000u64..1_010_000]
        .prop_filter("spelled wrong", |khz| *khz != 1_000_000)
}

fn mhz() -> impl Strategy<Value = u32> {
    (2u32..9000).prop_filter("spelled wrong", |mhz| *mhz != 1000)
}

prop_compose! {
    fn numbers()(
        perfs in (1u32..=255, 1u32..=255, 1u32..=255, 1u32..=255),
        (max_khz, lowest_nonlinear_khz, min_limit_khz, max_limit_khz, current_khz) in (khz(), khz(), khz(), khz(), khz()),
        (nominal_mhz, lowest_mhz) in (mhz(), mhz()),
        latency_ns in 1u32..100_000_000,
        ranking in 0u32..=255,
    ) -> Numbers {
        Numbers {
            highest_perf: perfs.0, nominal_perf: perfs.1, lowest_nonlinear_perf: perfs.2, lowest_perf: perfs.3,
            max_khz, nominal_mhz, lowest_nonlinear_khz, lowest_mhz, min_limit_khz, max_limit_khz, current_khz,
            latency_ns, ranking,
        }
    }
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 48,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

#[test]
fn any_numbers_are_spelled_the_same() {
    let Some(cpupower) = Cpupower::find() else {
        return;
    };
    let tree = Tree::new(1).amd_pstate("passive");
    proptest!(config(), |(numbers in numbers())| {
        tree.set_numbers(0, &numbers);
        for options in ["-e", "-e -n", "-o", "-l"] {
            assert_same(cpupower, &tree, "0", options);
        }
    });
}

#[test]
fn a_line_through_any_ordered_points_is_the_same() {
    let Some(cpupower) = Cpupower::find() else {
        return;
    };
    let tree = Tree::new(1).cppc_cpufreq();
    proptest!(config(), |(numbers in numbers())| {
        // Out of order the line falls, and cpupower turns negative frequencies into huge ones.
        prop_assume!(numbers.nominal_perf > numbers.lowest_perf && numbers.nominal_mhz > numbers.lowest_mhz);
        prop_assume!(numbers.lowest_nonlinear_perf >= numbers.lowest_perf && numbers.highest_perf >= numbers.lowest_perf);
        tree.set_numbers(0, &numbers);
        for options in ["-c", "-cn"] {
            assert_same(cpupower, &tree, "0", options);
        }
    });
}
