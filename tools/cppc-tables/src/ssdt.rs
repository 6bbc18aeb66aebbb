// SPDX-License-Identifier: GPL-2.0
//! The secondary table that carries the objects.

use cppc_model::Platform;

use crate::aml::{self, Segment, Term};
use crate::table::table;
use crate::{cpc, pstates};

/// Version 2 makes integers 64 bits wide.
const REVISION: u8 = 2;

const ROOT: Segment = *b"_SB_";
/// The one copy of the P-states that all CPUs refer to.
const STATES: Segment = *b"STAT";
const REGISTERS: Segment = *b"CTRL";

/// The machine's SSDT, header and checksum included: as it stands a file for
/// the emulator's `-acpitable file=`.
///
/// The CPUs are those of the q35 board, `\_SB.CPUS.C000` and so on, as many
/// as the platform has; a scope for one that does not exist would be an error
/// in the guest.
pub fn ssdt(platform: &Platform) -> Vec<u8> {
    let mut terms = Vec::new();
    if platform.firmware().pstates {
        let shared = [
            aml::name(STATES, &pstates::supported_states(platform)),
            aml::name(REGISTERS, &pstates::control_and_status()),
        ];
        terms.push(aml::scope(&aml::path(&[ROOT]), &shared));
    }
    for (number, cpu) in platform.each_cpu().enumerate() {
        let path = aml::path(&[ROOT, *b"CPUS", cpu_segment(number)]);
        terms.push(aml::scope(&path, &objects(platform, cpu.cpc)));
    }
    table(*b"SSDT", REVISION, &terms.concat())
}

/// What one CPU has.
fn objects(platform: &Platform, has_cpc: bool) -> Vec<Term> {
    let mut objects = Vec::new();
    if has_cpc {
        objects.push(aml::name(*b"_CPC", &cpc::package(platform)));
    }
    if platform.firmware().pstates {
        let shared = |segment| aml::path(&[ROOT, segment]);
        objects.push(aml::method_that_returns(*b"_PSS", &shared(STATES)));
        objects.push(aml::method_that_returns(*b"_PCT", &shared(REGISTERS)));
        // The fastest P-state allowed at present: the first.
        objects.push(aml::name(*b"_PPC", &aml::integer(0)));
    }
    objects
}

/// The board's name for a CPU: C and its number in three hexadecimal digits.
fn cpu_segment(number: usize) -> Segment {
    const DIGITS: [u8; 16] = *b"0123456789ABCDEF";
    let digit = |place: usize| {
        let value = (number >> (4 * place)) & 0xf;
        DIGITS.get(value).copied().unwrap_or(b'?')
    };
    [b'C', digit(2), digit(1), digit(0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn platform(name: &str, cpus: usize) -> Platform {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../platforms");
        Platform::load(&folder.join(name).with_extension("toml"))
            .unwrap()
            .with_cpus(cpus)
            .unwrap()
    }

    fn count(table: &[u8], name: &[u8]) -> usize {
        table
            .windows(name.len())
            .filter(|window| *window == name)
            .count()
    }

    #[test]
    fn length_and_checksum_of_the_header_are_right() {
        for cpus in [1, 2, 8, 255] {
            let table = ssdt(&platform("zen4-desktop", cpus));
            assert_eq!(&table[..4], b"SSDT");
            let length = u32::from_le_bytes(table[4..8].try_into().unwrap());
            assert_eq!(usize::try_from(length).unwrap(), table.len());
            let sum = table.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte));
            assert_eq!(sum, 0);
        }
    }

    #[test]
    fn each_cpu_has_its_objects_once() {
        let table = ssdt(&platform("zen4-desktop", 20));
        for number in 0..20 {
            assert_eq!(count(&table, format!("C{number:03X}").as_bytes()), 1);
        }
        assert_eq!(count(&table, b"C014"), 0);
        for object in [b"_CPC", b"_PSS", b"_PCT", b"_PPC"] {
            assert_eq!(count(&table, object), 20);
        }
    }

    #[test]
    fn a_machine_without_cpc_still_has_its_pstates() {
        let table = ssdt(&platform("no-cpc", 2));
        assert_eq!(count(&table, b"_CPC"), 0);
        assert_eq!(count(&table, b"_PSS"), 2);
    }

    #[test]
    fn a_large_machine_fits_the_emulators_limit_for_a_table() {
        assert!(ssdt(&platform("zen4-desktop", 128)).len() <= usize::from(u16::MAX));
    }
}
