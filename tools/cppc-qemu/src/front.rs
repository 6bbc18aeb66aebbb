// SPDX-License-Identifier: GPL-2.0
//! What becomes of each instruction: the model asked, the guest's registers
//! written, the log kept.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use cppc_model::log::{Entry, Event};
use cppc_model::platform::PmProfile;
use cppc_model::{Access, Answer, CpuidLeaf, Machine, Platform, PlatformError, Register, Tsc};
use thiserror::Error;

use crate::args::Args;
use crate::board::Signal;
use crate::decode::Width;
use crate::fadt;
use crate::guest::{Gpr, Memory, Registers};
use crate::log::Log;

/// How the guest goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Next {
    /// QEMU carries the instruction out.
    Execute,
    /// The instruction is done: the one behind it is next.
    Skip,
}

/// Why the front cannot start.
#[derive(Debug, Error)]
pub enum StartError {
    /// The description is no good.
    #[error(transparent)]
    Platform(#[from] PlatformError),
    /// The argument and the machine that QEMU builds disagree.
    #[error("argument cpus: {asked} CPUs are described, but QEMU was given {given}")]
    Cpus {
        /// What the argument says.
        asked: usize,
        /// What QEMU says.
        given: usize,
    },
    /// The log cannot be made.
    #[error("argument log: {}: {source}", path.display())]
    Log {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// A register number for which QEMU raises #GP, whether read or written: in
/// the x2APIC's range, but without a register behind it.
const FAULTING_MSR: u64 = 0x8ff;

/// The model of the machine, its log and its clock.
pub struct Front {
    machine: Mutex<Machine>,
    /// For each vCPU, `rcx` as it was before an instruction that is on its
    /// way to fault.
    faulting: Vec<Mutex<Option<u64>>>,
    log: Option<Log>,
    log_reads: bool,
    /// None where QEMU's own is the guest's.
    tsc: Option<Tsc>,
    /// The profile that the guest's FADT still has to be given.
    pm_profile: Mutex<Option<PmProfile>>,
    started: Instant,
}

impl Front {
    /// Loads the description and makes the log, for a machine that QEMU gives
    /// `given` CPUs.
    pub fn new(args: &Args, given: usize) -> Result<Self, StartError> {
        let asked = args.cpus.unwrap_or(given);
        if asked != given {
            return Err(StartError::Cpus { asked, given });
        }
        let platform = Platform::load(&args.platform)?.with_cpus(given)?;
        let log = match &args.log {
            None => None,
            Some(path) => Some(Log::create(path).map_err(|source| StartError::Log {
                path: path.clone(),
                source,
            })?),
        };
        Ok(Self {
            machine: Mutex::new(Machine::new(&platform)),
            faulting: (0..given).map(|_| Mutex::new(None)).collect(),
            log,
            log_reads: args.log_reads,
            tsc: Tsc::new(&platform).filter(|_| args.tsc),
            pm_profile: Mutex::new(
                Some(platform.firmware().pm_profile)
                    .filter(|profile| *profile != PmProfile::Unspecified),
            ),
            started: Instant::now(),
        })
    }

    /// Before `rdmsr`.
    pub fn rdmsr(&self, cpu: usize, registers: &mut impl Registers) -> Next {
        let Some(reg) = owned(registers) else {
            return Next::Execute;
        };
        let now = self.now();
        let answer = self.machine().rdmsr(cpu, reg.msr(), now);
        match answer {
            Answer::Fallthrough => Next::Execute,
            Answer::GeneralProtection => {
                self.note(now, cpu, Event::fault(Access::Read, reg, 0));
                self.fault(cpu, registers)
            }
            Answer::Handled(value) => {
                if self.log_reads || !reg.is_counter() {
                    self.note(now, cpu, Event::read(reg, value));
                }
                registers.write(Gpr::Rax, value & LOW);
                registers.write(Gpr::Rdx, value >> 32);
                Next::Skip
            }
        }
    }

    /// Before `wrmsr`.
    pub fn wrmsr(&self, cpu: usize, registers: &mut impl Registers) -> Next {
        let Some(reg) = owned(registers) else {
            return Next::Execute;
        };
        let value = (registers.read(Gpr::Rdx) << 32) | (registers.read(Gpr::Rax) & LOW);
        let now = self.now();
        let answer = self.machine().wrmsr(cpu, reg.msr(), value, now);
        match answer {
            Answer::Fallthrough => Next::Execute,
            Answer::GeneralProtection => {
                self.note(now, cpu, Event::fault(Access::Write, reg, value));
                self.fault(cpu, registers)
            }
            Answer::Handled(change) => {
                self.note(now, cpu, Event::write(reg, value, change.old));
                Next::Skip
            }
        }
    }

    /// Before `cpuid`.
    pub fn cpuid(&self, cpu: usize, guest: &mut (impl Registers + Memory)) -> Next {
        let leaf = low(guest.read(Gpr::Rax));
        let Answer::Handled(result) = self.machine().cpuid(leaf) else {
            return Next::Execute;
        };
        if is_real_mode(guest) {
            return Next::Execute;
        }
        if CpuidLeaf::from_eax(leaf) == Some(CpuidLeaf::AdvancedPower) {
            self.complete_fadt(guest);
        }
        self.note(self.now(), cpu, Event::cpuid(leaf, result));
        for (gpr, value) in [
            (Gpr::Rax, result.eax),
            (Gpr::Rbx, result.ebx),
            (Gpr::Rcx, result.ecx),
            (Gpr::Rdx, result.edx),
        ] {
            guest.write(gpr, u64::from(value));
        }
        Next::Skip
    }

    /// Whether `rdtsc` is the model's, so that it is worth a callback.
    #[cfg_attr(test, allow(dead_code, reason = "only the plugin asks"))]
    pub fn has_tsc(&self) -> bool {
        self.tsc.is_some()
    }

    /// Before `rdtsc`.
    pub fn rdtsc(&self, registers: &mut impl Registers) -> Next {
        let Some(tsc) = self.tsc.filter(|_| !is_real_mode(registers)) else {
            return Next::Execute;
        };
        let tsc = tsc.at(self.now());
        registers.write(Gpr::Rax, tsc & LOW);
        registers.write(Gpr::Rdx, tsc >> 32);
        Next::Skip
    }

    /// Before `out` to the port in `dx`, which QEMU carries out in any case.
    /// `instructions` is how many the CPU has executed, where that is known.
    pub fn out(
        &self,
        cpu: usize,
        width: Width,
        registers: &impl Registers,
        instructions: Option<u64>,
    ) {
        // A port number is 16 bits.
        let port = registers.read(Gpr::Rdx) & 0xffff;
        let eax = low(registers.read(Gpr::Rax));
        let port = u16::try_from(port).unwrap_or(0);
        match Signal::from_out(port, width, eax) {
            None => {}
            Some(Signal::Mark(value)) => {
                self.machine().mark(value);
                let mark = Event::Mark {
                    value,
                    instructions,
                };
                self.note(self.now(), cpu, mark);
            }
            Some(Signal::Sleep) => {
                let now = self.now();
                self.machine().sleep(now);
                self.note(now, cpu, Event::Sleep);
            }
        }
    }

    /// A vCPU came upon an exception, before its handler runs: if the front
    /// sent it there, the handler must not see how.
    pub fn exception(&self, cpu: usize, registers: &mut impl Registers) {
        let before = self.faulting.get(cpu).and_then(|slot| lock(slot).take());
        if let Some(rcx) = before {
            registers.write(Gpr::Rcx, rcx);
        }
    }

    /// A vCPU has nothing to do from now on.
    pub fn idle(&self, cpu: usize) {
        let now = self.now();
        self.machine().idle(cpu, now);
    }

    /// A vCPU runs from now on.
    pub fn resume(&self, cpu: usize) {
        let now = self.now();
        self.machine().resume(cpu, now);
    }

    /// Gives the guest's FADT its profile, once. The firmware, which puts the
    /// table there, never asks for advanced power management, and the kernel
    /// asks before it reads the table.
    fn complete_fadt(&self, memory: &mut impl Memory) {
        let Some(profile) = lock(&self.pm_profile).take() else {
            return;
        };
        if let Err(error) = fadt::set_pm_profile(memory, profile.number()) {
            eprintln!("cppc-qemu: firmware.pm_profile: {error}");
            std::process::abort();
        }
    }

    /// Makes the instruction fault. QEMU's plugin API has no way to raise an
    /// exception, so QEMU is made to carry the instruction out on a register
    /// that faults. The fault is then the instruction's own, at its own
    /// address, as the kernel's exception table needs it.
    fn fault(&self, cpu: usize, registers: &mut impl Registers) -> Next {
        if let Some(slot) = self.faulting.get(cpu) {
            *lock(slot) = Some(registers.read(Gpr::Rcx));
            registers.write(Gpr::Rcx, FAULTING_MSR);
        }
        Next::Execute
    }

    fn note(&self, t: u64, cpu: usize, event: Event) {
        let Some(log) = &self.log else {
            return;
        };
        let cpu = u32::try_from(cpu).unwrap_or(u32::MAX);
        if let Err(error) = log.append(&Entry { t, cpu, event }) {
            // A log with a hole in it would make tests lie.
            eprintln!("cppc-qemu: cannot write the register log: {error}");
            std::process::abort();
        }
    }

    /// Nanoseconds since the start.
    fn now(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    fn machine(&self) -> MutexGuard<'_, Machine> {
        lock(&self.machine)
    }
}

const LOW: u64 = 0xffff_ffff;

fn low(value: u64) -> u32 {
    u32::try_from(value & LOW).unwrap_or(0)
}

/// The register that `rdmsr` or `wrmsr` is about to reach, if the model owns
/// it.
fn owned(registers: &impl Registers) -> Option<Register> {
    let register = Register::from_msr(low(registers.read(Gpr::Rcx)))?;
    (!is_real_mode(registers)).then_some(register)
}

/// In real mode the program counter is not the instruction's address, so the
/// instruction cannot be skipped. Only the start of the other CPUs is there,
/// and asks for nothing that the model owns.
fn is_real_mode(registers: &impl Registers) -> bool {
    const PROTECTION_ENABLE: u64 = 1 << 0;
    registers.read(Gpr::Cr0) & PROTECTION_ENABLE == 0
}

/// A panic aborts the process, so nobody ever sees a poisoned lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fadt::fake::FakeMemory;
    use std::collections::HashMap;
    use std::path::Path;

    const REQ: u64 = 0xc001_02b3;
    const CAP1: u64 = 0xc001_02b0;

    /// A guest in 64-bit mode: its registers and its memory.
    struct Guest(HashMap<&'static str, u64>, FakeMemory);

    impl Guest {
        fn new(rcx: u64, rax: u64, rdx: u64) -> Self {
            let registers = HashMap::from([
                ("rcx", rcx),
                ("rax", rax),
                ("rdx", rdx),
                ("rbx", 0),
                ("cr0", 0x8005_0033),
            ]);
            Self(registers, FakeMemory::booted())
        }
    }

    impl Registers for Guest {
        fn read(&self, gpr: Gpr) -> u64 {
            self.0[gpr.name()]
        }

        fn write(&mut self, gpr: Gpr, value: u64) {
            self.0.insert(gpr.name(), value);
        }
    }

    impl Memory for Guest {
        fn read_memory(&self, address: u64, len: usize) -> Option<Vec<u8>> {
            self.1.read_memory(address, len)
        }

        fn write_memory(&mut self, address: u64, bytes: &[u8]) -> bool {
            self.1.write_memory(address, bytes)
        }
    }

    fn args_for(platform: &str, log: Option<&Path>) -> Args {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../platforms");
        Args {
            platform: folder.join(platform).with_extension("toml"),
            cpus: None,
            log: log.map(Path::to_owned),
            log_reads: false,
            tsc: true,
            count: false,
        }
    }

    fn args(log: Option<&Path>) -> Args {
        args_for("zen4-desktop", log)
    }

    fn front() -> Front {
        Front::new(&args(None), 2).unwrap()
    }

    #[test]
    fn a_read_fills_both_halves_and_skips_the_instruction() {
        let mut guest = Guest::new(CAP1, u64::MAX, u64::MAX);
        assert_eq!(front().rdmsr(1, &mut guest), Next::Skip);
        assert_eq!((guest.0["rdx"], guest.0["rax"]), (0, 0xec83_330c));
    }

    #[test]
    fn a_write_is_put_together_from_both_halves() {
        let front = front();
        // What stands above bit 31 is no part of it.
        let mut guest = Guest::new(0xffff_ffff_0000_0000 | 0xe7, 0xffff_ffff_0000_0001, 2);
        assert_eq!(front.wrmsr(0, &mut guest), Next::Skip);
        let mut guest = Guest::new(0xe7, 0, 0);
        assert_eq!(front.rdmsr(0, &mut guest), Next::Skip);
        assert_eq!((guest.0["rdx"], guest.0["rax"]), (2, 1));
    }

    #[test]
    fn what_the_model_does_not_own_is_left_alone() {
        let front = front();
        for rcx in [0, 0x10, 0xc000_0080, 0xc001_02b6] {
            let mut guest = Guest::new(rcx, 1, 2);
            assert_eq!(front.rdmsr(0, &mut guest), Next::Execute);
            assert_eq!(front.wrmsr(0, &mut guest), Next::Execute);
            assert_eq!(
                (guest.0["rcx"], guest.0["rax"], guest.0["rdx"]),
                (rcx, 1, 2)
            );
        }
        let mut guest = Guest::new(0, 1, 0);
        assert_eq!(front.cpuid(0, &mut guest), Next::Execute);
    }

    #[test]
    fn real_mode_is_left_alone() {
        let front = front();
        let mut guest = Guest::new(REQ, 1, 2);
        guest.0.insert("cr0", 0x10);
        assert_eq!(front.rdmsr(0, &mut guest), Next::Execute);
        assert_eq!(front.wrmsr(0, &mut guest), Next::Execute);
        guest.0.insert("rax", 6);
        assert_eq!(front.cpuid(0, &mut guest), Next::Execute);
    }

    #[test]
    fn an_owned_leaf_fills_all_four_registers() {
        let mut guest = Guest::new(7, 0x8000_0008, 7);
        guest.0.insert("rbx", 7);
        assert_eq!(front().cpuid(0, &mut guest), Next::Skip);
        assert_eq!(guest.0["rax"], 0x3028);
        assert_eq!(guest.0["rbx"] & (1 << 27), 1 << 27);
        assert_eq!((guest.0["rcx"], guest.0["rdx"]), (0x1001, 0));
    }

    #[test]
    fn the_fadt_gets_its_profile_when_the_kernel_asks_and_only_once() {
        let front = Front::new(&args_for("zen4-server", None), 2).unwrap();
        let mut guest = Guest::new(0, 0x8000_0008, 0);
        let before = guest.1.clone();
        assert_eq!(front.cpuid(0, &mut guest), Next::Skip);
        assert!(guest.1 == before, "firmware asks for this leaf too");
        guest.0.insert("rax", 0x8000_0007);
        assert_eq!(front.cpuid(0, &mut guest), Next::Skip);
        assert_eq!((guest.1.pm_profile(), guest.1.fadt_sum()), (4, 0));
        let mut later = Guest::new(0, 0x8000_0007, 0);
        assert_eq!(front.cpuid(1, &mut later), Next::Skip);
        assert!(later.1 == before);
    }

    #[test]
    fn a_profile_that_is_not_described_leaves_the_fadt_alone() {
        let mut guest = Guest::new(0, 0x8000_0007, 0);
        let before = guest.1.clone();
        assert_eq!(front().cpuid(0, &mut guest), Next::Skip);
        assert!(guest.1 == before);
    }

    #[test]
    fn a_fault_happens_elsewhere_but_leaves_no_trace_of_it() {
        let front = front();
        let mut guest = Guest::new(CAP1, 1, 2);
        assert_eq!(front.wrmsr(0, &mut guest), Next::Execute);
        assert_eq!(guest.0["rcx"], FAULTING_MSR);
        // An exception of another CPU in between is not this one's.
        let mut other = Guest::new(5, 0, 0);
        front.exception(1, &mut other);
        assert_eq!(other.0["rcx"], 5);
        front.exception(0, &mut guest);
        assert_eq!(
            (guest.0["rcx"], guest.0["rax"], guest.0["rdx"]),
            (CAP1, 1, 2)
        );
        // The next exception is the guest's own.
        let mut later = Guest::new(9, 0, 0);
        front.exception(0, &mut later);
        assert_eq!(later.0["rcx"], 9);
    }

    #[test]
    fn the_log_has_each_access_when_the_guest_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("registers.log");
        let front = Front::new(&args(Some(&path)), 2).unwrap();
        let seen = || {
            let text = std::fs::read_to_string(&path).unwrap();
            let entries = text.lines().map(|line| Entry::from_line(line).unwrap());
            entries
                .map(|entry| (entry.cpu, entry.event))
                .collect::<Vec<_>>()
        };
        assert_eq!(front.wrmsr(1, &mut Guest::new(REQ, 5, 0)), Next::Skip);
        let write = Event::write(Register::Req, 5, 0x8000_00a6);
        assert_eq!(seen(), [(1, write)]);
        // Counters are read too often to be logged.
        assert_eq!(front.rdmsr(1, &mut Guest::new(0xe8, 0, 0)), Next::Skip);
        assert_eq!(front.wrmsr(0, &mut Guest::new(CAP1, 7, 0)), Next::Execute);
        front.out(0, Width::Byte, &Guest::new(0, 0x1ff, 0xffff_0cf0), Some(9));
        front.out(0, Width::Word, &Guest::new(0, 0x2401, 0x0604), None);
        front.out(0, Width::Byte, &Guest::new(0, b'x'.into(), 0x3f8), None);
        let fault = Event::fault(Access::Write, Register::Cap1, 7);
        let mark = Event::Mark {
            value: 0xff,
            instructions: Some(9),
        };
        assert_eq!(seen()[1..], [(0, fault), (0, mark), (0, Event::Sleep)]);
    }

    #[test]
    fn a_sleep_makes_the_registers_forget() {
        let front = front();
        assert_eq!(front.wrmsr(0, &mut Guest::new(REQ, 5, 0)), Next::Skip);
        front.out(0, Width::Word, &Guest::new(0, 0x2401, 0x0604), None);
        let mut guest = Guest::new(REQ, 0, 0);
        assert_eq!(front.rdmsr(0, &mut guest), Next::Skip);
        assert_eq!(guest.0["rax"], 0x8000_00a6);
    }

    #[test]
    fn counters_stand_still_while_the_vcpu_idles() {
        let front = front();
        let mperf = || {
            let mut guest = Guest::new(0xe7, 0, 0);
            assert_eq!(front.rdmsr(0, &mut guest), Next::Skip);
            (guest.0["rdx"] << 32) | guest.0["rax"]
        };
        front.resume(0);
        let first = mperf();
        std::thread::sleep(std::time::Duration::from_millis(2));
        let second = mperf();
        // 2 ms at 4500 MHz
        assert!(second - first >= 9_000_000, "{first} to {second}");
        front.idle(0);
        let third = mperf();
        std::thread::sleep(std::time::Duration::from_millis(2));
        assert_eq!(mperf(), third);
    }

    #[test]
    fn the_time_stamp_counter_is_the_models_unless_switched_off() {
        let args = Args {
            tsc: false,
            ..args(None)
        };
        let mut guest = Guest::new(0, 7, 7);
        let without = Front::new(&args, 2).unwrap();
        assert_eq!(without.rdtsc(&mut guest), Next::Execute);
        let front = front();
        let mut tsc = || {
            assert_eq!(front.rdtsc(&mut guest), Next::Skip);
            (guest.0["rdx"] << 32) | guest.0["rax"]
        };
        let first = tsc();
        std::thread::sleep(std::time::Duration::from_millis(2));
        assert!(tsc() - first >= 9_000_000);
    }

    #[test]
    fn a_number_of_cpus_that_qemu_does_not_have_is_refused() {
        let args = Args {
            cpus: Some(4),
            ..args(None)
        };
        let error = Front::new(&args, 2).err().unwrap().to_string();
        assert!(error.contains("4 CPUs") && error.contains('2'), "{error}");
    }

    #[test]
    fn a_log_that_cannot_be_made_is_named() {
        let error = Front::new(&args(Some(Path::new("/nowhere/registers.log"))), 2);
        let error = error.err().unwrap().to_string();
        assert!(error.contains("/nowhere/registers.log"), "{error}");
    }
}
