// SPDX-License-Identifier: GPL-2.0
//! What holds for one CPU.

use cpufreq_sysfs::{
    attribute, Attribute, CpuId, DriverName, Epp, Error, Governor, KiloHertz, MegaHertz, Mode,
    Perf, PerfScale, Ranking, Switch,
};
use serde::Serialize;

use crate::command::level::Level;
use crate::context::Context;
use crate::problem::Problems;

/// What the CPU can do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Capabilities {
    /// With boost.
    pub highest: Level,
    /// Sustained.
    pub nominal: Level,
    /// Below it, less speed no longer saves energy in proportion.
    pub lowest_nonlinear: Level,
    /// Lowest.
    pub lowest: Level,
}

/// What may be asked of the CPU.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// `scaling_governor`.
    pub governor: Option<Governor>,
    /// `scaling_min_freq`.
    pub min: Level,
    /// `scaling_max_freq`.
    pub max: Level,
    /// The boost switch of the policy.
    pub boost: Option<Switch>,
    /// Energy performance preference; active mode only.
    pub epp: Option<Epp>,
}

/// One CPU that runs; `None` for what it does not say.
#[derive(Debug, Serialize)]
pub struct CpuView {
    /// Its number.
    pub cpu: CpuId,
    /// The driver in charge; `None` without one.
    pub driver: Option<DriverName>,
    /// What it can do.
    pub capabilities: Capabilities,
    /// Rank among the preferred cores.
    pub ranking: Option<Ranking>,
    /// What may be asked of it.
    pub limits: Limits,
}

impl CpuView {
    /// Reads one CPU. Files that a driver may leave out are no problem when they are absent.
    pub fn collect(
        cpu: CpuId,
        mode: Option<Mode>,
        context: &Context,
        problems: &mut Problems,
    ) -> Self {
        let driven = context.has_driver(cpu, problems);
        let mut files = Files {
            cpu,
            driven,
            context,
            problems,
        };
        let driver = files.required(&attribute::SCALING_DRIVER);
        let capabilities = files.capabilities();
        let ranking = files.optional(&attribute::AMD_PSTATE_PREFCORE_RANKING);
        let limits = files.limits(capabilities, mode);
        if driven {
            problems.shown();
        }
        Self {
            cpu,
            driver,
            capabilities,
            ranking,
            limits,
        }
    }
}

struct Files<'a> {
    cpu: CpuId,
    driven: bool,
    context: &'a Context,
    problems: &'a mut Problems,
}

