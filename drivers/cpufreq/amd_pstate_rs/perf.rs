// SPDX-License-Identifier: GPL-2.0

//! Performance levels, frequencies, and the line between them.
//!
//! Firmware speaks of performance on an abstract scale of 256 levels, the cpufreq core of
//! frequencies in kHz. The two meet at one point, the *nominal* level and frequency, and everything
//! else is in proportion to it:
//!
//! ```text
//!   perf  0 ... lowest ..... lowest_nonlinear ..... nominal ......... highest ... 255
//!   kHz         min_freq     lowest_nonlinear_freq  nominal_freq      max_freq
//!               |<- below: slower, but not ->|<- without boost ->|<- boost ->|
//!                   cheaper per instruction
//! ```
//!
//! Both conversions round up, as the C driver does, so that a policy never gets less than it asked
//! for. Nothing here knows of the kernel: the file also builds as a part of `tools/driver-logic`,
//! where its tests run.
//!
//! Source: ACPI specification 6.5, section 8.4.6.1 (performance capabilities and thresholds).

use core::fmt;
use core::num::NonZeroU32;

use crate::reciprocal::Reciprocal;

/// The capacity of a CPU that is as fast as CPUs of its machine come (`SCHED_CAPACITY_SCALE`).
/// Almost every CPU has it, and it divides by a shift.
pub(crate) const CAPACITY_SCALE: usize = 1024;

/// A performance level on the abstract scale of CPPC, 0 to 255; higher is faster.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub(crate) struct Perf(u8);

impl Perf {
    /// No level: the field of a register that says nothing.
    pub(crate) const ZERO: Self = Self(0);

    /// The level of this number.
    #[inline(always)]
    pub(crate) const fn new(level: u8) -> Self {
        Self(level)
    }

    /// The number of this level.
    #[inline(always)]
    pub(crate) const fn get(self) -> u8 {
        self.0
    }

    /// This level, raised to `lowest` and then lowered to `highest`.
    ///
    /// Where the two contradict each other, the upper bound wins and nothing panics, unlike
    /// [`Ord::clamp`].
    #[inline(always)]
    pub(crate) fn bounded(self, lowest: Self, highest: Self) -> Self {
        self.max(lowest).min(highest)
    }

    /// The level that is to `self` what `part` is to `whole`, rounded up; `self` when `part` is not
    /// less than `whole`.
    ///
    /// This is how the scheduler's utilisation, a part of a CPU's `capacity`, becomes a level.
    #[inline(always)]
    pub(crate) fn share(self, part: usize, whole: usize) -> Self {
        if part >= whole {
            return self;
        }
        // Below, the result cannot exceed `self`, since `part < whole`. The products need less than
        // 64 bits for any `whole` below 2^56 and wrap beyond, as they do in C.
        let product = usize::from(self.0).wrapping_mul(part);
        match core::num::NonZeroUsize::new(whole) {
            Some(divisor) => Self((product.wrapping_add(whole - 1) / divisor) as u8),
            None => self,
        }
    }
}

impl fmt::Display for Perf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// A clock frequency in kHz, the cpufreq core's unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub(crate) struct Khz(u32);

impl Khz {
    /// The highest frequency that is believed, 16.7 GHz; it has 24 bits. Twice as fast as any
    /// processor ever ran, and small enough for the arithmetic of the scheduler's path.
    pub(crate) const HIGHEST: Self = Self((1 << 24) - 1);

    /// The frequency of this many kHz.
    #[inline(always)]
    pub(crate) const fn new(khz: u32) -> Self {
        Self(khz)
    }

    /// The frequency of this many MHz, the unit of `_CPC`; `None` if kHz do not hold it.
    pub(crate) fn from_mhz(mhz: u32) -> Option<Self> {
        mhz.checked_mul(1000).map(Self)
    }

    /// This frequency's number of kHz.
    #[inline(always)]
    pub(crate) const fn get(self) -> u32 {
        self.0
    }
}

impl fmt::Display for Khz {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} kHz", self.0)
    }
}

