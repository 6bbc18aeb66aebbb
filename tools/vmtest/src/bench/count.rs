// SPDX-License-Identifier: GPL-2.0
//! What the register log says of one run of the benchmark's module.

use std::collections::BTreeMap;

use cppc_model::log::{Entry, Event};

use super::mark::Mark;
use super::pattern::Pattern;

/// What the CPU did between the two markers of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// Instructions that it executed.
    pub instructions: u64,
    /// Registers of the platform that it wrote.
    pub writes: u64,
}

/// The counts of one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts(BTreeMap<Pattern, Count>);

/// A log that does not tell what a run counted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CountError {
    /// A pattern has no marker, or only one.
    #[error("the register log has not both markers of {0}")]
    Incomplete(Pattern),
    /// A marker comes where none can be.
    #[error("a marker of {0} is out of turn in the register log")]
    OutOfTurn(Pattern),
    /// The markers carry no counts.
    #[error("the markers in the register log carry no counts of instructions")]
    NotCounted,
}

impl Counts {
    /// The counts of the run with this tag.
    ///
    /// # Errors
    ///
    /// When a pattern is not there as a whole, or the plugin does not count.
    pub fn of_run(entries: &[Entry], tag: u8) -> Result<Self, CountError> {
        let mut counts = BTreeMap::new();
        let mut open: Option<(Pattern, u32, Count)> = None;
        for entry in entries {
            match entry.event {
                Event::Mark {
                    value,
                    instructions,
                } => {
                    let Some(mark) = Mark::from_value(value).filter(|mark| mark.tag == tag) else {
                        continue;
                    };
                    let now = instructions.ok_or(CountError::NotCounted)?;
                    open = match (mark.end, open) {
                        (false, None) => {
                            let begin = Count {
                                instructions: now,
                                writes: 0,
                            };
                            Some((mark.pattern, entry.cpu, begin))
                        }
                        (true, Some((pattern, cpu, begin)))
                            if pattern == mark.pattern && cpu == entry.cpu =>
                        {
                            let count = Count {
                                instructions: now.saturating_sub(begin.instructions),
                                ..begin
                            };
                            counts.insert(pattern, count);
                            None
                        }
                        _ => return Err(CountError::OutOfTurn(mark.pattern)),
                    };
                }
                Event::Write { .. } => {
                    // The other CPUs have their own schedulers, which write when they like.
                    if let Some((_, _, count)) =
                        open.as_mut().filter(|(_, cpu, _)| *cpu == entry.cpu)
                    {
                        count.writes += 1;
                    }
                }
                _ => {}
            }
        }
        let missing = Pattern::ALL.iter().find(|name| !counts.contains_key(name));
        match missing {
            Some(pattern) => Err(CountError::Incomplete(*pattern)),
            None => Ok(Self(counts)),
        }
    }

    /// All patterns with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (Pattern, Count)> + '_ {
        self.0.iter().map(|(pattern, count)| (*pattern, *count))
    }

    /// This run, with the other's counts of patterns in which fewer interrupts came in between.
    #[must_use]
    pub fn less_disturbed(mut self, other: &Self) -> Self {
        for (pattern, count) in &mut self.0 {
            let other = other.of(*pattern);
            if pattern.sleeps() && other.instructions < count.instructions {
                *count = other;
            }
        }
        self
    }

    /// The count of a pattern.
    #[must_use]
    pub fn of(&self, pattern: Pattern) -> Count {
        // Never missing: that is what `of_run` is for.
        let none = Count {
            instructions: 0,
            writes: 0,
        };
        self.0.get(&pattern).copied().unwrap_or(none)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use cppc_model::Register;

    use super::*;

    fn entry(cpu: u32, event: Event) -> Entry {
        Entry { t: 0, cpu, event }
    }

    fn mark(tag: u32, pattern: usize, end: bool, instructions: Option<u64>) -> Entry {
        let pattern = u32::try_from(pattern).unwrap();
        let value = (tag << 16) | (pattern << 8) | u32::from(end);
        entry(
            0,
            Event::Mark {
                value,
                instructions,
            },
        )
    }

    /// A whole run in which pattern number n costs what `cost` says, with `writes` writes.
    fn run(tag: u32, cost: impl Fn(usize) -> u64, writes: usize) -> Vec<Entry> {
        let mut entries = Vec::new();
        for pattern in 0..Pattern::ALL.len() {
            entries.push(mark(tag, pattern, false, Some(1000)));
            for _ in 0..writes {
                entries.push(entry(0, Event::write(Register::Req, 1, 0)));
                entries.push(entry(1, Event::write(Register::Req, 1, 0)));
            }
            entries.push(mark(tag, pattern, true, Some(1000 + cost(pattern))));
        }
        entries
    }

    /// Counts in which pattern number n costs what `cost` says.
    pub fn counts(cost: impl Fn(usize) -> u64, writes: usize) -> Counts {
        Counts::of_run(&run(1, cost, writes), 1).unwrap()
    }

    #[test]
    fn a_pattern_has_what_its_cpu_did_between_its_markers() {
        let mut entries = run(1, |_| 7, 1);
        entries.extend(run(2, |pattern| 100 * pattern as u64, 3));
        let count = Counts::of_run(&entries, 2).unwrap().of(Pattern::ALL[4]);
        assert_eq!((count.instructions, count.writes), (400, 3));
    }

    #[test]
    fn a_run_that_is_not_whole_is_refused_by_pattern() {
        let mut entries = run(1, |_| 7, 0);
        let last = entries.pop().unwrap();
        let missing = CountError::Incomplete(Pattern::TargetUnchanged);
        assert_eq!(Counts::of_run(&entries, 1), Err(missing));
        entries.insert(1, last);
        let turn = CountError::OutOfTurn(Pattern::TargetUnchanged);
        assert_eq!(Counts::of_run(&entries, 1), Err(turn));
        let missing = CountError::Incomplete(Pattern::EmptyLoop);
        assert_eq!(Counts::of_run(&entries, 9), Err(missing));
    }

    #[test]
    fn interrupts_are_left_out_as_far_as_one_of_two_runs_had_none() {
        let both = |one, other| counts(|_| one, 0).less_disturbed(&counts(|_| other, 0));
        let slow = |counts: Counts| counts.of(Pattern::TargetChanging).instructions;
        assert_eq!((slow(both(7, 5)), slow(both(5, 7))), (5, 5));
        let fast = both(7, 5).of(Pattern::AdjustChanging);
        assert_eq!(fast.instructions, 7);
    }

    #[test]
    fn markers_without_counts_are_refused() {
        let entries = [mark(1, 0, false, None)];
        assert_eq!(Counts::of_run(&entries, 1), Err(CountError::NotCounted));
    }
}
