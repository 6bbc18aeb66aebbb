// SPDX-License-Identifier: GPL-2.0
//! The rules that a description keeps, unless it breaks one on purpose.
//!
//! Some rules cannot be broken since no machine would come of it. The others
//! can: a description that names the field in `deliberate` may, and then has
//! to, so that the list says what is odd and nothing else.

use std::path::Path;

use super::description::Description;
use super::error::PlatformError;

/// A field and what is wrong with it.
type Finding = (String, String);

/// Checks a description that was read.
pub(super) fn check(path: &Path, description: &Description) -> Result<(), PlatformError> {
    if let Some((field, reason)) = impossible(description).into_iter().next() {
        return Err(PlatformError::field(path, field, reason));
    }
    let odd = odd(description);
    let deliberate = &description.deliberate;
    if let Some((field, reason)) = odd.iter().find(|(field, _)| !deliberate.contains(field)) {
        return Err(PlatformError::field(path, field, reason));
    }
    match deliberate
        .iter()
        .find(|named| !odd.iter().any(|(field, _)| field == *named))
    {
        Some(named) => Err(PlatformError::field(
            path,
            "deliberate",
            format!("names {named}, which breaks no rule"),
        )),
        None => Ok(()),
    }
}

/// What no machine can be.
fn impossible(description: &Description) -> Vec<Finding> {
    let processor = &description.processor;
    let mut found = Findings::default();
    found.when(description.name.is_empty(), "name", || "is empty".into());
    found.when(description.cores.is_empty(), "cores", || {
        "lists no core".into()
    });
    found.when(
        processor.vendor.len() != 12 || !processor.vendor.is_ascii(),
        "processor.vendor",
        || format!("is {:?}, not twelve ASCII characters", processor.vendor),
    );
    found.above(processor.family, 0x10e, "processor.family");
    found.above(processor.model, 0xff, "processor.model");
    found.above(processor.stepping, 0xf, "processor.stepping");
    found.0
}

/// What a sound machine is not, but a broken one may be.
fn odd(description: &Description) -> Vec<Finding> {
    let caps = &description.capabilities;
    let mut found = Findings::default();
    for (field, level) in [
        ("capabilities.highest", caps.highest),
        ("capabilities.nominal", caps.nominal),
        ("capabilities.lowest_nonlinear", caps.lowest_nonlinear),
        ("capabilities.lowest", caps.lowest),
    ] {
        found.when(level == 0, field, || "is 0; levels begin at 1".into());
    }
    let steps = [
        ("nominal", caps.nominal, "highest", caps.highest),
        (
            "lowest_nonlinear",
            caps.lowest_nonlinear,
            "nominal",
            caps.nominal,
        ),
        (
            "lowest",
            caps.lowest,
            "lowest_nonlinear",
            caps.lowest_nonlinear,
        ),
    ];
    for (name, level, above, bound) in steps {
        found.when(level > bound, &format!("capabilities.{name}"), || {
            format!("is {level}, above {above} ({bound})")
        });
    }
    for (i, core) in description.cores.iter().enumerate() {
        let ranking = core.ranking.unwrap_or(caps.highest);
        found.when(
            ranking < caps.nominal,
            &format!("cores[{i}].ranking"),
            || format!("is {ranking}, below nominal ({})", caps.nominal),
        );
    }
    odd_clock(description, &mut found);
    odd_start(description, &mut found);
    found.0
}

fn odd_clock(description: &Description, found: &mut Findings) {
    let clock = &description.clock;
    found.when(clock.nominal_mhz == 0, "clock.nominal_mhz", || {
        "is 0".into()
    });
    found.when(clock.lowest_mhz == 0, "clock.lowest_mhz", || "is 0".into());
    let most = description.processor.pstate_most_mhz();
    found.above(clock.nominal_mhz, most, "clock.nominal_mhz");
    found.when(
        clock.lowest_mhz > clock.nominal_mhz,
        "clock.lowest_mhz",
        || {
            format!(
                "is {}, above nominal_mhz ({})",
                clock.lowest_mhz, clock.nominal_mhz
            )
        },
    );
}

fn odd_start(description: &Description, found: &mut Findings) {
    let boost = &description.boost;
    found.when(
        boost.disabled_by_firmware && !boost.supported,
        "boost.disabled_by_firmware",
        || "is set though boost is not supported".into(),
    );
    let request = &description.initial.request;
    found.when(
        request.max != 0 && request.min > request.max,
        "initial.request.min",
        || format!("is {}, above max ({})", request.min, request.max),
    );
    for (i, fault) in description.faults.iter().enumerate() {
        found.when(
            fault.times == Some(0),
            &format!("faults[{i}].times"),
            || "is 0: the fault never happens".into(),
        );
        let same = fault.to_mark.is_some() && fault.to_mark == fault.from_mark;
        found.when(same, &format!("faults[{i}].to_mark"), || {
            "is from_mark: the fault never ends".into()
        });
    }
}

#[derive(Default)]
struct Findings(Vec<Finding>);

impl Findings {
    fn when(&mut self, wrong: bool, field: &str, reason: impl FnOnce() -> String) {
        if wrong {
            self.0.push((field.to_owned(), reason()));
        }
    }

