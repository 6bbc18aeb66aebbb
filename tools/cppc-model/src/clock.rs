// SPDX-License-Identifier: GPL-2.0
//! APERF and MPERF: how far a core came while it was not idle.

/// At what rates the counters of a core run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rates {
    /// Clock at the nominal level, in MHz: the rate of MPERF.
    pub nominal_mhz: u32,
    /// The nominal performance level. 0 (a broken machine) makes APERF run as
    /// fast as MPERF.
    pub nominal: u8,
    /// The level granted at present.
    pub granted: u8,
}

/// The counters of one core.
///
/// Both stand still while the core idles. What a division leaves over is kept
/// for the next, so that their ratio is exact over any number of steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    mperf: u64,
    aperf: u64,
    mperf_rest: u128,
    aperf_rest: u128,
    running_since: Option<u64>,
}

/// Nanoseconds by megahertz make thousandths of a cycle.
const PER_CYCLE: u128 = 1000;

impl Counters {
    /// MPERF as of the last step.
    pub fn mperf(&self) -> u64 {
        self.mperf
    }

    /// APERF as of the last step.
    pub fn aperf(&self) -> u64 {
        self.aperf
    }

    /// Sets MPERF, as a write to it does.
    pub fn set_mperf(&mut self, value: u64) {
        self.mperf = value;
        self.mperf_rest = 0;
    }

    /// Sets APERF, as a write to it does.
    pub fn set_aperf(&mut self, value: u64) {
        self.aperf = value;
        self.aperf_rest = 0;
    }

    /// Lets the counters run up to `now` (ns), at rates that held since the
    /// step before. Time that goes backwards is taken as none.
    pub fn step(&mut self, now: u64, rates: Rates) {
        let Some(since) = self.running_since else {
            return;
        };
        self.running_since = Some(now.max(since));
        let elapsed = u128::from(now.saturating_sub(since)) * u128::from(rates.nominal_mhz);
        let (granted, nominal) = match rates.nominal {
            0 => (1, 1),
            nominal => (u128::from(rates.granted), u128::from(nominal)),
        };
        run(&mut self.mperf, &mut self.mperf_rest, elapsed, PER_CYCLE);
        run(
            &mut self.aperf,
            &mut self.aperf_rest,
            elapsed * granted,
            PER_CYCLE * nominal,
        );
    }

    /// The core stops running at `now` (ns).
    pub fn idle(&mut self, now: u64, rates: Rates) {
        self.step(now, rates);
        self.running_since = None;
    }

    /// The core runs from `now` (ns) on.
    pub fn resume(&mut self, now: u64, rates: Rates) {
        self.step(now, rates);
        self.running_since.get_or_insert(now);
    }
}

/// Adds `dividend / divisor` to a counter that wraps, and keeps the remainder.
fn run(counter: &mut u64, rest: &mut u128, dividend: u128, divisor: u128) {
    let total = dividend.saturating_add(*rest);
    // Only the low 64 bits count: the counter wraps.
    let cycles = (total / divisor) & u128::from(u64::MAX);
    *counter = counter.wrapping_add(u64::try_from(cycles).unwrap_or(0));
    *rest = total % divisor;
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RATES: Rates = Rates {
        nominal_mhz: 4500,
        nominal: 131,
        granted: 166,
    };

    #[test]
    fn a_core_that_never_ran_counts_nothing() {
        let mut counters = Counters::default();
        counters.step(1_000_000, RATES);
        assert_eq!((counters.mperf(), counters.aperf()), (0, 0));
    }

    #[test]
    fn mperf_counts_at_the_nominal_clock() {
        let mut counters = Counters::default();
        counters.resume(0, RATES);
        counters.step(1_000_000_000, RATES);
        assert_eq!(counters.mperf(), 4_500_000_000);
    }

    #[test]
    fn idle_time_is_not_counted() {
        let mut counters = Counters::default();
        counters.resume(0, RATES);
        counters.idle(1_000, RATES);
        counters.step(900_000, RATES);
        counters.resume(1_000_000, RATES);
        counters.step(1_001_000, RATES);
        assert_eq!(counters.mperf(), 9_000);
    }

    #[test]
    fn time_that_goes_backwards_counts_nothing() {
        let mut counters = Counters::default();
        counters.resume(1_000, RATES);
        counters.step(500, RATES);
        counters.step(1_000, RATES);
        assert_eq!(counters.mperf(), 0);
    }

    #[test]
    fn a_broken_nominal_level_does_not_divide_by_zero() {
        let rates = Rates {
            nominal: 0,
            ..RATES
        };
        let mut counters = Counters::default();
        counters.resume(0, rates);
        counters.step(1_000, rates);
        assert_eq!(counters.aperf(), counters.mperf());
    }

    proptest! {
        #[test]
        fn the_ratio_is_granted_over_nominal(
            nominal_mhz in 1u32..6400, nominal in 1u8.., granted: u8,
            steps in prop::collection::vec(1u64..10_000_000, 1..50),
        ) {
            let rates = Rates { nominal_mhz, nominal, granted };
            let mut counters = Counters::default();
            counters.resume(0, rates);
            let mut now = 0;
            for step in steps {
                now += step;
                counters.step(now, rates);
            }
            // Exact but for the fraction of a cycle that each still holds.
            let left = u128::from(counters.aperf()) * u128::from(nominal);
            let right = u128::from(counters.mperf()) * u128::from(granted);
            prop_assert!(left.abs_diff(right) <= u128::from(nominal.max(granted)));
            prop_assert_eq!(u128::from(counters.mperf()), u128::from(now) * u128::from(nominal_mhz) / 1000);
        }

        #[test]
        fn no_times_and_no_rates_break_it(
            times: [u64; 4], nominal_mhz: u32, nominal: u8, granted: u8, mperf: u64, aperf: u64,
        ) {
            let rates = Rates { nominal_mhz, nominal, granted };
            let mut counters = Counters::default();
            counters.set_mperf(mperf);
            counters.set_aperf(aperf);
            counters.resume(times[0], rates);
            counters.step(times[1], rates);
            counters.idle(times[2], rates);
            counters.resume(times[3], rates);
        }
    }
}
