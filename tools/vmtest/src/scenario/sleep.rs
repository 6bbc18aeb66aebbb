// SPDX-License-Identifier: GPL-2.0
//! Suspend to memory (S3), on a platform that forgets its registers meanwhile.

use anyhow::{ensure, Context, Result};
use cppc_model::log::Event;
use cppc_model::{Register, Request};

use super::{Boot, Scenario, C_DRIVER_OFF};
use crate::check;
use crate::driver::MODULE;
use crate::machine::{policy, Machine, CPUS};

pub const SCENARIOS: &[Scenario] = &[Scenario {
    about: "after a sleep every CPU has its request, preference and boost again, in each mode",
    run: sleep,
    // After a sleep, the machine's own power-off no longer ends it.
    shared: false,
    ..Scenario::new(
        "sleep-s3",
        Boot {
            kernel_args: "amd_pstate=disable no_console_suspend",
            ..C_DRIVER_OFF
        },
    )
}];

fn sleep(m: &mut Machine) -> Result<()> {
    m.modprobe(&["msr"])?;
    m.modprobe(&["cpufreq_powersave"])?;
    m.modprobe(&[MODULE, "mode=passive"])?;
    m.write(&policy(1, "boost"), "0")?;
    for (mode, governor) in [
        ("passive", "performance"),
        ("guided", "powersave"),
        ("active", "powersave"),
    ] {
        m.write(&format!("{CPUS}/amd_pstate/status"), mode)?;
        for cpu in m.cpus() {
            m.write(&policy(cpu, "scaling_governor"), governor)?;
        }
        if mode == "active" {
            m.write(&policy(0, "energy_performance_preference"), "99")?;
        }
        let before = state(m)?;
        let moment = m.now()?;
        // The alarm of an earlier sleep has to be taken back first.
        m.write("/sys/class/rtc/rtc0/wakealarm", "0")?;
        m.write("/sys/class/rtc/rtc0/wakealarm", "+3")?;
        m.write("/sys/power/state", "mem")
            .with_context(|| format!("{mode}: sleep"))?;
        let slept = m.registers_since(moment)?;
        ensure!(
            slept
                .iter()
                .any(|entry| matches!(entry.event, Event::Sleep)),
            "{mode}: the machine has not slept"
        );
        check::equal(format!("{mode}: after the sleep"), state(m)?, before)?;
    }
    Ok(())
}

/// Of each CPU: whether requests are honoured, the request, and whether boost is on.
fn state(m: &mut Machine) -> Result<Vec<(u64, Request, String)>> {
    let cpus = m.cpus();
    cpus.map(|cpu| {
        Ok((
            m.register(cpu, Register::Enable)?,
            Request::from_bits(m.register(cpu, Register::Req)?),
            m.text(&policy(cpu, "boost"))?,
        ))
    })
    .collect()
}