impl Files<'_> {
    fn optional<T: std::str::FromStr<Err = cpufreq_sysfs::ParseError>>(
        &mut self,
        file: &Attribute<T>,
    ) -> Option<T> {
        let value = self.context.reader.read(self.cpu, file);
        self.problems.note_optional(self.cpu, value)
    }

    /// A file that every driver gives; its absence counts only where there is a driver.
    fn required<T: std::str::FromStr<Err = cpufreq_sysfs::ParseError>>(
        &mut self,
        file: &Attribute<T>,
    ) -> Option<T> {
        match self.context.reader.read(self.cpu, file) {
            Err(Error::Missing { .. }) if !self.driven => None,
            value => self.problems.note(self.cpu, value),
        }
    }

    /// amd-pstate knows some levels better than `_CPC`, whose highest perf is a rank on processors with preferred cores:
    /// no frequency is drawn from that one. That of lowest_nonlinear is, where no file gives it.
    fn capabilities(&mut self) -> Capabilities {
        let highest_perf = self.optional(&attribute::AMD_PSTATE_HIGHEST_PERF);
        let highest_perf = highest_perf.or_else(|| self.optional(&attribute::HIGHEST_PERF));
        let nominal = Level {
            perf: self.optional(&attribute::NOMINAL_PERF),
            freq: self
                .optional(&attribute::NOMINAL_FREQ)
                .map(MegaHertz::to_khz),
        };
        let highest_freq = self.optional(&attribute::AMD_PSTATE_MAX_FREQ);
        let highest_freq = highest_freq.or_else(|| self.required(&attribute::CPUINFO_MAX_FREQ));
        let nonlinear_perf = self.optional(&attribute::LOWEST_NONLINEAR_PERF);
        let nonlinear_freq = self.optional(&attribute::AMD_PSTATE_LOWEST_NONLINEAR_FREQ);
        let nonlinear_freq = nonlinear_freq.or_else(|| Some(scale(nominal)?.freq(nonlinear_perf?)));
        let lowest_freq = self
            .optional(&attribute::LOWEST_FREQ)
            .map(MegaHertz::to_khz);
        let lowest_freq = lowest_freq.or_else(|| self.required(&attribute::CPUINFO_MIN_FREQ));
        Capabilities {
            highest: Level {
                perf: highest_perf,
                freq: highest_freq,
            },
            nominal,
            lowest_nonlinear: Level {
                perf: nonlinear_perf,
                freq: nonlinear_freq,
            },
            lowest: Level {
                perf: self.optional(&attribute::LOWEST_PERF),
                freq: lowest_freq,
            },
        }
    }

    /// In active mode the preference is a part of every request, so that its absence counts.
    fn limits(&mut self, capabilities: Capabilities, mode: Option<Mode>) -> Limits {
        let min = self.required(&attribute::SCALING_MIN_FREQ);
        let max = self.required(&attribute::SCALING_MAX_FREQ);
        let epp = &attribute::ENERGY_PERFORMANCE_PREFERENCE;
        Limits {
            governor: self.required(&attribute::SCALING_GOVERNOR),
            min: requested(min, capabilities),
            max: requested(max, capabilities),
            boost: self.optional(&attribute::BOOST),
            epp: if mode == Some(Mode::Active) {
                self.required(epp)
            } else {
                self.optional(epp)
            },
        }
    }
}

fn scale(nominal: Level) -> Option<PerfScale> {
    PerfScale::new(nominal.perf?, nominal.freq?)
}

/// The level that a limit comes to in the request: never outside what the CPU can do.
fn requested(freq: Option<KiloHertz>, capabilities: Capabilities) -> Level {
    let perf = || {
        let perf = scale(capabilities.nominal)?.perf(freq?);
        let highest = capabilities.highest.perf.unwrap_or(perf);
        let lowest = capabilities.lowest.perf.unwrap_or(Perf(0));
        Some(perf.max(lowest).min(highest))
    };
    Level { perf: perf(), freq }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(perf: u32, khz: u64) -> Level {
        Level {
            perf: Some(Perf(perf)),
            freq: Some(KiloHertz(khz)),
        }
    }

    fn zen() -> Capabilities {
        Capabilities {
            highest: level(196, 4_900_000),
            nominal: level(136, 3_400_000),
            lowest_nonlinear: level(45, 1_125_000),
            lowest: level(17, 400_000),
        }
    }

    #[test]
    fn a_limit_becomes_the_level_that_the_driver_asks_for() {
        assert_eq!(
            requested(Some(KiloHertz(1_125_000)), zen()).perf,
            Some(Perf(45))
        );
        assert_eq!(
            requested(Some(KiloHertz(4_900_000)), zen()).perf,
            Some(Perf(196))
        );
    }

    #[test]
    fn a_limit_beyond_the_capabilities_is_brought_back() {
        assert_eq!(
            requested(Some(KiloHertz(9_000_000)), zen()).perf,
            Some(Perf(196))
        );
        assert_eq!(
            requested(Some(KiloHertz(100_000)), zen()).perf,
            Some(Perf(17))
        );
    }

    #[test]
    fn without_a_nominal_point_there_is_no_level() {
        let blind = Capabilities {
            nominal: Level::default(),
            ..zen()
        };
        assert_eq!(requested(Some(KiloHertz(4_900_000)), blind).perf, None);
    }

    #[test]
    fn capabilities_out_of_order_do_not_break_the_arithmetic() {
        let mad = Capabilities {
            highest: level(1, 1),
            lowest: level(255, 9_000_000),
            ..zen()
        };
        assert_eq!(
            requested(Some(KiloHertz(3_400_000)), mad).perf,
            Some(Perf(1))
        );
    }
}
