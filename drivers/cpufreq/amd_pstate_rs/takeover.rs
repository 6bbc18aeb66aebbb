// SPDX-License-Identifier: GPL-2.0

//! A CPU in the driver's hands, given back as it was found.

use kernel::{
    cpu::CpuId,
    prelude::*, //
};

use crate::hal::Backend;
use crate::register::Request;

/// A CPU whose firmware follows this driver's requests; dropping it puts every register back as it
/// was found.
pub(crate) struct Takeover<B: Backend> {
    cpu: CpuId,
    found: B::Found,
}

impl<B: Backend> Takeover<B> {
    /// Takes `cpu` over. On failure the CPU is as it was. May sleep.
    pub(crate) fn new(cpu: CpuId) -> Result<Self> {
        Ok(Self {
            cpu,
            found: B::take_over(cpu)?,
        })
    }

    pub(crate) fn cpu(&self) -> CpuId {
        self.cpu
    }

    /// The request that firmware had.
    pub(crate) fn found_request(&self) -> Request {
        B::found_request(&self.found)
    }

    /// Has firmware follow requests again after it may have forgotten that it did, and returns the
    /// request that it has now. May sleep.
    pub(crate) fn renew(&self) -> Result<Request> {
        B::enable(self.cpu)?;
        B::request(self.cpu)
    }

    /// Puts every register back as it was found, for as long as the CPU is offline. May sleep.
    pub(crate) fn give_back(&self) -> Result {
        B::give_back(self.cpu, &self.found)
    }
}

impl<B: Backend> Drop for Takeover<B> {
    fn drop(&mut self) {
        match self.give_back() {
            Ok(()) => (),
            // An offline CPU was given back when it went.
            Err(error) if error == ENXIO => (),
            Err(error) => pr_warn!(
                "cpu{}: cannot put back all registers as they were found ({})\n",
                self.cpu.as_u32(),
                error.to_errno()
            ),
        }
    }
}
