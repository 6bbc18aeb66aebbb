// SPDX-License-Identifier: GPL-2.0
//! Statistics of the cpufreq core.

use std::str::FromStr;

use serde::Serialize;

use crate::error::ParseError;
use crate::frequency::KiloHertz;
use crate::number::decimal;

/// Time that a policy spent at one frequency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct StateTime {
    /// The frequency.
    pub khz: KiloHertz,
    /// The time, in units of 10 ms.
    pub time: u64,
}

/// Content of `stats/time_in_state`, in the kernel's order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct TimeInState(pub Vec<StateTime>);

impl TimeInState {
    /// Sum of all times, in units of 10 ms.
    pub fn total(&self) -> u64 {
        self.0
            .iter()
            .fold(0, |sum, state| sum.saturating_add(state.time))
    }
}

impl FromStr for TimeInState {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        text.lines().map(state).collect::<Result<_, _>>().map(Self)
    }
}

fn state(line: &str) -> Result<StateTime, ParseError> {
    let (freq, time) = line.split_once(' ').ok_or_else(|| {
        ParseError::new(
            "a frequency in kHz and a time",
            line,
            "no blank between two numbers",
        )
    })?;
    Ok(StateTime {
        khz: freq.parse()?,
        time: decimal(time, "a time in units of 10 ms")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn each_line_is_a_frequency_and_its_time() {
        let stats: TimeInState = "3400000 1000\n2200000 500\n".parse().unwrap();
        assert_eq!(
            stats.0[1],
            StateTime {
                khz: KiloHertz(2_200_000),
                time: 500
            }
        );
        assert_eq!(stats.total(), 1500);
    }

    #[test]
    fn the_sum_does_not_wrap() {
        let stats: TimeInState = "1 18446744073709551615\n2 1\n".parse().unwrap();
        assert_eq!(stats.total(), u64::MAX);
    }

    #[test]
    fn a_line_of_one_number_is_refused() {
        assert!("3400000".parse::<TimeInState>().is_err());
    }

    proptest! {
        #[test]
        fn any_text_is_statistics_or_an_error(text in "(?s).*") {
            let _ = text.parse::<TimeInState>();
        }
    }
}
