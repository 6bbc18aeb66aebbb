// SPDX-License-Identifier: GPL-2.0

//! Requests by registers: the "full MSR" solution of Zen 3 (some), Zen 4 and later.

use kernel::{
    cpu::CpuId,
    prelude::*, //
};

use super::Backend;
use crate::capabilities::Levels;
use crate::ext::{
    cppc,
    msr::Register, //
};
use crate::perf::Perf;
use crate::register::{Cap1, Enable, PerfCtl, Request};

/// The MSR backend.
pub(crate) struct Msr;

/// What stood in the registers that the driver writes.
pub(crate) struct Found {
    enable: Enable,
    request: Request,
    perf_ctl: PerfCtl,
}

impl Backend for Msr {
    const FAST_SWITCH: bool = true;

    type Found = Found;

    fn levels(cpu: CpuId) -> Result<Levels> {
        let cap1 = Cap1::read_on(cpu)?;
        let numerator = cppc::boost_numerator(cpu)?;

        Ok(Levels {
            firmware_highest: cap1.highest(),
            highest: Perf::new(u8::try_from(numerator).unwrap_or(u8::MAX)),
            nominal: cap1.nominal(),
            lowest_nonlinear: cap1.lowest_nonlinear(),
            lowest: cap1.lowest(),
        })
    }

    fn take_over(cpu: CpuId) -> Result<Found> {
        let found = Found {
            enable: Enable::read_on(cpu)?,
            request: Request::read_on(cpu)?,
            perf_ctl: PerfCtl::read_on(cpu)?,
        };

        if let Err(error) = Self::enable(cpu) {
            // The first failure is what the caller wants to know.
            let _ = Self::give_back(cpu, &found);
            return Err(error);
        }
        Ok(found)
    }

    fn enable(cpu: CpuId) -> Result {
        // A P-state that acpi-cpufreq or firmware left behind would bound what requests can reach;
        // P0 bounds nothing.
        restore(cpu, PerfCtl::zeroed())?;
        let enable = Enable::read_on(cpu)?;
        put(cpu, enable, enable.with_enabled(true))
    }

    fn give_back(cpu: CpuId, found: &Found) -> Result {
        // The reverse order of `take_over`. Some processors keep ENABLE set until they are reset;
        // they ignore the write.
        let results = [
            restore(cpu, found.request),
            restore(cpu, found.enable),
            restore(cpu, found.perf_ctl),
        ];
        results.into_iter().find(Result::is_err).unwrap_or(Ok(()))
    }

    fn found_request(found: &Found) -> Request {
        found.request
    }

    fn request(cpu: CpuId) -> Result<Request> {
        Request::read_on(cpu)
    }

    fn send(cpu: CpuId, request: Request) -> Result {
        request.write_on(cpu)
    }

    #[inline(always)]
    fn send_here(request: Request) -> Result {
        request.write_here()
    }
}

/// Writes `value` over `old`, unless that is what the register holds.
fn put<R: Register + PartialEq>(cpu: CpuId, old: R, value: R) -> Result {
    if old == value {
        return Ok(());
    }
    value.write_on(cpu)
}

/// Writes `value` unless the register holds it already.
fn restore<R: Register + PartialEq>(cpu: CpuId, value: R) -> Result {
    put(cpu, R::read_on(cpu)?, value)
}
