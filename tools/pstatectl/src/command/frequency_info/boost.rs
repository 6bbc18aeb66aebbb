// SPDX-License-Identifier: GPL-2.0
//! Whether the CPU can run above nominal, and whether it may.
//!
//! cpupower asks the CPUID instruction; the flags in `/proc/cpuinfo` say the same and can be recorded.

use cpufreq_sysfs::{attribute, CpuId, Error, Hwcr, PstateDef, PstateLimit, Vendor};
use serde_json::{json, Value};

use crate::context::Context;
use crate::problem::{Problem, Problems};

/// First family whose boost is switched in `HWCR`; older ones keep it in PCI configuration space.
const FIRST_ZEN_FAMILY: u32 = 0x17;

/// Boost of one CPU.
#[derive(Debug, Default)]
pub struct Boost {
    /// Whether the processor can; `None` where it cannot be told.
    pub supported: Option<bool>,
    /// Whether it may; `None` where it cannot be told.
    pub active: Option<bool>,
    /// Frequencies of the P-states in MHz; a state that is not enabled has none. Empty where they do not count.
    pub pstates: Vec<Option<u64>>,
    /// Whether this is a processor of which only the switch is known.
    pub switch_only: bool,
}

impl Boost {
    /// Looks in the way that fits driver and processor.
    pub fn collect(
        cpu: CpuId,
        amd_pstate: bool,
        context: &Context,
        problems: &mut Problems,
    ) -> Self {
        if amd_pstate {
            return Self::of_amd_pstate(cpu, context, problems);
        }
        match context.cpuinfo(problems).vendor {
            Vendor::Amd | Vendor::Hygon => Self::of_amd(cpu, context, problems),
            Vendor::Intel => Self::of_intel(context, problems),
            Vendor::Unknown => Self::of_switch(context, problems),
        }
    }

    fn of_amd_pstate(cpu: CpuId, context: &Context, problems: &mut Problems) -> Self {
        let highest = problems.note(
            cpu,
            context
                .reader
                .read(cpu, &attribute::AMD_PSTATE_HIGHEST_PERF),
        );
        let nominal = problems.note(cpu, context.reader.read(cpu, &attribute::NOMINAL_PERF));
        let supported = highest
            .zip(nominal)
            .map(|(highest, nominal)| highest > nominal);
        let active = match supported {
            Some(true) => {
                let max =
                    problems.note(cpu, context.reader.read(cpu, &attribute::CPUINFO_MAX_FREQ));
                let boosted = problems.note(
                    cpu,
                    context.reader.read(cpu, &attribute::AMD_PSTATE_MAX_FREQ),
                );
                max.zip(boosted).map(|(max, boosted)| max == boosted)
            }
            other => other,
        };
        Self {
            supported,
            active,
            ..Self::default()
        }
    }

    fn of_amd(cpu: CpuId, context: &Context, problems: &mut Problems) -> Self {
        let cpuinfo = context.cpuinfo(problems);
        let family = cpuinfo.family.unwrap_or_default();
        if !cpuinfo.has_flag("cpb") {
            return Self {
                supported: Some(false),
                active: Some(false),
                ..Self::default()
            };
        }
        let pstates = if cpuinfo.has_flag("hw_pstate") && family >= FIRST_ZEN_FAMILY {
            pstates(family, |address| context.reader.msr(cpu, address)).unwrap_or_default()
        } else {
            Vec::new()
        };
        let active = problems.note(cpu, boost_switch(cpu, family, context));
        Self {
            supported: Some(true),
            active,
            pstates,
            ..Self::default()
        }
    }

    fn of_intel(context: &Context, problems: &mut Problems) -> Self {
        if !context.cpuinfo(problems).has_flag("ida") {
            return Self {
                supported: Some(false),
                active: Some(false),
                ..Self::default()
            };
        }
        let active = match context.reader.intel_no_turbo() {
            Ok(no_turbo) => Some(!no_turbo.0),
            Err(error) if error.is_missing() => Some(true),
            Err(error) => {
                problems.add(Problem::Machine(error));
                None
            }
        };
        Self {
            supported: Some(true),
            active,
            ..Self::default()
        }
    }

    fn of_switch(context: &Context, problems: &mut Problems) -> Self {
        let active = match context.reader.global_boost() {
            Ok(boost) => Some(boost.0),
            Err(error) if error.is_missing() => None,
            Err(error) => {
                problems.add(Problem::Machine(error));
                None
            }
        };
        Self {
            active,
            switch_only: true,
            ..Self::default()
        }
    }

    /// The record for programs.
    pub fn json(&self) -> Value {
        json!({ "supported": self.supported, "active": self.active, "pstates_mhz": self.pstates })
    }
}

/// The register says how this core stands; without the msr module, the switch of the driver says how all do.
fn boost_switch(cpu: CpuId, family: u32, context: &Context) -> Result<bool, Error> {
    let switch = || context.reader.global_boost().map(|boost| boost.0);
    if family < FIRST_ZEN_FAMILY {
        return switch();
    }
    match context.reader.msr(cpu, Hwcr::ADDRESS) {
        Ok(value) => Ok(!Hwcr(value).boost_disabled()),
        Err(msr) => switch().map_err(|file| if file.is_missing() { msr } else { file }),
    }
}

/// The P-states up to the slowest, read through `read`.
fn pstates<E>(family: u32, read: impl Fn(u32) -> Result<u64, E>) -> Result<Vec<Option<u64>>, E> {
    let slowest = PstateLimit(read(PstateLimit::ADDRESS)?).slowest();
    let state = |number| {
        let state = PstateDef(read(PstateDef::ADDRESS + number)?);
        Ok(state.mhz(family).filter(|_| state.enabled()))
    };
    (0..=slowest).map(state).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pstates_that_are_not_enabled_keep_their_place() {
        let read = |address| match address {
            0xc001_0061 => Ok(0x20),
            0xc001_0064 => Ok((1 << 63) | 0x0888),
            0xc001_0065 => Ok(0x0888),
            0xc001_0066 => Ok((1 << 63) | 0x0c80),
            other => Err(other),
        };
        assert_eq!(pstates(0x19, read), Ok(vec![Some(3400), None, Some(2133)]));
    }

    #[test]
    fn a_register_that_cannot_be_read_ends_the_list() {
        assert_eq!(pstates(0x19, Err::<u64, _>), Err(0xc001_0061));
    }
}
