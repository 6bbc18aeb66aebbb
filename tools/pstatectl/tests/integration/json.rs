// SPDX-License-Identifier: GPL-2.0
//! The JSON documents, and that `JSON.md` knows each of their fields.

use std::collections::BTreeSet;
use std::fs;

use expect_test::{expect, Expect};
use serde_json::Value;

use crate::program::pstatectl;
use crate::tree::Tree;

fn check(tree: &Tree, args: &str, expected: &Expect) {
    let run = pstatectl(tree, args);
    expected.assert_eq(&run.stdout.replace(&tree.root().display().to_string(), ""));
}

#[test]
fn frequency_info_of_amd_pstate() {
    check(
        &Tree::new(1).amd_pstate("active").flags(""),
        "--json frequency-info",
        &expect![[r#"
        {
          "schema": 1,
          "command": "frequency-info",
          "cpus": [
            {
              "cpu": 0,
              "online": true,
              "driver": "amd-pstate-epp",
              "related_cpus": [
                0
              ],
              "affected_cpus": [
                0
              ],
              "energy_performance_preference": "balance_performance",
              "hardware_limits": {
                "min_khz": 400000,
                "max_khz": 4900000
              },
              "available_governors": [
                "performance",
                "powersave"
              ],
              "policy": {
                "governor": "powersave",
                "min_khz": 1125000,
                "max_khz": 4900000
              },
              "kernel_frequency_khz": 1897456,
              "boost": {
                "supported": true,
                "active": true,
                "pstates_mhz": []
              },
              "performance": {
                "source": "amd_pstate",
                "highest": {
                  "perf": 196,
                  "khz": 4900000
                },
                "nominal": {
                  "perf": 136,
                  "khz": 3400000
                },
                "lowest_nonlinear": {
                  "perf": 45,
                  "khz": 1125000
                },
                "lowest": {
                  "perf": 17,
                  "khz": 400000
                },
                "preferred_core": true,
                "ranking": 226
              }
            }
          ],
          "errors": []
        }
    "#]],
    );
}

#[test]
fn info_of_amd_pstate() {
    check(
        &Tree::new(2).amd_pstate_rs("passive").flags("").offline(1),
        "--json info",
        &expect![[r#"
        {
          "schema": 1,
          "command": "info",
          "machine": {
            "processor": "AMD Ryzen 9 7950X 16-Core Processor",
            "amd_pstate": {
              "directory": "amd_pstate_rs",
              "mode": "passive",
              "prefcore": true
            },
            "boost": true,
            "online": [
              0
            ],
            "offline": [
              1
            ]
          },
          "cpus": [
            {
              "cpu": 0,
              "driver": "amd-pstate",
              "capabilities": {
                "highest": {
                  "perf": 196,
                  "khz": 4900000
                },
                "nominal": {
                  "perf": 136,
                  "khz": 3400000
                },
                "lowest_nonlinear": {
                  "perf": 45,
                  "khz": 1125000
                },
                "lowest": {
                  "perf": 17,
                  "khz": 400000
                }
              },
              "ranking": 226,
              "limits": {
                "governor": "schedutil",
                "min": {
                  "perf": 45,
                  "khz": 1125000
                },
                "max": {
                  "perf": 196,
                  "khz": 4900000
                },
                "boost": true,
                "epp": null
              }
            }
          ],
          "errors": []
        }
    "#]],
    );
}

#[test]
fn errors_stand_in_the_document_too() {
    let tree = Tree::new(1)
        .amd_pstate("passive")
        .with(0, "scaling_driver", "");
    check(
        &tree,
        "--json frequency-info -d",
        &expect![[r#"
        {
          "schema": 1,
          "command": "frequency-info",
          "cpus": [
            {
              "cpu": 0,
              "online": true,
              "driver": null
            }
          ],
          "errors": [
            {
              "cpu": 0,
              "kind": "empty",
              "file": "/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver",
              "message": "CPU 0: /sys/devices/system/cpu/cpu0/cpufreq/scaling_driver: is empty"
            }
          ]
        }
    "#]],
    );
}

#[test]
fn a_wrong_command_line_is_a_document_too() {
    let run = pstatectl(&Tree::new(1), "--json frequency-info -d -p");
    assert_eq!(run.code, 2);
    let document = run.json();
    assert_eq!(document["schema"], 1);
    assert_eq!(document["errors"][0]["kind"], "usage");
    assert!(document["errors"][0]["message"]
        .as_str()
        .unwrap()
        .contains("--policy"));
}

fn keys(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                found.insert(key.clone());
                keys(value, found);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| keys(value, found)),
        _ => {}
    }
}

#[test]
fn every_field_is_documented() {
    let documentation =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/JSON.md")).unwrap();
    let trees = [
        Tree::new(2).amd_pstate("active").offline(1),
        Tree::new(2).acpi_cpufreq(),
        Tree::new(1).cppc_cpufreq(),
        Tree::new(1),
    ];
    let options = ["", "-s", "-w", "-f", "-y", "-o", "-z"];
    let mut found = BTreeSet::new();
    for tree in &trees {
        keys(&pstatectl(tree, "--json info").json(), &mut found);
        for option in options {
            keys(
                &pstatectl(tree, &format!("--json frequency-info {option}")).json(),
                &mut found,
            );
        }
    }
    assert!(found.len() > 40, "{found:?}");
    let unknown: Vec<_> = found
        .iter()
        .filter(|key| !documentation.contains(&format!("`{key}`")))
        .collect();
    assert!(unknown.is_empty(), "not in JSON.md: {unknown:?}");
}

#[test]
fn both_commands_and_the_text_agree_on_the_numbers() {
    let tree = Tree::new(1).amd_pstate("passive");
    let info = pstatectl(&tree, "--json info").json();
    let frequency_info = pstatectl(&tree, "--json frequency-info").json();
    let (left, right) = (
        &info["cpus"][0]["capabilities"],
        &frequency_info["cpus"][0]["performance"],
    );
    for level in ["highest", "nominal", "lowest_nonlinear", "lowest"] {
        assert!(left[level]["perf"].is_u64());
        assert_eq!(left[level], right[level], "{level}");
    }
}
