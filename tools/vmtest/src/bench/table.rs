// SPDX-License-Identifier: GPL-2.0
//! The figures as tables.

use comfy_table::{presets, CellAlignment, Table};

use super::figure::Figure;
use super::gap::Gaps;
use super::report::Report;

const HEADER: [&str; 8] = [
    "", "floor", "C", "module", "ratio", "own", "writes C", "module",
];

/// What the columns mean, below the tables.
const LEGEND: &str = "\
Instructions for each call. floor: a driver that does nothing, so the cpufreq core alone; ratio:
module / C; own: the same with the floor taken off both. writes: registers of the platform written
for each call. Counts are exact and repeat, but those of target, which runs with interrupts on, and
those with tracing on, which depend on how full the trace buffer is (by less than 0.1 %).
";

/// All figures, a table for each setting.
#[must_use]
pub fn tables(report: &Report) -> String {
    let mut text = format!(
        "Linux {}, {}, in a virtual machine\nempty loop: {:.1} instructions a call, in no figure\n",
        report.kernel, report.platform, report.empty_loop
    );
    for group in &report.groups {
        text += &format!("\n{}\n{}", group.setting.describe(), table(&group.figures));
    }
    let Gaps { c, module } = report.without_driver_ms;
    text += "\n";
    text += LEGEND;
    text += &format!(
        "\nFrom the last moment of one driver to the first of the next, passive to active and back, the\n\
         shortest of 10 in the guest's time: C driver {c:.1} ms, module {module:.1} ms\n"
    );
    text
}

fn table(figures: &[Figure]) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_header(HEADER);
    table.add_rows(figures.iter().map(row));
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let line = |line: String| line.trim_end().to_owned() + "\n";
    table.lines().map(line).collect()
}

fn row(figure: &Figure) -> Vec<String> {
    let own = figure.own_ratio;
    vec![
        figure.pattern.to_string(),
        format!("{:.1}", figure.floor),
        format!("{:.1}", figure.c.instructions),
        format!("{:.1}", figure.module.instructions),
        format!("{:.2}", figure.ratio),
        own.map_or_else(|| "-".to_owned(), |own| format!("{own:.2}")),
        format!("{:.2}", figure.c.writes),
        format!("{:.2}", figure.module.writes),
    ]
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::count::tests::counts;
    use super::super::report::Group;
    use super::super::subject::Setting;
    use super::*;

    pub fn report() -> Report {
        let loop_and = |calls: u64| move |number| if number == 0 { 10_000 } else { calls };
        let nothing = counts(loop_and(46_000), 0);
        let c = counts(loop_and(210_000), 1000);
        let module = counts(loop_and(128_000), 500);
        Report {
            kernel: "7.3".into(),
            platform: "Zen".into(),
            empty_loop: 10.0,
            without_driver_ms: Gaps {
                c: 9.0,
                module: 8.0,
            },
            groups: vec![Group {
                setting: Setting::USUAL,
                figures: Figure::all(&nothing, &c, &module),
            }],
        }
    }

    #[test]
    fn a_line_has_what_a_pattern_costs_with_each_driver() {
        let text = tables(&report());
        let line = text
            .lines()
            .find(|line| line.contains("adjust_perf changing"));
        let words: Vec<&str> = line.unwrap().split_whitespace().collect();
        assert_eq!(
            words,
            [
                "adjust_perf",
                "changing",
                "36.0",
                "200.0",
                "118.0",
                "0.59",
                "0.50",
                "1.00",
                "0.50"
            ]
        );
        assert!(text.contains("boost on, tracing off"), "{text}");
        assert!(!text.contains("empty loop  "), "{text}");
    }

    #[test]
    fn it_fits_a_terminal() {
        let text = tables(&report());
        assert!(
            text.lines().all(|line| line.chars().count() <= 100),
            "{text}"
        );
    }
}
