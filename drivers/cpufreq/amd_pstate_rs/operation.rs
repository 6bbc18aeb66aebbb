// SPDX-License-Identifier: GPL-2.0

//! The mode that the machine is in, and the ways from one to another.

use kernel::{
    new_mutex,
    prelude::*,
    sync::{
        Arc,
        Mutex, //
    },
};

use crate::active::Active;
use crate::attributes;
use crate::ext::cpufreq::{BoostSwitch, Registration};
use crate::governed::Governed;
use crate::hal::msr::Msr;
use crate::machine::Machine;
use crate::mode::{Mode, Transition};

/// The driver that is registered with the core.
enum Driver {
    None,
    Governed(Registration<Governed<Msr>>),
    Active(Registration<Active<Msr>>),
}

/// The mode, the driver that goes with it, and what outlives both.
struct Current {
    mode: Mode,
    driver: Driver,
    /// Where users put the switch for boost.
    boost: BoostSwitch,
}

/// The driver's operation on a machine.
#[pin_data]
pub(crate) struct Operation {
    pub(crate) machine: Arc<Machine>,
    #[pin]
    current: Mutex<Current>,
}

impl Operation {
    /// Starts in `mode`. May sleep.
    pub(crate) fn start(machine: Arc<Machine>, mode: Mode) -> Result<Arc<Self>> {
        let current = Current {
            mode: Mode::Disable,
            driver: Driver::None,
            boost: if machine.boost {
                BoostSwitch::On
            } else {
                BoostSwitch::Absent
            },
        };
        let operation = Arc::pin_init(
            pin_init!(Self {
                machine,
                current <- new_mutex!(current),
            }),
            GFP_KERNEL,
        )?;
        operation.switch(mode)?;
        Ok(operation)
    }

    /// The mode now. May sleep.
    pub(crate) fn mode(&self) -> Mode {
        self.current.lock().mode
    }

    /// Goes to `mode`; users' settings stay. If that fails, the mode before is tried again, so that
    /// no CPU is left without a driver where it had one. May sleep.
    pub(crate) fn switch(&self, mode: Mode) -> Result {
        let mut current = self.current.lock();
        let before = current.mode;
        match Transition::between(before, mode) {
            Transition::Stay => return Ok(()),
            Transition::Tell => self.machine.set_guided(mode == Mode::Guided),
            Transition::Unregister => self.unregister(&mut current),
            Transition::Register => self.register(&mut current, mode)?,
            Transition::Replace => {
                self.unregister(&mut current);
                if let Err(error) = self.register(&mut current, mode) {
                    // The first failure is what the caller wants to know; `register` reports both.
                    let _ = self.register(&mut current, before);
                    return Err(error);
                }
            }
        }
        current.mode = mode;
        Ok(())
    }

    fn unregister(&self, current: &mut Current) {
        current.boost = match &current.driver {
            Driver::None => current.boost,
            Driver::Governed(driver) => driver.boost(),
            Driver::Active(driver) => driver.boost(),
        };
        // Dropping it unregisters it.
        current.driver = Driver::None;
        current.mode = Mode::Disable;
    }

    fn register(&self, current: &mut Current, mode: Mode) -> Result {
        self.machine.set_guided(mode == Mode::Guided);
        current.driver = self.driver(mode, current.boost).inspect_err(|error| {
            pr_err!("{}: cannot register ({})\n", mode.name(), error.to_errno())
        })?;
        current.mode = mode;
        Ok(())
    }

    fn driver(&self, mode: Mode, boost: BoostSwitch) -> Result<Driver> {
        let machine = self.machine.clone();
        Ok(match mode {
            Mode::Disable => Driver::None,
            Mode::Passive | Mode::Guided => {
                let attributes = attributes::list::<Governed<Msr>>(&machine)?;
                Driver::Governed(Registration::new(machine, attributes, boost)?)
            }
            Mode::Active => {
                let attributes = attributes::list_with_preference::<Active<Msr>>(&machine)?;
                Driver::Active(Registration::new(machine, attributes, boost)?)
            }
        })
    }
}
