// SPDX-License-Identifier: GPL-2.0
//! What QEMU calls.

use std::ffi::{c_char, c_int, c_uint, c_void, CStr};
use std::ptr;
use std::sync::OnceLock;

use thiserror::Error;

use crate::api::{place_of, Counter, Handles, Tb, Vcpu};
use crate::args::{ArgError, Args};
use crate::decode::{decode, Op, Width};
use crate::front::{Front, Next, StartError};
use crate::place::Place;
use crate::sys;

/// The API version that the plugin is made for; QEMU looks at it before
/// anything else, and names both versions where it does not take it.
#[no_mangle]
#[allow(
    non_upper_case_globals,
    reason = "QEMU looks the symbol up by this name"
)]
pub static qemu_plugin_version: c_int = sys::API_VERSION;

/// The plugin at work. QEMU loads a plugin once for each `-plugin`; a second
/// one for the same processor would be a mistake.
static PLUGIN: OnceLock<Plugin> = OnceLock::new();

struct Plugin {
    front: Front,
    vcpus: Vec<OnceLock<Handles>>,
    /// The instructions that each vCPU has executed, if they are counted.
    instructions: Option<Counter>,
}

/// Why the plugin does not load.
#[derive(Debug, Error)]
enum InstallError {
    #[error(
        "plugin API version {} is needed, QEMU has {min} to {cur}",
        sys::API_VERSION
    )]
    Version { min: c_int, cur: c_int },
    #[error("the emulated machine must be a whole x86_64 one, not {0}")]
    Machine(String),
    #[error(transparent)]
    Args(#[from] ArgError),
    #[error(transparent)]
    Start(#[from] StartError),
    #[error("loaded twice")]
    Twice,
}

/// Called once by QEMU, before the machine is built. Anything but 0 makes
/// QEMU give up.
///
/// # Safety
///
/// `info` points to QEMU's description of itself, and `argv` to `argc`
/// strings.
#[no_mangle]
pub unsafe extern "C" fn qemu_plugin_install(
    id: sys::PluginId,
    info: *const sys::Info,
    argc: c_int,
    argv: *const *const c_char,
) -> c_int {
    // SAFETY: `info` is QEMU's description of itself, as demanded above.
    let cpus = unsafe { checked(info) };
    // SAFETY: `argv` points to `argc` strings, as demanded above.
    let args = unsafe { arguments(argc, argv) };
    let installed = cpus.and_then(|cpus| install(&args?, cpus));
    match installed {
        Ok(()) => {
            register(id);
            0
        }
        Err(error) => {
            eprintln!("cppc-qemu: {error}");
            1
        }
    }
}

/// # Safety
///
/// `argv` points to `argc` strings.
unsafe fn arguments(argc: c_int, argv: *const *const c_char) -> Result<Args, InstallError> {
    let args: Vec<_> = (0..usize::try_from(argc).unwrap_or(0))
        .map(|index| {
            // SAFETY: `index` is below `argc`, and each entry is a string.
            let arg = unsafe { CStr::from_ptr(*argv.add(index)) };
            arg.to_string_lossy()
        })
        .collect();
    Ok(Args::parse(&args)?)
}

/// Checks what QEMU says of itself and returns the number of CPUs.
///
/// # Safety
///
/// `info` points to QEMU's description of itself.
unsafe fn checked(info: *const sys::Info) -> Result<usize, InstallError> {
    // SAFETY: as demanded above.
    let info = unsafe { &*info };
    let sys::Versions { min, cur } = info.version;
    if !(min..=cur).contains(&sys::API_VERSION) {
        return Err(InstallError::Version { min, cur });
    }
    // SAFETY: QEMU's name for the target is a constant string.
    let target = unsafe { CStr::from_ptr(info.target_name) }.to_string_lossy();
    if target != "x86_64" || !info.system_emulation {
        return Err(InstallError::Machine(target.into_owned()));
    }
    Ok(usize::try_from(info.system.max_vcpus).unwrap_or(0))
}

fn install(args: &Args, cpus: usize) -> Result<(), InstallError> {
    let plugin = Plugin {
        front: Front::new(args, cpus)?,
        vcpus: (0..cpus).map(|_| OnceLock::new()).collect(),
        instructions: args.count.then(Counter::new),
    };
    PLUGIN.set(plugin).map_err(|_| InstallError::Twice)
}

fn register(id: sys::PluginId) {
    let none = ptr::null_mut();
    // SAFETY: `id` is the plugin's own; the callbacks are functions of the
    // types that QEMU calls them with, stay as long as the plugin is loaded,
    // and make no use of the userdata.
    unsafe {
        sys::qemu_plugin_register_vcpu_init_cb(id, on_vcpu_init, none);
        sys::qemu_plugin_register_vcpu_idle_cb(id, on_vcpu_idle, none);
        sys::qemu_plugin_register_vcpu_resume_cb(id, on_vcpu_resume, none);
        sys::qemu_plugin_register_vcpu_discon_cb(
            id,
            sys::DISCONTINUITY_EXCEPTION,
            on_exception,
            none,
        );
        sys::qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate, none);
    }
}

unsafe extern "C" fn on_vcpu_init(vcpu: c_uint, _: *mut c_void) {
    let Some((plugin, cpu, slot)) = vcpu_slot(vcpu) else {
        return;
    };
    match Handles::of_this_vcpu() {
        Some(handles) => {
            slot.get_or_init(|| handles);
            plugin.front.resume(cpu);
        }
        None => {
            eprintln!("cppc-qemu: QEMU does not name the registers of vCPU {cpu}");
            std::process::abort();
        }
    }
}

