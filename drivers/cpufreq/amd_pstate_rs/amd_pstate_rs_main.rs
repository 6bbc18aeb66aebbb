// SPDX-License-Identifier: GPL-2.0

//! AMD P-State: frequency scaling of AMD processors by Collaborative Processor Performance Control.
//!
//! The kernel asks the processor's firmware for a minimum, a maximum and a desired performance on
//! an abstract scale of 256 levels; firmware grants what power and temperature allow.
//!
//! Start at [`driver`], which loads and unloads, or at [`passive`], which the scheduler calls.
//! Files without a kernel in them (`perf`, `limits`, `capabilities`, `mode`) hold the arithmetic
//! and the rules; [`hal`] reaches the firmware; [`ext`] holds all that is `unsafe`.

mod asked;
mod attributes;
mod boost;
mod capabilities;
mod cpudata;
mod detect;
mod driver;
mod ext;
mod hal;
mod limits;
mod mode;
mod params;
mod passive;
mod perf;
mod prefcore;
mod reciprocal;
mod refusal;
mod register;
mod status;
mod table;

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
    },
}
