// SPDX-License-Identifier: GPL-2.0
//! The scenarios: what is done in a guest, and what must come of it.

mod attributes;
mod bench_bounds;
mod bind;
mod boost;
mod cpupower;
mod epp;
mod expected;
mod faults;
mod floor;
mod governors;
mod modes;
mod notices;
mod refusals;
mod rounds;
mod schedutil;
mod sleep;
mod trace;
mod unload;
mod walk;

use std::time::Duration;

use anyhow::anyhow;

use crate::boot::Boot;
use crate::machine::Machine;

/// One scenario.
#[derive(Clone, Copy)]
pub struct Scenario {
    /// Its name, unique among all.
    pub name: &'static str,
    /// What holds when it passes, in one line.
    pub about: &'static str,
    /// The machine that it needs.
    pub boot: Boot<'static>,
    /// Whether it may run on a machine on which others have run, and leave it to others. It then
    /// has to leave the driver unloaded, which is how it finds it.
    pub shared: bool,
    /// How long it may take, the boot aside.
    pub bound: Duration,
    /// Whether it can be run with the reference driver as well.
    pub with_reference: bool,
    /// Does it.
    pub run: fn(&mut Machine) -> anyhow::Result<()>,
}

impl Scenario {
    /// One that shares its machine, ends within a minute, and does nothing yet.
    const fn new(name: &'static str, boot: Boot<'static>) -> Self {
        Self {
            name,
            about: "",
            boot,
            shared: true,
            bound: Duration::from_secs(60),
            with_reference: false,
            run: |_| Err(anyhow!("this scenario does nothing")),
        }
    }
}

/// The machine of most scenarios: a desktop part with preferred cores, the C driver off for good.
const C_DRIVER_OFF: Boot<'static> = Boot {
    platform: "zen4-desktop",
    cpus: 2,
    kernel_args: "amd_pstate=disable",
    counting: false,
};

/// The same with the C driver on, so that it can be switched off and on again.
const C_DRIVER_ON: Boot<'static> = Boot {
    kernel_args: "amd_pstate=passive",
    ..C_DRIVER_OFF
};

/// All scenarios, in the order in which they run.
pub fn all() -> impl Iterator<Item = &'static Scenario> {
    let all = [
        bind::SCENARIOS,
        schedutil::SCENARIOS,
        governors::SCENARIOS,
        attributes::SCENARIOS,
        cpupower::SCENARIOS,
        modes::SCENARIOS,
        epp::SCENARIOS,
        boost::SCENARIOS,
        floor::SCENARIOS,
        trace::SCENARIOS,
        notices::SCENARIOS,
        faults::SCENARIOS,
        sleep::SCENARIOS,
        refusals::SCENARIOS,
        unload::SCENARIOS,
        walk::SCENARIOS,
        rounds::SCENARIOS,
        bench_bounds::SCENARIOS,
    ];
    all.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique_and_fit_for_a_folder() {
        let mut names = BTreeSet::new();
        for scenario in all() {
            assert!(names.insert(scenario.name), "{} twice", scenario.name);
            let fit = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(scenario.name.chars().all(fit), "{}", scenario.name);
        }
        assert!(!names.is_empty());
    }

    #[test]
    fn every_scenario_is_bounded() {
        for scenario in all() {
            assert!(
                scenario.bound <= Duration::from_secs(300),
                "{}",
                scenario.name
            );
            assert!(!scenario.about.is_empty(), "{}", scenario.name);
        }
    }
}
