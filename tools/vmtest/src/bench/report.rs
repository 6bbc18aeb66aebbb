// SPDX-License-Identifier: GPL-2.0
//! All that one run of the benchmark found.

use anyhow::{Context, Result};
use serde::Serialize;

use super::figure::{per_call, Figure};
use super::gap::{self, Gaps};
use super::measure::Measure;
use super::pattern::Pattern;
use super::subject::{Setting, Subject};

/// The figures in one setting.
#[derive(Debug, Serialize)]
pub struct Group {
    /// How the drivers were set up.
    #[serde(flatten)]
    pub setting: Setting,
    /// What each pattern costs.
    pub figures: Vec<Figure>,
}

/// What was found. Everything is of the virtual machine.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Release of the kernel.
    pub kernel: String,
    /// What the machine is.
    pub platform: String,
    /// Instructions of the loop around the calls, for each call. In no other figure.
    pub empty_loop: f64,
    /// The figures, setting by setting.
    pub groups: Vec<Group>,
    /// How long the machine is without a driver while the mode changes.
    pub without_driver_ms: Gaps,
}

impl Report {
    /// Measures everything, each driver one after the other.
    ///
    /// # Errors
    ///
    /// When something cannot be measured, or two runs do not agree.
    pub fn measure(measure: &mut Measure<'_>) -> Result<Self> {
        let c = measure.twice(Subject::C, &Setting::ALL)?;
        let c_gap = gap::shortest_ms(measure.machine(), "amd_pstate")?;
        let nothing = measure.twice(Subject::Nothing, &[Setting::USUAL])?;
        let nothing = nothing.first().context("no run of the empty driver")?;
        let module = measure.twice(Subject::Module, &Setting::ALL)?;
        let module_gap = gap::shortest_ms(measure.machine(), "amd_pstate_rs")?;

        let groups = Setting::ALL.into_iter().zip(c.iter().zip(&module));
        let empty = nothing.of(Pattern::EmptyLoop);
        let m = measure.machine();
        Ok(Self {
            kernel: m.release().to_owned(),
            platform: m.platform().description().to_owned(),
            empty_loop: per_call(Pattern::EmptyLoop, empty).instructions,
            groups: groups
                .map(|(setting, (c, module))| Group {
                    setting,
                    figures: Figure::all(nothing, c, module),
                })
                .collect(),
            without_driver_ms: Gaps {
                c: c_gap,
                module: module_gap,
            },
        })
    }
}
