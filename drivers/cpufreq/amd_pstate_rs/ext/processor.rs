// SPDX-License-Identifier: GPL-2.0

//! What the kernel found out about the processor when it booted.
//!
//! C headers: [`arch/x86/include/asm/processor.h`](srctree/arch/x86/include/asm/processor.h),
//! [`arch/x86/include/asm/cpufeatures.h`](srctree/arch/x86/include/asm/cpufeatures.h)

use kernel::{
    bindings,
    cpu::CpuId,
    types::NotThreadSafe, //
};

/// A feature of the processor, `X86_FEATURE_*`.
#[derive(Clone, Copy)]
pub(crate) struct Feature(u32);

impl Feature {
    /// Performance states of the hardware's own (CPUID 0x80000007 EDX bit 7).
    pub(crate) const HW_PSTATE: Self = Self(bindings::X86_FEATURE_HW_PSTATE);
    /// CPPC by registers (CPUID 0x80000008 EBX bit 27).
    pub(crate) const CPPC: Self = Self(bindings::X86_FEATURE_CPPC);
    /// Core performance boost (CPUID 0x80000007 EDX bit 9).
    pub(crate) const CPB: Self = Self(bindings::X86_FEATURE_CPB);
    /// Transitions that need less than the usual delay between them.
    pub(crate) const FAST_CPPC: Self = Self(bindings::X86_FEATURE_AMD_FAST_CPPC);
    /// A floor below which firmware does not take a CPU where power is short.
    pub(crate) const CPPC_PERF_PRIO: Self = Self(bindings::X86_FEATURE_CPPC_PERF_PRIO);
    /// Classes of workload that the processor tells apart (amd_hfi).
    pub(crate) const WORKLOAD_CLASS: Self = Self(bindings::X86_FEATURE_AMD_WORKLOAD_CLASS);
    /// A processor of the Zen 2 kind.
    pub(crate) const ZEN2: Self = Self(bindings::X86_FEATURE_ZEN2);
    /// The kernel runs as a paravirtual guest of Xen and may not touch registers itself.
    pub(crate) const XENPV: Self = Self(bindings::X86_FEATURE_XENPV);

    /// Whether the processor has the feature and the kernel uses it.
    pub(crate) fn present(self) -> bool {
        let (word, bit) = ((self.0 / u32::BITS) as usize, self.0 % u32::BITS);
        // SAFETY: The array is constant after boot, and every `X86_FEATURE_*` lies within it.
        let word = unsafe {
            (&raw const bindings::boot_cpu_data.__bindgen_anon_3.x86_capability)
                .cast::<u32>()
                .add(word)
                .read()
        };
        word >> bit & 1 != 0
    }
}

/// The family and model of the boot CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    pub(crate) is_amd: bool,
    pub(crate) family: u8,
    pub(crate) model: u8,
}

impl Identity {
    /// Of the processor that the kernel booted on.
    pub(crate) fn of_boot_cpu() -> Self {
        // SAFETY: `boot_cpu_data` is constant after boot; all views of the union are integers.
        let id = unsafe {
            (&raw const bindings::boot_cpu_data.__bindgen_anon_1.__bindgen_anon_1).read()
        };
        Self {
            is_amd: u32::from(id.x86_vendor) == bindings::X86_VENDOR_AMD,
            family: id.x86,
            model: id.x86_model,
        }
    }
}

/// Keeps CPUs from coming and going; held while a walk over the online CPUs must not miss one.
pub(crate) struct HotplugGuard(NotThreadSafe);

impl HotplugGuard {
    /// Waits for a CPU that is on its way and then holds the next one back. May sleep.
    pub(crate) fn hold() -> Self {
        // SAFETY: A plain lock, released by `drop`.
        unsafe { bindings::cpus_read_lock() };
        Self(NotThreadSafe)
    }

    /// The CPUs that are online, for as long as the guard lives.
    pub(crate) fn online_cpus(&self) -> impl Iterator<Item = CpuId> + '_ {
        (0..kernel::cpu::nr_cpu_ids())
            .filter_map(CpuId::from_u32)
            .filter(|cpu| is_online(*cpu))
    }
}

impl Drop for HotplugGuard {
    fn drop(&mut self) {
        // SAFETY: `hold` took the lock.
        unsafe { bindings::cpus_read_unlock() };
    }
}

fn is_online(cpu: CpuId) -> bool {
    let cpu = cpu.as_u32() as usize;
    let (word, bit) = (cpu / usize::BITS as usize, cpu % usize::BITS as usize);
    // SAFETY: The mask has a bit for every CPU number that a `CpuId` can hold. A volatile read,
    // since other CPUs set and clear bits of the word.
    let word = unsafe {
        (&raw const bindings::__cpu_online_mask.bits)
            .cast::<usize>()
            .add(word)
            .read_volatile()
    };
    word >> bit & 1 != 0
}
