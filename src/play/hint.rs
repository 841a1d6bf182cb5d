//! Hints: what an adviser would do, with reasons that the player may know.

use newmarket_engine::{Choice, reasons};
use newmarket_env::View;

use crate::wording::Wording;

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

/// An adviser's choice with its reasons: `Hint (stopper): 9♠ (most cards) — it takes 3 chips on K♠.` In parentheses is the
/// clause by which a strategy decides.
pub(super) fn hint(wording: &Wording, view: &View, advice: &Advice) -> String {
    let Advice { adviser, choice, grounds } = advice;
    let why = reasons(view, choice).join("; ");
    let dash = if why.is_empty() { "" } else { " — " };
    let (clause, rule) = match grounds {
        Grounds::Clause(clause) => (format!(" ({clause})"), String::new()),
        Grounds::Rule(rule) => (String::new(), format!(" Rule of thumb – {rule}.")),
        Grounds::Calculated => (String::new(), " Calculated: no rule of thumb says so.".into()),
        Grounds::Unruled => (String::new(), String::new()),
    };
    format!("Hint ({adviser}): {}{clause}{dash}{why}.{rule}", wording.choice(view, choice))
}

#[cfg(test)]
mod tests {
    use newmarket_env::{Action, Card, CardSet, DealStart, Game, Hands, Rules, State, Suit};

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
            "Hint (stopper): K♥ (run stops) — you keep the lead, as A♥ stops (top card); it takes 4 chips on A♥."
        );
        assert_eq!(
            why(Suit::Spades, Grounds::Rule("cards above: none".into())),
            "Hint (stopper): 5♠ — it brings you nearer to 4 chips on J♠. Rule of thumb – cards above: none."
        );
        assert_eq!(
            why(Suit::Clubs, Grounds::Calculated),
            "Hint (stopper): 2♣ — nobody can lead up to it. Calculated: no rule of thumb says so."
        );
        assert_eq!(
            why(Suit::Spades, Grounds::Unruled),
            "Hint (stopper): 5♠ — it brings you nearer to 4 chips on J♠."
        );
    }
}
