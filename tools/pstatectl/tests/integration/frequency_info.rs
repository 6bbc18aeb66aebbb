// SPDX-License-Identifier: GPL-2.0
//! The layouts of `frequency-info`, also where there is no cpupower to compare with.

use expect_test::{expect, Expect};

use crate::program::pstatectl;
use crate::tree::Tree;

fn check(tree: Tree, args: &str, expected: &Expect) {
    let run = pstatectl(&tree, args);
    expected.assert_eq(&run.stdout);
}

#[test]
fn passive_mode() {
    check(
        Tree::new(2).amd_pstate("passive").flags("aperfmperf"),
        "frequency-info",
        &expect![[r#"
        analyzing CPU 0:
          driver: amd-pstate
          CPUs which run at the same hardware frequency: 0
          CPUs which need to have their frequency coordinated by software: 0
          maximum transition latency: 20.0 us
          hardware limits: 400 MHz - 4.90 GHz
          available cpufreq governors: conservative ondemand userspace powersave performance schedutil
          current policy: frequency should be within 1.13 GHz and 4.90 GHz.
                          The governor "schedutil" may decide which speed to use
                          within this range.
          current CPU frequency: Unable to call hardware
          current CPU frequency: 1.90 GHz (asserted by call to kernel)
          boost state support:
            Supported: yes
            Active: yes
          amd-pstate limits:
            Highest Performance: 196. Maximum Frequency: 4.90 GHz.
            Nominal Performance: 136. Nominal Frequency: 3.40 GHz.
            Lowest Non-linear Performance: 45. Lowest Non-linear Frequency: 1.13 GHz.
            Lowest Performance: 17. Lowest Frequency: 400 MHz.
            Preferred Core Support: 1. Preferred Core Ranking: 226.
    "#]],
    );
}

#[test]
fn active_mode() {
    check(
        Tree::new(2).amd_pstate("active").flags(""),
        "-c 1 frequency-info",
        &expect![[r#"
        analyzing CPU 1:
          driver: amd-pstate-epp
          CPUs which run at the same hardware frequency: 1
          CPUs which need to have their frequency coordinated by software: 1
          energy performance preference: balance_performance
          hardware limits: 400 MHz - 4.90 GHz
          available cpufreq governors: performance powersave
          current policy: frequency should be within 1.13 GHz and 4.90 GHz.
                          The governor "powersave" may decide which speed to use
                          within this range.
          current CPU frequency: 1.90 GHz (asserted by call to kernel)
          boost state support:
            Supported: yes
            Active: yes
          amd-pstate limits:
            Highest Performance: 196. Maximum Frequency: 4.90 GHz.
            Nominal Performance: 136. Nominal Frequency: 3.40 GHz.
            Lowest Non-linear Performance: 45. Lowest Non-linear Frequency: 1.13 GHz.
            Lowest Performance: 17. Lowest Frequency: 400 MHz.
            Preferred Core Support: 1. Preferred Core Ranking: 226.
    "#]],
    );
}

#[test]
fn acpi_cpufreq_with_the_registers_of_the_processor() {
    // HWCR with CpbDis clear; the limit that says there is one P-state (in a file, unlike in the device, the addresses
    // of more would overlap); that state.
    let tree = Tree::new(1)
        .acpi_cpufreq()
        .flags("cpb hw_pstate")
        .register(0xc001_0015, 0)
        .register(0xc001_0061, 0)
        .register(0xc001_0064, (1 << 63) | 0x0888);
    check(
        tree,
        "frequency-info",
        &expect![[r#"
            analyzing CPU 0:
              driver: acpi-cpufreq
              CPUs which run at the same hardware frequency: 0
              CPUs which need to have their frequency coordinated by software: 0
              maximum transition latency:  Cannot determine or is not supported.
              hardware limits: 1.60 GHz - 4.90 GHz
              available frequency steps:  3.40 GHz, 2.20 GHz, 1.60 GHz
              available cpufreq governors: conservative ondemand userspace powersave performance schedutil
              current policy: frequency should be within 1.60 GHz and 3.40 GHz.
                              The governor "schedutil" may decide which speed to use
                              within this range.
              current CPU frequency: 2.20 GHz (asserted by call to hardware)
              current CPU frequency: 1.90 GHz (asserted by call to kernel)
              boost state support:
                Supported: yes
                Active: yes
                Boost States: 0
                Total States: 1
                Pstate-P0:  3400MHz
              CPPC limits:
                Highest Performance: 196. Maximum Frequency: 4.91 GHz.
                Nominal Performance: 136. Nominal Frequency: 3.40 GHz.
                Lowest Non-linear Performance: 45. Lowest Non-linear Frequency: 1.11 GHz.
                Lowest Performance: 17. Lowest Frequency: 400 MHz.
        "#]],
    );
}

#[test]
fn boost_from_the_switch_where_the_registers_cannot_be_read() {
    let tree = Tree::new(1).acpi_cpufreq().flags("cpb hw_pstate");
    check(
        tree,
        "frequency-info -b",
        &expect![[r#"
        analyzing CPU 0:
          boost state support:
            Supported: yes
            Active: yes
    "#]],
    );
}

#[test]
fn no_driver() {
    check(
        Tree::new(1).flags(""),
        "frequency-info",
        &expect![[r#"
        analyzing CPU 0:
          no or unknown cpufreq driver is active on this CPU
          CPUs which run at the same hardware frequency: Not Available
          CPUs which need to have their frequency coordinated by software: Not Available
          maximum transition latency:  Cannot determine or is not supported.
        Not Available
          available cpufreq governors: Not Available
          Unable to determine current policy
          current CPU frequency:  Unable to call to kernel
          boost state support:
            Supported: no
            Active: no
    "#]],
    );
}

#[test]
fn an_offline_cpu_among_all() {
    check(
        Tree::new(2).amd_pstate("passive").offline(1),
        "-c all frequency-info -d",
        &expect![[r#"
        analyzing CPU 0:
          driver: amd-pstate
        analyzing CPU 1:
         *is offline

    "#]],
    );
}

#[test]
fn the_table_of_all_cpus() {
    let tree = Tree::new(3)
        .amd_pstate("guided")
        .offline(1)
        .without("sys/devices/system/cpu/cpufreq/policy2/cpuinfo_min_freq");
    check(
        tree,
        "frequency-info -o",
        &expect![[r#"
                  minimum CPU frequency  -  maximum CPU frequency  -  governor
        CPU  0      1125000 kHz ( 22 %)  -    4900000 kHz (100 %)  -  schedutil
        CPU  2      1125000 kHz (  - %)  -    4900000 kHz (  - %)  -  schedutil
    "#]],
    );
}

#[test]
fn an_intel_processor_with_turbo_off() {
    let cpuinfo = "processor\t: 0\nvendor_id\t: GenuineIntel\nflags\t\t: ida\n";
    let tree = Tree::new(1)
        .acpi_cpufreq()
        .with_bytes("proc/cpuinfo", cpuinfo)
        .with_bytes("sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
    check(
        tree,
        "frequency-info -b",
        &expect![[r#"
        analyzing CPU 0:
          boost state support:
            Supported: yes
            Active: no
    "#]],
    );
}

#[test]
fn a_processor_of_which_only_the_switch_is_known() {
    let tree = Tree::new(1)
        .cppc_cpufreq()
        .with_bytes("proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\n")
        .with_bytes("sys/devices/system/cpu/cpufreq/boost", "1\n")
        .with(0, "scaling_boost_frequencies", "3600000 3500000 ");
    check(
        tree,
        "frequency-info -b",
        &expect![[r#"
        analyzing CPU 0:
          boost state support:
            Active: yes
          boost frequency steps: 3.60 GHz, 3.50 GHz
    "#]],
    );
}

#[test]
fn the_default_cpu_is_cpu_0() {
    let tree = Tree::new(4)
        .amd_pstate("passive")
        .with(0, "scaling_cur_freq", 123_456_789);
    assert_eq!(
        pstatectl(&tree, "frequency-info -f").stdout,
        pstatectl(&tree, "-c 0 frequency-info -f").stdout
    );
}

#[test]
fn nothing_is_coloured() {
    let run = pstatectl(
        &Tree::new(1).amd_pstate("passive"),
        "--color always frequency-info",
    );
    assert!(!run.stdout.contains('\u{1b}'));
}
