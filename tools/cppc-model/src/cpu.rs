// SPDX-License-Identifier: GPL-2.0
//! One core: its registers, what it grants, how its counters run.

use crate::clock::{Counters, Rates};
use crate::grant::Limits;
use crate::layout::{
    Cap1, Enable, Hwcr, PerfCtl, PerfStatus, PstateLimit, Request, Request2, Status,
};
use crate::machine::{Answer, Change};
use crate::platform::{CpuDescription, Platform, Pstate};
use crate::register::{Register, PSTATE_DEFS};

/// The registers that software can change, and a reset restores.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Registers {
    enable: Enable,
    request: Request,
    request2: Request2,
    status: Status,
    hwcr: Hwcr,
    perf_ctl: PerfCtl,
    /// Not looked at, so bits are enough.
    pstate_defs: [u64; PSTATE_DEFS as usize],
}

impl Registers {
    fn new(platform: &Platform) -> Self {
        let initial = platform.initial();
        let boost = platform.boost();
        let mut pstate_defs = [0; PSTATE_DEFS as usize];
        for (definition, pstate) in pstate_defs.iter_mut().zip(platform.pstates()) {
            *definition = platform.processor().pstate_definition(pstate.mhz);
        }
        Self {
            enable: Enable::new().with_enabled(initial.enable),
            request: initial.request.into(),
            request2: Request2::new().with_floor(initial.floor),
            status: Status::new(),
            hwcr: Hwcr::new()
                .with_tsc_at_p0(true)
                .with_boost_disabled(boost.disabled_by_firmware),
            perf_ctl: PerfCtl::new(),
            pstate_defs,
        }
    }
}

/// A core of a described machine.
#[derive(Clone, Debug)]
pub struct Cpu {
    description: CpuDescription,
    /// Which registers there are, and what writes to them do.
    has_cppc: bool,
    has_pstates: bool,
    has_counters: bool,
    has_floor: bool,
    can_boost: bool,
    enable_write_once: bool,
    nominal_mhz: u32,
    pstates: [Pstate; 3],
    at_reset: Registers,
    registers: Registers,
    counters: Counters,
}

impl Cpu {
    /// The core as it is after power-on. It idles until
    /// [`resume`](Self::resume).
    pub fn new(platform: &Platform, description: &CpuDescription) -> Self {
        let registers = Registers::new(platform);
        let features = platform.features();
        Self {
            description: *description,
            has_cppc: features.cppc,
            has_pstates: features.hw_pstate,
            has_counters: features.aperfmperf,
            has_floor: features.cppc && features.perf_prio,
            can_boost: platform.boost().supported,
            enable_write_once: platform.firmware().enable_write_once,
            nominal_mhz: platform.nominal_mhz(),
            pstates: platform.pstates(),
            at_reset: registers.clone(),
            registers,
            counters: Counters::default(),
        }
    }

    /// The performance level that the core runs at while it runs.
    pub fn granted(&self) -> u8 {
        let limits = self.limits();
        if self.has_cppc && self.registers.enable.enabled() {
            return limits.grant(self.registers.request);
        }
        let (command, pstate) = self.pstate();
        limits.grant_pstate(command, pstate.perf)
    }

    /// The limits that hold at present.
    pub fn limits(&self) -> Limits {
        Limits {
            lowest: self.description.lowest,
            nominal: self.description.nominal,
            highest: self.description.highest,
            boost: self.can_boost && !self.registers.hwcr.boost_disabled(),
        }
    }

    /// The core idles from `now` (ns) on.
    pub fn idle(&mut self, now: u64) {
        self.counters.idle(now, self.rates());
    }

    /// The core runs from `now` (ns) on.
    pub fn resume(&mut self, now: u64) {
        self.counters.resume(now, self.rates());
    }

    /// Puts every register back to what firmware leaves in it, as of `now`.
    pub fn reset(&mut self, now: u64) {
        self.counters.step(now, self.rates());
        self.counters.set_aperf(0);
        self.counters.set_mperf(0);
        self.registers = self.at_reset.clone();
    }

    /// Reads a register at `now` (ns).
    pub fn read(&mut self, register: Register, now: u64) -> Answer<u64> {
        if !self.has(register) {
            return Answer::GeneralProtection;
        }
        if register.is_counter() {
            self.counters.step(now, self.rates());
        }
        Answer::Handled(self.value(register))
    }

    /// Writes a register at `now` (ns).
    pub fn write(&mut self, register: Register, value: u64, now: u64) -> Answer<Change> {
        if !self.has(register) || is_read_only(register) {
            return Answer::GeneralProtection;
        }
        // What the counters did so far they did at the old rates.
        self.counters.step(now, self.rates());
        let old = self.value(register);
        self.store(register, value);
        self.note_excursions();
        Answer::Handled(Change {
            old,
            new: self.value(register),
        })
    }

