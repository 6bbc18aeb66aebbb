// SPDX-License-Identifier: GPL-2.0

//! A module parameter that is a word.
//!
//! [`module!`] of 7.3 has numbers and booleans only.
//!
//! C header: [`include/linux/moduleparam.h`](srctree/include/linux/moduleparam.h)

use kernel::{
    bindings,
    module_param::KernelParam,
    prelude::*,
    sync::SetOnce, //
};

/// The text of a parameter as it was given, cut to what any valid word needs.
#[derive(Clone, Copy)]
pub(crate) struct Word {
    text: [u8; Word::MAX],
    len: usize,
}

impl Word {
    const MAX: usize = 31;

    fn new(text: &[u8]) -> Self {
        let mut word = Self {
            text: [0; Self::MAX],
            len: 0,
        };
        for (to, from) in word.text.iter_mut().zip(text) {
            *to = *from;
            word.len += 1;
        }
        word
    }

    /// The word's bytes.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.text.get(..self.len).unwrap_or(&[])
    }
}

/// A parameter that takes a word; it keeps the word for the module's `init` to judge, since only
/// that can say what the good words are.
pub(crate) struct WordParam {
    value: SetOnce<Word>,
}

impl WordParam {
    pub(crate) const fn new() -> Self {
        Self {
            value: SetOnce::new(),
        }
    }

    /// The word that was given, if one was.
    pub(crate) fn get(&self) -> Option<Word> {
        self.value.copy()
    }

    const OPS: bindings::kernel_param_ops = bindings::kernel_param_ops {
        flags: 0,
        set: Some(Self::set),
        get: None,
        free: None,
    };

    /// # Safety
    ///
    /// To be called by the parameter core only, for a parameter made by [`Self::kernel_param`].
    unsafe extern "C" fn set(value: *const c_char, param: *const bindings::kernel_param) -> c_int {
        if value.is_null() {
            return EINVAL.to_errno();
        }
        // SAFETY: The core passes a string that ends with NUL.
        let text = unsafe { CStr::from_char_ptr(value) }.to_bytes();
        // SAFETY: `kernel_param` stored a pointer to a static `WordParam`.
        let this = unsafe { &*(*param).__bindgen_anon_1.arg.cast::<Self>() };
        if this.value.populate(Word::new(text)) {
            0
        } else {
            pr_err!("a parameter was given twice\n");
            EINVAL.to_errno()
        }
    }

    /// The parameter `name` in the form that the parameter core wants. Built into the kernel, the
    /// name has to begin with the module's and a dot.
    pub(crate) const fn kernel_param(&'static self, name: &'static CStr) -> KernelParam {
        KernelParam::new(bindings::kernel_param {
            name: kernel::str::as_char_ptr_in_const_context(name),
            #[cfg(MODULE)]
            mod_: (&raw const bindings::__this_module).cast_mut(),
            #[cfg(not(MODULE))]
            mod_: core::ptr::null_mut(),
            ops: &Self::OPS,
            perm: 0,
            level: -1,
            flags: 0,
            __bindgen_anon_1: bindings::kernel_param__bindgen_ty_1 {
                arg: (&raw const *self).cast_mut().cast(),
            },
        })
    }
}

/// Declares a static [`WordParam`] and registers it as a parameter of this module.
macro_rules! word_param {
    (
        $(#[$attr:meta])*
        $vis:vis static $static:ident: $module:literal . $name:literal = $description:literal;
    ) => {
        $(#[$attr])*
        $vis static $static: $crate::ext::param::WordParam =
            $crate::ext::param::WordParam::new();

        const _: () = {
            const NAME: &::kernel::str::CStr = if cfg!(MODULE) {
                match ::core::ffi::CStr::from_bytes_with_nul(concat!($name, "\0").as_bytes()) {
                    Ok(name) => name,
                    Err(_) => panic!("a parameter's name holds no NUL"),
                }
            } else {
                match ::core::ffi::CStr::from_bytes_with_nul(
                    concat!($module, ".", $name, "\0").as_bytes(),
                ) {
                    Ok(name) => name,
                    Err(_) => panic!("a parameter's name holds no NUL"),
                }
            };

            #[link_section = "__param"]
            #[used(compiler)]
            static PARAM: ::kernel::module_param::KernelParam = $static.kernel_param(NAME);

            const INFO: &str = if cfg!(MODULE) {
                concat!("parmtype=", $name, ":word\0parm=", $name, ":", $description, "\0")
            } else {
                concat!(
                    $module, ".parmtype=", $name, ":word\0",
                    $module, ".parm=", $name, ":", $description, "\0"
                )
            };

            #[link_section = ".modinfo"]
            #[used(compiler)]
            static MODINFO: [u8; INFO.len()] = $crate::ext::param::bytes_of(INFO);
        };
    };
}
pub(crate) use word_param;

/// The bytes of a string, for a section of the object file.
pub(crate) const fn bytes_of<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = [0; N];
    let mut i = 0;
    while i < N {
        bytes[i] = text.as_bytes()[i];
        i += 1;
    }
    bytes
}
