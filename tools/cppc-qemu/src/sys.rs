// SPDX-License-Identifier: GPL-2.0
//! QEMU's plugin API, version 7, as far as it is used, and as much of GLib as
//! is part of it. This is the only file with foreign functions in it.
//!
//! The declarations follow `qemu-plugin.h` of QEMU 11.1, which no package
//! ships. Callbacks get the `userdata` that they were registered with.

use std::ffi::{c_char, c_int, c_uint, c_void};

/// The only version that QEMU 11.1 takes; it added `userdata` everywhere.
pub const API_VERSION: c_int = 7;

/// Handle of a loaded plugin.
pub type PluginId = u64;

/// `qemu_info_t`
#[repr(C)]
pub struct Info {
    pub target_name: *const c_char,
    pub version: Versions,
    pub system_emulation: bool,
    pub system: SystemInfo,
}

/// The API versions that QEMU takes, both included.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Versions {
    pub min: c_int,
    pub cur: c_int,
}

/// What `qemu_info_t` says of a whole machine.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SystemInfo {
    pub smp_vcpus: c_int,
    pub max_vcpus: c_int,
}

/// A translated block, while it is being translated.
#[repr(C)]
pub struct Tb {
    _opaque: [u8; 0],
}

/// An instruction of such a block.
#[repr(C)]
pub struct Insn {
    _opaque: [u8; 0],
}

/// One element for each vCPU, as many as there are.
#[repr(C)]
pub struct Scoreboard {
    _opaque: [u8; 0],
}

/// `qemu_plugin_u64`: a number in each element of a scoreboard.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ScoreboardU64 {
    pub scoreboard: *mut Scoreboard,
    pub offset: usize,
}

/// A register of the vCPU.
#[repr(C)]
pub struct RegisterHandle {
    _opaque: [u8; 0],
}

/// `qemu_plugin_reg_descriptor`
#[repr(C)]
pub struct RegisterDescriptor {
    pub handle: *mut RegisterHandle,
    pub name: *const c_char,
    pub feature: *const c_char,
    pub is_readonly: bool,
}

/// GLib's `GArray`; what it holds is known to its user.
#[repr(C)]
pub struct GArray {
    pub data: *mut c_char,
    pub len: c_uint,
}

/// GLib's `GByteArray`
#[repr(C)]
pub struct GByteArray {
    pub data: *mut u8,
    pub len: c_uint,
}

/// `enum qemu_plugin_cb_flags`: what a callback does with the registers.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum CallbackFlags {
    /// Reads them.
    ReadRegisters = 1,
    /// Reads and writes them, and may set the program counter.
    ReadWriteRegistersPc = 3,
}

/// `enum qemu_plugin_op`: what an instruction does to a scoreboard, without a
/// callback.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum InlineOp {
    /// Adds a constant to a number.
    AddU64 = 0,
}

/// `enum qemu_plugin_discon_type`: an exception, raised by an instruction.
pub const DISCONTINUITY_EXCEPTION: c_int = 1 << 1;

/// A callback for a vCPU.
pub type VcpuCallback = unsafe extern "C" fn(vcpu: c_uint, userdata: *mut c_void);
/// A callback for a block that is being translated.
pub type TranslateCallback = unsafe extern "C" fn(tb: *mut Tb, userdata: *mut c_void);
/// A callback for a program counter that does not go on as usual.
pub type DiscontinuityCallback = unsafe extern "C" fn(
    vcpu: c_uint,
    kind: c_int,
    from_pc: u64,
    to_pc: u64,
    userdata: *mut c_void,
);

unsafe extern "C" {
    pub fn qemu_plugin_register_vcpu_init_cb(id: PluginId, cb: VcpuCallback, data: *mut c_void);
    pub fn qemu_plugin_register_vcpu_idle_cb(id: PluginId, cb: VcpuCallback, data: *mut c_void);
    pub fn qemu_plugin_register_vcpu_resume_cb(id: PluginId, cb: VcpuCallback, data: *mut c_void);
    pub fn qemu_plugin_register_vcpu_discon_cb(
        id: PluginId,
        kind: c_int,
        cb: DiscontinuityCallback,
        data: *mut c_void,
    );
    pub fn qemu_plugin_register_vcpu_tb_trans_cb(
        id: PluginId,
        cb: TranslateCallback,
        data: *mut c_void,
    );
    pub fn qemu_plugin_register_vcpu_insn_exec_cb(
        insn: *mut Insn,
        cb: VcpuCallback,
        flags: CallbackFlags,
        data: *mut c_void,
    );
    pub fn qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(
        insn: *mut Insn,
        op: InlineOp,
        entry: ScoreboardU64,
        imm: u64,
    );

    pub fn qemu_plugin_scoreboard_new(element_size: usize) -> *mut Scoreboard;
    pub fn qemu_plugin_u64_get(entry: ScoreboardU64, vcpu: c_uint) -> u64;

    pub fn qemu_plugin_tb_n_insns(tb: *const Tb) -> usize;
    pub fn qemu_plugin_tb_get_insn(tb: *const Tb, index: usize) -> *mut Insn;
    pub fn qemu_plugin_insn_data(insn: *const Insn, to: *mut c_void, len: usize) -> usize;
    pub fn qemu_plugin_insn_size(insn: *const Insn) -> usize;
    pub fn qemu_plugin_insn_vaddr(insn: *const Insn) -> u64;

    pub fn qemu_plugin_get_registers() -> *mut GArray;
    pub fn qemu_plugin_read_register(handle: *mut RegisterHandle, to: *mut GByteArray) -> bool;
    pub fn qemu_plugin_write_register(handle: *mut RegisterHandle, from: *mut GByteArray) -> bool;
    /// Does not return where it succeeds: it jumps out of the callback into
    /// QEMU's main loop, over the frames in between.
    pub fn qemu_plugin_set_pc(vaddr: u64);

    /// Returns 0 (`QEMU_PLUGIN_HWADDR_OPERATION_OK`) where it succeeds.
    pub fn qemu_plugin_read_memory_hwaddr(address: u64, to: *mut GByteArray, len: usize) -> c_int;
    /// Returns 0 (`QEMU_PLUGIN_HWADDR_OPERATION_OK`) where it succeeds.
    pub fn qemu_plugin_write_memory_hwaddr(address: u64, from: *mut GByteArray) -> c_int;

    // GLib, which QEMU itself is linked with.
    pub fn g_array_free(array: *mut GArray, free_segment: c_int) -> *mut c_char;
    pub fn g_byte_array_new() -> *mut GByteArray;
    pub fn g_byte_array_append(
        array: *mut GByteArray,
        data: *const u8,
        len: c_uint,
    ) -> *mut GByteArray;
    pub fn g_byte_array_free(array: *mut GByteArray, free_segment: c_int) -> *mut u8;
}
