// SPDX-License-Identifier: GPL-2.0
//! The same steps with two drivers, and what differs after each.
//!
//! A step is a list of stores, which are data: a scenario writes them down, and a random walk can
//! make them up. After each step everything that the drivers show is taken down.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use anyhow::{Context, Result};
use cppc_model::{Register, Request as PerfRequest};

use crate::machine::{policy, Machine, CPUS};

/// One write to an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store {
    /// The attribute's path in the guest.
    pub path: String,
    /// What is written.
    pub value: String,
}

impl Store {
    /// A store to an attribute of a CPU's policy.
    #[must_use]
    pub fn to_policy(cpu: usize, attribute: &str, value: impl ToString) -> Self {
        Self {
            path: policy(cpu, attribute),
            value: value.to_string(),
        }
    }

    /// A store to a file below the folder of all CPUs.
    #[must_use]
    pub fn to_cpus(file: &str, value: impl ToString) -> Self {
        Self {
            path: format!("{CPUS}/{file}"),
            value: value.to_string(),
        }
    }
}

/// Some stores, and a name for what they do together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The name.
    pub name: String,
    /// The stores, in their order. A refused one is an outcome like another.
    pub stores: Vec<Store>,
}

/// Everything that a driver shows at one moment, by name.
pub type Observation = BTreeMap<String, String>;

/// A name that two drivers do not agree on, and what each shows; `None` where it has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// After which step.
    pub step: String,
    /// What differs.
    pub name: String,
    /// What the reference shows.
    pub reference: Option<String>,
    /// What the module shows.
    pub module: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            step,
            name,
            reference,
            module,
        } = self;
        let shown = |value: &Option<String>| match value {
            Some(value) => format!("{value:?}"),
            None => "nothing".to_owned(),
        };
        write!(
            f,
            "{step}: {name}: {} with the C driver, ",
            shown(reference)
        )?;
        write!(f, "{} with the module", shown(module))
    }
}

/// Something that differs on purpose.
#[derive(Debug, Clone, Copy)]
pub struct Intended {
    /// Its label in the table of differences in Documentation/admin-guide/pm/amd-pstate-rs.rst.
    pub label: &'static str,
    /// Ends of the names that it concerns.
    pub names: &'static [&'static str],
    /// The one step in which it shows, if it is not all.
    pub step: Option<&'static str>,
}

impl Intended {
    fn covers(&self, difference: &Difference) -> bool {
        self.names
            .iter()
            .any(|name| difference.name.ends_with(name))
            && self.step.is_none_or(|step| step == difference.step)
    }
}

/// Takes the steps one after the other with the driver that is loaded.
///
/// # Errors
///
/// When the guest is gone, or shows what makes no sense.
pub fn walk(machine: &mut Machine, steps: &[Step]) -> Result<Vec<Observation>> {
    let take = |step: &Step| -> Result<Observation> {
        let mut observation = Observation::new();
        for Store { path, value } in &step.stores {
            let outcome = match machine.write(path, value) {
                Ok(()) => "taken".to_owned(),
                Err(error) => format!("errno {}", error.errno().ok_or(error)?),
            };
            observation.insert(format!("store {value:?} to {}", short(path)), outcome);
        }
        observe(machine, &mut observation)?;
        Ok(observation)
    };
    let named = |step: &Step| step.name.clone();
    let mut take = take;
    steps
        .iter()
        .map(|step| take(step).with_context(|| named(step)))
        .collect()
}

/// What differs between two walks of the same steps, and is not intended. A difference that stays
/// as it is from one step to the next is told once.
#[must_use]
pub fn differences(
    steps: &[Step],
    reference: &[Observation],
    module: &[Observation],
    intended: &[Intended],
) -> Vec<Difference> {
    let mut all = Vec::new();
    let mut before = BTreeMap::new();
    for ((step, reference), module) in steps.iter().zip(reference).zip(module) {
        let now = differing(reference, module);
        for (name, values) in &now {
            if before.get(name) != Some(values) {
                let (reference, module) = values.clone();
                let (step, name) = (step.name.clone(), name.clone());
                all.push(Difference {
                    step,
                    name,
                    reference,
                    module,
                });
            }
        }
        before = now;
    }
    all.retain(|difference| !intended.iter().any(|intended| intended.covers(difference)));
    all
}

/// What the reference and the module show under one name.
type Pair = (Option<String>, Option<String>);

fn differing(reference: &Observation, module: &Observation) -> BTreeMap<String, Pair> {
    let names: BTreeSet<&String> = reference.keys().chain(module.keys()).collect();
    let pairs = names.into_iter().map(|name| {
        (
            name.clone(),
            (reference.get(name).cloned(), module.get(name).cloned()),
        )
    });
    pairs
        .filter(|(_, (reference, module))| reference != module)
        .collect()
}

/// Files and folders whose values are measured or counted, so that they never are the same twice.
const MEASURED: [&str; 3] = ["scaling_cur_freq", "cpuinfo_avg_freq", "stats"];

