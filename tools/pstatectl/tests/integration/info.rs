// SPDX-License-Identifier: GPL-2.0
//! The screen of `info`.

use std::process::{Command, Stdio};

use expect_test::{expect, Expect};

use crate::program::pstatectl;
use crate::tree::Tree;

fn check(tree: &Tree, args: &str, expected: &Expect) {
    let run = pstatectl(tree, args);
    assert!(
        run.stdout.lines().all(|line| line.chars().count() <= 80),
        "{}",
        run.stdout
    );
    expected.assert_eq(&run.stdout);
}

#[test]
fn passive_mode_of_the_built_in_driver() {
    check(
        &Tree::new(4).amd_pstate("passive"),
        "info",
        &expect![[r#"
            driver          amd-pstate
            amd-pstate mode passive (amd_pstate/status)
            processor       AMD Ryzen 9 7950X 16-Core Processor
            CPUs            0-3
            boost           on
            preferred cores on

            Capabilities: perf and frequency
              CPUs  highest       nominal       low. nonlinear  lowest
              0-3   196 4.90 GHz  136 3.40 GHz   45 1.13 GHz     17 400 MHz

            Limits of requests
              CPUs  min           max           governor   boost  EPP
              0-3    45 1.13 GHz  196 4.90 GHz  schedutil  on     -

            Ranking: best cores first
              226: 0-1  221: 2-3
        "#]],
    );
}

#[test]
fn active_mode_of_the_module_beside_the_built_in_driver() {
    let tree = Tree::new(4)
        .amd_pstate_rs("active")
        .with(3, "energy_performance_preference", 200)
        .offline(2);
    check(
        &tree,
        "info",
        &expect![[r#"
            driver          amd-pstate-epp
            amd-pstate mode active (amd_pstate_rs/status)
            processor       AMD Ryzen 9 7950X 16-Core Processor
            CPUs            0-1,3, offline 2
            boost           on
            preferred cores on

            Capabilities: perf and frequency
              CPUs   highest       nominal       low. nonlinear  lowest
              0-1,3  196 4.90 GHz  136 3.40 GHz   45 1.13 GHz     17 400 MHz

            Limits of requests
              CPUs  min           max           governor   boost  EPP
              0-1    45 1.13 GHz  196 4.90 GHz  powersave  on     balance_performance
              3      45 1.13 GHz  196 4.90 GHz  powersave  on     200

            Ranking: best cores first
              226: 0-1  221: 3
        "#]],
    );
}

#[test]
fn acpi_cpufreq() {
    check(
        &Tree::new(2).acpi_cpufreq(),
        "info",
        &expect![[r#"
            driver          acpi-cpufreq
            processor       AMD Ryzen 9 7950X 16-Core Processor
            CPUs            0-1
            boost           on

            Capabilities: perf and frequency
              CPUs  highest       nominal       low. nonlinear  lowest
              0-1   196 4.90 GHz  136 3.40 GHz   45 1.13 GHz     17 400 MHz

            Limits of requests
              CPUs  min           max           governor   boost  EPP
              0-1    64 1.60 GHz  136 3.40 GHz  schedutil  on     -
        "#]],
    );
}

#[test]
fn cppc_cpufreq() {
    check(
        &Tree::new(2).cppc_cpufreq(),
        "info",
        &expect![[r#"
            driver          cppc_cpufreq
            processor       AMD Ryzen 9 7950X 16-Core Processor
            CPUs            0-1

            Capabilities: perf and frequency
              CPUs  highest       nominal       low. nonlinear  lowest
              0-1   196 4.90 GHz  136 3.40 GHz   45 1.13 GHz     17 400 MHz

            Limits of requests
              CPUs  min           max           governor   boost  EPP
              0-1    45 1.13 GHz  196 4.90 GHz  schedutil  on     -
        "#]],
    );
}

#[test]
fn no_driver() {
    check(
        &Tree::new(2),
        "info",
        &expect![[r#"
            driver          none (no cpufreq driver is in charge)
            processor       AMD Ryzen 9 7950X 16-Core Processor
            CPUs            0-1
        "#]],
    );
}

#[test]
fn amd_pstate_switched_off() {
    let tree = Tree::new(2).with_bytes("sys/devices/system/cpu/amd_pstate/status", "disable\n");
    check(
        &tree,
        "info",
        &expect![[r#"
            driver          none (amd-pstate is switched off)
            amd-pstate mode disable (amd_pstate/status)
            processor       AMD Ryzen 9 7950X 16-Core Processor
            CPUs            0-1
        "#]],
    );
}

#[test]
fn a_driver_on_one_cpu_only() {
    let tree = Tree::new(2)
        .amd_pstate("guided")
        .without("sys/devices/system/cpu/cpu1/cpufreq");
    check(
        &tree,
        "info",
        &expect![[r#"
            driver          amd-pstate on 0, none on 1
            amd-pstate mode guided (amd_pstate/status)
            processor       AMD Ryzen 9 7950X 16-Core Processor
            CPUs            0-1
            boost           on
            preferred cores on

            Capabilities: perf and frequency
              CPUs  highest       nominal       low. nonlinear  lowest
              0     196 4.90 GHz  136 3.40 GHz   45 1.13 GHz     17 400 MHz
              1     196           136 3.40 GHz   45 1.13 GHz     17 400 MHz

            Limits of requests
              CPUs  min           max           governor   boost  EPP
              0      45 1.13 GHz  196 4.90 GHz  schedutil  on     -
              1     -             -             -          -      -

            Ranking: best cores first
              226: 0
        "#]],
    );
}

#[test]
fn two_hundred_and_fifty_six_cpus_with_ranked_cores_and_odd_limits() {
    let mut tree = Tree::new(256).amd_pstate("active");
    for cpu in (0..256).step_by(3) {
        tree = tree.with(cpu, "scaling_max_freq", 3_000_000);
    }
    for cpu in (0..200).filter(|cpu| cpu * cpu % 7 == 1) {
        tree = tree.with(cpu, "energy_performance_preference", "power");
    }
    check(
        &tree,
        "info",
        &expect![[r#"
            driver          amd-pstate-epp
            amd-pstate mode active (amd_pstate/status)
            processor       AMD Ryzen 9 7950X 16-Core Processor
            CPUs            0-255
            boost           on
            preferred cores on

            Capabilities: perf and frequency
              CPUs   highest       nominal       low. nonlinear  lowest
              0-255  196 4.90 GHz  136 3.40 GHz   45 1.13 GHz     17 400 MHz

            Limits of requests
              CPUs  min           max           governor   boost  EPP
              (1)    45 1.13 GHz  120 3.00 GHz  powersave  on     balance_performance
              (2)    45 1.13 GHz  196 4.90 GHz  powersave  on     power
              (3)    45 1.13 GHz  196 4.90 GHz  powersave  on     balance_performance
              (4)    45 1.13 GHz  120 3.00 GHz  powersave  on     power
              (1) 67 CPUs: 0,3,9,12,18-24:3,30,33,39-45:3,51,54,60-66:3,72,75,81-87:3,93,
                96,102-108:3,114,117,123-129:3,135,138,144-150:3,156,159,165-171:3,177,180,
                186-192:3,198-255:3
              (2) 38 CPUs: 1,8,13,20,22,29,34,41,43,50,55,62,64,71,76,83,85,92,97,104,106,
                113,118,125,127,134,139,146,148,155,160,167,169,176,181,188,190,197
              (3) 132 CPUs: 2,4-5,7,10-11,14,16-17,19,23,25-26,28,31-32,35,37-38,40,44,
                46-47,49,52-53,56,58-59,61,65,67-68,70,73-74,77,79-80,82,86,88-89,91,94-95,
                98,100-101,103,107,109-110,112,115-116,119,121-122,124,128,130-131,133,
                136-137,140,142-143,145,149,151-152,154,157-158,161,163-164,166,170,172-173,
                175,178-179,182,184-185,187,191,193-194,196,199-200,202-203,205-206,208-209,
                211-212,214-215,217-218,220-221,223-224,226-227,229-230,232-233,235-236,
                238-239,241-242,244-245,247-248,250-251,253-254
              (4) 19 CPUs: 6,15,27,36,48,57,69,78,90,99,111,120,132,141,153,162,174,183,
                195

            Ranking: best cores first
              226: 0-1,16-17,32-33,48-49,64-65,80-81,96-97,112-113,128-129,144-145,
                160-161,176-177,192-193,208-209,224-225,240-241
              221: 2-3,18-19,34-35,50-51,66-67,82-83,98-99,114-115,130-131,146-147,
                162-163,178-179,194-195,210-211,226-227,242-243
              216: 4-5,20-21,36-37,52-53,68-69,84-85,100-101,116-117,132-133,148-149,
                164-165,180-181,196-197,212-213,228-229,244-245
              211: 6-7,22-23,38-39,54-55,70-71,86-87,102-103,118-119,134-135,150-151,
                166-167,182-183,198-199,214-215,230-231,246-247
              206: 8-9,24-25,40-41,56-57,72-73,88-89,104-105,120-121,136-137,152-153,
                168-169,184-185,200-201,216-217,232-233,248-249
              201: 10-11,26-27,42-43,58-59,74-75,90-91,106-107,122-123,138-139,154-155,
                170-171,186-187,202-203,218-219,234-235,250-251
              196: 12-13,28-29,44-45,60-61,76-77,92-93,108-109,124-125,140-141,156-157,
                172-173,188-189,204-205,220-221,236-237,252-253
              191: 14-15,30-31,46-47,62-63,78-79,94-95,110-111,126-127,142-143,158-159,
                174-175,190-191,206-207,222-223,238-239,254-255
        "#]],
    );
}

#[test]
fn some_cpus_before_or_after_the_command() {
    let tree = Tree::new(4).amd_pstate("passive");
    let after = pstatectl(&tree, "info -c 1-2").stdout;
    assert_eq!(pstatectl(&tree, "-c 1-2 info").stdout, after);
    assert!(after.contains("CPUs            1-2\n"), "{after}");
    assert_eq!(pstatectl(&tree, "-c 1 info -c 2").code, 2);
}

#[test]
fn colour_is_for_terminals_and_for_those_who_ask() {
    let tree = Tree::new(1).amd_pstate("passive");
    let coloured = |args| pstatectl(&tree, args).stdout.contains('\u{1b}');
    assert!(!coloured("info"), "standard output is no terminal");
    assert!(coloured("info --color always"));
    assert!(!coloured("info --color never"));
}

/// Standard output of the program on a terminal, which `script` of util-linux lends.
fn on_terminal(tree: &Tree, variable: (&str, &str)) -> String {
    let line = format!(
        "{} --root {} info",
        env!("CARGO_BIN_EXE_pstatectl"),
        tree.root().display()
    );
    let mut script = Command::new("script");
    script.args(["--quiet", "--return", "--command", &line, "/dev/null"]);
    // Whatever else speaks of colour, a continuous integration's variable among it.
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"] {
        script.env_remove(variable);
    }
    script
        .env("TERM", "xterm")
        .env(variable.0, variable.1)
        .stdin(Stdio::null());
    let output = script.output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_terminal_gets_colour_unless_no_color_is_set() {
    let tree = Tree::new(1).amd_pstate("passive");
    assert!(on_terminal(&tree, ("NO_COLOR", "")).contains("\u{1b}[1mdriver"));
    let plain = on_terminal(&tree, ("NO_COLOR", "1"));
    assert!(plain.contains("driver"));
    assert!(!plain.contains('\u{1b}'), "{plain}");
    assert!(!on_terminal(&tree, ("TERM", "dumb")).contains('\u{1b}'));
}
