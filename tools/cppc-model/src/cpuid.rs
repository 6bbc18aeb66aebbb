// SPDX-License-Identifier: GPL-2.0
//! The CPUID leaves that follow from a description, whole.
//!
//! An emulator's front can replace an answer but not amend it, so a leaf is
//! owned whole or not at all: what else stands in it has to be right too.

use bitfield_struct::bitfield;

use crate::platform::{Boost, Features, Platform};

/// What `cpuid` leaves in the four registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpuidResult {
    /// `eax`
    pub eax: u32,
    /// `ebx`
    pub ebx: u32,
    /// `ecx`
    pub ecx: u32,
    /// `edx`
    pub edx: u32,
}

/// A leaf that the model owns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CpuidLeaf {
    /// 6: thermal and power management; APERF and MPERF.
    Power,
    /// 8000_0007h: advanced power management; P-states, boost, invariant TSC.
    AdvancedPower,
    /// 8000_0008h: address sizes, more features (CPPC), number of cores.
    Sizes,
}

impl CpuidLeaf {
    /// The leaf for a value of `eax`, if the model owns it.
    pub fn from_eax(eax: u32) -> Option<Self> {
        match eax {
            0x6 => Some(Self::Power),
            0x8000_0007 => Some(Self::AdvancedPower),
            0x8000_0008 => Some(Self::Sizes),
            _ => None,
        }
    }
}

/// `CPUID.6:EAX`
#[bitfield(u32)]
struct PowerEax {
    #[bits(2)]
    reserved_low: u32,
    /// ARAT: the APIC timer runs in all idle states.
    arat: bool,
    #[bits(29)]
    reserved: u32,
}

/// `CPUID.6:ECX`
#[bitfield(u32)]
struct PowerEcx {
    /// EffFreq: APERF and MPERF exist.
    aperfmperf: bool,
    #[bits(31)]
    reserved: u32,
}

/// `CPUID.8000_0007:EDX`
#[bitfield(u32)]
struct AdvancedPowerEdx {
    #[bits(7)]
    reserved_low: u32,
    /// HwPstate
    hw_pstate: bool,
    /// TscInvariant
    constant_tsc: bool,
    /// CPB: core performance boost.
    boost: bool,
    #[bits(5)]
    reserved_middle: u32,
    /// FastCPPC
    fast_cppc: bool,
    /// CPPC floor performance.
    perf_prio: bool,
    #[bits(15)]
    reserved: u32,
}

/// `CPUID.8000_0008:EAX`
#[bitfield(u32)]
struct SizesEax {
    /// Bits of a physical address.
    physical: u8,
    /// Bits of a linear address.
    linear: u8,
    reserved: u16,
}

/// `CPUID.8000_0008:EBX`
#[bitfield(u32)]
struct SizesEbx {
    #[bits(2)]
    reserved_low: u32,
    /// RstrFpErrPtrs
    restores_fp_errors: bool,
    #[bits(6)]
    reserved_middle: u32,
    /// WBNOINVD
    wbnoinvd: bool,
    #[bits(17)]
    reserved_high: u32,
    /// CPPC
    cppc: bool,
    #[bits(4)]
    reserved: u32,
}

/// `CPUID.8000_0008:ECX`
#[bitfield(u32)]
struct SizesEcx {
    /// NC: the number of cores less one.
    last_core: u8,
    #[bits(4)]
    reserved_low: u32,
    /// ApicIdSize: bits that the cores' numbers take in the APIC ID.
    #[bits(4)]
    apic_bits: u8,
    reserved: u16,
}

/// Address sizes of the emulated processor.
const PHYSICAL_BITS: u8 = 40;
const LINEAR_BITS: u8 = 48;

/// The owned leaves of one machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CpuidLeaves {
    power: CpuidResult,
    advanced_power: CpuidResult,
    sizes: CpuidResult,
}

impl CpuidLeaves {
    pub(crate) fn new(platform: &Platform) -> Self {
        Self {
            power: power(platform.features()),
            advanced_power: advanced_power(platform.features(), platform.boost()),
            sizes: sizes(platform.features(), platform.cpus()),
        }
    }

    pub(crate) fn answer(&self, leaf: CpuidLeaf) -> CpuidResult {
        match leaf {
            CpuidLeaf::Power => self.power,
            CpuidLeaf::AdvancedPower => self.advanced_power,
            CpuidLeaf::Sizes => self.sizes,
        }
    }
}

