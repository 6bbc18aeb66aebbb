// SPDX-License-Identifier: GPL-2.0
//! What the harness makes of a machine that is not well. A shell script plays QEMU.

// Helpers of tests are not seen as tests by the lint's own exception.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use vmtest::boot::{files, Boot, Host, NeverRan};
use vmtest::driver::Driver;
use vmtest::machine::Machine;
use vmtest::runner::Runner;
use vmtest::scenario::Scenario;
use vmtest::verdict::Tally;

const HELLO: &str = r#"echo '{"protocol":2,"release":"7.3"}'"#;

const BOOT: Boot<'static> = Boot {
    platform: "zen3-uniform",
    cpus: 1,
    kernel_args: "",
    counting: false,
};

/// A folder with a script that plays QEMU.
struct Fake {
    folder: tempfile::TempDir,
    host: Host,
}

impl Fake {
    fn new(script: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let qemu = folder.path().join("qemu");
        fs::write(&qemu, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&qemu, fs::Permissions::from_mode(0o755)).unwrap();
        let platforms = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../platforms");
        let host = Host {
            qemu,
            kernel: "/none".into(),
            initrd: "/none".into(),
            plugin: "/none".into(),
            platforms,
            hello_bound: Duration::from_secs(2),
        };
        Self { folder, host }
    }

    fn boot(&self) -> Result<Machine, NeverRan> {
        self.host.boot(&BOOT, self.folder.path())
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    fn run(&self, run: fn(&mut Machine) -> anyhow::Result<()>) -> Tally {
        let scenario = Scenario {
            name: "fake",
            about: "a scenario for a machine that is not well",
            boot: BOOT,
            shared: false,
            bound: Duration::from_secs(2),
            with_reference: false,
            run,
        };
        Runner::new(&self.host, &self.out(), Driver::Module, false).run([&scenario])
    }
}

fn refused(fake: &Fake) -> NeverRan {
    fake.boot().err().expect("it must not run")
}

#[test]
fn a_machine_that_never_says_hello_is_given_up_and_killed() {
    let fake = Fake::new("echo $$ >\"${0%/*}/pid\"; exec sleep 60");
    let begin = Instant::now();
    let reason = refused(&fake).reason;
    assert!(reason.contains("no hello within 2 s"), "{reason}");
    assert!(begin.elapsed() < Duration::from_secs(10));
    let pid = fs::read_to_string(fake.folder.path().join("pid")).unwrap();
    assert!(
        !Path::new("/proc").join(pid.trim()).exists(),
        "it still runs"
    );
}

#[test]
fn a_machine_that_ends_at_once_is_reported_with_its_last_words() {
    let never_ran = refused(&Fake::new("echo 'no such cpu' >&2; exit 3"));
    assert!(
        never_ran.reason.contains("ended before its hello"),
        "{never_ran}"
    );
    assert!(never_ran.reason.contains("exit status: 3"), "{never_ran}");
    assert!(never_ran.evidence.contains("no such cpu"), "{never_ran}");
}

#[test]
fn a_machine_that_says_garbage_never_ran() {
    let never_ran = refused(&Fake::new("echo 'Booting from ROM..'; exec sleep 60"));
    assert!(never_ran.reason.contains("Booting from ROM"), "{never_ran}");
}

#[test]
fn an_agent_of_another_protocol_is_refused_with_both_versions() {
    let never_ran = refused(&Fake::new(
        r#"echo '{"protocol":99,"release":"7.3"}'; exec sleep 60"#,
    ));
    assert!(
        never_ran.reason.contains("99") && never_ran.reason.contains('2'),
        "{never_ran}"
    );
}

#[test]
fn a_qemu_that_is_not_there_is_named() {
    let mut fake = Fake::new("");
    fake.host.qemu = "/no/such/qemu".into();
    assert!(refused(&fake).reason.contains("/no/such/qemu"));
}

#[test]
fn a_machine_that_hangs_after_its_hello_fails_within_the_bound_and_keeps_its_logs() {
    let fake = Fake::new(&format!("{HELLO}; echo hung >&2; exec sleep 60"));
    let begin = Instant::now();
    let tally = fake.run(|machine| Ok(machine.ping()?));
    assert_eq!(tally.exit_code(), 1);
    assert!(begin.elapsed() < Duration::from_secs(20));
    let kept = fake.out().join("fake");
    assert_eq!(
        fs::read_to_string(kept.join(files::QEMU)).unwrap(),
        "hung\n"
    );
    assert!(kept.join(files::COMMAND).exists());
}

#[test]
fn a_machine_that_dies_after_its_hello_fails_its_scenario() {
    let fake = Fake::new(&format!("{HELLO}; read -r request; exit 1"));
    assert_eq!(fake.run(|machine| Ok(machine.ping()?)).exit_code(), 1);
}

#[test]
fn a_machine_that_never_runs_is_not_a_failed_scenario() {
    let fake = Fake::new("exit 1");
    assert_eq!(fake.run(|machine| Ok(machine.ping()?)).exit_code(), 69);
    assert!(fake.out().join("fake").join(files::COMMAND).exists());
}

#[test]
fn an_answer_to_another_request_is_not_taken_for_the_right_one() {
    let fake = Fake::new(&format!(
        r#"{HELLO}; read -r request; echo '{{"number":42,"message":"done"}}'; exec sleep 60"#
    ));
    let mut machine = fake.boot().unwrap();
    let error = machine.ping().unwrap_err().to_string();
    assert!(error.contains("answer 42 to request 1"), "{error}");
}

#[test]
fn a_machine_that_answers_is_believed() {
    let fake = Fake::new(&format!(
        r#"{HELLO}; read -r request; echo '{{"number":1,"message":"done"}}'; exec sleep 60"#
    ));
    let mut machine = fake.boot().unwrap();
    assert_eq!(machine.release(), "7.3");
    machine.ping().unwrap();
    // A fake cannot end as the agent does, so it is killed.
    assert!(!machine.end());
}
