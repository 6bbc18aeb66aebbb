// SPDX-License-Identifier: GPL-2.0
//! `--proc`: one line for each CPU, as `/proc/cpufreq` had it in Linux 2.4.

use cpufreq_sysfs::{CpuId, CpuSelection, KiloHertz, Presence};
use serde_json::{json, Map, Value};

use super::policy::{HardwareLimits, Policy};
use crate::command::Answer;
use crate::context::Context;
use crate::problem::Problems;

const HEADER: &str = "          minimum CPU frequency  -  maximum CPU frequency  -  governor\n";

/// Collects the table; CPUs without a policy are left out.
pub fn answer(context: &Context, problems: &mut Problems) -> Answer {
    let mut text = HEADER.to_owned();
    let mut records = Vec::new();
    let cpus = context
        .resolve(&CpuSelection::All)
        .unwrap_or_else(|problem| {
            problems.add(problem);
            Default::default()
        });
    for cpu in cpus.iter() {
        if let Some(row) = Row::collect(cpu, context, problems) {
            text.push_str(&row.text());
            records.push(row.json());
            problems.shown();
        }
    }
    if records.is_empty() && problems.iter().next().is_none() {
        context.has_driver(CpuId::BOOT, problems);
    }
    Answer {
        text,
        json: Map::from_iter([("cpus".to_owned(), Value::Array(records))]),
    }
}

struct Row {
    cpu: CpuId,
    policy: Policy,
    limits: Option<HardwareLimits>,
}

impl Row {
    fn collect(cpu: CpuId, context: &Context, problems: &mut Problems) -> Option<Self> {
        let presence = context.presence(cpu, false, problems)?;
        if presence != Presence::Online || !context.reader.policy_path(cpu).is_dir() {
            return None;
        }
        let policy = problems.note(cpu, Policy::read(cpu, context))?;
        let limits = problems.note(cpu, HardwareLimits::read(cpu, context));
        Some(Self {
            cpu,
            policy,
            limits,
        })
    }

    fn text(&self) -> String {
        let Policy { governor, min, max } = &self.policy;
        format!(
            "CPU{:3}    {:>9} kHz ({:>3} %)  -  {:>9} kHz ({:>3} %)  -  {governor}\n",
            self.cpu.number(),
            min.0,
            self.share(*min),
            max.0,
            self.share(*max),
        )
    }

    /// Share of the highest frequency in whole per cent, rounded down; a dash where that is not known.
    fn share(&self, freq: KiloHertz) -> String {
        let share = |limits: HardwareLimits| {
            (u128::from(freq.0) * 100).checked_div(u128::from(limits.max.0))
        };
        self.limits
            .and_then(share)
            .map_or_else(|| "-".to_owned(), |share| share.to_string())
    }

    fn json(&self) -> Value {
        json!({
            "cpu": self.cpu,
            "online": true,
            "policy": { "governor": self.policy.governor, "min_khz": self.policy.min, "max_khz": self.policy.max },
            "hardware_limits": self.limits.map(|limits| json!({ "min_khz": limits.min, "max_khz": limits.max })),
        })
    }
}
