//! The log of a deal: what happened, in sentences.

use newmarket_env::{Card, CardSet, Event, Name};

use super::super::pen::{Pen, chips_text};
use super::super::sequence::End;
use super::felt::Felt;

/// Lines, the latest last.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    lines: Vec<String>,
    /// The last line about what happened at the table.
    latest: usize,
    /// Who played the last card of the sequence that is being told.
    run: Option<usize>,
}

impl Log {
    pub(super) fn lines(&self) -> &[String] {
        &self.lines
    }

    /// What happened last, in at most so many lines.
    pub(super) fn latest(&self, most: usize) -> &[String] {
        let end = self.lines.len().min(self.latest + 1);
        &self.lines[end.saturating_sub(most)..end]
    }

    /// A line about something that did not happen at the table.
    pub(super) fn note(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    /// A line about something that happened.
    pub(super) fn add(&mut self, line: impl Into<String>) {
        self.run = None;
        self.latest = self.lines.len();
        self.lines.push(line.into());
    }

    /// A line before all others.
    pub(super) fn insert_first(&mut self, line: String) {
        self.lines.insert(0, line);
    }

    /// Keeps so many lines.
    pub(super) fn truncate(&mut self, lines: usize) {
        (self.run, self.latest) = (None, lines.saturating_sub(1));
        self.lines.truncate(lines);
    }

    /// Tells an event; the felt is as it is after it.
    pub(super) fn tell(&mut self, pen: &Pen, felt: &Felt, event: &Event) {
        match event {
            Event::Lead { seat, card } => {
                self.add(format!("{} {}", pen.does(*seat, "lead", "leads"), name(pen, *card)));
                self.run = Some(*seat);
            }
            Event::Play { seat, card } => {
                let card = name(pen, *card);
                let who = match self.run {
                    Some(last) if last == *seat => String::new(),
                    _ => format!("· {} ", pen.name(*seat)),
                };
                self.go_on(&format!(" {who}{card}"));
                self.run = Some(*seat);
            }
            Event::Claim { cell, chips, .. } => {
                // The card of the cell has just been named; a set of cards has not.
                let of = if is_card(pen, cell) { String::new() } else { format!(" for {cell}") };
                self.go_on(&format!(" +{chips}{of}"));
            }
            Event::Stop { .. } | Event::Out { .. } => {
                let end = felt.end.unwrap_or(End::Top);
                self.go_on(&format!(" — {}", end.words(pen)));
            }
            Event::PassLead { seat } => {
                let passes =
                    pen.does(*seat, "cannot lead and pass the lead", "cannot lead and passes");
                self.add(format!("{passes}."));
            }
            Event::NoWinner {} => self.add("Nobody can lead: the deal has no winner."),
            event => {
                if let Some(line) = sentence(pen, felt, event) {
                    self.add(line);
                }
            }
        }
    }

    fn go_on(&mut self, text: &str) {
        if let Some(line) = self.lines.get_mut(self.latest) {
            line.push_str(text);
        }
    }
}

fn name(pen: &Pen, name: Name) -> String {
    pen.card(name.card(pen.aces()))
}

fn is_card(pen: &Pen, cell: &str) -> bool {
    Card::parse(cell, pen.aces()).is_some()
}

/// A cell by its name in events.
fn pile(pen: &Pen, cell: &str) -> String {
    let found = pen.game.rules().cells.iter().find(|it| it.name == cell);
    found.map_or_else(|| format!("the {cell}"), |cell| pen.cell(cell))
}

/// What does not belong to a sequence.
fn sentence(pen: &Pen, felt: &Felt, event: &Event) -> Option<String> {
    let set = |names: &[Name]| -> CardSet { names.iter().map(|it| it.card(pen.aces())).collect() };
    let text = match event {
        Event::Rebuy { seat, chips } => format!("{} {chips} chips", pen.does(*seat, "buy", "buys")),
        Event::Ante { seat, kitty, layout } => {
            let cells = pen.game.rules().cells.iter().zip(layout).filter(|(_, chips)| **chips > 0);
            let mut piles: Vec<String> =
                cells.map(|(cell, chips)| format!("{chips} on {}", pen.cell(cell))).collect();
            if layout.windows(2).all(|two| two[0] == two[1]) {
                piles = vec![format!("{} on each cell", layout[0])];
            }
            piles.extend((*kitty > 0).then(|| format!("{kitty} into the kitty")));
            format!("{} {}", pen.does(*seat, "put", "puts"), piles.join(", "))
        }
        Event::Spill { from, to, chips } => {
            format!("{chips} above the cap: from {} to {}", pile(pen, from), pile(pen, to))
        }
        Event::Deal { .. } => "The cards are dealt".into(),
        Event::Keep { seat } => pen.does(*seat, "keep your hand", "keeps the hand as dealt"),
        Event::Exchange { seat, paid, .. } => {
            let takes = pen.does(*seat, "take the dead hand", "takes the dead hand");
            if *paid > 0 { format!("{takes} for {paid}") } else { takes }
        }
        Event::Auction { seat } => {
            pen.does(*seat, "auction the dead hand", "auctions the dead hand")
        }
        Event::Bid { seat, chips } => format!("{} {chips}", pen.does(*seat, "bid", "bids")),
        Event::Pass { seat } => pen.does(*seat, "pass", "passes"),
        Event::Collect { seat, cell, chips } => {
            let collects = pen.does(*seat, "collect", "collects");
            format!("{collects} {chips} from {}", pile(pen, cell))
        }
        Event::SetApart { seat, cards } if cards.is_empty() => {
            pen.does(*seat, "set five apart", "sets five cards apart")
        }
        Event::SetApart { seat, cards } => {
            format!("{} {}", pen.does(*seat, "set apart", "sets apart"), pen.five(set(cards)))
        }
        Event::Check { seat, .. } => pen.does(*seat, "check", "checks"),
        Event::Bet { seat, chips } => format!("{} {chips}", pen.does(*seat, "bet", "bets")),
        Event::Call { seat, chips } => format!("{} {chips}", pen.does(*seat, "call", "calls")),
        Event::Raise { seat, .. } => {
            format!("{} to {}", pen.does(*seat, "raise", "raises"), felt.put[*seat])
        }
        Event::Fold { seat, .. } => pen.does(*seat, "fold", "folds"),
        Event::Showdown { shown, paid, .. } => {
            let shown = shown.iter().flat_map(newmarket_env::BySeat::entries);
            let seats = shown.filter_map(|(seat, cards)| Some((seat.parse().ok()?, set(cards))));
            let mut parts: Vec<String> = seats
                .map(|(seat, five)| {
                    format!("{} {}", pen.does(seat, "show", "shows"), pen.five(five))
                })
                .collect();
            let won = paid.iter().enumerate().filter(|(_, chips)| **chips > 0);
            parts.extend(won.map(|(seat, chips)| {
                format!("{} {chips} from the pot", pen.does(seat, "take", "takes"))
            }));
            parts.join("; ")
        }
        Event::Settle { winner, kitty, paid, .. } => {
            let mut takes = Vec::new();
            takes.extend((*kitty > 0).then(|| format!("the kitty of {kitty}")));
            let cards: i32 = paid.iter().sum();
            takes.extend((cards > 0).then(|| format!("{cards} for cards left")));
            if takes.is_empty() {
                return None;
            }
            format!("{} {}", pen.does(*winner, "take", "takes"), takes.join(" and "))
        }
        Event::Leftover { from, seat, chips } => {
            format!("{} gets {} ({chips})", pen.name(*seat), pile(pen, from))
        }
        _ => return None,
    };
    Some(format!("{text}."))
}

/// What a deal has brought a seat.
pub(super) fn gain(felt: &Felt, seat: usize) -> String {
    let gain = felt.stacks[seat] - felt.start.stacks[seat];
    chips_text(true, gain)
}
