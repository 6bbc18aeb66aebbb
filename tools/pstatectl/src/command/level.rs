// SPDX-License-Identifier: GPL-2.0
//! A performance level with its frequency.

use cpufreq_sysfs::{KiloHertz, Perf};
use serde::Serialize;

/// One level; `None` for what the machine does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Level {
    /// As CPPC counts.
    pub perf: Option<Perf>,
    /// The frequency that it stands for, kHz.
    #[serde(rename = "khz")]
    pub freq: Option<KiloHertz>,
}
