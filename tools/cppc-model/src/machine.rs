// SPDX-License-Identifier: GPL-2.0
//! All cores of a machine, asked by CPU number and register number.

use crate::cpu::Cpu;
use crate::cpuid::{CpuidLeaf, CpuidLeaves, CpuidResult};
use crate::fault::{Access, Faults};
use crate::platform::Platform;
use crate::register::Register;

/// What the machine says to an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer<T> {
    /// The model owns it, and this is the result.
    Handled(T),
    /// The model does not own it: whoever asked goes on as without the model.
    Fallthrough,
    /// The instruction raises a general protection fault.
    GeneralProtection,
}

/// What a write did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// What a read gave before.
    pub old: u64,
    /// What a read gives now.
    pub new: u64,
}

/// A described machine at work.
#[derive(Clone, Debug)]
pub struct Machine {
    cpus: Vec<Cpu>,
    leaves: CpuidLeaves,
    faults: Faults,
    sleep_forgets: bool,
}

impl Machine {
    /// The machine as it is after power-on: all CPUs idle.
    pub fn new(platform: &Platform) -> Self {
        Self {
            cpus: platform
                .each_cpu()
                .map(|description| Cpu::new(platform, description))
                .collect(),
            leaves: CpuidLeaves::new(platform),
            faults: Faults::new(platform.faults()),
            sleep_forgets: platform.sleep().forgets,
        }
    }

    /// The CPU with this number.
    pub fn cpu(&self, cpu: usize) -> Option<&Cpu> {
        self.cpus.get(cpu)
    }

    /// `rdmsr` on a CPU at `now` (ns).
    pub fn rdmsr(&mut self, cpu: usize, msr: u32, now: u64) -> Answer<u64> {
        let Some((register, core)) = owned(&mut self.cpus, cpu, msr) else {
            return Answer::Fallthrough;
        };
        if self.faults.strike(cpu, register, Access::Read) {
            return Answer::GeneralProtection;
        }
        core.read(register, now)
    }

    /// `wrmsr` on a CPU at `now` (ns).
    pub fn wrmsr(&mut self, cpu: usize, msr: u32, value: u64, now: u64) -> Answer<Change> {
        let Some((register, core)) = owned(&mut self.cpus, cpu, msr) else {
            return Answer::Fallthrough;
        };
        if self.faults.strike(cpu, register, Access::Write) {
            return Answer::GeneralProtection;
        }
        core.write(register, value, now)
    }

    /// `cpuid` with this value of `eax`. All owned leaves are the same on
    /// every CPU and have no subleaves.
    pub fn cpuid(&self, eax: u32) -> Answer<CpuidResult> {
        match CpuidLeaf::from_eax(eax) {
            Some(leaf) => Answer::Handled(self.leaves.answer(leaf)),
            None => Answer::Fallthrough,
        }
    }

    /// A CPU idles from `now` (ns) on.
    pub fn idle(&mut self, cpu: usize, now: u64) {
        if let Some(core) = self.cpus.get_mut(cpu) {
            core.idle(now);
        }
    }

    /// A CPU runs from `now` (ns) on.
    pub fn resume(&mut self, cpu: usize, now: u64) {
        if let Some(core) = self.cpus.get_mut(cpu) {
            core.resume(now);
        }
    }

    /// The machine sleeps (S3): where its description says so, all registers
    /// lose what they held.
    pub fn sleep(&mut self, now: u64) {
        if self.sleep_forgets {
            self.reset(now);
        }
    }

    /// The guest passed a marker, which described faults may wait for.
    pub fn mark(&mut self, value: u32) {
        self.faults.mark(value);
    }

    /// Every register of every CPU gets the value that firmware leaves in it.
    pub fn reset(&mut self, now: u64) {
        for core in &mut self.cpus {
            core.reset(now);
        }
    }
}

