// SPDX-License-Identifier: GPL-2.0
//! Where the module cannot work it says why, in one line, and changes nothing.

use anyhow::{ensure, Context, Result};
use vmtest_proto::Exit;

use super::{Scenario, C_DRIVER_OFF, C_DRIVER_ON};
use crate::check;
use crate::driver::{self, set_c_driver, MODULE};
use crate::machine::{policy, Machine, Moment};
use crate::registers;

/// One way to be refused.
struct Case {
    /// Parameters of the module.
    parameters: &'static [&'static str],
    /// The error number in modprobe's words.
    errno: &'static str,
    /// What the one line must say.
    reason: &'static str,
}

const fn case(errno: &'static str, reason: &'static str) -> Case {
    Case {
        parameters: &[],
        errno,
        reason,
    }
}

const NO_DEVICE: &str = "No such device";
const NOT_SUPPORTED: &str = "Operation not supported";
const INVALID: &str = "Invalid argument";
const BUSY: &str = "Device or resource busy";

const NOT_AMD: Case = case(NO_DEVICE, "not an AMD processor");
const NO_CPPC: Case = case(NOT_SUPPORTED, "no CPPC registers");
const NO_CPC: Case = case(NO_DEVICE, "no _CPC object");
const NOMINAL_ZERO: Case = case(INVALID, "nominal perf is 0");
const CAPS_UNORDERED: Case = case(
    INVALID,
    "lowest_nonlinear perf 230 is above nominal perf 210",
);
const BOUND_ACPI: Case = case(BUSY, "driven by acpi-cpufreq already");
const BOUND_C: Case = case(BUSY, "driven by amd-pstate already");
const MISSPELT: Case = Case {
    parameters: &["mode=pasive"],
    errno: INVALID,
    reason: "mode=pasive is not a mode; the modes are ",
};
const DISABLED: Case = Case {
    parameters: &["mode=disable"],
    errno: NO_DEVICE,
    reason: "mode=disable",
};

const fn refusal(name: &'static str, platform: &'static str) -> Scenario {
    Scenario::new(name, C_DRIVER_OFF.on(platform))
}

pub const SCENARIOS: &[Scenario] = &[
    Scenario {
        about: "refuses a processor of another vendor",
        run: |m| refused(m, &NOT_AMD),
        ..refusal("refuse-not-amd", "not-amd")
    },
    Scenario {
        about: "refuses a processor without CPPC",
        run: |m| refused(m, &NO_CPPC),
        ..refusal("refuse-no-cppc", "no-cppc")
    },
    Scenario {
        about: "refuses a machine whose firmware has no _CPC",
        run: |m| refused(m, &NO_CPC),
        ..refusal("refuse-no-cpc", "no-cpc")
    },
    Scenario {
        about: "refuses a nominal perf of 0",
        run: |m| refused(m, &NOMINAL_ZERO),
        ..refusal("refuse-nominal-zero", "nominal-zero")
    },
    Scenario {
        about: "refuses capabilities out of order",
        run: |m| refused(m, &CAPS_UNORDERED),
        ..refusal("refuse-caps-unordered", "caps-unordered")
    },
    Scenario {
        about: "refuses a mode that is none, and lists the good ones",
        run: |m| refused(m, &MISSPELT),
        ..Scenario::new("refuse-misspelt-mode", C_DRIVER_OFF)
    },
    Scenario {
        about: "does nothing with mode=disable",
        run: |m| refused(m, &DISABLED),
        ..Scenario::new("refuse-mode-disable", C_DRIVER_OFF)
    },
    Scenario {
        about: "refuses when acpi-cpufreq drives the CPUs",
        run: beside_acpi_cpufreq,
        ..Scenario::new("refuse-acpi-cpufreq", C_DRIVER_OFF)
    },
    Scenario {
        about: "refuses when the C driver drives the CPUs",
        run: beside_the_c_driver,
        ..Scenario::new("refuse-c-driver", C_DRIVER_ON)
    },
];

/// The module is refused, and acpi-cpufreq can be loaded afterwards if it could be before.
fn refused(m: &mut Machine, case: &Case) -> Result<()> {
    let before = acpi_cpufreq_loads(m)?;
    load_is_refused(m, case)?;
    ensure!(
        !m.exists(&policy(0, "scaling_driver"))?,
        "a policy is there after the refusal"
    );
    check::equal(
        "whether acpi-cpufreq loads afterwards",
        acpi_cpufreq_loads(m)?,
        before,
    )
}

fn beside_acpi_cpufreq(m: &mut Machine) -> Result<()> {
    m.modprobe(&["acpi_cpufreq"])?;
    load_is_refused(m, &BOUND_ACPI)?;
    check::equal(
        "scaling_driver",
        m.text(&policy(0, "scaling_driver"))?,
        "acpi-cpufreq",
    )?;
    m.rmmod("acpi_cpufreq")?;
    // Once it has gone there is nothing in the way.
    m.modprobe(&[MODULE])?;
    m.rmmod(MODULE)?;
    Ok(())
}

fn beside_the_c_driver(m: &mut Machine) -> Result<()> {
    set_c_driver(m, "passive")?;
    load_is_refused(m, &BOUND_C)?;
    check::equal(
        "scaling_driver",
        m.text(&policy(0, "scaling_driver"))?,
        "amd-pstate",
    )?;
    set_c_driver(m, "disable")
}

fn load_is_refused(m: &mut Machine, case: &Case) -> Result<()> {
    let before = m.now()?;
    let ran = m.try_modprobe(&[&[MODULE], case.parameters].concat())?;
    ensure!(ran.exit != Exit::Code(0), "the module was not refused");
    check::contains("modprobe's words", &ran.stderr, case.errno)?;
    ensure!(!m.has_module(MODULE)?, "the module is still there");
    let log = m.dmesg_since(before)?;
    match driver::lines(&log).as_slice() {
        [line] => check::contains("the line", line, case.reason)?,
        lines => anyhow::bail!("not one line but {}: {lines:?}", lines.len()),
    }
    nothing_was_written(m, before)
}

/// No register was written, but those with which whoever drives the CPUs goes on meanwhile.
fn nothing_was_written(m: &mut Machine, since: Moment) -> Result<()> {
    let driven = m.exists(&policy(0, "scaling_driver"))?;
    let entries = m.registers_since(since)?;
    let written: Vec<_> = registers::writes(&entries).collect();
    ensure!(
        driven || written.is_empty(),
        "registers were written: {written:?}"
    );
    Ok(())
}

/// Whether acpi-cpufreq loads; it is unloaded again.
fn acpi_cpufreq_loads(m: &mut Machine) -> Result<bool> {
    let loads = m.try_modprobe(&["acpi_cpufreq"])?.exit == Exit::Code(0);
    if loads {
        m.rmmod("acpi_cpufreq").context("unload acpi-cpufreq")?;
    }
    Ok(loads)
}
