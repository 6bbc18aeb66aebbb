// SPDX-License-Identifier: GPL-2.0
//! The energy performance preference of active mode.

use anyhow::{ensure, Context, Result};
use cppc_model::{Register, Request};

use super::{Scenario, C_DRIVER_OFF};
use crate::check;
use crate::driver::MODULE;
use crate::machine::{policy, Machine};

pub const SCENARIOS: &[Scenario] = &[
    Scenario {
        about:
            "every word and number that can be written arrives, and reads as what can be written",
        run: words_and_numbers,
        ..Scenario::new("epp-values", C_DRIVER_OFF)
    },
    Scenario {
        about: "text that is no preference is refused and changes nothing",
        run: refused,
        ..Scenario::new("epp-refused", C_DRIVER_OFF)
    },
    Scenario {
        about: "a preference is kept while the governor is performance",
        run: kept,
        ..Scenario::new("epp-kept", C_DRIVER_OFF)
    },
    Scenario {
        about: "dynamic follows the platform profile",
        run: dynamic,
        ..Scenario::new("epp-dynamic", C_DRIVER_OFF)
    },
];

const ATTRIBUTE: &str = "energy_performance_preference";
const AVAILABLE: &str = "energy_performance_available_preferences";

/// Loads the driver in active mode with the governor that leaves the choice to firmware.
fn load(m: &mut Machine) -> Result<()> {
    m.modprobe(&["msr"])?;
    m.modprobe(&[MODULE, "mode=active"])?;
    for cpu in m.cpus() {
        m.write(&policy(cpu, "scaling_governor"), "powersave")?;
    }
    Ok(())
}

/// The value that firmware has.
fn value(m: &mut Machine, cpu: usize) -> Result<u8> {
    Ok(Request::from_bits(m.register(cpu, Register::Req)?).epp())
}

fn words_and_numbers(m: &mut Machine) -> Result<()> {
    load(m)?;
    let firmware = m.platform().initial().request.epp;
    let path = policy(0, ATTRIBUTE);
    let words = m.text(&policy(0, AVAILABLE))?;
    let known = [
        ("default", Some(firmware)),
        ("performance", Some(0)),
        ("balance_performance", Some(128)),
        ("balance_power", Some(191)),
        ("power", Some(255)),
        ("dynamic", None),
    ];
    check::equal(
        "the words",
        words.split_whitespace().collect::<Vec<_>>(),
        known.map(|(word, _)| word).to_vec(),
    )?;
    for (word, expected) in known {
        m.write(&path, format!("{word}\n"))
            .with_context(|| word.to_owned())?;
        if let Some(expected) = expected {
            check::equal(word, value(m, 0)?, expected)?;
        }
        written_back(m, &path)?;
    }
    for number in 0..=u8::MAX {
        m.write(&path, number.to_string())?;
        check::equal("the register", value(m, 0)?, number)?;
        check::equal(&path, m.text(&path)?, number.to_string())?;
    }
    // As a shell, a daemon and cpupower write it.
    for (text, expected) in [
        ("0x40\n", 0x40),
        ("power", 255),
        ("balance_power\n\0\0\0\0\0\0\0\0\0\0\0\0", 191),
    ] {
        m.write(&path, text).with_context(|| format!("{text:?}"))?;
        check::equal(text, value(m, 0)?, expected)?;
    }
    m.rmmod(MODULE)?;
    Ok(())
}

/// Whatever the file reads can be written, and reads the same then.
fn written_back(m: &mut Machine, path: &str) -> Result<()> {
    let shown = m.text(path)?;
    m.write(path, &shown)
        .with_context(|| format!("{shown:?} cannot be written back"))?;
    check::equal(path, m.text(path)?, shown)
}

fn refused(m: &mut Machine) -> Result<()> {
    const EINVAL: i32 = 22;
    load(m)?;
    let path = policy(0, ATTRIBUTE);
    m.write(&path, "200")?;
    let before = m.now()?;
    let long = "p".repeat(4096);
    for text in [
        "\n",
        "256",
        "-1",
        "1.5",
        "0x",
        "0x100",
        "powe",
        "powers",
        "Power",
        " power",
        "power ",
        "custom",
        "dynamic(profile:balanced)",
        "power performance",
        "\u{e9}",
        &long,
    ] {
        let errno = m.write(&path, text).err().and_then(|error| error.errno());
        check::equal(format!("errno of {text:?}"), errno, Some(EINVAL))?;
        check::equal(&path, m.text(&path)?, "200")?;
    }
    let writes = crate::registers::requests(&m.registers_since(before)?, 0);
    ensure!(
        writes.is_empty(),
        "a refused text made requests: {writes:?}"
    );
    m.rmmod(MODULE)?;
    Ok(())
}

fn kept(m: &mut Machine) -> Result<()> {
    load(m)?;
    let (path, governor) = (policy(0, ATTRIBUTE), policy(0, "scaling_governor"));
    m.write(&path, "90")?;
    m.write(&governor, "performance")?;
    check::equal("under performance", m.text(&path)?, "performance")?;
    check::equal("under performance", value(m, 0)?, 0)?;
    m.write(&governor, "powersave")?;
    check::equal("after a round trip", m.text(&path)?, "90")?;
    check::equal("after a round trip", value(m, 0)?, 90)?;

    m.write(&governor, "performance")?;
    m.write(&path, "balance_power")?;
    check::equal("kept for later", value(m, 0)?, 0)?;
    m.write(&governor, "powersave")?;
    check::equal("in force", m.text(&path)?, "balance_power")?;
    check::equal("in force", value(m, 0)?, 191)?;

    // Off and on again, and a change of limits: the preference stays.
    m.write(&policy(1, ATTRIBUTE), "33")?;
    m.set_online(1, false)?;
    m.set_online(1, true)?;
    check::equal("after hotplug", m.text(&policy(1, ATTRIBUTE))?, "33")?;
    check::equal("after hotplug", value(m, 1)?, 33)?;
    m.write(&policy(1, "scaling_max_freq"), "3000000")?;
    check::equal("after a change of limits", value(m, 1)?, 33)?;
    m.rmmod(MODULE)?;
    Ok(())
}

fn dynamic(m: &mut Machine) -> Result<()> {
    load(m)?;
    let path = policy(0, ATTRIBUTE);
    m.write(&path, "dynamic")?;
    let profile = "/sys/class/platform-profile/platform-profile-0/profile";
    check::equal(profile, m.text(profile)?, "balanced")?;
    for (word, expected) in [("low-power", 255), ("performance", 0)] {
        m.write(profile, word)?;
        check::equal(word, value(m, 0)?, expected)?;
        check::equal(&path, m.text(&path)?, "dynamic")?;
    }
    m.write(&path, "balance_power")?;
    ensure!(
        !m.exists(profile)?,
        "the profile is still there without the preference that follows it"
    );
    m.rmmod(MODULE)?;
    Ok(())
}
