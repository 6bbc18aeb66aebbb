// SPDX-License-Identifier: GPL-2.0
//! Reads the pieces of one CPU that a section asks for.

use cpufreq_sysfs::{attribute, CpuId, Reader};

use super::boost::Boost;
use super::item::Item;
use super::performance::Performance;
use super::policy::{nonzero, HardwareLimits, Policy};
use super::section::Section;
use crate::context::Context;
use crate::problem::Problems;

/// Reads what the section asks for; whether anything was found is noted with the problems.
pub fn collect(
    cpu: CpuId,
    section: Section,
    context: &Context,
    problems: &mut Problems,
) -> Vec<Item> {
    let needs_driver = !matches!(section, Section::Boost | Section::Performance);
    if needs_driver && !context.has_driver(cpu, problems) {
        // One line says that there is no driver; the absence of each of its files would only repeat it.
        let problems = &mut Problems::default();
        return Collector {
            cpu,
            context,
            problems,
        }
        .section(section);
    }
    let items = Collector {
        cpu,
        context,
        problems,
    }
    .section(section);
    if items.iter().any(Item::is_found) {
        problems.shown();
    }
    items
}

/// Reads the files of one CPU.
struct Collector<'a> {
    cpu: CpuId,
    context: &'a Context,
    problems: &'a mut Problems,
}

