//! A decision of the person, as far as they have come with it.

use newmarket_engine::Choice;
use newmarket_env::{Action, Card, CardSet, Name, Phase, View};

use super::super::pen::Pen;
use super::super::split;

/// Cards that make a poker hand.
const FIVE: usize = 5;

/// What is asked. `at` is where the cursor is.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Question {
    /// One of several actions.
    Pick { actions: Vec<Action>, at: usize },
    /// So many chips onto the cells.
    Stake { due: i32, split: Vec<i32>, at: usize },
    /// Five cards of the hand.
    Five { hand: Vec<Card>, five: CardSet, at: usize },
}

/// Where the person goes on with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Move {
    /// To the next choice, cell or card, or back.
    Next,
    Back,
    /// To this choice, cell or card, from 0.
    To(usize),
    /// One chip more or less; a card in or out.
    More,
    Less,
    /// So many chips.
    Chips(i32),
    /// In or out of the five.
    Toggle,
    /// As a menu proposes: chips spread evenly, the best five.
    Usual,
}

impl Question {
    /// The question that the seat of this view is asked.
    pub(super) fn of(view: &View) -> Self {
        let game = view.game();
        match view.phase() {
            Phase::Ante => {
                let due = split::chips_due(game, view.seat() == view.dealer());
                let split = split::even(view.layout(), game.rules().cell_cap, due);
                Self::Stake { due, split, at: 0 }
            }
            Phase::SetApart => {
                let hand = view.hand().iter().collect();
                Self::Five { hand, five: CardSet::EMPTY, at: 0 }
            }
            _ => Self::Pick { actions: view.legal().iter().collect(), at: 0 },
        }
    }

    /// What it says.
    pub(super) fn prompt(&self, pen: &Pen, view: &View) -> String {
        match self {
            Self::Pick { .. } => match view.phase() {
                Phase::Lead => "Your lead".into(),
                Phase::Auction if view.bid() > 0 => {
                    let bidder = view.bidder().map_or(String::new(), |seat| pen.name(seat));
                    format!("The dead hand: {bidder} bids {}", view.bid())
                }
                Phase::Auction => "The dead hand is for sale".into(),
                Phase::DeadHand => "The dead hand is yours to take".into(),
                Phase::Bet if view.bet() > 0 => {
                    format!("Poker: the bet is {}, yours {}", view.bet(), view.put(view.seat()))
                }
                _ => "Poker: nobody has bet".into(),
            },
            Self::Stake { due, split, .. } => match due - split.iter().sum::<i32>() {
                0 if *due == 1 => "Your ante: 1 chip is placed".into(),
                0 => format!("Your ante: all {due} chips are placed"),
                1 => format!("Your ante: 1 of {due} chips to place"),
                left => format!("Your ante: {left} of {due} chips to place"),
            },
            Self::Five { five, .. } if five.len() == FIVE => {
                format!("Apart: {}", pen.five(*five))
            }
            Self::Five { five, .. } => {
                format!("Set five cards apart for poker: {} so far", five.len())
            }
        }
    }

    /// The cards that are asked for: leads, or the hand.
    pub(super) fn cards(&self, view: &View) -> Vec<Card> {
        match self {
            Self::Pick { actions, .. } => {
                let suits = actions.iter().filter_map(|action| action.suit());
                suits.filter_map(|suit| view.hand().lowest(suit)).collect()
            }
            Self::Five { hand, .. } => hand.clone(),
            Self::Stake { .. } => Vec::new(),
        }
    }

