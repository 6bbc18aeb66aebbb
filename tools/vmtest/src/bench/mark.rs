// SPDX-License-Identifier: GPL-2.0
//! The markers that the benchmark's module writes around each pattern.

use super::pattern::Pattern;

/// One marker, as `mark()` of `bench/pstate_bench.c` makes it.
///
/// ```text
///   31    24 23    16 15     8 7      0
///  |   0    |  tag   | pattern|  end   |
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// The number of the run.
    pub tag: u8,
    /// The pattern that begins or ends.
    pub pattern: Pattern,
    /// Whether it ends.
    pub end: bool,
}

impl Mark {
    /// Reads a value that was written to the marker port. None if it is no marker of the benchmark.
    #[must_use]
    pub fn from_value(value: u32) -> Option<Self> {
        let [end, pattern, tag, zero] = value.to_le_bytes();
        if end > 1 || zero != 0 {
            return None;
        }
        Some(Self {
            tag,
            pattern: Pattern::from_number(pattern)?,
            end: end == 1,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_tells_run_pattern_and_end() {
        let begin = Mark::from_value(0x0003_0200).unwrap();
        assert_eq!(
            (begin.tag, begin.pattern, begin.end),
            (3, Pattern::AdjustUnchanged, false)
        );
        assert!(Mark::from_value(0x0003_0201).unwrap().end);
    }

    #[test]
    fn markers_of_others_are_none_of_the_benchmark() {
        for value in [0x0100_0000, 0x2, 0x0b00, u32::MAX] {
            assert_eq!(Mark::from_value(value), None, "{value:#x}");
        }
    }
}
