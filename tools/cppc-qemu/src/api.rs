// SPDX-License-Identifier: GPL-2.0
//! A thin safe layer over [`sys`].

use std::ffi::{c_uint, c_void, CStr};
use std::marker::PhantomData;
use std::ptr::{self, NonNull};

use crate::guest::{Gpr, Memory, Registers};
use crate::place::Place;
use crate::sys;

/// Bytes of the longest instruction.
const LONGEST: usize = 15;

/// A block of instructions that QEMU is translating.
pub struct Tb<'a> {
    raw: *const sys::Tb,
    _callback: PhantomData<&'a ()>,
}

impl<'a> Tb<'a> {
    /// # Safety
    ///
    /// `raw` is what QEMU passed to a translation callback that has not
    /// returned within `'a`.
    pub unsafe fn new(raw: *const sys::Tb) -> Self {
        Self {
            raw,
            _callback: PhantomData,
        }
    }

    /// Its instructions.
    pub fn insns(&self) -> impl Iterator<Item = Insn<'a>> + use<'a> {
        let raw = self.raw;
        // SAFETY: `raw` is valid, as `new` demands.
        let count = unsafe { sys::qemu_plugin_tb_n_insns(raw) };
        (0..count).map(move |index| Insn {
            // SAFETY: `raw` is valid, and `index` is below the number of
            // instructions.
            raw: unsafe { sys::qemu_plugin_tb_get_insn(raw, index) },
            _callback: PhantomData,
        })
    }
}

/// One instruction of a [`Tb`].
pub struct Insn<'a> {
    raw: *mut sys::Insn,
    _callback: PhantomData<&'a ()>,
}

impl Insn<'_> {
    /// Hands the instruction's bytes to `look`.
    pub fn with_bytes<T>(&self, look: impl FnOnce(&[u8]) -> T) -> T {
        let mut bytes = [0u8; LONGEST];
        // SAFETY: the instruction is valid while its block is, and `bytes` has
        // room for as many bytes as the call is told.
        let len = unsafe {
            sys::qemu_plugin_insn_data(self.raw, bytes.as_mut_ptr().cast::<c_void>(), bytes.len())
        };
        look(bytes.get(..len).unwrap_or(&bytes))
    }

    /// Where it stands.
    fn place(&self) -> Place {
        // SAFETY: the instruction is valid while its block is.
        let (address, size) = unsafe {
            (
                sys::qemu_plugin_insn_vaddr(self.raw),
                sys::qemu_plugin_insn_size(self.raw),
            )
        };
        Place::new(address, size)
    }

    /// Has `counter` count each execution, before the callbacks that are asked
    /// for later.
    pub fn count(&self, counter: Counter) {
        // SAFETY: the instruction is valid while its block is, and the
        // scoreboard for good.
        unsafe {
            sys::qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(
                self.raw,
                sys::InlineOp::AddU64,
                counter.0,
                1,
            );
        }
    }

    /// Has `callback` called before each execution; its userdata is for
    /// [`place_of`].
    pub fn before_each(&self, flags: sys::CallbackFlags, callback: sys::VcpuCallback) {
        let place = usize::try_from(self.place().to_number()).unwrap_or(0);
        let userdata = ptr::without_provenance_mut(place);
        // SAFETY: the instruction is valid while its block is. The callback
        // takes any vCPU and any userdata, since it does not follow it.
        unsafe { sys::qemu_plugin_register_vcpu_insn_exec_cb(self.raw, callback, flags, userdata) }
    }
}

/// A count for each vCPU, kept by QEMU. It is never given back: it has to be
/// there as long as any translated block.
#[derive(Clone, Copy)]
pub struct Counter(sys::ScoreboardU64);

// SAFETY: the scoreboard is QEMU's, which lets any thread read it.
unsafe impl Send for Counter {}
// SAFETY: as above.
unsafe impl Sync for Counter {}

impl Counter {
    /// Counts from 0. Only while QEMU installs the plugin or calls it.
    pub fn new() -> Self {
        // SAFETY: takes a size; QEMU ends itself where there is no memory.
        let scoreboard = unsafe { sys::qemu_plugin_scoreboard_new(size_of::<u64>()) };
        Self(sys::ScoreboardU64 {
            scoreboard,
            offset: 0,
        })
    }

