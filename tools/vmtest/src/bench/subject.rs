// SPDX-License-Identifier: GPL-2.0
//! What is measured, and how it is set up.

use anyhow::{Context, Result};
use serde::Serialize;

use crate::driver::{set_c_driver, MODULE};
use crate::machine::{policy, Machine};

/// A driver that is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// One that does nothing, which the benchmark's module brings along.
    Nothing,
    /// The kernel's own.
    C,
    /// The module.
    Module,
}

impl Subject {
    /// Makes it the machine's driver, in passive mode, in the place of whichever is.
    ///
    /// # Errors
    ///
    /// When the kernel refuses.
    pub fn bind(self, m: &mut Machine) -> Result<()> {
        if m.has_module(MODULE)? {
            m.rmmod(MODULE).context("unload the module")?;
        }
        match self {
            Self::Nothing => set_c_driver(m, "disable"),
            Self::C => set_c_driver(m, "passive"),
            Self::Module => {
                set_c_driver(m, "disable")?;
                m.modprobe(&[MODULE, "mode=passive"])?;
                Ok(())
            }
        }
    }

    /// The folder of its trace events.
    fn events(self) -> Option<&'static str> {
        match self {
            Self::Nothing => None,
            Self::C => Some("amd_cpu"),
            Self::Module => Some("amd_pstate_rs"),
        }
    }

    /// Sets it up as `setting` says. A driver that does nothing has nothing to set.
    ///
    /// # Errors
    ///
    /// When the kernel refuses.
    pub fn set(self, m: &mut Machine, setting: Setting) -> Result<()> {
        let Some(events) = self.events() else {
            return Ok(());
        };
        // The benchmark's module runs on this CPU.
        m.write(&policy(0, "scaling_governor"), "schedutil")?;
        m.write(&policy(0, "boost"), digit(setting.boost))?;
        let events = format!("/sys/kernel/tracing/events/{events}/enable");
        m.write(&events, digit(setting.tracing))
            .context("trace events")
    }
}

fn digit(on: bool) -> &'static str {
    if on {
        "1"
    } else {
        "0"
    }
}

/// How the driver that is measured is set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Setting {
    /// Whether frequencies above the nominal one are allowed.
    pub boost: bool,
    /// Whether somebody listens to the driver's trace events.
    pub tracing: bool,
}

impl Setting {
    /// The usual one, in which the bounds hold.
    pub const USUAL: Self = Self {
        boost: true,
        tracing: false,
    };

    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::USUAL,
        Self {
            boost: false,
            ..Self::USUAL
        },
        Self {
            tracing: true,
            ..Self::USUAL
        },
        Self {
            boost: false,
            tracing: true,
        },
    ];

    /// In words.
    #[must_use]
    pub fn describe(self) -> String {
        let word = |on| if on { "on" } else { "off" };
        format!("boost {}, tracing {}", word(self.boost), word(self.tracing))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_are_all_there_are_and_begin_with_the_usual() {
        let mut words: Vec<String> = Setting::ALL.map(Setting::describe).to_vec();
        assert_eq!(words.first().unwrap(), "boost on, tracing off");
        words.sort();
        words.dedup();
        assert_eq!(words.len(), 4);
    }
}
