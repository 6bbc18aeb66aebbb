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
    prelude::*,
    sync::Arc, //
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

/// A file in a [`Group`] that belongs to a `T`.
pub(crate) trait Attribute<T> {
    /// The file's name.
    const NAME: &'static CStr;

    /// Writes the file's text.
    fn show(owner: &T, page: &mut Page<'_>) -> fmt::Result;
}

/// An [`Attribute`] that can be written.
pub(crate) trait WritableAttribute<T>: Attribute<T> {
    /// Takes the text that was written, in force or not at all. Whoever polls the file is woken.
    fn store(owner: &T, written: &[u8]) -> Result;
}

/// A file of a [`Group`] in the form that sysfs wants, with the way to its owner.
///
/// # Invariants
///
/// `owner` points to what the group's `Arc` holds, once the group is made.
#[repr(C)]
pub(crate) struct File<T> {
    attribute: UnsafeCell<bindings::device_attribute>,
    folder: &'static CStr,
    owner: *const T,
}

impl<T: Send + Sync + 'static> File<T> {
    /// The read-only file `A`.
    pub(crate) fn new<A: Attribute<T>>() -> Self {
        Self::with_mode(A::NAME, 0o444, Self::show::<A>, None)
    }

    /// The file `A`, which the administrator can write.
    pub(crate) fn writable<A: WritableAttribute<T>>() -> Self {
        Self::with_mode(A::NAME, 0o644, Self::show::<A>, Some(Self::store::<A>))
    }

    #[allow(clippy::needless_update)]
    fn with_mode(name: &'static CStr, mode: u16, show: Show, store: Option<Store>) -> Self {
        Self {
            attribute: UnsafeCell::new(bindings::device_attribute {
                attr: bindings::attribute {
                    name: name.as_char_ptr(),
                    mode,
                    #[cfg(CONFIG_DEBUG_LOCK_ALLOC)]
                    key: super::lockdep::ATTRIBUTE.as_ptr(),
                    ..pin_init::zeroed()
                },
                __bindgen_anon_1: bindings::device_attribute__bindgen_ty_1 { show: Some(show) },
                __bindgen_anon_2: bindings::device_attribute__bindgen_ty_2 { store },
            }),
            folder: c"",
            owner: core::ptr::null(),
        }
    }

    fn as_attribute(&self) -> *mut bindings::attribute {
        // SAFETY: Only the address of a field is formed.
        unsafe { &raw mut (*self.attribute.get()).attr }
    }

    /// # Safety
    ///
    /// To be called by sysfs only, for a file of a [`Group`] of `T`.
    unsafe extern "C" fn show<A: Attribute<T>>(
        _device: *mut bindings::device,
        attribute: *mut bindings::device_attribute,
        buffer: *mut c_char,
    ) -> isize {
        // SAFETY: The attribute is the first field of a `File` that its group keeps; by the type's
        // invariant the owner is live as long.
        let owner = unsafe { &*(*attribute.cast::<Self>()).owner };
        // SAFETY: sysfs passes a page of its own.
        let mut page = unsafe { Page::from_raw(buffer) };
        match A::show(owner, &mut page) {
            Ok(()) => page.len(),
            Err(_) => EIO.to_errno() as isize,
        }
    }

    /// # Safety
    ///
    /// To be called by sysfs only, for a file of a [`Group`] of `T`.
    unsafe extern "C" fn store<A: WritableAttribute<T>>(
        device: *mut bindings::device,
        attribute: *mut bindings::device_attribute,
        buffer: *const c_char,
        count: usize,
    ) -> isize {
        // SAFETY: As in `show`.
        let file = unsafe { &*attribute.cast::<Self>() };
        // SAFETY: As in `show`.
        let owner = unsafe { &*file.owner };
        // SAFETY: sysfs passes a buffer of `count` bytes that nobody else has.
        let written = unsafe { core::slice::from_raw_parts(buffer.cast::<u8>(), count) };

        let result = A::store(owner, written);
        // Even a failure may have changed something on its way back.
        // SAFETY: The device is the live root of the CPUs; both names end with NUL.
        unsafe {
            bindings::sysfs_notify(
                &raw mut (*device).kobj,
                file.folder.as_char_ptr(),
                A::NAME.as_char_ptr(),
            )
        };
        match result {
            Ok(()) => count as isize,
            Err(error) => error.to_errno() as isize,
        }
    }
}

type Show = unsafe extern "C" fn(
    *mut bindings::device,
    *mut bindings::device_attribute,
    *mut c_char,
) -> isize;
type Store = unsafe extern "C" fn(
    *mut bindings::device,
    *mut bindings::device_attribute,
    *const c_char,
    usize,
) -> isize;

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

/// Whether there is something called `name` in `/sys/devices/system/cpu`.
pub(crate) fn cpu_root_has(name: &CStr) -> Result<bool> {
    Ok(CpuRoot::get()?.has(name))
}

/// A folder in `/sys/devices/system/cpu`, there until it is dropped.
pub(crate) struct Group<T> {
    root: CpuRoot,
    group: KBox<bindings::attribute_group>,
    /// What `group` points to.
    _list: KVec<*mut bindings::attribute>,
    /// What `list` points to.
    _files: KVec<File<T>>,
    _owner: Arc<T>,
}

// SAFETY: The raw pointers are sysfs's to follow, and it has locks for that.
unsafe impl<T: Send + Sync> Send for Group<T> {}
// SAFETY: A shared group offers nothing.
unsafe impl<T: Send + Sync> Sync for Group<T> {}

impl<T: Send + Sync + 'static> Group<T> {
    /// Makes the folder `name` with these files of `owner`.
    pub(crate) fn new(
        name: &'static CStr,
        owner: Arc<T>,
        mut files: KVec<File<T>>,
    ) -> Result<Self> {
        let root = CpuRoot::get()?;
        let mut list = KVec::with_capacity(files.len() + 1, GFP_KERNEL)?;
        for file in &mut files {
            // INVARIANT: The group keeps its `Arc`.
            file.owner = Arc::as_ptr(&owner);
            file.folder = name;
            list.push(file.as_attribute(), GFP_KERNEL)?;
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
        // SAFETY: The group, its list, the files and their owner are on the heap and stay there
        // until `drop`, which removes the folder first.
        to_result(unsafe { bindings::sysfs_create_group(root.kobject(), &*group) })?;

        Ok(Self {
            root,
            group,
            _list: list,
            _files: files,
            _owner: owner,
        })
    }
}

impl<T> Drop for Group<T> {
    fn drop(&mut self) {
        // SAFETY: `new` made the folder. When this returns, nobody is in `show` or `store` of one
        // of its files.
        unsafe { bindings::sysfs_remove_group(self.root.kobject(), &*self.group) };
    }
}
