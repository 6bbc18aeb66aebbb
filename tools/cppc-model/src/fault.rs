// SPDX-License-Identifier: GPL-2.0
//! Faults on purpose: accesses that a broken machine answers with #GP.

use serde::{Deserialize, Serialize};

use crate::register::Register;

/// The two ways to reach a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Access {
    /// `rdmsr`
    Read,
    /// `wrmsr`
    Write,
}

/// Which accesses raise #GP though the register exists.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultRule {
    /// The register, by the name that the log uses.
    pub register: Register,
    /// Reads or writes.
    pub access: Access,
    /// The CPUs concerned; none named: all.
    #[serde(default)]
    pub cpus: Vec<usize>,
    /// The marker that lets the rule begin; without it, it begins at once.
    pub from_mark: Option<u32>,
    /// The marker that ends it; without it, it does not end.
    pub to_mark: Option<u32>,
    /// How many accesses go well first, counted over all CPUs from when the
    /// rule begins.
    #[serde(default)]
    pub after: u64,
    /// How many accesses fault then; without it: all.
    pub times: Option<u64>,
}

impl FaultRule {
    fn concerns(&self, cpu: usize, register: Register, access: Access) -> bool {
        self.register == register
            && self.access == access
            && (self.cpus.is_empty() || self.cpus.contains(&cpu))
    }

    /// Whether the access faults that comes after `met` others.
    fn strikes(&self, met: u64) -> bool {
        let past = met.checked_sub(self.after);
        past.is_some_and(|past| self.times.is_none_or(|times| past < times))
    }
}

/// The rules of a machine at work.
#[derive(Clone, Debug, Default)]
pub(crate) struct Faults {
    rules: Vec<ActiveRule>,
}

#[derive(Clone, Debug)]
struct ActiveRule {
    rule: FaultRule,
    active: bool,
    /// How many accesses it was active for.
    met: u64,
}

impl Faults {
    pub(crate) fn new(rules: &[FaultRule]) -> Self {
        let rules = rules.iter().map(|rule| ActiveRule {
            rule: rule.clone(),
            active: rule.from_mark.is_none(),
            met: 0,
        });
        Self {
            rules: rules.collect(),
        }
    }

    /// The guest passed a marker: rules begin, anew if they did before, or end.
    pub(crate) fn mark(&mut self, value: u32) {
        for rule in &mut self.rules {
            if rule.rule.from_mark == Some(value) {
                rule.active = true;
                rule.met = 0;
            } else if rule.rule.to_mark == Some(value) {
                rule.active = false;
            }
        }
    }

    /// Counts one access and says whether it faults.
    pub(crate) fn strike(&mut self, cpu: usize, register: Register, access: Access) -> bool {
        let mut struck = false;
        for rule in &mut self.rules {
            if rule.active && rule.rule.concerns(cpu, register, access) {
                struck |= rule.rule.strikes(rule.met);
                rule.met = rule.met.saturating_add(1);
            }
        }
        struck
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(after: u64, times: Option<u64>) -> FaultRule {
        FaultRule {
            register: Register::Req,
            access: Access::Write,
            cpus: vec![1],
            from_mark: None,
            to_mark: None,
            after,
            times,
        }
    }

    #[test]
    fn only_the_named_access_faults() {
        let mut faults = Faults::new(&[rule(0, None)]);
        assert!(faults.strike(1, Register::Req, Access::Write));
        assert!(!faults.strike(0, Register::Req, Access::Write));
        assert!(!faults.strike(1, Register::Req, Access::Read));
        assert!(!faults.strike(1, Register::Cap1, Access::Write));
    }

    #[test]
    fn a_fault_begins_and_ends_where_it_says() {
        let mut faults = Faults::new(&[rule(2, Some(1))]);
        let struck: Vec<_> = (0..5)
            .map(|_| faults.strike(1, Register::Req, Access::Write))
            .collect();
        assert_eq!(struck, [false, false, true, false, false]);
    }

    #[test]
    fn markers_begin_and_end_a_fault_as_often_as_they_come() {
        let marked = FaultRule {
            from_mark: Some(7),
            to_mark: Some(8),
            ..rule(1, None)
        };
        let mut faults = Faults::new(&[marked]);
        let write = |faults: &mut Faults| faults.strike(1, Register::Req, Access::Write);
        assert!(!write(&mut faults) && !write(&mut faults));
        for _ in 0..2 {
            faults.mark(7);
            assert!(!write(&mut faults), "the first after it goes well");
            assert!(write(&mut faults));
            faults.mark(9);
            assert!(write(&mut faults));
            faults.mark(8);
            assert!(!write(&mut faults));
        }
    }

    #[test]
    fn a_rule_without_cpus_holds_for_all() {
        let all = FaultRule {
            cpus: Vec::new(),
            ..rule(0, None)
        };
        let mut faults = Faults::new(&[all]);
        assert!(faults.strike(0, Register::Req, Access::Write));
        assert!(faults.strike(7, Register::Req, Access::Write));
    }
}
