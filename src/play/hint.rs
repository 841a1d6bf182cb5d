//! Hints: what an adviser would do, with reasons that the player may know.

use std::iter;

use newmarket_agents::chance_to_win;
use newmarket_engine::Choice;
use newmarket_env::rules::FirstLead;
use newmarket_env::{Action, Card, CardSet, Phase, Suit, View, Why};

use crate::wording::{Wording, enumerated};

/// What an adviser would do.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Advice {
    /// The adviser's name.
    pub(super) adviser: String,
    pub(super) choice: Choice,
    pub(super) grounds: Grounds,
}

/// How a choice can be found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Grounds {
    /// By this clause of the adviser's strategy.
    Clause(String),
    /// By this rule of thumb, which a person can follow.
    Rule(String),
    /// By calculation: rules of thumb say something else, or leave several choices.
    Calculated,
    /// There are no rules of thumb for such a decision.
    Unruled,
}

/// An adviser's choice with its reasons: `Hint (stopper): 9♠ (most cards) — it takes K♠ (3).` In parentheses is the
/// clause by which a strategy decides.
pub(super) fn hint(wording: &Wording, view: &View, advice: &Advice) -> String {
    let Advice { adviser, choice, grounds } = advice;
    let why = match (choice, &choice.actions(wording.game)[..]) {
        (Choice::Ante { layout }, _) => why_ante(wording, view, layout),
        (_, &[action]) => why(wording, view, action),
        _ => String::new(),
    };
    let dash = if why.is_empty() { "" } else { " — " };
    let (clause, rule) = match grounds {
        Grounds::Clause(clause) => (format!(" ({clause})"), String::new()),
        Grounds::Rule(rule) => (String::new(), format!(" Rule of thumb – {rule}.")),
        Grounds::Calculated => (String::new(), " Calculated: no rule of thumb says so.".into()),
        Grounds::Unruled => (String::new(), String::new()),
    };
    format!("Hint ({adviser}): {}{clause}{dash}{why}.{rule}", wording.choice(view, choice))
}

/// The cells of a free ante that the hand claims, after a look at it; before the deal, what eldest has of leading first.
fn why_ante(wording: &Wording, view: &View, layout: &[i32]) -> String {
    let rules = wording.game.rules();
    let staked = |cell: usize| layout.get(cell).is_some_and(|&chips| chips > 0);
    let cells = rules.cells.iter().enumerate();
    if view.is_dealt() {
        let claims = |cell: usize| {
            view.claims().of_cell(cell).iter().any(|&set| view.hand().is_superset(set))
        };
        let own: Vec<(usize, String)> = cells
            .filter(|(nth, _)| claims(*nth))
            .map(|(nth, cell)| (nth, wording.cell(cell)))
            .collect();
        let held: Vec<&str> =
            own.iter().filter(|(nth, _)| staked(*nth)).map(|(_, name)| &**name).collect();
        return match (held.is_empty(), own.is_empty()) {
            (false, _) => format!("your hand claims {}", enumerated(&held)),
            (true, true) => "your hand claims no boodle".into(),
            (true, false) => String::new(),
        };
    }
    let leads = view.seat() == view.eldest() && rules.first_lead == FirstLead::Eldest;
    let lowest = cells
        .filter(|(nth, _)| leads && staked(*nth))
        .find_map(|(_, cell)| cell.claiming_card().filter(|card| card.below().is_none()));
    let first = lowest.map_or(String::new(), |card| {
        format!("you lead first, and nobody can lead up to {}; ", wording.card(card))
    });
    format!("{first}before the cards are dealt, it matters little where the chips go")
}

fn why(wording: &Wording, view: &View, action: Action) -> String {
    match (action.suit(), view.phase()) {
        (Some(suit), _) => why_lead(wording, view, suit),
        (None, Phase::DeadHand | Phase::Auction) => why_dead_hand(view),
        (None, Phase::Bet) => why_bet(wording, view),
        _ => String::new(),
    }
}

/// The chips that the hand can claim, and those that the dead hand may bring.
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
        view.dead_size()
    )
}

