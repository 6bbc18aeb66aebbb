// SPDX-License-Identifier: GPL-2.0
//! The model specific registers that the model owns, by name and number.

use std::fmt;

/// Number of P-state definition registers, PSTATE_DEF0 to PSTATE_DEF7.
pub const PSTATE_DEFS: u8 = 8;

/// A register that the model owns.
///
/// The numbers are those of the kernel's `arch/x86/include/asm/msr-index.h`
/// (`MSR_AMD_CPPC_*`, `MSR_K7_HWCR`, `MSR_AMD_PERF_*`, `MSR_IA32_APERF`), and
/// for the read-only counters those of the AMD PPR (`MPerfReadOnly`,
/// `APerfReadOnly`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Register {
    /// `MSR_IA32_MPERF`: counts at the nominal clock while the core runs.
    Mperf,
    /// `MSR_IA32_APERF`: counts at the core's actual clock while it runs.
    Aperf,
    /// `MPerfReadOnly`: MPERF where it cannot be written.
    MperfReadOnly,
    /// `APerfReadOnly`: APERF where it cannot be written.
    AperfReadOnly,
    /// `MSR_K7_HWCR`: hardware configuration, among it boost off.
    Hwcr,
    /// `PStateCurLim`: the P-states that the processor offers.
    PstateLimit,
    /// `MSR_AMD_PERF_CTL`: the P-state asked for.
    PerfCtl,
    /// `MSR_AMD_PERF_STATUS`: the P-state in force.
    PerfStatus,
    /// `MSR_AMD_PSTATE_DEF_BASE` + n, n below 8: what P-state n is.
    PstateDef(u8),
    /// `MSR_AMD_CPPC_CAP1`: the core's performance capabilities.
    Cap1,
    /// `MSR_AMD_CPPC_ENABLE`: whether requests are listened to.
    Enable,
    /// `MSR_AMD_CPPC_CAP2`: more capabilities, not described by the kernel.
    Cap2,
    /// `MSR_AMD_CPPC_REQ`: the performance request.
    Req,
    /// `MSR_AMD_CPPC_STATUS`: whether a request could not be kept.
    Status,
    /// `MSR_AMD_CPPC_REQ2`: the floor performance request.
    Req2,
}

/// Every register but the P-state definitions, with its number and name.
const NAMED: [(Register, u32, &str); 14] = [
    (Register::Mperf, 0x0000_00e7, "MPERF"),
    (Register::Aperf, 0x0000_00e8, "APERF"),
    (Register::MperfReadOnly, 0xc000_00e7, "MPERF_RO"),
    (Register::AperfReadOnly, 0xc000_00e8, "APERF_RO"),
    (Register::Hwcr, 0xc001_0015, "HWCR"),
    (Register::PstateLimit, 0xc001_0061, "PSTATE_LIMIT"),
    (Register::PerfCtl, 0xc001_0062, "PERF_CTL"),
    (Register::PerfStatus, 0xc001_0063, "PERF_STATUS"),
    (Register::Cap1, 0xc001_02b0, "CAP1"),
    (Register::Enable, 0xc001_02b1, "ENABLE"),
    (Register::Cap2, 0xc001_02b2, "CAP2"),
    (Register::Req, 0xc001_02b3, "REQ"),
    (Register::Status, 0xc001_02b4, "STATUS"),
    (Register::Req2, 0xc001_02b5, "REQ2"),
];

const PSTATE_DEF_BASE: u32 = 0xc001_0064;
const PSTATE_DEF_NAME: &str = "PSTATE_DEF";

impl Register {
    /// The register with this number, if the model owns it.
    pub fn from_msr(msr: u32) -> Option<Self> {
        if let Some(n) = msr.checked_sub(PSTATE_DEF_BASE) {
            if n < u32::from(PSTATE_DEFS) {
                return u8::try_from(n).ok().map(Self::PstateDef);
            }
        }
        NAMED
            .iter()
            .find(|(_, number, _)| *number == msr)
            .map(|(register, ..)| *register)
    }

