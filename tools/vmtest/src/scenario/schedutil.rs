// SPDX-License-Identifier: GPL-2.0
//! Under schedutil the scheduler itself writes the requests.

use std::time::{Duration, Instant};

use anyhow::{ensure, Context, Result};
use cppc_model::{CpuDescription, Request};

use super::expected::describe;
use super::{Scenario, C_DRIVER_OFF};
use crate::check;
use crate::machine::{policy, Job, Machine, Moment};
use crate::registers;

pub const SCENARIOS: &[Scenario] = &[
    Scenario {
        about: "the scheduler's requests follow the load, keep their order, and go out on change",
        with_reference: true,
        run: follows_the_load,
        ..Scenario::new("schedutil-desktop", C_DRIVER_OFF)
    },
    Scenario {
        about: "the same on a part without preferred cores",
        with_reference: true,
        run: follows_the_load,
        ..Scenario::new("schedutil-uniform", C_DRIVER_OFF.on("zen3-uniform"))
    },
];

/// How long the requests may take to follow. Utilization needs some 100 ms of CPU time to go from
/// one end to the other, of which an emulated CPU on a busy host gets little.
const BOUND: Duration = Duration::from_secs(20);

fn follows_the_load(m: &mut Machine) -> Result<()> {
    let (driver, begin) = (m.driver, m.now()?);
    driver.load(m)?;
    for cpu in m.cpus() {
        check::equal(
            "scaling_governor",
            m.text(&policy(cpu, "scaling_governor"))?,
            "schedutil",
        )?;
    }
    fast_switching_is_enabled(m)?;

    let jobs = m
        .cpus()
        .map(|cpu| busy_loop(m, cpu))
        .collect::<Result<Vec<Job>>>()?;
    let followed = each_desires(m, begin, "the highest level", |desired, highest| {
        desired == highest
    });
    jobs.into_iter().try_for_each(|job| m.kill(job))?;
    followed.context("under load")?;
    each_desires(m, begin, "less than the highest", |desired, highest| {
        desired < highest
    })
    .context("after the load")?;

    let entries = m.registers_since(begin)?;
    for cpu in m.cpus() {
        let requests = registers::requests(&entries, u32::try_from(cpu)?);
        judge(&describe(m, cpu)?, &requests).with_context(|| format!("cpu{cpu}"))?;
    }
    driver.unload(m)
}

/// Waits until the last request of each CPU is as wanted.
fn each_desires(
    m: &mut Machine,
    since: Moment,
    what: &str,
    wanted: fn(u8, u8) -> bool,
) -> Result<()> {
    for cpu in m.cpus() {
        let (highest, end) = (describe(m, cpu)?.highest, Instant::now() + BOUND);
        loop {
            // A CPU that has nothing to do asks for nothing: give it a little.
            m.run(&["taskset", "-c", &cpu.to_string(), "sleep", "0.1"])?
                .ok()?;
            let requests = registers::requests(&m.registers_since(since)?, u32::try_from(cpu)?);
            let desired = requests.last().map(|request| request.des());
            if desired.is_some_and(|desired| wanted(desired, highest)) {
                break;
            }
            ensure!(
                Instant::now() < end,
                "cpu{cpu} does not desire {what} but {desired:?}"
            );
        }
    }
    Ok(())
}

/// Without fast switching schedutil has a thread for each policy that does it.
fn fast_switching_is_enabled(m: &mut Machine) -> Result<()> {
    let processes = m.run(&["ps", "-o", "comm"])?.ok()?.stdout;
    ensure!(
        processes.contains("kthreadd"),
        "ps shows no kernel threads: {processes}"
    );
    ensure!(
        !processes.contains("sugov"),
        "fast switching is off: schedutil has threads"
    );
    Ok(())
}

/// Keeps one CPU busy.
fn busy_loop(m: &mut Machine, cpu: usize) -> Result<Job> {
    Ok(m.spawn(&[
        "taskset",
        "-c",
        &cpu.to_string(),
        "sh",
        "-c",
        "while :; do :; done",
    ])?)
}

/// Requests keep their order, and each differs from the one before.
fn judge(cpu: &CpuDescription, requests: &[Request]) -> Result<()> {
    ensure!(
        requests.len() > 2,
        "there are only {} requests",
        requests.len()
    );
    for request in requests {
        let levels = [
            cpu.lowest,
            request.min(),
            request.des(),
            request.max(),
            cpu.highest,
        ];
        ensure!(
            levels.is_sorted(),
            "lowest, min, des, max, highest are {levels:?}: {request:?}"
        );
        check::equal("epp", request.epp(), 0)?;
    }
    let repeated = requests
        .windows(2)
        .find(|pair| matches!(pair, [one, next] if one == next));
    ensure!(repeated.is_none(), "the same request twice: {repeated:?}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::expected::request;
    use super::*;

    const CPU: CpuDescription = CpuDescription {
        highest: 166,
        nominal: 131,
        lowest_nonlinear: 51,
        lowest: 12,
        ranking: 236,
        cpc: true,
    };

    #[test]
    fn requests_in_order_pass() {
        judge(
            &CPU,
            &[
                request(51, 80, 166),
                request(51, 166, 166),
                request(51, 60, 166),
            ],
        )
        .unwrap();
    }

    #[test]
    fn each_fault_is_found() {
        let fault = |first: Request, second: Request| {
            judge(&CPU, &[first, second, request(51, 60, 166)])
                .unwrap_err()
                .to_string()
        };
        let good = request(51, 80, 166);
        assert!(fault(good, request(51, 50, 166)).contains("[12, 51, 50, 166, 166]"));
        assert!(fault(good, request(51, 80, 170)).contains("170"));
        assert!(fault(good, request(51, 90, 166).with_epp(7)).contains("epp is 7"));
        assert!(fault(good, good).contains("twice"));
        assert!(judge(&CPU, &[good]).is_err());
    }
}
