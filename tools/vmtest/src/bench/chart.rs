// SPDX-License-Identifier: GPL-2.0
//! The figures as a chart.

use std::fmt::Write;

use super::figure::Figure;
use super::report::Report;
use super::subject::Setting;

/// Pixels, all of them.
const WIDTH: f64 = 760.0;
const LEFT: f64 = 190.0;
const RIGHT: f64 = 60.0;
const TOP: f64 = 64.0;
const BAR: f64 = 13.0;
const GAP: f64 = 14.0;

/// Legible on white and on black.
const STYLE: &str = "\
text { font: 12px sans-serif; fill: #808080 }
.title { font-size: 14px; font-weight: bold }
.name { text-anchor: end }
.c { fill: #9aa5b1 } .module { fill: #d9822b } .floor { stroke: #c0392b; stroke-width: 2 }
";

/// Bars of the patterns that never sleep, with boost on and tracing off: the C driver's above the
/// module's, and in both a line up to which the instructions are the cpufreq core's.
#[must_use]
pub fn svg(report: &Report) -> String {
    let usual = report.groups.iter();
    let figures: Vec<&Figure> = usual
        .filter(|group| group.setting == Setting::USUAL)
        .flat_map(|group| &group.figures)
        .filter(|figure| !figure.pattern.sleeps())
        .collect();
    let highest = figures
        .iter()
        .map(|figure| figure.c.instructions.max(figure.module.instructions))
        .fold(1.0, f64::max);
    let scale = (WIDTH - LEFT - RIGHT) / highest;
    let step = 2.0 * BAR + GAP;
    let mut y = TOP;
    let mut bars = String::new();
    for figure in figures {
        bars += &pair(figure, y, scale);
        y += step;
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {y}\" \
         width=\"{WIDTH}\" height=\"{y}\">\n<style>\n{STYLE}</style>\n{}{bars}</svg>\n",
        head()
    )
}

/// Title and legend.
fn head() -> String {
    let (c, module, floor) = (LEFT, LEFT + 110.0, LEFT + 220.0);
    format!(
        "<text class=\"title\" x=\"{LEFT}\" y=\"20\">Instructions for each call, boost on, tracing off</text>\n\
         <rect class=\"c\" x=\"{c}\" y=\"34\" width=\"{BAR}\" height=\"{BAR}\"/>\
         <text x=\"{}\" y=\"45\">C driver</text>\n\
         <rect class=\"module\" x=\"{module}\" y=\"34\" width=\"{BAR}\" height=\"{BAR}\"/>\
         <text x=\"{}\" y=\"45\">this module</text>\n\
         <line class=\"floor\" x1=\"{floor}\" x2=\"{floor}\" y1=\"34\" y2=\"47\"/>\
         <text x=\"{}\" y=\"45\">up to here the cpufreq core</text>\n",
        c + 20.0,
        module + 20.0,
        floor + 10.0,
    )
}

/// The two bars of a pattern, whose upper edge is at `y`.
fn pair(figure: &Figure, y: f64, scale: f64) -> String {
    let mut text = String::new();
    let below = y + BAR;
    // Writing to a string does not fail.
    let _ = writeln!(
        text,
        "<text class=\"name\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
        LEFT - 8.0,
        below + 4.0,
        figure.pattern
    );
    for (class, y, cost) in [("c", y, figure.c), ("module", below, figure.module)] {
        let width = cost.instructions * scale;
        let _ = writeln!(
            text,
            "<rect class=\"{class}\" x=\"{LEFT}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{BAR}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\">{:.0}</text>",
            LEFT + width + 5.0,
            y + BAR - 2.0,
            cost.instructions
        );
    }
    let floor = LEFT + figure.floor * scale;
    let _ = writeln!(
        text,
        "<line class=\"floor\" x1=\"{floor:.1}\" x2=\"{floor:.1}\" y1=\"{y:.1}\" y2=\"{:.1}\"/>",
        y + 2.0 * BAR
    );
    text
}

#[cfg(test)]
mod tests {
    use super::super::table::tests::report;
    use super::*;

    #[test]
    fn each_pattern_that_never_sleeps_has_a_bar_for_each_driver() {
        let svg = svg(&report());
        assert_eq!(svg.matches("<rect class=\"c\"").count(), 8 + 1);
        assert_eq!(svg.matches("<rect class=\"module\"").count(), 8 + 1);
        assert!(!svg.contains("target"), "{svg}");
    }

    #[test]
    fn the_longest_bar_fits_and_the_others_keep_the_proportion() {
        let svg = svg(&report());
        let width = |class: &str| -> f64 {
            let (_, rest) = svg
                .rsplit_once(&format!("<rect class=\"{class}\""))
                .unwrap();
            let (_, rest) = rest.split_once("width=\"").unwrap();
            rest.split_once('"').unwrap().0.parse().unwrap()
        };
        assert!(LEFT + width("c") <= WIDTH - RIGHT + 0.1);
        assert!((width("module") / width("c") - 0.59).abs() < 0.01);
    }
}
