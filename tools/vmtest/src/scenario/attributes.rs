// SPDX-License-Identifier: GPL-2.0
//! The C driver and the module show the same after the same steps.

use anyhow::{ensure, Context, Result};

use super::expected::{describe, khz_within};
use super::{Boot, Scenario, C_DRIVER_ON};
use crate::differential::{differences, walk, Exceptions, Step, Store};
use crate::driver::{set_c_driver, MODULE};
use crate::machine::Machine;

pub const SCENARIOS: &[Scenario] = &[
    Scenario {
        about: "every attribute and request is the C driver's, on a part with preferred cores",
        run: |m| compare(m, &[MODULE]),
        ..Scenario::new("attributes-desktop", C_DRIVER_ON)
    },
    Scenario {
        about: "the same on a part without preferred cores",
        run: |m| compare(m, &[MODULE]),
        ..Scenario::new(
            "attributes-uniform",
            Boot {
                platform: "zen3-uniform",
                ..C_DRIVER_ON
            },
        )
    },
    Scenario {
        about: "the same with preferred cores switched off in both drivers",
        run: |m| compare(m, &[MODULE, "prefcore=0"]),
        ..Scenario::new(
            "attributes-prefcore-off",
            Boot {
                kernel_args: "amd_pstate=passive amd_prefcore=disable",
                ..C_DRIVER_ON
            },
        )
    },
];

/// What differs on purpose.
const EXCEPTIONS: Exceptions = &[];

fn compare(m: &mut Machine, modprobe: &[&str]) -> Result<()> {
    for module in ["msr", "cpufreq_powersave", "cpufreq_userspace"] {
        m.modprobe(&[module])?;
    }
    let steps = steps(m)?;
    set_c_driver(m, "passive")?;
    let reference = walk(m, &steps).context("with the C driver")?;
    set_c_driver(m, "disable")?;
    m.modprobe(modprobe)?;
    let module = walk(m, &steps).context("with the module")?;
    m.rmmod(MODULE)?;

    let seen = reference.first().map_or(0, |observation| observation.len());
    ensure!(seen > 40, "only {seen} values were seen with the C driver");
    let found = differences(&steps, &reference, &module, EXCEPTIONS);
    let found: Vec<String> = found.iter().map(ToString::to_string).collect();
    ensure!(
        found.is_empty(),
        "{} differences:\n{}",
        found.len(),
        found.join("\n")
    );
    Ok(())
}

fn steps(m: &Machine) -> Result<Vec<Step>> {
    let level = |cpu, level| khz_within(m, cpu, level);
    let each = |store: &dyn Fn(usize) -> Result<Store>| m.cpus().map(store).collect();
    let policy = |attribute: &'static str, value: &'static str| {
        each(&|cpu| Ok(Store::to_policy(cpu, attribute, value)))
    };
    let speed = |attribute: &'static str, of: fn(&cppc_model::CpuDescription) -> u8| {
        each(&|cpu| {
            Ok(Store::to_policy(
                cpu,
                attribute,
                level(cpu, of(&describe(m, cpu)?))?,
            ))
        })
    };
    let all: Vec<(&str, Result<Vec<Store>>)> = vec![
        ("as loaded", Ok(Vec::new())),
        ("performance", policy("scaling_governor", "performance")),
        (
            "maximum nominal",
            speed("scaling_max_freq", |cpu| cpu.nominal),
        ),
        (
            "minimum between",
            speed("scaling_min_freq", |cpu| cpu.lowest_nonlinear + 1),
        ),
        ("powersave", policy("scaling_governor", "powersave")),
        ("boost off", Ok(vec![Store::to_cpus("cpufreq/boost", 0)])),
        (
            "maximum as high as it goes",
            policy("scaling_max_freq", "99999999"),
        ),
        ("minimum as low as it goes", policy("scaling_min_freq", "0")),
        ("userspace", policy("scaling_governor", "userspace")),
        ("a speed", speed("scaling_setspeed", |cpu| cpu.nominal - 1)),
        ("a speed above all", policy("scaling_setspeed", "99999999")),
        ("boost on", Ok(vec![Store::to_cpus("cpufreq/boost", 1)])),
        (
            "boost off for one",
            Ok(vec![Store::to_policy(0, "boost", 0)]),
        ),
        ("last CPU offline", Ok(vec![online(m, 0)])),
        ("last CPU online", Ok(vec![online(m, 1)])),
        (
            "performance again",
            policy("scaling_governor", "performance"),
        ),
        (
            "boost on for one",
            Ok(vec![Store::to_policy(0, "boost", 1)]),
        ),
        (
            "words that are no number",
            policy("scaling_max_freq", "fast"),
        ),
        ("a boost that is none", policy("boost", "2")),
        (
            "a governor that is none",
            policy("scaling_governor", "warp"),
        ),
        ("schedutil", policy("scaling_governor", "schedutil")),
    ];
    let step = |(name, stores): (&str, Result<Vec<Store>>)| {
        Ok(Step {
            name: name.to_owned(),
            stores: stores.context(name.to_owned())?,
        })
    };
    all.into_iter().map(step).collect()
}

fn online(m: &Machine, value: u8) -> Store {
    Store::to_cpus(
        &format!("cpu{}/online", m.cpus().end.saturating_sub(1)),
        value,
    )
}
