// SPDX-License-Identifier: GPL-2.0
//! From mode to mode while the driver is loaded, with what users set.

use anyhow::{ensure, Context, Result};
use cppc_model::Register;

use super::{Boot, Scenario, C_DRIVER_OFF};
use crate::check;
use crate::driver::MODULE;
use crate::machine::{policy, Machine, CPUS};

pub const SCENARIOS: &[Scenario] = &[
    Scenario {
        about: "every mode is reached from every other, under load and with CPUs coming and going",
        run: every_pair,
        ..Scenario::new(
            "modes-pairs",
            Boot {
                cpus: 4,
                ..C_DRIVER_OFF
            },
        )
    },
    Scenario {
        about: "limits, governor, preference and boost of each CPU survive a change of mode",
        run: settings_stay,
        ..Scenario::new("modes-settings", C_DRIVER_OFF)
    },
    Scenario {
        about: "status takes exact words only, and anything else changes nothing",
        run: exact_words,
        ..Scenario::new("modes-words", C_DRIVER_OFF)
    },
    Scenario {
        about: "a mode that cannot be had leaves the machine to the driver that is there",
        run: another_driver_meanwhile,
        ..Scenario::new("modes-another-driver", C_DRIVER_OFF)
    },
];

/// The modes, and the driver's name in each.
const MODES: [(&str, Option<&str>); 4] = [
    ("passive", Some("amd-pstate")),
    ("active", Some("amd-pstate-epp")),
    ("guided", Some("amd-pstate")),
    ("disable", None),
];

/// A round through all twelve ordered pairs of different modes, by the places in [`MODES`].
const ROUND: [usize; 13] = [0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3, 0];

fn status() -> String {
    format!("{CPUS}/amd_pstate/status")
}

fn switch(m: &mut Machine, mode: &str) -> Result<()> {
    m.write(&status(), format!("{mode}\n"))
        .with_context(|| format!("switch to {mode}"))?;
    check::equal("status", m.text(&status())?, mode)
}

fn every_pair(m: &mut Machine) -> Result<()> {
    m.modprobe(&["msr"])?;
    m.modprobe(&[MODULE, "mode=passive"])?;
    let last = m.cpus().end - 1;
    let load = m.spawn(&["sh", "-c", "while :; do :; done"])?;
    for (step, pair) in ROUND.windows(2).enumerate() {
        let [from, to] = pair else { continue };
        let ((from, _), (to, driver)) = (mode(*from)?, mode(*to)?);
        // The last CPU is offline in every other change, and comes back under the new mode.
        if step % 2 == 0 {
            m.set_online(last, false)?;
        }
        switch(m, to).with_context(|| format!("from {from}"))?;
        if step % 2 == 0 {
            m.set_online(last, true)?;
        }
        for cpu in m.cpus() {
            let shown = m.text(&policy(cpu, "scaling_driver")).ok();
            check::equal(
                format!("{from} to {to}: driver of cpu{cpu}"),
                shown.as_deref(),
                driver,
            )?;
            let enabled = m.register(cpu, Register::Enable)?;
            check::equal(
                format!("{from} to {to}: ENABLE of cpu{cpu}"),
                enabled,
                u64::from(driver.is_some()),
            )?;
        }
    }
    m.kill(load)?;
    m.rmmod(MODULE)?;
    Ok(())
}

fn mode(place: usize) -> Result<(&'static str, Option<&'static str>)> {
    MODES.get(place).copied().context("no such mode")
}

fn settings_stay(m: &mut Machine) -> Result<()> {
    m.modprobe(&["cpufreq_powersave"])?;
    m.modprobe(&[MODULE, "mode=active"])?;
    let settings = [
        (0, "scaling_governor", "powersave"),
        (0, "energy_performance_preference", "balance_power"),
        (1, "scaling_governor", "performance"),
        (0, "scaling_max_freq", "3500000"),
        (1, "scaling_min_freq", "2000000"),
        (1, "boost", "0"),
    ];
    for (cpu, attribute, value) in settings {
        m.write(&policy(cpu, attribute), value)?;
    }
    // cpu1's preference is for later, since its governor is performance.
    m.write(&policy(1, "energy_performance_preference"), "77")?;
    let expect = |m: &mut Machine, when: &str| -> Result<()> {
        for (cpu, attribute, value) in settings {
            let path = policy(cpu, attribute);
            check::equal(format!("{when}: {path}"), m.text(&path)?, value)?;
        }
        Ok(())
    };
    expect(m, "as set")?;

    switch(m, "passive")?;
    for (cpu, attribute, value) in &settings[3..] {
        let path = policy(*cpu, attribute);
        check::equal(format!("passive: {path}"), m.text(&path)?, *value)?;
    }
    // A governor of the other driver is kept for the other driver.
    m.write(&policy(0, "scaling_governor"), "powersave")?;
    switch(m, "active")?;
    expect(m, "back from passive")?;
    switch(m, "guided")?;
    check::equal(
        "guided: governor of cpu0",
        m.text(&policy(0, "scaling_governor"))?,
        "powersave",
    )?;
    switch(m, "disable")?;
    switch(m, "active")?;
    expect(m, "back from disable")?;
    m.write(&policy(1, "scaling_governor"), "powersave")?;
    check::equal(
        "the preference that was kept for later",
        m.text(&policy(1, "energy_performance_preference"))?,
        "77",
    )?;
    m.rmmod(MODULE)?;
    Ok(())
}

fn exact_words(m: &mut Machine) -> Result<()> {
    const EINVAL: i32 = 22;
    m.modprobe(&[MODULE, "mode=passive"])?;
    let long = "active".repeat(600);
    for word in [
        "",
        "\n",
        "passiv",
        "activ",
        "undefin",
        "Active",
        " active",
        "active ",
        "active\n\n",
        "activeguided",
        "1",
        &long,
    ] {
        let refused = m.write(&status(), word);
        // Nothing at all is no write.
        if !word.is_empty() {
            let errno = refused.err().and_then(|error| error.errno());
            check::equal(format!("errno of {word:?}"), errno, Some(EINVAL))?;
        }
        check::equal("status", m.text(&status())?, "passive")?;
    }
    for word in ["active", "guided\n", "passive\n\0\0\0\0\0\0\0\0\0\0\0"] {
        m.write(&status(), word)
            .with_context(|| format!("{word:?}"))?;
        let shown = m.text(&status())?;
        ensure!(word.starts_with(&shown), "{word:?} gives {shown}");
    }
    m.rmmod(MODULE)?;
    Ok(())
}

fn another_driver_meanwhile(m: &mut Machine) -> Result<()> {
    const EEXIST: i32 = 17;
    m.modprobe(&[MODULE, "mode=active"])?;
    switch(m, "disable")?;
    m.modprobe(&["acpi-cpufreq"])?;
    let refused = m.write(&status(), "active").err();
    check::equal(
        "errno",
        refused.and_then(|error| error.errno()),
        Some(EEXIST),
    )?;
    check::equal("status", m.text(&status())?, "disable")?;
    check::equal(
        "driver",
        m.text(&policy(0, "scaling_driver"))?,
        "acpi-cpufreq",
    )?;
    m.rmmod("acpi_cpufreq")?;
    switch(m, "active")?;
    m.rmmod(MODULE)?;
    Ok(())
}
