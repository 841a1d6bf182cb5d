//! The stages before the play: who collects what, five cards set apart, and poker.

use std::io::Write;

use newmarket_agents::heuristic;
use newmarket_env::poker::Strength;
use newmarket_env::{Action, Card, CardSet, Phase, State, View};

use super::ask::Stop;
use super::paint::{read_card, say, wrap};
use super::pen::Pen;
use super::person::Person;

/// Cards that make a poker hand.
const FIVE: usize = 5;

/// Chips in the pot; 0 in a game without one.
fn pot(view: &View) -> i32 {
    view.game().rules().pot().map_or(0, |pot| view.layout()[pot])
}

impl Pen<'_> {
    /// Five cards and what they are called: `8♠ 9♣ 9♥ K♣ K♥ (two pair)`.
    pub(super) fn five(&self, five: CardSet) -> String {
        let class = Strength::of(five, self.aces()).class().word();
        format!("{} ({class})", self.paint.cards(five, self.aces()))
    }

    /// Chips that each seat collects for the cards that it holds, by cell; nothing if this is not
    /// the moment.
    fn shares(&self, before: &State, after: &State) -> Vec<(usize, usize, i32)> {
        let (was, is) = (before.view(self.game, 0), after.view(self.game, 0));
        let mut shares = Vec::new();
        for cell in 0..self.game.cells() {
            let judged = |view: &View| view.record().judged >> cell & 1 == 1;
            if judged(&was) || !judged(&is) {
                continue;
            }
            // Antes may have come in between.
            let staked = |view: &View| -> i32 {
                (0..self.game.players()).map(|seat| view.staked(seat, cell)).sum()
            };
            let had = was.layout()[cell] + staked(&is) - staked(&was);
            let holders = is.record().collected[cell];
            let share = (had - is.layout()[cell]) / holders.len().max(1) as i32;
            shares.extend(holders.iter().map(|seat| (seat, cell, share)));
        }
        shares
    }

    /// Who takes which cells for the cards that they hold.
    pub(super) fn collected(&self, before: &State, after: &State) -> String {
        let mut taken = vec![Vec::new(); self.game.players()];
        for (seat, cell, chips) in self.shares(before, after) {
            let cell = self.cell(&self.game.rules().cells[cell]);
            taken[seat].push(format!("{cell} ({chips})"));
        }
        let mut pieces = Vec::new();
        for seat in after.seats_in().from_left_of(after.dealer()) {
            if !taken[seat].is_empty() {
                let dot = if pieces.is_empty() { "" } else { "· " };
                let verb = self.does(seat, "collect", "collects");
                pieces.push(format!("{dot}{verb} {}", taken[seat].join(", ")));
            }
        }
        if pieces.is_empty() {
            return say("Nobody holds a card of the layout.");
        }
        wrap(pieces, 6)
    }

    /// A bet, call, raise, check or fold in words.
    pub(super) fn bet(&self, seat: usize, action: Action, before: &View) -> String {
        let call = before.bet() - before.put(seat);
        match action {
            Action::CHECK => self.does(seat, "check", "checks"),
            Action::BET => self.does(seat, "bet 1", "bets 1"),
            Action::CALL => format!("{} {call}", self.does(seat, "call", "calls")),
            Action::RAISE => {
                format!("{} to {}", self.does(seat, "raise", "raises"), before.bet() + 1)
            }
            _ => self.does(seat, "fold", "folds"),
        }
    }

    /// Everybody's five who stayed, and who takes the pot.
    pub(super) fn showdown(&self, seat: usize, action: Action, was: &State, is: &State) -> String {
        let game = self.game;
        let view = was.view(game, seat);
        let mut staying = was.seats_in() - view.folded();
        if action == Action::FOLD {
            staying.remove(seat);
        }
        let put = if action == Action::CALL { view.bet() - view.put(seat) } else { 0 };
        let shares = self.shares(was, is);
        let paid = |other: usize| {
            let collected: i32 =
                shares.iter().filter(|share| share.0 == other).map(|share| share.2).sum();
            let put = if other == seat { put } else { 0 };
            is.stacks()[other] - was.stacks()[other] + put - collected
        };
        let winners: Vec<usize> =
            was.seats_in().from_left_of(was.dealer()).filter(|&seat| paid(seat) > 0).collect();
        let mut lines = Vec::new();
        if staying.len() > 1 {
            for seat in was.seats_in().from_left_of(was.dealer()) {
                if staying.contains(seat) {
                    let five = was.view(game, seat).apart();
                    let label = super::paint::left(&format!("    {}", self.name(seat)), 10);
                    lines.push(format!("{label}{}", self.five(five)));
                }
            }
        }
        let pot = pot(&view) + put;
        let unseen = if staying.len() == 1 { ", unseen" } else { "" };
        lines.push(say(&match winners[..] {
            [winner] => {
                let takes = self.does(winner, "take", "takes");
                format!("{takes} the pot of {pot}{unseen}.")
            }
            [] => "The pot is empty.".into(),
            _ => {
                let shares: Vec<String> = winners.iter().map(|&s| paid(s).to_string()).collect();
                let who = self.all(&winners);
                format!("{who} share the pot of {pot}: {}.", shares.join(" and "))
            }
        }));
        lines.join("\n")
    }

    /// What speaks for a decision in the betting.
    pub(super) fn why_bet(&self, view: &View) -> String {
        let others = (view.seats_in() - view.folded()).len() - 1;
        let chance = heuristic::chance_to_win(view).unwrap_or(0.0) * 100.0;
        let class = Strength::of(view.apart(), self.aces()).class().word();
        let stay = if others == 1 { "the other who stays" } else { "all others who stay" };
        let call = view.bet() - view.put(view.seat());
        let cost = match call {
            0 => String::new(),
            _ => format!("; a call costs {call} for a pot of {}", pot(view)),
        };
        format!("your {class} should beat {stay} ({others}) about {chance:.0} % of the time{cost}")
    }

    /// The bets of all seats, and the reader's five.
    pub(super) fn betting(&self, view: &View) -> String {
        let bets = (0..self.game.players()).map(|seat| {
            if view.folded().contains(seat) { "folded".into() } else { view.put(seat).to_string() }
        });
        let label = super::paint::left("  apart", 10);
        let five = self.five(view.apart());
        let pot = pot(view);
        format!("{}\n{label}{five}    pot {pot}", self.seats(&[("bets", bets.collect())]))
    }
}

