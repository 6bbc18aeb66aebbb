// SPDX-License-Identifier: GPL-2.0

//! The preference `dynamic`: it follows the platform profile and, where that is balanced, the power
//! source.

use kernel::{
    prelude::*,
    str::CString,
    sync::Arc, //
};

use crate::active::Wishing;
use crate::epp::Epp;
use crate::ext::{
    platform_profile::{
        self,
        Profile, //
    },
    power_supply, //
};
use crate::fadt;
use crate::hal::Backend;

/// The values of a balanced profile on a machine, on mains and on battery.
#[derive(Clone, Copy)]
pub(crate) struct Balanced {
    mains: Epp,
    battery: Epp,
}

impl Balanced {
    /// On a machine of kind `machine`, whose firmware had `firmware`: servers keep that.
    pub(crate) fn new(machine: fadt::Profile, firmware: Epp) -> Self {
        match machine {
            fadt::Profile::Server | fadt::Profile::Undefined => Self {
                mains: firmware,
                battery: firmware,
            },
            fadt::Profile::Client => Self {
                mains: Epp::PERFORMANCE,
                battery: Epp::BALANCE_PERFORMANCE,
            },
        }
    }

    /// The value that goes with `profile`, on mains power or not.
    pub(crate) fn epp(self, profile: Profile, mains: bool) -> Epp {
        match profile {
            Profile::LowPower => Epp::POWER,
            Profile::Performance => Epp::PERFORMANCE,
            Profile::Balanced if mains => self.mains,
            Profile::Balanced => self.battery,
        }
    }

    /// Whether the power source makes a difference.
    fn follows_power(self) -> bool {
        self.mains != self.battery
    }
}

/// What makes a CPU's preference follow; it no longer does once this is dropped.
pub(crate) struct Dynamic<B: Backend> {
    _power: Option<Pin<KBox<power_supply::Subscription<Wishing<B>>>>>,
    _profile: platform_profile::Registration<Wishing<B>>,
}

impl<B: Backend> Dynamic<B> {
    /// Has the preference of `cpu` follow. May sleep.
    pub(crate) fn new(cpu: &Arc<Wishing<B>>, balanced: Balanced) -> Result<Self> {
        let number = cpu.cpu.cpu();
        let name = CString::try_from_fmt(fmt!("amd-pstate-epp-cpu{}", number.as_u32()))?;
        let power = if balanced.follows_power() {
            Some(KBox::pin_init(
                power_supply::Subscription::new(cpu.clone()),
                GFP_KERNEL,
            )?)
        } else {
            None
        };
        Ok(Self {
            _power: power,
            _profile: platform_profile::Registration::new(number, name, cpu.clone())?,
        })
    }
}