/// The proportion between performance levels and frequencies of one CPU.
///
/// # Invariants
///
/// Neither side of the proportion is zero, and the nominal frequency is not above
/// [`Khz::HIGHEST`], so that both reciprocals divide exactly.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    /// `1 / nominal_perf`
    per_perf: Reciprocal,
    /// `1 / nominal_freq`
    per_freq: Reciprocal,
    nominal_freq: u32,
    nominal_perf: u8,
    lowest_perf: Perf,
    highest_perf: Perf,
}

impl Scale {
    /// The scale on which `nominal_perf` is `nominal_freq`; frequencies convert to levels from
    /// `lowest_perf` to `highest_perf`.
    ///
    /// `None` if one side of the proportion is zero, or the frequency above [`Khz::HIGHEST`].
    pub(crate) fn new(
        nominal_perf: Perf,
        nominal_freq: Khz,
        lowest_perf: Perf,
        highest_perf: Perf,
    ) -> Option<Self> {
        if nominal_freq > Khz::HIGHEST {
            return None;
        }
        // INVARIANT: The bound is checked above and zero here.
        Some(Self {
            per_perf: Reciprocal::of(NonZeroU32::new(u32::from(nominal_perf.0))?),
            per_freq: Reciprocal::of(NonZeroU32::new(nominal_freq.0)?),
            nominal_freq: nominal_freq.0,
            nominal_perf: nominal_perf.0,
            lowest_perf,
            highest_perf,
        })
    }

    /// The frequency of level `perf`, rounded up.
    #[inline(always)]
    pub(crate) fn freq(&self, perf: Perf) -> Khz {
        // 24 bits times 8 bits: the sum stays below 2^33, the quotient below 2^32.
        let product = u64::from(self.nominal_freq) * u64::from(perf.0);
        let round_up = u64::from(self.nominal_perf).wrapping_sub(1);
        Khz(self.per_perf.divide(product.wrapping_add(round_up)) as u32)
    }

