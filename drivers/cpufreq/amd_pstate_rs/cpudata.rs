// SPDX-License-Identifier: GPL-2.0

//! What the driver keeps for each CPU: its capabilities, its limits, its last request.

use kernel::{
    cpu::CpuId,
    prelude::*,
    sync::{
        Arc,
        ArcBorrow, //
    },
};

use crate::asked::{Asked, Bounds, Question};
use crate::boost;
use crate::capabilities::Capabilities;
use crate::epp::Epp;
use crate::ext::{
    cpufreq::{
        self,
        Policy,
        Verify, //
    },
    volatile::Volatile,
};
use crate::floor::Floor;
use crate::hal::Backend;
use crate::limits::Limits;
use crate::machine::Machine;
use crate::perf::{Khz, Perf};
use crate::prefcore;
use crate::register::Request;
use crate::settings::Settings;
use crate::table;
use crate::takeover::Takeover;
use crate::trace::{self, Sample};

/// The driver's data of one policy, so of one CPU.
///
/// What the scheduler's path reads stands first, and the whole is aligned to a cache line: the
/// scheduler of each CPU writes to its own lines and to no other's.
#[repr(C, align(64))]
pub(crate) struct CpuData<B: Backend> {
    asked: Asked,
    /// The request that firmware has, as a raw [`Request`].
    request: Volatile<u64>,
    /// The limits of the policy's frequencies as levels, as raw [`Limits`]: those in `asked`, unless
    /// that is forgotten.
    limits: Volatile<u64>,
    /// What the CPU can do.
    pub(crate) caps: Capabilities,
    pub(crate) machine: Arc<Machine>,
    /// The rank among the preferred cores; higher is better.
    ranking: Volatile<u32>,
    /// Whether the CPU can go above its nominal level.
    boost: bool,
    /// Whether boost is on for this CPU, 1 or 0; something else while the core has not said.
    boost_on: Volatile<u32>,
    /// Whether the core's first wish for boost is to be turned down, 1 or 0.
    boost_held: Volatile<u32>,
    sample: Sample,
    /// The floor, on processors that have one. Given back before the rest is.
    floor: Option<Floor>,
    takeover: Takeover<B>,
}

impl<B: Backend> CpuData<B> {
    /// Reads what `cpu` can do and takes it over. On failure the CPU is as it was. May sleep.
    pub(crate) fn new(cpu: CpuId, machine: ArcBorrow<'_, Machine>) -> Result<Self> {
        let caps = table::read::<B>(cpu, machine.frequencies)
            .inspect_err(|refusal| pr_err!("{}\n", format_args!("{refusal}")))?;
        let boost = boost::is_available(cpu)?;
        let takeover = Takeover::<B>::new(cpu).inspect_err(|error| {
            pr_err!(
                "cpu{}: cannot be taken over ({})\n",
                cpu.as_u32(),
                error.to_errno()
            );
        })?;
        let floor = if machine.floor {
            Some(Floor::new(cpu, &caps)?)
        } else {
            None
        };

        Ok(Self {
            asked: Asked::nothing(),
            request: Volatile::new(takeover.found_request().into_raw()),
            limits: Volatile::new(Limits::default().into_raw()),
            caps,
            machine: machine.into(),
            ranking: Volatile::new(u32::from(caps.levels.firmware_highest.get())),
            boost,
            boost_on: Volatile::new(u32::MAX),
            boost_held: Volatile::new(0),
            sample: Sample::new(),
            floor,
            takeover,
        })
    }

    /// Describes the CPU to the core and has it start with the settings that users made before.
    /// May sleep.
    pub(crate) fn introduce(&self, policy: Policy<'_>, settings: &Settings) -> Result {
        policy.set_cpuinfo_min(self.caps.min_freq.get());
        policy.set_cpuinfo_max(self.first_max_freq(policy, settings).get());
        // A guess; the first choice of governor or firmware replaces it.
        policy.set_cur(self.caps.min_freq.get());
        policy.set_boost_supported(self.boost);

        settings.restore(policy);
        if let (Some(floor), Some(freq)) = (&self.floor, settings.floor) {
            floor.set(&self.caps, freq)?;
        }
        Ok(())
    }

    /// The highest frequency to start with: without boost where that is off.
    ///
    /// The core tells a new policy to boost if boost is on for all CPUs together; a user may have
    /// had it off for this one.
    fn first_max_freq(&self, policy: Policy<'_>, settings: &Settings) -> Khz {
        if !cpufreq::boost_is_on(policy) {
            return self.nominal_freq();
        }
        let held = settings.boost == Some(false);
        self.boost_held.set(u32::from(held));
        if held {
            self.nominal_freq()
        } else {
            self.max_freq()
        }
    }

    /// Keeps what users set, for the policy that may follow this one. May sleep.
    pub(crate) fn keep_settings(&self, policy: Policy<'_>) {
        if !policy.was_ready() {
            // It ends because it could not be made: users have set nothing yet.
            return;
        }
        self.machine.settings.update(self.cpu(), |settings| {
            settings.collect(policy);
            settings.boost = match self.boost_on.get() {
                0 => Some(false),
                1 => Some(true),
                _ => settings.boost,
            };
            settings.floor = self.floor.as_ref().and_then(Floor::chosen);
        });
    }

