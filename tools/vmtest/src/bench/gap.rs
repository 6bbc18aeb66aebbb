// SPDX-License-Identifier: GPL-2.0
//! How long a machine is without a driver while the mode changes.

use anyhow::{ensure, Context, Result};
use serde::Serialize;

use crate::machine::{Machine, CPUS};

const TRACING: &str = "/sys/kernel/tracing";

/// Probes in the cpufreq core, which both drivers go through: where the old driver ends, and where
/// the new one is there for every CPU.
const PROBES: &str = "p:vmtest/gone cpufreq_unregister_driver\n\
                      r:vmtest/back cpufreq_register_driver\n";

/// Changes from passive to active mode and back.
const ROUNDS: usize = 5;

/// The shortest with both drivers, in milliseconds of the guest's time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Gaps {
    /// With the C driver.
    pub c: f64,
    /// With the module.
    pub module: f64,
}

/// The shortest with the driver whose files are in `folder`, which is in passive mode. A busy host
/// makes others longer.
///
/// # Errors
///
/// When a change is refused, or the kernel cannot trace.
pub fn shortest_ms(m: &mut Machine, folder: &str) -> Result<f64> {
    m.write(&format!("{TRACING}/trace_clock"), "mono")?;
    m.write(&format!("{TRACING}/trace"), "\n")?;
    m.write(&format!("{TRACING}/kprobe_events"), PROBES)
        .context("probes")?;
    let enable = format!("{TRACING}/events/vmtest/enable");
    m.write(&enable, "1")?;
    for mode in ["active", "passive"].repeat(ROUNDS) {
        m.write(&format!("{CPUS}/{folder}/status"), mode)?;
    }
    m.write(&enable, "0")?;
    let trace = m.text(&format!("{TRACING}/trace"))?;
    m.write(
        &format!("{TRACING}/kprobe_events"),
        "-:vmtest/gone\n-:vmtest/back\n",
    )?;
    let gaps = gaps(&trace);
    ensure!(
        gaps.len() == 2 * ROUNDS,
        "{} of {} changes of mode in the trace",
        gaps.len(),
        2 * ROUNDS
    );
    Ok(gaps.into_iter().fold(f64::INFINITY, f64::min) * 1000.0)
}

/// The times between `gone` and the next `back`, in seconds.
fn gaps(trace: &str) -> Vec<f64> {
    let mut gone = None;
    let mut gaps = Vec::new();
    for line in trace.lines() {
        if let Some(time) = time_of(line, " gone: ") {
            gone = Some(time);
        } else if let Some(back) = time_of(line, " back: ") {
            gaps.extend(gone.take().map(|gone| back - gone));
        }
    }
    gaps
}

/// The time of an event, in seconds: `sh-71  [001] .....  12.345678: gone: (…)`.
fn time_of(line: &str, event: &str) -> Option<f64> {
    let (before, _) = line.split_once(event)?;
    let time = before.strip_suffix(':')?.rsplit(' ').next()?;
    time.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "\
# tracer: nop
#                                _-----=> irqs-off/BH-disabled
      vmtest-1       [001] .....    30.100000: gone: (cpufreq_unregister_driver+0x0/0x90)
      vmtest-1       [001] .....    30.125000: back: (drive+0x1/0x2 [m] <- cpufreq_register_driver)
      vmtest-1       [000] .....    31.000000: back: (drive+0x1/0x2 [m] <- cpufreq_register_driver)
      vmtest-1       [000] .....    32.000000: gone: (cpufreq_unregister_driver+0x0/0x90)
";

    #[test]
    fn a_gap_is_from_the_end_of_one_driver_to_the_next() {
        let found = gaps(TRACE);
        assert_eq!(found.len(), 1);
        assert!((found[0] - 0.025).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn other_lines_have_no_time() {
        assert_eq!(time_of("# gone: here", " gone: "), None);
        assert_eq!(time_of("", " gone: "), None);
    }
}
