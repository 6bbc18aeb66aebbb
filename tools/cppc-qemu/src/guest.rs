// SPDX-License-Identifier: GPL-2.0
//! What of the guest the front can reach.

/// A guest register that the front reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gpr {
    /// `rax`
    Rax,
    /// `rbx`
    Rbx,
    /// `rcx`
    Rcx,
    /// `rdx`
    Rdx,
    /// `cr0`
    Cr0,
}

impl Gpr {
    /// The register's name in QEMU.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rax => "rax",
            Self::Rbx => "rbx",
            Self::Rcx => "rcx",
            Self::Rdx => "rdx",
            Self::Cr0 => "cr0",
        }
    }
}

/// The registers of the vCPU that runs the instruction.
pub trait Registers {
    /// Reads one.
    fn read(&self, gpr: Gpr) -> u64;
    /// Writes one.
    fn write(&mut self, gpr: Gpr, value: u64);
}

/// The guest's physical memory.
pub trait Memory {
    /// Reads `len` bytes; none where there is no memory.
    fn read_memory(&self, address: u64, len: usize) -> Option<Vec<u8>>;
    /// Writes bytes and says whether it could.
    fn write_memory(&mut self, address: u64, bytes: &[u8]) -> bool;
}
