// SPDX-License-Identifier: GPL-2.0
//! What `frequency-info` shows.

use crate::cli::SectionFlags;

/// One of the output options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// `--debug`, the default.
    All,
    /// `--boost`.
    Boost,
    /// `--freq`.
    KernelFrequency,
    /// `--hwfreq`.
    HardwareFrequency,
    /// `--hwlimits`.
    HardwareLimits,
    /// `--driver`.
    Driver,
    /// `--policy`.
    Policy,
    /// `--governors`.
    Governors,
    /// `--related-cpus`.
    RelatedCpus,
    /// `--affected-cpus`.
    AffectedCpus,
    /// `--stats`.
    Stats,
    /// `--latency`.
    Latency,
    /// `--proc`.
    Proc,
    /// `--performance`.
    Performance,
    /// `--epp`.
    Epp,
}

impl From<&SectionFlags> for Section {
    fn from(flags: &SectionFlags) -> Self {
        [
            (flags.boost, Self::Boost),
            (flags.freq, Self::KernelFrequency),
            (flags.hwfreq, Self::HardwareFrequency),
            (flags.hwlimits, Self::HardwareLimits),
            (flags.driver, Self::Driver),
            (flags.policy, Self::Policy),
            (flags.governors, Self::Governors),
            (flags.related_cpus, Self::RelatedCpus),
            (flags.affected_cpus, Self::AffectedCpus),
            (flags.stats, Self::Stats),
            (flags.latency, Self::Latency),
            (flags.proc, Self::Proc),
            (flags.performance, Self::Performance),
            (flags.epp, Self::Epp),
        ]
        .into_iter()
        .find_map(|(chosen, section)| chosen.then_some(section))
        .unwrap_or(Self::All)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_an_option_everything_is_shown() {
        assert_eq!(Section::from(&SectionFlags::default()), Section::All);
        assert_eq!(
            Section::from(&SectionFlags {
                debug: true,
                ..SectionFlags::default()
            }),
            Section::All
        );
        assert_eq!(
            Section::from(&SectionFlags {
                epp: true,
                ..SectionFlags::default()
            }),
            Section::Epp
        );
    }
}
