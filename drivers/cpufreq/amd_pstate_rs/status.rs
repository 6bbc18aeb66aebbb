// SPDX-License-Identifier: GPL-2.0

//! The driver's folder beside the CPUs, `/sys/devices/system/cpu/amd_pstate/`.
//!
//! Tools know the driver by this folder. A C driver that is built into the kernel keeps it even when
//! it is switched off at run time; then the folder is called `amd_pstate_rs`.

use core::fmt::Write;

use kernel::{
    fmt,
    prelude::*,
    sync::Arc, //
};

use crate::attributes::enabled_disabled;
use crate::ext::sysfs::{self, Attribute, File, Group, Page, WritableAttribute};
use crate::mode::Mode;
use crate::operation::Operation;
use crate::text;

const NAME: &CStr = c"amd_pstate";
const SECOND_NAME: &CStr = c"amd_pstate_rs";

/// `status`: the operation mode. Takes the exact word of another.
struct Status;

impl Attribute<Operation> for Status {
    const NAME: &'static CStr = c"status";

    fn show(operation: &Operation, page: &mut Page<'_>) -> fmt::Result {
        writeln!(page, "{}", operation.mode())
    }
}

impl WritableAttribute<Operation> for Status {
    fn store(operation: &Operation, written: &[u8]) -> Result {
        operation.switch(Mode::from_word(text::word(written)).ok_or(EINVAL)?)
    }
}

/// `prefcore`: whether the ranking of the cores is used, `enabled` or `disabled`.
struct Prefcore;

impl Attribute<Operation> for Prefcore {
    const NAME: &'static CStr = c"prefcore";

    fn show(operation: &Operation, page: &mut Page<'_>) -> fmt::Result {
        writeln!(page, "{}", enabled_disabled(operation.machine.prefcore))
    }
}

/// The folder.
pub(crate) type Folder = Group<Operation>;

/// Makes the folder, under its second name if the first is taken.
pub(crate) fn create(operation: Arc<Operation>) -> Result<Folder> {
    let name = if sysfs::cpu_root_has(NAME)? {
        pr_info!(
            "/sys/devices/system/cpu/amd_pstate belongs to the C driver, using amd_pstate_rs\n"
        );
        SECOND_NAME
    } else {
        NAME
    };
    let mut files = KVec::with_capacity(2, GFP_KERNEL)?;
    files.push(File::writable::<Status>(), GFP_KERNEL)?;
    files.push(File::new::<Prefcore>(), GFP_KERNEL)?;
    Group::new(name, operation, files)
}
