// SPDX-License-Identifier: GPL-2.0
//! What the scheduler's path costs, against the C driver on the same machine.

use anyhow::{ensure, Context, Result};

use super::{Boot, Scenario, C_DRIVER_ON};
use crate::bench::{exceeded, written_more, Figure, Measure, Setting, Subject};
use crate::machine::Machine;

pub const SCENARIOS: &[Scenario] = &[Scenario {
    about: "the scheduler's path costs less than the C driver's, and writes no more often",
    // The C driver is switched on and off, which it can be only on a machine of its own.
    shared: false,
    run: fast_path_is_cheap,
    ..Scenario::new(
        "bench-bounds",
        Boot {
            platform: "zen3-uniform",
            counting: true,
            ..C_DRIVER_ON
        },
    )
}];

fn fast_path_is_cheap(m: &mut Machine) -> Result<()> {
    let settings = [
        Setting::USUAL,
        Setting {
            boost: false,
            ..Setting::USUAL
        },
    ];
    let mut measure = Measure::new(m);
    let c = measure.once(Subject::C, &settings)?;
    let nothing = measure.once(Subject::Nothing, &[Setting::USUAL])?;
    let nothing = nothing.first().context("no run of the empty driver")?;
    let module = measure.once(Subject::Module, &settings)?;

    let mut found = Vec::new();
    for (setting, (c, module)) in settings.into_iter().zip(c.iter().zip(&module)) {
        let figures = Figure::all(nothing, c, module);
        let broken = exceeded(&figures).into_iter().chain(written_more(&figures));
        found.extend(broken.map(|broken| format!("{}: {broken}", setting.describe())));
    }
    ensure!(found.is_empty(), "{}", found.join("\n"));
    Ok(())
}
