// SPDX-License-Identifier: GPL-2.0

//! What a CPU can do, as firmware states it, and whether that can be true.
//!
//! Firmware is hostile until checked: every number here decides a division, a limit or what users
//! are promised, so a CPU whose numbers contradict each other gets no driver, and a line that names
//! the field.
//!
//! Source: ACPI specification 6.5, section 8.4.6.1; register `CPPC_CAPABILITY_1` of the AMD
//! Processor Programming References.

use core::fmt;

use crate::perf::{Khz, Perf, Scale};

/// A field of a CPU's capabilities, by the name that the specification gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    LowestPerf,
    LowestNonlinearPerf,
    NominalPerf,
    HighestPerf,
    LowestFreq,
    LowestNonlinearFreq,
    NominalFreq,
    MaxFreq,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LowestPerf => "lowest perf",
            Self::LowestNonlinearPerf => "lowest_nonlinear perf",
            Self::NominalPerf => "nominal perf",
            Self::HighestPerf => "highest perf",
            Self::LowestFreq => "lowest frequency",
            Self::LowestNonlinearFreq => "lowest_nonlinear frequency",
            Self::NominalFreq => "nominal frequency",
            Self::MaxFreq => "maximum frequency",
        })
    }
}

/// Why a CPU's capabilities cannot be true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Implausible {
    /// The field is zero or absent.
    Zero(Field),
    /// The first field must not be above the second, but it is.
    Above(Field, u32, Field, u32),
    /// The frequency is beyond what any processor runs at, see [`Khz::HIGHEST`].
    TooFast(Field),
}

impl fmt::Display for Implausible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Zero(field) => write!(f, "{field} is 0"),
            Self::Above(low, a, high, b) => write!(f, "{low} {a} is above {high} {b}"),
            Self::TooFast(field) => {
                write!(f, "{field} is above {} kHz", Khz::HIGHEST.get())
            }
        }
    }
}

fn ordered(low: (Field, u32), high: (Field, u32)) -> Result<(), Implausible> {
    if low.1 > high.1 {
        return Err(Implausible::Above(low.0, low.1, high.0, high.1));
    }
    Ok(())
}

/// The performance levels of one CPU that mean something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Levels {
    /// The highest level in firmware's own words. On processors with preferred cores it is a
    /// ranking too: higher is better.
    pub(crate) firmware_highest: Perf,
    /// The highest level on the scale: equal on all cores that are equal but for their ranking.
    pub(crate) highest: Perf,
    /// The highest level that can be sustained, without boost.
    pub(crate) nominal: Perf,
    /// Below this level, slower no longer saves energy for the same work.
    pub(crate) lowest_nonlinear: Perf,
    /// The lowest level there is.
    pub(crate) lowest: Perf,
}

impl Levels {
    /// Returns the first contradiction in the levels.
    pub(crate) fn check(&self) -> Result<(), Implausible> {
        let field = |field, perf: Perf| (field, u32::from(perf.get()));
        let lowest = field(Field::LowestPerf, self.lowest);
        let lowest_nonlinear = field(Field::LowestNonlinearPerf, self.lowest_nonlinear);
        let nominal = field(Field::NominalPerf, self.nominal);
        let firmware_highest = field(Field::HighestPerf, self.firmware_highest);
        let highest = field(Field::HighestPerf, self.highest);

        for (field, level) in [nominal, firmware_highest, highest, lowest_nonlinear, lowest] {
            if level == 0 {
                return Err(Implausible::Zero(field));
            }
        }
        ordered(lowest, lowest_nonlinear)?;
        ordered(lowest_nonlinear, nominal)?;
        ordered(nominal, firmware_highest)?;
        ordered(lowest, highest)
    }
}

/// Everything that is fixed about one CPU's performance.
///
/// # Invariants
///
/// The numbers were checked: none is zero, they are in order, and none is above
/// [`Khz::HIGHEST`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Capabilities {
    pub(crate) levels: Levels,
    pub(crate) scale: Scale,
    /// The frequency of the nominal level.
    pub(crate) nominal_freq: Khz,
    /// The frequency of the highest level.
    pub(crate) max_freq: Khz,
    /// The frequency of the lowest_nonlinear level.
    pub(crate) lowest_nonlinear_freq: Khz,
    /// The frequency of the lowest level.
    pub(crate) min_freq: Khz,
}

