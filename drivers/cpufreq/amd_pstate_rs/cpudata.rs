// SPDX-License-Identifier: GPL-2.0

//! What the driver keeps for each CPU: its capabilities, its limits, its last request.

use kernel::{
    cpu::CpuId,
    prelude::*,
    sync::atomic::{
        Atomic,
        Relaxed, //
    },
};

use crate::boost;
use crate::capabilities::Capabilities;
use crate::ext::cpufreq::Policy;
use crate::hal::Backend;
use crate::limits::Limits;
use crate::perf::{Khz, Perf};
use crate::register::Request;
use crate::table;

/// The driver's data of one policy, so of one CPU.
///
/// Aligned to a cache line: the scheduler of each CPU writes to its own and to no other.
#[repr(align(64))]
pub(crate) struct CpuData<B: Backend> {
    /// The request that firmware has, as a raw [`Request`].
    request: Atomic<u64>,
    /// The policy's limits as levels, as raw [`Limits`].
    limits: Atomic<u64>,
    /// What the CPU can do.
    pub(crate) caps: Capabilities,
    /// Whether the CPU can go above its nominal level.
    boost: bool,
    /// The rank among the preferred cores; higher is better.
    ranking: Atomic<u32>,
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
                request: Atomic::new(B::found_request(&found).into_raw()),
                limits: Atomic::new(Limits::default().into_raw()),
                caps,
                boost,
                ranking: Atomic::new(u32::from(caps.levels.firmware_highest.get())),
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
            self.caps.nominal_freq
        }
    }

    /// The highest level that can be had.
    pub(crate) fn max_perf(&self) -> Perf {
        if self.boost {
            self.caps.levels.highest
        } else {
            self.caps.levels.nominal
        }
    }

    /// Whether the CPU can go above its nominal level.
    pub(crate) fn has_boost(&self) -> bool {
        self.boost
    }

    /// The rank among the preferred cores; higher is better.
    pub(crate) fn ranking(&self) -> u32 {
        self.ranking.load(Relaxed)
    }

    /// Notes a new rank and says whether it differs from the old one.
    pub(crate) fn set_ranking(&self, ranking: u32) -> bool {
        self.ranking.xchg(ranking, kernel::sync::atomic::Full) != ranking
    }

    /// The lowest frequency that a policy gets by itself: the one that firmware was set up to keep
    /// to, or else the one below which slower saves nothing.
    pub(crate) fn default_min_freq(&self) -> Khz {
        match self.found_request().min().get() {
            0 => self.caps.lowest_nonlinear_freq,
            level => self.caps.scale.freq(Perf::new(level as u8)),
        }
    }

    fn found_request(&self) -> Request {
        B::found_request(&self.found)
    }

    fn last_request(&self) -> Request {
        Request::from_raw(self.request.load(Relaxed))
    }

    fn note_request(&self, request: Request) {
        self.request.store(request.into_raw(), Relaxed);
    }

    /// The limits of `policy` as levels.
    #[inline(always)]
    pub(crate) fn limits(&self, policy: Policy<'_>) -> Limits {
        let (min, max) = (Khz::new(policy.min()), Khz::new(policy.max()));
        let limits = Limits::from_raw(self.limits.load(Relaxed));
        if limits.are_of(min, max) {
            return limits;
        }
        self.new_limits(min, max)
    }

    /// Out of line: limits change so seldom that their arithmetic should not stand in the path.
    #[cold]
    fn new_limits(&self, min: Khz, max: Khz) -> Limits {
        let scale = &self.caps.scale;
        let limits = Limits::new(min, max, scale.perf(min), scale.perf(max));
        self.limits.store(limits.into_raw(), Relaxed);
        limits
    }

    /// Asks for these levels on the CPU that runs this, if that is not what firmware has.
    ///
    /// A fault is not reported, for nobody waits for it; the next request tries again.
    #[inline(always)]
    pub(crate) fn send_here(&self, min: Perf, desired: Perf, max: Perf, epp: u8) {
        let last = self.last_request();
        let request = last.with_levels(min, desired, max, epp);
        if request != last && B::send_here(request).is_ok() {
            self.note_request(request);
        }
    }

    /// Asks for these levels from any CPU, if that is not what firmware has. May sleep.
    pub(crate) fn send(&self, min: Perf, desired: Perf, max: Perf, epp: u8) -> Result {
        let last = self.last_request();
        let request = last.with_levels(min, desired, max, epp);
        if request == last {
            return Ok(());
        }
        B::send(self.cpu, request)?;
        self.note_request(request);
        Ok(())
    }

    /// Leaves firmware with its own minimum while the system sleeps: if another kernel wakes up in
    /// this one's place, it finds what firmware was set up to keep to. May sleep.
    pub(crate) fn suspend(&self) -> Result {
        let request = self.last_request().with_min(self.found_request().min());
        B::send(self.cpu, request)?;
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
