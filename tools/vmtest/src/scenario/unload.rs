// SPDX-License-Identifier: GPL-2.0
//! An unload leaves the machine as the load found it.

use std::collections::BTreeMap;

use anyhow::{ensure, Context, Result};
use cppc_model::Register;

use super::{Scenario, C_DRIVER_OFF};
use crate::check;
use crate::driver::MODULE;
use crate::machine::{policy, Machine};

pub const SCENARIOS: &[Scenario] = &[
    Scenario {
        about: "rmmod puts every register back as it was found",
        run: registers_come_back,
        ..Scenario::new("unload-registers", C_DRIVER_OFF)
    },
    Scenario {
        about: "the same on a part without preferred cores",
        run: registers_come_back,
        ..Scenario::new("unload-registers-uniform", C_DRIVER_OFF.on("zen3-uniform"))
    },
    Scenario {
        about: "a P-state that acpi-cpufreq left is out of the way while loaded, and comes back",
        run: p_state_comes_back,
        ..Scenario::new("unload-p-state", C_DRIVER_OFF)
    },
    Scenario {
        about: "registers of a CPU that goes off- or online meanwhile come back too",
        run: registers_come_back_after_hotplug,
        ..Scenario::new("unload-hotplug", C_DRIVER_OFF)
    },
];

/// Registers that a frequency driver may write, on any machine.
const REGISTERS: [Register; 4] = [
    Register::Enable,
    Register::Req,
    Register::Hwcr,
    Register::PerfCtl,
];

/// Values of registers, by CPU.
type Values = BTreeMap<(usize, Register), String>;

fn registers_come_back(m: &mut Machine) -> Result<()> {
    m.modprobe(&["msr"])?;
    let found = values(m)?;
    m.modprobe(&[MODULE])?;
    for cpu in m.cpus() {
        use_it(m, cpu)?;
    }
    let used = values(m)?;
    ensure!(
        used != found,
        "the driver has changed nothing, so there is nothing to see"
    );
    m.rmmod(MODULE)?;
    same(&found, &values(m)?)
}

fn registers_come_back_after_hotplug(m: &mut Machine) -> Result<()> {
    m.modprobe(&["msr"])?;
    let found = values(m)?;
    let last = m.cpus().end - 1;

    m.set_online(last, false)?;
    m.modprobe(&[MODULE])?;
    m.set_online(last, true)?;
    use_it(m, last)?;
    m.rmmod(MODULE)?;
    same(&found, &values(m)?).context("offline while the driver was loaded")?;

    m.modprobe(&[MODULE])?;
    use_it(m, last)?;
    m.set_online(last, false)?;
    m.set_online(last, true)?;
    m.rmmod(MODULE)?;
    same(&found, &values(m)?).context("off- and online under the driver")?;

    m.modprobe(&[MODULE])?;
    use_it(m, last)?;
    m.set_online(last, false)?;
    m.rmmod(MODULE)?;
    m.set_online(last, true)?;
    same(&found, &values(m)?).context("offline while the driver was unloaded")
}

fn p_state_comes_back(m: &mut Machine) -> Result<()> {
    m.modprobe(&["msr"])?;
    m.modprobe(&["acpi_cpufreq"])?;
    m.modprobe(&["cpufreq_powersave"])?;
    for cpu in m.cpus() {
        m.write(&policy(cpu, "scaling_governor"), "powersave")?;
    }
    m.rmmod("acpi_cpufreq")?;
    let found = values(m)?;
    let last = m.cpus().end - 1;
    let left = m.register(last, Register::PerfCtl)?;
    ensure!(
        left != 0,
        "acpi-cpufreq leaves the fastest P-state, so there is nothing to see"
    );

    m.modprobe(&[MODULE])?;
    check::equal(
        "PERF_CTL under the driver",
        m.register(last, Register::PerfCtl)?,
        0,
    )?;
    m.set_online(last, false)?;
    m.set_online(last, true)?;
    check::equal(
        "PERF_CTL online again",
        m.register(last, Register::PerfCtl)?,
        0,
    )?;
    m.rmmod(MODULE)?;
    same(&found, &values(m)?)
}

/// Makes the driver write something.
fn use_it(m: &mut Machine, cpu: usize) -> Result<()> {
    m.write(&policy(cpu, "scaling_governor"), "performance")?;
    let nominal = m.platform().nominal_mhz();
    m.write(&policy(cpu, "scaling_max_freq"), format!("{nominal}000"))?;
    Ok(())
}

fn values(m: &mut Machine) -> Result<Values> {
    // Elsewhere an access to it faults.
    let floor = m.platform().features().perf_prio.then_some(Register::Req2);
    let mut values = Values::new();
    for cpu in m.cpus() {
        for register in REGISTERS.into_iter().chain(floor) {
            values.insert(
                (cpu, register),
                format!("{:#x}", m.register(cpu, register)?),
            );
        }
    }
    Ok(values)
}

fn same(found: &Values, left: &Values) -> Result<()> {
    for ((cpu, register), value) in found {
        let now = left.get(&(*cpu, *register));
        check::equal(format!("cpu{cpu} {register}"), now, Some(value))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_register_that_has_changed_is_named_with_both_values() {
        let found = Values::from([((1, Register::Req), "0xa6".to_owned())]);
        let left = Values::from([((1, Register::Req), "0x0".to_owned())]);
        let error = same(&found, &left).unwrap_err().to_string();
        assert_eq!(error, r#"cpu1 REQ is Some("0x0"), not Some("0xa6")"#);
        assert!(same(&found, &found).is_ok());
    }
}
