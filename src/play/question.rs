//! A question to the person, with the answer as far as it is made.

use newmarket_engine::Choice;
use newmarket_env::poker::Strength;
use newmarket_env::{Action, Card, CardSet, Name, Phase, View};

use super::ante;
use crate::wording::Wording;

/// Cards that make a poker hand.
pub(super) const FIVE: usize = 5;

/// A question. `cursor` is a place among its actions, cells or cards, from 0.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Question {
    /// One of several actions.
    Pick { actions: Vec<Action>, cursor: usize },
    /// This many chips for the cells.
    Ante { due: i32, split: Vec<i32>, cursor: usize },
    /// Five cards of the hand.
    Five { hand: Vec<Card>, five: CardSet, cursor: usize },
}

/// A change to the answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Edit {
    /// Moves the cursor on, or back.
    Next,
    Back,
    /// Moves the cursor to this place, from 0.
    To(usize),
    /// One chip more or less at the cursor; its card in or out.
    More,
    Less,
    /// This many chips at the cursor.
    Chips(i32),
    /// The card at the cursor in, or out if it is in.
    Toggle,
    /// The usual answer: chips spread evenly, the best five cards.
    Usual,
}

impl Question {
    /// The question to the seat of this view.
    pub(super) fn of(view: &View) -> Self {
        let game = view.game();
        match view.phase() {
            Phase::Ante => {
                let due = ante::chips_due(game, view.seat() == view.dealer());
                let split = ante::even(view.layout(), game.rules().cell_cap, due);
                Self::Ante { due, split, cursor: 0 }
            }
            Phase::SetApart => {
                let hand = view.hand().iter().collect();
                Self::Five { hand, five: CardSet::EMPTY, cursor: 0 }
            }
            _ => Self::Pick { actions: view.legal().iter().collect(), cursor: 0 },
        }
    }

    /// What is asked, in a few words.
    pub(super) fn prompt(&self, wording: &Wording, view: &View) -> String {
        match self {
            Self::Pick { .. } => match view.phase() {
                Phase::Lead => "Your lead".into(),
                Phase::Auction if view.bid() > 0 => {
                    let bidder = view.bidder().map_or("", |seat| wording.name(seat));
                    format!("The dead hand: {bidder} bids {}", view.bid())
                }
                Phase::Auction => "The dead hand is for sale".into(),
                Phase::DeadHand => "The dead hand is yours to take".into(),
                Phase::Bet if view.bet() > 0 => {
                    format!("Poker: the bet is {}, yours {}", view.bet(), view.put(view.seat()))
                }
                _ => "Poker: nobody has bet".into(),
            },
            Self::Ante { due, split, .. } => match due - split.iter().sum::<i32>() {
                0 if *due == 1 => "Your stake: 1 chip is placed".into(),
                0 => format!("Your stake: all {due} chips are placed"),
                1 => format!("Your stake: 1 of {due} chips to place"),
                left => format!("Your stake: {left} of {due} chips to place"),
            },
            Self::Five { five, .. } if five.len() == FIVE => {
                format!("Apart: {}", wording.five(*five))
            }
            Self::Five { five, .. } => {
                format!("Set five cards apart for poker: {} so far", five.len())
            }
        }
    }

    /// The cards to choose from: leads, or the hand.
    pub(super) fn cards(&self, view: &View) -> Vec<Card> {
        match self {
            Self::Pick { actions, .. } => {
                let suits = actions.iter().filter_map(|action| action.suit());
                suits.filter_map(|suit| view.hand().lowest(suit)).collect()
            }
            Self::Five { hand, .. } => hand.clone(),
            Self::Ante { .. } => Vec::new(),
        }
    }

    /// Choices that are no cards, in words.
    pub(super) fn buttons(&self, wording: &Wording, view: &View) -> Vec<String> {
        match self {
            Self::Pick { actions, .. } if view.phase() != Phase::Lead => {
                actions.iter().map(|&action| wording.action(view, action)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Where the cursor is.
    pub(super) fn cursor(&self) -> usize {
        match self {
            Self::Pick { cursor, .. } | Self::Ante { cursor, .. } | Self::Five { cursor, .. } => {
                *cursor
            }
        }
    }

    /// How many places the cursor has.
    fn places(&self) -> usize {
        match self {
            Self::Pick { actions, .. } => actions.len(),
            Self::Ante { split, .. } => split.len(),
            Self::Five { hand, .. } => hand.len(),
        }
    }

    /// Changes the answer.
    ///
    /// # Errors
    /// Why that is not possible, in a sentence.
    pub(super) fn edit(&mut self, edit: Edit, view: &View) -> Result<(), String> {
        let places = self.places().max(1);
        let to = match edit {
            Edit::Next => (self.cursor() + 1) % places,
            Edit::Back => (self.cursor() + places - 1) % places,
            Edit::To(place) if place < places => place,
            Edit::To(_) => return Err(format!("There are {places} choices.")),
            _ => self.cursor(),
        };
        match self {
            Self::Pick { cursor, .. } => *cursor = to,
            Self::Ante { due, split, cursor } => {
                *cursor = to;
                let others: i32 = split.iter().sum::<i32>() - split[to];
                let chips = match edit {
                    Edit::More => split[to] + 1,
                    Edit::Less => split[to] - 1,
                    Edit::Chips(chips) => chips,
                    Edit::Usual => {
                        *split = ante::even(view.layout(), view.game().rules().cell_cap, *due);
                        return Ok(());
                    }
                    _ => split[to],
                };
                if chips < 0 {
                    return Err("None of your chips lies there.".into());
                }
                if others + chips > *due {
                    return Err(format!(
                        "You have {due} chips: take one from another boodle first (↓ or -)."
                    ));
                }
                split[to] = chips;
            }
            Self::Five { hand, five, cursor } => {
                *cursor = to;
                let card = hand[to];
                match edit {
                    Edit::Usual => {
                        *five = Strength::best_five(view.hand(), view.game().rules().aces).0;
                    }
                    Edit::Toggle | Edit::Less if five.contains(card) => five.remove(card),
                    Edit::Toggle | Edit::More if !five.contains(card) => {
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

    /// The decision that the answer makes.
    ///
    /// # Errors
    /// What is missing, or what the rules forbid, in a sentence.
    pub(super) fn choice(&self, view: &View) -> Result<Choice, String> {
        let game = view.game();
        let choice = match self {
            Self::Pick { actions, cursor } => Choice::of(view, &[actions[*cursor]]),
            Self::Ante { due, split, .. } => {
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
            (None, Self::Ante { split, .. }) => {
                Err(format!("No: {}.", ante::refusal(view.layout(), game, split)))
            }
            (None, _) => Err("The rules do not allow that.".into()),
        }
    }

    /// Makes this decision the answer.
    pub(super) fn set(&mut self, choice: &Choice, view: &View) {
        match (self, choice) {
            (Self::Ante { split, .. }, Choice::Ante { layout }) => split.clone_from(layout),
            (Self::Five { five, .. }, Choice::SetApart { cards }) => {
                let aces = view.game().rules().aces;
                *five = cards.iter().map(|name| name.card(aces)).collect();
            }
            (Self::Pick { actions, cursor }, choice) => {
                let wanted = choice.actions(view.game());
                if let Some(place) =
                    actions.iter().position(|action| wanted.first() == Some(action))
                {
                    *cursor = place;
                }
            }
            _ => {}
        }
    }
}
