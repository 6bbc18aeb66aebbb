// SPDX-License-Identifier: GPL-2.0

//! What the driver keeps for each CPU: its capabilities, its limits, its last request.

use kernel::{
    cpu::CpuId,
    prelude::*, //
};

use crate::asked::{Asked, Question};
use crate::boost;
use crate::capabilities::Capabilities;
use crate::ext::{
    cpufreq::Policy,
    volatile::Volatile, //
};
use crate::hal::Backend;
use crate::limits::Limits;
use crate::perf::{Khz, Perf};
use crate::register::Request;
use crate::table;

/// The driver's data of one policy, so of one CPU.
///
/// What the scheduler's path reads stands first, and the whole is aligned to a cache line: the
/// scheduler of each CPU writes to its own lines and to no other's.
#[repr(C, align(64))]
pub(crate) struct CpuData<B: Backend> {
    asked: Asked,
    /// The request that firmware has, as a raw [`Request`].
    request: Volatile<u64>,
    /// The policy's limits as levels, as raw [`Limits`].
    limits: Volatile<u64>,
    /// What the CPU can do.
    pub(crate) caps: Capabilities,
    /// The rank among the preferred cores; higher is better.
    ranking: Volatile<u32>,
    /// Whether the CPU can go above its nominal level.
    boost: bool,
    cpu: CpuId,
    found: B::Found,
}

impl<B: Backend> CpuData<B> {
    /// Reads what `cpu` can do and takes it over. On failure the CPU is as it was.
    pub(crate) fn new(cpu: CpuId) -> Result<KBox<Self>> {
        let caps = table::read::<B>(cpu)?;
        let boost = boost::is_available(cpu)?;
        // Room first: nothing is left to fail once the CPU is taken over.
        let room = KBox::<Self>::new_uninit(GFP_KERNEL)?;
        let found = B::take_over(cpu)?;

        Ok(KBox::write(
            room,
            Self {
                asked: Asked::nothing(),
                request: Volatile::new(B::found_request(&found).into_raw()),
                limits: Volatile::new(Limits::default().into_raw()),
                caps,
                ranking: Volatile::new(u32::from(caps.levels.firmware_highest.get())),
                boost,
                cpu,
                found,
            },
        ))
    }

    /// The highest frequency that can be had: with boost where the CPU has it.
    pub(crate) fn max_freq(&self) -> Khz {
        if self.boost {
            self.caps.max_freq
        } else {
            self.caps.nominal_freq.min(self.caps.max_freq)
        }
    }

    /// The highest level that can be had.
    pub(crate) fn max_perf(&self) -> Perf {
        if self.boost {
            self.caps.levels.highest
        } else {
            self.caps.levels.nominal.min(self.caps.levels.highest)
        }
    }

    /// Whether the CPU can go above its nominal level.
    pub(crate) fn has_boost(&self) -> bool {
        self.boost
    }

    /// The rank among the preferred cores; higher is better.
    pub(crate) fn ranking(&self) -> u32 {
        self.ranking.get()
    }

    /// Notes a new rank.
    pub(crate) fn set_ranking(&self, ranking: u32) {
        self.ranking.set(ranking);
    }

    /// The lowest frequency that a policy gets by itself: the one that firmware was set up to keep
    /// to, or else the one below which slower saves nothing.
    pub(crate) fn default_min_freq(&self) -> Khz {
        match self.found_request().min() {
            Perf::ZERO => self.caps.lowest_nonlinear_freq,
            level => self.caps.scale.freq(level),
        }
    }

    fn found_request(&self) -> Request {
        B::found_request(&self.found)
    }

    fn last_request(&self) -> Request {
        Request::from_raw(self.request.get())
    }

    /// Notes a request that was made, whatever the scheduler asked last.
    fn note_request(&self, request: Request) {
        self.request.set(request.into_raw());
        self.asked.forget();
    }