fn power(features: &Features) -> CpuidResult {
    CpuidResult {
        eax: PowerEax::new().with_arat(true).into_bits(),
        ecx: PowerEcx::new()
            .with_aperfmperf(features.aperfmperf)
            .into_bits(),
        ..CpuidResult::default()
    }
}

fn advanced_power(features: &Features, boost: &Boost) -> CpuidResult {
    CpuidResult {
        edx: AdvancedPowerEdx::new()
            .with_hw_pstate(features.hw_pstate)
            .with_constant_tsc(features.constant_tsc)
            .with_boost(boost.supported)
            .with_fast_cppc(features.fast_cppc)
            .with_perf_prio(features.perf_prio)
            .into_bits(),
        ..CpuidResult::default()
    }
}

/// The cores are told as one package; a single one as none.
fn sizes(features: &Features, cpus: usize) -> CpuidResult {
    let last_core = u8::try_from(cpus.saturating_sub(1)).unwrap_or(u8::MAX);
    let apic_bits = u8::BITS - last_core.leading_zeros();
    CpuidResult {
        eax: SizesEax::new()
            .with_physical(PHYSICAL_BITS)
            .with_linear(LINEAR_BITS)
            .into_bits(),
        // Besides CPPC what the emulated processor has.
        ebx: SizesEbx::new()
            .with_restores_fp_errors(true)
            .with_wbnoinvd(true)
            .with_cppc(features.cppc)
            .into_bits(),
        ecx: SizesEcx::new()
            .with_last_core(last_core)
            .with_apic_bits(u8::try_from(apic_bits).unwrap_or(0))
            .into_bits(),
        ..CpuidResult::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn leaves(name: &str, cpus: usize) -> CpuidLeaves {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../platforms");
        let platform = Platform::load(&folder.join(name).with_extension("toml")).unwrap();
        CpuidLeaves::new(&platform.with_cpus(cpus).unwrap())
    }

    #[test]
    fn features_stand_where_the_kernel_looks_for_them() {
        let leaves = leaves("zen4-desktop", 2);
        let power = leaves.answer(CpuidLeaf::Power);
        assert_eq!((power.eax, power.ecx), (1 << 2, 1 << 0));
        let advanced = leaves.answer(CpuidLeaf::AdvancedPower);
        assert_eq!(advanced.edx, 0x380);
        let sizes = leaves.answer(CpuidLeaf::Sizes);
        assert_eq!(sizes.ebx, (1 << 2) | (1 << 9) | (1 << 27));
        assert_eq!(sizes.eax, 0x3028);
    }

    #[test]
    fn rarer_features_stand_behind_the_others() {
        let features = Features {
            cppc: true,
            hw_pstate: false,
            aperfmperf: false,
            constant_tsc: false,
            fast_cppc: true,
            perf_prio: true,
        };
        let boost = Boost {
            supported: false,
            disabled_by_firmware: false,
        };
        assert_eq!(advanced_power(&features, &boost).edx, (1 << 15) | (1 << 16));
        assert_eq!(power(&features).ecx, 0);
    }

    #[test]
    fn a_machine_without_cppc_only_lacks_that_bit() {
        let with = leaves("zen3-uniform", 2).answer(CpuidLeaf::Sizes);
        let without = leaves("no-cppc", 2).answer(CpuidLeaf::Sizes);
        assert_eq!(with.ebx ^ without.ebx, 1 << 27);
    }

    #[test]
    fn the_number_of_cores_is_told_as_one_package() {
        for (cpus, ecx) in [(1, 0), (2, 0x1001), (5, 0x3004), (8, 0x3007), (64, 0x603f)] {
            let sizes = leaves("zen4-desktop", cpus).answer(CpuidLeaf::Sizes);
            assert_eq!(sizes.ecx, ecx, "{cpus} CPUs");
        }
    }

    #[test]
    fn neighbours_of_the_owned_leaves_are_not_owned() {
        for eax in [0, 1, 5, 7, 0x8000_0000, 0x8000_0006, 0x8000_0009] {
            assert_eq!(CpuidLeaf::from_eax(eax), None, "{eax:#x}");
        }
    }
}
