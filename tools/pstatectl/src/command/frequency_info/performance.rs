// SPDX-License-Identifier: GPL-2.0
//! Performance levels of CPPC with their frequencies.

use cpufreq_sysfs::{attribute, CpuId, KiloHertz, MegaHertz, OptionalExt, Perf, Ranking};
use serde_json::{json, Value};

use crate::command::level::Level;
use crate::context::Context;
use crate::problem::Problems;

/// Where the frequencies come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// amd-pstate gives them.
    AmdPstate,
    /// Drawn through the nominal and the lowest point of `_CPC`, which give theirs.
    Cppc,
}

/// The four levels of one CPU.
#[derive(Clone, Copy, Debug)]
pub struct Performance {
    /// Who says so.
    pub source: Source,
    /// With boost.
    pub highest: Level,
    /// Sustained.
    pub nominal: Level,
    /// Below it, less speed no longer saves energy in proportion.
    pub lowest_nonlinear: Level,
    /// Lowest.
    pub lowest: Level,
    /// Whether the processor ranks its cores; amd-pstate only.
    pub preferred_core: bool,
    /// The rank of this one; amd-pstate only.
    pub ranking: Option<Ranking>,
}

impl Performance {
    /// Reads what amd-pstate and `_CPC` say. A driver without preferred cores leaves out their two files.
    pub fn of_amd_pstate(cpu: CpuId, context: &Context, problems: &mut Problems) -> Self {
        let reader = &context.reader;
        let mut perf = |file| problems.note(cpu, reader.read(cpu, file));
        let highest = perf(&attribute::AMD_PSTATE_HIGHEST_PERF);
        let nominal = perf(&attribute::NOMINAL_PERF);
        let lowest_nonlinear = perf(&attribute::LOWEST_NONLINEAR_PERF);
        let lowest = perf(&attribute::LOWEST_PERF);
        let mut khz = |file| problems.note(cpu, reader.read(cpu, file));
        let highest_freq = khz(&attribute::AMD_PSTATE_MAX_FREQ);
        let lowest_nonlinear_freq = khz(&attribute::AMD_PSTATE_LOWEST_NONLINEAR_FREQ);
        let mut mhz = |file| {
            problems
                .note(cpu, reader.read(cpu, file))
                .map(MegaHertz::to_khz)
        };
        let nominal_freq = mhz(&attribute::NOMINAL_FREQ);
        let lowest_freq = mhz(&attribute::LOWEST_FREQ);
        let preferred_core =
            problems.note_optional(cpu, reader.read(cpu, &attribute::AMD_PSTATE_HW_PREFCORE));
        let ranking = problems.note_optional(
            cpu,
            reader.read(cpu, &attribute::AMD_PSTATE_PREFCORE_RANKING),
        );
        Self {
            source: Source::AmdPstate,
            highest: Level {
                perf: highest,
                freq: highest_freq,
            },
            nominal: Level {
                perf: nominal,
                freq: nominal_freq,
            },
            lowest_nonlinear: Level {
                perf: lowest_nonlinear,
                freq: lowest_nonlinear_freq,
            },
            lowest: Level {
                perf: lowest,
                freq: lowest_freq,
            },
            preferred_core: preferred_core.is_some_and(|switch| switch.0),
            ranking,
        }
    }

    /// Reads `_CPC` alone; `None` where it gives no two points to draw a line through, which is no problem.
    pub fn of_cppc(cpu: CpuId, context: &Context, problems: &mut Problems) -> Option<Self> {
        let reader = &context.reader;
        let mut perf = |file| {
            problems
                .note(cpu, reader.read(cpu, file).optional())
                .flatten()
        };
        let highest = perf(&attribute::HIGHEST_PERF);
        let nominal = perf(&attribute::NOMINAL_PERF)?;
        let lowest_nonlinear = perf(&attribute::LOWEST_NONLINEAR_PERF);
        let lowest = perf(&attribute::LOWEST_PERF)?;
        let mut mhz = |file| {
            problems
                .note(cpu, reader.read(cpu, file).optional())
                .flatten()
        };
        let nominal_freq = mhz(&attribute::NOMINAL_FREQ)?.to_khz();
        let lowest_freq = mhz(&attribute::LOWEST_FREQ)?.to_khz();
        if nominal_freq.0 == 0 || lowest_freq.0 == 0 || nominal == lowest {
            return None;
        }
        let line = Line::through((nominal, nominal_freq), (lowest, lowest_freq));
        let drawn = |perf: Option<Perf>| Level {
            perf,
            freq: perf.map(|perf| line.freq(perf)),
        };
        Some(Self {
            source: Source::Cppc,
            highest: drawn(highest),
            nominal: Level {
                perf: Some(nominal),
                freq: Some(nominal_freq),
            },
            lowest_nonlinear: drawn(lowest_nonlinear),
            lowest: Level {
                perf: Some(lowest),
                freq: Some(lowest_freq),
            },
            preferred_core: false,
            ranking: None,
        })
    }

    /// The record for programs.
    pub fn json(&self) -> Value {
        json!({
            "source": match self.source { Source::AmdPstate => "amd_pstate", Source::Cppc => "acpi_cppc" },
            "highest": self.highest,
            "nominal": self.nominal,
            "lowest_nonlinear": self.lowest_nonlinear,
            "lowest": self.lowest,
            "preferred_core": self.preferred_core,
            "ranking": self.ranking,
        })
    }
}

/// A straight line through two points, in the single precision of cpupower so that every digit is the same.
#[derive(Clone, Copy, Debug)]
struct Line {
    slope: f32,
    intercept: f32,
}

impl Line {
    /// The two levels must differ.
    #[expect(
        clippy::cast_precision_loss,
        reason = "the precision of cpupower is the point"
    )]
    fn through(nominal: (Perf, KiloHertz), lowest: (Perf, KiloHertz)) -> Self {
        let signed = |khz: KiloHertz| i64::try_from(khz.0).unwrap_or(i64::MAX);
        let rise = signed(nominal.1) - signed(lowest.1);
        let run = i64::from(nominal.0 .0) - i64::from(lowest.0 .0);
        let slope = rise as f32 / run as f32;
        Self {
            slope,
            intercept: signed(lowest.1) as f32 - slope * lowest.0 .0 as f32,
        }
    }

    /// A point on the line; below zero it is zero.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        clippy::cast_possible_truncation,
        reason = "`as` ends at the limits of u64"
    )]
    fn freq(self, perf: Perf) -> KiloHertz {
        KiloHertz((self.slope * perf.0 as f32 + self.intercept).round() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_line_goes_through_its_points_and_on() {
        let line = Line::through(
            (Perf(136), KiloHertz(3_400_000)),
            (Perf(16), KiloHertz(400_000)),
        );
        assert_eq!(line.freq(Perf(136)), KiloHertz(3_400_000));
        assert_eq!(line.freq(Perf(196)), KiloHertz(4_900_000));
    }

    #[test]
    fn below_zero_there_is_no_frequency() {
        let line = Line::through(
            (Perf(100), KiloHertz(3_000_000)),
            (Perf(90), KiloHertz(400_000)),
        );
        assert_eq!(line.freq(Perf(0)), KiloHertz(0));
    }

    proptest! {
        #[test]
        fn no_two_points_break_it(high: u32, low: u32, mhz: u32, low_mhz: u32, perf: u32) {
            prop_assume!(high != low);
            let point = |perf, mhz: u32| (Perf(perf), KiloHertz(u64::from(mhz) * 1000));
            let _ = Line::through(point(high, mhz), point(low, low_mhz)).freq(Perf(perf));
        }
    }
}
