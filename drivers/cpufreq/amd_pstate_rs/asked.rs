// SPDX-License-Identifier: GPL-2.0

//! What the scheduler asked of a CPU last.
//!
//! Most of its questions are the last one again. Recognising it costs a handful of comparisons;
//! answering it again would cost all the arithmetic to arrive at a request that firmware already
//! has.

use crate::ext::{
    cpufreq::Policy,
    volatile::Volatile, //
};
use crate::perf::Khz;

/// The limits of a policy as its frequencies.
///
/// They are read once for each question and then passed on: the core may change them meanwhile, and
/// what is noted must be what was answered.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) min: Khz,
    pub(crate) max: Khz,
}

impl Bounds {
    /// Of `policy`, now.
    #[inline(always)]
    pub(crate) fn of(policy: Policy<'_>) -> Self {
        Self {
            min: Khz::new(policy.min()),
            max: Khz::new(policy.max()),
        }
    }
}

/// A question of the scheduler.
#[derive(Clone, Copy)]
pub(crate) enum Question {
    /// `fast_switch`: a frequency in kHz.
    Frequency(u32),
    /// `adjust_perf`: a minimum and a target, as parts of a capacity.
    Share {
        min: usize,
        target: usize,
        capacity: usize,
    },
}

impl Question {
    /// A bit of the third word that no capacity has, for questions of the first kind.
    const FREQUENCY: usize = 1 << 31;

    /// The question in three words.
    #[inline(always)]
    const fn words(self) -> [usize; 3] {
        match self {
            Self::Frequency(khz) => [khz as usize, 0, Self::FREQUENCY],
            Self::Share {
                min,
                target,
                capacity,
            } => [target, min, capacity],
        }
    }
}

/// The last question that was answered, and the policy's limits at the time.
///
/// Only the CPU that it is about asks and notes, one question at a time. Whoever else changes what
/// firmware has been asked for calls [`Asked::forget`], while the scheduler does not ask.
pub(crate) struct Asked {
    words: [Volatile<usize>; 3],
    min: Volatile<u32>,
    max: Volatile<u32>,
}

impl Asked {
    /// A maximum that no policy has: theirs end at [`Khz::HIGHEST`].
    const NOTHING: u32 = u32::MAX;

    /// Nothing was asked yet.
    pub(crate) const fn nothing() -> Self {
        Self {
            words: [const { Volatile::new(0) }; 3],
            min: Volatile::new(0),
            max: Volatile::new(Self::NOTHING),
        }
    }

    /// Whether this is the last question again, in the same mode and under the same limits. `mode`
    /// is a bit that no capacity has, or none.
    #[inline(always)]
    pub(crate) fn is(&self, question: Question, mode: u32, bounds: Bounds) -> bool {
        let [a, b, c] = question.words();
        let [last_a, last_b, last_c] = &self.words;

        last_a.get() == a
            && self.was_within(bounds)
            && last_c.get() == c | mode as usize
            && last_b.get() == b
    }

    /// Whether the limits are those of the last question.
    #[inline(always)]
    pub(crate) fn was_within(&self, bounds: Bounds) -> bool {
        self.min.get() == bounds.min.get() && self.max.get() == bounds.max.get()
    }

    /// Notes a question that has been answered, within the limits of the one before.
    #[inline(always)]
    pub(crate) fn note(&self, question: Question, mode: u32) {
        let [a, b, c] = question.words();
        let [last_a, last_b, last_c] = &self.words;

        last_a.set(a);
        last_b.set(b);
        last_c.set(c | mode as usize);
    }

    /// Notes that it was within other limits.
    #[inline(always)]
    pub(crate) fn note_bounds(&self, bounds: Bounds) {
        self.min.set(bounds.min.get());
        self.max.set(bounds.max.get());
    }

    /// Whatever is asked next is a new question.
    pub(crate) fn forget(&self) {
        self.max.set(Self::NOTHING);
    }
}