/// How likely the five cards win, and what a call costs.
fn why_bet(wording: &Wording, view: &View) -> String {
    let others = (view.seats_in() - view.folded()).len() - 1;
    let chance = chance_to_win(view).unwrap_or(0.0) * 100.0;
    let hand = wording.poker_hand(view.apart());
    let stay = if others == 1 { "the other who stays" } else { "all others who stay" };
    let pot = wording.game.rules().pot().map_or(0, |pot| view.layout()[pot]);
    let cost = match view.bet() - view.put(view.seat()) {
        0 => String::new(),
        call => format!("; a call costs {call} for a pot of {pot}"),
    };
    format!("your {hand} should beat {stay} ({others}) about {chance:.0} % of the time{cost}")
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

/// Stops and claims of the suit.
fn why_lead(wording: &Wording, view: &View, suit: Suit) -> String {
    let Some(low) = view.hand().lowest(suit) else { return String::new() };
    let run = iter::successors(Some(low), |card| card.above());
    let run = run.take_while(|&card| view.hand().contains(card));
    let last = run.last().unwrap_or(low);
    let mut reasons = Vec::new();
    if let Some(why) = stop_after(last, view) {
        let why = match why {
            Why::Top => "the top card".into(),
            why => wording.stop(last, why),
        };
        reasons.push(format!("you keep the lead, as {} stops ({why})", wording.card(last)));
    }
    let (mut takes, mut nearer) = (Vec::new(), Vec::new());
    let held = view.hand() & CardSet::suit(suit);
    let mut claims: Vec<(usize, Card)> = held
        .iter()
        .filter_map(|card| view.claims().cell_claimed_by(card).map(|cell| (cell, card)))
        .collect();
    // A set of cards is complete with the last card of it that is still in hand.
    let played = view.played_by(view.seat());
    claims.extend(view.claims().sets().filter_map(|(cell, set)| {
        let complete = (held | played).is_superset(set);
        (set & held).last().filter(|_| complete).map(|card| (cell, card))
    }));
    for (cell, card) in claims {
        let chips = view.layout()[cell];
        if chips > 0 {
            let cells = if card <= last { &mut takes } else { &mut nearer };
            let name = wording.cell(&wording.game.rules().cells[cell]);
            cells.push(format!("{name} ({chips})"));
        }
    }
    for (words, cells) in [("it takes", takes), ("it brings you nearer to", nearer)] {
        if !cells.is_empty() {
            reasons.push(format!("{words} {}", cells.join(" and ")));
        }
    }
    match low.below() {
        None => reasons.push("nobody can lead up to it".into()),
        Some(below) if view.gone().contains(below) => {
            let below = wording.card(below);
            reasons.push(format!("nobody can lead up to it ({below} is gone)"));
        }
        Some(_) => {}
    }
    reasons.join("; ")
}

#[cfg(test)]
mod tests {
    use newmarket_env::{DealStart, Game, Hands, Rules, State};

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
        let wording = Wording { game: &game, person: Some(0) };
        let view = state.view(&game, 0);
        let why = |suit: Suit, grounds: Grounds| {
            let choice = Choice::of(&view, &[Action::lead(suit)]).unwrap();
            hint(&wording, &view, &Advice { adviser: "stopper".into(), choice, grounds })
        };
        assert_eq!(
            why(Suit::Hearts, Grounds::Clause("run stops".into())),
            "Hint (stopper): K♥ (run stops) — you keep the lead, as A♥ stops (the top card); it takes A♥ (4)."
        );
        assert_eq!(
            why(Suit::Spades, Grounds::Rule("cards above: none".into())),
            "Hint (stopper): 5♠ — it brings you nearer to J♠ (4). Rule of thumb – cards above: none."
        );
        assert_eq!(
            why(Suit::Clubs, Grounds::Calculated),
            "Hint (stopper): 2♣ — nobody can lead up to it. Calculated: no rule of thumb says so."
        );
        assert_eq!(
            why(Suit::Spades, Grounds::Unruled),
            "Hint (stopper): 5♠ — it brings you nearer to J♠ (4)."
        );
    }

    /// The words for an ante of the seat to act, in a game of four with these cards for it.
    fn ante(rules: &str, dealer: usize, hand: &str, layout: [i32; 4]) -> String {
        let game = Game::new(Rules::from_toml(rules, "test").unwrap(), 4).unwrap();
        let mut state = State::new(&game, &DealStart::fresh(4, dealer));
        if !hand.is_empty() {
            let cards = hand.split(' ').map(|card| Card::parse(card, game.rules().aces).unwrap());
            let mut hands = Hands { dead: game.pack(), ..Hands::default() };
            hands.seats[0] = cards.collect();
            hands.dead -= hands.seats[0];
            state.deal(&game, &hands);
        }
        assert_eq!(state.actor(), Some(0));
        let wording = Wording { game: &game, person: Some(0) };
        why_ante(&wording, &state.view(&game, 0), &layout)
    }

    #[test]
    fn an_ante_has_reasons() {
        let little = "before the cards are dealt, it matters little where the chips go";
        let newmarket = "base = \"newmarket\"";
        assert_eq!(
            ante(newmarket, 3, "", [4, 0, 0, 0]),
            format!("you lead first, and nobody can lead up to A♠; {little}")
        );
        assert_eq!(ante(newmarket, 3, "", [0, 2, 1, 1]), little, "nothing on the ace");
        let look = "base = \"newmarket\"\ntiming = \"after_look\"";
        assert_eq!(ante(look, 3, "AS 2C JD", [2, 0, 0, 2]), "your hand claims A♠ and J♦");
        assert_eq!(ante(look, 3, "AS 2C JD", [4, 0, 0, 0]), "your hand claims A♠");
        assert_eq!(ante(look, 3, "AS 2C JD", [0, 0, 4, 0]), "");
        assert_eq!(ante(look, 3, "2C 3C", [0, 0, 4, 0]), "your hand claims no boodle");
    }
}