    /// Choices that are no cards, in words.
    pub(super) fn buttons(&self, pen: &Pen, view: &View) -> Vec<String> {
        match self {
            Self::Pick { actions, .. } if view.phase() != Phase::Lead => {
                actions.iter().map(|&action| pen.choice(view, action)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Where the cursor is.
    pub(super) fn at(&self) -> usize {
        match self {
            Self::Pick { at, .. } | Self::Stake { at, .. } | Self::Five { at, .. } => *at,
        }
    }

    /// How many places the cursor has.
    fn places(&self) -> usize {
        match self {
            Self::Pick { actions, .. } => actions.len(),
            Self::Stake { split, .. } => split.len(),
            Self::Five { hand, .. } => hand.len(),
        }
    }

    /// Goes on with it.
    ///
    /// # Errors
    /// Why that cannot be, in a sentence.
    pub(super) fn go(&mut self, go: Move, pen: &Pen, view: &View) -> Result<(), String> {
        let places = self.places().max(1);
        let to = match go {
            Move::Next => (self.at() + 1) % places,
            Move::Back => (self.at() + places - 1) % places,
            Move::To(place) if place < places => place,
            Move::To(_) => return Err(format!("There are {places} choices.")),
            _ => self.at(),
        };
        match self {
            Self::Pick { at, .. } => *at = to,
            Self::Stake { due, split, at } => {
                *at = to;
                let others: i32 = split.iter().sum::<i32>() - split[to];
                let chips = match go {
                    Move::More => split[to] + 1,
                    Move::Less => split[to] - 1,
                    Move::Chips(chips) => chips,
                    Move::Usual => {
                        *split = split::even(view.layout(), pen.game.rules().cell_cap, *due);
                        split[to]
                    }
                    _ => split[to],
                };
                if chips < 0 {
                    return Err("None of your chips lies there.".into());
                }
                if others + chips > *due {
                    return Err(format!(
                        "You have {due} chips: take one from another cell first (↓ or -)."
                    ));
                }
                split[to] = chips;
            }
            Self::Five { hand, five, at } => {
                *at = to;
                let card = hand[to];
                match go {
                    Move::Usual => {
                        *five =
                            newmarket_env::poker::Strength::best_five(view.hand(), pen.aces()).0;
                    }
                    Move::Toggle | Move::Less if five.contains(card) => five.remove(card),
                    Move::Toggle | Move::More if !five.contains(card) => {
                        if five.len() == FIVE {
                            return Err("Five cards are set apart: take one back first.".into());
                        }
                        five.insert(card);
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// The decision that it has come to.
    ///
    /// # Errors
    /// What is missing, or what the rules forbid, in a sentence.
    pub(super) fn made(&self, view: &View) -> Result<Choice, String> {
        let game = view.game();
        let choice = match self {
            Self::Pick { actions, at } => Choice::of(view, &[actions[*at]]),
            Self::Stake { due, split, .. } => {
                let left = due - split.iter().sum::<i32>();
                if left > 0 {
                    let chips = if left == 1 { "chip is" } else { "chips are" };
                    return Err(format!(
                        "{left} {chips} still to be placed (↑ or +, e for evenly)."
                    ));
                }
                Some(Choice::Ante { layout: split.clone() })
            }
            Self::Five { five, .. } => {
                if five.len() != FIVE {
                    return Err(format!(
                        "That is {} of five cards (Space takes one, e the best five).",
                        five.len()
                    ));
                }
                let aces = game.rules().aces;
                let cards = five.iter().map(|card| Name::of(card, aces)).collect();
                Some(Choice::SetApart { cards })
            }
        };
        match (choice.filter(|choice| choice.taken(view).is_some()), self) {
            (Some(choice), _) => Ok(choice),
            (None, Self::Stake { split, .. }) => {
                Err(format!("No: {}.", split::refusal(view.layout(), game, split)))
            }
            (None, _) => Err("The rules do not allow that.".into()),
        }
    }

    /// Puts somebody's decision before the person.
    pub(super) fn take(&mut self, choice: &Choice, view: &View) {
        match (self, choice) {
            (Self::Stake { split, .. }, Choice::Ante { layout }) => split.clone_from(layout),
            (Self::Five { five, .. }, Choice::SetApart { cards }) => {
                let aces = view.game().rules().aces;
                *five = cards.iter().map(|name| name.card(aces)).collect();
            }
            (Self::Pick { actions, at }, choice) => {
                let asked = choice.actions(view.game());
                if let Some(place) = actions.iter().position(|it| asked.first() == Some(it)) {
                    *at = place;
                }
            }
            _ => {}
        }
    }
}
