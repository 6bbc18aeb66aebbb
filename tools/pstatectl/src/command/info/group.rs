// SPDX-License-Identifier: GPL-2.0
//! CPUs with the same values, so that many of them fit on a screen.

use cpufreq_sysfs::{CpuId, CpuList};

use super::cpu_view::CpuView;

/// CPUs that share a value.
#[derive(Debug, PartialEq, Eq)]
pub struct Group<K> {
    /// The value.
    pub value: K,
    /// The CPUs.
    pub cpus: CpuList,
}

/// Gathers the CPUs by a value, in the order in which the values are first met.
pub fn group<'a, K: PartialEq>(
    views: &'a [CpuView],
    value: impl Fn(&'a CpuView) -> K,
) -> Vec<Group<K>> {
    let mut groups: Vec<(K, Vec<CpuId>)> = Vec::new();
    for view in views {
        let value = value(view);
        match groups.iter_mut().find(|(known, _)| *known == value) {
            Some((_, cpus)) => cpus.push(view.cpu),
            None => groups.push((value, vec![view.cpu])),
        }
    }
    groups
        .into_iter()
        .map(|(value, cpus)| Group {
            value,
            cpus: cpus.into_iter().collect(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::info::cpu_view::{Capabilities, Limits};
    use cpufreq_sysfs::Ranking;

    fn view(number: u32, ranking: u32) -> CpuView {
        CpuView {
            cpu: CpuId::new(number).unwrap(),
            driver: None,
            capabilities: Capabilities::default(),
            ranking: Some(Ranking(ranking)),
            limits: Limits::default(),
        }
    }

    #[test]
    fn equal_values_share_a_group_in_the_order_of_their_first_cpu() {
        let views = [view(0, 226), view(1, 196), view(2, 226)];
        let groups = group(&views, |view| view.ranking);
        let found: Vec<_> = groups
            .iter()
            .map(|group| (group.value, group.cpus.to_string()))
            .collect();
        assert_eq!(
            found,
            [
                (Some(Ranking(226)), "0,2".to_owned()),
                (Some(Ranking(196)), "1".to_owned())
            ]
        );
    }
}
