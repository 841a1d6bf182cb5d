//! Why a choice is a good one, in words, from what the seat may know.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::iter;

use newmarket_agents::chance_to_win;
use newmarket_env::poker::Strength;
use newmarket_env::rules::{FirstLead, Stage};
use newmarket_env::text::listed;
use newmarket_env::{Card, CardSet, Phase, Suit, View, Why};

use crate::decision::Choice;

/// Reasons for a choice of the seat that is to act, each a clause of a sentence: `it takes 3 chips on K♠`. None where
/// there is nothing to say that the seat can see.
pub fn reasons(view: &View, choice: &Choice) -> Vec<String> {
    match (choice, view.phase()) {
        (Choice::Ante { layout }, _) if view.is_dealt() => of_claims(view, layout),
        (Choice::Ante { layout }, _) => of_ante(view, layout),
        (_, Phase::DeadHand | Phase::Auction) => Vec::from([of_dead_hand(view)]),
        (_, Phase::Bet) => Vec::from([of_bet(view)]),
        (Choice::Lead { .. }, _) => {
            let suit = choice.actions(view.game()).first().and_then(|action| action.suit());
            suit.map_or_else(Vec::new, |suit| of_lead(view, suit))
        }
        _ => Vec::new(),
    }
}

/// The cells of a free ante after a look that the hand claims.
fn of_claims(view: &View, layout: &[i32]) -> Vec<String> {
    let rules = view.game().rules();
    let own: Vec<usize> = (0..rules.cells.len()).filter(|&cell| holds_claim(view, cell)).collect();
    let staked = own.iter().filter(|&&cell| layout.get(cell).is_some_and(|&chips| chips > 0));
    let staked: Vec<String> = staked.map(|&cell| rules.cells[cell].sign(rules.aces)).collect();
    match (staked.is_empty(), own.is_empty()) {
        (false, _) => Vec::from([format!("your hand claims {}", listed(&staked))]),
        (true, true) => Vec::from(["your hand claims no boodle".into()]),
        (true, false) => Vec::new(),
    }
}

/// What eldest has of leading first, of a free ante before the deal.
fn of_ante(view: &View, layout: &[i32]) -> Vec<String> {
    let rules = view.game().rules();
    let mut reasons = Vec::new();
    if view.seat() == view.eldest() && rules.first_lead == FirstLead::Eldest {
        let staked = rules.cells.iter().zip(layout).filter(|(_, chips)| **chips > 0);
        let mut lowest = staked.filter_map(|(cell, _)| cell.claiming_card());
        if let Some(card) = lowest.find(|card| card.below().is_none()) {
            let card = card.sign(rules.aces);
            reasons.push(format!("you lead first, and nobody can lead up to {card}"));
        }
    }
    reasons.push("before the cards are dealt, it matters little where the chips go".into());
    reasons
}

/// The chips that the hand can claim, and those that the dead hand may bring.
fn of_dead_hand(view: &View) -> String {
    let (mut held, mut missing) = (0, 0);
    for (cell, &chips) in view.layout().iter().enumerate() {
        if holds_claim(view, cell) {
            held += chips;
        } else if !view.claims().of_cell(cell).is_empty() {
            missing += chips;
        }
    }
    format!(
        "your {} cards can claim {}; {missing} more lie on boodles whose cards you do not hold, and the dead hand has {} \
         cards",
        view.hand().len(),
        chips(held),
        view.dead_size()
    )
}

fn holds_claim(view: &View, cell: usize) -> bool {
    view.claims().of_cell(cell).iter().any(|&set| view.hand().is_superset(set))
}

/// How likely the five cards win, and what a call costs.
fn of_bet(view: &View) -> String {
    let rules = view.game().rules();
    let others = (view.seats_in() - view.folded()).len() - 1;
    // Whole numbers: the module for browsers has no code that writes fractions.
    let chance = libm::rint(chance_to_win(view).unwrap_or(0.0) * 100.0) as i32;
    let hand = Strength::of(view.apart(), rules.aces).class().word();
    let stay = if others == 1 { "the other who stays" } else { "all others who stay" };
    let pot = rules.pot().map_or(0, |pot| view.layout()[pot]);
    let cost = match view.bet() - view.put(view.seat()) {
        0 => String::new(),
        call => format!("; a call costs {call} for a pot of {pot}"),
    };
    format!("your {hand} should beat {stay} ({others}) about {chance} % of the time{cost}")
}

/// Stops and claims of the suit.
fn of_lead(view: &View, suit: Suit) -> Vec<String> {
    let aces = view.game().rules().aces;
    let Some(low) = view.hand().lowest(suit) else { return Vec::new() };
    let run = iter::successors(Some(low), |card| card.above());
    let last = run.take_while(|&card| view.hand().contains(card)).last().unwrap_or(low);
    let mut reasons = Vec::new();
    if let Some(why) = stop_after(last, view) {
        let (card, why) = (last.sign(aces), why.in_words(last, aces));
        reasons.push(format!("you keep the lead, as {card} stops ({why})"));
    }
    let (takes, nearer) = claims_of(view, suit, last);
    for (words, cells) in [("it takes", takes), ("it brings you nearer to", nearer)] {
        if !cells.is_empty() {
            reasons.push(format!("{words} {}", listed(&cells)));
        }
    }
    match low.below() {
        None => reasons.push("nobody can lead up to it".into()),
        Some(below) if view.gone().contains(below) => {
            let below = below.sign(aces);
            reasons.push(format!("nobody can lead up to it, as {below} is gone"));
        }
        Some(_) => {}
    }
    reasons
}

