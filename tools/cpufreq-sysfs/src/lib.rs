// SPDX-License-Identifier: GPL-2.0
//! Typed reader of what Linux says about CPU frequency.
//!
//! [`Reader`] takes the directory that stands for `/`, so that the same code reads the running machine and a tree
//! that a test has written. Every file has an entry in [`attribute`] with its type, unit and source. A file that cannot
//! be read, or says what it must not, is an [`Error`] that names the file and the reason; nothing here panics on content.
//!
//! ```no_run
//! use cpufreq_sysfs::{attribute, CpuId, Reader};
//!
//! let reader = Reader::default();
//! let driver = reader.read(CpuId::BOOT, &attribute::SCALING_DRIVER)?;
//! println!("CPU 0 is driven by {driver}");
//! # Ok::<(), cpufreq_sysfs::Error>(())
//! ```
#![forbid(unsafe_code)]

pub mod attribute;
mod cpu_list;
mod cpuinfo;
mod driver;
mod epp;
mod error;
mod frequency;
mod governor;
mod mode;
mod msr;
mod number;
mod perf;
mod presence;
mod pstate_def;
mod reader;
mod selection;
mod stats;
mod status_dir;
mod switch;

pub use attribute::{Attribute, Directory};
pub use cpu_list::{CpuId, CpuList, SpacedCpus};
pub use cpuinfo::{CpuInfo, Vendor};
pub use driver::{DriverKind, DriverName};
pub use epp::{Epp, EppList};
pub use error::{Error, ErrorKind, OptionalExt, ParseError, Result};
pub use frequency::{FrequencyList, KiloHertz, MegaHertz, TransitionLatency};
pub use governor::{Governor, GovernorList};
pub use mode::Mode;
pub use msr::{Hwcr, PstateLimit};
pub use number::Count;
pub use perf::{Perf, PerfScale, Ranking};
pub use presence::Presence;
pub use pstate_def::PstateDef;
pub use reader::Reader;
pub use selection::{CpuSelection, SelectionError};
pub use stats::{StateTime, TimeInState};
pub use status_dir::StatusDir;
pub use switch::Switch;
