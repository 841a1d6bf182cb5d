//! How the table looks: its layout, its seats, hands. All of it comes from a [`View`].

use newmarket_env::rules::{Cell, Stage};
use newmarket_env::{Aces, Card, CardSet, Game, Phase, Session, View};

use super::fold::{self, columns};
use super::paint::{Paint, left, right, width};

const NAMES: [&str; 8] = ["Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal"];

/// Columns of a label at the beginning of a line, the indent included.
const LABEL: usize = 10;

/// Columns of a seat in a table.
const SEAT: usize = 7;

/// Writes about one table, for one reader.
pub(super) struct Pen<'g> {
    pub(super) game: &'g Game,
    pub(super) paint: Paint,
    /// The seat of the person, if one plays.
    pub(super) person: Option<usize>,
}

impl Pen<'_> {
    pub(super) fn aces(&self) -> Aces {
        self.game.rules().aces
    }

    /// What a seat is called.
    pub(super) fn name(&self, seat: usize) -> String {
        match self.person {
            Some(person) if person == seat => self.paint.bold("You"),
            // Clockwise from the person's left.
            Some(person) => {
                let players = self.game.players();
                NAMES[(seat + players - person - 1) % players].into()
            }
            None => NAMES[seat].into(),
        }
    }

    /// A seat and what it does: `You lead`, `Ann leads`.
    pub(super) fn does(&self, seat: usize, you: &str, others: &str) -> String {
        let verb = if self.person == Some(seat) { you } else { others };
        format!("{} {verb}", self.name(seat))
    }

    /// Several seats: `You, Ann and Ben`.
    pub(super) fn all(&self, seats: &[usize]) -> String {
        let names: Vec<String> = seats.iter().map(|&seat| self.name(seat)).collect();
        match &names[..] {
            [] => "nobody".into(),
            [one] => one.clone(),
            [most @ .., last] => format!("{} and {last}", most.join(", ")),
        }
    }

    pub(super) fn card(&self, card: Card) -> String {
        self.paint.card(card, self.aces())
    }

    /// A cell: `K♥`, `K♠(Q♠)` where another card claims it, `RUN` where it is no card's.
    pub(super) fn cell(&self, cell: &Cell) -> String {
        match (Card::parse(&cell.name, self.aces()), cell.claiming_card()) {
            (Some(own), Some(claims)) if own != claims => {
                format!("{}({})", self.card(own), self.card(claims))
            }
            (Some(own), _) => self.card(own),
            (None, _) => cell.name.clone(),
        }
    }

    /// A line across, with a title.
    pub(super) fn rule(&self, title: &str) -> String {
        let dashes = columns().saturating_sub(width(title) + 4);
        format!(
            "\n{} {} {}",
            self.paint.dim("──"),
            self.paint.bold(title),
            self.paint.dim(&"─".repeat(dashes))
        )
    }

    /// The line above a deal.
    pub(super) fn deal_title(&self, session: &Session) -> String {
        self.rule(&format!(
            "Deal {} of {} · {}",
            session.deal_number(),
            self.game.rules().session.deals,
            self.does(session.deal_start().dealer, "deal", "deals")
        ))
    }

    /// The cards of the reader that would take chips as things stand: all of a set, of which some
    /// may be played.
    pub(super) fn claims(&self, view: &View) -> CardSet {
        let collected = view.record().judged != 0 || view.phase() == Phase::Lead;
        if self.game.rules().has(Stage::Collect) && collected {
            return CardSet::EMPTY;
        }
        let own = view.hand() | view.played_by(view.seat());
        let cells = view.layout().iter().enumerate().filter(|&(_, &chips)| chips > 0);
        cells
            .flat_map(|(cell, _)| view.claims().of_cell(cell))
            .filter(|&&set| own.is_superset(set))
            .fold(CardSet::EMPTY, |claims, &set| claims | set)
    }

    /// Chips on each cell and in the kitty; `*` where `held` has the card that claims.
    pub(super) fn layout(&self, view: &View, held: CardSet) -> String {
        let mut piles: Vec<String> = Vec::new();
        let mut note = String::new();
        for (index, (cell, &chips)) in self.game.rules().cells.iter().zip(view.layout()).enumerate()
        {
            let claims = |&set: &CardSet| held.is_superset(set);
            let star = if chips > 0 && view.claims().of_cell(index).iter().any(claims) {
                note = self.paint.dim("* yours to take");
                "*"
            } else {
                ""
            };
            let chips = if chips == 0 { "–".into() } else { chips.to_string() };
            piles.push(format!("{}{star} {chips}", self.cell(cell)));
        }
        if self.game.rules().has_kitty() {
            piles.push(format!("kitty {}", view.kitty()));
        }
        let gap = if piles.len() < 7 { "    " } else { "  " };
        let text = format!("{}{}", left("  layout", LABEL), piles.join(gap));
        let columns = width(&text) + gap.len() + width(&note);
        if note.is_empty() || columns > fold::columns() { text } else { text + gap + &note }
    }

    /// A table with a column for each seat.
    pub(super) fn seats(&self, rows: &[(&str, Vec<String>)]) -> String {
        let columns = |label: &str, cells: &[String]| {
            let cells: String = cells.iter().map(|cell| right(cell, SEAT)).collect();
            left(label, LABEL - 4) + &cells
        };
        let names: Vec<String> = (0..self.game.players()).map(|seat| self.name(seat)).collect();
        // As many seats beside each other as there is room for.
        let fit = (fold::columns().saturating_sub(LABEL - 4) / SEAT).max(1);
        let mut lines = Vec::new();
        for first in (0..names.len()).step_by(fit) {
            let seats = first..names.len().min(first + fit);
            lines.push(columns("", &names[seats.clone()]));
            lines.extend(
                rows.iter()
                    .map(|(label, cells)| columns(&format!("  {label}"), &cells[seats.clone()])),
            );
        }
        lines.join("\n")
    }

    /// A table of the number of cards and the chips of every seat.
    pub(super) fn standing(&self, view: &View) -> String {
        let seats = 0..self.game.players();
        let cards = seats.clone().map(|seat| {
            if view.seats_in().contains(seat) {
                view.hand_size(seat).to_string()
            } else {
                "out".into()
            }
        });
        let chips = seats.map(|seat| chips_text(view.credit(), view.stack(seat)));
        self.seats(&[("cards", cards.collect()), ("chips", chips.collect())])
    }

    /// The viewer's hand, or any that lies open.
    pub(super) fn hand(&self, label: &str, hand: CardSet, marked: CardSet) -> String {
        let hand = self.paint.hand(hand, marked, self.aces());
        format!("{}{hand}", left(&format!("  {label}"), LABEL))
    }

    /// All that the viewer needs for a decision.
    pub(super) fn table(&self, view: &View) -> String {
        let claims = self.claims(view);
        let hand = self.hand("hand", view.hand(), claims);
        let mut text = format!("{}\n{}\n{hand}", self.standing(view), self.layout(view, claims));
        if view.phase() == Phase::Bet {
            text = format!("{text}\n{}", self.betting(view));
        }
        text
    }

    /// What has been played, and what is known to be out of play.
    pub(super) fn record(&self, view: &View) -> String {
        let none = CardSet::EMPTY;
        let mut lines = vec![self.hand("played", view.played(), none)];
        if !view.known_dead().is_empty() {
            lines.push(self.hand("dead", view.known_dead(), none));
        }
        lines.join("\n")
    }
}

