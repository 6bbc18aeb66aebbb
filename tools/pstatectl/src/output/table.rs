// SPDX-License-Identifier: GPL-2.0
//! Tables and lists that fit a terminal of 80 columns.

use comfy_table::{presets, ContentArrangement, Table};

/// Width that everything fits, in columns.
const WIDTH: usize = 80;
const INDENT: &str = "  ";

/// A table without lines, indented, with a newline at the end; a long list of CPUs breaks after a comma.
pub fn table(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::try_from(WIDTH - INDENT.len()).unwrap_or(u16::MAX));
    table.set_header(header);
    table.add_rows(rows);
    if let Some(cpus) = table.column_mut(0) {
        cpus.set_delimiter(',');
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    let line = |line: String| format!("{INDENT}{}\n", line.trim_end());
    table.lines().map(line).collect::<Vec<_>>().concat()
}

/// Entries side by side, as many to a line as fit.
pub fn wrapped(entries: impl IntoIterator<Item = String>) -> String {
    let mut text = String::new();
    let mut line = String::new();
    for entry in entries {
        if !line.is_empty() && line.len() + INDENT.len() + entry.len() > WIDTH {
            text.push_str(&line);
            text.push('\n');
            line.clear();
        }
        line.push_str(INDENT);
        line.push_str(&entry);
    }
    text.push_str(&line);
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_of_cpus_breaks_inside_its_column() {
        let cpus: Vec<String> = (0..60).map(|cpu| (3 * cpu * cpu).to_string()).collect();
        let text = table(
            &["CPUs", "min", "max"],
            [vec![
                cpus.join(","),
                "17 400 MHz".into(),
                "196 4.90 GHz".into(),
            ]],
        );
        assert!(
            text.lines().all(|line| line.chars().count() <= WIDTH),
            "{text}"
        );
        assert!(text.contains("196 4.90 GHz"), "{text}");
    }

    #[test]
    fn entries_are_broken_between_and_never_inside() {
        let text = wrapped((0..40).map(|rank| format!("{rank}: {}-{}", 2 * rank, 2 * rank + 1)));
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        assert_eq!(text.matches(": ").count(), 40);
    }
}
