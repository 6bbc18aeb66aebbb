// SPDX-License-Identifier: GPL-2.0

//! The kind of machine, as its ACPI tables state it.
//!
//! Source: ACPI specification 6.5, section 5.2.9, field Preferred_PM_Profile of the FADT.

use crate::ext::acpi;

/// A kind of machine, as far as it makes a difference here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// Unspecified or unknown.
    Undefined,
    /// An enterprise, small office or performance server.
    Server,
    /// A machine for people: desktop, mobile, workstation, tablet, appliance.
    Client,
}

impl Profile {
    /// The first value that the specification reserves.
    const RESERVED: u8 = 9;

    /// Of this machine.
    pub(crate) fn current() -> Self {
        Self::from_fadt(acpi::preferred_profile())
    }

    const fn from_fadt(value: u8) -> Self {
        match value {
            0 | Self::RESERVED.. => Self::Undefined,
            4 | 5 | 7 => Self::Server,
            _ => Self::Client,
        }
    }
}
