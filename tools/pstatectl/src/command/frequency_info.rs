// SPDX-License-Identifier: GPL-2.0
//! `frequency-info`: what `cpupower frequency-info` shows, in its layout.
//!
//! The differences, each on purpose, stand in `DIFFERENCES.md` of this crate.

mod boost;
mod collect;
mod item;
mod layout;
mod performance;
mod policy;
mod proc_table;
mod section;

use cpufreq_sysfs::{CpuId, CpuList, CpuSelection, Presence};
use serde_json::{json, Map, Value};

use self::item::Item;
use self::layout::Layout;
use self::section::Section;
use super::Answer;
use crate::cli::FrequencyInfo;
use crate::context::Context;
use crate::problem::Problems;

/// Collects the answer.
pub fn answer(
    args: &FrequencyInfo,
    selection: Option<&CpuSelection>,
    context: &Context,
    problems: &mut Problems,
) -> Answer {
    let section = Section::from(&args.section);
    if section == Section::Proc {
        return proc_table::answer(context, problems);
    }
    let cpus = match selection.map_or_else(
        || Ok(CpuList::from_iter([CpuId::BOOT])),
        |list| context.resolve(list),
    ) {
        Ok(cpus) => cpus,
        Err(problem) => {
            problems.add(problem);
            return Answer::default();
        }
    };
    let named = selection != Some(&CpuSelection::All);
    let layout = Layout::new(section, args);
    let mut text = String::new();
    let mut records = Vec::new();
    for cpu in cpus.iter() {
        let report = Report::collect(cpu, section, named, context, problems);
        text.push_str(&report.text(layout));
        records.push(report.json());
    }
    Answer {
        text,
        json: Map::from_iter([("cpus".to_owned(), Value::Array(records))]),
    }
}

/// What is shown of one CPU.
struct Report {
    cpu: CpuId,
    presence: Option<Presence>,
    items: Vec<Item>,
}

impl Report {
    fn collect(
        cpu: CpuId,
        section: Section,
        named: bool,
        context: &Context,
        problems: &mut Problems,
    ) -> Self {
        let presence = context.presence(cpu, named, problems);
        let items = match presence {
            Some(Presence::Online) => collect::collect(cpu, section, context, problems),
            _ => Vec::new(),
        };
        Self {
            cpu,
            presence,
            items,
        }
    }

    fn text(&self, layout: Layout) -> String {
        let mut text = format!("analyzing CPU {}:\n", self.cpu);
        match self.presence {
            Some(Presence::Online) => self
                .items
                .iter()
                .for_each(|item| text.push_str(&layout.text(item))),
            Some(Presence::Offline | Presence::Absent) => text.push_str(" *is offline\n\n"),
            None => text.push_str("  Not Available\n"),
        }
        text
    }

    fn json(&self) -> Value {
        let mut record = Map::new();
        record.insert("cpu".into(), json!(self.cpu));
        record.insert(
            "online".into(),
            json!(self.presence.map(|presence| presence == Presence::Online)),
        );
        record.extend(
            self.items
                .iter()
                .map(|item| (item.key().to_owned(), item.json())),
        );
        Value::Object(record)
    }
}
