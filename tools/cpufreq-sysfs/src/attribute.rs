// SPDX-License-Identifier: GPL-2.0
//! The files of one CPU, each with its type.
//!
//! Sources: `Documentation/admin-guide/pm/cpufreq.rst`, `amd-pstate.rst` and
//! `Documentation/ABI/testing/sysfs-devices-system-cpu` of the kernel.

use std::marker::PhantomData;

use crate::cpu_list::{CpuId, SpacedCpus};
use crate::driver::DriverName;
use crate::epp::{Epp, EppList};
use crate::frequency::{FrequencyList, KiloHertz, MegaHertz, TransitionLatency};
use crate::governor::{Governor, GovernorList};
use crate::number::Count;
use crate::perf::{Perf, Ranking};
use crate::stats::TimeInState;
use crate::switch::Switch;

/// Directory of a CPU that a file stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Directory {
    /// `cpufreq/`: a link to the policy that the CPU belongs to; there only with a driver.
    Policy,
    /// `acpi_cppc/`: made by the CPPC library from `_CPC`, whatever the driver.
    Cppc,
}

impl Directory {
    /// Name below `cpuN/`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Policy => "cpufreq",
            Self::Cppc => "acpi_cppc",
        }
    }
}

/// A file of one CPU that holds a `T`.
#[derive(Debug)]
pub struct Attribute<T> {
    directory: Directory,
    file: &'static str,
    value: PhantomData<fn() -> T>,
}

impl<T> Attribute<T> {
    const fn policy(file: &'static str) -> Self {
        Self {
            directory: Directory::Policy,
            file,
            value: PhantomData,
        }
    }

    const fn cppc(file: &'static str) -> Self {
        Self {
            directory: Directory::Cppc,
            file,
            value: PhantomData,
        }
    }

    /// Name of the file.
    pub fn file(&self) -> &'static str {
        self.file
    }

    /// Path below the root.
    pub(crate) fn relative_path(&self, cpu: CpuId) -> String {
        format!(
            "sys/devices/system/cpu/cpu{cpu}/{}/{}",
            self.directory.name(),
            self.file
        )
    }
}

/// Name of the driver; read-only.
pub const SCALING_DRIVER: Attribute<DriverName> = Attribute::policy("scaling_driver");
/// CPUs, online or not, that share a clock; read-only.
pub const RELATED_CPUS: Attribute<SpacedCpus> = Attribute::policy("related_cpus");
/// Online CPUs that this policy steers together; read-only.
pub const AFFECTED_CPUS: Attribute<SpacedCpus> = Attribute::policy("affected_cpus");
/// Longest time of a change, ns; read-only.
pub const CPUINFO_TRANSITION_LATENCY: Attribute<TransitionLatency> =
    Attribute::policy("cpuinfo_transition_latency");
/// Frequency as the hardware says, kHz; only with a driver that can ask, and only for root.
pub const CPUINFO_CUR_FREQ: Attribute<KiloHertz> = Attribute::policy("cpuinfo_cur_freq");
/// Lowest frequency of the hardware, kHz; read-only.
pub const CPUINFO_MIN_FREQ: Attribute<KiloHertz> = Attribute::policy("cpuinfo_min_freq");
/// Highest frequency that can be asked for now, kHz; falls to nominal when boost is off; read-only.
pub const CPUINFO_MAX_FREQ: Attribute<KiloHertz> = Attribute::policy("cpuinfo_max_freq");
/// Frequency that was last asked for or measured, kHz; read-only.
pub const SCALING_CUR_FREQ: Attribute<KiloHertz> = Attribute::policy("scaling_cur_freq");
/// Lower limit of requests, kHz; read and write.
pub const SCALING_MIN_FREQ: Attribute<KiloHertz> = Attribute::policy("scaling_min_freq");
/// Upper limit of requests, kHz; read and write.
pub const SCALING_MAX_FREQ: Attribute<KiloHertz> = Attribute::policy("scaling_max_freq");
/// Governor in charge; read and write.
pub const SCALING_GOVERNOR: Attribute<Governor> = Attribute::policy("scaling_governor");
/// Governors that can be chosen; read-only.
pub const SCALING_AVAILABLE_GOVERNORS: Attribute<GovernorList> =
    Attribute::policy("scaling_available_governors");
