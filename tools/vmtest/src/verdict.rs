// SPDX-License-Identifier: GPL-2.0
//! Verdicts on scenarios, and what they come to.

use std::fmt;
use std::process::ExitCode;

/// The exit codes of `vmtest`.
pub mod exit {
    /// All scenarios passed.
    pub const PASSED: u8 = 0;
    /// At least one scenario failed.
    pub const FAILED: u8 = 1;
    /// The command line is wrong.
    pub const USAGE: u8 = 2;
    /// A machine never ran, and no scenario failed. `EX_UNAVAILABLE` of sysexits.h.
    pub const NEVER_RAN: u8 = 69;
    /// A signal ended the run, as shells say it for SIGINT.
    pub const INTERRUPTED: u8 = 130;
}

/// What became of one scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// All was as it should be.
    Passed,
    /// Something was not; this is what.
    Failed(String),
    /// Nothing can be said, because there was no machine; this is why.
    NeverRan(String),
    /// A signal ended the run.
    Interrupted,
}

/// How many scenarios came to which verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    passed: usize,
    failed: usize,
    never_ran: usize,
    interrupted: bool,
}

impl Tally {
    /// Counts one more.
    pub fn count(&mut self, verdict: &Verdict) {
        match verdict {
            Verdict::Passed => self.passed += 1,
            Verdict::Failed(_) => self.failed += 1,
            Verdict::NeverRan(_) => self.never_ran += 1,
            Verdict::Interrupted => self.interrupted = true,
        }
    }

    /// The exit code that says it. A failure is more than a machine that never ran.
    #[must_use]
    pub fn exit_code(self) -> u8 {
        match self {
            Self {
                interrupted: true, ..
            } => exit::INTERRUPTED,
            Self { failed: 1.., .. } => exit::FAILED,
            Self { never_ran: 1.., .. } => exit::NEVER_RAN,
            _ => exit::PASSED,
        }
    }
}

impl From<Tally> for ExitCode {
    fn from(tally: Tally) -> Self {
        tally.exit_code().into()
    }
}

/// The closing line, in the form that test runners are read for. What never ran has not passed.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} passed, {} failed",
            self.passed,
            self.failed + self.never_ran
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(verdicts: &[Verdict]) -> Tally {
        let mut tally = Tally::default();
        verdicts.iter().for_each(|verdict| tally.count(verdict));
        tally
    }

    fn failed() -> Verdict {
        Verdict::Failed("x".into())
    }

    fn never_ran() -> Verdict {
        Verdict::NeverRan("x".into())
    }

    #[test]
    fn each_kind_of_end_has_its_exit_code() {
        assert_eq!(tally(&[Verdict::Passed]).exit_code(), 0);
        assert_eq!(tally(&[Verdict::Passed, failed()]).exit_code(), 1);
        assert_eq!(tally(&[Verdict::Passed, never_ran()]).exit_code(), 69);
        assert_eq!(tally(&[failed(), never_ran()]).exit_code(), 1);
        assert_eq!(tally(&[failed(), Verdict::Interrupted]).exit_code(), 130);
    }

    #[test]
    fn the_closing_line_counts_what_never_ran_as_failed() {
        let closing = tally(&[Verdict::Passed, Verdict::Passed, failed(), never_ran()]).to_string();
        assert_eq!(closing, "2 passed, 2 failed");
    }
}
