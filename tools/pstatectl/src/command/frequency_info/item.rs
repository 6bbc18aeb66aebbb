// SPDX-License-Identifier: GPL-2.0
//! The pieces that `frequency-info` shows of a CPU, in the order in which it shows them.

use cpufreq_sysfs::{
    DriverName, Epp, FrequencyList, GovernorList, KiloHertz, SpacedCpus, TimeInState,
};
use serde_json::{json, Value};

use super::boost::Boost;
use super::performance::Performance;
use super::policy::{HardwareLimits, Policy};

/// One piece; `None` inside where the machine does not give it.
#[derive(Debug)]
pub enum Item {
    /// Name of the driver.
    Driver(Option<DriverName>),
    /// CPUs on the same clock.
    RelatedCpus(Option<SpacedCpus>),
    /// CPUs that software steers together.
    AffectedCpus(Option<SpacedCpus>),
    /// Longest time of a change, ns.
    Latency(Option<u32>),
    /// Energy performance preference.
    Epp(Option<Epp>),
    /// Limits of the hardware.
    HardwareLimits(Option<HardwareLimits>),
    /// Steps of a driver with a table.
    Steps(FrequencyList),
    /// Governors that can be chosen.
    Governors(Option<GovernorList>),
    /// Governor and limits in force.
    Policy(Option<Policy>),
    /// Frequency as the hardware says.
    HardwareFrequency(Option<KiloHertz>),
    /// Frequency as the kernel says.
    KernelFrequency(Option<KiloHertz>),
    /// Boost.
    Boost(Boost),
    /// Steps above nominal of a driver with a table, on processors of which only the switch of boost is known.
    BoostSteps(FrequencyList),
    /// Time at each frequency, and the number of changes.
    Stats(Option<(TimeInState, u64)>),
    /// Performance levels, where there are any.
    Performance(Option<Performance>),
}

impl Item {
    /// Whether there is anything to show.
    pub fn is_found(&self) -> bool {
        match self {
            Self::Driver(value) => value.is_some(),
            Self::RelatedCpus(value) | Self::AffectedCpus(value) => value.is_some(),
            Self::Latency(value) => value.is_some(),
            Self::Epp(value) => value.is_some(),
            Self::HardwareLimits(value) => value.is_some(),
            Self::Steps(_) | Self::BoostSteps(_) => true,
            Self::Governors(value) => value.is_some(),
            Self::Policy(value) => value.is_some(),
            Self::HardwareFrequency(value) | Self::KernelFrequency(value) => value.is_some(),
            Self::Boost(boost) => boost.supported.or(boost.active).is_some(),
            Self::Stats(value) => value.is_some(),
            Self::Performance(value) => value.is_some(),
        }
    }

    /// Name of the field in the record for programs.
    pub fn key(&self) -> &'static str {
        match self {
            Self::Driver(_) => "driver",
            Self::RelatedCpus(_) => "related_cpus",
            Self::AffectedCpus(_) => "affected_cpus",
            Self::Latency(_) => "transition_latency_ns",
            Self::Epp(_) => "energy_performance_preference",
            Self::HardwareLimits(_) => "hardware_limits",
            Self::Steps(_) => "available_frequencies_khz",
            Self::Governors(_) => "available_governors",
            Self::Policy(_) => "policy",
            Self::HardwareFrequency(_) => "hardware_frequency_khz",
            Self::KernelFrequency(_) => "kernel_frequency_khz",
            Self::Boost(_) => "boost",
            Self::BoostSteps(_) => "boost_frequencies_khz",
            Self::Stats(_) => "statistics",
            Self::Performance(_) => "performance",
        }
    }

    /// Value of the field in the record for programs.
    pub fn json(&self) -> Value {
        match self {
            Self::Driver(value) => json!(value),
            Self::RelatedCpus(value) | Self::AffectedCpus(value) => json!(value),
            Self::Latency(value) => json!(value),
            Self::Epp(value) => json!(value),
            Self::HardwareLimits(value) => {
                json!(value.map(|limits| json!({ "min_khz": limits.min, "max_khz": limits.max })))
            }
            Self::Steps(value) | Self::BoostSteps(value) => json!(value),
            Self::Governors(value) => json!(value),
            Self::Policy(value) => json!(value.as_ref().map(|policy| {
                json!({ "governor": policy.governor, "min_khz": policy.min, "max_khz": policy.max })
            })),
            Self::HardwareFrequency(value) | Self::KernelFrequency(value) => json!(value),
            Self::Boost(boost) => boost.json(),
            Self::Stats(value) => json!(value.as_ref().map(|(states, transitions)| {
                let states: Vec<_> = states
                    .0
                    .iter()
                    .map(|s| json!({ "khz": s.khz, "time_10ms": s.time }))
                    .collect();
                json!({ "states": states, "transitions": transitions })
            })),
            Self::Performance(value) => json!(value.as_ref().map(Performance::json)),
        }
    }
}
