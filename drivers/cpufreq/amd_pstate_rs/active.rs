// SPDX-License-Identifier: GPL-2.0

//! Active mode: firmware chooses a level between the policy's limits, by an energy preference.

use core::marker::PhantomData;

use kernel::{
    cpufreq::flags,
    new_mutex,
    prelude::*,
    sync::{
        Arc,
        ArcBorrow,
        Mutex, //
    },
};

use crate::asked::Bounds;
use crate::cpudata::{CpuData, HasCpu};
use crate::dynamic::{Balanced, Dynamic};
use crate::epp::{Epp, Preference};
use crate::ext::{
    cpufreq::{Driver, Policy, Strategy, Verify},
    platform_profile::{self, Profile},
    power_supply, //
};
use crate::fadt;
use crate::hal::Backend;
use crate::machine::Machine;
use crate::perf::Perf;

/// The driver of active mode.
pub(crate) struct Active<B: Backend>(PhantomData<B>);

/// The driver's data of one policy in active mode.
#[pin_data]
pub(crate) struct ActiveData<B: Backend> {
    /// What makes the preference follow, while it is [`Preference::Dynamic`]. Its lock is taken
    /// before all others, among them those that its parts take when they are made and dropped.
    #[pin]
    dynamic: Mutex<Option<Dynamic<B>>>,
    cpu: Arc<Wishing<B>>,
}

/// A CPU and what users want of it in active mode.
#[pin_data]
pub(crate) struct Wishing<B: Backend> {
    pub(crate) cpu: CpuData<B>,
    balanced: Balanced,
    #[pin]
    wishes: Mutex<Wishes>,
}

/// What users want of a CPU in active mode.
#[derive(Clone, Copy)]
struct Wishes {
    strategy: Strategy,
    /// In force with [`Strategy::Powersave`]; [`Strategy::Performance`] is all for performance and
    /// leaves it for later.
    preference: Preference,
    /// Whether a user chose the preference.
    chosen: bool,
    /// For [`Preference::Dynamic`].
    profile: Profile,
    /// Whether the machine runs on mains power, as far as it is known here.
    mains: bool,
}

impl Wishes {
    /// The strategy and the preference that a machine of this kind starts with.
    fn first(machine: fadt::Profile, firmware: Epp) -> Self {
        let (strategy, epp) = match machine {
            fadt::Profile::Server | fadt::Profile::Undefined => (Strategy::Performance, firmware),
            fadt::Profile::Client => (Strategy::Powersave, Epp::BALANCE_PERFORMANCE),
        };
        Self {
            strategy,
            preference: Preference::Named(epp),
            chosen: false,
            profile: Profile::Balanced,
            mains: power_supply::is_mains(),
        }
    }

