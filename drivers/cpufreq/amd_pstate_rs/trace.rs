// SPDX-License-Identifier: GPL-2.0

//! What the driver tells those who trace it: the C driver's three events.
//!
//! See `include/trace/events/amd_pstate_rs.h` for the fields.

use kernel::{
    cpu::CpuId,
    prelude::*, //
};

use crate::ext::{
    trace::{
        amd_pstate_cppc_req2,
        amd_pstate_epp_perf,
        amd_pstate_perf, //
    },
    tsc,
    volatile::Volatile,
};
use crate::perf::Perf;
use crate::register::{Aperf, Mperf, Request};

/// Whether anyone listens to requests.
#[inline(always)]
pub(crate) fn is_enabled() -> bool {
    amd_pstate_perf::is_enabled() || amd_pstate_epp_perf::is_enabled()
}

/// The counters of a CPU when they were last told of.
pub(crate) struct Sample {
    aperf: Volatile<u64>,
    mperf: Volatile<u64>,
    tsc: Volatile<u64>,
}

impl Sample {
    pub(crate) const fn new() -> Self {
        Self {
            aperf: Volatile::new(0),
            mperf: Volatile::new(0),
            tsc: Volatile::new(0),
        }
    }

    /// Tells of a governor's choice, and of the frequency since the last one: the share of clocks
    /// that the CPU really made, of those that it makes at its nominal frequency.
    ///
    /// Tells nothing if no time has passed, or if the counters cannot be read.
    #[cold]
    pub(crate) fn tell_choice(&self, cpu: CpuId, request: Request, fast_switch: bool) {
        if !amd_pstate_perf::is_enabled() {
            return;
        }
        let Ok((aperf, mperf, tsc)) = Self::counters() else {
            return;
        };
        let (last_mperf, last_tsc) = (self.mperf.get(), self.tsc.get());
        if mperf == last_mperf || tsc == last_tsc {
            return;
        }
        let aperf_delta = aperf.wrapping_sub(self.aperf.get());
        let mperf_delta = mperf.wrapping_sub(last_mperf);
        self.aperf.set(aperf);
        self.mperf.set(mperf);
        self.tsc.set(tsc);

        let khz = aperf_delta
            .wrapping_mul(u64::from(tsc::khz()))
            .checked_div(mperf_delta);
        amd_pstate_perf::emit(
            request.min().get(),
            request.desired().get(),
            request.max().get(),
            khz.unwrap_or(0),
            mperf_delta,
            aperf_delta,
            tsc.wrapping_sub(last_tsc),
            cpu.as_u32(),
            fast_switch,
        );
    }

    /// The counters of the CPU that runs this, all of one moment.
    fn counters() -> Result<(u64, u64, u64)> {
        use crate::ext::msr::Register;

        let _interrupts_off = kernel::interrupt::local_interrupt_disable();
        let aperf = Aperf::read_here()?;
        let mperf = Mperf::read_here()?;
        Ok((aperf.into(), mperf.into(), tsc::now()))
    }
}

/// Tells of a request.
#[cold]
pub(crate) fn tell_request(
    cpu: CpuId,
    highest: Perf,
    request: Request,
    boost: bool,
    changed: bool,
) {
    if amd_pstate_epp_perf::is_enabled() {
        amd_pstate_epp_perf::emit(
            cpu.as_u32(),
            highest.get(),
            request.epp().get(),
            request.min().get(),
            request.max().get(),
            boost,
            changed,
        );
    }
}

/// Tells of a floor.
pub(crate) fn tell_floor(cpu: CpuId, floor: Perf, changed: bool, result: Result) {
    if amd_pstate_cppc_req2::is_enabled() {
        let error = result.map_or_else(|error| error.to_errno(), |()| 0);
        let changed = changed && result.is_ok();
        amd_pstate_cppc_req2::emit(cpu.as_u32(), floor.get(), changed, error);
    }
}
