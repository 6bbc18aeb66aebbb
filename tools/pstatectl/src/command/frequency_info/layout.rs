// SPDX-License-Identifier: GPL-2.0
//! The text of cpupower, line by line.

use cpufreq_sysfs::{FrequencyList, KiloHertz, TimeInState};

use super::boost::Boost;
use super::item::Item;
use super::performance::{Performance, Source};
use super::policy::Policy;
use super::section::Section;
use crate::cli::FrequencyInfo;
use crate::command::level::Level;
use crate::output::duration::Duration;
use crate::output::speed::{Rounding, Speed};

/// A line of its own for a value without a name.
const NOT_AVAILABLE: &str = "Not Available\n";

/// How the items are written.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    everything: bool,
    human: bool,
    rounding: Rounding,
}

impl Layout {
    /// Among everything else, units are always readable.
    pub fn new(section: Section, args: &FrequencyInfo) -> Self {
        let everything = section == Section::All;
        Self {
            everything,
            human: args.human || everything,
            rounding: Rounding::new(args.no_rounding),
        }
    }

    /// The lines of one item.
    pub fn text(self, item: &Item) -> String {
        match item {
            Item::Driver(None) => "  no or unknown cpufreq driver is active on this CPU\n".into(),
            Item::Driver(Some(driver)) => format!("  driver: {driver}\n"),
            Item::RelatedCpus(cpus) => line(
                "CPUs which run at the same hardware frequency",
                cpus.as_ref(),
            ),
            Item::AffectedCpus(cpus) => line(
                "CPUs which need to have their frequency coordinated by software",
                cpus.as_ref(),
            ),
            Item::Latency(latency) => self.latency(*latency),
            Item::Epp(epp) => line("energy performance preference", epp.as_ref()),
            Item::HardwareLimits(None) | Item::Stats(None) => NOT_AVAILABLE.into(),
            Item::HardwareLimits(Some(limits)) if self.human => {
                format!(
                    "  hardware limits: {} - {}\n",
                    self.speed(limits.min),
                    self.speed(limits.max)
                )
            }
            Item::HardwareLimits(Some(limits)) => format!("{} {}\n", limits.min, limits.max),
            Item::Steps(steps) => format!("  available frequency steps:  {}\n", self.steps(steps)),
            Item::BoostSteps(steps) => format!("  boost frequency steps: {}\n", self.steps(steps)),
            Item::Governors(governors) => line("available cpufreq governors", governors.as_ref()),
            Item::Policy(policy) => self.policy(policy.as_ref()),
            Item::HardwareFrequency(None) => {
                "  current CPU frequency: Unable to call hardware\n".into()
            }
            Item::HardwareFrequency(Some(freq)) => self.current(*freq, "hardware"),
            Item::KernelFrequency(None) => {
                "  current CPU frequency:  Unable to call to kernel\n".into()
            }
            Item::KernelFrequency(Some(freq)) => self.current(*freq, "kernel"),
            Item::Boost(state) => boost(state),
            Item::Stats(Some((states, transitions))) => self.stats(states, *transitions),
            Item::Performance(None) if self.everything => String::new(),
            Item::Performance(None) => NOT_AVAILABLE.into(),
            Item::Performance(Some(performance)) => self.performance(performance),
        }
    }

    fn speed(self, freq: KiloHertz) -> Speed {
        Speed(freq, self.rounding)
    }

    fn latency(self, latency: Option<u32>) -> String {
        let value = match latency {
            None => " Cannot determine or is not supported.".into(),
            Some(ns) if self.human => Duration(ns, self.rounding).to_string(),
            Some(ns) => ns.to_string(),
        };
        format!("  maximum transition latency: {value}\n")
    }

    fn steps(self, steps: &FrequencyList) -> String {
        let steps: Vec<String> = steps
            .0
            .iter()
            .map(|freq| self.speed(*freq).to_string())
            .collect();
        steps.join(", ")
    }