    /// The value that is in force.
    fn epp(&self, balanced: Balanced) -> Epp {
        match (self.strategy, self.preference) {
            (Strategy::Performance, _) => Epp::PERFORMANCE,
            (_, Preference::Named(epp) | Preference::Raw(epp)) => epp,
            (_, Preference::Dynamic) => balanced.epp(self.profile, self.mains),
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

impl<B: Backend> Wishing<B> {
    /// Changes a wish and puts it in force, or else takes it back. May sleep.
    fn wish(&self, change: impl FnOnce(&mut Wishes)) -> Result {
        let mut wishes = self.wishes.lock();
        let before = *wishes;
        change(&mut wishes);

        let epp = wishes.epp(self.balanced);
        match self.cpu.send(self.cpu.last_request().with_epp(epp)) {
            // A CPU that is offline gets it when it is back.
            Err(error) if error == ENXIO => Ok(()),
            result => result.inspect_err(|_| *wishes = before),
        }
    }

    /// Does something to the CPU that no change of a wish may come between. May sleep.
    fn alone(&self, act: impl FnOnce(&CpuData<B>) -> Result) -> Result {
        let _wishes = self.wishes.lock();
        act(&self.cpu)
    }

    /// Puts the policy's limits and strategy in force. May sleep.
    fn apply(&self, policy: Policy<'_>) -> Result {
        let mut wishes = self.wishes.lock();
        if let Some(strategy) = policy.strategy() {
            wishes.strategy = strategy;
        }
        let limits = self.cpu.limits(Bounds::of(policy));
        let max = limits.max_perf();
        let min = match wishes.strategy {
            Strategy::Performance => self.performance_min().min(max),
            Strategy::Powersave => limits.min_perf(),
        };
        let last = self.cpu.last_request();
        let epp = wishes.epp(self.balanced);
        self.cpu.send(last.with_levels(min, Perf::ZERO, max, epp))
    }

    /// The lowest level for those who want speed above all: what firmware was set up to keep to, or
    /// else the nominal one. The highest would throttle machines that are short of power.
    fn performance_min(&self) -> Perf {
        self.cpu
            .firmware_min()
            .unwrap_or(self.cpu.caps.levels.nominal)
    }
}

impl<B: Backend> platform_profile::Handler for Wishing<B> {
    fn profile(&self) -> Profile {
        self.wishes.lock().profile
    }

    fn set_profile(&self, profile: Profile) -> Result {
        self.wish(|wishes| wishes.profile = profile)
    }
}

impl<B: Backend> power_supply::Listener for Wishing<B> {
    fn power_changed(&self) {
        let mains = power_supply::is_mains();
        if let Err(error) = self.wish(|wishes| wishes.mains = mains) {
            pr_warn!(
                "cpu{}: the preference does not follow the power source ({})\n",
                self.cpu.cpu().as_u32(),
                error.to_errno()
            );
        }
    }
}

impl<B: Backend> HasCpu for ActiveData<B> {
    type Backend = B;

    fn cpu_data(&self) -> &CpuData<B> {
        &self.cpu.cpu
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
        self.cpu.wishes.lock().effective()
    }

    fn set_preference(&self, preference: Preference) -> Result {
        let mut dynamic = self.dynamic.lock();
        let follows = preference == Preference::Dynamic;
        if follows && dynamic.is_some() {
            return Ok(());
        }
        let follow = if follows {
            Some(Dynamic::new(&self.cpu, self.cpu.balanced)?)
        } else {
            None
        };
        let mains = power_supply::is_mains();
        self.cpu.wish(|wishes| {
            wishes.preference = preference;
            wishes.chosen = true;
            wishes.mains = mains;
        })?;
        *dynamic = follow;
        Ok(())
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
        let firmware = cpu.firmware_epp();
        let mut wishes = Wishes::first(machine.profile, firmware);
        if let Some(profile) = settings.profile {
            wishes.profile = profile;
        }

        policy.set_strategy(wishes.strategy);
        cpu.introduce(policy, &settings)?;
        let cpu = Arc::pin_init(
            pin_init!(Wishing {
                cpu,
                balanced: Balanced::new(machine.profile, firmware),
                wishes <- new_mutex!(wishes),
            }),
            GFP_KERNEL,
        )?;
        let data = KBox::pin_init(
            pin_init!(ActiveData {
                dynamic <- new_mutex!(None),
                cpu,
            }),
            GFP_KERNEL,
        )?;
        if let Some(preference) = settings.preference {
            data.set_preference(preference)?;
        }
        Ok(data)
    }

    fn exit(policy: Policy<'_>, data: Pin<KBox<Self::Data>>) {
        let cpu = &data.cpu.cpu;
        cpu.keep_settings(policy);
        let wishes = *data.cpu.wishes.lock();
        if wishes.chosen {
            cpu.machine.settings.update(cpu.cpu(), |settings| {
                settings.preference = Some(wishes.preference);
                settings.profile = Some(wishes.profile);
            });
        }
    }

    fn verify(limits: &mut Verify<'_>, data: Option<&Self::Data>) -> Result {
        CpuData::verify(data.map(HasCpu::cpu_data), limits)
    }

    fn set_policy(policy: Policy<'_>, data: &Self::Data) -> Result {
        data.cpu.apply(policy)?;
        // Nobody sets it in this mode, but it is shown, so it shall at least be within the limits.
        policy.set_cur(policy.min());
        Ok(())
    }

    fn online(_policy: Policy<'_>, data: &Self::Data) -> Result {
        data.cpu.alone(CpuData::wake)
    }

    fn offline(_policy: Policy<'_>, data: &Self::Data) -> Result {
        data.cpu.alone(CpuData::give_back)
    }

    fn suspend(_policy: Policy<'_>, data: &Self::Data) -> Result {
        data.cpu.alone(CpuData::suspend)
    }

    fn resume(policy: Policy<'_>, data: &Self::Data) -> Result {
        data.cpu.alone(CpuData::wake)?;
        data.cpu.apply(policy)
    }

    fn set_boost(policy: Policy<'_>, data: &Self::Data, on: bool) -> Result {
        data.cpu_data().set_boost(policy, on)
    }

    fn update_limits(policy: Policy<'_>, data: &Self::Data) {
        data.cpu_data().update_ranking(policy);
    }
}
