// SPDX-License-Identifier: GPL-2.0
//! What the other governors and the limits want is in the register with the next request.

use anyhow::{Context, Result};
use cppc_model::Request;

use super::expected::{describe, khz_within, level_for, request};
use super::{Scenario, C_DRIVER_OFF};
use crate::check;
use crate::machine::{policy, Machine};
use crate::registers;

pub const SCENARIOS: &[Scenario] = &[
    Scenario {
        about: "performance, powersave and userspace arrive in the register with one request",
        with_reference: true,
        run: governors,
        ..Scenario::new("governors", C_DRIVER_OFF)
    },
    Scenario {
        about: "the same on a part without preferred cores",
        with_reference: true,
        run: governors,
        ..Scenario::new("governors-uniform", C_DRIVER_OFF.on("zen3-uniform"))
    },
    Scenario {
        about: "scaling_max_freq and scaling_min_freq arrive in the register with one request",
        with_reference: true,
        run: limits,
        ..Scenario::new("governors-limits", C_DRIVER_OFF)
    },
];

fn governors(m: &mut Machine) -> Result<()> {
    let driver = m.driver;
    driver.load(m)?;
    m.modprobe(&["cpufreq_powersave"])?;
    m.modprobe(&["cpufreq_userspace"])?;
    for cpu in m.cpus() {
        let known = describe(m, cpu)?;
        let lowest_khz = m.number(&policy(cpu, "cpuinfo_min_freq"))?;
        // From a governor that asks for nothing by itself, so that each request has one cause.
        set(m, cpu, "scaling_governor", "userspace")?;
        set(m, cpu, "scaling_min_freq", &lowest_khz.to_string())?;
        let (min, max) = limits_of(m, cpu)?;
        // Somewhere between, so that the first governor has something to change.
        let khz = khz_within(m, cpu, known.nominal)?;
        set(m, cpu, "scaling_setspeed", &khz.to_string())?;

        arrives(
            m,
            cpu,
            "scaling_governor",
            "performance",
            request(min, max, max),
        )?;
        arrives(
            m,
            cpu,
            "scaling_governor",
            "powersave",
            request(min, min, max),
        )?;
        set(m, cpu, "scaling_governor", "userspace")?;
        for level in [
            known.lowest_nonlinear,
            known.nominal,
            known.highest,
            known.lowest,
        ] {
            let khz = khz_within(m, cpu, level)?.to_string();
            arrives(
                m,
                cpu,
                "scaling_setspeed",
                &khz,
                request(min, level.max(min), max),
            )?;
        }
    }
    driver.unload(m)
}

fn limits(m: &mut Machine) -> Result<()> {
    let driver = m.driver;
    driver.load(m)?;
    for cpu in m.cpus() {
        let known = describe(m, cpu)?;
        set(m, cpu, "scaling_governor", "performance")?;
        let (min, _) = limits_of(m, cpu)?;

        let nominal = known.nominal;
        let khz = khz_within(m, cpu, nominal)?.to_string();
        arrives(
            m,
            cpu,
            "scaling_max_freq",
            &khz,
            request(min, nominal, nominal),
        )?;
        // A level between, so that it is no corner of anything.
        let between = known.lowest_nonlinear.midpoint(nominal);
        let khz = khz_within(m, cpu, between)?.to_string();
        arrives(
            m,
            cpu,
            "scaling_min_freq",
            &khz,
            request(between, nominal, nominal),
        )?;
        let khz = m.text(&policy(cpu, "cpuinfo_max_freq"))?;
        let highest = known.highest;
        arrives(
            m,
            cpu,
            "scaling_max_freq",
            &khz,
            request(between, highest, highest),
        )?;
    }
    driver.unload(m)
}

fn set(m: &mut Machine, cpu: usize, attribute: &str, value: &str) -> Result<()> {
    let path = policy(cpu, attribute);
    m.write(&path, format!("{value}\n"))?;
    check::equal(&path, m.text(&path)?, value)
}

/// The levels of the limits in force.
fn limits_of(m: &mut Machine, cpu: usize) -> Result<(u8, u8)> {
    let min = m.number(&policy(cpu, "scaling_min_freq"))?;
    let max = m.number(&policy(cpu, "scaling_max_freq"))?;
    Ok((level_for(m, cpu, min)?, level_for(m, cpu, max)?))
}

/// Writes an attribute; the first request that follows must be the one expected, and the only one.
fn arrives(
    m: &mut Machine,
    cpu: usize,
    attribute: &str,
    value: &str,
    expected: Request,
) -> Result<()> {
    let before = m.now()?;
    set(m, cpu, attribute, value)?;
    let seen = registers::requests(&m.registers_since(before)?, u32::try_from(cpu)?);
    check::equal("the requests", seen, [expected])
        .with_context(|| format!("cpu{cpu}: {attribute} set to {value}"))
}
