// SPDX-License-Identifier: GPL-2.0
//! Registers that fault (#GP): an error and a clean state, whenever it happens.

use anyhow::{ensure, Context, Result};
use cppc_model::log::Event;
use cppc_model::{Register, Request as PerfRequest};
use vmtest_proto::{Bytes, Reply, Request};

use super::expected::{describe, written_registers};
use super::{Boot, Scenario, C_DRIVER_OFF};
use crate::check;
use crate::driver::MODULE;
use crate::machine::{policy, Machine, Moment, CPUS};

const FAULTS: Boot<'static> = Boot {
    platform: "zen4-faults",
    ..C_DRIVER_OFF
};

pub const SCENARIOS: &[Scenario] = &[
    Scenario {
        about: "a register that faults while the driver loads is refused by name, and undone",
        run: while_loading,
        ..Scenario::new("faults-load", FAULTS)
    },
    Scenario {
        about: "requests that fault at work are errors, and are made when they can be again",
        run: at_work,
        ..Scenario::new("faults-work", FAULTS)
    },
];

/// An access that faults from one marker to the next, as `platforms/zen4-faults.toml` has it.
#[derive(Clone, Copy)]
struct Fault {
    register: Register,
    from: u8,
}

const LOAD_FAULTS: [Fault; 6] = [
    Fault {
        register: Register::Cap1,
        from: 16,
    },
    Fault {
        register: Register::Req,
        from: 18,
    },
    Fault {
        register: Register::Enable,
        from: 20,
    },
    Fault {
        register: Register::PerfCtl,
        from: 22,
    },
    Fault {
        register: Register::Hwcr,
        from: 24,
    },
    // The write that switches CPPC on.
    Fault {
        register: Register::Enable,
        from: 26,
    },
];

const REQUEST_FAULT: Fault = Fault {
    register: Register::Req,
    from: 28,
};

impl Fault {
    fn begin(self, m: &mut Machine) -> Result<()> {
        mark(m, self.from)
    }

    fn end(self, m: &mut Machine) -> Result<()> {
        mark(m, self.from + 1)
    }

    /// Fails unless an access has faulted, without which nothing has been tried.
    fn was_met(self, m: &mut Machine, since: Moment) -> Result<()> {
        let met = m
            .registers_since(since)?
            .iter()
            .any(|entry| matches!(&entry.event, Event::Fault { reg, .. } if *reg == self.register));
        ensure!(met, "no access to {:?} has faulted", self.register);
        Ok(())
    }
}

/// Sets a marker: a byte to the platform's port.
fn mark(m: &mut Machine, number: u8) -> Result<()> {
    const MARK_PORT: u64 = 0xcf0;
    let out = Request::WriteAt {
        path: "/dev/port".to_owned(),
        offset: MARK_PORT,
        data: Bytes(vec![number]),
    };
    for reply in m.batch(vec![out])? {
        ensure!(matches!(reply, Reply::Done), "the marker: {reply:?}");
    }
    Ok(())
}

fn while_loading(m: &mut Machine) -> Result<()> {
    m.modprobe(&["msr"])?;
    let found = written_registers(m)?;
    for mode in ["mode=passive", "mode=active"] {
        for fault in LOAD_FAULTS {
            let before = m.now()?;
            fault.begin(m)?;
            let ran = m.try_modprobe(&[MODULE, mode])?;
            fault.end(m)?;
            fault.was_met(m, before)?;
            ensure!(
                ran.ok().is_err(),
                "{mode}: loads although {:?} faults",
                fault.register
            );
            check::equal(
                format!("{mode}: the registers after {:?} faulted", fault.register),
                written_registers(m)?,
                found.clone(),
            )?;
        }
        // Nothing is left over that would be in the way.
        m.modprobe(&[MODULE, mode])?;
        m.rmmod(MODULE)?;
        check::equal("the registers", written_registers(m)?, found.clone())?;
    }
    Ok(())
}

fn at_work(m: &mut Machine) -> Result<()> {
    const EIO: i32 = 5;
    m.modprobe(&["msr"])?;
    let found = written_registers(m)?;
    m.modprobe(&[MODULE, "mode=passive"])?;
    let before = m.now()?;
    REQUEST_FAULT.begin(m)?;
    // From the scheduler, which nobody can be told of.
    m.run(&["timeout", "1", "sh", "-c", "while :; do :; done"])?;
    REQUEST_FAULT.was_met(m, before)?;
    // Limits that were never put in force leave nothing of theirs behind.
    let (limit, highest) = (
        policy(0, "scaling_max_freq"),
        m.text(&policy(0, "scaling_max_freq"))?,
    );
    m.write(&limit, "3000000")?;
    m.run(&["timeout", "1", "sh", "-c", "while :; do :; done"])?;
    m.write(&limit, &highest)?;
    REQUEST_FAULT.end(m)?;
    m.run(&["timeout", "1", "sh", "-c", "while :; do :; done"])?;
    for cpu in m.cpus() {
        let request = PerfRequest::from_bits(m.register(cpu, Register::Req)?);
        let known = describe(m, cpu)?;
        check::equal(
            format!("cpu{cpu}: the maximum after limits that faulted"),
            request.max(),
            known.highest,
        )?;
    }

    // Governors, limits, CPUs and modes that come and go meanwhile; errors are allowed.
    REQUEST_FAULT.begin(m)?;
    let last = m.cpus().end - 1;
    for (path, value) in [
        (policy(0, "scaling_governor"), "performance"),
        (policy(0, "scaling_max_freq"), "3000000"),
        (format!("{CPUS}/cpu{last}/online"), "0"),
        (format!("{CPUS}/cpu{last}/online"), "1"),
        (format!("{CPUS}/amd_pstate/status"), "guided"),
        (format!("{CPUS}/amd_pstate/status"), "passive"),
        (policy(0, "boost"), "0"),
        (policy(0, "boost"), "1"),
    ] {
        if let Err(error) = m.write(&path, value) {
            error.errno().ok_or(error)?;
        }
    }
    REQUEST_FAULT.end(m)?;

    m.write(&format!("{CPUS}/amd_pstate/status"), "disable")?;
    m.write(&format!("{CPUS}/amd_pstate/status"), "active")?;
    let preference = policy(0, "energy_performance_preference");
    m.write(&policy(0, "scaling_governor"), "powersave")?;
    m.write(&preference, "100")?;
    REQUEST_FAULT.begin(m)?;
    let errno = m
        .write(&preference, "200")
        .err()
        .and_then(|error| error.errno());
    check::equal("errno of a preference that faults", errno, Some(EIO))?;
    check::equal("the preference after it", m.text(&preference)?, "100")?;
    REQUEST_FAULT.end(m)?;
    m.write(&preference, "200")
        .context("once it can be written again")?;
    check::equal("the preference", m.text(&preference)?, "200")?;
    m.rmmod(MODULE)?;
    check::equal("the registers", written_registers(m)?, found)
}
