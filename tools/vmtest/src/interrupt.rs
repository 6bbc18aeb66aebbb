// SPDX-License-Identifier: GPL-2.0
//! SIGINT and SIGTERM end the run in order: the machine is killed and its logs are kept.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

static CAME: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Begins to watch for the signals. A second one ends the harness at once; QEMU goes with it.
///
/// # Errors
///
/// When a handler cannot be set.
pub fn watch() -> io::Result<()> {
    let came = CAME.get_or_init(Arc::default);
    for signal in [SIGINT, SIGTERM] {
        flag::register_conditional_default(signal, Arc::clone(came))?;
        flag::register(signal, Arc::clone(came))?;
    }
    Ok(())
}

/// Whether a signal has come.
#[must_use]
pub fn came() -> bool {
    CAME.get().is_some_and(|came| came.load(Ordering::Relaxed))
}