unsafe extern "C" fn on_vcpu_idle(vcpu: c_uint, _: *mut c_void) {
    if let Some((plugin, cpu, _)) = vcpu_slot(vcpu) {
        plugin.front.idle(cpu);
    }
}

unsafe extern "C" fn on_vcpu_resume(vcpu: c_uint, _: *mut c_void) {
    if let Some((plugin, cpu, _)) = vcpu_slot(vcpu) {
        plugin.front.resume(cpu);
    }
}

unsafe extern "C" fn on_exception(vcpu: c_uint, _: c_int, _: u64, _: u64, _: *mut c_void) {
    with_registers(vcpu, |front, cpu, registers| {
        front.exception(cpu, registers);
    });
}

unsafe extern "C" fn on_translate(tb: *mut sys::Tb, _: *mut c_void) {
    // SAFETY: the callback that `tb` was passed to is this one.
    let tb = unsafe { Tb::new(tb) };
    let counter = PLUGIN.get().and_then(|plugin| plugin.instructions);
    for insn in tb.insns() {
        // Instruction by instruction, since a block that is left in the middle
        // has not executed all of its own.
        if let Some(counter) = counter {
            insn.count(counter);
        }
        let (flags, callback): (_, sys::VcpuCallback) = match insn.with_bytes(decode) {
            None => continue,
            Some(Op::Rdmsr) => (sys::CallbackFlags::ReadWriteRegistersPc, on_rdmsr),
            Some(Op::Wrmsr) => (sys::CallbackFlags::ReadWriteRegistersPc, on_wrmsr),
            Some(Op::Cpuid) => (sys::CallbackFlags::ReadWriteRegistersPc, on_cpuid),
            Some(Op::Rdtsc) if front_has_tsc() => {
                (sys::CallbackFlags::ReadWriteRegistersPc, on_rdtsc)
            }
            Some(Op::Rdtsc) => continue,
            Some(Op::Out(width)) => (sys::CallbackFlags::ReadRegisters, on_out(width)),
        };
        insn.before_each(flags, callback);
    }
}

unsafe extern "C" fn on_rdmsr(vcpu: c_uint, place: *mut c_void) {
    go_on(vcpu, with_registers(vcpu, Front::rdmsr), place_of(place));
}

unsafe extern "C" fn on_wrmsr(vcpu: c_uint, place: *mut c_void) {
    go_on(vcpu, with_registers(vcpu, Front::wrmsr), place_of(place));
}

unsafe extern "C" fn on_cpuid(vcpu: c_uint, place: *mut c_void) {
    go_on(vcpu, with_registers(vcpu, Front::cpuid), place_of(place));
}

unsafe extern "C" fn on_rdtsc(vcpu: c_uint, place: *mut c_void) {
    let next = with_registers(vcpu, |front, _, registers| front.rdtsc(registers));
    go_on(vcpu, next, place_of(place));
}

fn front_has_tsc() -> bool {
    PLUGIN.get().is_some_and(|plugin| plugin.front.has_tsc())
}

fn on_out(width: Width) -> sys::VcpuCallback {
    unsafe extern "C" fn byte(vcpu: c_uint, _: *mut c_void) {
        out(vcpu, Width::Byte);
    }
    unsafe extern "C" fn word(vcpu: c_uint, _: *mut c_void) {
        out(vcpu, Width::Word);
    }
    unsafe extern "C" fn dword(vcpu: c_uint, _: *mut c_void) {
        out(vcpu, Width::Dword);
    }
    match width {
        Width::Byte => byte,
        Width::Word => word,
        Width::Dword => dword,
    }
}

fn out(vcpu: c_uint, width: Width) {
    let counter = PLUGIN.get().and_then(|plugin| plugin.instructions);
    let instructions = counter.map(|counter| counter.of(vcpu));
    with_registers(vcpu, |front, cpu, registers| {
        front.out(cpu, width, registers, instructions);
    });
}

/// Calls the front with the registers of the vCPU whose callback this is.
fn with_registers<T>(
    vcpu: c_uint,
    call: impl FnOnce(&Front, usize, &mut Vcpu<'static>) -> T,
) -> Option<T> {
    let (plugin, cpu, slot) = vcpu_slot(vcpu)?;
    // SAFETY: all callers are callbacks for this vCPU, registered with the
    // right to what they do with the registers.
    let mut registers = unsafe { Vcpu::new(slot.get()?) };
    Some(call(&plugin.front, cpu, &mut registers))
}

fn vcpu_slot(vcpu: c_uint) -> Option<(&'static Plugin, usize, &'static OnceLock<Handles>)> {
    let plugin = PLUGIN.get()?;
    let cpu = usize::try_from(vcpu).ok()?;
    Some((plugin, cpu, plugin.vcpus.get(cpu)?))
}

/// Ends a callback. Nothing that has to be dropped may be left when it is
/// called: where the instruction is skipped, QEMU jumps away from here.
fn go_on(vcpu: c_uint, next: Option<Next>, place: Place) {
    if next != Some(Next::Skip) {
        return;
    }
    let rip = with_registers(vcpu, |_, _, vcpu| vcpu.rip());
    if let Some(rip) = rip {
        // SAFETY: the callback was registered with the right to set the
        // program counter. QEMU jumps over this frame and the callback's,
        // neither of which holds anything that would have to be dropped.
        unsafe { sys::qemu_plugin_set_pc(place.behind(rip)) };
    }
}
