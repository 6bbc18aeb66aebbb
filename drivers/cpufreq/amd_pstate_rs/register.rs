// SPDX-License-Identifier: GPL-2.0

//! The processor's CPPC registers as types.
//!
//! Field names are those of ACPI; the manuals' register names are given for each type. All of them
//! exist once for each logical CPU.
//!
//! Source: AMD Processor Programming References, section "MSRs", `MSRC001_02B0` and following;
//! `arch/x86/include/asm/msr-index.h`.

use kernel::{
    bindings,
    bitfield,
    num::Bounded,
    prelude::*, //
};

use crate::epp::Epp;
use crate::ext::msr::Register;
use crate::perf::Perf;

bitfield! {
    /// `CPPC_CAPABILITY_1`: what the CPU can do. Read only.
    pub(crate) struct Cap1(u64) {
        7:0 lowest => Perf;
        15:8 lowest_nonlinear => Perf;
        23:16 nominal => Perf;
        31:24 highest => Perf;
        39:32 floor_count;
    }
}

bitfield! {
    /// `CPPC_ENABLE`: whether requests are honoured.
    pub(crate) struct Enable(u64) {
        0:0 enabled => bool;
    }
}

bitfield! {
    /// `CPPC_REQUEST`: what the kernel asks of the CPU. A desired level of 0 leaves the choice
    /// between minimum and maximum to firmware; `epp` 0 prefers performance, 255 energy.
    pub(crate) struct Request(u64) {
        7:0 max => Perf;
        15:8 min => Perf;
        23:16 desired => Perf;
        31:24 epp => Epp;
    }
}

bitfield! {
    /// `CPPC_REQUEST2`: below which level firmware shall not go even where power is short, on
    /// processors that can tell CPUs apart by it (`X86_FEATURE_CPPC_PERF_PRIO`).
    pub(crate) struct Request2(u64) {
        7:0 floor => Perf;
    }
}

bitfield! {
    /// `HWCR`, hardware configuration: the bit with which firmware forbids boost.
    pub(crate) struct Hwcr(u64) {
        25:25 boost_disabled => bool;
    }
}

bitfield! {
    /// `PERF_CTL`: the P-state of the time before CPPC. 0 is the fastest.
    pub(crate) struct PerfCtl(u64) {
        2:0 pstate;
    }
}

bitfield! {
    /// `APERF`: clocks that the CPU made while it was not idle. Wraps.
    pub(crate) struct Aperf(u64) {
        63:0 clocks;
    }
}

bitfield! {
    /// `MPERF`: clocks that it would have made at the nominal frequency. Wraps.
    pub(crate) struct Mperf(u64) {
        63:0 clocks;
    }
}

impl From<Bounded<u64, 8>> for Perf {
    #[inline(always)]
    fn from(level: Bounded<u64, 8>) -> Self {
        // CAST: A value of 8 bits.
        Self::new(level.get() as u8)
    }
}

impl From<Perf> for Bounded<u64, 8> {
    #[inline(always)]
    fn from(level: Perf) -> Self {
        level.get().into()
    }
}

impl From<Bounded<u64, 8>> for Epp {
    #[inline(always)]
    fn from(value: Bounded<u64, 8>) -> Self {
        // CAST: A value of 8 bits.
        Self::new(value.get() as u8)
    }
}

impl From<Epp> for Bounded<u64, 8> {
    #[inline(always)]
    fn from(epp: Epp) -> Self {
        epp.get().into()
    }
}

impl Request {
    /// This request with other levels; whatever else the register holds stays.
    #[inline(always)]
    pub(crate) fn with_levels(self, min: Perf, desired: Perf, max: Perf, epp: Epp) -> Self {
        self.with_max(max)
            .with_min(min)
            .with_desired(desired)
            .with_epp(epp)
    }
}

impl Register for Cap1 {
    const NUMBER: u32 = bindings::MSR_AMD_CPPC_CAP1;
    const NAME: &'static CStr = c"CPPC_CAPABILITY_1";
}

impl Register for Enable {
    const NUMBER: u32 = bindings::MSR_AMD_CPPC_ENABLE;
    const NAME: &'static CStr = c"CPPC_ENABLE";
}

impl Register for Request {
    const NUMBER: u32 = bindings::MSR_AMD_CPPC_REQ;
    const NAME: &'static CStr = c"CPPC_REQUEST";
}

impl Register for Request2 {
    const NUMBER: u32 = bindings::MSR_AMD_CPPC_REQ2;
    const NAME: &'static CStr = c"CPPC_REQUEST2";
}

impl Register for Hwcr {
    const NUMBER: u32 = bindings::MSR_K7_HWCR;
    const NAME: &'static CStr = c"HWCR";
}

impl Register for PerfCtl {
    const NUMBER: u32 = bindings::MSR_AMD_PERF_CTL;
    const NAME: &'static CStr = c"PERF_CTL";
}

impl Register for Aperf {
    const NUMBER: u32 = bindings::MSR_IA32_APERF;
    const NAME: &'static CStr = c"APERF";
}

impl Register for Mperf {
    const NUMBER: u32 = bindings::MSR_IA32_MPERF;
    const NAME: &'static CStr = c"MPERF";
}
