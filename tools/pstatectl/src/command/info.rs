// SPDX-License-Identifier: GPL-2.0
//! `info`: driver, mode, capabilities, limits and ranking of all CPUs on one screen.

mod cpu_view;
mod group;
mod layout;
mod machine;

use cpufreq_sysfs::{CpuSelection, Presence};
use serde_json::{json, Map};

use self::cpu_view::CpuView;
use self::machine::Machine;
use super::Answer;
use crate::context::Context;
use crate::problem::Problems;

/// Collects the answer; without a selection it is about every CPU.
pub fn answer(
    selection: Option<&CpuSelection>,
    context: &Context,
    problems: &mut Problems,
) -> Answer {
    let all = CpuSelection::All;
    let selection = selection.unwrap_or(&all);
    let cpus = match context.resolve(selection) {
        Ok(cpus) => cpus,
        Err(problem) => {
            problems.add(problem);
            return Answer::default();
        }
    };
    let named = *selection != CpuSelection::All;
    let mut machine = Machine::collect(context, problems);
    let mut views = Vec::new();
    for cpu in cpus.iter() {
        match context.presence(cpu, named, problems) {
            Some(Presence::Online) => {
                views.push(CpuView::collect(cpu, machine.mode(), context, problems))
            }
            Some(Presence::Offline) => machine.offline.push(cpu),
            _ => {}
        }
    }
    machine.online = views.iter().map(|view| view.cpu).collect();
    Answer {
        text: layout::text(&machine, &views),
        json: Map::from_iter([
            ("machine".to_owned(), machine.json()),
            ("cpus".to_owned(), json!(views)),
        ]),
    }
}