    /// The limits `min` and `max` of the policy as levels.
    #[inline(always)]
    fn limits(&self, min: Khz, max: Khz) -> Limits {
        let limits = Limits::from_raw(self.limits.get());
        if limits.are_of(min, max) {
            return limits;
        }
        let scale = &self.caps.scale;
        let limits = Limits::new(min, max, scale.perf(min), scale.perf(max));
        self.limits.set(limits.into_raw());
        limits
    }

    /// Answers a question of the scheduler on the CPU that runs this: by nothing if it is the last
    /// one again, and else by the levels that `levels` makes of the policy's limits.
    ///
    /// A write that faults is not reported, for nobody waits for it. It is not noted either, so that
    /// the next question tries again.
    #[inline(always)]
    pub(crate) fn answer(
        &self,
        policy: Policy<'_>,
        question: Question,
        levels: impl FnOnce(&Capabilities, Limits) -> Levels,
    ) {
        let (min, max) = (Khz::new(policy.min()), Khz::new(policy.max()));
        if self.asked.is(question, min, max) {
            return;
        }
        let levels = levels(&self.caps, self.limits(min, max));
        let last = self.last_request();
        let request = levels.request(last);

        policy.set_cur(self.caps.scale.freq(levels.desired).get());
        if request != last {
            if B::send_here(request).is_err() {
                return;
            }
            self.request.set(request.into_raw());
        }
        self.asked.note(question, min, max);
    }

    /// Asks for these levels from any CPU, if that is not what firmware has. May sleep.
    fn send(&self, levels: Levels) -> Result {
        let last = self.last_request();
        let request = levels.request(last);
        if request != last {
            B::send(self.cpu, request)?;
        }
        self.note_request(request);
        Ok(())
    }

    /// Takes the policy's CPU to frequency `target`, within the policy's limits. May sleep.
    pub(crate) fn target(&self, policy: Policy<'_>, target: Khz) -> Result {
        let limits = self.limits(Khz::new(policy.min()), Khz::new(policy.max()));
        let levels = Levels::within(limits, self.caps.scale.perf(target));

        policy.set_cur(self.caps.scale.freq(levels.desired).get());
        self.send(levels)
    }

    /// Leaves firmware with its own minimum while the system sleeps: if another kernel wakes up in
    /// this one's place, it finds what firmware was set up to keep to. May sleep.
    pub(crate) fn suspend(&self) -> Result {
        let last = self.last_request();
        let request = last.with_min(self.found_request().min());
        if request != last {
            B::send(self.cpu, request)?;
        }
        self.note_request(request);
        Ok(())
    }

    /// Has firmware follow requests again after the CPU was without power, when it may have
    /// forgotten everything, and learns which request it has now. May sleep.
    pub(crate) fn wake(&self) -> Result {
        B::enable(self.cpu)?;
        self.note_request(B::request(self.cpu)?);
        Ok(())
    }

    /// Puts everything back as it was found. May sleep.
    pub(crate) fn give_back(&self) -> Result {
        B::give_back(self.cpu, &self.found)?;
        self.note_request(self.found_request());
        Ok(())
    }
}

/// The levels of a request of a governor.
#[derive(Clone, Copy)]
pub(crate) struct Levels {
    pub(crate) min: Perf,
    pub(crate) desired: Perf,
    pub(crate) max: Perf,
}

impl Levels {
    /// The energy preference that goes with a governor's choice: all performance, since the
    /// governor has weighed energy already.
    const EPP: u8 = 0;

    /// `desired`, within limits.
    #[inline(always)]
    pub(crate) fn within(limits: Limits, desired: Perf) -> Self {
        Self::between(limits.min_perf(), desired, limits.max_perf())
    }

    /// `desired`, within `min` and `max`.
    #[inline(always)]
    pub(crate) fn between(min: Perf, desired: Perf, max: Perf) -> Self {
        Self {
            min,
            desired: desired.bounded(min, max),
            max,
        }
    }

    /// The request with these levels; whatever else `last` holds stays.
    #[inline(always)]
    fn request(self, last: Request) -> Request {
        last.with_levels(self.min, self.desired, self.max, Self::EPP)
    }
}
