// SPDX-License-Identifier: GPL-2.0
//! The registers' layouts as types: a field is named, never shifted.
//!
//! Each type is a `u64` with named fields; `from_bits` and `into_bits` keep
//! every bit, reserved ones too, so that what was written reads back.

use bitfield_struct::bitfield;

/// CAP1 (`MSR_AMD_CPPC_CAP1`, `AMD_CPPC_*_PERF_MASK`): what a core can do, in
/// performance levels, 0 to 255. Read-only.
#[bitfield(u64)]
#[derive(PartialEq, Eq)]
pub struct Cap1 {
    /// The lowest level that can be asked for.
    pub lowest: u8,
    /// The level below which a lower clock no longer saves energy per unit of
    /// work.
    pub lowest_nonlinear: u8,
    /// The level that can be held without boost.
    pub nominal: u8,
    /// The highest level of this core; with preferred cores, its rank.
    pub highest: u8,
    /// How many floor levels the processor tells apart
    /// (`AMD_CPPC_FLOOR_PERF_CNT_MASK`).
    pub floor_count: u8,
    #[bits(24)]
    reserved: u32,
}

/// ENABLE (`MSR_AMD_CPPC_ENABLE`).
#[bitfield(u64)]
#[derive(PartialEq, Eq)]
pub struct Enable {
    /// Whether the core follows REQ. While it does not, PERF_CTL steers.
    pub enabled: bool,
    #[bits(63)]
    reserved: u64,
}

/// REQ (`MSR_AMD_CPPC_REQ`): what software wants of a core.
#[bitfield(u64)]
#[derive(PartialEq, Eq)]
pub struct Request {
    /// The most that the core may run at, a performance level; 0: no limit.
    pub max: u8,
    /// The least that the core may run at, a performance level.
    pub min: u8,
    /// The level wanted; 0: the processor chooses (autonomous).
    pub des: u8,
    /// Energy performance preference: 0 performance, 255 energy.
    pub epp: u8,
    reserved: u32,
}

/// REQ2 (`MSR_AMD_CPPC_REQ2`): floor performance.
#[bitfield(u64)]
#[derive(PartialEq, Eq)]
pub struct Request2 {
    /// The level to defend when power runs short.
    pub floor: u8,
    #[bits(56)]
    reserved: u64,
}

/// STATUS (`MSR_AMD_CPPC_STATUS`), with the two sticky bits of ACPI's
/// Performance Limited register (8.4.6.1.3.2). The kernel gives no layout.
#[bitfield(u64)]
#[derive(PartialEq, Eq)]
pub struct Status {
    /// The desired level was not reached at some time.
    pub desired_excursion: bool,
    /// The minimum level was not kept at some time.
    pub minimum_excursion: bool,
    #[bits(62)]
    reserved: u64,
}

/// HWCR (`MSR_K7_HWCR`), the bits that matter here.
#[bitfield(u64)]
#[derive(PartialEq, Eq)]
pub struct Hwcr {
    #[bits(24)]
    low: u32,
    /// `TscFreqSel`: the time stamp counter runs at the P0 clock.
    pub tsc_at_p0: bool,
    /// `CpbDis` (`MSR_K7_HWCR_CPB_DIS`): core performance boost is off.
    pub boost_disabled: bool,
    #[bits(38)]
    high: u64,
}

/// PERF_CTL (`MSR_AMD_PERF_CTL`).
#[bitfield(u64)]
#[derive(PartialEq, Eq)]
pub struct PerfCtl {
    /// `PstateCmd`: the P-state asked for, 0 the fastest.
    #[bits(3)]
    pub command: u8,
    #[bits(61)]
    reserved: u64,
}

/// PERF_STATUS (`MSR_AMD_PERF_STATUS`). Read-only.
#[bitfield(u64)]
#[derive(PartialEq, Eq)]
pub struct PerfStatus {
    /// `CurPstate`: the P-state in force.
    #[bits(3)]
    pub current: u8,
    #[bits(61)]
    reserved: u64,
}

/// PSTATE_LIMIT (`PStateCurLim`). Read-only.
#[bitfield(u64)]
#[derive(PartialEq, Eq)]
pub struct PstateLimit {
    /// `CurPstateLimit`: the fastest P-state allowed at present.
    #[bits(3)]
    pub current_limit: u8,
    #[bits(1)]
    reserved_low: u8,
    /// `PstateMaxVal`: the slowest P-state there is.
    #[bits(3)]
    pub slowest: u8,
    #[bits(57)]
    reserved: u64,
}

/// PSTATE_DEFn (`MSR_AMD_PSTATE_DEF_BASE` + n) as families 17h and 19h lay it
/// out. The clock is 200 MHz times the frequency ID over the divisor.
#[bitfield(u64)]
#[derive(PartialEq, Eq)]
pub struct PstateDef {
    /// `CpuFid`
    pub frequency_id: u8,
    /// `CpuDfsId`: the divisor.
    #[bits(6)]
    pub divisor_id: u8,
    /// `CpuVid`: the voltage, not modelled.
    pub voltage_id: u8,
    #[bits(41)]
    reserved: u64,
    /// `PstateEn`: the P-state exists.
    pub enabled: bool,
}

