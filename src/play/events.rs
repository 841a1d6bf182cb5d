//! Everything at the table but the cards that are played, in sentences.

use newmarket_env::rules::{ChangeSuit, LayoutAnte, Timing};
use newmarket_env::{Action, CardSet, Gift, Outcome, Session, View};

use super::paint::{left, right, say, width};
use super::pen::{Pen, chips_text};
use super::sequence::Sequence;

/// Heads the result where the person leaves within a deal: everybody has the chips from before it.
pub(super) fn left_within(deal: u32) -> String {
    format!("You leave in deal {deal}, which does not count")
}

impl Pen<'_> {
    /// What everybody pays without a decision.
    pub(super) fn fixed_antes(&self) -> String {
        let rules = self.game.rules();
        let kitty = match rules.kitty_ante {
            0 => String::new(),
            chips => format!(" and {chips} into the kitty"),
        };
        let cell = if rules.pot().is_some() { "cell, the pot included," } else { "cell" };
        match rules.layout_ante {
            LayoutAnte::Fixed { each, dealer } if each == dealer => {
                say(&format!("Everybody puts {each} on each {cell}{kitty}."))
            }
            LayoutAnte::Fixed { each, dealer } => say(&format!(
                "Everybody puts {each} on each {cell}{kitty}; the dealer puts {dealer} on each."
            )),
            LayoutAnte::Free { .. } => String::new(),
        }
    }

    /// The head of the table of antes, and what lies there from earlier deals.
    pub(super) fn ante_head(&self, view: &View) -> String {
        let mut head = left("  antes", 9);
        for cell in &self.game.rules().cells {
            head.push_str(&right(&self.cell(cell), ante_column(&self.cell(cell))));
        }
        if self.game.rules().has_kitty() {
            head.push_str(&right("kitty", 8));
        }
        let lies = view.layout().iter().any(|&chips| chips > 0);
        if lies {
            format!("{head}\n{}", self.ante_row("before", view, view.layout()))
        } else {
            head
        }
    }

    /// A row of the table of antes: the chips that one seat staked.
    pub(super) fn ante(&self, view: &View, seat: usize) -> String {
        let cells = 0..self.game.cells();
        let staked: Vec<i32> = cells.map(|cell| view.staked(seat, cell)).collect();
        self.ante_row(&self.name(seat), view, &staked)
    }

    fn ante_row(&self, label: &str, view: &View, chips: &[i32]) -> String {
        let mut row = left(&format!("    {label}"), 9);
        for (cell, chips) in self.game.rules().cells.iter().zip(chips) {
            let chips = if *chips == 0 { "–".into() } else { chips.to_string() };
            row.push_str(&right(&chips, ante_column(&self.cell(cell))));
        }
        if self.game.rules().has_kitty() {
            let kitty = if label == "before" {
                self.kitty_before(view)
            } else {
                self.game.rules().kitty_ante
            };
            row.push_str(&right(&kitty.to_string(), 8));
        }
        row
    }

    /// The kitty without the ante that eldest has just paid into it.
    fn kitty_before(&self, view: &View) -> i32 {
        view.kitty() - self.game.rules().kitty_ante
    }

    /// Chips that moved off overfull cells after the antes.
    pub(super) fn spill(&self, last: &View, after: &View) -> Option<String> {
        let cap = self.game.rules().cell_cap?;
        let over = last.layout().iter().any(|&chips| chips > cap);
        let moved = over && last.layout() != after.layout();
        moved.then(|| say(&format!("Chips above the cap of {cap} move to other cells.")))
    }

    /// A lead, or what a seat decided about the dead hand.
    pub(super) fn decision(
        &self,
        seat: usize,
        action: Action,
        forced: bool,
        before: &View,
        after: &View,
    ) -> String {
        if let Some(sequence) = Sequence::between(before, after) {
            let must = forced && self.person == Some(seat);
            let mut text = sequence.line(self, must);
            if let Some(passes) = self.passes(&sequence, after) {
                text.push('\n');
                text.push_str(&passes);
            }
            return text;
        }
        let paid = before.stack(seat) - after.stack(seat);
        let mut text = match action {
            Action::KEEP => self.does(seat, "keep your hand", "keeps the hand as dealt"),
            Action::EXCHANGE => self.does(seat, "take the dead hand", "takes the dead hand"),
            Action::AUCTION => self.does(
                seat,
                "put the dead hand up for auction",
                "puts the dead hand up for auction",
            ),
            other => format!("{}: {other}", self.name(seat)),
        };
        if action == Action::EXCHANGE && paid > 0 {
            let pays = if self.person == Some(seat) { "pay" } else { "pays" };
            let to = if self.game.rules().has_kitty() { "into the kitty" } else { "to the layout" };
            text = format!("{text} and {pays} {paid} {to}");
        }
        say(&format!("{text}."))
    }

    /// A bid or a pass in the auction.
    pub(super) fn bid(&self, seat: usize, action: Action, before: &View) -> String {
        match action {
            Action::BID => format!("{} {}", self.does(seat, "bid", "bids"), before.bid() + 1),
            _ => self.does(seat, "pass", "passes"),
        }
    }

    /// The end of the auction: the buyer and the price, or no bid.
    pub(super) fn sale(&self, after: &View) -> String {
        say(&match after.exchanger() {
            Some(buyer) => {
                let buys = self.does(buyer, "buy", "buys");
                format!(
                    "{buys} the dead hand for {} from {}.",
                    after.bid(),
                    self.name(after.dealer())
                )
            }
            None => "Nobody bids: the dead hand is left.".into(),
        })
    }

    /// Who could not lead after a stop, if the lead moved on.
    fn passes(&self, sequence: &Sequence, after: &View) -> Option<String> {
        let stopper = sequence.stopper();
        match (after.outcome(), after.actor()) {
            (Outcome::NoWinner, _) => Some(say("Nobody can lead: the deal has no winner.")),
            (Outcome::Playing, Some(leader)) if leader != stopper => {
                let mut passing = vec![stopper];
                let left = after.seats_in().from_left_of(stopper);
                passing.extend(left.take_while(|&seat| seat != leader));
                let change = match self.game.rules().change_suit {
                    ChangeSuit::OtherColour => "change colour",
                    _ => "change suit",
                };
                let pass = match passing[..] {
                    [seat] if self.person != Some(seat) => "passes",
                    _ => "pass",
                };
                let who = self.all(&passing);
                Some(say(&format!("{who} cannot {change} and {pass} the lead.")))
            }
            _ => None,
        }
    }

    /// The reckoning after a deal; `stacks` as they were before it.
    pub(super) fn settlement(&self, last: &View, after: &View, stacks: &[i32]) -> String {
        let rules = self.game.rules();
        let mut lines = Vec::new();
        if let Outcome::Out(winner) = after.outcome() {
            let mut takes = Vec::new();
            if rules.kitty_to_winner && last.kitty() > 0 {
                takes.push(format!("the kitty of {}", last.kitty()));
            }
            if rules.per_card > 0 {
                takes.push(format!("{} for each card that the others hold", rules.per_card));
            }
            if !takes.is_empty() {
                let takes = takes.join(" and ");
                let sentence = format!("{} {takes}.", self.does(winner, "take", "takes"));
                lines.push(say(&sentence));
            }
        }
        let seats = 0..self.game.players();
        let held = seats.clone().map(|seat| after.hand_size(seat).to_string()).collect();
        let gain = seats.clone().map(|seat| {
            let gain = after.stack(seat) - stacks[seat];
            let text = chips_text(true, gain);
            if gain > 0 { self.paint.gain(&text) } else { text }
        });
        let chips = seats.map(|seat| chips_text(after.credit(), after.stack(seat)));
        lines.push(self.seats(&[
            ("left", held),
            ("deal", gain.collect()),
            ("chips", chips.collect()),
        ]));
        lines.push(self.layout(after, CardSet::EMPTY));
        lines.join("\n")
    }

    /// Piles that were given away at the end of a session.
    pub(super) fn gifts(&self, gifts: &[Gift]) -> Option<String> {
        let told: Vec<String> = gifts
            .iter()
            .map(|gift| {
                let pile = match gift.cell {
                    Some(cell) => self.cell(&self.game.rules().cells[cell]),
                    None => "the kitty".into(),
                };
                format!("{pile} ({}) to {}", gift.chips, self.name(gift.seat))
            })
            .collect();
        let text = format!("What is left on the table goes out: {}.", told.join(", "));
        (!told.is_empty()).then(|| say(&text))
    }

    /// Who bought chips, and who is out, before a deal.
    pub(super) fn changes(&self, session: &Session, before: &View) -> Vec<String> {
        let mut lines = Vec::new();
        for seat in before.seats_in().iter() {
            if session.rebuys()[seat] > 0 {
                let chips = session.rebuys()[seat];
                let text = format!("{} {chips} chips.", self.does(seat, "buy", "buys"));
                lines.push(say(&text));
            }
            if !session.deal_start().seats_in.contains(seat) {
                let text =
                    self.does(seat, "cannot pay the ante and are", "cannot pay the ante and is");
                lines.push(say(&format!("{text} out of the game.")));
            }
        }
        lines
    }

    /// Who won the session, then from most chips to least; bought chips count against a result. A seat that
    /// was left alone has won, whatever the others have.
    pub(super) fn final_standing(
        &self,
        stacks: &[i32],
        bought: &[i32],
        credit: bool,
        left_alone: Option<usize>,
    ) -> String {
        let result = |seat: usize| (left_alone == Some(seat), stacks[seat] - bought[seat]);
        let mut order: Vec<usize> = (0..self.game.players()).collect();
        order.sort_by_key(|&seat| std::cmp::Reverse(result(seat)));
        let mut lines = Vec::new();
        for &seat in &order {
            let better = order.iter().filter(|&&other| result(other) > result(seat)).count();
            let name = left(&self.name(seat), 5);
            let chips = right(&chips_text(credit, result(seat).1), 5);
            let chips = if better == 0 { self.paint.bold(&chips) } else { chips };
            let alone = left_alone.filter(|&it| it == seat).map(|_| "   (the last one in)".into());
            let note = match bought[seat] {
                0 => alone.unwrap_or_default(),
                bought => format!("   ({} less {bought} bought)", stacks[seat]),
            };
            lines.push(format!("  {}. {name} {chips}{note}", better + 1));
        }
        lines.join("\n")
    }

    /// The hands of all seats and the dead hand, face up.
    pub(super) fn open_hands(&self, hands: &[CardSet], dead: CardSet) -> String {
        let none = CardSet::EMPTY;
        let seats = hands.iter().enumerate().filter(|(_, hand)| !hand.is_empty());
        let mut lines: Vec<String> =
            seats.map(|(seat, &hand)| self.hand(&self.name(seat), hand, none)).collect();
        if !dead.is_empty() {
            lines.push(self.hand("dead", dead, none));
        }
        lines.join("\n")
    }

    /// Whether antes are placed after a look at the hand.
    pub(super) fn looks_first(&self) -> bool {
        self.game.rules().timing == Timing::AfterLook
    }
}

/// Columns of a cell in the table of antes.
fn ante_column(label: &str) -> usize {
    (width(label) + 1).max(6)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::paint::Paint;
    use newmarket_env::{Game, Rules};

    #[test]
    fn the_last_one_in_has_won_whatever_others_have() {
        let rules = Rules::named("newmarket").expect("a game");
        let game = Game::new(rules, 3).expect("it seats three");
        let pen = Pen { game: &game, paint: Paint::PLAIN, person: None };
        let places = |left_alone| -> Vec<String> {
            let standing = pen.final_standing(&[4, 3, 4], &[0, 0, 0], false, left_alone);
            standing.lines().map(|line| line.trim().to_owned()).collect()
        };
        let all = places(None);
        assert!(all[0].starts_with("1.") && all[1].starts_with("1.") && all[2].starts_with("3."));
        let alone = places(Some(1));
        assert!(alone[0].starts_with("1.") && alone[0].ends_with("(the last one in)"), "{alone:?}");
        assert!(alone[1].starts_with("2.") && alone[2].starts_with("2."), "{alone:?}");
    }
}