/// The chips on cells that a lead of the suit claims up to the card `last`, and on those that later cards of it claim.
fn claims_of(view: &View, suit: Suit, last: Card) -> (Vec<String>, Vec<String>) {
    let rules = view.game().rules();
    let held = view.hand() & CardSet::suit(suit);
    let own = held | view.played_by(view.seat());
    let (mut takes, mut nearer) = (Vec::new(), Vec::new());
    if rules.has(Stage::Collect) {
        return (takes, nearer);
    }
    for (cell, &count) in view.layout().iter().enumerate() {
        // A set of cards is complete with the last card of it that is still in hand.
        let of_cell = view.claims().of_cell(cell).iter();
        let completed =
            of_cell.filter(|set| own.is_superset(**set)).find_map(|&set| (set & held).last());
        let Some(card) = completed.filter(|_| count > 0) else { continue };
        let cells = if card <= last { &mut takes } else { &mut nearer };
        cells.push(format!("{} on {}", chips(count), rules.cells[cell].sign(rules.aces)));
    }
    (takes, nearer)
}

/// Why nothing can follow on a card, if the seat knows so.
fn stop_after(card: Card, view: &View) -> Option<Why> {
    let rules = view.game().rules();
    let Some(next) = card.above().filter(|next| next.rank().index() < rules.ranks) else {
        return Some(Why::Top);
    };
    match () {
        () if !view.gone().contains(next) => None,
        () if !rules.pack().contains(next) => Some(Why::Removed),
        () if view.played().contains(next) => Some(Why::Played),
        () => Some(Why::Dead),
    }
}

fn chips(count: i32) -> String {
    format!("{count} {}", if count == 1 { "chip" } else { "chips" })
}

#[cfg(test)]
mod tests {

    use newmarket_env::{Action, DealStart, Game, Hands, Rules, State};

    use super::*;

    fn set(game: &Game, text: &str) -> CardSet {
        text.split(' ').map(|card| Card::parse(card, game.rules().aces).unwrap()).collect()
    }

    /// Reasons of the seat to act for an ante, in a game of four with these cards for it.
    fn ante(rules: &str, dealer: usize, hand: &str, layout: [i32; 4]) -> Vec<String> {
        let game = Game::new(Rules::from_toml(rules, "test").unwrap(), 4).unwrap();
        let mut state = State::new(&game, &DealStart::fresh(4, dealer));
        if !hand.is_empty() {
            let mut hands = Hands { dead: game.pack(), ..Hands::default() };
            hands.seats[0] = set(&game, hand);
            hands.dead -= hands.seats[0];
            state.deal(&game, &hands);
        }
        while state.actor() != Some(0) {
            let legal = state.legal(&game);
            state.apply(&game, legal.first().unwrap()).unwrap();
        }
        reasons(&state.view(&game, 0), &Choice::Ante { layout: layout.into() })
    }

    #[test]
    fn an_ante_has_reasons() {
        let little = "before the cards are dealt, it matters little where the chips go";
        let newmarket = "base = \"newmarket\"";
        assert_eq!(
            ante(newmarket, 3, "", [4, 0, 0, 0]),
            ["you lead first, and nobody can lead up to A♠", little]
        );
        assert_eq!(ante(newmarket, 3, "", [0, 2, 1, 1]), [little], "nothing on the ace");
        assert_eq!(ante(newmarket, 1, "", [4, 0, 0, 0]), [little], "not eldest");
        let look = "base = \"newmarket\"\ntiming = \"after_look\"";
        assert_eq!(ante(look, 3, "AS 2C JD", [2, 0, 0, 2]), ["your hand claims A♠ and J♦"]);
        assert_eq!(ante(look, 3, "AS 2C JD", [4, 0, 0, 0]), ["your hand claims A♠"]);
        assert_eq!(ante(look, 3, "AS 2C JD", [0, 0, 4, 0]), <[&str; 0]>::default());
        assert_eq!(ante(look, 3, "2C 3C", [0, 0, 4, 0]), ["your hand claims no boodle"]);
    }

    /// A set is taken by the suit that is led, also where a set of another suit that claims the cell was played.
    #[test]
    fn a_set_of_cards_is_taken() {
        let rules = "base = \"michigan\"\ncells = [{ name = \"RUN\", claimed_by = [[\"2C\", \"3C\"], [\"2D\", \"3D\"]] }]";
        let game = Game::new(Rules::from_toml(rules, "test").unwrap(), 3).unwrap();
        let mut state = State::new(&game, &DealStart::fresh(3, 2));
        let mut hands = Hands::default();
        let own = ["2C 3C 2D 3D 9H", "4C 5H", "4D 6H"].map(|text| set(&game, text));
        hands.seats[..3].copy_from_slice(&own);
        hands.dead = own.iter().fold(game.pack(), |left, &hand| left - hand);
        state.deal(&game, &hands);
        let why = |state: &State, card: &str| {
            let card = Card::parse(card, game.rules().aces).unwrap();
            let choice = Choice::of(&state.view(&game, 0), &[Action::lead(card.suit())]).unwrap();
            reasons(&state.view(&game, 0), &choice)
        };
        assert_eq!(why(&state, "2D"), ["it takes 4 chips on RUN", "nobody can lead up to it"]);
        assert_eq!(why(&state, "9H"), Vec::<String>::new());
    }
}
