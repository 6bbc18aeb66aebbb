// SPDX-License-Identifier: GPL-2.0

//! How a request reaches a CPU's firmware.
//!
//! Which backend a machine has is found out once, when the module loads. Drivers are generic over
//! it, so that the scheduler's path has no call through a pointer of ours.

use kernel::{
    cpu::CpuId,
    prelude::*, //
};

use crate::capabilities::Levels;
use crate::register::Request;

pub(crate) mod msr;

/// A way to a CPU's firmware. All functions but [`Backend::send_here`] may sleep.
pub(crate) trait Backend: 'static {
    /// Whether a request takes so little that the scheduler can make it itself.
    const FAST_SWITCH: bool;

    /// What was found in a CPU's registers and is put back when the driver goes.
    type Found: Send + Sync;

    /// The performance levels that firmware states for `cpu`, unchecked.
    fn levels(cpu: CpuId) -> Result<Levels>;

    /// Takes `cpu` over: its firmware follows requests from here on. On failure the CPU is as it
    /// was.
    fn take_over(cpu: CpuId) -> Result<Self::Found>;

    /// Has the firmware of `cpu` follow requests again, after it may have forgotten that it did.
    fn enable(cpu: CpuId) -> Result;

    /// Puts back what [`Backend::take_over`] found. Goes on after a failure and returns the first.
    fn give_back(cpu: CpuId, found: &Self::Found) -> Result;

    /// The request that [`Backend::take_over`] found.
    fn found_request(found: &Self::Found) -> Request;

    /// The request that the firmware of `cpu` has now.
    fn request(cpu: CpuId) -> Result<Request>;

    /// Makes a request of `cpu`.
    fn send(cpu: CpuId, request: Request) -> Result;

    /// Makes a request of the CPU that runs this, under the scheduler's rules: no sleep, no
    /// allocation, no message.
    fn send_here(request: Request) -> Result;
}
