// SPDX-License-Identifier: GPL-2.0
//! Files that wake whoever polls them.

use anyhow::{ensure, Result};

use super::{Boot, Scenario, C_DRIVER_OFF};
use crate::driver::MODULE;
use crate::machine::{policy, Machine, CPUS};

pub const SCENARIOS: &[Scenario] = &[Scenario {
    about: "a change of mode, preference, limit or floor wakes whoever polls the file",
    run: notices,
    ..Scenario::new(
        "notices",
        Boot {
            platform: "zen5-floor",
            ..C_DRIVER_OFF
        },
    )
}];

const TRACING: &str = "/sys/kernel/tracing";

/// Waking is a call of this function with the file's name; a probe on it says when.
const PROBE: &str = "p:notices/wake sysfs_notify file=+0($arg3):string";

fn notices(m: &mut Machine) -> Result<()> {
    m.modprobe(&[MODULE, "mode=active"])?;
    m.write(&policy(0, "scaling_governor"), "powersave")?;
    m.write(&format!("{TRACING}/kprobe_events"), PROBE)?;
    m.write(&format!("{TRACING}/events/notices/enable"), "1")?;
    for (path, value) in [
        (policy(0, "energy_performance_preference"), "power"),
        (policy(0, "amd_pstate_floor_freq"), "2000000"),
        (policy(0, "scaling_max_freq"), "3000000"),
        (policy(0, "scaling_min_freq"), "1500000"),
        (format!("{CPUS}/amd_pstate/status"), "guided"),
    ] {
        m.write(&format!("{TRACING}/trace"), "\n")?;
        m.write(&path, value)?;
        let file = path.rsplit('/').next().unwrap_or(&path);
        let woken = format!("file=\"{file}\"");
        let trace = m.text(&format!("{TRACING}/trace"))?;
        ensure!(trace.contains(&woken), "{path} wakes nobody: {trace}");
    }
    m.write(&format!("{TRACING}/events/notices/enable"), "0")?;
    m.write(&format!("{TRACING}/kprobe_events"), "-:notices/wake")?;
    m.rmmod(MODULE)?;
    Ok(())
}
