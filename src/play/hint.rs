//! Why a choice is a good one, in a few words, from what the player may know.

use std::iter;

use newmarket_env::{Action, Card, CardSet, Phase, Suit, View};

use super::paint::say;
use super::pen::Pen;
use super::sequence::{End, stop_after};

/// Chips that the dead hand costs the seat that is asked.
pub(super) fn price(view: &View) -> i32 {
    use newmarket_env::Exchange;
    let eldest = view.seats_in().left_of(view.dealer());
    match view.game().rules().exchange {
        Exchange::Dealer { fee } => fee,
        Exchange::OfferChain { price } if view.seat() != eldest => price,
        _ => 0,
    }
}

/// What there is to weigh in deciding about the dead hand.
fn why_dead_hand(view: &View) -> String {
    let (mut held, mut missing) = (0, 0);
    for (cell, &chips) in view.layout().iter().enumerate() {
        let sets = view.claims().of_cell(cell);
        if sets.iter().any(|&set| view.hand().is_superset(set)) {
            held += chips;
        } else if !sets.is_empty() {
            missing += chips;
        }
    }
    format!(
        "your {} cards can claim {held} chips; {missing} more wait for cards elsewhere, and the \
         dead hand has {} cards",
        view.hand().len(),
        dead_cards(view)
    )
}

/// Cards in the dead hand: those that nobody holds and nobody played.
pub(super) fn dead_cards(view: &View) -> usize {
    let held: usize = (0..view.game().players()).map(|seat| view.hand_size(seat)).sum();
    view.game().pack().len() - held - view.played().len()
}

impl Pen<'_> {
    /// What speaks for an action.
    pub(super) fn why(&self, view: &View, action: Action) -> String {
        match action.suit() {
            Some(suit) => self.why_lead(view, suit),
            None if matches!(action, Action::KEEP | Action::EXCHANGE | Action::AUCTION)
                || matches!(action, Action::BID | Action::PASS) =>
            {
                why_dead_hand(view)
            }
            None if view.phase() == Phase::Bet => self.why_bet(view),
            None => String::new(),
        }
    }

    fn why_lead(&self, view: &View, suit: Suit) -> String {
        let Some(low) = view.hand().lowest(suit) else { return String::new() };
        let run = iter::successors(Some(low), |card| card.above());
        let run = run.take_while(|&card| view.hand().contains(card));
        let last = run.last().unwrap_or(low);
        let mut reasons = Vec::new();
        let next_gone = |card: Card| {
            let next = card.above().filter(|next| next.rank().index() < view.game().rules().ranks);
            next.is_none_or(|next| view.gone().contains(next))
        };
        if next_gone(last) {
            let why = match stop_after(last, view) {
                End::Top => "the top card".into(),
                end => end.words(self),
            };
            reasons.push(format!("you keep the lead, as {} stops ({why})", self.card(last)));
        }
        let (mut takes, mut nearer) = (Vec::new(), Vec::new());
        let game = view.game();
        let own = view.hand() & CardSet::suit(suit);
        let mut claims: Vec<(usize, Card)> = own
            .iter()
            .filter_map(|card| view.claims().cell_claimed_by(card).map(|cell| (cell, card)))
            .collect();
        // A set of cards is complete with the last of it that is still in hand.
        let played = view.played_by(view.seat());
        claims.extend(view.claims().sets().filter_map(|(cell, set)| {
            let complete = (own | played).is_superset(set);
            (set & own).last().filter(|_| complete).map(|card| (cell, card))
        }));
        for (cell, card) in claims {
            let chips = view.layout()[cell];
            if chips > 0 {
                let cells = if card <= last { &mut takes } else { &mut nearer };
                cells.push(format!("{} ({chips})", self.cell(&game.rules().cells[cell])));
            }
        }
        for (words, cells) in [("it takes", takes), ("it brings you nearer to", nearer)] {
            if !cells.is_empty() {
                reasons.push(format!("{words} {}", cells.join(" and ")));
            }
        }
        if let Some(below) = low.below() {
            if view.gone().contains(below) {
                reasons.push(format!("nobody can lead up to it ({} is gone)", self.card(below)));
            }
        } else {
            reasons.push("nobody can lead up to it".into());
        }
        let length = |suit: Suit| view.hand().lane(suit).count_ones();
        if Suit::ALL.into_iter().all(|other| length(other) <= length(suit)) && length(suit) > 1 {
            reasons.push(format!("your longest suit ({} cards)", length(suit)));
        }
        reasons.join("; ")
    }

    /// A choice in words, as a menu and a hint name it.
    pub(super) fn choice(&self, view: &View, action: Action) -> String {
        let lead = action.suit().and_then(|suit| view.hand().lowest(suit));
        if let Some(card) = lead {
            return self.card(card);
        }
        match action {
            Action::KEEP => "keep your hand".into(),
            Action::EXCHANGE => {
                let cost = match price(view) {
                    0 => "free".into(),
                    1 => "1 chip".into(),
                    chips => format!("{chips} chips"),
                };
                format!("take the dead hand ({} cards, {cost})", dead_cards(view))
            }
            Action::AUCTION => "auction the dead hand".into(),
            Action::BID => format!("bid {}", view.bid() + 1),
            Action::BET => "bet 1".into(),
            Action::CALL => format!("call ({})", view.bet() - view.put(view.seat())),
            Action::RAISE => {
                let chips = view.bet() + 1 - view.put(view.seat());
                format!("raise to {} ({chips})", view.bet() + 1)
            }
            other => other.to_string(),
        }
    }

    /// What an adviser would do, and what is known that bears on it.
    pub(super) fn advice(&self, view: &View, action: Action, adviser: &str) -> String {
        let (choice, why) = (self.choice(view, action), self.why(view, action));
        let dash = if why.is_empty() { "" } else { " — " };
        let text = say(&format!("Hint ({adviser}): {choice}{dash}{why}."));
        let dead = view.known_dead();
        if dead.is_empty() {
            return text;
        }
        format!("{text}\n{}", self.hand("dead", dead, CardSet::EMPTY))
    }
}

