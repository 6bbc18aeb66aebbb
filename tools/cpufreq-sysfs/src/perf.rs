// SPDX-License-Identifier: GPL-2.0
//! Abstract performance of CPPC and how it relates to frequency.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::error::ParseError;
use crate::frequency::KiloHertz;
use crate::number::decimal_u32;

/// A performance level of CPPC, without unit (ACPI 6.5, 8.4.6.1); AMD registers hold it in 8 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Perf(pub u32);

impl fmt::Display for Perf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Perf {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        decimal_u32(text, "a performance level").map(Self)
    }
}

/// Rank of a core among the preferred cores: the higher, the faster; 0 to 255 on AMD.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Ranking(pub u32);

impl fmt::Display for Ranking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Ranking {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        decimal_u32(text, "a preferred-core ranking").map(Self)
    }
}

/// The straight line through zero and the nominal point that amd-pstate uses between perf and frequency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerfScale {
    nominal_perf: Perf,
    nominal_freq: KiloHertz,
}

impl PerfScale {
    /// The scale of a CPU, or `None` where the nominal point is zero and so fixes no line.
    pub fn new(nominal_perf: Perf, nominal_freq: KiloHertz) -> Option<Self> {
        (nominal_perf.0 != 0 && nominal_freq.0 != 0).then_some(Self {
            nominal_perf,
            nominal_freq,
        })
    }

    /// The level that a frequency asks for, rounded up as the driver's `freq_to_perf` does, not clamped.
    pub fn perf(self, freq: KiloHertz) -> Perf {
        let scaled = (u128::from(freq.0) * u128::from(self.nominal_perf.0))
            .div_ceil(u128::from(self.nominal_freq.0));
        Perf(u32::try_from(scaled).unwrap_or(u32::MAX))
    }

    /// The frequency of a level, rounded up as the driver's `perf_to_freq` does.
    pub fn freq(self, perf: Perf) -> KiloHertz {
        let scaled = (u128::from(perf.0) * u128::from(self.nominal_freq.0))
            .div_ceil(u128::from(self.nominal_perf.0));
        KiloHertz(u64::try_from(scaled).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_zero_nominal_point_gives_no_scale() {
        assert_eq!(PerfScale::new(Perf(0), KiloHertz(3_400_000)), None);
        assert_eq!(PerfScale::new(Perf(136), KiloHertz(0)), None);
    }

    #[test]
    fn the_scale_rounds_up_like_the_driver() {
        let scale = PerfScale::new(Perf(136), KiloHertz(3_400_000)).unwrap();
        assert_eq!(scale.freq(Perf(196)), KiloHertz(4_900_000));
        assert_eq!(scale.perf(KiloHertz(4_900_000)), Perf(196));
        assert_eq!(scale.perf(KiloHertz(4_900_001)), Perf(197));
        assert_eq!(scale.freq(Perf(1)), KiloHertz(25_000));
    }

    proptest! {
        #[test]
        fn no_input_overflows(nominal_perf: u32, nominal_freq: u64, perf: u32, freq: u64) {
            if let Some(scale) = PerfScale::new(Perf(nominal_perf), KiloHertz(nominal_freq)) {
                let _ = (scale.perf(KiloHertz(freq)), scale.freq(Perf(perf)));
            }
        }

        #[test]
        fn a_level_survives_the_way_to_kilohertz_and_back(nominal_perf in 1u32..=255, mhz in 256u64..=6000, perf in 0u32..=255) {
            let scale = PerfScale::new(Perf(nominal_perf), KiloHertz(mhz * 1000)).unwrap();
            let back = scale.perf(scale.freq(Perf(perf)));
            prop_assert!(back == Perf(perf) || back == Perf(perf + 1), "{back}");
        }

        #[test]
        fn any_text_is_a_level_or_an_error(text in "\\PC*") {
            let _ = text.parse::<Perf>();
            let _ = text.parse::<Ranking>();
        }
    }
}
