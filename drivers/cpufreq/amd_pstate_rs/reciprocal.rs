// SPDX-License-Identifier: GPL-2.0

//! Division by a number that stays the same, done by a multiplication.
//!
//! The scheduler's path converts between frequencies and levels thousands of times a second, always
//! by the same two divisors. A 64-bit division costs as much as everything else that it does.

use core::num::NonZeroU32;

/// The reciprocal of a divisor: `1 / divisor` as a fixed-point number, rounded up.
///
/// With `m = (2^56 + e) / d`, where `e < d`, the product `n * m / 2^56` is too large by
/// `n * e / (d * 2^56)`, which is less than `n / 2^56`. Rounded down, it is the quotient as long as
/// that is not more than `1 / d`, so for every `n` up to `2^56 / d`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reciprocal {
    multiplier: u64,
}

impl Reciprocal {
    const SHIFT: u32 = 56;

    /// The reciprocal of `divisor`.
    pub(crate) const fn of(divisor: NonZeroU32) -> Self {
        Self {
            multiplier: (1u64 << Self::SHIFT).div_ceil(divisor.get() as u64),
        }
    }

    /// The largest number that [`Self::divide`] divides exactly by `divisor`.
    #[cfg(test)]
    pub(crate) const fn largest_dividend(divisor: NonZeroU32) -> u64 {
        (1u64 << Self::SHIFT) / divisor.get() as u64
    }

    /// `dividend / divisor`, rounded down.
    #[inline(always)]
    pub(crate) const fn divide(self, dividend: u64) -> u64 {
        ((dividend as u128 * self.multiplier as u128) >> Self::SHIFT) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the dividends around every multiple of `divisor` that `multiples` names, where a
    /// quotient that is off would be off.
    fn check(divisor: u32, multiples: impl Iterator<Item = u64>) {
        let nonzero = NonZeroU32::new(divisor).unwrap();
        let reciprocal = Reciprocal::of(nonzero);
        let largest = Reciprocal::largest_dividend(nonzero);

        for multiple in multiples {
            let Some(product) = multiple.checked_mul(u64::from(divisor)) else {
                continue;
            };
            for dividend in [product.saturating_sub(1), product, product + 1] {
                if dividend <= largest {
                    let quotient = dividend / u64::from(divisor);
                    assert_eq!(
                        reciprocal.divide(dividend),
                        quotient,
                        "{dividend} / {divisor}"
                    );
                }
            }
        }
    }

    #[test]
    fn every_level_divides_every_product_of_a_level() {
        // All nominal levels; quotients up to the highest frequency of the limits' word.
        for divisor in 1..=255 {
            check(divisor, (0..1 << 24).step_by(251));
        }
    }

    #[test]
    fn frequencies_divide_everything_up_to_the_largest_dividend() {
        for divisor in (1000..1 << 24)
            .step_by(100_003)
            .chain([1, 3, (1 << 24) - 1])
        {
            let nonzero = NonZeroU32::new(divisor).unwrap();
            let last = Reciprocal::largest_dividend(nonzero) / u64::from(divisor);
            check(divisor, 0..=300);
            check(divisor, last.saturating_sub(300)..=last + 1);
        }
    }

    #[test]
    fn the_largest_dividend_covers_what_is_ever_divided() {
        // A frequency of 24 bits times a level, by a frequency of 24 bits.
        let freq = NonZeroU32::new((1 << 24) - 1).unwrap();
        assert!(Reciprocal::largest_dividend(freq) >= ((1 << 24) - 1) * 255 + (1 << 24) - 2);
        // The same product by a level.
        let level = NonZeroU32::new(255).unwrap();
        assert!(Reciprocal::largest_dividend(level) >= ((1 << 24) - 1) * 255 + 254);
    }

    #[test]
    fn one_divides_too() {
        let one = Reciprocal::of(NonZeroU32::MIN);
        assert_eq!(one.divide(0), 0);
        assert_eq!(one.divide(1 << 56), 1 << 56);
    }
}