    /// The vCPU's count so far.
    pub fn of(self, vcpu: c_uint) -> u64 {
        // SAFETY: the scoreboard is never freed, and its elements are as large
        // as the number.
        unsafe { sys::qemu_plugin_u64_get(self.0, vcpu) }
    }
}

/// Where the instruction stands whose callback got this userdata.
pub fn place_of(userdata: *mut c_void) -> Place {
    Place::from_number(u32::try_from(userdata.addr()).unwrap_or(0))
}

/// QEMU's handle for a register. Only passed back to QEMU.
#[derive(Clone, Copy)]
struct Handle(*mut sys::RegisterHandle);

// SAFETY: the handle is a number dressed up as a pointer. Nothing of this
// program is behind it, and QEMU takes it on the vCPU's thread only, where
// the callbacks run that use it.
unsafe impl Send for Handle {}
// SAFETY: a shared handle can only be copied, which reads no memory but its
// own.
unsafe impl Sync for Handle {}

/// The handles of the registers that the front uses, for one vCPU.
pub struct Handles {
    rax: Handle,
    rbx: Handle,
    rcx: Handle,
    rdx: Handle,
    cr0: Handle,
    rip: Handle,
}

impl Handles {
    /// Finds the registers of the vCPU that the present callback is for; none
    /// if QEMU does not know one of them.
    pub fn of_this_vcpu() -> Option<Self> {
        let descriptors = Descriptors::of_this_vcpu()?;
        Some(Self {
            rax: descriptors.find(c"rax")?,
            rbx: descriptors.find(c"rbx")?,
            rcx: descriptors.find(c"rcx")?,
            rdx: descriptors.find(c"rdx")?,
            cr0: descriptors.find(c"cr0")?,
            rip: descriptors.find(c"rip")?,
        })
    }

    fn handle(&self, gpr: Gpr) -> Handle {
        match gpr {
            Gpr::Rax => self.rax,
            Gpr::Rbx => self.rbx,
            Gpr::Rcx => self.rcx,
            Gpr::Rdx => self.rdx,
            Gpr::Cr0 => self.cr0,
        }
    }
}

/// QEMU's list of a vCPU's registers: a `GArray` of descriptors, ours to free.
struct Descriptors(NonNull<sys::GArray>);

impl Descriptors {
    fn of_this_vcpu() -> Option<Self> {
        // SAFETY: it takes nothing, and gives the array away.
        NonNull::new(unsafe { sys::qemu_plugin_get_registers() }).map(Self)
    }

    fn find(&self, name: &CStr) -> Option<Handle> {
        // SAFETY: the array is ours until it is dropped.
        let array = unsafe { self.0.as_ref() };
        let data = array.data.cast::<sys::RegisterDescriptor>();
        let descriptors = (0..usize::try_from(array.len).ok()?).filter_map(|index| {
            // SAFETY: the array holds `len` descriptors, and GLib's memory is
            // aligned for them.
            unsafe { data.add(index).as_ref() }
        });
        descriptors
            .filter(|descriptor| !descriptor.name.is_null())
            // SAFETY: QEMU's names are constant strings that end in 0.
            .find(|descriptor| unsafe { CStr::from_ptr(descriptor.name) } == name)
            .map(|descriptor| Handle(descriptor.handle))
    }
}

impl Drop for Descriptors {
    fn drop(&mut self) {
        // SAFETY: the array is ours and not used any more.
        unsafe { sys::g_array_free(self.0.as_ptr(), 1) };
    }
}

/// The vCPU that the present callback is for: its registers and its memory.
pub struct Vcpu<'a> {
    handles: &'a Handles,
    buffer: Buffer,
}

impl<'a> Vcpu<'a> {
    /// # Safety
    ///
    /// Made and used only within a callback for the vCPU of these handles that
    /// may read and write registers.
    pub unsafe fn new(handles: &'a Handles) -> Self {
        Self {
            handles,
            buffer: Buffer::new(),
        }
    }
}