    /// The lowest level that runs at `freq` or faster, within the CPU's lowest and highest level.
    #[inline(always)]
    pub(crate) fn perf(&self, freq: Khz) -> Perf {
        if freq > Khz::HIGHEST {
            // Faster than anything on the scale, and too much for the reciprocal.
            return self.highest_perf;
        }
        let product = u64::from(freq.0) * u64::from(self.nominal_perf);
        let round_up = u64::from(self.nominal_freq).wrapping_sub(1);
        let level = self.per_freq.divide(product.wrapping_add(round_up));

        Perf(level.min(u64::from(u8::MAX)) as u8).bounded(self.lowest_perf, self.highest_perf)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(nominal: u8, mhz: u32, lowest: u8, highest: u8) -> Scale {
        Scale::new(
            Perf::new(nominal),
            Khz::from_mhz(mhz).unwrap(),
            Perf::new(lowest),
            Perf::new(highest),
        )
        .unwrap()
    }

    /// What `perf_to_freq()` of the C driver computes.
    fn c_perf_to_freq(nominal_perf: u8, nominal_freq: u32, perf: u8) -> u32 {
        (u64::from(nominal_freq) * u64::from(perf)).div_ceil(u64::from(nominal_perf)) as u32
    }

    /// What `freq_to_perf()` of the C driver computes.
    fn c_freq_to_perf(nominal_perf: u8, nominal_freq: u32, low: u8, high: u8, freq: u32) -> u8 {
        let perf = (u64::from(freq) * u64::from(nominal_perf)).div_ceil(u64::from(nominal_freq));
        (perf as u32).clamp(u32::from(low), u32::from(high)) as u8
    }

    #[test]
    fn nominal_perf_is_nominal_frequency() {
        let scale = scale(120, 3600, 15, 196);
        assert_eq!(scale.freq(Perf::new(120)), Khz::new(3_600_000));
        assert_eq!(scale.perf(Khz::new(3_600_000)), Perf::new(120));
    }

    #[test]
    fn every_level_has_the_frequency_of_the_c_driver() {
        for (nominal, mhz) in [(1, 1), (120, 3600), (137, 4501), (255, 16_777), (3, 400)] {
            let scale = scale(nominal, mhz, 1, 255);
            for level in 0..=255 {
                let khz = c_perf_to_freq(nominal, mhz * 1000, level);
                assert_eq!(
                    scale.freq(Perf::new(level)),
                    Khz::new(khz),
                    "{nominal} {mhz} {level}"
                );
            }
        }
    }

    #[test]
    fn every_khz_has_the_level_of_the_c_driver() {
        for (nominal, mhz, low, high) in [
            (120, 3600, 15, 196),
            (137, 4501, 17, 166),
            (255, 16_777, 1, 255),
        ] {
            let scale = scale(nominal, mhz, low, high);
            for khz in scale.freq(Perf::new(low)).get()..=scale.freq(Perf::new(high)).get() {
                let level = c_freq_to_perf(nominal, mhz * 1000, low, high, khz);
                assert_eq!(scale.perf(Khz::new(khz)), Perf::new(level), "{khz}");
            }
        }
    }

    #[test]
    fn a_level_comes_back_from_its_frequency_or_is_one_more() {
        // One more where the frequency was rounded up: both ways round up, as in the C driver.
        for (mhz, rounded) in [(400, true), (1000, true), (3600, false), (4500, false)] {
            let scale = scale(120, mhz, 1, 255);
            let mut more = 0;
            for level in 1..255 {
                let back = scale.perf(scale.freq(Perf::new(level))).get();
                assert!(back == level || back == level + 1, "{mhz} {level} {back}");
                more += u32::from(back != level);
            }
            assert_eq!(more > 0, rounded, "{mhz}");
        }
    }

    #[test]
    fn frequencies_beyond_the_scale_stop_at_its_ends() {
        let scale = scale(120, 3600, 15, 196);
        assert_eq!(scale.perf(Khz::new(0)), Perf::new(15));
        assert_eq!(scale.perf(Khz::new(1)), Perf::new(15));
        assert_eq!(scale.perf(Khz::new(u32::MAX)), Perf::new(196));
    }

    #[test]
    fn the_highest_frequency_at_the_lowest_level_still_has_room() {
        let scale = Scale::new(Perf::new(1), Khz::HIGHEST, Perf::new(1), Perf::new(255)).unwrap();
        assert_eq!(scale.freq(Perf::new(255)).get(), 255 * Khz::HIGHEST.get());
        assert_eq!(scale.perf(Khz::HIGHEST), Perf::new(1));
    }

    #[test]
    fn a_scale_without_a_nominal_point_does_not_exist() {
        let (perf, freq) = (Perf::new(120), Khz::new(3_600_000));
        assert!(Scale::new(Perf::new(0), freq, perf, perf).is_none());
        assert!(Scale::new(perf, Khz::new(0), perf, perf).is_none());
    }

    #[test]
    fn a_scale_beyond_the_highest_frequency_does_not_exist() {
        let (perf, above) = (Perf::new(120), Khz::new(Khz::HIGHEST.get() + 1));
        assert!(Scale::new(perf, Khz::HIGHEST, perf, perf).is_some());
        assert!(Scale::new(perf, above, perf, perf).is_none());
    }

    #[test]
    fn megahertz_that_khz_cannot_hold_are_refused() {
        assert_eq!(Khz::from_mhz(4_294_967), Some(Khz::new(4_294_967_000)));
        assert_eq!(Khz::from_mhz(4_294_968), None);
    }

    #[test]
    fn contradicting_bounds_give_the_upper_one() {
        assert_eq!(
            Perf::new(50).bounded(Perf::new(90), Perf::new(70)),
            Perf::new(70)
        );
    }

    #[test]
    fn a_share_rounds_up_and_ends_at_the_whole() {
        let highest = Perf::new(166);
        assert_eq!(highest.share(0, 1024), Perf::new(0));
        assert_eq!(highest.share(1, 1024), Perf::new(1));
        assert_eq!(highest.share(512, 1024), Perf::new(83));
        assert_eq!(highest.share(1023, 1024), Perf::new(166));
        assert_eq!(highest.share(1024, 1024), highest);
        assert_eq!(highest.share(5000, 1024), highest);
        assert_eq!(highest.share(0, 0), highest);
    }

    #[test]
    fn every_share_is_that_of_the_c_driver() {
        for capacity in [1, 3, 383, 1023, 1024, 1025] {
            for highest in [1u8, 127, 166, 196, 255] {
                for part in 0..capacity {
                    let c = (usize::from(highest) * part).div_ceil(capacity) as u8;
                    assert_eq!(Perf::new(highest).share(part, capacity), Perf::new(c));
                }
            }
        }
    }
}