#[cfg(test)]
mod tests {
    use newmarket_env::{DealStart, Game, Hands, Rules, State};

    use super::super::paint::Paint;
    use super::*;

    #[test]
    fn a_hint_says_why() {
        let game = Game::new(Rules::named("michigan").unwrap(), 3).unwrap();
        let mut state = State::new(&game, &DealStart::fresh(3, 2));
        let set = |text: &str| -> CardSet {
            text.split(' ').map(|card| Card::parse(card, game.rules().aces).unwrap()).collect()
        };
        let mut hands = Hands::default();
        hands.seats[0] = set("2C 3C KH AH 5S JS 5D 7D 8D");
        hands.seats[1] = set("6D 2S");
        hands.seats[2] = set("4S 9S");
        hands.dead = hands.seats.iter().fold(game.pack(), |left, &hand| left - hand);
        state.deal(&game, &hands);
        state.apply(&game, Action::lead(Suit::Diamonds)).unwrap();
        let pen = Pen { game: &game, paint: Paint::PLAIN, person: Some(0) };
        let view = state.view(&game, 0);
        let why = |suit: Suit| pen.advice(&view, Action::lead(suit), "stopper");
        assert_eq!(
            why(Suit::Hearts),
            "  Hint (stopper): K♥ — you keep the lead, as A♥ stops (the top card); it takes\n    \
             A♥ (4); your longest suit (2 cards).\n  dead    ♦ 9"
        );
        assert_eq!(
            why(Suit::Spades),
            "  Hint (stopper): 5♠ — it brings you nearer to J♠ (4); your longest suit (2\n    \
             cards).\n  dead    ♦ 9"
        );
        assert!(why(Suit::Clubs).contains("2♣ — nobody can lead up to it"));
    }
}
