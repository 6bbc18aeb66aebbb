// SPDX-License-Identifier: GPL-2.0
//! Governor and limits in force, and the limits of the hardware.

use cpufreq_sysfs::{attribute, Attribute, CpuId, Error, Governor, KiloHertz};

use crate::context::Context;

/// Lowest and highest frequency of the hardware, kHz.
#[derive(Clone, Copy, Debug)]
pub struct HardwareLimits {
    /// `cpuinfo_min_freq`.
    pub min: KiloHertz,
    /// `cpuinfo_max_freq`.
    pub max: KiloHertz,
}

impl HardwareLimits {
    /// Reads both; zero is no limit.
    pub fn read(cpu: CpuId, context: &Context) -> Result<Self, Error> {
        Ok(Self {
            min: nonzero(cpu, &attribute::CPUINFO_MIN_FREQ, context)?,
            max: nonzero(cpu, &attribute::CPUINFO_MAX_FREQ, context)?,
        })
    }
}

/// Governor and the limits that users set.
#[derive(Clone, Debug)]
pub struct Policy {
    /// `scaling_governor`.
    pub governor: Governor,
    /// `scaling_min_freq`.
    pub min: KiloHertz,
    /// `scaling_max_freq`.
    pub max: KiloHertz,
}

impl Policy {
    /// Reads all three; zero is no limit.
    pub fn read(cpu: CpuId, context: &Context) -> Result<Self, Error> {
        Ok(Self {
            governor: context.reader.read(cpu, &attribute::SCALING_GOVERNOR)?,
            min: nonzero(cpu, &attribute::SCALING_MIN_FREQ, context)?,
            max: nonzero(cpu, &attribute::SCALING_MAX_FREQ, context)?,
        })
    }
}

/// Reads a frequency that the kernel prints as 0 where it knows none.
pub fn nonzero(
    cpu: CpuId,
    file: &Attribute<KiloHertz>,
    context: &Context,
) -> Result<KiloHertz, Error> {
    match context.reader.read(cpu, file)? {
        KiloHertz(0) => Err(context.no_value(cpu, file, "0")),
        known => Ok(known),
    }
}
