// SPDX-License-Identifier: GPL-2.0
//! The trace events, as those who read the C driver's events read them.

use anyhow::{ensure, Context, Result};

use super::{Scenario, C_DRIVER_OFF};
use crate::check;
use crate::driver::MODULE;
use crate::machine::{policy, Machine};

pub const SCENARIOS: &[Scenario] = &[
    Scenario {
        about: "a governor's choices are traced with the C driver's fields, in their order",
        run: choices,
        ..Scenario::new("trace-choices", C_DRIVER_OFF)
    },
    Scenario {
        about: "requests of active mode are traced with what they change",
        run: requests,
        ..Scenario::new("trace-requests", C_DRIVER_OFF)
    },
];

const TRACING: &str = "/sys/kernel/tracing";

/// The fields of `amd_pstate_perf` as the kernel's own `amd_pstate_tracer` takes them apart.
const CHOICE: [&str; 9] = [
    "amd_min_perf",
    "amd_des_perf",
    "amd_max_perf",
    "freq",
    "mperf",
    "aperf",
    "tsc",
    "cpu_id",
    "fast_switch",
];

/// Where the events are on a kernel that has the C driver's, with nothing in the buffer.
fn begin(m: &mut Machine) -> Result<()> {
    m.write(&format!("{TRACING}/trace"), "\n")?;
    Ok(m.write(&format!("{TRACING}/events/amd_pstate_rs/enable"), "1")?)
}

/// The text of one event in the trace so far, the newest last.
fn end(m: &mut Machine, event: &str) -> Result<Vec<String>> {
    m.write(&format!("{TRACING}/events/amd_pstate_rs/enable"), "0")?;
    let trace = m.text(&format!("{TRACING}/trace"))?;
    let begin = format!(" {event}: ");
    Ok(trace
        .lines()
        .filter_map(|line| line.split_once(&begin))
        .map(|(_, text)| text.to_owned())
        .collect())
}

fn choices(m: &mut Machine) -> Result<()> {
    m.modprobe(&[MODULE, "mode=passive"])?;
    for cpu in m.cpus() {
        m.write(&policy(cpu, "scaling_governor"), "schedutil")?;
    }
    begin(m)?;
    m.run(&["timeout", "1", "sh", "-c", "while :; do :; done"])?;
    let choices = end(m, "amd_pstate_perf")?;
    ensure!(choices.len() > 10, "only {} choices", choices.len());
    for choice in choices {
        let values = fields(&choice).with_context(|| choice.clone())?;
        let [min, des, max, _, mperf, _, tsc, cpu] = numbers(&values).context("numbers")?;
        ensure!(min <= des && des <= max, "out of order: {choice}");
        ensure!(mperf > 0 && tsc > 0, "no time has passed: {choice}");
        ensure!(
            usize::try_from(cpu).is_ok_and(|cpu| m.cpus().contains(&cpu)),
            "no such CPU: {choice}"
        );
        check::equal("fast_switch", values.last().copied(), Some("true"))?;
    }
    m.rmmod(MODULE)?;
    Ok(())
}

/// The values of a choice, whose names have to be those of the C driver, in its order.
fn fields(choice: &str) -> Result<Vec<&str>> {
    let pairs: Option<Vec<(&str, &str)>> = choice
        .split_whitespace()
        .map(|pair| pair.split_once('='))
        .collect();
    let pairs = pairs.context("a field without a value")?;
    let names: Vec<&str> = pairs.iter().map(|(name, _)| *name).collect();
    check::equal("the fields", names, CHOICE.to_vec())?;
    Ok(pairs.into_iter().map(|(_, value)| value).collect())
}

fn numbers(values: &[&str]) -> Option<[u64; 8]> {
    let numbers: Option<Vec<u64>> = values
        .iter()
        .take(8)
        .map(|value| value.parse().ok())
        .collect();
    numbers?.try_into().ok()
}

fn requests(m: &mut Machine) -> Result<()> {
    m.modprobe(&[MODULE, "mode=active"])?;
    m.write(&policy(0, "scaling_governor"), "powersave")?;
    let highest = m.text(&policy(0, "amd_pstate_highest_perf"))?;
    begin(m)?;
    let preference = policy(0, "energy_performance_preference");
    m.write(&preference, "77")?;
    m.write(&preference, "77")?;
    let requests = end(m, "amd_pstate_epp_perf")?;
    let begin = "cpu0: [";
    let told: Vec<&String> = requests
        .iter()
        .filter(|request| request.starts_with(begin))
        .collect();
    check::equal("the number of requests", told.len(), 2)?;
    for (request, changed) in told.iter().zip(["1", "0"]) {
        let expected = format!("]/{highest}, epp=77, boost=1, changed={changed}");
        ensure!(
            request.contains("<->") && request.ends_with(&expected),
            "{request} does not end in {expected}"
        );
    }
    m.rmmod(MODULE)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "amd_min_perf=52 amd_des_perf=166 amd_max_perf=166 freq=3099455 \
                        mperf=39267999 aperf=49769850 tsc=21339416 cpu_id=0 fast_switch=true";

    #[test]
    fn a_choice_is_taken_apart() {
        let values = fields(TEXT).unwrap();
        assert_eq!(values[8], "true");
        assert_eq!(numbers(&values).unwrap()[1], 166);
    }

    #[test]
    fn other_fields_or_another_order_are_noticed() {
        assert!(fields(&TEXT.replace("freq", "khz")).is_err());
        assert!(fields("amd_des_perf=1 amd_min_perf=2").is_err());
        assert!(fields("nonsense").is_err());
    }
}