    fn above(&mut self, value: u32, most: u32, field: &str) {
        self.when(value > most, field, || format!("is {value}, above {most}"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::Platform;
    use proptest::prelude::*;
    use std::path::Path;

    const DESKTOP: &str = include_str!("../../../../platforms/zen4-desktop.toml");

    /// Loads the desktop with one line changed and returns the error.
    fn error(line: &str, changed: &str) -> String {
        assert!(DESKTOP.contains(line), "{line:?} is not in the description");
        let text = DESKTOP.replacen(line, changed, 1);
        Platform::parse(Path::new("odd.toml"), &text)
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn each_error_names_the_file_and_the_field() {
        for (line, changed, field) in [
            ("\nnominal = 131", "\nnominal = 0", "capabilities.nominal"),
            ("\nnominal = 131", "\nnominal = 200", "capabilities.nominal"),
            (
                "\nlowest_nonlinear = 51",
                "\nlowest_nonlinear = 140",
                "capabilities.lowest_nonlinear",
            ),
            ("\nlowest = 12", "\nlowest = 60", "capabilities.lowest"),
            ("\nlowest = 12", "\nlowest = 0", "capabilities.lowest"),
            ("nominal_mhz = 4500", "nominal_mhz = 0", "clock.nominal_mhz"),
            (
                "nominal_mhz = 4500",
                "nominal_mhz = 9000",
                "clock.nominal_mhz",
            ),
            ("lowest_mhz = 400", "lowest_mhz = 4501", "clock.lowest_mhz"),
            (
                "vendor = \"AuthenticAMD\"",
                "vendor = \"AMD\"",
                "processor.vendor",
            ),
            ("family = 0x19", "family = 0x119", "processor.family"),
            ("model = 0x61", "model = 0x161", "processor.model"),
            ("stepping = 2", "stepping = 16", "processor.stepping"),
            ("{ ranking = 236 }", "{ ranking = 100 }", "cores[1].ranking"),
        ] {
            let error = error(line, changed);
            assert!(
                error.starts_with(&format!("odd.toml: {field}: ")),
                "{error}"
            );
        }
    }

    #[test]
    fn a_missing_and_an_unknown_field_are_named() {
        let missing = error("\nnominal = 131", "");
        assert!(missing.contains("nominal"), "{missing}");
        let unknown = error("\nnominal = 131", "\nnominal = 131\nnominale = 1");
        assert!(unknown.contains("nominale"), "{unknown}");
        let too_big = error("\nnominal = 131", "\nnominal = 256");
        assert!(too_big.contains("256"), "{too_big}");
    }

    #[test]
    fn a_fault_that_cannot_be_meant_is_named() {
        let fault = "[[faults]]\nregister = \"REQ\"\naccess = \"read\"";
        for (line, field) in [
            ("times = 0", "faults[0].times"),
            ("from_mark = 3\nto_mark = 3", "faults[0].to_mark"),
        ] {
            let text = format!("{DESKTOP}\n{fault}\n{line}");
            let error = Platform::parse(Path::new("odd.toml"), &text).unwrap_err();
            let error = error.to_string();
            assert!(error.contains(field), "{error}");
        }
        let text = format!("{DESKTOP}\n{}", fault.replace("REQ", "REQ9"));
        let error = Platform::parse(Path::new("odd.toml"), &text).unwrap_err();
        assert!(error.to_string().contains("REQ9"), "{error}");
    }

    #[test]
    fn a_rule_broken_on_purpose_is_no_error() {
        let text = DESKTOP
            .replacen("\nnominal = 131", "\nnominal = 200", 1)
            .replacen(
                "\ncores",
                "\ndeliberate = [\"capabilities.nominal\", \"cores[0].ranking\", \"cores[6].ranking\", \"cores[7].ranking\"]\ncores",
                1,
            );
        let platform = Platform::parse(Path::new("odd.toml"), &text).unwrap();
        assert_eq!(platform.cpu(0).unwrap().nominal, 200);
    }

    #[test]
    fn a_purpose_that_breaks_no_rule_is_an_error() {
        let error = error(
            "\ncores",
            "\ndeliberate = [\"capabilities.nominal\"]\ncores",
        );
        assert!(error.contains("deliberate"), "{error}");
        assert!(error.contains("capabilities.nominal"), "{error}");
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let error = Platform::load(Path::new("nowhere.toml")).unwrap_err();
        assert!(error.to_string().starts_with("nowhere.toml: "));
    }

    proptest! {
        #[test]
        fn no_line_breaks_the_reader(
            at in 0..DESKTOP.lines().count(),
            line in prop_oneof![
                "\\PC{0,40}",
                "[a-z_]{1,20} = -?[0-9]{1,20}",
                "\\[{1,2}[a-z]{1,12}\\]{1,2}",
            ],
        ) {
            let mut lines: Vec<_> = DESKTOP.lines().collect();
            lines[at] = &line;
            if let Ok(platform) = Platform::parse(Path::new("odd.toml"), &lines.join("\n")) {
                prop_assert!(platform.cpus() >= 1);
            }
        }

        #[test]
        fn any_level_is_told_apart_as_sound_odd_or_impossible(
            name in prop::sample::select(&["highest", "nominal", "lowest_nonlinear", "lowest"][..]),
            level in -300i64..600,
        ) {
            let number = DESKTOP
                .lines()
                .find_map(|line| line.strip_prefix(name)?.strip_prefix(" = "))
                .unwrap();
            let text = DESKTOP.replacen(
                &format!("\n{name} = {number}"),
                &format!("\n{name} = {level}"),
                1,
            );
            match Platform::parse(Path::new("odd.toml"), &text) {
                Ok(platform) => {
                    let cpu = platform.cpu(0).unwrap();
                    prop_assert!(1 <= cpu.lowest && cpu.lowest <= cpu.lowest_nonlinear);
                    prop_assert!(cpu.lowest_nonlinear <= cpu.nominal && cpu.nominal <= cpu.highest);
                }
                Err(error) => {
                    let error = error.to_string();
                    let named = error.contains("capabilities.")
                        || error.contains("ranking")
                        || error.contains(name);
                    prop_assert!(named, "{error}");
                }
            }
        }
    }
}
