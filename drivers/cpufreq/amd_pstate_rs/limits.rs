// SPDX-License-Identifier: GPL-2.0

//! The limits of a policy, as frequencies and as performance levels, in one word.
//!
//! The scheduler asks thousands of times a second and the limits change when a person or a daemon
//! changes them. So the levels are kept beside the frequencies that they were computed from: as
//! long as the policy still has those frequencies, nothing needs computing. One word, because the
//! fast path reads it on one CPU while another writes it, and half of an old pair of limits with
//! half of a new one may contradict each other.

use crate::perf::{Khz, Perf};

/// Minimum and maximum of a policy.
///
/// ```text
///   63      56 55      48 47                  24 23                   0
///  | max_perf | min_perf | max_freq in kHz      | min_freq in kHz      |
/// ```
///
/// The default is what no policy has (a maximum of 0 kHz) and so covers none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Limits(u64);

impl Limits {
    /// The width of a frequency in the word: enough for [`Khz::HIGHEST`].
    const FREQ_BITS: u32 = 24;
    const FREQ_MASK: u64 = Khz::HIGHEST.get() as u64;
    const FREQS_MASK: u64 = (1 << (2 * Self::FREQ_BITS)) - 1;
    const MIN_PERF_SHIFT: u32 = 2 * Self::FREQ_BITS;
    const MAX_PERF_SHIFT: u32 = Self::MIN_PERF_SHIFT + 8;

    /// The limits `min_freq` and `max_freq`, which are the levels `min_perf` and `max_perf`.
    #[inline(always)]
    pub(crate) fn new(min_freq: Khz, max_freq: Khz, min_perf: Perf, max_perf: Perf) -> Self {
        Self(
            Self::pack(min_freq, max_freq)
                | u64::from(min_perf.get()) << Self::MIN_PERF_SHIFT
                | u64::from(max_perf.get()) << Self::MAX_PERF_SHIFT,
        )
    }

    #[inline(always)]
    fn pack(min_freq: Khz, max_freq: Khz) -> u64 {
        (u64::from(min_freq.get()) & Self::FREQ_MASK)
            | (u64::from(max_freq.get()) & Self::FREQ_MASK) << Self::FREQ_BITS
    }

    /// The limits of this raw word.
    #[inline(always)]
    pub(crate) const fn from_raw(raw: u64) -> Self {
        Self(raw)
    }

    /// The raw word, for an atomic variable.
    #[inline(always)]
    pub(crate) const fn into_raw(self) -> u64 {
        self.0
    }

    /// Whether these are the levels of the limits `min_freq` and `max_freq`.
    #[inline(always)]
    pub(crate) fn are_of(self, min_freq: Khz, max_freq: Khz) -> bool {
        self.0 & Self::FREQS_MASK == Self::pack(min_freq, max_freq)
    }

    /// The minimum as a level.
    #[inline(always)]
    pub(crate) const fn min_perf(self) -> Perf {
        Perf::new((self.0 >> Self::MIN_PERF_SHIFT) as u8)
    }

    /// The maximum as a level.
    #[inline(always)]
    pub(crate) const fn max_perf(self) -> Perf {
        Perf::new((self.0 >> Self::MAX_PERF_SHIFT) as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits() -> Limits {
        Limits::new(
            Khz::new(400_000),
            Khz::new(4_950_000),
            Perf::new(15),
            Perf::new(196),
        )
    }

    #[test]
    fn levels_come_back_as_they_went_in() {
        assert_eq!(limits().min_perf(), Perf::new(15));
        assert_eq!(limits().max_perf(), Perf::new(196));
        assert_eq!(Limits::from_raw(limits().into_raw()), limits());
    }

    #[test]
    fn limits_are_of_their_own_frequencies_only() {
        let (min, max) = (Khz::new(400_000), Khz::new(4_950_000));
        assert!(limits().are_of(min, max));
        assert!(!limits().are_of(Khz::new(400_001), max));
        assert!(!limits().are_of(min, Khz::new(4_949_999)));
        assert!(!limits().are_of(max, min));
    }

    #[test]
    fn fresh_limits_are_of_no_policy() {
        assert!(!Limits::default().are_of(Khz::new(0), Khz::new(1)));
    }

    #[test]
    fn the_widest_values_do_not_touch_each_other() {
        let high = Khz::HIGHEST;
        let all = Limits::new(high, high, Perf::new(255), Perf::new(255));
        assert_eq!(all.into_raw(), u64::MAX);
        let none = Limits::new(Khz::new(0), high, Perf::new(0), Perf::new(255));
        assert_eq!(none.min_perf(), Perf::new(0));
        assert_eq!(none.max_perf(), Perf::new(255));
        assert!(none.are_of(Khz::new(0), high));
    }
}
