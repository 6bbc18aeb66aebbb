// SPDX-License-Identifier: GPL-2.0
//! The C driver and the module show the same after the same steps.

use anyhow::{ensure, Context, Result};

use super::expected::{describe, khz_within};
use super::{Boot, Scenario, C_DRIVER_ON};
use crate::differential::{differences, walk, Intended, Step, Store};
use crate::driver::{set_c_driver, MODULE};
use crate::machine::Machine;

pub const SCENARIOS: &[Scenario] = &[
    Scenario {
        about: "every attribute and request is the C driver's, on a part with preferred cores",
        run: |m| compare(m, &PASSIVE),
        ..Scenario::new("attributes-desktop", C_DRIVER_ON)
    },
    Scenario {
        about: "the same on a part without preferred cores",
        run: |m| compare(m, &PASSIVE),
        ..Scenario::new("attributes-uniform", C_DRIVER_ON.on("zen3-uniform"))
    },
    Scenario {
        about: "the same on a part with odd capabilities",
        run: |m| compare(m, &PASSIVE),
        ..Scenario::new("attributes-flat-caps", C_DRIVER_ON.on("flat-caps"))
    },
    Scenario {
        about: "the same on a part whose firmware has switched boost off",
        run: |m| compare(m, &BOOST_ABSENT),
        ..Scenario::new("attributes-no-boost", C_DRIVER_ON.on("zen4-no-boost"))
    },
    Scenario {
        about: "the same with preferred cores switched off in both drivers",
        run: |m| compare(m, &PREFCORE_OFF),
        ..Scenario::new("attributes-prefcore-off", C_DRIVER_WITHOUT_PREFCORE)
    },
    Scenario {
        about: "the same in guided mode",
        run: |m| compare(m, &GUIDED),
        ..Scenario::new("attributes-guided", C_DRIVER_ON)
    },
    Scenario {
        about: "the same in active mode",
        run: |m| compare(m, &ACTIVE),
        ..Scenario::new("attributes-active", C_DRIVER_ON)
    },
];

const C_DRIVER_WITHOUT_PREFCORE: Boot<'static> = Boot {
    kernel_args: "amd_pstate=passive amd_prefcore=disable",
    ..C_DRIVER_ON
};

/// What is compared with what.
struct Comparison {
    /// The C driver's mode.
    mode: &'static str,
    /// The module's parameters.
    parameters: &'static [&'static str],
    /// What differs on purpose.
    intended: &'static [Intended],
}

const PASSIVE: Comparison = Comparison {
    mode: "passive",
    parameters: &[],
    intended: &[ONLINE],
};
const PREFCORE_OFF: Comparison = Comparison {
    parameters: &["prefcore=0"],
    ..PASSIVE
};
const GUIDED: Comparison = Comparison {
    mode: "guided",
    parameters: &["mode=guided"],
    intended: &[ONLINE],
};
const ACTIVE: Comparison = Comparison {
    mode: "active",
    parameters: &["mode=active"],
    intended: &[ONLINE, WORDS],
};
const BOOST_ABSENT: Comparison = Comparison {
    intended: &[ONLINE, NO_BOOST],
    ..PASSIVE
};

/// A CPU comes back with the firmware's minimum under the C driver, until a limit changes.
const ONLINE: Intended = Intended {
    label: "enable",
    names: &["REQ of cpu1"],
    step: Some("last CPU online"),
};
const WORDS: Intended = Intended {
    label: "epp-words",
    names: &["/energy_performance_available_preferences"],
    step: None,
};
const NO_BOOST: Intended = Intended {
    label: "boost-absent",
    names: &[
        "/boost",
        "/amd_pstate_highest_perf",
        "/amd_pstate_max_freq",
        "/cpuinfo_max_freq",
        "/scaling_max_freq",
        "/scaling_setspeed",
    ],
    step: None,
};

fn compare(m: &mut Machine, comparison: &Comparison) -> Result<()> {
    for module in ["msr", "cpufreq_powersave", "cpufreq_userspace"] {
        m.modprobe(&[module])?;
    }
    let steps = steps(m)?;
    set_c_driver(m, comparison.mode)?;
    let reference = walk(m, &steps).context("with the C driver")?;
    set_c_driver(m, "disable")?;
    m.modprobe(&[&[MODULE], comparison.parameters].concat())?;
    let module = walk(m, &steps).context("with the module")?;
    m.rmmod(MODULE)?;

    let seen = reference.first().map_or(0, |observation| observation.len());
    ensure!(seen > 40, "only {seen} values were seen with the C driver");
    let found = differences(&steps, &reference, &module, comparison.intended);
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
        ("powersave again", policy("scaling_governor", "powersave")),
        (
            "a preference",
            policy("energy_performance_preference", "balance_power"),
        ),
        (
            "a preference by number",
            policy("energy_performance_preference", "100"),
        ),
        (
            "the default preference",
            policy("energy_performance_preference", "default"),
        ),
        (
            "a preference that is none",
            policy("energy_performance_preference", "fast"),
        ),
        (
            "a preference above all",
            policy("energy_performance_preference", "256"),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_on_purpose_is_documented() {
        let table = include_str!("../../../../Documentation/admin-guide/pm/amd-pstate-rs.rst");
        for Intended { label, .. } in [ONLINE, WORDS, NO_BOOST] {
            assert!(table.contains(&format!("\n``{label}``\n")), "{label}");
        }
    }
}
