// SPDX-License-Identifier: GPL-2.0
//! What a call costs with each driver.

use serde::Serialize;

use super::count::{Count, Counts};
use super::pattern::Pattern;

/// What one call costs with one driver.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Cost {
    /// Instructions, without those of the empty loop.
    pub instructions: f64,
    /// Writes to registers of the platform.
    pub writes: f64,
}

/// What one pattern costs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Figure {
    /// The pattern.
    pub pattern: Pattern,
    /// Instructions with a driver that does nothing: those of the cpufreq core, and of choosing a
    /// target where that takes more than in the empty loop.
    pub floor: f64,
    /// The C driver.
    pub c: Cost,
    /// The module.
    pub module: Cost,
    /// The module's instructions as a part of the C driver's, the core's included in both.
    pub ratio: f64,
    /// The same without the core's. None where the drivers cannot be told from the core.
    pub own_ratio: Option<f64>,
}

impl Figure {
    /// What a pattern costs, from the counts with each driver.
    #[must_use]
    pub fn new(pattern: Pattern, nothing: &Counts, c: &Counts, module: &Counts) -> Self {
        let floor = cost(pattern, nothing).instructions;
        let (c, module) = (cost(pattern, c), cost(pattern, module));
        let own = c.instructions - floor;
        // On the path that may sleep the core does different things with a driver that has it
        // look up frequencies.
        let own_ratio =
            (!pattern.sleeps() && own > 0.0).then(|| (module.instructions - floor) / own);
        Self {
            pattern,
            floor,
            c,
            module,
            ratio: module.instructions / c.instructions,
            own_ratio,
        }
    }

    /// All patterns but the empty loop, which is in none of them.
    #[must_use]
    pub fn all(nothing: &Counts, c: &Counts, module: &Counts) -> Vec<Self> {
        let patterns = Pattern::ALL.into_iter();
        patterns
            .filter(|pattern| *pattern != Pattern::EmptyLoop)
            .map(|pattern| Self::new(pattern, nothing, c, module))
            .collect()
    }
}

/// What one call of a pattern costs in a run.
fn cost(pattern: Pattern, counts: &Counts) -> Cost {
    let empty = per_call(Pattern::EmptyLoop, counts.of(Pattern::EmptyLoop));
    let all = per_call(pattern, counts.of(pattern));
    Cost {
        instructions: thousandths(all.instructions - empty.instructions),
        writes: all.writes,
    }
}

/// A count as one call's.
#[must_use]
pub fn per_call(pattern: Pattern, count: Count) -> Cost {
    let calls = f64::from(pattern.calls());
    Cost {
        instructions: exact(count.instructions) / calls,
        writes: exact(count.writes) / calls,
    }
}

/// Without what a difference of floating point numbers has beyond the digits of a count.
fn thousandths(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// A count is far below the 2^53 up to which this is exact.
#[allow(clippy::cast_precision_loss)]
fn exact(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::super::count::tests::counts;
    use super::*;

    fn figure(pattern: Pattern) -> Figure {
        let loop_and = |calls: u64| move |number| if number == 0 { 10_000 } else { calls };
        let nothing = counts(loop_and(46_000), 0);
        let c = counts(loop_and(210_000), 1000);
        let module = counts(loop_and(128_000), 500);
        Figure::new(pattern, &nothing, &c, &module)
    }

    #[test]
    fn the_loop_is_in_no_figure_and_the_core_in_the_floor() {
        let figure = figure(Pattern::AdjustChanging);
        assert_eq!(figure.floor, 36.0);
        assert_eq!((figure.c.instructions, figure.c.writes), (200.0, 1.0));
        assert_eq!(figure.module.instructions, 118.0);
        assert_eq!(figure.ratio, 0.59);
        assert_eq!(figure.own_ratio, Some(0.5));
    }

    #[test]
    fn the_path_that_sleeps_has_fewer_calls_and_no_share_of_its_own() {
        let figure = figure(Pattern::TargetChanging);
        assert_eq!(figure.c.instructions, 1040.0);
        assert_eq!(figure.own_ratio, None);
    }

    #[test]
    fn every_pattern_but_the_empty_loop_has_a_figure() {
        let all = Figure::all(&counts(|_| 1, 0), &counts(|_| 1, 0), &counts(|_| 1, 0));
        assert_eq!(all.len(), Pattern::ALL.len() - 1);
        assert!(all
            .iter()
            .all(|figure| figure.pattern != Pattern::EmptyLoop));
    }
}
