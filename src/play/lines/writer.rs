//! Lines on a terminal: broken where it is too narrow, and coloured where it has colours.

use std::io::{self, IsTerminal, Write};

use crossterm::style::Stylize;
use newmarket_env::Suit;
use newmarket_env::text::plain;

use crate::failure::cannot_write;

/// Columns of a line at most, however wide the terminal is.
const WIDTH: usize = 78;

/// A space at which no line is broken.
pub(super) const TIE: char = '\u{a0}';

/// Writes whole lines and prompts.
pub(super) struct LineWriter<W> {
    out: W,
    pub(super) columns: usize,
    /// Whether to use escape codes. Text carries its meaning without them.
    colour: bool,
}

impl LineWriter<io::StdoutLock<'static>> {
    /// Writes to standard output, as wide as the terminal is or as `COLUMNS` says.
    pub(super) fn stdout() -> Self {
        let variable = || std::env::var("COLUMNS").ok()?.parse().ok();
        let terminal = crossterm::terminal::size().ok().map(|(columns, _)| usize::from(columns));
        let columns = terminal.or_else(variable).filter(|&columns| columns > 0);
        let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let out = io::stdout();
        Self {
            colour: out.is_terminal() && !no_colour && !dumb,
            columns: columns.unwrap_or(WIDTH).clamp(20, WIDTH),
            out: out.lock(),
        }
    }
}

impl<W: Write> LineWriter<W> {
    /// Writes without colour in lines of the full width.
    #[cfg(test)]
    pub(super) fn new(out: W) -> Self {
        Self { out, columns: WIDTH, colour: false }
    }

    /// Writes a line, or several if it is too long.
    pub(super) fn line(&mut self, text: &str) -> io::Result<()> {
        for line in wrapped(&plain(text), self.columns) {
            self.write(&line, "\n")?;
        }
        self.out.flush().map_err(on_stdout)
    }

    /// Writes a question, after which an answer is typed.
    pub(super) fn prompt(&mut self, text: &str) -> io::Result<()> {
        let lines = wrapped(&plain(text), self.columns);
        for (nth, line) in lines.iter().enumerate() {
            self.write(line, if nth + 1 < lines.len() { "\n" } else { " " })?;
        }
        self.out.flush().map_err(on_stdout)
    }

    /// A title with a rule across.
    pub(super) fn rule(&mut self, title: &str) -> io::Result<()> {
        let dashes = "─".repeat(self.columns.saturating_sub(title.chars().count() + 4));
        self.line("")?;
        self.line(&format!("── {title} {dashes}"))
    }

    fn write(&mut self, line: &str, end: &str) -> io::Result<()> {
        let line = line.replace(TIE, " ");
        let line = if self.colour { coloured(&line) } else { line };
        write!(self.out, "{line}{end}").map_err(on_stdout)
    }
}

fn on_stdout(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), cannot_write("standard output", error).to_string())
}

/// A line in lines of this many columns. The further ones are indented by two more.
fn wrapped(line: &str, columns: usize) -> Vec<String> {
    let line = line.trim_end();
    if line.chars().count() <= columns {
        return vec![line.into()];
    }
    let indent = line.len() - line.trim_start_matches(' ').len();
    let mut lines = vec![" ".repeat(indent)];
    let mut gap = 0;
    for word in line[indent..].split(' ') {
        if word.is_empty() {
            gap += 1;
            continue;
        }
        let last = lines.last_mut().expect("there is a line");
        if !last.trim().is_empty() && last.chars().count() + gap + word.chars().count() > columns {
            lines.push(" ".repeat((indent + 2).min(columns / 2)) + word);
        } else {
            last.push_str(&" ".repeat(gap));
            last.push_str(word);
        }
        gap = 1;
    }
    lines
}

/// A line with red suits in red, chips won in green, and what matters most in bold. The darker eight colours are legible on
/// every background that a theme has; of the others, some themes make greys.
fn coloured(line: &str) -> String {
    if let Some(title) = line.strip_prefix("── ") {
        let title = title.trim_end_matches('─');
        let dashes = &line["── ".len() + title.len()..];
        return format!("{} {}{}", "──".dim(), title.bold(), dashes.dim());
    }
    // Whether the words are ranks of a hand in a red suit.
    let mut red = false;
    let words = line.split(' ').map(|word| {
        let suit = Suit::ALL.into_iter().find(|suit| word.contains(suit.symbol()));
        let number =
            |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
        let rank = word.trim_end_matches('*');
        red = match suit {
            Some(suit) => suit.is_red() && word.chars().count() == 1,
            None => red && (number(rank) || matches!(rank, "A" | "J" | "Q" | "K")),
        };
        match suit {
            Some(suit) if suit.is_red() => word.dark_red().to_string(),
            None if red => word.dark_red().to_string(),
            None if word == "You" => word.bold().to_string(),
            None if word.strip_prefix('+').is_some_and(number) => {
                word.dark_green().bold().to_string()
            }
            _ => word.to_owned(),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_broken_at_spaces_and_only_if_it_is_too_long() {
        for line in ["", "  ♣ 3 7   ♦ 9", "lead?"] {
            assert_eq!(wrapped(line, 20), [line]);
        }
        assert_eq!(wrapped("  ♣ 3 7   ♦ 9 10 K   ♠ A", 16), ["  ♣ 3 7   ♦ 9 10", "    K   ♠ A"]);
        assert_eq!(wrapped("unbreakable-word which?", 12), ["unbreakable-word", "  which?"]);
        assert_eq!(wrapped("[1]\u{a0}3♣   [2]\u{a0}4♦", 12), ["[1]\u{a0}3♣", "  [2]\u{a0}4♦"]);
    }

    #[test]
    fn colour_changes_no_letter() {
        for line in ["  hand    ♣ A J   ♥ 3 K*   ♠ 8", "You lead 3♥ · Ann 4♥ +4", "── Deal 1 ───"]
        {
            let text = coloured(line);
            assert!(text.contains('\u{1b}'), "{text}");
            let mut letters = String::new();
            for (nth, part) in text.split('\u{1b}').enumerate() {
                letters += if nth == 0 { part } else { part.split_once('m').unwrap().1 };
            }
            assert_eq!(letters, line);
        }
        let hand = coloured("♥ 3 K*   ♠ 8");
        assert!(hand.contains(&"K*".dark_red().to_string()) && hand.ends_with("♠ 8"), "{hand}");
    }
}
