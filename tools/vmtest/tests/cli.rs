// SPDX-License-Identifier: GPL-2.0
//! The exit codes of the program itself.

use std::process::{Command, Output};

fn vmtest(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vmtest"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("VMTEST_")) {
        command.env_remove(name);
    }
    command
        .args(arguments)
        .output()
        .unwrap_or_else(|error| unreachable!("{error}"))
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// All paths, none of which exists but the root.
const PATHS: [&str; 14] = [
    "--kernel",
    "/none/vmlinuz",
    "--modules",
    "/none/modules",
    "--module",
    "/none/module.ko",
    "--plugin",
    "/none/plugin.so",
    "--platforms",
    "/none/platforms",
    "--agent",
    "/none/agent",
    "--pstatectl",
    "/none/pstatectl",
];

#[test]
fn the_list_names_scenarios() {
    let output = vmtest(&["list", "bind-off"]);
    assert_eq!(output.status.code(), Some(0));
    let list = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        list.lines().count() == 2 && list.contains("binds every CPU"),
        "{list}"
    );
}

#[test]
fn wrong_usage_has_its_exit_code() {
    for arguments in [&["run"][..], &["walk"], &["list", "no such scenario"]] {
        assert_eq!(vmtest(arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn a_missing_qemu_is_no_failed_scenario() {
    let arguments = [&["run", "--qemu", "/none/qemu"][..], &PATHS].concat();
    let output = vmtest(&arguments);
    assert_eq!(output.status.code(), Some(69));
    assert!(
        stderr(&output).contains("/none/qemu"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn an_old_qemu_is_refused_with_both_versions() {
    let folder = tempfile::tempdir().unwrap();
    let qemu = folder.path().join("qemu");
    std::fs::write(&qemu, "#!/bin/sh\necho QEMU emulator version 7.2.19\n").unwrap();
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&qemu, executable).unwrap();
    let output = vmtest(&[&["demo", "--qemu", qemu.to_str().unwrap()][..], &PATHS].concat());
    assert_eq!(output.status.code(), Some(69));
    let said = stderr(&output);
    assert!(said.contains("QEMU 7.2") && said.contains("11.1"), "{said}");
}
