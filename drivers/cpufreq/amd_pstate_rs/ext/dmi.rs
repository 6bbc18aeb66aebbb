// SPDX-License-Identifier: GPL-2.0

//! What the BIOS says of itself.
//!
//! C header: [`include/linux/dmi.h`](srctree/include/linux/dmi.h)

use kernel::prelude::*;

use super::bindings;

/// A text field of the BIOS's description.
#[derive(Clone, Copy)]
pub(crate) enum Field {
    BiosVersion,
    BiosDate,
}

/// Whether `field` contains `text`, as `DMI_MATCH()` has it.
pub(crate) fn contains(field: Field, text: &[u8]) -> bool {
    let field = match field {
        Field::BiosVersion => bindings::dmi_field_DMI_BIOS_VERSION,
        Field::BiosDate => bindings::dmi_field_DMI_BIOS_DATE,
    };
    // SAFETY: The field is one of the enumeration's.
    let value = unsafe { bindings::dmi_get_system_info(field as c_int) };
    if value.is_null() {
        return false;
    }
    // SAFETY: A field that is there is a string that ends with NUL and stays.
    let value = unsafe { CStr::from_char_ptr(value) }.to_bytes();
    value.windows(text.len()).any(|window| window == text)
}
