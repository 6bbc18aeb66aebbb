// SPDX-License-Identifier: GPL-2.0
//! The tables as ACPI's reference compiler reads them.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may stop at the first thing that is not as it says"
)]

use std::path::{Path, PathBuf};
use std::process::Command;

use cppc_model::Platform;

fn platform(name: &str, cpus: usize) -> Platform {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../platforms");
    let file = folder.join(name).with_extension("toml");
    Platform::load(&file).unwrap().with_cpus(cpus).unwrap()
}

/// Runs iasl and returns what it says, or none where it is not installed.
fn iasl(args: &[&str], file: &Path) -> Option<String> {
    let output = match Command::new("iasl").args(args).arg(file).output() {
        Ok(output) => output,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            eprintln!("skipped: iasl is not installed");
            return None;
        }
        Err(error) => panic!("iasl: {error}"),
    };
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    assert!(output.status.success(), "{said}");
    Some(said)
}

/// Writes the table into a folder and takes it apart; none without iasl.
fn disassembled(folder: &Path, platform: &Platform) -> Option<(PathBuf, String)> {
    let table = folder.join("ssdt.aml");
    std::fs::write(&table, cppc_tables::ssdt(platform)).unwrap();
    let said = iasl(&["-d"], &table)?;
    for trouble in ["Warning", "Error", "Could not", "checksum"] {
        assert!(!said.contains(trouble), "{said}");
    }
    let source = folder.join("ssdt.dsl");
    let text = std::fs::read_to_string(&source).unwrap();
    Some((source, text))
}

#[test]
fn every_machines_table_comes_apart_and_compiles_again_without_a_word() {
    for name in ["zen4-desktop", "zen3-uniform", "no-cpc", "nominal-zero"] {
        let folder = tempfile::tempdir().unwrap();
        let Some((source, _)) = disassembled(folder.path(), &platform(name, 3)) else {
            return;
        };
        let said = iasl(&["-tc"], &source).unwrap_or_default();
        assert!(said.contains("0 Errors, 0 Warnings, 0 Remarks"), "{said}");
    }
}

#[test]
fn the_objects_hold_the_descriptions_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let Some((_, text)) = disassembled(folder.path(), &platform("zen4-desktop", 2)) else {
        return;
    };
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // Revision 3 with 23 entries, first highest performance, last the clocks.
    assert_eq!(words.matches("Name (_CPC, Package (0x17)").count(), 2);
    assert!(words.contains("0x17, 0x03, ResourceTemplate"), "{text}");
    assert!(words.contains("0x08, // Bit Width 0x18, // Bit Offset 0x00000000C00102B0"));
    assert!(
        words.contains("0x0190, 0x1194 })"),
        "400 and 4500 MHz: {text}"
    );
    assert!(words.contains("Package (0x06) { 0x1194,"), "{text}");
    assert_eq!(words.matches("Return (\\_SB.STAT)").count(), 2, "{text}");
}
