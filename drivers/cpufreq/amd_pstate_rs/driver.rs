// SPDX-License-Identifier: GPL-2.0

//! Loading and unloading: from the checks to a registered driver and back.

use kernel::{
    prelude::*,
    sync::Arc, //
};

use crate::detect;
use crate::hal::msr::Msr;
use crate::machine::Machine;
use crate::mode::Mode;
use crate::module_parameters;
use crate::operation::Operation;
use crate::params;
use crate::quirks::Frequencies;
use crate::refusal::Refusal;
use crate::status::{self, Folder};
use crate::table::{self, Overview};

/// The module while it is loaded. Its folder goes first, so that nobody can write to it while the
/// driver goes.
pub(crate) struct AmdPstate {
    folder: Option<Folder>,
    operation: Arc<Operation>,
}

impl kernel::Module for AmdPstate {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        let frequencies = Frequencies::new(
            module_parameters::nominal_freq.value(),
            module_parameters::lowest_freq.value(),
        );
        let (mode, overview) = check(frequencies).inspect_err(Refusal::log)?;
        let prefcore = module_parameters::prefcore.value();
        let machine = Machine::new(overview, frequencies, prefcore)
            .inspect_err(|error| failed("machine", *error))?;
        let prefcore = machine.prefcore;
        let operation = Operation::start(machine, mode)?;
        // From here on, a failure ends the operation.
        let mut module = Self {
            folder: None,
            operation: operation.clone(),
        };
        let folder = status::create(operation).inspect_err(|error| failed("folder", *error))?;
        module.folder = Some(folder);

        pr_info!("{} mode, requests by MSR\n", mode.name());
        if prefcore {
            pr_info!("preferred cores are ranked, but the scheduler is not told\n");
        }
        Ok(module)
    }
}

impl Drop for AmdPstate {
    fn drop(&mut self) {
        self.folder = None;
        // To no driver at all there is always a way.
        let _ = self.operation.switch(Mode::Disable);
    }
}

fn failed(what: &str, error: Error) {
    pr_err!(
        "not loaded: cannot make its {} ({})\n",
        what,
        error.to_errno()
    );
}

/// Checks the parameters and the machine, in this order, and changes nothing.
fn check(frequencies: Frequencies) -> Result<(Mode, Overview), Refusal> {
    let mode = match params::MODE.get() {
        None => Mode::Passive,
        Some(word) => Mode::from_word(word.as_bytes()).ok_or(Refusal::UnknownMode(word))?,
    };
    if mode == Mode::Disable {
        return Err(Refusal::Disabled);
    }
    detect::check_machine()?;
    Ok((mode, table::check_all::<Msr>(frequencies)?))
}
