// SPDX-License-Identifier: GPL-2.0
//! Colours; the stream they are written to takes them out where they are not wanted.

use anstyle::{AnsiColor, Style};

const HEADING: Style = Style::new().bold();
const ERROR: Style = AnsiColor::Red.on_default().bold();

/// A heading.
pub fn heading(text: &str) -> String {
    format!("{HEADING}{text}{HEADING:#}")
}

/// A line for standard error.
pub fn error(text: &str) -> String {
    format!("{ERROR}pstatectl:{ERROR:#} {text}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_end_where_the_text_ends() {
        assert!(heading("CPUs").ends_with("\u{1b}[0m"));
        assert!(error("no").ends_with(" no"));
    }
}
