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
    /// How many accesses go well first, counted over all CPUs.
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
}

/// The rules of a machine and how often each was met.
#[derive(Clone, Debug, Default)]
pub(crate) struct Faults {
    rules: Vec<(FaultRule, u64)>,
}

impl Faults {
    pub(crate) fn new(rules: &[FaultRule]) -> Self {
        Self {
            rules: rules.iter().map(|rule| (rule.clone(), 0)).collect(),
        }
    }

    /// Counts one access and says whether it faults.
    pub(crate) fn strike(&mut self, cpu: usize, register: Register, access: Access) -> bool {
        let mut struck = false;
        for (rule, met) in &mut self.rules {
            if !rule.concerns(cpu, register, access) {
                continue;
            }
            let past = met.checked_sub(rule.after);
            struck |= past.is_some_and(|past| rule.times.is_none_or(|times| past < times));
            *met = met.saturating_add(1);
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
