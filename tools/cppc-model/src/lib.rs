// SPDX-License-Identifier: GPL-2.0
//! A pure model of what an AMD Zen processor shows of its frequency control.
//!
//! One [`Platform`] description says what the machine is: its cores, their
//! capabilities, its clock, boost, CPUID features and what firmware leaves in
//! the registers. The [`Machine`] built from it answers `rdmsr`, `wrmsr` and
//! `cpuid` as that machine would, grants each core a performance level for its
//! request, and lets APERF and MPERF run at the rates that follow from it.
//!
//! Nothing here knows where the questions come from, what time it is or what
//! else the processor does: time is passed in, and whatever the model does not
//! own is answered with [`Answer::Fallthrough`]. So the whole of it can be
//! tested on the host, and the emulator's plugin stays a thin front.
//!
//! Sources: the register layouts are those of the kernel's `msr-index.h`; the
//! words and the meaning of the performance levels are those of the ACPI
//! specification, section 8.4.6 (Collaborative Processor Performance
//! Control). What a real part does between the limits of a request is not
//! published; where this model had to invent, the item's comment says so.

#![forbid(unsafe_code)]

mod clock;
mod cpu;
mod cpuid;
mod fault;
mod grant;
mod layout;
pub mod log;
mod machine;
pub mod platform;
mod register;
mod tsc;

pub use clock::Counters;
pub use cpu::Cpu;
pub use cpuid::{CpuidLeaf, CpuidResult};
pub use fault::{Access, FaultRule};
pub use grant::Limits;
pub use layout::{
    Cap1, Enable, Hwcr, PerfCtl, PerfStatus, PstateDef, PstateDef1a, PstateLimit, Request,
    Request2, Status,
};
pub use machine::{Answer, Change, Machine};
pub use platform::{CpuDescription, Platform, PlatformError};
pub use register::Register;
pub use tsc::Tsc;
