// SPDX-License-Identifier: GPL-2.0

//! What all CPUs of the machine share while the module is loaded.

use kernel::{
    prelude::*,
    sync::Arc, //
};

use crate::ext::{
    processor::Feature,
    volatile::Volatile, //
};
use crate::fadt::Profile;
use crate::prefcore;
use crate::quirks::Frequencies;
use crate::settings::AllSettings;
use crate::table::Overview;

/// The machine, as it was found when the module was loaded, and what users set since.
#[pin_data]
pub(crate) struct Machine {
    /// Whether the ranking of cores is used.
    pub(crate) prefcore: bool,
    /// Whether any CPU can go above its nominal level.
    pub(crate) boost: bool,
    /// Whether the processor has a floor below which firmware does not take a CPU.
    pub(crate) floor: bool,
    /// The kind of machine by its ACPI tables.
    pub(crate) profile: Profile,
    /// Frequencies that stand in for those of the ACPI tables.
    pub(crate) frequencies: Frequencies,
    /// [`Machine::GUIDED`] in guided mode, else 0.
    guided: Volatile<u32>,
    #[pin]
    pub(crate) settings: AllSettings,
}

impl Machine {
    /// The value of [`Machine::guided`] in guided mode: a bit that no frequency has.
    const GUIDED: u32 = 1 << 30;

    /// The machine that was checked with the result `overview`. May sleep.
    pub(crate) fn new(
        overview: Overview,
        frequencies: Frequencies,
        want_prefcore: bool,
    ) -> Result<Arc<Self>> {
        let prefcore = prefcore::detect(want_prefcore)?;
        let settings = AllSettings::new()?;
        Arc::pin_init(
            pin_init!(Self {
                prefcore,
                boost: overview.boost,
                floor: Feature::CPPC_PERF_PRIO.present(),
                profile: Profile::current(),
                frequencies,
                guided: Volatile::new(0),
                settings <- settings,
            }),
            GFP_KERNEL,
        )
    }

    /// A flag for guided mode, 0 outside of it.
    #[inline(always)]
    pub(crate) fn guided(&self) -> u32 {
        self.guided.get()
    }

    /// Goes into or out of guided mode. A request made under the other mode stays until the
    /// governor has another.
    pub(crate) fn set_guided(&self, guided: bool) {
        self.guided.set(if guided { Self::GUIDED } else { 0 });
    }
}