impl Vcpu<'_> {
    /// The program counter; see [`Place::behind`] for how far it can be trusted.
    pub fn rip(&self) -> u64 {
        self.read_handle(self.handles.rip, "rip")
    }

    fn read_handle(&self, handle: Handle, name: &str) -> u64 {
        self.buffer.clear();
        // SAFETY: a callback for this vCPU is running, as `new` demands, and
        // the buffer is a byte array.
        let read = unsafe { sys::qemu_plugin_read_register(handle.0, self.buffer.0) };
        if !read {
            broken("reading", name);
        }
        self.buffer.with_bytes(little_endian)
    }
}

impl Registers for Vcpu<'_> {
    fn read(&self, gpr: Gpr) -> u64 {
        self.read_handle(self.handles.handle(gpr), gpr.name())
    }

    fn write(&mut self, gpr: Gpr, value: u64) {
        self.buffer.clear();
        self.buffer.append(&value.to_le_bytes());
        let handle = self.handles.handle(gpr);
        // SAFETY: as in `read_handle`; the buffer holds the eight bytes of the
        // register.
        let written = unsafe { sys::qemu_plugin_write_register(handle.0, self.buffer.0) };
        if !written {
            broken("writing", gpr.name());
        }
    }
}

impl Memory for Vcpu<'_> {
    fn read_memory(&self, address: u64, len: usize) -> Option<Vec<u8>> {
        if len == 0 {
            return Some(Vec::new());
        }
        self.buffer.clear();
        // SAFETY: a callback for a vCPU is running, as `new` demands; the
        // buffer is a byte array, which QEMU makes as long as it has to be.
        let result = unsafe { sys::qemu_plugin_read_memory_hwaddr(address, self.buffer.0, len) };
        (result == 0).then(|| self.buffer.with_bytes(<[u8]>::to_vec))
    }

    fn write_memory(&mut self, address: u64, bytes: &[u8]) -> bool {
        self.buffer.clear();
        self.buffer.append(bytes);
        // SAFETY: as in `read_memory`.
        let result = unsafe { sys::qemu_plugin_write_memory_hwaddr(address, self.buffer.0) };
        result == 0
    }
}

/// Ends the process: a guest whose registers are not what the model says
/// proves nothing.
fn broken(what: &str, register: &str) -> ! {
    eprintln!("cppc-qemu: {what} {register} failed in QEMU");
    std::process::abort();
}

/// A `GByteArray` of our own.
struct Buffer(*mut sys::GByteArray);

impl Buffer {
    fn new() -> Self {
        // SAFETY: takes nothing; GLib aborts where there is no memory.
        Self(unsafe { sys::g_byte_array_new() })
    }

    fn clear(&self) {
        // SAFETY: the array is ours, and a length below what is allocated is
        // what `g_byte_array_set_size` would set.
        unsafe { (*self.0).len = 0 };
    }

    fn append(&self, bytes: &[u8]) {
        let len = c_uint::try_from(bytes.len()).unwrap_or(0);
        // SAFETY: the array is ours, and `bytes` are as many as it is told.
        unsafe { sys::g_byte_array_append(self.0, bytes.as_ptr(), len) };
    }

    /// Hands the bytes in it to `look`.
    fn with_bytes<T>(&self, look: impl FnOnce(&[u8]) -> T) -> T {
        // SAFETY: the array is ours.
        let sys::GByteArray { data, len } = unsafe { ptr::read(self.0) };
        if data.is_null() {
            return look(&[]);
        }
        // SAFETY: the array holds `len` bytes, and nobody writes to them while
        // they are looked at: `look` cannot reach the array.
        look(unsafe { std::slice::from_raw_parts(data, usize::try_from(len).unwrap_or(0)) })
    }
}

/// The bytes as a number, the first the lowest; eight at most.
fn little_endian(bytes: &[u8]) -> u64 {
    let highest_first = bytes.iter().take(8).rev();
    highest_first.fold(0, |value, byte| (value << 8) | u64::from(*byte))
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: the array is ours and not used any more.
        unsafe { sys::g_byte_array_free(self.0, 1) };
    }
}
