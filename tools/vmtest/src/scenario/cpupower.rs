// SPDX-License-Identifier: GPL-2.0
//! Users' own tools work, and agree with each other and with the platform's description.

use anyhow::{ensure, Context, Result};

use super::expected::{describe, khz_within};
use super::{Scenario, C_DRIVER_OFF};
use crate::check;
use crate::machine::{policy, Machine};

pub const SCENARIOS: &[Scenario] = &[
    Scenario {
        about: "cpupower, pstatectl and the description agree on every number",
        with_reference: true,
        run: all_agree,
        ..Scenario::new("cpupower-info-desktop", C_DRIVER_OFF)
    },
    Scenario {
        about: "the same on a part without preferred cores",
        with_reference: true,
        run: all_agree,
        ..Scenario::new("cpupower-info-uniform", C_DRIVER_OFF.on("zen3-uniform"))
    },
    Scenario {
        about: "cpupower sets governor, limits and speed",
        with_reference: true,
        run: sets,
        ..Scenario::new("cpupower-set", C_DRIVER_OFF)
    },
];

/// Lines whose numbers are measured and differ from one moment to the next.
const MEASURED: &str = "current CPU frequency";

fn all_agree(m: &mut Machine) -> Result<()> {
    let driver = m.driver;
    driver.load(m)?;
    for options in [&["frequency-info"][..], &["frequency-info", "-n"]] {
        let [cpupower, pstatectl] = ["cpupower", "pstatectl"].map(|tool| -> Result<String> {
            let argv = [&[tool, "-c", "all"], options].concat();
            Ok(m.run(&argv)?.ok()?.stdout)
        });
        let (cpupower, pstatectl) = (lines(&cpupower?), lines(&pstatectl?));
        check::equal(format!("pstatectl's {options:?}"), pstatectl, cpupower)?;
    }
    for cpu in m.cpus() {
        let number = cpu.to_string();
        let said = m
            .run(&["cpupower", "-c", &number, "frequency-info", "-n"])?
            .ok()?
            .stdout;
        as_described(m, cpu, &said).with_context(|| format!("cpu{cpu}: {said}"))?;
    }
    driver.unload(m)
}

/// All lines but the measured ones.
fn lines(output: &str) -> Vec<String> {
    let kept = output.lines().filter(|line| !line.contains(MEASURED));
    kept.map(|line| line.trim_end().to_owned()).collect()
}

/// cpupower's block "amd-pstate limits" holds what the description says.
fn as_described(m: &mut Machine, cpu: usize, said: &str) -> Result<()> {
    let known = describe(m, cpu)?;
    let khz = |level| m.platform().khz_at(level).context("nominal perf is 0");
    let lowest_khz = u64::from(m.platform().lowest_mhz()) * 1000;
    for (name, level, khz) in [
        ("Highest Performance", known.highest, khz(known.highest)?),
        ("Nominal Performance", known.nominal, khz(known.nominal)?),
        (
            "Lowest Non-linear Performance",
            known.lowest_nonlinear,
            khz(known.lowest_nonlinear)?,
        ),
        ("Lowest Performance", known.lowest, lowest_khz),
    ] {
        let line = line_with(said, &format!("{name}:"))?;
        let (level_said, khz_said) = level_and_khz(line).with_context(|| line.to_owned())?;
        check::equal(name, level_said, level)?;
        check::equal(format!("{name}'s frequency"), khz_said, khz)?;
    }
    let preferred = m.platform().has_preferred_cores();
    let line = line_with(said, "Preferred Core Support:")?;
    let support = u8::from(preferred);
    check::contains(
        "preferred cores",
        line,
        &format!("Preferred Core Support: {support}."),
    )?;
    if preferred {
        check::contains("ranking", line, &format!("Ranking: {}.", known.ranking))?;
    }
    let boost = if m.platform().can_boost() {
        "yes"
    } else {
        "no"
    };
    check::contains("boost", line_with(said, "Active:")?, boost)
}

fn line_with<'a>(text: &'a str, piece: &str) -> Result<&'a str> {
    text.lines()
        .map(str::trim)
        .find(|line| line.starts_with(piece))
        .with_context(|| format!("no line begins with {piece:?}"))
}

/// Level and kHz of `Nominal Performance: 131. Nominal Frequency: 4.500000 GHz.`
fn level_and_khz(line: &str) -> Option<(u8, u64)> {
    let mut pieces = line.split(": ").skip(1);
    let level = pieces.next()?.split('.').next()?.parse().ok()?;
    let mut frequency = pieces.next()?.trim_end_matches('.').split(' ');
    let (number, unit) = (frequency.next()?, frequency.next()?);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let digits = match unit {
        "GHz" => 6,
        "MHz" => 3,
        _ => return None,
    };
    let khz = format!("{whole}{fraction:0<digits$}").parse().ok()?;
    Some((level, khz))
}

fn sets(m: &mut Machine) -> Result<()> {
    let driver = m.driver;
    driver.load(m)?;
    m.modprobe(&["cpufreq_userspace"])?;
    let all = |m: &mut Machine, options: &[&str]| -> Result<()> {
        let argv = [&["cpupower", "-c", "all", "frequency-set"], options].concat();
        m.run(&argv)?.ok()?;
        Ok(())
    };
    let each = |m: &mut Machine, attribute: &str, value: &str| -> Result<()> {
        m.cpus().try_for_each(|cpu| {
            let path = policy(cpu, attribute);
            check::equal(&path, m.text(&path)?, value)
        })
    };
    all(m, &["-g", "performance"])?;
    each(m, "scaling_governor", "performance")?;
    let nominal = describe(m, 0)?.nominal;
    let khz = khz_within(m, 0, nominal)?.to_string();
    all(m, &["-u", &khz])?;
    each(m, "scaling_max_freq", &khz)?;
    let khz = khz_within(m, 0, nominal - 1)?.to_string();
    all(m, &["-d", &khz])?;
    each(m, "scaling_min_freq", &khz)?;
    all(m, &["-f", &khz])?;
    each(m, "scaling_governor", "userspace")?;
    each(m, "scaling_setspeed", &khz)?;
    let refused = m.run(&["cpupower", "frequency-set", "-g", "warp"])?;
    ensure!(
        refused.clone().ok().is_err(),
        "a governor that is none was taken: {refused:?}"
    );
    driver.unload(m)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_cpupower_s_gives_level_and_frequency() {
        let line = "Nominal Performance: 131. Nominal Frequency: 4.500000 GHz.";
        assert_eq!(level_and_khz(line), Some((131, 4_500_000)));
        let line = "Lowest Performance: 12. Lowest Frequency: 400.000 MHz.";
        assert_eq!(level_and_khz(line), Some((12, 400_000)));
        assert_eq!(
            level_and_khz("Lowest Performance: 12. Lowest Frequency: ."),
            None
        );
    }

    #[test]
    fn measured_lines_are_left_out() {
        let output = "  driver: amd-pstate\n  current CPU frequency: 1.90 GHz\n  x \n";
        assert_eq!(lines(output), ["  driver: amd-pstate", "  x"]);
    }
}