/// PSTATE_DEFn as family 1Ah lays it out. The clock is 5 MHz times the
/// frequency ID.
#[bitfield(u64)]
#[derive(PartialEq, Eq)]
pub struct PstateDef1a {
    /// `CpuFid`
    #[bits(12)]
    pub frequency_id: u16,
    #[bits(2)]
    reserved_low: u8,
    /// `CpuVid`: the voltage, not modelled.
    pub voltage_id: u8,
    #[bits(41)]
    reserved: u64,
    /// `PstateEn`: the P-state exists.
    pub enabled: bool,
}

impl PstateDef {
    /// The divisor that makes the frequency ID count [`STEP_MHZ`](Self::STEP_MHZ).
    const DIVISOR: u8 = 8;
    /// The clock's unit with that divisor.
    pub const STEP_MHZ: u32 = 25;
    /// The highest clock that can be told with that divisor.
    pub const MOST_MHZ: u32 = 0xff * Self::STEP_MHZ;

    /// The P-state that runs at this clock, rounded down to the unit.
    pub fn at_mhz(mhz: u32) -> Self {
        let frequency_id = u8::try_from(mhz / Self::STEP_MHZ).unwrap_or(u8::MAX);
        Self::new()
            .with_frequency_id(frequency_id)
            .with_divisor_id(Self::DIVISOR)
            .with_enabled(true)
    }
}

impl PstateDef1a {
    /// The clock's unit.
    pub const STEP_MHZ: u32 = 5;
    /// The highest clock that can be told.
    pub const MOST_MHZ: u32 = 0xfff * Self::STEP_MHZ;

    /// The P-state that runs at this clock, rounded down to the unit.
    pub fn at_mhz(mhz: u32) -> Self {
        let frequency_id = mhz.min(Self::MOST_MHZ) / Self::STEP_MHZ;
        Self::new()
            .with_frequency_id(u16::try_from(frequency_id).unwrap_or(0))
            .with_enabled(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn fields_stand_where_the_kernel_looks_for_them() {
        let cap1 = Cap1::new()
            .with_highest(0xa6)
            .with_nominal(0x83)
            .with_lowest_nonlinear(0x33)
            .with_lowest(0x0c)
            .with_floor_count(0x02);
        assert_eq!(cap1.into_bits(), 0x02_a683_330c);
        let request = Request::new()
            .with_max(0x11)
            .with_min(0x22)
            .with_des(0x33)
            .with_epp(0x44);
        assert_eq!(request.into_bits(), 0x4433_2211);
        assert_eq!(Enable::new().with_enabled(true).into_bits(), 1);
        assert_eq!(Request2::new().with_floor(0x55).into_bits(), 0x55);
        assert_eq!(Hwcr::new().with_boost_disabled(true).into_bits(), 1 << 25);
        assert_eq!(Hwcr::new().with_tsc_at_p0(true).into_bits(), 1 << 24);
        assert_eq!(PstateLimit::new().with_slowest(2).into_bits(), 0x20);
        assert_eq!(PerfCtl::new().with_command(2).into_bits(), 2);
        assert_eq!(PstateDef::new().with_enabled(true).into_bits(), 1 << 63);
    }

    #[test]
    fn a_pstate_tells_its_clock_in_the_familys_unit() {
        assert_eq!(PstateDef::at_mhz(4500).into_bits(), (1 << 63) | 0x8b4);
        assert_eq!(PstateDef::at_mhz(4510), PstateDef::at_mhz(4500));
        assert_eq!(PstateDef1a::at_mhz(4300).into_bits(), (1 << 63) | 860);
        assert_eq!(PstateDef1a::at_mhz(4304), PstateDef1a::at_mhz(4300));
    }

    proptest! {
        #[test]
        fn every_layout_keeps_every_bit(bits: u64) {
            prop_assert_eq!(Cap1::from_bits(bits).into_bits(), bits);
            prop_assert_eq!(Enable::from_bits(bits).into_bits(), bits);
            prop_assert_eq!(Request::from_bits(bits).into_bits(), bits);
            prop_assert_eq!(Request2::from_bits(bits).into_bits(), bits);
            prop_assert_eq!(Status::from_bits(bits).into_bits(), bits);
            prop_assert_eq!(Hwcr::from_bits(bits).into_bits(), bits);
            prop_assert_eq!(PerfCtl::from_bits(bits).into_bits(), bits);
            prop_assert_eq!(PerfStatus::from_bits(bits).into_bits(), bits);
            prop_assert_eq!(PstateLimit::from_bits(bits).into_bits(), bits);
            prop_assert_eq!(PstateDef::from_bits(bits).into_bits(), bits);
            prop_assert_eq!(PstateDef1a::from_bits(bits).into_bits(), bits);
        }

        #[test]
        fn a_request_is_what_its_fields_say(max: u8, min: u8, des: u8, epp: u8) {
            let request = Request::new()
                .with_max(max).with_min(min).with_des(des).with_epp(epp);
            let again = Request::from_bits(request.into_bits());
            prop_assert_eq!((again.max(), again.min(), again.des(), again.epp()), (max, min, des, epp));
        }

        #[test]
        fn no_clock_is_too_high_for_a_pstate(mhz: u32) {
            let told = u32::from(PstateDef::at_mhz(mhz).frequency_id()) * PstateDef::STEP_MHZ;
            prop_assert!(told <= mhz.min(PstateDef::MOST_MHZ));
            let told = u32::from(PstateDef1a::at_mhz(mhz).frequency_id()) * PstateDef1a::STEP_MHZ;
            prop_assert!(told <= mhz.min(PstateDef1a::MOST_MHZ));
        }
    }
}
