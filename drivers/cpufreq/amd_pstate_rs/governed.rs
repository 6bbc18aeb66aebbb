// SPDX-License-Identifier: GPL-2.0

//! Passive and guided mode: a cpufreq governor chooses a level.

use core::marker::PhantomData;

use kernel::{
    cpufreq::flags,
    prelude::*,
    sync::ArcBorrow, //
};

use crate::asked::{Bounds, Question};
use crate::capabilities::Capabilities;
use crate::cpudata::{CpuData, Levels};
use crate::ext::{
    cppc,
    cpufreq::{Driver, Policy, Verify},
    processor::Feature, //
};
use crate::hal::Backend;
use crate::limits::Limits;
use crate::machine::Machine;
use crate::perf::{Khz, CAPACITY_SCALE};
use crate::trace;

/// How long a change takes where the tables do not say, in ns.
const TRANSITION_LATENCY_NS: u32 = 20_000;
/// How long governors leave between two changes where the tables do not say, in µs.
const TRANSITION_DELAY_US: u32 = 1000;
/// The same for processors that are faster (`X86_FEATURE_AMD_FAST_CPPC`).
const FAST_TRANSITION_DELAY_US: u32 = 600;

/// The driver of passive and guided mode.
pub(crate) struct Governed<B: Backend>(PhantomData<B>);

/// Answers to questions that are not the last one again. They are functions of their own, and call
/// nothing but at their end, so that neither they nor the usual case have registers to save.
impl<B: Backend> Governed<B> {
    #[inline(never)]
    fn switch_anew(policy: Policy<'_>, data: &CpuData<B>, target: u32) -> u32 {
        let question = Question::Frequency(target);
        let result = match data.known_limits(Bounds::of(policy)) {
            Some(limits) if !trace::is_enabled() => {
                data.answer(policy, question, limits, for_frequency(target))
            }
            _ => return Self::switch_anyway(policy, data, target),
        };
        // To the core, 0 is a frequency that was not set.
        result.map_or(0, |()| target)
    }

    #[cold]
    #[inline(never)]
    fn switch_anyway(policy: Policy<'_>, data: &CpuData<B>, target: u32) -> u32 {
        let question = Question::Frequency(target);
        data.answer_anyway(policy, question, for_frequency(target))
            .map_or(0, |()| target)
    }

    #[inline(never)]
    fn adjust_anew(
        policy: Policy<'_>,
        data: &CpuData<B>,
        min: usize,
        target: usize,
        capacity: usize,
    ) {
        let question = Question::Share {
            min,
            target,
            capacity,
        };
        // Nobody waits for the result; the next question tries again.
        let _ = match data.known_limits(Bounds::of(policy)) {
            Some(limits) if !trace::is_enabled() && capacity == CAPACITY_SCALE => {
                let levels = for_share(min, target, CAPACITY_SCALE);
                data.answer(policy, question, limits, levels)
            }
            _ => return Self::adjust_anyway(policy, data, min, target, capacity),
        };
    }

    #[cold]
    #[inline(never)]
    fn adjust_anyway(
        policy: Policy<'_>,
        data: &CpuData<B>,
        min: usize,
        target: usize,
        capacity: usize,
    ) {
        let question = Question::Share {
            min,
            target,
            capacity,
        };
        let _ = data.answer_anyway(policy, question, for_share(min, target, capacity));
    }
}

/// The levels for a frequency in kHz.
#[inline(always)]
fn for_frequency(target: u32) -> impl FnOnce(&Capabilities, Limits) -> Levels {
    move |caps, limits| Levels::within(limits, caps.scale.perf(Khz::new(target)))
}

/// The levels for a share of `capacity`, of which `min` is the least.
#[inline(always)]
fn for_share(
    min: usize,
    target: usize,
    capacity: usize,
) -> impl FnOnce(&Capabilities, Limits) -> Levels {
    move |caps, limits| {
        let highest = caps.levels.highest;
        let min = highest.share(min, capacity).max(limits.min_perf());
        let max = limits.max_perf().max(min);
        Levels::between(min, highest.share(target, capacity), max)
    }
}

#[vtable]
impl<B: Backend> Driver for Governed<B> {
    const NAME: &'static CStr = c"amd-pstate";
    const FLAGS: u16 = flags::CONST_LOOPS | flags::NEED_UPDATE_LIMITS;

    type Context = Machine;
    type Data = CpuData<B>;

    fn init(policy: Policy<'_>, machine: ArcBorrow<'_, Machine>) -> Result<Pin<KBox<Self::Data>>> {
        let cpu = policy.cpu()?;
        let data = KBox::pin(CpuData::<B>::new(cpu, machine)?, GFP_KERNEL)?;
        data.introduce(policy, &machine.settings.of(cpu))?;

        let latency_ns = cppc::transition_latency(cpu);
        let delay_us = if Feature::FAST_CPPC.present() {
            FAST_TRANSITION_DELAY_US
        } else {
            TRANSITION_DELAY_US
        };
        policy.set_transition_latency(latency_ns.unwrap_or(TRANSITION_LATENCY_NS));
        policy.set_transition_delay_us(latency_ns.map_or(delay_us, |ns| ns / 1000));
        policy.set_fast_switch_possible(B::FAST_SWITCH);
        // Firmware has not heard of the governor's first choice, be it the current frequency.
        policy.set_update_limits(true);
        Ok(data)
    }

    fn exit(policy: Policy<'_>, data: Pin<KBox<Self::Data>>) {
        policy.set_fast_switch_possible(false);
        data.keep_settings(policy);
    }

    fn verify(limits: &mut Verify<'_>, data: Option<&Self::Data>) -> Result {
        CpuData::verify(data, limits)
    }

    fn target(policy: Policy<'_>, data: &Self::Data, target: u32) -> Result {
        policy.transition(target, || data.target(policy, Khz::new(target)))
    }

    #[inline(always)]
    fn fast_switch(policy: Policy<'_>, data: &Self::Data, target: u32) -> u32 {
        if data.has_answered(policy, Question::Frequency(target)) {
            return target;
        }
        Self::switch_anew(policy, data, target)
    }

    #[inline(always)]
    fn adjust_perf(
        policy: Policy<'_>,
        data: &Self::Data,
        min: usize,
        target: usize,
        capacity: usize,
    ) {
        let question = Question::Share {
            min,
            target,
            capacity,
        };
        if !data.has_answered(policy, question) {
            Self::adjust_anew(policy, data, min, target, capacity);
        }
    }

    fn online(policy: Policy<'_>, data: &Self::Data) -> Result {
        // Nor does it remember the last one.
        policy.set_update_limits(true);
        data.wake()
    }

    fn offline(_policy: Policy<'_>, data: &Self::Data) -> Result {
        data.give_back()
    }

    fn suspend(_policy: Policy<'_>, data: &Self::Data) -> Result {
        data.suspend()
    }

    fn resume(policy: Policy<'_>, data: &Self::Data) -> Result {
        data.wake()?;
        // What the governor wanted last, until it wants something else.
        data.target(policy, Khz::new(policy.cur()))
    }

    fn set_boost(policy: Policy<'_>, data: &Self::Data, on: bool) -> Result {
        data.set_boost(policy, on)
    }

    fn update_limits(policy: Policy<'_>, data: &Self::Data) {
        data.update_ranking(policy);
    }
}