    pub(crate) fn cpu(&self) -> CpuId {
        self.takeover.cpu()
    }

    /// The highest frequency that can be had: with boost where the CPU has it.
    pub(crate) fn max_freq(&self) -> Khz {
        if self.boost {
            self.caps.max_freq
        } else {
            self.nominal_freq()
        }
    }

    /// The highest frequency that can be had without boost.
    fn nominal_freq(&self) -> Khz {
        self.caps.nominal_freq.min(self.caps.max_freq)
    }

    /// The highest level that can be had.
    pub(crate) fn max_perf(&self) -> Perf {
        if self.boost {
            self.caps.levels.highest
        } else {
            self.caps.levels.nominal.min(self.caps.levels.highest)
        }
    }

    /// The rank among the preferred cores; higher is better.
    pub(crate) fn ranking(&self) -> u32 {
        self.ranking.get()
    }

    /// Learns the rank anew, after a notice from firmware. May sleep.
    pub(crate) fn update_ranking(&self, policy: Policy<'_>) {
        if !self.machine.prefcore {
            return;
        }
        let Some(ranking) = prefcore::ranking(self.cpu()) else {
            return;
        };
        if ranking != self.ranking.get() {
            self.ranking.set(ranking);
            policy.notify(c"amd_pstate_prefcore_ranking");
        }
    }

    /// The CPU's floor, if it has one.
    pub(crate) fn floor(&self) -> Option<&Floor> {
        self.floor.as_ref()
    }

    /// The lowest level that firmware was set up to keep to, if it was.
    pub(crate) fn firmware_min(&self) -> Option<Perf> {
        match self.takeover.found_request().min() {
            Perf::ZERO => None,
            level => Some(level),
        }
    }

    /// The energy preference that firmware had.
    pub(crate) fn firmware_epp(&self) -> Epp {
        self.takeover.found_request().epp()
    }

    /// Corrects limits that somebody wants. The lowest frequency that a policy gets by itself is the
    /// one that firmware was set up to keep to, or else the one below which slower saves nothing.
    pub(crate) fn verify(data: Option<&Self>, limits: &mut Verify<'_>) -> Result {
        if limits.is_min_default() {
            let data = data.ok_or(EINVAL)?;
            let min = match data.firmware_min() {
                Some(level) => data.caps.scale.freq(level),
                None => data.caps.lowest_nonlinear_freq,
            };
            limits.set_min(min.get());
        }
        limits.bound_to_cpu();
        Ok(())
    }

    /// The request that firmware has.
    pub(crate) fn last_request(&self) -> Request {
        Request::from_raw(self.request.get())
    }

    /// Notes a request that was made, whatever the scheduler asked last.
    fn note_request(&self, request: Request) {
        self.request.set(request.into_raw());
        self.asked.forget();
    }

    /// The levels of the limits `bounds`, if the scheduler's last question was asked within them.
    #[inline(always)]
    pub(crate) fn known_limits(&self, bounds: Bounds) -> Option<Limits> {
        self.asked
            .was_within(bounds)
            .then(|| Limits::from_raw(self.limits.get()))
    }

    /// The levels of the limits `bounds`.
    pub(crate) fn limits(&self, bounds: Bounds) -> Limits {
        let scale = &self.caps.scale;
        let limits = Limits::new(scale.perf(bounds.min), scale.perf(bounds.max));
        // The word is no longer that of the last question's limits, whether or not this comes to a
        // request.
        self.asked.forget();
        self.limits.set(limits.into_raw());
        limits
    }

    /// Whether `question` is the scheduler's last one again, so that firmware has the answer.
    ///
    /// Never while somebody traces: those want to see each.
    #[inline(always)]
    pub(crate) fn has_answered(&self, policy: Policy<'_>, question: Question) -> bool {
        !trace::is_enabled()
            && self
                .asked
                .is(question, self.machine.guided(), Bounds::of(policy))
    }

    /// Answers a question of the scheduler on the CPU that runs this, within [known
    /// limits](Self::known_limits) and while nobody traces: with what `levels` makes of `limits`.
    ///
    /// An answer that fails is not noted, so that the next question tries again.
    #[inline(always)]
    pub(crate) fn answer(
        &self,
        policy: Policy<'_>,
        question: Question,
        limits: Limits,
        levels: impl FnOnce(&Capabilities, Limits) -> Levels,
    ) -> Result {
        self.answer_and(policy, question, limits, levels, |_| ())
    }

    /// The same in all other cases, which are seldom.
    #[inline(always)]
    pub(crate) fn answer_anyway(
        &self,
        policy: Policy<'_>,
        question: Question,
        levels: impl FnOnce(&Capabilities, Limits) -> Levels,
    ) -> Result {
        let bounds = Bounds::of(policy);
        self.answer_and(policy, question, self.limits(bounds), levels, |request| {
            self.sample.tell_choice(self.cpu(), request, true);
            self.tell_request(request);
        })?;
        self.asked.note_bounds(bounds);
        Ok(())
    }

