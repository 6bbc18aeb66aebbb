// SPDX-License-Identifier: GPL-2.0
//! What a core grants for a request: the one place where the model decides.

use crate::layout::Request;

/// The limits that a grant keeps to, in performance levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The lowest level of the core.
    pub lowest: u8,
    /// The level that needs no boost.
    pub nominal: u8,
    /// The highest level of the core.
    pub highest: u8,
    /// Whether the core may run above nominal now.
    pub boost: bool,
}

impl Limits {
    /// The highest level that can be granted now.
    pub fn ceiling(self) -> u8 {
        if self.boost {
            self.highest
        } else {
            self.highest.min(self.nominal)
        }
    }

    /// The lowest level that can be granted now.
    pub fn floor(self) -> u8 {
        self.lowest.min(self.ceiling())
    }

    /// The level granted for a request.
    ///
    /// A maximum of 0 is no maximum, as firmware leaves it. Where minimum and
    /// maximum contradict each other the maximum wins, since it protects. A
    /// desired level of 0 leaves the choice to the processor; a real part
    /// then follows its load, which the model does not see, so it goes by the
    /// preference alone: epp 0 is the maximum, 255 the minimum, and between
    /// them a straight line (an invention).
    pub fn grant(self, request: Request) -> u8 {
        let max = match request.max() {
            0 => self.ceiling(),
            max => self.within(max),
        };
        let min = self.within(request.min()).min(max);
        match request.des() {
            0 => autonomous(min, max, request.epp()),
            des => des.max(min).min(max),
        }
    }

    /// The level granted for a P-state that stands for `perf`: as it stands,
    /// but the fastest P-state (`command` 0) includes boost.
    pub fn grant_pstate(self, command: u8, perf: u8) -> u8 {
        if command == 0 {
            self.ceiling()
        } else {
            self.within(perf)
        }
    }

    fn within(self, perf: u8) -> u8 {
        perf.max(self.floor()).min(self.ceiling())
    }
}

/// The level on the line from `max` (epp 0) to `min` (epp 255).
fn autonomous(min: u8, max: u8, epp: u8) -> u8 {
    let span = u16::from(max.saturating_sub(min));
    let below = span * u16::from(epp) / u16::from(u8::MAX);
    max.saturating_sub(u8::try_from(below).unwrap_or(u8::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const DESKTOP: Limits = Limits {
        lowest: 12,
        nominal: 131,
        highest: 166,
        boost: true,
    };

    fn request(min: u8, des: u8, max: u8) -> Request {
        Request::new().with_min(min).with_des(des).with_max(max)
    }

    #[test]
    fn a_desired_level_within_the_limits_is_granted() {
        assert_eq!(DESKTOP.grant(request(12, 100, 166)), 100);
    }

    #[test]
    fn minimum_and_maximum_bound_the_desired_level() {
        assert_eq!(DESKTOP.grant(request(50, 20, 166)), 50);
        assert_eq!(DESKTOP.grant(request(12, 160, 140)), 140);
    }

    #[test]
    fn the_maximum_wins_over_a_minimum_above_it() {
        assert_eq!(DESKTOP.grant(request(140, 0, 60)), 60);
    }

    #[test]
    fn a_maximum_of_zero_is_no_maximum() {
        assert_eq!(DESKTOP.grant(request(0, 160, 0)), 160);
    }

    #[test]
    fn without_a_desired_level_the_preference_decides() {
        let request = request(20, 0, 120);
        assert_eq!(DESKTOP.grant(request.with_epp(0)), 120);
        assert_eq!(DESKTOP.grant(request.with_epp(255)), 20);
        assert_eq!(DESKTOP.grant(request.with_epp(128)), 70);
    }

    #[test]
    fn the_fastest_pstate_boosts_where_boost_is_on() {
        assert_eq!(DESKTOP.grant_pstate(0, 131), 166);
        assert_eq!(DESKTOP.grant_pstate(1, 90), 90);
        let no_boost = Limits {
            boost: false,
            ..DESKTOP
        };
        assert_eq!(no_boost.grant_pstate(0, 131), 131);
    }

    fn ordered() -> impl Strategy<Value = Limits> {
        (any::<[u8; 3]>(), any::<bool>()).prop_map(|(mut levels, boost)| {
            levels.sort_unstable();
            let [lowest, nominal, highest] = levels;
            Limits {
                lowest,
                nominal,
                highest,
                boost,
            }
        })
    }

    proptest! {
        #[test]
        fn a_grant_stays_within_the_core(limits in ordered(), bits: u64) {
            let granted = limits.grant(Request::from_bits(bits));
            prop_assert!((limits.lowest..=limits.highest).contains(&granted));
        }

        #[test]
        fn a_grant_stays_within_a_request_that_the_core_can_keep(
            limits in ordered(), ends: [prop::sample::Index; 2], des: u8, epp: u8,
        ) {
            prop_assume!(limits.floor() > 0);
            let span = usize::from(limits.ceiling() - limits.floor()) + 1;
            let mut ends = ends.map(|end| limits.floor() + u8::try_from(end.index(span)).unwrap());
            ends.sort_unstable();
            let [min, max] = ends;
            let granted = limits.grant(request(min, des, max).with_epp(epp));
            prop_assert!((min..=max).contains(&granted));
        }

        #[test]
        fn without_boost_nothing_is_above_nominal(limits in ordered(), bits: u64, perf: u8, command in 0u8..8) {
            let limits = Limits { boost: false, ..limits };
            prop_assert!(limits.grant(Request::from_bits(bits)) <= limits.nominal);
            prop_assert!(limits.grant_pstate(command, perf) <= limits.nominal);
        }

        #[test]
        fn more_desired_is_never_less_granted(limits in ordered(), bits: u64, des in 1u8..255) {
            let request = Request::from_bits(bits);
            let less = limits.grant(request.with_des(des));
            let more = limits.grant(request.with_des(des + 1));
            prop_assert!(less <= more);
        }

        #[test]
        fn capabilities_out_of_order_break_nothing(levels: [u8; 3], boost: bool, bits: u64) {
            let [lowest, nominal, highest] = levels;
            let limits = Limits { lowest, nominal, highest, boost };
            prop_assert!(limits.grant(Request::from_bits(bits)) <= limits.ceiling());
        }
    }
}
