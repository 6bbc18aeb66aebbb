// SPDX-License-Identifier: GPL-2.0

//! Frequencies for machines whose ACPI tables lack them.

use crate::ext::{
    cppc,
    dmi,
    processor::Feature, //
};

/// Frequencies in MHz that stand in for those of `_CPC`; 0 leaves the table's.
#[derive(Clone, Copy)]
pub(crate) struct Frequencies {
    pub(crate) nominal_mhz: u32,
    pub(crate) lowest_mhz: u32,
}

impl Frequencies {
    /// What the user gave (`nominal_freq=` and `lowest_freq=`), or else what is known of this
    /// machine.
    pub(crate) fn new(nominal_mhz: u32, lowest_mhz: u32) -> Self {
        let known =
            Quirk::of_this_machine().map_or((0, 0), |quirk| (quirk.nominal_mhz, quirk.lowest_mhz));
        let or = |given, known| if given == 0 { known } else { given };
        Self {
            nominal_mhz: or(nominal_mhz, known.0),
            lowest_mhz: or(lowest_mhz, known.1),
        }
    }

    /// The frequencies to believe where the table says `table`.
    pub(crate) fn over(self, table: cppc::Frequencies) -> cppc::Frequencies {
        let or = |own, table| if own == 0 { table } else { own };
        cppc::Frequencies {
            nominal_mhz: or(self.nominal_mhz, table.nominal_mhz),
            lowest_mhz: or(self.lowest_mhz, table.lowest_mhz),
        }
    }
}

/// A machine whose frequencies are known better than its tables know them.
struct Quirk {
    bios_version: &'static [u8],
    bios_date: &'static [u8],
    nominal_mhz: u32,
    lowest_mhz: u32,
}

impl Quirk {
    /// Machines with Zen 2 processors: the EPYC 7K62; numbers as the C driver has them. The date is looked for in
    /// the BIOS's date: the C driver looks in the release number, where no date ever stands.
    const ZEN2: [Self; 1] = [Self {
        bios_version: b"5.14",
        bios_date: b"12/12/2019",
        nominal_mhz: 2600,
        lowest_mhz: 550,
    }];

    fn of_this_machine() -> Option<&'static Self> {
        if !Feature::ZEN2.present() {
            return None;
        }
        Self::ZEN2.iter().find(|quirk| {
            dmi::contains(dmi::Field::BiosVersion, quirk.bios_version)
                && dmi::contains(dmi::Field::BiosDate, quirk.bios_date)
        })
    }
}
