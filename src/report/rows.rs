//! Tables as text: columns aligned for a terminal, or Markdown.

use super::NOT_SEPARATED;

/// Rows with their columns aligned; this many on the left, the others on the right.
pub(crate) fn aligned(rows: &[Vec<String>], left: usize) -> Vec<String> {
    // A mark of the same width keeps the decimal points of a column in line.
    let rows: Vec<Vec<String>> = (rows.iter())
        .map(|row| {
            let pad = |cell: &String| {
                let marked = cell.ends_with(NOT_SEPARATED) || !cell.contains('±');
                if marked { cell.clone() } else { format!("{cell} ") }
            };
            row.iter().map(pad).collect()
        })
        .collect();
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    (rows.iter())
        .map(|row| {
            let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
                if column < left { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
            });
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        })
        .collect()
}

/// Rows as a table in Markdown, whose first row has heads.
pub(crate) fn piped(rows: &[Vec<String>], left: usize) -> String {
    let mut lines = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let cells: Vec<String> = row.iter().map(|cell| escaped(cell)).collect();
        lines.push(format!("| {} |", cells.join(" | ")));
        if at == 0 {
            let rule = |column| if column < left { "---" } else { "---:" };
            let rules: Vec<&str> = (0..row.len()).map(rule).collect();
            lines.push(format!("| {} |", rules.join(" | ")));
        }
    }
    lines.join("\n")
}

/// Text that Markdown takes as it is.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if matches!(c, '|' | '*' | '_' | '`' | '<' | '\\' | '~') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Text broken into lines of at most so many characters, if its words allow.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is a line");
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_under_each_other() {
        let rows = [["a", "+1.0 ± 0.1"], ["word", "-12.0 ± 0.1~"]];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(aligned(&rows, 1), ["a      +1.0 ± 0.1", "word  -12.0 ± 0.1~"]);
        assert_eq!(piped(&rows, 1).lines().nth(1), Some("| --- | ---: |"));
    }

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
        assert_eq!(wrapped("extraordinary", 5), ["extraordinary"]);
    }
}
