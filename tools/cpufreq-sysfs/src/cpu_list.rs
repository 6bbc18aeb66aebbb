// SPDX-License-Identifier: GPL-2.0
//! CPU numbers and lists of them.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::error::ParseError;
use crate::number::decimal_u32;

const EXPECTED: &str = "a list of CPUs such as 0-3,8 or 0-15:2";

/// Number of a logical CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct CpuId(u32);

impl CpuId {
    /// The CPU that the machine starts on.
    pub const BOOT: Self = Self(0);

    /// One more than the highest number that any x86 kernel can have (`NR_CPUS_RANGE_END` with `MAXSMP`).
    pub const LIMIT: u32 = 8192;

    /// A CPU number below [`CpuId::LIMIT`].
    pub fn new(number: u32) -> Option<Self> {
        (number < Self::LIMIT).then_some(Self(number))
    }

    /// The bare number.
    pub fn number(self) -> u32 {
        self.0
    }
}

impl fmt::Display for CpuId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for CpuId {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let number = decimal_u32(text, "a CPU number")?;
        Self::new(number)
            .ok_or_else(|| ParseError::new("a CPU number", text, "no kernel has so many CPUs"))
    }
}

/// A set of CPUs, written as the kernel and cpupower write it: `0-3`, `1,3,5-7`, and with strides `0-7:2`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct CpuList(BTreeSet<CpuId>);

impl CpuList {
    /// The CPUs in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = CpuId> + '_ {
        self.0.iter().copied()
    }

    /// Whether the CPU is in the set.
    pub fn contains(&self, cpu: CpuId) -> bool {
        self.0.contains(&cpu)
    }

    /// Number of CPUs in the set.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no CPU in the set.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The CPUs of this set that are not in the other.
    pub fn difference(&self, other: &Self) -> Self {
        self.0.difference(&other.0).copied().collect()
    }

    /// The shortest spelling, which uses strides where they help: `0,2,4,6` becomes `0-6:2`.
    pub fn compact(&self) -> String {
        let cpus: Vec<u32> = self.iter().map(CpuId::number).collect();
        let mut rest = cpus.as_slice();
        let mut parts: Vec<String> = Vec::new();
        while let Some((&first, tail)) = rest.split_first() {
            let stride = tail.first().map_or(1, |second| second - first);
            let run = run_length(rest, stride);
            let taken = if stride == 1 || run > 2 { run } else { 1 };
            let last = rest.get(taken - 1).copied().unwrap_or(first);
            parts.push(match (taken, stride) {
                (1, _) => format!("{first}"),
                (_, 1) => format!("{first}-{last}"),
                _ => format!("{first}-{last}:{stride}"),
            });
            rest = rest.get(taken..).unwrap_or_default();
        }
        parts.join(",")
    }
}

/// How many of the first numbers keep the same distance.
fn run_length(cpus: &[u32], stride: u32) -> usize {
    1 + cpus
        .iter()
        .zip(cpus.iter().skip(1))
        .take_while(|(left, right)| *right - *left == stride)
        .count()
}

impl FromIterator<CpuId> for CpuList {
    fn from_iter<I: IntoIterator<Item = CpuId>>(cpus: I) -> Self {
        Self(cpus.into_iter().collect())
    }
}

impl fmt::Display for CpuList {
    /// Writes the form of the kernel's `%*pbl`: numbers and ranges, no strides.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cpus: Vec<u32> = self.iter().map(CpuId::number).collect();
        let mut rest = cpus.as_slice();
        let mut comma = "";
        while let Some(&first) = rest.first() {
            let run = run_length(rest, 1);
            let last = rest.get(run - 1).copied().unwrap_or(first);
            write!(f, "{comma}{first}")?;
            if run > 1 {
                write!(f, "-{last}")?;
            }
            comma = ",";
            rest = rest.get(run..).unwrap_or_default();
        }
        Ok(())
    }
}

impl FromStr for CpuList {
    type Err = ParseError;

    /// An empty text is the empty list, as the kernel prints it in `offline`.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut cpus = BTreeSet::new();
        if text.is_empty() {
            return Ok(Self(cpus));
        }
        for part in text.split(',') {
            let (first, last, stride) = range(part)?;
            cpus.extend((first.0..=last.0).step_by(stride).map(CpuId));
        }
        Ok(Self(cpus))
    }
}

