// SPDX-License-Identifier: GPL-2.0
//! The patterns of calls that the benchmark's module makes.

use std::fmt;

use serde::{Serialize, Serializer};

/// A pattern. The order is that of `enum pattern` in `bench/pstate_bench.c`, whose numbers stand in
/// the markers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pattern {
    /// The loop around the calls, and nothing called.
    EmptyLoop,
    /// `adjust_perf`, another target at each call.
    AdjustChanging,
    /// `adjust_perf`, the same target at each call.
    AdjustUnchanged,
    /// `adjust_perf`, two targets by turns.
    AdjustAlternating,
    /// `adjust_perf`, targets below the policy's minimum.
    AdjustClamped,
    /// `fast_switch`, another frequency at each call.
    SwitchChanging,
    /// `fast_switch`, the same frequency at each call.
    SwitchUnchanged,
    /// `fast_switch`, two frequencies by turns.
    SwitchAlternating,
    /// `fast_switch`, frequencies below the policy's minimum.
    SwitchClamped,
    /// `target`, which may sleep, another frequency at each call.
    TargetChanging,
    /// `target`, the same frequency at each call.
    TargetUnchanged,
}

impl Pattern {
    /// All of them, in their order.
    pub const ALL: [Self; 11] = [
        Self::EmptyLoop,
        Self::AdjustChanging,
        Self::AdjustUnchanged,
        Self::AdjustAlternating,
        Self::AdjustClamped,
        Self::SwitchChanging,
        Self::SwitchUnchanged,
        Self::SwitchAlternating,
        Self::SwitchClamped,
        Self::TargetChanging,
        Self::TargetUnchanged,
    ];

    /// The pattern with this number.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// The name in tables and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::EmptyLoop => "empty loop",
            Self::AdjustChanging => "adjust_perf changing",
            Self::AdjustUnchanged => "adjust_perf unchanged",
            Self::AdjustAlternating => "adjust_perf alternating",
            Self::AdjustClamped => "adjust_perf clamped",
            Self::SwitchChanging => "fast_switch changing",
            Self::SwitchUnchanged => "fast_switch unchanged",
            Self::SwitchAlternating => "fast_switch alternating",
            Self::SwitchClamped => "fast_switch clamped",
            Self::TargetChanging => "target changing",
            Self::TargetUnchanged => "target unchanged",
        }
    }

    /// How many calls the module makes of it.
    #[must_use]
    pub fn calls(self) -> u32 {
        if self.sleeps() {
            200
        } else {
            1000
        }
    }

    /// Whether it may sleep. It then runs with interrupts on, and what they cost is in its count.
    #[must_use]
    pub fn sleeps(self) -> bool {
        matches!(self, Self::TargetChanging | Self::TargetUnchanged)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Serialize for Pattern {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The module's source, in which the numbers and the calls are set.
    const MODULE: &str = include_str!("../../../../bench/pstate_bench.c");

    #[test]
    fn the_numbers_are_those_of_the_module() {
        let (_, rest) = MODULE.split_once("enum pattern {").unwrap();
        let (list, _) = rest.split_once("PATTERNS,").unwrap();
        let names: Vec<String> = list
            .split(',')
            .map(|name| name.trim().to_lowercase().replace('_', " "))
            .filter(|name| !name.is_empty())
            .collect();
        let ours: Vec<String> = Pattern::ALL
            .iter()
            .map(|pattern| {
                let name = pattern.name().replace("_perf", "").replace("fast_", "");
                name.replace('_', " ")
            })
            .collect();
        assert_eq!(names, ours);
        for (number, pattern) in (0..).zip(Pattern::ALL) {
            assert_eq!(Pattern::from_number(number), Some(pattern));
        }
        assert_eq!(Pattern::from_number(11), None);
    }

    #[test]
    fn the_calls_are_those_of_the_module() {
        for (pattern, name) in [
            (Pattern::AdjustChanging, "CALLS"),
            (Pattern::TargetChanging, "SLOW_CALLS"),
        ] {
            let line = format!("#define {name}\t{}", pattern.calls());
            let tabs = line.replace('\t', "\t\t");
            assert!(MODULE.contains(&line) || MODULE.contains(&tabs), "{line}");
        }
    }
}
