// SPDX-License-Identifier: GPL-2.0

//! Passive and guided mode: a cpufreq governor chooses a level.

use core::marker::PhantomData;

use kernel::{
    cpufreq::flags,
    prelude::*,
    sync::ArcBorrow, //
};

use crate::asked::Question;
use crate::cpudata::{CpuData, Levels};
use crate::ext::cpufreq::{Driver, Policy, Verify};
use crate::hal::Backend;
use crate::machine::Machine;
use crate::perf::Khz;

/// The driver of passive and guided mode.
pub(crate) struct Governed<B: Backend>(PhantomData<B>);

/// Answers to questions that are not the last one again. They are functions of their own so that the
/// usual case has no registers to save for them.
impl<B: Backend> Governed<B> {
    #[inline(never)]
    fn switch_anew(policy: Policy<'_>, data: &CpuData<B>, target: u32) {
        data.answer(policy, Question::Frequency(target), |caps, limits| {
            Levels::within(limits, caps.scale.perf(Khz::new(target)))
        });
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
        data.answer(policy, question, |caps, limits| {
            let highest = caps.levels.highest;
            let min = highest.share(min, capacity).max(limits.min_perf());
            let max = limits.max_perf().max(min);
            Levels::between(min, highest.share(target, capacity), max)
        });
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
        policy.set_fast_switch_possible(B::FAST_SWITCH);
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
        if !data.has_answered(policy, Question::Frequency(target)) {
            Self::switch_anew(policy, data, target);
        }
        target
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

    fn online(_policy: Policy<'_>, data: &Self::Data) -> Result {
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

    fn update_limits(_policy: Policy<'_>, data: &Self::Data) {
        data.update_ranking();
    }
}