/// Parses `A`, `A-B` or `A-B:S`; the stride is at least 1.
fn range(part: &str) -> Result<(CpuId, CpuId, usize), ParseError> {
    let refuse = |reason| ParseError::new(EXPECTED, part, reason);
    let Some((first, rest)) = part.split_once('-') else {
        let cpu = part.parse()?;
        return Ok((cpu, cpu, 1));
    };
    let (last, stride) = match rest.split_once(':') {
        Some((last, stride)) => (last, decimal_u32(stride, "a stride of CPU numbers")?),
        None => (rest, 1),
    };
    let (first, last): (CpuId, CpuId) = (first.parse()?, last.parse()?);
    if first > last {
        return Err(refuse("the range runs backwards"));
    }
    match usize::try_from(stride) {
        Ok(stride) if stride > 0 => Ok((first, last, stride)),
        _ => Err(refuse("the stride must be at least 1")),
    }
}

/// CPU numbers separated by blanks, as in `affected_cpus` and `related_cpus`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct SpacedCpus(pub CpuList);

impl fmt::Display for SpacedCpus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, cpu) in self.0.iter().enumerate() {
            let blank = if position == 0 { "" } else { " " };
            write!(f, "{blank}{cpu}")?;
        }
        Ok(())
    }
}

impl FromStr for SpacedCpus {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        text.split_ascii_whitespace()
            .map(str::parse)
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn numbers(text: &str) -> Vec<u32> {
        text.parse::<CpuList>()
            .unwrap()
            .iter()
            .map(CpuId::number)
            .collect()
    }

    fn reason(text: &str) -> &'static str {
        text.parse::<CpuList>().unwrap_err().reason
    }

    #[test]
    fn lists_ranges_and_strides_are_those_of_cpupower() {
        assert_eq!(numbers("0-3"), [0, 1, 2, 3]);
        assert_eq!(numbers("0-7:2"), [0, 2, 4, 6]);
        assert_eq!(numbers("1,3,5-7"), [1, 3, 5, 6, 7]);
        assert_eq!(numbers("0-3:2,8-15:4"), [0, 2, 8, 12]);
        assert_eq!(numbers("5-5"), [5]);
        assert_eq!(numbers(""), []);
    }

    #[test]
    fn what_is_not_a_list_is_refused_with_the_reason() {
        assert_eq!(reason("3-1"), "the range runs backwards");
        assert_eq!(reason("0-3:0"), "the stride must be at least 1");
        assert_eq!(reason("0,"), "nothing there");
        assert_eq!(reason("1-"), "nothing there");
        assert_eq!(reason("a"), "not a decimal number");
        assert_eq!(reason("0 1"), "not a decimal number");
        assert_eq!(reason("0-4294967295"), "no kernel has so many CPUs");
    }

    #[test]
    fn a_stride_wider_than_the_range_takes_the_first_only() {
        assert_eq!(numbers("2-5:4294967295"), [2]);
    }

    #[test]
    fn lists_print_as_the_kernel_prints_them() {
        assert_eq!(
            "0,1,2,5,7,8".parse::<CpuList>().unwrap().to_string(),
            "0-2,5,7-8"
        );
        assert_eq!(CpuList::default().to_string(), "");
    }

    #[test]
    fn the_compact_form_uses_strides() {
        let compact = |text: &str| text.parse::<CpuList>().unwrap().compact();
        assert_eq!(compact("0-254:2"), "0-254:2");
        assert_eq!(compact("0,8"), "0,8");
        assert_eq!(compact("0-1,4,5"), "0-1,4-5");
        assert_eq!(compact("0-3,8-11"), "0-3,8-11");
    }

    #[test]
    fn the_list_of_a_policy_has_blanks() {
        assert_eq!("0 2 4 ".parse::<SpacedCpus>().unwrap().to_string(), "0 2 4");
        assert!("0,2".parse::<SpacedCpus>().is_err());
    }

    proptest! {
        #[test]
        fn any_text_is_a_list_or_an_error(text in "\\PC*") {
            let _ = text.parse::<CpuList>();
            let _ = text.parse::<SpacedCpus>();
        }

        #[test]
        fn text_of_the_right_letters_is_a_list_or_an_error(text in "[0-9,:-]{0,20}") {
            let _ = text.parse::<CpuList>();
        }

        #[test]
        fn every_spelling_reads_back_as_the_same_set(cpus in proptest::collection::btree_set(0u32..300, 0..40)) {
            let list: CpuList = cpus.into_iter().filter_map(CpuId::new).collect();
            prop_assert_eq!(&list.to_string().parse::<CpuList>().unwrap(), &list);
            prop_assert_eq!(&list.compact().parse::<CpuList>().unwrap(), &list);
        }
    }
}
