// SPDX-License-Identifier: GPL-2.0

//! The ACPI tables that the kernel has read.

use kernel::bindings;

/// The field Preferred_PM_Profile of the FADT.
pub(crate) fn preferred_profile() -> u8 {
    // SAFETY: The kernel's copy of the FADT is constant after boot; a byte has no alignment.
    unsafe { (&raw const bindings::acpi_gbl_FADT.preferred_profile).read() }
}