fn owned(cpus: &mut [Cpu], cpu: usize, msr: u32) -> Option<(Register, &mut Cpu)> {
    Some((Register::from_msr(msr)?, cpus.get_mut(cpu)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{Hwcr, Request};
    use proptest::prelude::*;
    use std::path::Path;

    const CAP1: u32 = 0xc001_02b0;
    const ENABLE: u32 = 0xc001_02b1;
    const REQ: u32 = 0xc001_02b3;
    const STATUS: u32 = 0xc001_02b4;
    const REQ2: u32 = 0xc001_02b5;
    const HWCR: u32 = 0xc001_0015;
    const PERF_CTL: u32 = 0xc001_0062;
    const PERF_STATUS: u32 = 0xc001_0063;
    const MPERF: u32 = 0xe7;
    const APERF: u32 = 0xe8;

    const DESKTOP: &str = include_str!("../../../platforms/zen4-desktop.toml");

    /// The desktop with two CPUs and something more in its description.
    fn machine_with(more: &str) -> Machine {
        let text = format!("{DESKTOP}\n{more}");
        let platform = Platform::parse(Path::new("test.toml"), &text).unwrap();
        Machine::new(&platform.with_cpus(2).unwrap())
    }

    fn machine() -> Machine {
        machine_with("")
    }

    fn read(machine: &mut Machine, msr: u32) -> u64 {
        match machine.rdmsr(0, msr, 0) {
            Answer::Handled(value) => value,
            other => panic!("{msr:#x}: {other:?}"),
        }
    }

    fn write(machine: &mut Machine, msr: u32, value: u64) -> Change {
        match machine.wrmsr(0, msr, value, 0) {
            Answer::Handled(change) => change,
            other => panic!("{msr:#x}: {other:?}"),
        }
    }

    fn request(min: u8, des: u8, max: u8) -> u64 {
        Request::new()
            .with_min(min)
            .with_des(des)
            .with_max(max)
            .into_bits()
    }

    fn granted(machine: &Machine) -> u8 {
        machine.cpu(0).unwrap().granted()
    }

    #[test]
    fn capabilities_are_the_descriptions_and_cannot_be_written() {
        let mut machine = machine();
        assert_eq!(read(&mut machine, CAP1), 0xa683_330c);
        assert_eq!(machine.rdmsr(1, CAP1, 0), Answer::Handled(0xec83_330c));
        for msr in [
            CAP1,
            0xc001_02b2,
            PERF_STATUS,
            0xc001_0061,
            0xc000_00e7,
            0xc000_00e8,
        ] {
            assert_eq!(
                machine.wrmsr(0, msr, 0, 0),
                Answer::GeneralProtection,
                "{msr:#x}"
            );
        }
        assert_eq!(read(&mut machine, CAP1), 0xa683_330c);
    }

    #[test]
    fn firmware_leaves_what_the_description_says() {
        let mut machine = machine();
        assert_eq!(read(&mut machine, ENABLE), 0);
        assert_eq!(read(&mut machine, REQ), 0x8000_00a6);
        assert_eq!(read(&mut machine, HWCR), 1 << 24);
    }

    #[test]
    fn a_request_counts_only_once_it_is_enabled() {
        let mut machine = machine();
        write(&mut machine, REQ, request(12, 60, 166));
        assert_eq!(granted(&machine), 166, "P-state 0");
        write(&mut machine, ENABLE, 1);
        assert_eq!(granted(&machine), 60);
    }

    #[test]
    fn without_cppc_enabled_the_pstate_counts() {
        let mut machine = machine();
        write(&mut machine, PERF_CTL, 2);
        assert_eq!(
            (granted(&machine), read(&mut machine, PERF_STATUS)),
            (51, 2)
        );
        write(&mut machine, PERF_CTL, 7);
        assert_eq!(
            (granted(&machine), read(&mut machine, PERF_STATUS)),
            (51, 2)
        );
    }

    #[test]
    fn a_write_tells_what_was_there_before() {
        let mut machine = machine();
        let change = write(&mut machine, REQ, request(1, 2, 3));
        assert_eq!((change.old, change.new), (0x8000_00a6, 0x0002_0103));
    }

    #[test]
    fn boost_off_in_hwcr_keeps_the_core_at_nominal() {
        let mut machine = machine();
        write(&mut machine, ENABLE, 1);
        write(&mut machine, REQ, request(12, 166, 166));
        assert_eq!(granted(&machine), 166);
        write(
            &mut machine,
            HWCR,
            Hwcr::new().with_boost_disabled(true).into_bits(),
        );
        assert_eq!(granted(&machine), 131);
    }

    #[test]
    fn a_request_that_is_not_kept_shows_in_status_until_it_is_cleared() {
        let mut machine = machine();
        write(&mut machine, ENABLE, 1);
        write(
            &mut machine,
            HWCR,
            Hwcr::new().with_boost_disabled(true).into_bits(),
        );
        write(&mut machine, REQ, request(12, 166, 166));
        write(&mut machine, REQ, request(12, 60, 166));
        assert_eq!(read(&mut machine, STATUS), 1);
        assert_eq!(write(&mut machine, STATUS, u64::MAX).new, 1);
        assert_eq!(write(&mut machine, STATUS, 0).new, 0);
    }

    #[test]
    fn what_the_processor_lacks_faults() {
        let mut machine = machine();
        assert_eq!(machine.rdmsr(0, REQ2, 0), Answer::GeneralProtection);
        assert_eq!(machine.wrmsr(0, REQ2, 0, 0), Answer::GeneralProtection);
    }

    #[test]
    fn enable_can_be_described_as_written_once() {
        let text = DESKTOP.replace("[firmware]", "[firmware]\nenable_write_once = true");
        let platform = Platform::parse(Path::new("test.toml"), &text).unwrap();
        let mut machine = Machine::new(&platform);
        write(&mut machine, ENABLE, 1);
        assert_eq!(write(&mut machine, ENABLE, 0).new, 1);
        machine.reset(0);
        assert_eq!(read(&mut machine, ENABLE), 0);
    }

    #[test]
    fn a_described_fault_strikes_where_it_is_described() {
        let mut machine =
            machine_with("[[faults]]\nregister = \"REQ\"\naccess = \"write\"\nafter = 1");
        write(&mut machine, REQ, 1);
        assert_eq!(machine.wrmsr(0, REQ, 2, 0), Answer::GeneralProtection);
        assert_eq!(read(&mut machine, REQ), 1);
    }

    #[test]
    fn sleep_forgets_unless_it_is_described_to_keep() {
        let mut forgets = machine();
        write(&mut forgets, REQ, 1);
        forgets.sleep(0);
        assert_eq!(read(&mut forgets, REQ), 0x8000_00a6);
        let mut keeps = machine_with("[sleep]\nforgets = false");
        write(&mut keeps, REQ, 1);
        keeps.sleep(0);
        assert_eq!(read(&mut keeps, REQ), 1);
    }

    #[test]
    fn counters_run_at_the_rates_that_were_granted_meanwhile() {
        let mut machine = machine();
        machine.resume(0, 0);
        machine.wrmsr(0, ENABLE, 1, 0);
        machine.wrmsr(0, REQ, request(12, 131, 166), 0);
        machine.wrmsr(0, REQ, request(12, 12, 12), 1_000);
        assert_eq!(machine.rdmsr(0, MPERF, 2_000), Answer::Handled(9_000));
        assert_eq!(machine.rdmsr(0, APERF, 2_000), Answer::Handled(4_500 + 412));
        machine.idle(0, 2_000);
        assert_eq!(machine.rdmsr(0, 0xc000_00e7, 9_000), Answer::Handled(9_000));
    }

    #[test]
    fn a_cpu_that_is_not_there_is_nobodys() {
        let mut machine = machine();
        assert_eq!(machine.rdmsr(2, REQ, 0), Answer::Fallthrough);
        assert_eq!(machine.wrmsr(2, REQ, 0, 0), Answer::Fallthrough);
        machine.resume(2, 0);
        machine.idle(2, 0);
    }

    /// A number near those that the model owns, or any.
    fn msr() -> impl Strategy<Value = u32> {
        let owned: Vec<_> = Register::all().map(Register::msr).collect();
        prop_oneof![
            prop::sample::select(owned),
            0xc001_0000u32..0xc001_0400,
            any::<u32>(),
        ]
    }

    fn every_value(machine: &mut Machine) -> Vec<Answer<u64>> {
        let registers: Vec<_> = Register::all().collect();
        registers
            .iter()
            .map(|register| machine.rdmsr(0, register.msr(), 0))
            .collect()
    }

    proptest! {
        #[test]
        fn nothing_written_breaks_it(
            writes in prop::collection::vec((msr(), any::<u64>(), 0usize..3, any::<u64>()), 0..40),
        ) {
            let mut machine = machine();
            machine.resume(0, 0);
            for (msr, value, cpu, now) in writes {
                let answer = machine.wrmsr(cpu, msr, value, now);
                let unowned = Register::from_msr(msr).is_none() || cpu >= 2;
                prop_assert_eq!(answer == Answer::Fallthrough, unowned);
                if let (Answer::Handled(change), Answer::Handled(value)) =
                    (answer, machine.rdmsr(cpu, msr, now))
                {
                    prop_assert_eq!(change.new, value);
                }
                for cpu in 0..2 {
                    let granted = machine.cpu(cpu).unwrap().granted();
                    prop_assert!((12..=166).contains(&granted));
                }
            }
        }

        #[test]
        fn a_reset_restores_what_the_description_says(
            writes in prop::collection::vec((msr(), any::<u64>()), 0..40),
        ) {
            let mut machine = machine();
            let before = every_value(&mut machine);
            for (msr, value) in writes {
                machine.wrmsr(0, msr, value, 0);
            }
            machine.reset(0);
            prop_assert_eq!(every_value(&mut machine), before);
        }

        #[test]
        fn the_counters_tell_what_was_granted(bits: u64, boost_disabled: bool) {
            let mut machine = machine();
            write(&mut machine, ENABLE, 1);
            write(&mut machine, HWCR, Hwcr::new().with_boost_disabled(boost_disabled).into_bits());
            write(&mut machine, REQ, bits);
            machine.resume(0, 0);
            let second = 1_000_000_000;
            let Answer::Handled(mperf) = machine.rdmsr(0, MPERF, second) else { panic!() };
            let Answer::Handled(aperf) = machine.rdmsr(0, APERF, second) else { panic!() };
            prop_assert_eq!(aperf, mperf * u64::from(granted(&machine)) / 131);
            prop_assert!(!boost_disabled || aperf <= mperf);
        }

        #[test]
        fn leaves_that_are_not_owned_fall_through(eax: u32) {
            let owned = [0x6, 0x8000_0007, 0x8000_0008].contains(&eax);
            prop_assert_eq!(machine().cpuid(eax) != Answer::Fallthrough, owned);
        }
    }
}
