// SPDX-License-Identifier: GPL-2.0
//! What the platform's description says that a frequency and a level are.

use anyhow::{Context, Result};
use cppc_model::{CpuDescription, Register, Request};

use crate::machine::Machine;

/// A CPU's description.
pub fn describe(m: &Machine, cpu: usize) -> Result<CpuDescription> {
    m.platform()
        .cpu(cpu)
        .copied()
        .with_context(|| format!("cpu{cpu} is not described"))
}

/// The highest frequency in kHz for which `level` is enough. Frequencies that the kernel shows are
/// rounded up, and the level for them may be one more.
pub fn khz_within(m: &Machine, cpu: usize, level: u8) -> Result<u64> {
    let nominal_khz = u64::from(m.platform().nominal_mhz()) * 1000;
    let nominal = u64::from(describe(m, cpu)?.nominal);
    (nominal_khz * u64::from(level))
        .checked_div(nominal)
        .context("nominal perf is 0")
}

/// The lowest level that gives at least this frequency, within what the CPU can do.
pub fn level_for(m: &Machine, cpu: usize, khz: u64) -> Result<u8> {
    let cpu = describe(m, cpu)?;
    let nominal_khz = u64::from(m.platform().nominal_mhz()) * 1000;
    let level = (khz * u64::from(cpu.nominal)).div_ceil(nominal_khz);
    let level = level.clamp(cpu.lowest.into(), cpu.highest.into());
    u8::try_from(level).context("a level above 255")
}

/// The request for these three levels. In passive mode the energy preference is 0: the governor
/// has weighed energy already.
pub fn request(min: u8, des: u8, max: u8) -> Request {
    Request::new().with_min(min).with_des(des).with_max(max)
}

/// What stands in the registers that the driver writes, of every CPU. All must be online, and the
/// module `msr` loaded.
pub fn written_registers(m: &mut Machine) -> Result<Vec<u64>> {
    let mut values = Vec::new();
    for cpu in m.cpus() {
        for register in [Register::Enable, Register::Req, Register::PerfCtl] {
            values.push(m.register(cpu, register)?);
        }
    }
    Ok(values)
}
