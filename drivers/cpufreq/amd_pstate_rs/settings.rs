// SPDX-License-Identifier: GPL-2.0

//! What users set for each CPU, kept while no driver is registered.
//!
//! A change of mode that needs the other driver ends every policy and makes new ones. The core
//! knows nothing of the old ones then; this does, and puts it back.

use kernel::{
    cpu::CpuId,
    new_mutex,
    prelude::*,
    sync::Mutex, //
};

use crate::epp::Preference;
use crate::ext::{
    cpufreq::{GovernorName, Policy, Strategy},
    platform_profile::Profile, //
};
use crate::perf::Khz;

/// What users set for one CPU; `None` is what nobody set.
#[derive(Clone, Copy, Default)]
pub(crate) struct Settings {
    min: Option<Khz>,
    max: Option<Khz>,
    /// For modes with governors.
    governor: Option<GovernorName>,
    /// For active mode.
    strategy: Option<Strategy>,
    /// For active mode.
    pub(crate) preference: Option<Preference>,
    /// For the preference `dynamic`.
    pub(crate) profile: Option<Profile>,
    /// Where boost is off, or on, for this CPU alone.
    pub(crate) boost: Option<bool>,
    /// For processors that have a floor.
    pub(crate) floor: Option<Khz>,
}

impl Settings {
    /// Takes over what is set for `policy`. What its mode does not have stays as it was.
    pub(crate) fn collect(&mut self, policy: Policy<'_>) {
        let khz = |khz: i32| u32::try_from(khz).ok().map(Khz::new);

        self.min = khz(policy.user_min()).filter(|min| *min != Khz::default());
        self.max = khz(policy.user_max()).filter(|max| *max <= Khz::HIGHEST);
        self.governor = policy.last_governor().or(self.governor);
        self.strategy = policy.last_strategy().or(self.strategy);
    }

    /// In a driver's `init`: has the core start `policy` with these settings.
    pub(crate) fn restore(&self, policy: Policy<'_>) {
        if let Some(min) = self.min {
            policy.set_user_min(min.get());
        }
        if let Some(max) = self.max {
            policy.set_user_max(max.get());
        }
        if let Some(governor) = self.governor {
            policy.set_last_governor(governor);
        }
        if let Some(strategy) = self.strategy {
            policy.set_last_strategy(strategy);
        }
    }
}

/// The settings of all CPUs.
#[pin_data]
pub(crate) struct AllSettings {
    #[pin]
    by_cpu: Mutex<KVec<Settings>>,
}

impl AllSettings {
    /// Nobody set anything.
    pub(crate) fn new() -> Result<impl PinInit<Self>> {
        let cpus = usize::try_from(kernel::cpu::nr_cpu_ids()).unwrap_or(0);
        let by_cpu = KVec::from_elem(Settings::default(), cpus, GFP_KERNEL)?;
        Ok(pin_init!(Self {
            by_cpu <- new_mutex!(by_cpu),
        }))
    }

    /// The settings of `cpu`. May sleep.
    pub(crate) fn of(&self, cpu: CpuId) -> Settings {
        let by_cpu = self.by_cpu.lock();
        by_cpu
            .get(cpu.as_u32() as usize)
            .copied()
            .unwrap_or_default()
    }

    /// Changes the settings of `cpu`. May sleep.
    pub(crate) fn update(&self, cpu: CpuId, change: impl FnOnce(&mut Settings)) {
        if let Some(settings) = self.by_cpu.lock().get_mut(cpu.as_u32() as usize) {
            change(settings);
        }
    }
}
