// SPDX-License-Identifier: GPL-2.0
//! Times in cpupower's spelling.

use std::fmt;

use super::speed::{round_to, Rounding};

/// A time of so many nanoseconds with its unit, as cpupower's `print_duration` prints it.
#[derive(Clone, Copy, Debug)]
pub struct Duration(pub u32, pub Rounding);

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(ns, rounding) = *self;
        let ns = u64::from(ns);
        match (rounding, ns) {
            (Rounding::Exact, 1_000_001..) => {
                write!(f, "{}.{:06} ms", ns / 1_000_000, ns % 1_000_000)
            }
            (Rounding::Exact, 100_001..) => write!(f, "{} us", ns / 1000),
            (Rounding::Exact, 1_001..) => write!(f, "{}.{:03} us", ns / 1000, ns % 1000),
            (Rounding::Rounded, 1_000_001..) => {
                let ns = round_to(ns, 10_000);
                write!(f, "{}.{:02} ms", ns / 1_000_000, ns % 1_000_000 / 10_000)
            }
            (Rounding::Rounded, 100_001..) => write!(f, "{} us", round_to(ns, 1000) / 1000),
            (Rounding::Rounded, 1_001..) => {
                let ns = round_to(ns, 100);
                write!(f, "{}.{:01} us", ns / 1000, ns % 1000 / 100)
            }
            (_, ns) => write!(f, "{ns} ns"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_spelled_as_cpupower_spells_them() {
        let rounded = |ns| Duration(ns, Rounding::Rounded).to_string();
        assert_eq!(rounded(1_000), "1000 ns");
        assert_eq!(rounded(20_000), "20.0 us");
        assert_eq!(rounded(20_050), "20.1 us");
        assert_eq!(rounded(150_500), "151 us");
        assert_eq!(rounded(1_995_000), "2.00 ms");
        let exact = |ns| Duration(ns, Rounding::Exact).to_string();
        assert_eq!(exact(20_050), "20.050 us");
        assert_eq!(exact(150_500), "150 us");
        assert_eq!(exact(1_995_000), "1.995000 ms");
    }
}
