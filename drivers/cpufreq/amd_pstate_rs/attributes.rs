// SPDX-License-Identifier: GPL-2.0

//! The driver's files in a policy's folder, `/sys/devices/system/cpu/cpufreq/policy*/`.
//!
//! Names, formats and units are the C driver's: tools read them.

use core::fmt::Write;

use kernel::{
    fmt,
    prelude::*, //
};

use crate::cpudata::CpuData;
use crate::ext::{
    cpufreq::{
        Attribute,
        Driver,
        FreqAttr,
        Policy, //
    },
    sysfs::Page,
};
use crate::hal::Backend;
use crate::prefcore;

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

macro_rules! attributes {
    ($($type:ident: $name:literal = |$data:ident| $($value:expr),+;)*) => {$(
        impl<B: Backend, D: Driver<Data = CpuData<B>>> Attribute<D> for $type {
            const NAME: &'static CStr = $name;

            fn show(_: Policy<'_>, $data: &CpuData<B>, page: &mut Page<'_>) -> fmt::Result {
                writeln!(page, "{}", $($value),+)
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
    HwPrefcore: c"amd_pstate_hw_prefcore" = |_data| enabled_disabled(prefcore::is_enabled());
}

/// The files of driver `D` that this machine has: the two of the ranking only where it is used.
pub(crate) fn list<B: Backend, D: Driver<Data = CpuData<B>>>() -> Result<KVec<FreqAttr>> {
    let mut list = KVec::new();
    list.push(FreqAttr::new::<D, MaxFreq>(), GFP_KERNEL)?;
    list.push(FreqAttr::new::<D, LowestNonlinearFreq>(), GFP_KERNEL)?;
    list.push(FreqAttr::new::<D, HighestPerf>(), GFP_KERNEL)?;
    if prefcore::is_enabled() {
        list.push(FreqAttr::new::<D, PrefcoreRanking>(), GFP_KERNEL)?;
        list.push(FreqAttr::new::<D, HwPrefcore>(), GFP_KERNEL)?;
    }
    Ok(list)
}