/// Takes down every attribute with its permissions, and the requests that are in force.
fn observe(machine: &mut Machine, observation: &mut Observation) -> Result<()> {
    let mut files = machine.snapshot(&format!("{CPUS}/cpufreq"), 3, &MEASURED)?;
    let global = global_folder(machine)?;
    files.extend(machine.snapshot(&global, 1, &MEASURED)?);
    for file in files {
        let content = match file.content {
            Ok(content) => content.to_text(),
            Err(errno) => format!("errno {errno}"),
        };
        let name = short(&file.path);
        observation.insert(format!("mode of {name}"), format!("{:o}", file.mode));
        observation.insert(name, content);
    }
    observe_requests(machine, observation)
}

/// The request of each CPU whose governor makes one only when told to.
fn observe_requests(machine: &mut Machine, observation: &mut Observation) -> Result<()> {
    for cpu in machine.cpus() {
        let governor = observation.get(&short(&policy(cpu, "scaling_governor")));
        if governor.is_none_or(|governor| governor.trim() == "schedutil") {
            continue;
        }
        let shown = match machine.register(cpu, Register::Req) {
            Ok(bits) => format!("{:?}", PerfRequest::from_bits(bits)),
            // An offline CPU has no registers to read.
            Err(error) => format!("errno {}", error.errno().ok_or(error)?),
        };
        observation.insert(format!("REQ of cpu{cpu}"), shown);
    }
    Ok(())
}

/// The driver's folder. A C driver that is switched off keeps its own, with ours beside it.
fn global_folder(machine: &mut Machine) -> Result<String> {
    let ours = format!("{CPUS}/amd_pstate_rs");
    Ok(if machine.exists(&ours)? {
        ours
    } else {
        format!("{CPUS}/amd_pstate")
    })
}

/// A path as it is named in an observation.
fn short(path: &str) -> String {
    let path = path
        .strip_prefix(CPUS)
        .map_or(path, |path| path.trim_start_matches('/'));
    path.replace("amd_pstate_rs/", "amd_pstate/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observation(values: &[(&str, &str)]) -> Observation {
        values
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect()
    }

    fn step() -> [Step; 1] {
        [Step {
            name: "boost off".into(),
            stores: Vec::new(),
        }]
    }

    #[test]
    fn a_value_that_differs_is_named_with_its_step() {
        let c = observation(&[("cpufreq/policy0/boost", "0\n"), ("x", "1")]);
        let ours = observation(&[("cpufreq/policy0/boost", "1\n"), ("x", "1")]);
        let found = differences(&step(), &[c], &[ours], &[]);
        assert_eq!(found.len(), 1);
        assert_eq!(
            found[0].to_string(),
            r#"boost off: cpufreq/policy0/boost: "0\n" with the C driver, "1\n" with the module"#
        );
    }

    #[test]
    fn a_file_that_only_one_has_is_a_difference() {
        let (one, none) = (observation(&[("a", "1")]), observation(&[]));
        let lost = differences(&step(), &[one.clone()], &[none.clone()], &[]);
        assert!(lost[0].to_string().contains("nothing with the module"));
        let new = differences(&step(), &[none], &[one], &[]);
        assert!(new[0].to_string().contains("nothing with the C driver"));
    }

    #[test]
    fn a_difference_that_stays_is_told_once() {
        let one = |value| observation(&[("a", value)]);
        let named = |name: &str| Step {
            name: name.into(),
            stores: Vec::new(),
        };
        let steps = ["first", "second", "third", "fourth"].map(named);
        let c = [one("1"), one("1"), one("1"), one("1")];
        let ours = [one("0"), one("0"), one("1"), one("0")];
        let found = differences(&steps, &c, &ours, &[]);
        let told: Vec<&str> = found
            .iter()
            .map(|difference| difference.step.as_str())
            .collect();
        assert_eq!(told, ["first", "fourth"]);
    }

    #[test]
    fn what_is_intended_is_covered_and_no_more() {
        let [boost, once] = [None, Some("boost off")].map(|step| Intended {
            label: "boost-absent",
            names: &["/boost"],
            step,
        });
        let named = |name: &str| Step {
            name: name.into(),
            stores: Vec::new(),
        };
        let steps = ["as loaded", "boost off"].map(named);
        let left = |intended: &[Intended], name: &str, values: [&str; 2]| {
            let ours = values.map(|value| observation(&[(name, value)]));
            let c = [(); 2].map(|()| observation(&[(name, "0")]));
            differences(&steps, &c, &ours, intended).len()
        };
        assert_eq!(left(&[boost], "policy0/boost", ["1", "2"]), 0);
        assert_eq!(left(&[boost], "policy0/boost_not", ["1", "2"]), 2);
        assert_eq!(left(&[once], "policy0/boost", ["0", "2"]), 0);
        assert_eq!(left(&[once], "policy0/boost", ["1", "2"]), 1);
    }

    #[test]
    fn both_drivers_folders_have_the_same_name() {
        assert_eq!(
            short("/sys/devices/system/cpu/amd_pstate_rs/status"),
            "amd_pstate/status"
        );
        assert_eq!(
            short("/sys/devices/system/cpu/amd_pstate/status"),
            "amd_pstate/status"
        );
    }
}
