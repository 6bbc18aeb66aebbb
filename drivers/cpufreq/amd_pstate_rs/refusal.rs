// SPDX-License-Identifier: GPL-2.0

//! Why the driver does not drive this machine: one line and one error number for each reason.

use core::fmt;

use kernel::prelude::*;

use crate::capabilities::Implausible;
use crate::ext::{
    cpufreq::BoundDriver,
    param::Word, //
};
use crate::mode::Words;

/// A reason not to load.
pub(crate) enum Refusal {
    /// `mode=` has a word that is no mode.
    UnknownMode(Word),
    /// `mode=disable`.
    Disabled,
    /// The processor is of another vendor.
    NotAmd,
    /// A paravirtual guest of Xen may not write the registers.
    XenPv,
    /// The processor has no performance states, as in most virtual machines.
    NoHwPstate,
    /// The processor is too old for CPPC: family and model.
    TooOld(u8, u8),
    /// The processor has no CPPC registers, or the BIOS hides them.
    NoCppc,
    /// A CPU has no `_CPC` object.
    NoCpc,
    /// The cpufreq core has a driver already.
    Bound(BoundDriver),
    /// Firmware did not answer: CPU, what was asked for, error.
    Unreadable(u32, &'static str, Error),
    /// Firmware's numbers cannot be true: CPU, reason.
    Implausible(u32, Implausible),
}

impl Refusal {
    /// Says so, in one line: an error where something is wrong that somebody can put right, and
    /// just a word where this is another machine.
    pub(crate) fn log(&self) {
        match self {
            Self::Disabled | Self::NotAmd | Self::NoHwPstate | Self::TooOld(..) => {
                pr_info!("not loaded: {}\n", format_args!("{self}"))
            }
            _ => pr_err!("not loaded: {}\n", format_args!("{self}")),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownMode(word) => {
                let word = word.as_bytes().escape_ascii();
                write!(f, "mode={word} is not a mode; the modes are {Words}")
            }
            Self::Disabled => f.write_str("mode=disable"),
            Self::NotAmd => f.write_str("not an AMD processor"),
            Self::XenPv => f.write_str("a Xen PV guest may not write performance registers"),
            Self::NoHwPstate => {
                f.write_str("the processor has no hardware P-states (CPUID hw_pstate)")
            }
            Self::TooOld(family, model) => {
                write!(f, "family {family:#x} model {model:#x} has no CPPC")
            }
            Self::NoCppc => f.write_str(
                "no CPPC registers (CPUID cppc); \
                 if the processor has them, the BIOS has CPPC switched off",
            ),
            Self::NoCpc => {
                f.write_str("ACPI is off or its tables have no _CPC object for some CPU")
            }
            Self::Bound(driver) => write!(f, "cpufreq is driven by {driver} already"),
            Self::Unreadable(cpu, what, error) => {
                write!(f, "cpu{cpu}: cannot read {what} ({})", error.to_errno())
            }
            Self::Implausible(cpu, reason) => write!(f, "cpu{cpu}: {reason}"),
        }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::UnknownMode(_) | Refusal::Implausible(..) => EINVAL,
            Refusal::Disabled | Refusal::NotAmd | Refusal::NoCpc => ENODEV,
            Refusal::XenPv | Refusal::NoHwPstate | Refusal::TooOld(..) | Refusal::NoCppc => {
                EOPNOTSUPP
            }
            Refusal::Bound(_) => EEXIST,
            Refusal::Unreadable(_, _, error) => error,
        }
    }
}