impl Capabilities {
    /// Derives a CPU's frequencies from its levels and from `_CPC`'s nominal and lowest frequency
    /// in MHz, and checks all of them.
    pub(crate) fn new(
        levels: Levels,
        nominal_mhz: u32,
        lowest_mhz: u32,
    ) -> Result<Self, Implausible> {
        levels.check()?;

        let nominal_freq =
            Khz::from_mhz(nominal_mhz).ok_or(Implausible::TooFast(Field::NominalFreq))?;
        let lowest_freq =
            Khz::from_mhz(lowest_mhz).ok_or(Implausible::TooFast(Field::LowestFreq))?;
        if nominal_freq > Khz::HIGHEST {
            return Err(Implausible::TooFast(Field::NominalFreq));
        }
        let scale = Scale::new(levels.nominal, nominal_freq, levels.lowest, levels.highest)
            .ok_or(Implausible::Zero(Field::NominalFreq))?;
        if lowest_freq == Khz::default() {
            return Err(Implausible::Zero(Field::LowestFreq));
        }

        let max_freq = scale.freq(levels.highest);
        let lowest_nonlinear_freq = scale.freq(levels.lowest_nonlinear);
        if max_freq > Khz::HIGHEST {
            return Err(Implausible::TooFast(Field::MaxFreq));
        }
        let lowest = (Field::LowestFreq, lowest_freq.get());
        ordered(lowest, (Field::MaxFreq, max_freq.get()))?;
        ordered(
            lowest,
            (Field::LowestNonlinearFreq, lowest_nonlinear_freq.get()),
        )?;

        // INVARIANT: Everything was checked above; the levels put the rest in order.
        Ok(Self {
            levels,
            scale,
            nominal_freq,
            max_freq,
            lowest_nonlinear_freq,
            min_freq: scale.freq(levels.lowest),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels() -> Levels {
        Levels {
            firmware_highest: Perf::new(211),
            highest: Perf::new(166),
            nominal: Perf::new(120),
            lowest_nonlinear: Perf::new(40),
            lowest: Perf::new(15),
        }
    }

    fn refused(change: impl FnOnce(&mut Levels)) -> Implausible {
        let mut levels = levels();
        change(&mut levels);
        Capabilities::new(levels, 3600, 400).unwrap_err()
    }

    #[test]
    fn frequencies_follow_from_the_levels() {
        let caps = Capabilities::new(levels(), 3600, 400).unwrap();
        assert_eq!(caps.nominal_freq, Khz::new(3_600_000));
        assert_eq!(caps.max_freq, Khz::new(4_980_000));
        assert_eq!(caps.lowest_nonlinear_freq, Khz::new(1_200_000));
        assert_eq!(caps.min_freq, Khz::new(450_000));
    }

    #[test]
    fn a_level_of_zero_is_named() {
        let zero = Perf::new(0);
        let cases: [(fn(&mut Levels, Perf), Field); 5] = [
            (|l, p| l.firmware_highest = p, Field::HighestPerf),
            (|l, p| l.highest = p, Field::HighestPerf),
            (|l, p| l.nominal = p, Field::NominalPerf),
            (|l, p| l.lowest_nonlinear = p, Field::LowestNonlinearPerf),
            (|l, p| l.lowest = p, Field::LowestPerf),
        ];
        for (change, field) in cases {
            assert_eq!(refused(|l| change(l, zero)), Implausible::Zero(field));
        }
    }

    #[test]
    fn levels_out_of_order_are_named_with_their_numbers() {
        assert_eq!(
            refused(|l| l.lowest = Perf::new(41)),
            Implausible::Above(Field::LowestPerf, 41, Field::LowestNonlinearPerf, 40)
        );
        assert_eq!(
            refused(|l| l.lowest_nonlinear = Perf::new(121)),
            Implausible::Above(Field::LowestNonlinearPerf, 121, Field::NominalPerf, 120)
        );
        assert_eq!(
            refused(|l| l.firmware_highest = Perf::new(119)),
            Implausible::Above(Field::NominalPerf, 120, Field::HighestPerf, 119)
        );
        assert_eq!(
            refused(|l| l.highest = Perf::new(14)),
            Implausible::Above(Field::LowestPerf, 15, Field::HighestPerf, 14)
        );
    }

    #[test]
    fn equal_levels_are_in_order() {
        let equal = Perf::new(100);
        let flat = Levels {
            firmware_highest: equal,
            highest: equal,
            nominal: equal,
            lowest_nonlinear: equal,
            lowest: equal,
        };
        let caps = Capabilities::new(flat, 2000, 2000).unwrap();
        assert_eq!(caps.min_freq, caps.max_freq);
    }

    #[test]
    fn missing_frequencies_are_named() {
        let new = |nominal, lowest| Capabilities::new(levels(), nominal, lowest).unwrap_err();
        assert_eq!(new(0, 400), Implausible::Zero(Field::NominalFreq));
        assert_eq!(new(3600, 0), Implausible::Zero(Field::LowestFreq));
    }

    #[test]
    fn frequencies_beyond_any_processor_are_refused() {
        let new = |nominal, lowest| Capabilities::new(levels(), nominal, lowest).unwrap_err();
        assert_eq!(new(u32::MAX, 400), Implausible::TooFast(Field::NominalFreq));
        assert_eq!(new(3600, u32::MAX), Implausible::TooFast(Field::LowestFreq));
        assert_eq!(new(16_778, 400), Implausible::TooFast(Field::NominalFreq));
        assert_eq!(new(16_000, 400), Implausible::TooFast(Field::MaxFreq));
    }

    #[test]
    fn a_lowest_frequency_above_the_lowest_nonlinear_one_is_refused() {
        assert_eq!(
            Capabilities::new(levels(), 3600, 1201).unwrap_err(),
            Implausible::Above(
                Field::LowestFreq,
                1_201_000,
                Field::LowestNonlinearFreq,
                1_200_000
            )
        );
        assert_eq!(
            Capabilities::new(levels(), 3600, 5000).unwrap_err(),
            Implausible::Above(Field::LowestFreq, 5_000_000, Field::MaxFreq, 4_980_000)
        );
    }

    #[test]
    fn a_reason_reads_as_a_sentence() {
        let text = Implausible::Above(Field::LowestPerf, 41, Field::NominalPerf, 40).to_string();
        assert_eq!(text, "lowest perf 41 is above nominal perf 40");
        assert_eq!(
            Implausible::Zero(Field::NominalPerf).to_string(),
            "nominal perf is 0"
        );
    }
}