/// Chips of a seat: a score has a sign.
pub(super) fn chips_text(credit: bool, chips: i32) -> String {
    if credit && chips != 0 { format!("{chips:+}") } else { chips.to_string() }
}

#[cfg(test)]
mod tests {
    use newmarket_env::{DealStart, Rules, State};

    use super::*;

    #[test]
    fn the_table_fits_and_lines_up() {
        let game = Game::new(Rules::named("south-london").unwrap(), 8).unwrap();
        let pen = Pen { game: &game, paint: Paint::PLAIN, person: Some(0) };
        let state = State::new(&game, &DealStart::fresh(8, 7));
        let text = pen.table(&state.view(&game, 0));
        assert_eq!(
            text,
            "          You    Ann    Ben    Cat    Dan    Eve    Fay    Gus\n  \
             cards      0      0      0      0      0      0      0      0\n  \
             chips     -1      0      0      0      0      0      0      0\n  \
             layout  K♣(Q♣) –    K♦(Q♦) –    K♥(Q♥) –    K♠(Q♠) –    kitty 1\n  \
             hand    no cards"
        );
    }

    #[test]
    fn people_are_named() {
        let game = Game::new(Rules::named("newmarket").unwrap(), 4).unwrap();
        let pen = Pen { game: &game, paint: Paint::PLAIN, person: Some(0) };
        assert_eq!(pen.does(0, "lead", "leads"), "You lead");
        assert_eq!(pen.does(3, "lead", "leads"), "Cat leads");
        assert_eq!(pen.all(&[0, 2, 3]), "You, Ben and Cat");
        let open = Pen { person: None, ..pen };
        assert_eq!(open.all(&[0]), "Ann");
    }
}