/// A hand as a menu: `[1] 2♣  [2] 9♣ …`.
fn menu(pen: &Pen, hand: CardSet) -> String {
    let cards = hand.iter().enumerate();
    let pieces = cards.map(|(nth, card)| format!("[{}] {} ", nth + 1, pen.card(card)));
    wrap(std::iter::once("apart  ".to_string()).chain(pieces), 10).trim_end().to_string()
}

/// Reads five cards of a hand, by number or by name; the error says what would be right.
fn parse(text: &str, pen: &Pen, hand: CardSet) -> Result<CardSet, String> {
    let cards: Vec<Card> = hand.iter().collect();
    let mut five = CardSet::EMPTY;
    for word in text.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty()) {
        let card = match word.parse::<usize>() {
            Ok(number) => number.checked_sub(1).and_then(|nth| cards.get(nth)).copied(),
            Err(_) => read_card(word, pen.aces()).filter(|&card| hand.contains(card)),
        };
        let card = card.ok_or_else(|| {
            format!("`{word}` is none of your cards: numbers from 1 to {}, or cards", cards.len())
        })?;
        if five.contains(card) {
            return Err(format!("{} comes twice", pen.card(card)));
        }
        five.insert(card);
    }
    match five.len() {
        FIVE => Ok(five),
        1 => Err("that is 1 card; give five, as in `1 2 3 4 5`".into()),
        count => Err(format!("that is {count} cards; give five, as in `1 2 3 4 5`")),
    }
}

impl Person {
    /// Asks for the five cards to set apart.
    pub(super) fn set_apart(
        &mut self,
        pen: &Pen,
        out: &mut dyn Write,
        state: &State,
    ) -> Result<Vec<Action>, Stop> {
        let game = pen.game;
        let seat = state.actor().unwrap_or(0);
        let view = state.view(game, seat);
        let (best, _) = Strength::best_five(view.hand(), pen.aces());
        let question = format!(
            "{}\n{}",
            menu(pen, view.hand()),
            say(&format!("Set five cards apart for poker; Enter for {}.", pen.five(best)))
        );
        writeln!(out, "\n{}\n{question}", pen.table(&view))?;
        if self.hints {
            self.advise_five(pen, out, state)?;
        }
        loop {
            let answer = self.input.read(out, "  > ")?;
            let five = match answer.to_lowercase().as_str() {
                "" => Ok(best),
                "h" | "hint" => {
                    self.advise_five(pen, out, state)?;
                    continue;
                }
                "v" | "values" => {
                    pen.values(out, &view)?;
                    continue;
                }
                "r" | "table" => {
                    writeln!(out, "{}\n{question}", pen.table(&view))?;
                    continue;
                }
                "?" | "help" => {
                    writeln!(out, "{}\n{question}", pen.help())?;
                    continue;
                }
                text => parse(text, pen, view.hand()),
            };
            match five {
                Ok(five) => return Ok(five.iter().map(Action::pick).collect()),
                Err(problem) => writeln!(out, "{}", say(&format!("No: {problem}.")))?,
            }
        }
    }

    fn advise_five(&mut self, pen: &Pen, out: &mut dyn Write, state: &State) -> Result<(), Stop> {
        let (game, seat) = (pen.game, state.actor().unwrap_or(0));
        let mut after = *state;
        let mut five = Vec::new();
        while after.phase() == Phase::SetApart && after.actor() == Some(seat) {
            let action = self.adviser.act(&after.view(game, seat), &mut self.rng);
            after.apply(game, action)?;
            five.extend(action.card());
        }
        let text =
            format!("Hint ({}): {}.", self.adviser.name(), pen.five(five.into_iter().collect()));
        Ok(writeln!(out, "{}", say(&text))?)
    }
}

#[cfg(test)]
mod tests {
    use newmarket_env::{Game, Rules};

    use super::super::paint::Paint;
    use super::*;

    #[test]
    fn five_cards_are_read_by_number_or_name() {
        let game = Game::new(Rules::named("three-in-one").unwrap(), 8).unwrap();
        let pen = Pen { game: &game, paint: Paint::PLAIN, person: Some(0) };
        let set = |text: &str| -> CardSet {
            text.split(' ').map(|card| Card::parse(card, pen.aces()).unwrap()).collect()
        };
        let hand = set("2C 3C TD JH QS KS");
        let five = set("2C TD JH QS KS");
        for text in ["1 3 4 5 6", "6,5,4,3,1", "2c 10d jh Q♠ ks", "1 td 4 5 6"] {
            assert_eq!(parse(text, &pen, hand), Ok(five), "{text}");
        }
        let problem = |text: &str| parse(text, &pen, hand).unwrap_err();
        assert_eq!(problem("1 2 3"), "that is 3 cards; give five, as in `1 2 3 4 5`");
        assert_eq!(problem("1 1 2 3 4"), "2♣ comes twice");
        for text in ["0 1 2 3 4", "7 1 2 3 4", "as 1 2 3 4", "x"] {
            assert!(problem(text).contains("is none of your cards"), "{text}");
        }
    }
}
