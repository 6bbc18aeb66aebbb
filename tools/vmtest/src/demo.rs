// SPDX-License-Identifier: GPL-2.0
//! Shows the driver at work: what the tools say of it, and what it writes.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{ensure, Context, Result};
use cppc_model::log::Entry;
use cppc_model::{Register, Request};

use crate::boot::{Boot, Host, NeverRan};
use crate::driver::{self, MODULE};
use crate::interrupt;
use crate::machine::{policy, Machine};
use crate::registers::writes;
use crate::verdict::exit;

const BOOT: Boot<'static> = Boot {
    platform: "zen4-desktop",
    cpus: 4,
    kernel_args: "amd_pstate=disable",
    counting: false,
};

/// How long all of it may take, the boot aside.
const BOUND: Duration = Duration::from_secs(60);

/// How many lines of the register log are shown.
const LINES: usize = 8;

/// Boots the machine, shows, and says with its exit code whether all went well.
#[must_use]
pub fn run(host: &Host, out: &Path) -> u8 {
    match boot_and_show(host, out) {
        Ok(()) => exit::PASSED,
        Err(_) if interrupt::came() => exit::INTERRUPTED,
        Err(error) => {
            eprintln!("vmtest: {error:#}");
            if error.is::<NeverRan>() {
                exit::NEVER_RAN
            } else {
                exit::FAILED
            }
        }
    }
}

fn boot_and_show(host: &Host, out: &Path) -> Result<()> {
    let folder = out.join("demo");
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let mut machine = host.boot(&BOOT, &folder)?;
    machine.set_bound(BOUND);
    show(&mut machine)?;
    ensure!(machine.end(), "the machine did not end when it was told to");
    Ok(())
}

fn show(m: &mut Machine) -> Result<()> {
    let release = m.release().to_owned();
    let seconds = m.boot_time().as_secs_f64();
    println!("{} CPUs of: {}", BOOT.cpus, m.platform().description());
    println!("Linux {release}, stock, ready after {seconds:.1} s");

    title(&format!("modprobe {MODULE}"));
    let before = m.now()?;
    m.modprobe(&[MODULE])?;
    for line in driver::lines(&m.dmesg_since(before)?) {
        println!("{}{line}", driver::LOG_PREFIX);
    }
    for cpu in m.cpus() {
        m.write(&policy(cpu, "scaling_governor"), "schedutil")?;
    }

    let load = m.now()?;
    m.run(&["timeout", "1", "sh", "-c", "while :; do :; done"])?;
    for command in [
        "pstatectl info",
        "pstatectl frequency-info",
        "cpupower frequency-info",
    ] {
        title(command);
        let argv: Vec<&str> = command.split(' ').collect();
        print!("{}", m.run(&argv)?.ok()?.stdout);
    }

    title("register log: the scheduler's requests while a loop ran for a second");
    print!("{}", table(&m.registers_since(load)?)?);
    m.rmmod(MODULE)?;
    Ok(())
}

fn title(text: &str) {
    println!("\n\u{2500}\u{2500} {text}");
}

/// The first few requests as a table. The time counts from the first of them.
fn table(entries: &[Entry]) -> Result<String> {
    let mut text = String::from("      ms  CPU  min  des  max  REQ\n");
    let mut first = None;
    let is_request = |entry: &&Entry| {
        writes(std::slice::from_ref(*entry)).any(|write| write.register == Register::Req)
    };
    let mut requests: Vec<&Entry> = entries.iter().filter(is_request).collect();
    // CPUs write side by side, and the log takes them as they come.
    requests.sort_by_key(|entry| entry.t);
    for entry in requests.into_iter().take(LINES) {
        let begin = *first.get_or_insert(entry.t);
        for write in writes(std::slice::from_ref(entry)) {
            let request = Request::from_bits(write.value);
            let (min, des, max) = (request.min(), request.des(), request.max());
            let ms = Duration::from_nanos(entry.t.saturating_sub(begin)).as_secs_f64() * 1000.0;
            let (cpu, value) = (entry.cpu, write.value);
            writeln!(
                text,
                "{ms:8.1}  {cpu:3}  {min:3}  {des:3}  {max:3}  {value:#010x}"
            )?;
        }
    }
    ensure!(first.is_some(), "the scheduler made no request");
    Ok(text)
}

#[cfg(test)]
mod tests {
    use cppc_model::log::Event;

    use super::*;

    fn entry(t: u64, register: Register, value: u64) -> Entry {
        Entry {
            t,
            cpu: 1,
            event: Event::Write {
                reg: register,
                msr: register.msr(),
                value,
                old: 0,
            },
        }
    }

    #[test]
    fn the_table_shows_requests_only_and_counts_from_the_first() {
        let request = Request::new().with_min(51).with_des(80).with_max(166);
        let entries = [
            entry(5, Register::Enable, 1),
            entry(1_000_000, Register::Req, request.into_bits()),
            entry(3_500_000, Register::Req, request.into_bits()),
        ];
        let table = table(&entries).unwrap();
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[1], "     0.0    1   51   80  166  0x005033a6");
        assert!(lines[2].starts_with("     2.5"), "{table}");
    }

    #[test]
    fn a_log_without_requests_is_no_demonstration() {
        assert!(table(&[entry(5, Register::Enable, 1)]).is_err());
    }
}
