// SPDX-License-Identifier: GPL-2.0
//! What the module may cost at most, as a part of what the C driver costs.

use super::figure::Figure;
use super::pattern::Pattern;

/// Bounds of [`Figure::ratio`].
const RATIOS: [(Pattern, f64); 4] = [
    (Pattern::AdjustChanging, 0.70),
    (Pattern::AdjustUnchanged, 0.35),
    (Pattern::SwitchChanging, 0.80),
    (Pattern::SwitchUnchanged, 0.60),
];

/// Writes a call that are not of the benchmark, in patterns that run with interrupts on: the
/// scheduler makes its own requests in between.
const CHANCE: f64 = 0.05;

/// What is above its bound: one sentence for each.
#[must_use]
pub fn exceeded(figures: &[Figure]) -> Vec<String> {
    let mut found = Vec::new();
    for (pattern, bound) in RATIOS {
        for figure in figures.iter().filter(|figure| figure.pattern == pattern) {
            if figure.ratio > bound {
                found.push(format!(
                    "{pattern}: {:.1} instructions are {:.3} of the C driver's {:.1}, above {bound}",
                    figure.module.instructions, figure.ratio, figure.c.instructions
                ));
            }
        }
    }
    found
}

/// Where the module writes more often to the platform than the C driver: one sentence for each.
#[must_use]
pub fn written_more(figures: &[Figure]) -> Vec<String> {
    figures
        .iter()
        .filter(|figure| {
            let chance = if figure.pattern.sleeps() { CHANCE } else { 0.0 };
            figure.module.writes > figure.c.writes + chance
        })
        .map(|figure| {
            format!(
                "{}: {} writes a call, the C driver makes {}",
                figure.pattern, figure.module.writes, figure.c.writes
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::count::tests::counts;
    use super::*;

    fn figures(module: u64, writes: usize) -> Vec<Figure> {
        let calls = |calls| move |number| if number == 0 { 0 } else { calls };
        let (nothing, c) = (counts(calls(0), 0), counts(calls(100_000), 5));
        Figure::all(&nothing, &c, &counts(calls(module), writes))
    }

    #[test]
    fn each_bound_is_kept_and_broken_at_its_value() {
        assert_eq!(exceeded(&figures(35_000, 5)), Vec::<String>::new());
        for (cost, broken) in [(36_000, 1), (60_001, 2), (70_001, 3), (80_001, 4)] {
            assert_eq!(exceeded(&figures(cost, 5)).len(), broken, "{cost}");
        }
        let text = exceeded(&figures(36_000, 5)).concat();
        assert!(
            text.contains("adjust_perf unchanged") && text.contains("0.36"),
            "{text}"
        );
    }

    #[test]
    fn one_write_more_is_seen_in_any_pattern() {
        assert_eq!(written_more(&figures(1, 5)), Vec::<String>::new());
        let never_sleep = Pattern::ALL.len() - 3;
        assert_eq!(written_more(&figures(1, 6)).len(), never_sleep);
        assert_eq!(written_more(&figures(1, 16)).len(), never_sleep + 2);
    }
}
