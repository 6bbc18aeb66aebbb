// SPDX-License-Identifier: GPL-2.0

//! Loading and unloading: from the checks to a registered driver and back.

use kernel::prelude::*;

use crate::attributes;
use crate::detect;
use crate::ext::{
    cpufreq::Registration,
    processor::Feature,
    sysfs::Group, //
};
use crate::hal::msr::Msr;
use crate::mode::Mode;
use crate::params;
use crate::passive::Passive;
use crate::prefcore;
use crate::refusal::Refusal;
use crate::status;
use crate::table;

/// The module while it is loaded. The order of the fields is the order in which it is taken down.
pub(crate) struct AmdPstate {
    _folder: Group,
    _driver: Registration<Passive<Msr>>,
}

impl kernel::Module for AmdPstate {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        check().inspect_err(Refusal::log)?;

        prefcore::detect(crate::module_parameters::prefcore.value())?;
        let attributes = attributes::list::<Msr, Passive<Msr>>()?;
        let driver = Registration::new(attributes, Feature::CPB.present())
            .inspect_err(|error| pr_err!("cannot be registered ({})\n", error.to_errno()))?;
        let folder = status::create()?;

        pr_info!(
            "{} mode, requests by MSR{}\n",
            Mode::Passive.name(),
            if prefcore::is_enabled() {
                "; the ranking of cores is shown, but a module cannot give it to the scheduler"
            } else {
                ""
            }
        );
        Ok(Self {
            _folder: folder,
            _driver: driver,
        })
    }
}

/// Checks the parameters and the machine, in this order, and changes nothing.
fn check() -> Result<(), Refusal> {
    if let Some(word) = params::MODE.get() {
        match Mode::from_word(word.as_bytes()) {
            Some(Mode::Passive) => (),
            Some(Mode::Disable) => return Err(Refusal::Disabled),
            None => return Err(Refusal::UnknownMode(word)),
        }
    }
    detect::check_machine()?;
    table::check_all::<Msr>()
}
