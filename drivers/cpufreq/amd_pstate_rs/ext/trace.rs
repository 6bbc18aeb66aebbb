// SPDX-License-Identifier: GPL-2.0

//! Trace events that a C file of this module defines.
//!
//! [`kernel::tracepoint`] serves events whose headers the kernel's own bindings include; this is the
//! same for a module's. Asking whether anyone listens is apart from telling, so that what there is
//! to tell need be found out only then.

/// Declares events: for each a module with `is_enabled()` and `emit()`.
macro_rules! trace_events {
    ($($(#[$attr:meta])* fn $name:ident($($arg:ident: $type:ty),* $(,)?);)*) => {$(
        $(#[$attr])*
        pub(crate) mod $name {
            use kernel::{bindings, macros::paste};

            paste! {
                #[allow(improper_ctypes)]
                extern "C" {
                    static [<__tracepoint_ $name>]: bindings::tracepoint;
                    fn [<rust_do_trace_ $name>]($($arg: $type),*);
                }

                /// Whether anyone listens: a branch that is patched out while nobody does.
                #[inline(always)]
                pub(crate) fn is_enabled() -> bool {
                    // SAFETY: The C file defines the tracepoint, and with it this key.
                    unsafe {
                        kernel::jump_label::static_branch_unlikely!(
                            [<__tracepoint_ $name>],
                            bindings::tracepoint,
                            key
                        )
                    }
                }

                /// Tells whoever listens.
                #[inline(always)]
                #[allow(clippy::too_many_arguments)]
                pub(crate) fn emit($($arg: $type),*) {
                    // SAFETY: The function takes plain values.
                    unsafe { [<rust_do_trace_ $name>]($($arg),*) }
                }
            }
        }
    )*}
}

trace_events! {
    /// A governor's choice, and how fast the CPU was since the last one.
    fn amd_pstate_perf(
        min: u8, desired: u8, max: u8, freq: u64, mperf: u64, aperf: u64, tsc: u64, cpu: u32,
        fast_switch: bool,
    );
    /// A request, with its energy performance preference.
    fn amd_pstate_epp_perf(
        cpu: u32, highest: u8, epp: u8, min: u8, max: u8, boost: bool, changed: bool,
    );
    /// A floor.
    fn amd_pstate_cppc_req2(cpu: u32, floor: u8, changed: bool, error: i32);
}
