// SPDX-License-Identifier: GPL-2.0
//! The floor, on a processor that has one.

use anyhow::{ensure, Context, Result};
use cppc_model::{Register, Request2};

use super::{Boot, Scenario, C_DRIVER_OFF};
use crate::check;
use crate::driver::MODULE;
use crate::machine::{policy, Machine, CPUS};

pub const SCENARIOS: &[Scenario] = &[
    Scenario {
        about: "a floor arrives in REQ2, survives modes and hotplug, and goes with the driver",
        run: floor,
        ..Scenario::new(
            "floor",
            Boot {
                platform: "zen5-floor",
                ..C_DRIVER_OFF
            },
        )
    },
    Scenario {
        about: "a processor without a floor has no files for it",
        run: no_floor,
        ..Scenario::new("floor-absent", C_DRIVER_OFF)
    },
];

const FREQ: &str = "amd_pstate_floor_freq";

fn in_register(m: &mut Machine, cpu: usize) -> Result<u8> {
    Ok(Request2::from_bits(m.register(cpu, Register::Req2)?).floor())
}

fn floor(m: &mut Machine) -> Result<()> {
    const EINVAL: i32 = 22;
    m.modprobe(&["msr"])?;
    let found = in_register(m, 0)?;
    m.modprobe(&[MODULE, "mode=passive"])?;
    let path = policy(0, FREQ);
    let max = m.number(&policy(0, "scaling_max_freq"))?;
    let min = m.number(&policy(0, "cpuinfo_min_freq"))?;
    ensure!(
        m.number(&policy(0, "amd_pstate_floor_count"))? > 0,
        "no floors"
    );

    let before = m.text(&path)?;
    for text in [(min - 1).to_string(), (max + 1).to_string(), "fast".into()] {
        let errno = m.write(&path, &text).err().and_then(|error| error.errno());
        check::equal(format!("errno of {text}"), errno, Some(EINVAL))?;
        check::equal(&path, m.text(&path)?, before.clone())?;
    }
    m.write(&path, format!("{max}\n"))?;
    let highest = m.number(&policy(0, "amd_pstate_highest_perf"))?;
    check::equal("REQ2", u64::from(in_register(m, 0)?), highest)?;
    for mode in ["active", "guided", "disable", "passive"] {
        m.write(&format!("{CPUS}/amd_pstate/status"), mode)?;
        if mode == "disable" {
            check::equal("REQ2 without a driver", in_register(m, 0)?, found)?;
        } else {
            check::equal(mode, m.number(&path)?, max)?;
            check::equal(mode, u64::from(in_register(m, 0)?), highest)?;
        }
    }
    let other = policy(1, FREQ);
    m.write(&other, max.to_string())
        .context("the other CPU's floor")?;
    m.set_online(1, false)?;
    m.set_online(1, true)?;
    check::equal("after hotplug", u64::from(in_register(m, 1)?), highest)?;
    m.rmmod(MODULE)?;
    check::equal("REQ2 after the driver", in_register(m, 0)?, found)
}

fn no_floor(m: &mut Machine) -> Result<()> {
    m.modprobe(&[MODULE, "mode=passive"])?;
    for file in [FREQ, "amd_pstate_floor_count"] {
        ensure!(!m.exists(&policy(0, file))?, "{file} is there");
    }
    m.rmmod(MODULE)?;
    Ok(())
}
