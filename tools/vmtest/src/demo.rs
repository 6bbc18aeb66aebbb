// SPDX-License-Identifier: GPL-2.0
//! Shows the driver at work.

use std::path::Path;

use crate::boot::Host;

/// stub
#[must_use]
pub fn run(_host: &Host, _out: &Path) -> u8 {
    0
}