    fn has(&self, register: Register) -> bool {
        match register {
            Register::Hwcr => true,
            Register::Mperf
            | Register::Aperf
            | Register::MperfReadOnly
            | Register::AperfReadOnly => self.has_counters,
            Register::PstateLimit
            | Register::PerfCtl
            | Register::PerfStatus
            | Register::PstateDef(_) => self.has_pstates,
            Register::Cap1
            | Register::Enable
            | Register::Cap2
            | Register::Req
            | Register::Status => self.has_cppc,
            Register::Req2 => self.has_floor,
        }
    }

    fn value(&self, register: Register) -> u64 {
        let registers = &self.registers;
        match register {
            Register::Mperf | Register::MperfReadOnly => self.counters.mperf(),
            Register::Aperf | Register::AperfReadOnly => self.counters.aperf(),
            Register::Hwcr => registers.hwcr.into_bits(),
            Register::PstateLimit => PstateLimit::new().with_slowest(self.slowest()).into_bits(),
            Register::PerfCtl => registers.perf_ctl.into_bits(),
            Register::PerfStatus => PerfStatus::new().with_current(self.pstate().0).into_bits(),
            Register::PstateDef(n) => registers
                .pstate_defs
                .get(usize::from(n))
                .copied()
                .unwrap_or(0),
            Register::Cap1 => self.cap1().into_bits(),
            Register::Enable => registers.enable.into_bits(),
            Register::Cap2 => 0,
            Register::Req => registers.request.into_bits(),
            Register::Status => registers.status.into_bits(),
            Register::Req2 => registers.request2.into_bits(),
        }
    }

    /// Takes a value over, each register in its way. Of a register with
    /// reserved bits only the others are kept.
    fn store(&mut self, register: Register, value: u64) {
        let registers = &mut self.registers;
        match register {
            Register::Mperf => self.counters.set_mperf(value),
            Register::Aperf => self.counters.set_aperf(value),
            Register::Hwcr => registers.hwcr = Hwcr::from_bits(value),
            Register::PerfCtl => {
                let command = PerfCtl::from_bits(value).command();
                registers.perf_ctl = PerfCtl::new().with_command(command);
            }
            Register::PstateDef(n) => {
                if let Some(definition) = registers.pstate_defs.get_mut(usize::from(n)) {
                    *definition = value;
                }
            }
            Register::Enable => {
                let kept = self.enable_write_once && registers.enable.enabled();
                let enabled = Enable::from_bits(value).enabled() || kept;
                registers.enable = Enable::new().with_enabled(enabled);
            }
            Register::Req => {
                let wanted = Request::from_bits(value);
                registers.request = Request::new()
                    .with_max(wanted.max())
                    .with_min(wanted.min())
                    .with_des(wanted.des())
                    .with_epp(wanted.epp());
            }
            // Sticky: a 0 clears, a 1 sets nothing.
            Register::Status => {
                let kept = registers.status.into_bits() & value;
                registers.status = Status::from_bits(kept);
            }
            Register::Req2 => {
                let floor = Request2::from_bits(value).floor();
                registers.request2 = Request2::new().with_floor(floor);
            }
            // Read-only: refused before.
            Register::MperfReadOnly
            | Register::AperfReadOnly
            | Register::PstateLimit
            | Register::PerfStatus
            | Register::Cap1
            | Register::Cap2 => {}
        }
    }

    /// Sets STATUS where the request in force is not kept.
    fn note_excursions(&mut self) {
        if !self.has_cppc || !self.registers.enable.enabled() {
            return;
        }
        let granted = self.granted();
        let request = self.registers.request;
        let status = &mut self.registers.status;
        if granted < request.des() {
            status.set_desired_excursion(true);
        }
        if granted < request.min() {
            status.set_minimum_excursion(true);
        }
    }

    fn cap1(&self) -> Cap1 {
        Cap1::new()
            .with_highest(self.description.ranking)
            .with_nominal(self.description.nominal)
            .with_lowest_nonlinear(self.description.lowest_nonlinear)
            .with_lowest(self.description.lowest)
            .with_floor_count(if self.has_floor { u8::MAX } else { 0 })
    }

    /// The P-state in force: the one asked for, or the slowest there is.
    fn pstate(&self) -> (u8, Pstate) {
        let command = self.registers.perf_ctl.command().min(self.slowest());
        let [fastest, ..] = self.pstates;
        let pstate = self.pstates.get(usize::from(command));
        (command, pstate.copied().unwrap_or(fastest))
    }

    fn slowest(&self) -> u8 {
        u8::try_from(self.pstates.len().saturating_sub(1)).unwrap_or(0)
    }

    fn rates(&self) -> Rates {
        Rates {
            nominal_mhz: self.nominal_mhz,
            nominal: self.description.nominal,
            granted: self.granted(),
        }
    }
}

fn is_read_only(register: Register) -> bool {
    matches!(
        register,
        Register::MperfReadOnly
            | Register::AperfReadOnly
            | Register::PstateLimit
            | Register::PerfStatus
            | Register::Cap1
            | Register::Cap2
    )
}
