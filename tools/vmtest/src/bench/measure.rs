// SPDX-License-Identifier: GPL-2.0
//! Runs of the benchmark's module in the guest.

use anyhow::{ensure, Context, Result};

use super::count::Counts;
use super::figure::per_call;
use super::subject::{Setting, Subject};
use crate::machine::Machine;

/// The benchmark's module.
const BENCH: &str = "pstate_bench";

/// What the module ends with, so that it need not be unloaded: `EAGAIN`.
const RAN: &str = "Resource temporarily unavailable";

/// Measures drivers in one guest.
pub struct Measure<'m> {
    m: &'m mut Machine,
    tag: u8,
}

impl<'m> Measure<'m> {
    /// Measures in this guest, which must have been booted with counting on and the C driver in
    /// passive mode.
    pub fn new(m: &'m mut Machine) -> Self {
        Self { m, tag: 0 }
    }

    /// The guest.
    pub fn machine(&mut self) -> &mut Machine {
        self.m
    }

    /// Counts all patterns with a driver in some settings, each with two runs that must agree.
    ///
    /// # Errors
    ///
    /// When a run does not come to its end, or two do not agree.
    pub fn twice(&mut self, subject: Subject, settings: &[Setting]) -> Result<Vec<Counts>> {
        self.each(subject, settings, |measure, setting| {
            let (first, second) = (measure.run(subject)?, measure.run(subject)?);
            same(&first, &second, setting)?;
            Ok(first.less_disturbed(&second))
        })
    }

    /// Counts all patterns with a driver in some settings.
    ///
    /// # Errors
    ///
    /// When a run does not come to its end.
    pub fn once(&mut self, subject: Subject, settings: &[Setting]) -> Result<Vec<Counts>> {
        self.each(subject, settings, |measure, _| measure.run(subject))
    }

    fn each(
        &mut self,
        subject: Subject,
        settings: &[Setting],
        mut run: impl FnMut(&mut Self, Setting) -> Result<Counts>,
    ) -> Result<Vec<Counts>> {
        subject.bind(self.m)?;
        let mut all = Vec::new();
        for setting in settings {
            subject.set(self.m, *setting)?;
            let counts = run(self, *setting);
            all.push(counts.with_context(|| format!("{subject:?}, {}", setting.describe()))?);
        }
        // The next driver finds tracing off.
        subject.set(self.m, Setting::USUAL)?;
        Ok(all)
    }

    fn run(&mut self, subject: Subject) -> Result<Counts> {
        self.tag = self.tag.checked_add(1).context("more runs than tags")?;
        let tag = format!("tag={}", self.tag);
        let null = format!("null={}", u8::from(subject == Subject::Nothing));
        let begin = self.m.now()?;
        let ran = self.m.try_modprobe(&[BENCH, &tag, &null])?;
        ensure!(
            ran.stderr.contains(RAN),
            "{BENCH} did not run (make bench-module builds it): {}{}",
            ran.stderr,
            self.last_words(begin)?
        );
        Ok(Counts::of_run(&self.m.registers_since(begin)?, self.tag)?)
    }

    /// What the kernel logged since then.
    fn last_words(&mut self, begin: crate::machine::Moment) -> Result<String> {
        let log = self.m.dmesg_since(begin)?;
        let lines = log.iter().map(|record| format!("{}\n", record.text));
        Ok(lines.collect())
    }
}

/// How far two runs may be apart while somebody traces, as a part of the whole: where in a page of
/// the trace buffer a run begins depends on all events before it.
const TRACING_TOLERANCE: f64 = 0.001;

/// Fails unless two runs agree: to the instruction, but where interrupts are on or somebody traces.
fn same(first: &Counts, second: &Counts, setting: Setting) -> Result<()> {
    for ((pattern, one), (_, other)) in first.iter().zip(second.iter()) {
        if pattern.sleeps() {
            continue;
        }
        let all = per_call(pattern, one).instructions;
        let apart = (all - per_call(pattern, other).instructions).abs();
        let tolerance = if setting.tracing {
            all * TRACING_TOLERANCE
        } else {
            0.0
        };
        ensure!(
            apart <= tolerance && one.writes == other.writes,
            "two runs of {pattern} do not agree: {one:?} and {other:?}"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::count::tests::counts;
    use super::*;

    #[test]
    fn runs_agree_to_the_instruction_except_where_interrupts_are_on() {
        let usual = |one: &Counts, other: &Counts| same(one, other, Setting::USUAL);
        assert!(usual(&counts(|_| 5, 0), &counts(|_| 5, 0)).is_ok());
        let late = |extra: u64| move |number| if number == 9 { 5 + extra } else { 5 };
        assert!(usual(&counts(late(0), 0), &counts(late(1), 0)).is_ok());
        let early = |extra: u64| move |number| if number == 1 { 5 + extra } else { 5 };
        let error = usual(&counts(early(0), 0), &counts(early(1), 0)).unwrap_err();
        let error = error.to_string();
        assert!(error.contains("adjust_perf changing"), "{error}");
        assert!(usual(&counts(|_| 5, 0), &counts(|_| 5, 1)).is_err());
    }

    #[test]
    fn runs_that_are_traced_agree_to_a_thousandth() {
        let tracing = Setting {
            tracing: true,
            ..Setting::USUAL
        };
        let one = counts(|_| 1_000_000, 1);
        assert!(same(&one, &counts(|_| 1_001_000, 1), tracing).is_ok());
        assert!(same(&one, &counts(|_| 1_001_001, 1), tracing).is_err());
        assert!(same(&one, &counts(|_| 1_000_000, 2), tracing).is_err());
    }
}
