// SPDX-License-Identifier: GPL-2.0
//! File systems that the guest needs before anything else.

use std::fs;

use anyhow::Context;
use rustix::mount::{mount, MountFlags};

/// Kind and mount point, in the order in which they must be mounted.
const MOUNTS: [(&str, &str); 7] = [
    ("devtmpfs", "/dev"),
    ("proc", "/proc"),
    ("sysfs", "/sys"),
    ("debugfs", "/sys/kernel/debug"),
    ("tracefs", "/sys/kernel/tracing"),
    ("tmpfs", "/tmp"),
    ("tmpfs", "/run"),
];

/// Mounts everything in [`MOUNTS`].
pub fn mount_all() -> anyhow::Result<()> {
    for (kind, point) in MOUNTS {
        // sysfs has the mount points below /sys itself and lets nobody make others.
        if !fs::exists(point).unwrap_or(false) {
            fs::create_dir_all(point).with_context(|| format!("make {point}"))?;
        }
        mount(kind, point, kind, MountFlags::empty(), None)
            .with_context(|| format!("mount {kind} on {point}"))?;
    }
    Ok(())
}
