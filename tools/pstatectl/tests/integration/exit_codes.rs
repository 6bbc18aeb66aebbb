// SPDX-License-Identifier: GPL-2.0
//! One exit code for each meaning, and a reason with the file on standard error.

use std::fs::{self, OpenOptions, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use crate::program::{command, pstatectl, Run};
use crate::tree::Tree;

/// A user and a group without any right of their own.
const NOBODY: u32 = 65534;

const CPU: &str = "sys/devices/system/cpu";

fn passive(cpus: u32) -> Tree {
    Tree::new(cpus).amd_pstate("passive").flags("")
}

/// The exit code, and standard error without the name of the tree.
fn run(tree: &Tree, args: &str) -> (i32, String) {
    let run = pstatectl(tree, args);
    (run.code, run.errors(tree))
}

#[test]
fn a_complete_answer_is_zero_and_says_nothing_else() {
    for args in [
        "info",
        "frequency-info",
        "-c all frequency-info",
        "frequency-info -o",
        "info --json",
    ] {
        assert_eq!(run(&passive(4), args), (0, String::new()), "{args}");
    }
}

#[test]
fn help_and_version_are_zero() {
    for args in [
        "--help",
        "-h",
        "help info",
        "frequency-info --help",
        "--version",
        "-v",
        "-V",
    ] {
        let run = pstatectl(&passive(1), args);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{args}");
        assert!(!run.stdout.is_empty(), "{args}");
    }
}

#[test]
fn a_wrong_command_line_is_two() {
    for args in [
        "",
        "frobnicate",
        "--frobnicate",
        "info --frobnicate",
        "-c 3-1 info",
        "-c x info",
        "frequency-info -mm",
    ] {
        let run = pstatectl(&passive(4), args);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{args}");
        assert!(!run.stderr.is_empty(), "{args}");
    }
}

#[test]
fn no_permission_is_three() {
    let tree = passive(1);
    let file = tree.path(&format!("{CPU}/cpufreq/policy0/scaling_driver"));
    fs::set_permissions(file, Permissions::from_mode(0o000)).unwrap();
    // Root reads everything, so root runs the program as somebody else, who must be able to reach it.
    fs::set_permissions(tree.root(), Permissions::from_mode(0o755)).unwrap();
    let copied = Command::new("cp")
        .arg(env!("CARGO_BIN_EXE_pstatectl"))
        .arg(tree.root())
        .status()
        .unwrap();
    assert!(copied.success());
    let mut command = Command::new(tree.path("pstatectl"));
    command
        .arg("--root")
        .arg(tree.root())
        .args(["frequency-info", "-d"]);
    if fs::metadata("/proc/self").unwrap().uid() == 0 {
        command.uid(NOBODY).gid(NOBODY);
    }
    let run = Run::from(command.output().unwrap());
    assert_eq!(run.code, 3, "{}", run.stderr);
    assert!(
        run.stderr
            .contains("cpu0/cpufreq/scaling_driver: permission denied"),
        "{}",
        run.stderr
    );
}

#[test]
fn no_driver_is_four() {
    let (code, stderr) = run(&Tree::new(2).flags(""), "frequency-info");
    assert_eq!(code, 4);
    assert_eq!(
        stderr,
        "pstatectl: CPU 0: /sys/devices/system/cpu/cpu0/cpufreq: no such directory: \
         no cpufreq driver is in charge of this CPU\n"
    );
    let (code, stderr) = run(&Tree::new(2).flags(""), "info");
    assert_eq!(code, 4);
    assert_eq!(
        stderr,
        "pstatectl: CPUs 0-1: /sys/devices/system/cpu/cpu0/cpufreq: no such directory: \
         no cpufreq driver is in charge of these CPUs\n"
    );
}

#[test]
fn an_offline_or_absent_cpu_is_five_when_it_was_named() {
    let tree = passive(4).offline(3);
    let (code, stderr) = run(&tree, "-c 3 frequency-info");
    assert_eq!(code, 5);
    assert_eq!(
        stderr,
        "pstatectl: CPU 3: /sys/devices/system/cpu/cpu3/online: the CPU is offline\n"
    );
    assert_eq!(run(&tree, "-c 3 info").0, 5);
    assert_eq!(run(&tree, "-c all frequency-info"), (0, String::new()));
    let (code, stderr) = run(&tree, "-c 4 frequency-info");
    assert_eq!(code, 5);
    assert_eq!(
        stderr,
        "pstatectl: --cpu: there is no CPU 4: this machine has the CPUs 0-3\n"
    );
}

#[test]
fn a_part_that_is_missing_is_six() {
    let tree = passive(4).offline(3);
    assert_eq!(run(&tree, "-c 2-3 frequency-info -d").0, 6);
    let tree = passive(1).without(&format!("{CPU}/cpufreq/policy0/scaling_governor"));
    let (code, stderr) = run(&tree, "frequency-info");
    assert_eq!(code, 6);
    assert_eq!(
        stderr,
        format!("pstatectl: CPU 0: /{CPU}/cpufreq/policy0/scaling_governor: no such file\n")
            .replace("cpufreq/policy0", "cpu0/cpufreq")
    );
}

#[test]
fn what_the_driver_does_not_offer_is_seven() {
    assert_eq!(run(&passive(1), "frequency-info -z").0, 7);
    assert_eq!(run(&passive(1), "frequency-info -w").0, 7);
    assert_eq!(
        run(
            &passive(1).with(0, "cpuinfo_transition_latency", 0),
            "frequency-info -y"
        )
        .0,
        7
    );
    assert_eq!(
        run(
            &passive(1).with(0, "scaling_cur_freq", "<unknown>"),
            "frequency-info -f"
        )
        .0,
        7
    );
}

#[test]
fn a_file_that_holds_nonsense_is_eight() {
    let (code, stderr) = run(
        &passive(1).with(0, "scaling_max_freq", "-5"),
        "frequency-info -p",
    );
    assert_eq!(code, 8);
    assert_eq!(
        stderr,
        format!("pstatectl: CPU 0: /{CPU}/cpu0/cpufreq/scaling_max_freq: expected a frequency in kHz, found \"-5\" (negative)\n")
    );
}

#[test]
fn a_file_that_cannot_be_read_is_one() {
    let tree = passive(1).unreadable(&format!("{CPU}/cpufreq/policy0/scaling_driver"));
    let (code, stderr) = run(&tree, "frequency-info -d");
    assert_eq!(code, 1);
    assert!(
        stderr.contains("scaling_driver: cannot be read: "),
        "{stderr}"
    );
}

#[test]
fn a_full_disk_is_one_and_a_closed_pipe_is_nothing() {
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = command(&passive(1), "info")
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("pstatectl: standard output: "));

    // The pipe to a program that has ended has no reader.
    let mut ended = Command::new("true").stdin(Stdio::piped()).spawn().unwrap();
    let pipe = ended.stdin.take().unwrap();
    ended.wait().unwrap();
    let output = command(&passive(1), "info")
        .stdout(pipe)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}
