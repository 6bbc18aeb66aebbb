// SPDX-License-Identifier: GPL-2.0
//! Tables and lists that fit a terminal of 80 columns.

use comfy_table::{presets, ContentArrangement, Table};

/// Width that everything fits, in columns.
const WIDTH: usize = 80;
const INDENT: &str = "  ";

/// A table without lines, indented, with a newline at the end.
pub fn table(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::try_from(WIDTH - INDENT.len()).unwrap_or(u16::MAX));
    table.set_header(header);
    table.add_rows(rows);
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    if let Some(last) = table.column_mut(header.len().saturating_sub(1)) {
        last.set_padding((0, 0));
    }
    let line = |line: String| format!("{INDENT}{}\n", line.trim_end());
    table.lines().map(line).collect::<Vec<_>>().concat()
}

/// Entries side by side, as many to a line as fit; one that fits no line breaks after its commas.
pub fn wrapped(entries: impl IntoIterator<Item = String>) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut takes_more = false;
    for entry in entries {
        let pieces = pieces(&entry);
        let short = pieces.len() == 1;
        match lines.last_mut() {
            Some(line)
                if takes_more && short && line.len() + INDENT.len() + entry.len() <= WIDTH =>
            {
                line.push_str(INDENT);
                line.push_str(&entry);
            }
            _ => lines.extend(pieces.iter().enumerate().map(|(number, piece)| {
                let indent = INDENT.repeat(if number == 0 { 1 } else { 2 });
                format!("{indent}{piece}")
            })),
        }
        takes_more = short;
    }
    lines
        .iter()
        .fold(String::new(), |text, line| text + line + "\n")
}

/// Cuts a long entry after commas into pieces that fit a line.
fn pieces(entry: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for part in entry.split_inclusive(',') {
        match pieces.last_mut() {
            Some(piece)
                if piece.is_empty() || piece.len() + part.len() + 2 * INDENT.len() <= WIDTH =>
            {
                piece.push_str(part);
            }
            _ => pieces.push(part.to_owned()),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_lines_up_its_columns() {
        let rows = [
            vec!["0-3".into(), "17".into()],
            vec!["4".into(), "196".into()],
        ];
        assert_eq!(
            table(&["CPUs", "min"], rows),
            "  CPUs  min\n  0-3   17\n  4     196\n"
        );
    }

    #[test]
    fn a_long_list_of_cpus_breaks_after_its_commas() {
        let cpus: Vec<String> = (0..60).map(|cpu| (3 * cpu * cpu).to_string()).collect();
        let text = wrapped([
            "1: 0".into(),
            format!("2: {}", cpus.join(",")),
            "3: 9".into(),
        ]);
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        assert_eq!(
            text.replace([' ', '\n'], ""),
            format!("1:02:{}3:9", cpus.join(","))
        );
        assert!(text.ends_with("\n  3: 9\n"), "{text}");
    }

    #[test]
    fn entries_are_broken_between_and_never_inside() {
        let text = wrapped((0..40).map(|rank| format!("{rank}: {}-{}", 2 * rank, 2 * rank + 1)));
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        assert_eq!(text.matches(": ").count(), 40);
    }
}
