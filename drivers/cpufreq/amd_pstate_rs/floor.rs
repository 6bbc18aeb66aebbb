// SPDX-License-Identifier: GPL-2.0

//! The floor: a level below which firmware does not take a CPU even where power is short.
//!
//! Processors that have it (`X86_FEATURE_CPPC_PERF_PRIO`) give the CPUs with the higher floor the
//! power that the others do without.

use kernel::{
    cpu::CpuId,
    prelude::*, //
};

use crate::capabilities::Capabilities;
use crate::ext::{
    msr::Register,
    volatile::Volatile, //
};
use crate::perf::{Khz, Perf};
use crate::register::{Cap1, Request2};
use crate::trace;

/// The floor of one CPU.
pub(crate) struct Floor {
    cpu: CpuId,
    /// What the register held at first.
    found: Request2,
    /// What it holds now, as a raw [`Request2`].
    request: Volatile<u64>,
    /// Its frequency, in kHz.
    freq: Volatile<u32>,
    /// Whether a user chose it, 1 or 0.
    chosen: Volatile<u32>,
    /// How many floors firmware can tell apart.
    count: u32,
}

impl Floor {
    /// Finds the floor of `cpu` and, where firmware has none that makes sense, sets it to the
    /// nominal level. May sleep.
    pub(crate) fn new(cpu: CpuId, caps: &Capabilities) -> Result<Self> {
        let found = Request2::read_on(cpu)?;
        let count = Cap1::read_on(cpu)?.floor_count().get();
        let level = if found.floor() < caps.levels.lowest {
            caps.levels.nominal
        } else {
            found.floor()
        };
        let floor = Self {
            cpu,
            found,
            request: Volatile::new(found.into_raw()),
            freq: Volatile::new(caps.scale.freq(level).get()),
            chosen: Volatile::new(0),
            count: u32::try_from(count).unwrap_or(u32::MAX),
        };
        floor.send(level)?;
        Ok(floor)
    }

    /// The floor's frequency: the one that a user chose, or that of the firmware's floor.
    pub(crate) fn freq(&self) -> Khz {
        Khz::new(self.freq.get())
    }

    /// The frequency that a user chose, if one did.
    pub(crate) fn chosen(&self) -> Option<Khz> {
        (self.chosen.get() != 0).then(|| self.freq())
    }

    /// How many floors firmware can tell apart.
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    /// Sets the floor to `freq`. May sleep.
    pub(crate) fn set(&self, caps: &Capabilities, freq: Khz) -> Result {
        self.send(caps.scale.perf(freq))?;
        self.freq.set(freq.get());
        self.chosen.set(1);
        Ok(())
    }

    /// Sets the floor again after the CPU was without power. May sleep.
    pub(crate) fn wake(&self, caps: &Capabilities) -> Result {
        self.request.set(Request2::read_on(self.cpu)?.into_raw());
        self.send(caps.scale.perf(self.freq()))
    }

    /// Puts back what was found. May sleep.
    pub(crate) fn give_back(&self) -> Result {
        self.put(self.found)
    }

    fn send(&self, level: Perf) -> Result {
        self.put(Request2::from_raw(self.request.get()).with_floor(level))
    }

    fn put(&self, request: Request2) -> Result {
        let changed = request.into_raw() != self.request.get();
        let result = if changed {
            request.write_on(self.cpu)
        } else {
            Ok(())
        };
        trace::tell_floor(self.cpu, request.floor(), changed, result);
        result?;
        self.request.set(request.into_raw());
        Ok(())
    }
}

impl Drop for Floor {
    fn drop(&mut self) {
        match self.give_back() {
            Ok(()) => (),
            // An offline CPU was given back when it went.
            Err(error) if error == ENXIO => (),
            Err(error) => pr_warn!(
                "cpu{}: cannot put back the floor as it was found ({})\n",
                self.cpu.as_u32(),
                error.to_errno()
            ),
        }
    }
}
