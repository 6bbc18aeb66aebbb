// SPDX-License-Identifier: GPL-2.0

//! C declarations that `kernel::bindings` lacks, made by bindgen during the build.
//!
//! `bindings_helper.h` names the headers, `bindgen_parameters` the items. Only this folder uses
//! them.

#![allow(
    clippy::all,
    clippy::undocumented_unsafe_blocks,
    dead_code,
    improper_ctypes,
    missing_docs,
    non_camel_case_types,
    non_upper_case_globals,
    unreachable_pub
)]

use kernel::bindings::*;

include!(concat!(env!("AMD_PSTATE_RS_OBJ"), "/bindings_generated.rs"));