impl Collector<'_> {
    fn reader(&self) -> &Reader {
        &self.context.reader
    }

    fn note<T>(&mut self, result: cpufreq_sysfs::Result<T>) -> Option<T> {
        self.problems.note(self.cpu, result)
    }

    fn section(&mut self, section: Section) -> Vec<Item> {
        match section {
            Section::All => return self.all(),
            Section::Proc => return Vec::new(),
            Section::Boost => return self.boost(),
            _ => {}
        }
        vec![match section {
            Section::Driver => self.driver(),
            Section::RelatedCpus => self.related(),
            Section::AffectedCpus => self.affected(),
            Section::Latency => self.latency(),
            Section::Epp => self.epp(),
            Section::HardwareLimits => self.hardware_limits(),
            Section::Governors => self.governors(),
            Section::Policy => self.policy(),
            Section::HardwareFrequency => self.hardware_frequency(),
            Section::KernelFrequency => self.kernel_frequency(),
            Section::Stats => self.stats(),
            _ => self.performance_or_reason(),
        }]
    }

    fn all(&mut self) -> Vec<Item> {
        let mut items = vec![
            self.driver(),
            self.related(),
            self.affected(),
            self.latency_or_epp(),
            self.hardware_limits(),
        ];
        items.extend(self.steps());
        items.extend([self.governors(), self.policy()]);
        items.extend(self.hardware_frequency_if_any());
        items.push(self.kernel_frequency_if_known());
        items.extend(self.boost());
        items.push(self.performance());
        items
    }

    fn driver(&mut self) -> Item {
        let driver = self.reader().read(self.cpu, &attribute::SCALING_DRIVER);
        Item::Driver(self.note(driver))
    }

    fn related(&mut self) -> Item {
        let cpus = self.reader().read(self.cpu, &attribute::RELATED_CPUS);
        Item::RelatedCpus(self.note(cpus))
    }

    fn affected(&mut self) -> Item {
        let cpus = self.reader().read(self.cpu, &attribute::AFFECTED_CPUS);
        Item::AffectedCpus(self.note(cpus))
    }

    /// Asked for alone, a latency that the driver does not know is a value that is missing.
    fn latency(&mut self) -> Item {
        let file = &attribute::CPUINFO_TRANSITION_LATENCY;
        let latency = self.reader().read(self.cpu, file).and_then(|latency| {
            latency.nanoseconds().ok_or_else(|| {
                self.context
                    .no_value(self.cpu, file, "not known to the driver")
            })
        });
        Item::Latency(self.note(latency))
    }

    /// cpupower shows the preference in place of the latency where there is one.
    fn latency_or_epp(&mut self) -> Item {
        let epp = self
            .reader()
            .read(self.cpu, &attribute::ENERGY_PERFORMANCE_PREFERENCE);
        if let Some(epp) = self.problems.note_optional(self.cpu, epp) {
            return Item::Epp(Some(epp));
        }
        let latency = self
            .reader()
            .read(self.cpu, &attribute::CPUINFO_TRANSITION_LATENCY);
        Item::Latency(self.note(latency).and_then(|latency| latency.nanoseconds()))
    }

    fn epp(&mut self) -> Item {
        let epp = self
            .reader()
            .read(self.cpu, &attribute::ENERGY_PERFORMANCE_PREFERENCE);
        Item::Epp(self.note(epp))
    }

    fn hardware_limits(&mut self) -> Item {
        let limits = HardwareLimits::read(self.cpu, self.context);
        Item::HardwareLimits(self.note(limits))
    }

    /// Only a driver with a table has steps.
    fn steps(&mut self) -> Option<Item> {
        let steps = self
            .reader()
            .read(self.cpu, &attribute::SCALING_AVAILABLE_FREQUENCIES);
        self.problems
            .note_optional(self.cpu, steps)
            .map(Item::Steps)
    }

    fn governors(&mut self) -> Item {
        let governors = self
            .reader()
            .read(self.cpu, &attribute::SCALING_AVAILABLE_GOVERNORS);
        Item::Governors(self.note(governors))
    }

    fn policy(&mut self) -> Item {
        let policy = Policy::read(self.cpu, self.context);
        Item::Policy(self.note(policy))
    }

    fn hardware_frequency(&mut self) -> Item {
        let freq = nonzero(self.cpu, &attribute::CPUINFO_CUR_FREQ, self.context);
        Item::HardwareFrequency(self.note(freq))
    }

    /// Among everything else, a driver that cannot ask the hardware and a user who may not are no problem.
    fn hardware_frequency_if_any(&mut self) -> Option<Item> {
        let freq = nonzero(self.cpu, &attribute::CPUINFO_CUR_FREQ, self.context).ok();
        let counts_cycles = self.context.cpuinfo(self.problems).has_flag("aperfmperf");
        (freq.is_some() || counts_cycles).then_some(Item::HardwareFrequency(freq))
    }

    fn kernel_frequency(&mut self) -> Item {
        let freq = nonzero(self.cpu, &attribute::SCALING_CUR_FREQ, self.context);
        Item::KernelFrequency(self.note(freq))
    }

    /// Among everything else, a frequency that the kernel does not know yet (0) is no problem.
    fn kernel_frequency_if_known(&mut self) -> Item {
        let freq = self.reader().read(self.cpu, &attribute::SCALING_CUR_FREQ);
        Item::KernelFrequency(self.note(freq).filter(|freq| freq.0 != 0))
    }

    fn boost(&mut self) -> Vec<Item> {
        let boost = Boost::collect(self.cpu, self.is_amd_pstate(), self.context, self.problems);
        let with_steps = boost.switch_only;
        let mut items = vec![Item::Boost(boost)];
        if with_steps {
            let steps = self
                .reader()
                .read(self.cpu, &attribute::SCALING_BOOST_FREQUENCIES);
            items.extend(
                self.problems
                    .note_optional(self.cpu, steps)
                    .map(Item::BoostSteps),
            );
        }
        items
    }

    fn stats(&mut self) -> Item {
        let states = self.reader().read(self.cpu, &attribute::TIME_IN_STATE);
        let transitions = self.reader().read(self.cpu, &attribute::TOTAL_TRANS);
        let states = self.note(states);
        let transitions = self.note(transitions);
        Item::Stats(states.zip(transitions.map(|count| count.0)))
    }

    fn performance(&mut self) -> Item {
        Item::Performance(if self.is_amd_pstate() {
            Some(Performance::of_amd_pstate(
                self.cpu,
                self.context,
                self.problems,
            ))
        } else {
            Performance::of_cppc(self.cpu, self.context, self.problems)
        })
    }

    /// Asked for alone, a CPU without usable levels is a value that is missing.
    fn performance_or_reason(&mut self) -> Item {
        let item = self.performance();
        if let Item::Performance(None) = item {
            let file = &attribute::NOMINAL_FREQ;
            let reason = self.reader().read(self.cpu, file).and_then(|_| {
                Err::<(), _>(self.context.no_value(
                    self.cpu,
                    file,
                    "no two levels with a frequency",
                ))
            });
            self.note(reason);
        }
        item
    }

    /// By the driver of this CPU, where cpupower takes that of CPU 0 for all.
    fn is_amd_pstate(&self) -> bool {
        self.reader()
            .read(self.cpu, &attribute::SCALING_DRIVER)
            .is_ok_and(|driver| driver.kind().is_amd_pstate())
    }
}
