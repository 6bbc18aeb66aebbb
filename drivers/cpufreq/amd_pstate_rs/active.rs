// SPDX-License-Identifier: GPL-2.0

//! Active mode: firmware chooses a level between the policy's limits, by an energy preference.

use core::marker::PhantomData;

use kernel::{
    cpufreq::flags,
    new_mutex,
    prelude::*,
    sync::{
        ArcBorrow,
        Mutex, //
    },
};

use crate::cpudata::{CpuData, HasCpu};
use crate::epp::{Epp, Preference};
use crate::ext::cpufreq::{Driver, Policy, Strategy, Verify};
use crate::fadt::Profile;
use crate::hal::Backend;
use crate::machine::Machine;
use crate::perf::{Khz, Perf};

/// The driver of active mode.
pub(crate) struct Active<B: Backend>(PhantomData<B>);

/// The driver's data of one policy in active mode.
#[pin_data]
pub(crate) struct ActiveData<B: Backend> {
    cpu: CpuData<B>,
    #[pin]
    wishes: Mutex<Wishes>,
}

/// What users want of a CPU in active mode.
struct Wishes {
    strategy: Strategy,
    /// In force with [`Strategy::Powersave`]; [`Strategy::Performance`] is all for performance and
    /// leaves it for later.
    preference: Preference,
}

impl Wishes {
    /// The value that is in force.
    fn epp(&self) -> Epp {
        match (self.strategy, self.preference) {
            (Strategy::Performance, _) => Epp::PERFORMANCE,
            (_, Preference::Named(epp) | Preference::Raw(epp)) => epp,
            (_, Preference::Dynamic) => Epp::BALANCE_PERFORMANCE,
        }
    }

    /// The preference that is in force, as the file reads.
    fn effective(&self) -> Preference {
        match self.strategy {
            Strategy::Performance => Preference::Named(Epp::PERFORMANCE),
            Strategy::Powersave => self.preference,
        }
    }
}

impl<B: Backend> HasCpu for ActiveData<B> {
    type Backend = B;

    fn cpu_data(&self) -> &CpuData<B> {
        &self.cpu
    }
}

/// Data that has an energy preference.
pub(crate) trait HasPreference: HasCpu {
    /// The preference that is in force.
    fn preference(&self) -> Preference;

    /// Puts a preference in force, or keeps it for when it can be. May sleep.
    fn set_preference(&self, preference: Preference) -> Result;
}

impl<B: Backend> HasPreference for ActiveData<B> {
    fn preference(&self) -> Preference {
        self.wishes.lock().effective()
    }

    fn set_preference(&self, preference: Preference) -> Result {
        let mut wishes = self.wishes.lock();
        let before = core::mem::replace(&mut wishes.preference, preference);
        let request = self.cpu.last_request().with_epp(wishes.epp());

        self.cpu
            .send(request)
            .inspect_err(|_| wishes.preference = before)
    }
}

impl<B: Backend> ActiveData<B> {
    /// Puts the policy's limits and strategy in force. May sleep.
    fn apply(&self, policy: Policy<'_>) -> Result {
        let mut wishes = self.wishes.lock();
        if let Some(strategy) = policy.strategy() {
            wishes.strategy = strategy;
        }
        let limits = self
            .cpu
            .limits(Khz::new(policy.min()), Khz::new(policy.max()));
        let max = limits.max_perf();
        let min = match wishes.strategy {
            Strategy::Performance => self.performance_min().min(max),
            Strategy::Powersave => limits.min_perf(),
        };

        self.cpu.send(
            self.cpu
                .last_request()
                .with_levels(min, Perf::ZERO, max, wishes.epp()),
        )
    }

    /// The lowest level for those who want speed above all: what firmware was set up to keep to, or
    /// else the nominal one. The highest would throttle machines that are short of power.
    fn performance_min(&self) -> Perf {
        self.cpu
            .firmware_min()
            .unwrap_or(self.cpu.caps.levels.nominal)
    }
}

/// The strategy and the preference that a machine of this kind starts with.
fn first_wishes(profile: Profile, firmware: Epp) -> Wishes {
    match profile {
        Profile::Server | Profile::Undefined => Wishes {
            strategy: Strategy::Performance,
            preference: Preference::Named(firmware),
        },
        Profile::Client => Wishes {
            strategy: Strategy::Powersave,
            preference: Preference::Named(Epp::BALANCE_PERFORMANCE),
        },
    }
}

#[vtable]
impl<B: Backend> Driver for Active<B> {
    const NAME: &'static CStr = c"amd-pstate-epp";
    const FLAGS: u16 = flags::CONST_LOOPS;

    type Context = Machine;
    type Data = ActiveData<B>;

    fn init(policy: Policy<'_>, machine: ArcBorrow<'_, Machine>) -> Result<Pin<KBox<Self::Data>>> {
        let cpu = CpuData::<B>::new(policy.cpu()?, machine)?;
        let settings = machine.settings.of(cpu.cpu());

        let mut wishes = first_wishes(machine.profile, cpu.firmware_epp());
        policy.set_strategy(wishes.strategy);
        if let Some(preference) = settings.preference {
            wishes.preference = preference;
        }
        cpu.introduce(policy, &settings)?;

        KBox::pin_init(
            pin_init!(ActiveData {
                cpu,
                wishes <- new_mutex!(wishes),
            }),
            GFP_KERNEL,
        )
    }

    fn exit(policy: Policy<'_>, data: Pin<KBox<Self::Data>>) {
        data.cpu.keep_settings(policy);
        let preference = data.wishes.lock().preference;
        data.cpu
            .machine
            .settings
            .update(data.cpu.cpu(), |settings| {
                settings.preference = Some(preference)
            });
    }

    fn verify(limits: &mut Verify<'_>, data: Option<&Self::Data>) -> Result {
        CpuData::verify(data.map(|data| &data.cpu), limits)
    }

    fn set_policy(policy: Policy<'_>, data: &Self::Data) -> Result {
        data.apply(policy)?;
        // Nobody sets it in this mode, but it is shown, so it shall at least be within the limits.
        policy.set_cur(policy.min());
        Ok(())
    }

    fn online(_policy: Policy<'_>, data: &Self::Data) -> Result {
        data.cpu.wake()
    }

    fn offline(_policy: Policy<'_>, data: &Self::Data) -> Result {
        data.cpu.give_back()
    }

    fn suspend(_policy: Policy<'_>, data: &Self::Data) -> Result {
        data.cpu.suspend()
    }

    fn resume(policy: Policy<'_>, data: &Self::Data) -> Result {
        data.cpu.wake()?;
        data.apply(policy)
    }

    fn set_boost(policy: Policy<'_>, data: &Self::Data, on: bool) -> Result {
        data.cpu.set_boost(policy, on)
    }

    fn update_limits(_policy: Policy<'_>, data: &Self::Data) {
        data.cpu.update_ranking();
    }
}
