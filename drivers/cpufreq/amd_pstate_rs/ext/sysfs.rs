// SPDX-License-Identifier: GPL-2.0

//! sysfs: the page that a file's text goes into, and a folder of our own beside the CPUs.
//!
//! C headers: [`include/linux/sysfs.h`](srctree/include/linux/sysfs.h),
//! [`include/linux/device.h`](srctree/include/linux/device.h)

use core::{
    cell::UnsafeCell,
    marker::PhantomData,
    ptr::NonNull, //
};

use kernel::{
    bindings,
    error::to_result,
    fmt,
    page::PAGE_SIZE,
    prelude::*, //
};

/// The page that a file's `show` writes to.
///
/// # Invariants
///
/// `start` points to a writable page for `'a`; `len` bytes of it, at most all, are written.
pub(crate) struct Page<'a> {
    start: *mut u8,
    len: usize,
    _lifetime: PhantomData<&'a mut u8>,
}

impl Page<'_> {
    /// # Safety
    ///
    /// `start` must point to a page that this alone may write to.
    pub(super) unsafe fn from_raw(start: *mut c_char) -> Self {
        // INVARIANT: By this function's contract.
        Self {
            start: start.cast(),
            len: 0,
            _lifetime: PhantomData,
        }
    }

    /// How many bytes were written, as sysfs wants to know it.
    pub(super) fn len(&self) -> isize {
        self.len as isize
    }
}

impl fmt::Write for Page<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if text.len() > PAGE_SIZE - self.len {
            return Err(fmt::Error);
        }
        // SAFETY: The rest of the page has room for the text, as just checked.
        unsafe {
            core::ptr::copy_nonoverlapping(text.as_ptr(), self.start.add(self.len), text.len())
        };
        // INVARIANT: Still within the page.
        self.len += text.len();
        Ok(())
    }
}

/// A read-only file in a [`Group`].
pub(crate) trait Attribute {
    /// The file's name.
    const NAME: &'static CStr;

    /// Writes the file's text.
    fn show(page: &mut Page<'_>) -> fmt::Result;
}

/// An [`Attribute`] in the form that sysfs wants.
#[repr(transparent)]
pub(crate) struct DeviceAttr(UnsafeCell<bindings::device_attribute>);

// SAFETY: sysfs writes to it only when it makes or removes the file, under a lock of its own.
unsafe impl Sync for DeviceAttr {}

impl DeviceAttr {
    /// The file `A`.
    #[allow(clippy::needless_update)]
    pub(crate) const fn new<A: Attribute>() -> Self {
        Self(UnsafeCell::new(bindings::device_attribute {
            attr: bindings::attribute {
                name: kernel::str::as_char_ptr_in_const_context(A::NAME),
                mode: 0o444,
                // Kernels with lockdep have more fields.
                ..pin_init::zeroed()
            },
            __bindgen_anon_1: bindings::device_attribute__bindgen_ty_1 {
                show: Some(Self::show::<A>),
            },
            ..pin_init::zeroed()
        }))
    }

    fn as_attribute(&self) -> *mut bindings::attribute {
        // SAFETY: Only the address of a field is formed.
        unsafe { &raw mut (*self.0.get()).attr }
    }

    /// # Safety
    ///
    /// To be called by sysfs only.
    unsafe extern "C" fn show<A: Attribute>(
        _device: *mut bindings::device,
        _attribute: *mut bindings::device_attribute,
        buffer: *mut c_char,
    ) -> isize {
        // SAFETY: sysfs passes a page of its own.
        let mut page = unsafe { Page::from_raw(buffer) };
        match A::show(&mut page) {
            Ok(()) => page.len(),
            Err(_) => EIO.to_errno() as isize,
        }
    }
}

/// The folder `/sys/devices/system/cpu`.
struct CpuRoot(NonNull<bindings::device>);

impl CpuRoot {
    fn get() -> Result<Self> {
        // SAFETY: `cpu_subsys` is registered for as long as the kernel runs.
        let root = unsafe { bindings::bus_get_dev_root(&raw const bindings::cpu_subsys) };
        NonNull::new(root).map(Self).ok_or(ENODEV)
    }

    fn kobject(&self) -> *mut bindings::kobject {
        // SAFETY: The device is live while its reference is held; only an address is formed.
        unsafe { &raw mut (*self.0.as_ptr()).kobj }
    }

    fn has(&self, name: &CStr) -> bool {
        // SAFETY: The device is live and so is its folder; the name ends with NUL.
        let node = unsafe {
            bindings::kernfs_find_and_get_ns(
                (*self.kobject()).sd,
                name.as_char_ptr(),
                core::ptr::null(),
            )
        };
        if node.is_null() {
            return false;
        }
        // SAFETY: The reference was just taken.
        unsafe { bindings::kernfs_put(node) };
        true
    }
}

impl Drop for CpuRoot {
    fn drop(&mut self) {
        // SAFETY: `get` took the reference.
        unsafe { bindings::put_device(self.0.as_ptr()) };
    }
}

/// A folder in `/sys/devices/system/cpu`, there until it is dropped.
pub(crate) struct Group {
    root: CpuRoot,
    group: KBox<bindings::attribute_group>,
    /// What `group` points to.
    _attributes: KVec<*mut bindings::attribute>,
}

// SAFETY: The raw pointers are sysfs's to follow, and it has locks for that.
unsafe impl Send for Group {}
// SAFETY: A shared group offers nothing.
unsafe impl Sync for Group {}

impl Group {
    /// Whether there is something called `name` already.
    pub(crate) fn exists(name: &CStr) -> Result<bool> {
        Ok(CpuRoot::get()?.has(name))
    }

    /// Makes the folder `name` with these files.
    pub(crate) fn new(name: &'static CStr, attributes: &[&'static DeviceAttr]) -> Result<Self> {
        let root = CpuRoot::get()?;
        let mut list = KVec::with_capacity(attributes.len() + 1, GFP_KERNEL)?;
        for attribute in attributes {
            list.push(attribute.as_attribute(), GFP_KERNEL)?;
        }
        list.push(core::ptr::null_mut(), GFP_KERNEL)?;

        let group = KBox::new(
            bindings::attribute_group {
                name: name.as_char_ptr(),
                __bindgen_anon_2: bindings::attribute_group__bindgen_ty_2 {
                    attrs: list.as_mut_ptr(),
                },
                ..pin_init::zeroed()
            },
            GFP_KERNEL,
        )?;
        // SAFETY: The group and its list are on the heap and stay there until `drop`, which removes
        // the folder first.
        to_result(unsafe { bindings::sysfs_create_group(root.kobject(), &*group) })?;

        Ok(Self {
            root,
            group,
            _attributes: list,
        })
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // SAFETY: `new` made the folder. When this returns, none of its files is open in `show`.
        unsafe { bindings::sysfs_remove_group(self.root.kobject(), &*self.group) };
    }
}
