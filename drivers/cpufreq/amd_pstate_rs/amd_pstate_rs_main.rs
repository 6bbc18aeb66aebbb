// SPDX-License-Identifier: GPL-2.0

//! AMD P-State: frequency scaling of AMD processors by Collaborative Processor Performance Control.
//!
//! The kernel asks the processor's firmware for a minimum, a maximum and a desired performance on
//! an abstract scale of 256 levels; firmware grants what power and temperature allow.
//!
//! Start at [`driver`], which loads and unloads, [`operation`], which goes from mode to mode, or
//! [`governed`] and [`active`], the two drivers that the cpufreq core calls. Files without a kernel
//! in them (`perf`, `limits`, `capabilities`, `epp`, `mode`, `text`) hold the arithmetic and the
//! rules; [`hal`] reaches the firmware; [`ext`] holds all that is `unsafe`.

mod active;
mod asked;
mod attributes;
mod boost;
mod capabilities;
mod cpudata;
mod detect;
mod driver;
mod dynamic;
mod epp;
mod ext;
mod fadt;
mod floor;
mod governed;
mod hal;
mod limits;
mod machine;
mod mode;
mod operation;
mod params;
mod perf;
mod prefcore;
mod quirks;
mod reciprocal;
mod refusal;
mod register;
mod settings;
mod status;
mod table;
mod takeover;
mod text;
mod trace;

kernel::prelude::module! {
    type: driver::AmdPstate,
    name: "amd_pstate_rs",
    authors: ["The amd-pstate-rs developers"],
    description: "AMD P-State frequency driver",
    license: "GPL",
    params: {
        prefcore: bool {
            default: true,
            description: "Use the ranking of preferred cores",
        },
        nominal_freq: u32 {
            default: 0,
            description: "Nominal frequency in MHz, where the ACPI tables lack it",
        },
        lowest_freq: u32 {
            default: 0,
            description: "Lowest frequency in MHz, where the ACPI tables lack it",
        },
    },
}
