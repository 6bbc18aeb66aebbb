// SPDX-License-Identifier: GPL-2.0

//! The limits of a policy as performance levels, in one word.
//!
//! The scheduler asks thousands of times a second and the limits change when a person or a daemon
//! changes them. So their levels are kept, and computed anew only when the policy's frequencies are
//! no longer those that they were computed from.

use crate::perf::Perf;

/// Minimum and maximum of a policy.
///
/// ```text
///   63                          16 15       8 7        0
///  | 0                            | max_perf | min_perf |
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Limits(u64);

impl Limits {
    const MAX_PERF_SHIFT: u32 = u8::BITS;

    /// The limits that are these levels.
    #[inline(always)]
    pub(crate) fn new(min_perf: Perf, max_perf: Perf) -> Self {
        Self(u64::from(min_perf.get()) | (u64::from(max_perf.get()) << Self::MAX_PERF_SHIFT))
    }

    /// The limits of this raw word.
    #[inline(always)]
    pub(crate) const fn from_raw(raw: u64) -> Self {
        Self(raw)
    }

    /// The raw word, for a variable that others read.
    #[inline(always)]
    pub(crate) const fn into_raw(self) -> u64 {
        self.0
    }

    /// The minimum.
    #[inline(always)]
    pub(crate) const fn min_perf(self) -> Perf {
        Perf::new(self.0 as u8)
    }

    /// The maximum.
    #[inline(always)]
    pub(crate) const fn max_perf(self) -> Perf {
        Perf::new((self.0 >> Self::MAX_PERF_SHIFT) as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_come_back_as_they_went_in() {
        for (min, max) in [(0, 0), (15, 196), (0, 255), (255, 0), (255, 255)] {
            let limits = Limits::new(Perf::new(min), Perf::new(max));
            assert_eq!(limits.min_perf(), Perf::new(min));
            assert_eq!(limits.max_perf(), Perf::new(max));
            assert_eq!(Limits::from_raw(limits.into_raw()), limits);
        }
    }
}
