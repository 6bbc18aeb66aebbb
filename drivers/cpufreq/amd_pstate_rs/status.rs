// SPDX-License-Identifier: GPL-2.0

//! The driver's folder beside the CPUs, `/sys/devices/system/cpu/amd_pstate/`.
//!
//! Tools know the driver by this folder. A C driver that is built into the kernel keeps it even when
//! it is switched off at run time; then the folder is called `amd_pstate_rs`.

use core::fmt::Write;

use kernel::{
    fmt,
    prelude::*, //
};

use crate::attributes::enabled_disabled;
use crate::ext::sysfs::{Attribute, DeviceAttr, Group, Page};
use crate::mode::Mode;
use crate::prefcore;

const NAME: &CStr = c"amd_pstate";
const SECOND_NAME: &CStr = c"amd_pstate_rs";

/// `status`: the operation mode.
struct Status;

impl Attribute for Status {
    const NAME: &'static CStr = c"status";

    fn show(page: &mut Page<'_>) -> fmt::Result {
        // The files are there only while the driver is.
        writeln!(page, "{}", Mode::Passive.name())
    }
}

/// `prefcore`: whether the ranking of the cores is used, `enabled` or `disabled`.
struct Prefcore;

impl Attribute for Prefcore {
    const NAME: &'static CStr = c"prefcore";

    fn show(page: &mut Page<'_>) -> fmt::Result {
        writeln!(page, "{}", enabled_disabled(prefcore::is_enabled()))
    }
}

static STATUS: DeviceAttr = DeviceAttr::new::<Status>();
static PREFCORE: DeviceAttr = DeviceAttr::new::<Prefcore>();

/// Makes the folder, under its second name if the first is taken.
pub(crate) fn create() -> Result<Group> {
    let name = if Group::exists(NAME)? {
        pr_info!(
            "/sys/devices/system/cpu/amd_pstate belongs to the C driver, using amd_pstate_rs\n"
        );
        SECOND_NAME
    } else {
        NAME
    };
    Group::new(name, &[&STATUS, &PREFCORE])
}
