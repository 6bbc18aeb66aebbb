// SPDX-License-Identifier: GPL-2.0
//! Which CPUs a user asks for.

use std::str::FromStr;

use crate::cpu_list::CpuList;
use crate::error::ParseError;

/// The argument of `--cpu`: a list or the word `all`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CpuSelection {
    /// Every CPU that the machine can have.
    All,
    /// The CPUs named.
    List(CpuList),
}

/// A selection that this machine cannot meet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no CPU {absent}: this machine has the CPUs {possible}")]
pub struct SelectionError {
    /// The CPUs that do not exist.
    pub absent: CpuList,
    /// The CPUs that do.
    pub possible: CpuList,
}

impl CpuSelection {
    /// The CPUs that are meant on a machine with these possible CPUs.
    ///
    /// # Errors
    /// When one is named that the machine cannot have.
    pub fn resolve(&self, possible: &CpuList) -> Result<CpuList, SelectionError> {
        let Self::List(list) = self else {
            return Ok(possible.clone());
        };
        let absent = list.difference(possible);
        if absent.is_empty() {
            Ok(list.clone())
        } else {
            Err(SelectionError {
                absent,
                possible: possible.clone(),
            })
        }
    }
}

impl FromStr for CpuSelection {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        if text == "all" {
            return Ok(Self::All);
        }
        let list: CpuList = text.parse()?;
        if list.is_empty() {
            return Err(ParseError::new(
                "a list of CPUs or the word all",
                text,
                "names no CPU",
            ));
        }
        Ok(Self::List(list))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn list(text: &str) -> CpuList {
        text.parse().unwrap()
    }

    #[test]
    fn all_means_every_possible_cpu() {
        assert_eq!(
            "all".parse::<CpuSelection>().unwrap().resolve(&list("0-7")),
            Ok(list("0-7"))
        );
    }

    #[test]
    fn a_cpu_that_cannot_exist_is_named() {
        let error = "1,8-9"
            .parse::<CpuSelection>()
            .unwrap()
            .resolve(&list("0-7"))
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "there is no CPU 8-9: this machine has the CPUs 0-7"
        );
    }

    #[test]
    fn naming_nothing_is_no_selection() {
        assert_eq!(
            "".parse::<CpuSelection>().unwrap_err().reason,
            "names no CPU"
        );
    }

    proptest! {
        #[test]
        fn any_text_is_a_selection_or_an_error(text in "\\PC*") {
            let _ = text.parse::<CpuSelection>();
        }
    }
}
