// SPDX-License-Identifier: GPL-2.0
//! Boost: on, off, and not to be had.

use anyhow::{ensure, Result};
use cppc_model::{Register, Request};

use super::{Scenario, C_DRIVER_OFF};
use crate::check;
use crate::driver::MODULE;
use crate::machine::{policy, Machine, CPUS};

pub const SCENARIOS: &[Scenario] = &[
    Scenario {
        about: "boost that is off stays off through modes, hotplug, limits and preferences",
        run: stays_off,
        ..Scenario::new("boost-stays-off", C_DRIVER_OFF)
    },
    Scenario {
        about: "where firmware has boost switched off, nothing promises it",
        run: not_to_be_had,
        ..Scenario::new("boost-absent", C_DRIVER_OFF.on("zen4-no-boost"))
    },
];

fn nominal_khz(m: &Machine) -> u64 {
    u64::from(m.platform().nominal_mhz()) * 1000
}

fn stays_off(m: &mut Machine) -> Result<()> {
    m.modprobe(&["msr"])?;
    m.modprobe(&[MODULE, "mode=passive"])?;
    m.write(&format!("{CPUS}/cpufreq/boost"), "0")?;
    let off = |m: &mut Machine, when: &str| -> Result<()> {
        check::equal(when, m.text(&format!("{CPUS}/cpufreq/boost"))?, "0")?;
        for cpu in m.cpus() {
            let nominal = m.platform().cpu(cpu).map(|cpu| cpu.nominal);
            check::equal(when, m.text(&policy(cpu, "boost"))?, "0")?;
            check::equal(
                when,
                m.number(&policy(cpu, "cpuinfo_max_freq"))?,
                nominal_khz(m),
            )?;
            let request = Request::from_bits(m.register(cpu, Register::Req)?);
            ensure!(
                Some(request.max()) <= nominal,
                "{when}: cpu{cpu} is asked for {request:?}"
            );
        }
        Ok(())
    };
    off(m, "switched off")?;
    for mode in ["active", "guided", "active", "disable", "passive"] {
        m.write(&format!("{CPUS}/amd_pstate/status"), mode)?;
        if mode != "disable" {
            off(m, mode)?;
        }
    }
    m.set_online(1, false)?;
    m.set_online(1, true)?;
    off(m, "after hotplug")?;
    m.write(&policy(0, "scaling_max_freq"), "99999999")?;
    off(m, "after a maximum beyond everything")?;
    m.write(&format!("{CPUS}/amd_pstate/status"), "active")?;
    m.write(&policy(0, "energy_performance_preference"), "performance")?;
    off(m, "after a preference")?;

    m.write(&format!("{CPUS}/cpufreq/boost"), "1")?;
    for cpu in m.cpus() {
        check::equal("boost is on again", m.text(&policy(cpu, "boost"))?, "1")?;
        let max = m.number(&policy(cpu, "cpuinfo_max_freq"))?;
        ensure!(max > nominal_khz(m), "boost on: cpu{cpu} ends at {max} kHz");
    }
    m.rmmod(MODULE)?;
    Ok(())
}

fn not_to_be_had(m: &mut Machine) -> Result<()> {
    m.modprobe(&[MODULE, "mode=passive"])?;
    for mode in ["passive", "active", "guided"] {
        m.write(&format!("{CPUS}/amd_pstate/status"), mode)?;
        ensure!(
            !m.exists(&format!("{CPUS}/cpufreq/boost"))?,
            "{mode}: boost"
        );
        for cpu in m.cpus() {
            ensure!(!m.exists(&policy(cpu, "boost"))?, "{mode}: cpu{cpu}: boost");
            for attribute in [
                "cpuinfo_max_freq",
                "amd_pstate_max_freq",
                "scaling_max_freq",
            ] {
                let khz = m.number(&policy(cpu, attribute))?;
                check::equal(format!("{mode}: {attribute}"), khz, nominal_khz(m))?;
            }
        }
        for tool in ["cpupower", "pstatectl"] {
            let shown = m.run(&[tool, "frequency-info", "-b"])?.ok()?.stdout;
            check::contains(format!("{mode}: {tool}"), &shown, "Supported: no")?;
        }
    }
    m.rmmod(MODULE)?;
    Ok(())
}
