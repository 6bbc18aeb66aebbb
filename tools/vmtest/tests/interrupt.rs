// SPDX-License-Identifier: GPL-2.0
//! A signal ends the run in order. The only test of its process, since signals are for all of it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{getpid, kill_process, Signal};
use vmtest::boot::{Boot, Host};
use vmtest::driver::Driver;
use vmtest::interrupt;
use vmtest::runner::Runner;
use vmtest::scenario::Scenario;

const QEMU: &str = r#"#!/bin/sh
echo $$ > "${0%/*}/pid"
echo '{"protocol":2,"release":"7.3"}'
exec sleep 60
"#;

#[test]
fn a_signal_kills_the_machine_and_has_an_exit_code_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let qemu = folder.path().join("qemu");
    fs::write(&qemu, QEMU).unwrap();
    fs::set_permissions(&qemu, fs::Permissions::from_mode(0o755)).unwrap();
    let host = Host {
        qemu,
        kernel: "/none".into(),
        initrd: "/none".into(),
        plugin: "/none".into(),
        platforms: Path::new(env!("CARGO_MANIFEST_DIR")).join("../../platforms"),
        hello_bound: Duration::from_secs(10),
    };
    let scenario = Scenario {
        name: "interrupted",
        about: "waits for an answer that never comes",
        boot: Boot {
            platform: "zen3-uniform",
            cpus: 1,
            kernel_args: "",
            counting: false,
        },
        shared: false,
        bound: Duration::from_secs(30),
        with_reference: false,
        run: |machine| Ok(machine.ping()?),
    };
    interrupt::watch().unwrap();
    let begin = Instant::now();
    let pid = folder.path().join("pid");
    let killer = thread::spawn(move || {
        while !fs::exists(&pid).unwrap() {
            thread::sleep(Duration::from_millis(20));
        }
        thread::sleep(Duration::from_millis(300));
        kill_process(getpid(), Signal::TERM).unwrap();
        fs::read_to_string(&pid).unwrap()
    });
    let out = folder.path().join("out");
    let tally = Runner::new(&host, &out, Driver::Module, false).run([&scenario]);
    let pid = killer.join().unwrap();
    assert_eq!(tally.exit_code(), 130);
    assert!(begin.elapsed() < Duration::from_secs(20));
    assert!(
        !Path::new("/proc").join(pid.trim()).exists(),
        "the machine still runs"
    );
}
