// SPDX-License-Identifier: GPL-2.0

//! What the scheduler asked of a CPU last.
//!
//! Most of its questions are the last one again. Recognising it costs a handful of comparisons;
//! answering it again would cost all the arithmetic to arrive at a request that firmware already
//! has.

use crate::ext::volatile::Volatile;
use crate::perf::Khz;

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
    /// The question in three words, and the flag that tells the kinds apart.
    #[inline(always)]
    const fn words(self) -> ([usize; 3], u32) {
        match self {
            Self::Frequency(khz) => ([khz as usize, 0, 0], Asked::FREQUENCY),
            Self::Share {
                min,
                target,
                capacity,
            } => ([target, min, capacity], 0),
        }
    }
}

/// The last question that was answered, and the policy's limits at the time.
///
/// Only the CPU that it is about asks and notes, one question at a time. Whoever else changes what
/// firmware has been asked for calls [`Asked::forget`], while the scheduler does not ask.
pub(crate) struct Asked {
    min: Volatile<u32>,
    /// With flags for the kind of the question and for the mode.
    max: Volatile<u32>,
    words: [Volatile<usize>; 3],
}

impl Asked {
    /// A bit that no frequency has: those of policies end at [`Khz::HIGHEST`].
    const FREQUENCY: u32 = 1 << 31;
    /// A maximum that no policy has.
    const NOTHING: u32 = u32::MAX;

    /// Nothing was asked yet.
    pub(crate) const fn nothing() -> Self {
        Self {
            min: Volatile::new(0),
            max: Volatile::new(Self::NOTHING),
            words: [const { Volatile::new(0) }; 3],
        }
    }

    /// Whether this is the last question again, in the same mode and under the same limits.
    #[inline(always)]
    pub(crate) fn is(&self, question: Question, mode: u32, min: Khz, max: Khz) -> bool {
        let ([a, b, c], kind) = question.words();
        let [last_a, last_b, last_c] = &self.words;

        last_a.get() == a
            && self.min.get() == min.get()
            && self.max.get() == max.get() | kind | mode
            && last_b.get() == b
            && last_c.get() == c
    }

    /// Notes a question that has been answered.
    #[inline(always)]
    pub(crate) fn note(&self, question: Question, mode: u32, min: Khz, max: Khz) {
        let (words, kind) = question.words();

        self.min.set(min.get());
        self.max.set(max.get() | kind | mode);
        for (last, word) in self.words.iter().zip(words) {
            last.set(word);
        }
    }

    /// Whatever is asked next is a new question.
    pub(crate) fn forget(&self) {
        self.max.set(Self::NOTHING);
    }
}
