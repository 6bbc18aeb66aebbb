// SPDX-License-Identifier: GPL-2.0
//! The description file, field by field.

use serde::Deserialize;

use crate::fault::FaultRule;
use crate::layout::{PstateDef, PstateDef1a, Request};

/// The whole file.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Description {
    /// The machine's name, that of the file without `.toml`.
    pub name: String,
    /// What the machine is, in a sentence.
    pub description: String,
    /// Fields that break a rule on purpose, since the machine is to be odd.
    #[serde(default)]
    pub deliberate: Vec<String>,
    /// The cores in the order of the CPU numbers; repeated or cut to fit.
    pub cores: Vec<Core>,
    pub processor: Processor,
    pub firmware: Firmware,
    pub clock: Clock,
    pub boost: Boost,
    pub capabilities: Capabilities,
    pub features: Features,
    pub initial: Initial,
    #[serde(default)]
    pub sleep: Sleep,
    #[serde(default)]
    pub faults: Vec<FaultRule>,
}

/// `[processor]`: who made it, as CPUID leaves 0 and 1 tell.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Processor {
    /// The vendor's twelve characters, such as `AuthenticAMD`.
    pub vendor: String,
    /// The family, extended family included: 0x19 is Zen 3 and 4.
    pub family: u32,
    /// The model, extended model included.
    pub model: u32,
    /// The stepping.
    pub stepping: u32,
}

impl Processor {
    /// The first family with the newer layout of the P-state registers.
    const NEWER_PSTATES: u32 = 0x1a;

    /// The unit in which the P-state registers tell a clock, in MHz.
    pub fn pstate_step_mhz(&self) -> u32 {
        if self.family < Self::NEWER_PSTATES {
            PstateDef::STEP_MHZ
        } else {
            PstateDef1a::STEP_MHZ
        }
    }

    /// The highest clock that the P-state registers can tell, in MHz.
    pub fn pstate_most_mhz(&self) -> u32 {
        if self.family < Self::NEWER_PSTATES {
            PstateDef::MOST_MHZ
        } else {
            PstateDef1a::MOST_MHZ
        }
    }

    /// The value of PSTATE_DEFn for a clock in MHz.
    pub fn pstate_definition(&self, mhz: u32) -> u64 {
        if self.family < Self::NEWER_PSTATES {
            PstateDef::at_mhz(mhz).into_bits()
        } else {
            PstateDef1a::at_mhz(mhz).into_bits()
        }
    }
}

/// `[firmware]`: what ACPI tells.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Firmware {
    /// Through what registers `_CPC` reaches the processor.
    pub backend: Backend,
    /// The kind of machine that the FADT names.
    #[serde(default)]
    pub pm_profile: PmProfile,
    /// Whether the CPUs have `_PSS`, `_PCT` and `_PPC`.
    #[serde(default = "yes")]
    pub pstates: bool,
    /// Whether ENABLE keeps its first 1 until the next reset.
    #[serde(default)]
    pub enable_write_once: bool,
}

/// The kinds of registers behind `_CPC`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Backend {
    /// FFixedHW: the processor's own registers.
    Msr,
}

/// The FADT's Preferred_PM_Profile (ACPI 5.2.9).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PmProfile {
    /// 0
    #[default]
    Unspecified,
    /// 1
    Desktop,
    /// 2
    Mobile,
    /// 3
    Workstation,
    /// 4
    EnterpriseServer,
    /// 5
    SohoServer,
    /// 6
    AppliancePc,
    /// 7
    PerformanceServer,
    /// 8
    Tablet,
}

impl PmProfile {
    /// The profile's number in the table.
    pub fn number(self) -> u8 {
        match self {
            Self::Unspecified => 0,
            Self::Desktop => 1,
            Self::Mobile => 2,
            Self::Workstation => 3,
            Self::EnterpriseServer => 4,
            Self::SohoServer => 5,
            Self::AppliancePc => 6,
            Self::PerformanceServer => 7,
            Self::Tablet => 8,
        }
    }
}

/// `[clock]`: the frequencies that `_CPC` tells.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// Clock at the nominal level, in MHz.
    pub nominal_mhz: u32,
    /// Clock at the lowest level, in MHz.
    pub lowest_mhz: u32,
}

/// `[boost]`: core performance boost.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Boost {
    /// Whether the processor has it.
    pub supported: bool,
    /// Whether firmware leaves it off (`HWCR[25]`).
    #[serde(default)]
    pub disabled_by_firmware: bool,
}

/// `[capabilities]`: performance levels, 1 to 255.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Capabilities {
    /// The highest level on the scale of nominal.
    pub highest: u8,
    /// The level without boost.
    pub nominal: u8,
    /// The level below which less speed saves no energy.
    pub lowest_nonlinear: u8,
    /// The lowest level.
    pub lowest: u8,
}

/// One entry of `cores`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Core {
    /// The highest level that CAP1 shows, its rank; without it,
    /// [`Capabilities::highest`].
    pub ranking: Option<u8>,
    /// Whether firmware gives the CPU a `_CPC` object.
    #[serde(default = "yes")]
    pub cpc: bool,
}

/// `[features]`: what CPUID tells. Boost stands in [`Boost`].
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Features {
    /// CPPC registers (`X86_FEATURE_CPPC`).
    pub cppc: bool,
    /// P-states in hardware (`X86_FEATURE_HW_PSTATE`).
    pub hw_pstate: bool,
    /// APERF and MPERF (`X86_FEATURE_APERFMPERF`).
    pub aperfmperf: bool,
    /// A time stamp counter of one rate (`X86_FEATURE_CONSTANT_TSC`).
    pub constant_tsc: bool,
    /// Faster transitions (`X86_FEATURE_AMD_FAST_CPPC`).
    #[serde(default)]
    pub fast_cppc: bool,
    /// Floor performance, REQ2 (`X86_FEATURE_CPPC_PERF_PRIO`).
    #[serde(default)]
    pub perf_prio: bool,
}

/// `[initial]`: what firmware leaves in the registers.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Initial {
    /// ENABLE.
    pub enable: bool,
    /// REQ.
    pub request: RequestDescription,
    /// The floor in REQ2.
    #[serde(default)]
    pub floor: u8,
}

/// The fields of REQ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequestDescription {
    /// Most, 0 for no limit.
    pub max: u8,
    /// Least.
    pub min: u8,
    /// Wanted, 0 for autonomous.
    pub des: u8,
    /// Preference, 0 performance to 255 energy.
    pub epp: u8,
}

impl From<RequestDescription> for Request {
    fn from(request: RequestDescription) -> Self {
        Self::new()
            .with_max(request.max)
            .with_min(request.min)
            .with_des(request.des)
            .with_epp(request.epp)
    }
}

/// `[sleep]`: what a sleep (S3) does.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sleep {
    /// Whether the registers hold what firmware leaves in them afterwards.
    pub forgets: bool,
}

impl Default for Sleep {
    fn default() -> Self {
        Self { forgets: true }
    }
}

fn yes() -> bool {
    true
}
