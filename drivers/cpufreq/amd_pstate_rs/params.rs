// SPDX-License-Identifier: GPL-2.0

//! Parameters of the module that are words; those that are numbers stand in `module!`.

use crate::ext::param::word_param;

word_param! {
    /// `mode=`: the operation mode to start in.
    pub(crate) static MODE: "amd_pstate_rs"."mode" = "Operation mode: passive, active, guided or disable";
}
