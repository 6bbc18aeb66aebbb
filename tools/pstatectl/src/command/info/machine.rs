// SPDX-License-Identifier: GPL-2.0
//! What holds for the whole machine.

use cpufreq_sysfs::{CpuId, CpuList, Error, Mode, StatusDir, Switch};
use serde_json::{json, Value};

use crate::context::Context;
use crate::problem::{Problem, Problems};

/// The machine as a whole; `None` for what it does not say.
#[derive(Debug, Default)]
pub struct Machine {
    /// Name of the processor.
    pub processor: Option<String>,
    /// Mode of amd-pstate, and the directory that says so.
    pub status: Option<(StatusDir, Mode)>,
    /// Whether amd-pstate honours the ranking of cores.
    pub prefcore: Option<Switch>,
    /// The boost switch for all CPUs.
    pub boost: Option<Switch>,
    /// The CPUs looked at that run.
    pub online: CpuList,
    /// The CPUs looked at that are switched off.
    pub offline: Vec<CpuId>,
}

impl Machine {
    /// Reads the global files; each may be absent.
    pub fn collect(context: &Context, problems: &mut Problems) -> Self {
        let reader = &context.reader;
        let processor = context.cpuinfo(problems).model_name.clone();
        let status = match reader.status() {
            Ok(status) => status,
            Err(error) => {
                problems.add(Problem::Machine(error));
                None
            }
        };
        let mut optional = |result: Result<Switch, Error>| match result {
            Ok(switch) => Some(switch),
            Err(error) if error.is_missing() => None,
            Err(error) => {
                problems.add(Problem::Machine(error));
                None
            }
        };
        let prefcore = status.and_then(|(dir, _)| optional(reader.prefcore(dir)));
        let boost = optional(reader.global_boost());
        Self {
            processor,
            status,
            prefcore,
            boost,
            ..Self::default()
        }
    }

    /// Mode of amd-pstate, where it says one.
    pub fn mode(&self) -> Option<Mode> {
        self.status.map(|(_, mode)| mode)
    }

    /// The record for programs.
    pub fn json(&self) -> Value {
        let amd_pstate = self.status.map(|(dir, mode)| {
            json!({ "directory": dir.name(), "mode": mode, "prefcore": self.prefcore })
        });
        json!({
            "processor": self.processor,
            "amd_pstate": amd_pstate,
            "boost": self.boost,
            "online": self.online,
            "offline": self.offline,
        })
    }
}
