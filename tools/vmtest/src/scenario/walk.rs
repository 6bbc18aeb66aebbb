// SPDX-License-Identifier: GPL-2.0
//! A random walk over everything that can be written, from a seed.

use anyhow::{ensure, Context, Result};
use cppc_model::{Register, Request};

use super::expected::{describe, written_registers};
use super::{Boot, Scenario, C_DRIVER_OFF};
use crate::check;
use crate::driver::MODULE;
use crate::machine::{policy, Machine, CPUS};
use crate::registers::writes;

pub const SCENARIOS: &[Scenario] = &[Scenario {
    about: "two thousand random writes make no request out of order, and leave no trace",
    run: walk,
    bound: std::time::Duration::from_secs(240),
    ..Scenario::new(
        "walk-random",
        Boot {
            cpus: 4,
            ..C_DRIVER_OFF
        },
    )
}];

const SEED: u64 = 0x2026_1130;
const STEPS: usize = 2000;

/// Numbers that repeat from their seed (xorshift64*, Vigna 2016).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let number = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        usize::try_from(number).unwrap_or(0) % end.max(1)
    }

    fn one_of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        let place = self.below(choices.len());
        choices.get(place).copied().unwrap_or_default()
    }
}

/// A file and what to write into it: mostly what makes sense, and some of what does not.
fn step(numbers: &mut Numbers, cpus: usize) -> (String, String) {
    let cpu = numbers.below(cpus);
    let khz = (300_000 + 10_000 * numbers.below(600)).to_string();
    let (file, text) = match numbers.below(20) {
        0..=4 => ("scaling_min_freq", khz),
        5..=9 => ("scaling_max_freq", khz),
        10 => (
            "scaling_min_freq",
            numbers.one_of(&["0", "fast", ""]).into(),
        ),
        11..=12 => {
            let governors = ["performance", "powersave", "schedutil", "userspace", "warp"];
            ("scaling_governor", numbers.one_of(&governors).into())
        }
        13 => ("scaling_setspeed", khz),
        14..=15 => {
            let words = [
                "default",
                "power",
                "performance",
                "dynamic",
                "0x42",
                "300",
                "no",
            ];
            (
                "energy_performance_preference",
                numbers.one_of(&words).into(),
            )
        }
        16 => ("boost", numbers.one_of(&["0", "1", "2"]).into()),
        17 => {
            let path = format!("{CPUS}/cpufreq/boost");
            return (path, numbers.one_of(&["0", "1"]).into());
        }
        18 => {
            // CPU 0 stays.
            let path = format!("{CPUS}/cpu{}/online", cpu.max(1));
            return (path, numbers.one_of(&["0", "1"]).into());
        }
        _ => {
            let modes = ["passive", "active", "guided", "disable", "undefin"];
            let path = format!("{CPUS}/amd_pstate/status");
            return (path, numbers.one_of(&modes).into());
        }
    };
    (policy(cpu, file), text)
}

fn walk(m: &mut Machine) -> Result<()> {
    for module in ["msr", "cpufreq_powersave", "cpufreq_userspace"] {
        m.modprobe(&[module])?;
    }
    let found = written_registers(m)?;
    let begin = m.now()?;
    m.modprobe(&[MODULE, "mode=passive"])?;
    let mut numbers = Numbers(SEED);
    let (mut taken, cpus) = (0_usize, m.cpus().end);
    for number in 0..STEPS {
        let (path, text) = step(&mut numbers, cpus);
        match m.write(&path, &text) {
            Ok(()) => taken += 1,
            // A refusal is an answer like another; only the guest may not be gone.
            Err(error) => {
                error
                    .errno()
                    .ok_or(error)
                    .with_context(|| format!("step {number} of seed {SEED:#x}: {path}"))?;
            }
        }
    }
    ensure!(
        taken > STEPS / 4,
        "only {taken} of {STEPS} writes were taken"
    );
    m.write(&format!("{CPUS}/amd_pstate/status"), "passive")?;
    for cpu in m.cpus().skip(1) {
        m.write(&format!("{CPUS}/cpu{cpu}/online"), "1")?;
    }
    m.rmmod(MODULE)?;
    check::equal("the registers after it", written_registers(m)?, found)?;

    for write in writes(&m.registers_since(begin)?) {
        if write.register == Register::Req {
            let request = Request::from_bits(write.value);
            let cpu = usize::try_from(write.cpu)?;
            in_order(m, cpu, request).with_context(|| format!("cpu{cpu}: {request:?}"))?;
        }
    }
    Ok(())
}

/// Lowest ≤ min ≤ des ≤ max ≤ highest, but for the request that firmware had, which is given back.
fn in_order(m: &Machine, cpu: usize, request: Request) -> Result<()> {
    let (known, firmware) = (describe(m, cpu)?, m.platform().initial().request);
    let given_back =
        (request.min(), request.des(), request.max()) == (firmware.min, firmware.des, firmware.max);
    let (min, max) = (request.min(), request.max());
    ensure!(
        given_back
            || known.lowest <= min
                && min <= max
                && max <= known.highest
                && (request.des() == 0 || (min..=max).contains(&request.des())),
        "out of order"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_walks_the_same_way() {
        let walk = || {
            let mut numbers = Numbers(SEED);
            (0..100).map(|_| step(&mut numbers, 4)).collect::<Vec<_>>()
        };
        assert_eq!(walk(), walk());
    }

    #[test]
    fn the_walk_comes_by_every_kind_of_file_and_never_takes_the_first_cpu() {
        let mut numbers = Numbers(SEED);
        let paths: Vec<String> = (0..STEPS).map(|_| step(&mut numbers, 4).0).collect();
        for file in [
            "status",
            "online",
            "boost",
            "scaling_governor",
            "setspeed",
            "preference",
        ] {
            assert!(paths.iter().any(|path| path.ends_with(file)), "{file}");
        }
        assert!(!paths.iter().any(|path| path.contains("/cpu0/online")));
    }
}