    #[inline(always)]
    fn answer_and(
        &self,
        policy: Policy<'_>,
        question: Question,
        limits: Limits,
        levels: impl FnOnce(&Capabilities, Limits) -> Levels,
        tell: impl FnOnce(Request),
    ) -> Result {
        let guided = self.machine.guided();
        let levels = levels(&self.caps, limits);
        let last = self.last_request();
        // A governor that asks from within the scheduler changes its mind all the time.
        let request = levels.request(last, guided != 0);
        tell(request);
        if request != last {
            B::send_here(request)?;
            self.request.set(request.into_raw());
        }
        policy.set_cur(self.caps.scale.freq(levels.desired).get());
        self.asked.note(question, guided);
        Ok(())
    }

    /// Takes the policy's CPU to frequency `target`, within the policy's limits. May sleep.
    pub(crate) fn target(&self, policy: Policy<'_>, target: Khz) -> Result {
        let levels = Levels::within(
            self.limits(Bounds::of(policy)),
            self.caps.scale.perf(target),
        );
        let guided = self.machine.guided() != 0 && policy.governor_is_dynamic();
        let request = levels.request(self.last_request(), guided);
        if trace::is_enabled() {
            self.sample.tell_choice(self.cpu(), request, false);
        }
        self.send(request)?;
        policy.set_cur(self.caps.scale.freq(levels.desired).get());
        Ok(())
    }

    /// Makes a request from any CPU, if it is not the one that firmware has. May sleep.
    pub(crate) fn send(&self, request: Request) -> Result {
        if trace::is_enabled() {
            self.tell_request(request);
        }
        if request != self.last_request() {
            B::send(self.cpu(), request)?;
        }
        self.note_request(request);
        Ok(())
    }

    #[cold]
    fn tell_request(&self, request: Request) {
        trace::tell_request(
            self.cpu(),
            self.caps.levels.highest,
            request,
            self.boost_on.get() == 1,
            request != self.last_request(),
        );
    }

    /// Leaves firmware with its own minimum while the system sleeps: if another kernel wakes up in
    /// this one's place, it finds what firmware was set up to keep to. May sleep.
    pub(crate) fn suspend(&self) -> Result {
        self.send(
            self.last_request()
                .with_min(self.takeover.found_request().min()),
        )?;
        self.give_floor_back()
    }

    /// Has firmware follow requests again after the CPU was without power, when it may have
    /// forgotten everything, and learns which request it has now. May sleep.
    pub(crate) fn wake(&self) -> Result {
        self.note_request(self.takeover.renew()?);
        match &self.floor {
            Some(floor) => floor.wake(&self.caps),
            None => Ok(()),
        }
    }

    /// Puts everything back as it was found, while the CPU is offline. May sleep.
    pub(crate) fn give_back(&self) -> Result {
        // One after the other, whatever fails: the CPU is to be as it was as far as it can be.
        let floor = self.give_floor_back();
        let rest = self.takeover.give_back();
        self.note_request(self.takeover.found_request());
        rest.and(floor)
    }

    fn give_floor_back(&self) -> Result {
        self.floor.as_ref().map_or(Ok(()), Floor::give_back)
    }

    /// Allows or forbids boost. May sleep.
    pub(crate) fn set_boost(&self, policy: Policy<'_>, on: bool) -> Result {
        if !self.boost {
            return Err(EOPNOTSUPP);
        }
        let on = on && self.boost_held.get() == 0;
        self.boost_held.set(0);
        self.boost_on.set(u32::from(on));
        policy.set_boost_enabled(on);

        let max = if on {
            self.max_freq()
        } else {
            self.nominal_freq()
        };
        policy.set_cpuinfo_max(max.get());
        policy.refresh_limits();
        Ok(())
    }
}

/// The levels of a governor's choice.
#[derive(Clone, Copy)]
pub(crate) struct Levels {
    min: Perf,
    desired: Perf,
    max: Perf,
}

impl Levels {
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

    /// The request for these levels; what else `last` holds stays. Guided, it has only the lower
    /// bound, from which firmware goes on by itself.
    #[inline(always)]
    fn request(self, last: Request, guided: bool) -> Request {
        let (min, desired) = if guided {
            (self.desired, Perf::ZERO)
        } else {
            (self.min, self.desired)
        };
        // All for performance: the governor has weighed energy already.
        last.with_levels(min, desired, self.max, Epp::PERFORMANCE)
    }
}

/// Data of a driver that has a [`CpuData`] in it.
pub(crate) trait HasCpu: Send + Sync + 'static {
    /// The backend.
    type Backend: Backend;

    /// The CPU's data.
    fn cpu_data(&self) -> &CpuData<Self::Backend>;
}

impl<B: Backend> HasCpu for CpuData<B> {
    type Backend = B;

    fn cpu_data(&self) -> &Self {
        self
    }
}