/// Steps of a driver with a table, kHz; absent with amd-pstate; read-only.
pub const SCALING_AVAILABLE_FREQUENCIES: Attribute<FrequencyList> =
    Attribute::policy("scaling_available_frequencies");
/// Steps above nominal of a driver with a table, kHz; read-only.
pub const SCALING_BOOST_FREQUENCIES: Attribute<FrequencyList> =
    Attribute::policy("scaling_boost_frequencies");
/// Whether this policy may boost; read and write.
pub const BOOST: Attribute<Switch> = Attribute::policy("boost");
/// Time at each frequency; only with a table; read-only.
pub const TIME_IN_STATE: Attribute<TimeInState> = Attribute::policy("stats/time_in_state");
/// Number of changes of frequency; read-only.
pub const TOTAL_TRANS: Attribute<Count> = Attribute::policy("stats/total_trans");
/// Preference between energy and performance; read and write; active mode only.
pub const ENERGY_PERFORMANCE_PREFERENCE: Attribute<Epp> =
    Attribute::policy("energy_performance_preference");
/// Preferences that are listed; read-only; active mode only.
pub const ENERGY_PERFORMANCE_AVAILABLE_PREFERENCES: Attribute<EppList> =
    Attribute::policy("energy_performance_available_preferences");

/// Highest frequency with boost, kHz; amd-pstate, read-only.
pub const AMD_PSTATE_MAX_FREQ: Attribute<KiloHertz> = Attribute::policy("amd_pstate_max_freq");
/// Frequency of the lowest_nonlinear perf, kHz; amd-pstate, read-only.
pub const AMD_PSTATE_LOWEST_NONLINEAR_FREQ: Attribute<KiloHertz> =
    Attribute::policy("amd_pstate_lowest_nonlinear_freq");
/// Highest perf as the driver uses it; amd-pstate, read-only.
pub const AMD_PSTATE_HIGHEST_PERF: Attribute<Perf> = Attribute::policy("amd_pstate_highest_perf");
/// Rank among the preferred cores; amd-pstate, read-only.
pub const AMD_PSTATE_PREFCORE_RANKING: Attribute<Ranking> =
    Attribute::policy("amd_pstate_prefcore_ranking");
/// Whether the processor ranks its cores; amd-pstate, read-only.
pub const AMD_PSTATE_HW_PREFCORE: Attribute<Switch> = Attribute::policy("amd_pstate_hw_prefcore");

/// Highest perf of `_CPC`; read-only.
pub const HIGHEST_PERF: Attribute<Perf> = Attribute::cppc("highest_perf");
/// Nominal perf of `_CPC`; read-only.
pub const NOMINAL_PERF: Attribute<Perf> = Attribute::cppc("nominal_perf");
/// Lowest nonlinear perf of `_CPC`; read-only.
pub const LOWEST_NONLINEAR_PERF: Attribute<Perf> = Attribute::cppc("lowest_nonlinear_perf");
/// Lowest perf of `_CPC`; read-only.
pub const LOWEST_PERF: Attribute<Perf> = Attribute::cppc("lowest_perf");
/// Nominal frequency of `_CPC`, MHz; read-only.
pub const NOMINAL_FREQ: Attribute<MegaHertz> = Attribute::cppc("nominal_freq");
/// Lowest frequency of `_CPC`, MHz; read-only.
pub const LOWEST_FREQ: Attribute<MegaHertz> = Attribute::cppc("lowest_freq");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_stand_where_the_kernel_puts_them() {
        assert_eq!(
            SCALING_DRIVER.relative_path(CpuId::BOOT),
            "sys/devices/system/cpu/cpu0/cpufreq/scaling_driver"
        );
        assert_eq!(
            NOMINAL_PERF.relative_path(CpuId::BOOT),
            "sys/devices/system/cpu/cpu0/acpi_cppc/nominal_perf"
        );
        assert_eq!(TOTAL_TRANS.file(), "stats/total_trans");
    }
}
