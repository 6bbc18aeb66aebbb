// SPDX-License-Identifier: GPL-2.0
//! Checks whose failure says what was found and what was expected.

use std::fmt::{Debug, Display};

use anyhow::{ensure, Result};

/// Fails unless `found` is what was `expected` of `what`.
///
/// # Errors
///
/// With all three.
pub fn equal<T, U>(what: impl Display, found: T, expected: U) -> Result<()>
where
    T: PartialEq<U> + Debug,
    U: Debug,
{
    ensure!(found == expected, "{what} is {found:?}, not {expected:?}");
    Ok(())
}

/// Fails unless `text` contains `piece`.
///
/// # Errors
///
/// With both.
pub fn contains(what: impl Display, text: &str, piece: &str) -> Result<()> {
    ensure!(text.contains(piece), "{what} has no {piece:?}: {text:?}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_what_was_found_and_what_was_expected() {
        let error = equal("scaling_driver", "acpi-cpufreq", "amd-pstate").unwrap_err();
        assert_eq!(
            error.to_string(),
            r#"scaling_driver is "acpi-cpufreq", not "amd-pstate""#
        );
        assert!(equal("one", 1, 1).is_ok());
        assert!(contains("log", "a b", "b").is_ok() && contains("log", "a", "b").is_err());
    }
}