    fn policy(self, policy: Option<&Policy>) -> String {
        let Some(policy) = policy else {
            return "  Unable to determine current policy\n".into();
        };
        format!(
            "  current policy: frequency should be within {} and {}.\n                  \
             The governor \"{}\" may decide which speed to use\n                  within this range.\n",
            self.speed(policy.min),
            self.speed(policy.max),
            policy.governor
        )
    }

    fn current(self, freq: KiloHertz, source: &str) -> String {
        let value = if self.human {
            self.speed(freq).to_string()
        } else {
            freq.to_string()
        };
        let to = if source == "kernel" {
            "to kernel"
        } else {
            "to hardware"
        };
        format!("  current CPU frequency: {value} (asserted by call {to})\n")
    }

    fn stats(self, states: &TimeInState, transitions: u64) -> String {
        let total = states.total();
        let state = |state: &cpufreq_sysfs::StateTime| {
            if self.human {
                format!("{}:{:.2}%", self.speed(state.khz), share(state.time, total))
            } else {
                format!("{}:{}", state.khz, state.time)
            }
        };
        let states: Vec<String> = states.0.iter().map(state).collect();
        format!("{}  ({transitions})\n", states.join(", "))
    }

    fn performance(self, performance: &Performance) -> String {
        let header = match performance.source {
            Source::AmdPstate => "amd-pstate limits",
            Source::Cppc => "CPPC limits",
        };
        let mut text = format!("  {header}:\n");
        text.push_str(&self.level(
            "Highest Performance",
            "Maximum Frequency",
            performance.highest,
        ));
        text.push_str(&self.level(
            "Nominal Performance",
            "Nominal Frequency",
            performance.nominal,
        ));
        let nonlinear = performance.lowest_nonlinear;
        text.push_str(&self.level(
            "Lowest Non-linear Performance",
            "Lowest Non-linear Frequency",
            nonlinear,
        ));
        text.push_str(&self.level("Lowest Performance", "Lowest Frequency", performance.lowest));
        if performance.source == Source::AmdPstate {
            text.push_str(&format!(
                "    Preferred Core Support: {}. Preferred Core Ranking: {}.\n",
                u8::from(performance.preferred_core),
                performance.ranking.map_or(0, |ranking| ranking.0),
            ));
        }
        text
    }

    fn level(self, perf_name: &str, freq_name: &str, level: Level) -> String {
        let perf = level
            .perf
            .map_or_else(|| "Not Available".into(), |perf| perf.to_string());
        let freq = level.freq.map_or_else(
            || "Not Available".into(),
            |freq| self.speed(freq).to_string(),
        );
        format!("    {perf_name}: {perf}. {freq_name}: {freq}.\n")
    }
}

fn line(name: &str, value: Option<&impl ToString>) -> String {
    let value = value.map_or_else(|| "Not Available".into(), ToString::to_string);
    format!("  {name}: {value}\n")
}

/// Share of the whole in per cent.
#[expect(clippy::cast_precision_loss, reason = "two decimals are shown")]
fn share(part: u64, total: u64) -> f64 {
    if total == 0 {
        return 0.0;
    }
    100.0 * part as f64 / total as f64
}

fn boost(boost: &Boost) -> String {
    let word = |known: Option<bool>| match known {
        Some(true) => "yes",
        Some(false) => "no",
        None => "Not Available",
    };
    if boost.switch_only {
        return boost.active.map_or_else(String::new, |active| {
            format!(
                "  boost state support:\n    Active: {}\n",
                word(Some(active))
            )
        });
    }
    let mut text = format!(
        "  boost state support:\n    Supported: {}\n    Active: {}\n",
        word(boost.supported),
        word(boost.active)
    );
    if !boost.pstates.is_empty() {
        text.push_str(&format!(
            "    Boost States: 0\n    Total States: {}\n",
            boost.pstates.len()
        ));
    }
    for (number, mhz) in boost.pstates.iter().enumerate() {
        if let Some(mhz) = mhz {
            text.push_str(&format!("    Pstate-P{number}:  {mhz}MHz\n"));
        }
    }
    text
}