    /// The register with this name, as the log and the descriptions write it.
    pub fn from_name(name: &str) -> Option<Self> {
        if let Some(n) = name.strip_prefix(PSTATE_DEF_NAME) {
            let n = n.parse().ok().filter(|n| *n < PSTATE_DEFS)?;
            return Some(Self::PstateDef(n));
        }
        NAMED
            .iter()
            .find(|(.., known)| *known == name)
            .map(|(register, ..)| *register)
    }

    /// The register's number, what `rdmsr` expects in `ecx`.
    pub fn msr(self) -> u32 {
        if let Self::PstateDef(n) = self {
            return PSTATE_DEF_BASE.wrapping_add(u32::from(n));
        }
        NAMED
            .iter()
            .find(|(register, ..)| *register == self)
            .map_or(0, |(_, number, _)| *number)
    }

    /// All registers that the model owns, in the order of their numbers.
    pub fn all() -> impl Iterator<Item = Self> {
        let named = NAMED.iter().map(|(register, ..)| *register);
        let mut all: Vec<Self> = named.chain((0..PSTATE_DEFS).map(Self::PstateDef)).collect();
        all.sort_by_key(|register| register.msr());
        all.into_iter()
    }

    /// Whether the register is one of the four views of APERF and MPERF, which
    /// the scheduler reads at every tick.
    pub fn is_counter(self) -> bool {
        matches!(
            self,
            Self::Mperf | Self::Aperf | Self::MperfReadOnly | Self::AperfReadOnly
        )
    }
}

impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::PstateDef(n) = self {
            return write!(f, "{PSTATE_DEF_NAME}{n}");
        }
        let name = NAMED
            .iter()
            .find(|(register, ..)| register == self)
            .map_or("?", |(.., name)| *name);
        f.write_str(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_register_is_found_by_its_number_and_by_its_name() {
        let all: Vec<_> = Register::all().collect();
        assert_eq!(all.len(), 22);
        for register in all {
            assert_eq!(Register::from_msr(register.msr()), Some(register));
            assert_eq!(Register::from_name(&register.to_string()), Some(register));
        }
    }

    #[test]
    fn numbers_are_the_kernels() {
        assert_eq!(Register::Cap1.msr(), 0xc001_02b0);
        assert_eq!(Register::Enable.msr(), 0xc001_02b1);
        assert_eq!(Register::Cap2.msr(), 0xc001_02b2);
        assert_eq!(Register::Req.msr(), 0xc001_02b3);
        assert_eq!(Register::Status.msr(), 0xc001_02b4);
        assert_eq!(Register::Req2.msr(), 0xc001_02b5);
        assert_eq!(Register::Hwcr.msr(), 0xc001_0015);
        assert_eq!(Register::PerfCtl.msr(), 0xc001_0062);
        assert_eq!(Register::PerfStatus.msr(), 0xc001_0063);
        assert_eq!(Register::PstateDef(7).msr(), 0xc001_006b);
    }

    #[test]
    fn names_that_are_almost_right_are_not_registers() {
        for name in [
            "",
            "req",
            "REQ3",
            "PSTATE_DEF",
            "PSTATE_DEF8",
            "PSTATE_DEF-1",
        ] {
            assert_eq!(Register::from_name(name), None, "{name:?}");
        }
    }

    proptest! {
        #[test]
        fn a_number_is_owned_only_if_it_is_some_registers(msr: u32) {
            let owned = Register::from_msr(msr);
            prop_assert_eq!(owned.is_some(), Register::all().any(|r| r.msr() == msr));
        }

        #[test]
        fn numbers_near_the_owned_ones_round_trip(offset in 0u32..0x400) {
            let msr = 0xc001_0000 + offset;
            if let Some(register) = Register::from_msr(msr) {
                prop_assert_eq!(register.msr(), msr);
            }
        }
    }
}
