// SPDX-License-Identifier: GPL-2.0

//! Model-specific registers.
//!
//! Every access is of the kind that survives a #GP: a register that the processor does not have, or
//! a value that it does not take, is an error and neither an oops nor a warning.
//!
//! C header: [`arch/x86/include/asm/msr.h`](srctree/arch/x86/include/asm/msr.h)

use core::arch::asm;

use kernel::{
    bindings,
    cpu::CpuId,
    error::to_result,
    prelude::*, //
};

/// A model-specific register and the layout of its 64 bits.
pub(crate) trait Register: Copy + From<u64> + Into<u64> {
    /// The register's number, as `rdmsr` takes it in ECX.
    const NUMBER: u32;
    /// The register's name in the processor's manual.
    const NAME: &'static CStr;

    /// Reads the register of `cpu`, by an inter-processor interrupt where that is another CPU.
    ///
    /// May sleep. Fails with `EIO` if the access faults and `ENXIO` if `cpu` is offline.
    fn read_on(cpu: CpuId) -> Result<Self> {
        let mut value = 0;
        // SAFETY: `value` is valid for writes during the call.
        to_result(unsafe { bindings::rdmsrq_safe_on_cpu(cpu.as_u32(), Self::NUMBER, &mut value) })?;
        Ok(Self::from(value))
    }

    /// Writes the register of `cpu`, by an inter-processor interrupt where that is another CPU.
    ///
    /// May sleep. Fails with `EIO` if the access faults and `ENXIO` if `cpu` is offline.
    fn write_on(self, cpu: CpuId) -> Result {
        // SAFETY: The function takes plain values. Which registers may be written is decided by
        // who implements this trait: a register that governs performance, not memory safety.
        to_result(unsafe { bindings::wrmsrq_safe_on_cpu(cpu.as_u32(), Self::NUMBER, self.into()) })
    }

    /// Reads the register of the CPU that runs this. Never sleeps. Fails with `EIO` if the access
    /// faults.
    #[inline(always)]
    fn read_here() -> Result<Self> {
        let (low, high, error): (u32, u32, i32);
        // SAFETY: The read changes no memory. If it faults, the exception table resumes behind it
        // with an error in a register of its own.
        unsafe {
            asm!(
                "1: rdmsr",
                "xor %esi, %esi",
                "2:",
                ".pushsection __ex_table, \"aM\", @progbits, {entry_size}",
                ".balign 4",
                ".long 1b - .",
                ".long 2b - .",
                ".long {fixup}",
                ".popsection",
                entry_size = const EX_TABLE_ENTRY_SIZE,
                fixup = const EX_TYPE_RDMSR_SAFE | EX_REG_ESI << EX_DATA_REG_SHIFT,
                in("ecx") Self::NUMBER,
                out("eax") low,
                out("edx") high,
                out("esi") error,
                options(att_syntax, nostack),
            );
        }
        kernel::error::to_result(error)?;
        Ok(Self::from(u64::from(high) << u32::BITS | u64::from(low)))
    }

    /// Writes the register of the CPU that runs this, in the fewest instructions there are.
    ///
    /// Never sleeps, so that the scheduler can call it. The caller has to be bound to its CPU for
    /// this to mean anything. Fails with `EIO` if the access faults.
    ///
    /// Unlike `wrmsrq_safe()` this goes round the paravirtual operations: a Xen PV kernel, which
    /// needs them, never gets a driver that calls it (see `ext::processor::Feature::XENPV`).
    #[inline(always)]
    fn write_here(self) -> Result {
        let value: u64 = self.into();
        // SAFETY: The write changes no memory; which registers may be written is decided as for
        // `write_on`. If it faults, the exception table resumes at the label.
        unsafe {
            asm!(
                "1: wrmsr",
                ".pushsection __ex_table, \"aM\", @progbits, {entry_size}",
                ".balign 4",
                ".long 1b - .",
                ".long {fault} - .",
                ".long {fixup}",
                ".popsection",
                entry_size = const EX_TABLE_ENTRY_SIZE,
                fixup = const EX_TYPE_DEFAULT,
                fault = label { return Err(EIO) },
                in("ecx") Self::NUMBER,
                in("eax") value as u32,
                in("edx") (value >> u32::BITS) as u32,
                options(att_syntax, nostack, preserves_flags),
            );
        }
        Ok(())
    }
}

/// `struct exception_table_entry`: three 32-bit words.
const EX_TABLE_ENTRY_SIZE: u32 = 12;
/// `EX_TYPE_DEFAULT` of `asm/extable_fixup_types.h`: the fault goes on at the entry's second address
/// and leaves no other mark.
const EX_TYPE_DEFAULT: u32 = 1;
/// `EX_TYPE_RDMSR_SAFE`: the fault sets a register to `-EIO` and what was read to 0.
const EX_TYPE_RDMSR_SAFE: u32 = 11;
/// `EX_DATA_REG_SHIFT`: where the entry says which register.
const EX_DATA_REG_SHIFT: u32 = 8;
/// ESI in the order of registers that the entry counts by.
const EX_REG_ESI: u32 = 6;
