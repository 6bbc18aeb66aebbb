// SPDX-License-Identifier: GPL-2.0

//! The driver's files in a policy's folder, `/sys/devices/system/cpu/cpufreq/policy*/`.
//!
//! Names, formats and units are the C driver's: tools read them.

use core::fmt::Write;

use kernel::{
    fmt,
    prelude::*, //
};

use crate::active::HasPreference;
use crate::cpudata::HasCpu;
use crate::epp::Preference;
use crate::ext::{
    cpufreq::{
        Attribute,
        Driver,
        FreqAttr,
        Policy,
        WritableAttribute, //
    },
    sysfs::Page,
};
use crate::floor::Floor;
use crate::machine::Machine;
use crate::perf::Khz;
use crate::text;

/// `enabled` or `disabled`, as sysfs says it.
pub(crate) fn enabled_disabled(enabled: bool) -> &'static str {
    if enabled {
        "enabled"
    } else {
        "disabled"
    }
}

/// `amd_pstate_max_freq`: the highest frequency that the CPU can reach, in kHz, whether or not boost
/// is on at the moment.
struct MaxFreq;

/// `amd_pstate_lowest_nonlinear_freq`: the frequency in kHz below which slower saves no energy.
struct LowestNonlinearFreq;

/// `amd_pstate_highest_perf`: the highest level that the CPU can reach.
struct HighestPerf;

/// `amd_pstate_prefcore_ranking`: the CPU's rank; higher is better.
struct PrefcoreRanking;

/// `amd_pstate_hw_prefcore`: whether the processor ranks its cores, `enabled` or `disabled`.
struct HwPrefcore;

/// `amd_pstate_floor_count`: how many floors firmware can tell apart.
struct FloorCount;

/// `amd_pstate_floor_freq`: the frequency in kHz below which firmware shall not take the CPU; from
/// the lowest frequency to the policy's maximum.
struct FloorFreq;

/// `energy_performance_available_preferences`: the words that the next file takes.
struct AvailablePreferences;

/// `energy_performance_preference`: a word or a number from 0 (performance) to 255 (energy).
struct EnergyPerformancePreference;

macro_rules! attributes {
    ($($type:ident: $name:literal = |$data:ident| $value:expr;)*) => {$(
        impl<D: Driver<Data: HasCpu>> Attribute<D> for $type {
            const NAME: &'static CStr = $name;

            fn show(_: Policy<'_>, data: &D::Data, page: &mut Page<'_>) -> fmt::Result {
                let $data = data.cpu_data();
                writeln!(page, "{}", $value)
            }
        }
    )*}
}

attributes! {
    MaxFreq: c"amd_pstate_max_freq" = |data| data.max_freq().get();
    LowestNonlinearFreq: c"amd_pstate_lowest_nonlinear_freq" =
        |data| data.caps.lowest_nonlinear_freq.get();
    HighestPerf: c"amd_pstate_highest_perf" = |data| data.max_perf().get();
    PrefcoreRanking: c"amd_pstate_prefcore_ranking" = |data| data.ranking();
    HwPrefcore: c"amd_pstate_hw_prefcore" = |data| enabled_disabled(data.machine.prefcore);
    FloorCount: c"amd_pstate_floor_count" = |data| data.floor().map_or(0, Floor::count);
    FloorFreq: c"amd_pstate_floor_freq" = |data| data.floor().map_or(0, |floor| floor.freq().get());
}

impl<D: Driver<Data: HasCpu>> WritableAttribute<D> for FloorFreq {
    fn store(policy: Policy<'_>, data: &D::Data, written: &[u8]) -> Result {
        let data = data.cpu_data();
        let floor = data.floor().ok_or(ENODEV)?;
        let khz = text::number(text::word(written)).ok_or(EINVAL)?;
        if khz < policy.cpuinfo_min() || khz > policy.max() {
            return Err(EINVAL);
        }
        floor.set(&data.caps, Khz::new(khz))
    }
}

impl<D: Driver<Data: HasPreference>> Attribute<D> for AvailablePreferences {
    const NAME: &'static CStr = c"energy_performance_available_preferences";

    fn show(_: Policy<'_>, _: &D::Data, page: &mut Page<'_>) -> fmt::Result {
        writeln!(page, "{}", Preference::WORDS)
    }
}

impl<D: Driver<Data: HasPreference>> Attribute<D> for EnergyPerformancePreference {
    const NAME: &'static CStr = c"energy_performance_preference";

    fn show(_: Policy<'_>, data: &D::Data, page: &mut Page<'_>) -> fmt::Result {
        writeln!(page, "{}", data.preference())
    }
}

impl<D: Driver<Data: HasPreference>> WritableAttribute<D> for EnergyPerformancePreference {
    fn store(_: Policy<'_>, data: &D::Data, written: &[u8]) -> Result {
        let firmware = data.cpu_data().firmware_epp();
        data.set_preference(Preference::parse(written, firmware).ok_or(EINVAL)?)
    }
}

/// The files that driver `D` has on this machine: those of the ranking and of the floor only where
/// there are such things.
pub(crate) fn list<D: Driver<Data: HasCpu>>(machine: &Machine) -> Result<KVec<FreqAttr>> {
    let mut list = KVec::new();
    list.push(FreqAttr::new::<D, MaxFreq>(), GFP_KERNEL)?;
    list.push(FreqAttr::new::<D, LowestNonlinearFreq>(), GFP_KERNEL)?;
    list.push(FreqAttr::new::<D, HighestPerf>(), GFP_KERNEL)?;
    if machine.prefcore {
        list.push(FreqAttr::new::<D, PrefcoreRanking>(), GFP_KERNEL)?;
        list.push(FreqAttr::new::<D, HwPrefcore>(), GFP_KERNEL)?;
    }
    if machine.floor {
        list.push(FreqAttr::writable::<D, FloorFreq>(), GFP_KERNEL)?;
        list.push(FreqAttr::new::<D, FloorCount>(), GFP_KERNEL)?;
    }
    Ok(list)
}

/// The same, with those of the energy preference.
pub(crate) fn list_with_preference<D: Driver<Data: HasPreference>>(
    machine: &Machine,
) -> Result<KVec<FreqAttr>> {
    let mut list = list::<D>(machine)?;
    list.push(
        FreqAttr::writable::<D, EnergyPerformancePreference>(),
        GFP_KERNEL,
    )?;
    list.push(FreqAttr::new::<D, AvailablePreferences>(), GFP_KERNEL)?;
    Ok(list)
}
