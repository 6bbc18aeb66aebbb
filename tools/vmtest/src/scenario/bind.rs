// SPDX-License-Identifier: GPL-2.0
//! The module takes every CPU, whichever way the C driver was switched off.

use anyhow::{ensure, Result};

use super::{Boot, Scenario, C_DRIVER_OFF, C_DRIVER_ON};
use crate::check;
use crate::driver::{self, set_c_driver, MODULE};
use crate::machine::{policy, Machine, CPUS};

pub const SCENARIOS: &[Scenario] = &[
    Scenario {
        about: "binds every CPU when the C driver was switched off at boot",
        run: off_at_boot,
        ..Scenario::new("bind-off-at-boot", C_DRIVER_OFF)
    },
    Scenario {
        about: "binds every CPU when the C driver was switched off at run time, and gives it back",
        run: off_at_run_time,
        ..Scenario::new("bind-off-at-run-time", C_DRIVER_ON)
    },
    Scenario {
        about: "has no preferred cores with prefcore=0",
        run: without_preferred_cores,
        ..Scenario::new("bind-prefcore-off", C_DRIVER_OFF)
    },
    Scenario {
        about: "binds every one of eight CPUs",
        run: off_at_boot,
        ..Scenario::new(
            "bind-eight-cpus",
            Boot {
                cpus: 8,
                ..C_DRIVER_OFF
            },
        )
    },
];

fn off_at_boot(m: &mut Machine) -> Result<()> {
    ensure!(
        !m.exists(&policy(0, "scaling_driver"))?,
        "a driver is there before ours"
    );
    load_and_look(m, "amd_pstate")?;
    m.rmmod(MODULE)?;
    ensure!(
        !m.exists(&format!("{CPUS}/amd_pstate"))?,
        "amd_pstate stays after rmmod"
    );
    ensure!(
        !m.exists(&policy(0, "scaling_driver"))?,
        "a policy stays after rmmod"
    );
    Ok(())
}

fn off_at_run_time(m: &mut Machine) -> Result<()> {
    set_c_driver(m, "disable")?;
    ensure!(
        !m.exists(&policy(0, "scaling_driver"))?,
        "the C driver is still there"
    );
    // The C driver's folder stays, so ours goes beside it.
    load_and_look(m, "amd_pstate_rs")?;
    check::equal(
        "the C driver's status",
        m.text(&format!("{CPUS}/amd_pstate/status"))?,
        "disable",
    )?;
    m.rmmod(MODULE)?;
    ensure!(
        !m.exists(&format!("{CPUS}/amd_pstate_rs"))?,
        "amd_pstate_rs stays after rmmod"
    );
    set_c_driver(m, "passive")?;
    for cpu in m.cpus() {
        check::equal(
            "scaling_driver",
            m.text(&policy(cpu, "scaling_driver"))?,
            "amd-pstate",
        )?;
    }
    set_c_driver(m, "disable")
}

fn without_preferred_cores(m: &mut Machine) -> Result<()> {
    m.modprobe(&[MODULE, "prefcore=0"])?;
    check::equal(
        "prefcore",
        m.text(&format!("{CPUS}/amd_pstate/prefcore"))?,
        "disabled",
    )?;
    for cpu in m.cpus() {
        check::equal(
            "scaling_driver",
            m.text(&policy(cpu, "scaling_driver"))?,
            "amd-pstate",
        )?;
    }
    m.rmmod(MODULE)?;
    Ok(())
}

/// Loads the module and looks at each CPU and at the module's folder.
fn load_and_look(m: &mut Machine, folder: &str) -> Result<()> {
    let before = m.now()?;
    m.modprobe(&[MODULE, "mode=passive"])?;
    for cpu in m.cpus() {
        let what = format!("cpu{cpu} scaling_driver");
        check::equal(what, m.text(&policy(cpu, "scaling_driver"))?, "amd-pstate")?;
        check::equal(
            "affected_cpus",
            m.text(&policy(cpu, "affected_cpus"))?,
            cpu.to_string(),
        )?;
    }
    let preferred = if m.platform().has_preferred_cores() {
        "enabled"
    } else {
        "disabled"
    };
    check::equal(
        "status",
        m.text(&format!("{CPUS}/{folder}/status"))?,
        "passive",
    )?;
    check::equal(
        "prefcore",
        m.text(&format!("{CPUS}/{folder}/prefcore"))?,
        preferred,
    )?;
    let log = m.dmesg_since(before)?;
    let said = driver::lines(&log).join("; ");
    check::contains("the log", &said, "passive mode, requests by MSR")
}
