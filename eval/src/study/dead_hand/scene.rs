//! Who decides on the dead hand, and between what.

use std::sync::Arc;

use newmarket_env::{Action, Exchange, Game};

/// Limits of a bidder that are tried, as far as the rules let one bid, and the greatest bid of all.
const LIMITS: [i32; 9] = [1, 2, 3, 4, 6, 8, 10, 15, 20];

/// The seat that is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Asked {
    /// The first: the dealer, or eldest in a chain of offers.
    First,
    /// One of those after eldest in a chain of offers, where all before it have kept.
    Later,
    /// A bidder in the auction of a dealer who puts the dead hand up for it, if the bidding comes round to it.
    Bidder,
}

/// What a seat does instead of declining.
#[derive(Clone, Debug)]
pub(super) enum Does {
    /// Takes a decision in one of the games.
    Act { game: usize, action: Action },
    /// Has the dead hand as a gift, and otherwise nobody has it.
    Given,
    /// Bids as the field does.
    AsField,
    /// Bids up to so many chips.
    UpTo(i32),
}

/// A way to act, in words.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) does: Does,
    /// Over the gains by hand, where it has a column there.
    pub(super) head: Option<String>,
}

/// A seat that is asked, and all that is measured of it.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    pub(super) asked: Asked,
    /// Who it is, in words.
    pub(super) who: &'static str,
    /// The game as it is, and where a fee is charged, the same without.
    pub(super) games: Vec<Arc<Game>>,
    pub(super) choices: Vec<Choice>,
}

fn take(game: usize, head: impl Into<String>) -> Choice {
    let does = Does::Act { game, action: Action::EXCHANGE };
    Choice { does, head: Some(head.into()) }
}

impl Scene {
    /// All scenes of a game, in the order in which they are played.
    pub(super) fn all(game: &Arc<Game>) -> Vec<Self> {
        match game.rules().exchange {
            Exchange::None => Vec::new(),
            Exchange::Dealer { fee: 0 } => vec![Self::first(game, "the dealer")],
            Exchange::Dealer { fee } => vec![Self::for_a_fee(game, fee)],
            Exchange::DealerOrAuction { max_bid } => {
                vec![Self::auctioneer(game), Self::bidder(game, max_bid)]
            }
            Exchange::OfferChain { price } => {
                vec![Self::first(game, "eldest"), Self::later(game, price)]
            }
        }
    }

    /// Whoever is asked first pays nothing.
    fn first(game: &Arc<Game>, who: &'static str) -> Self {
        let (games, choices) = (vec![game.clone()], vec![take(0, "gain")]);
        Self { asked: Asked::First, who, games, choices }
    }

    fn for_a_fee(game: &Arc<Game>, fee: i32) -> Self {
        let mut spec = (**game.rules()).clone();
        spec.exchange = Exchange::Dealer { fee: 0 };
        let rules = spec.validate().expect("a fee of 0 is no fault");
        let without = Game::new(rules, game.players()).expect("the table is the same");
        Self {
            games: vec![game.clone(), without.into()],
            choices: vec![take(0, format!("gain at a fee of {fee}")), take(1, "gain if free")],
            ..Self::first(game, "the dealer")
        }
    }

    fn auctioneer(game: &Arc<Game>) -> Self {
        let auction = Choice {
            does: Does::Act { game: 0, action: Action::AUCTION },
            head: Some("gain of an auction".into()),
        };
        Self {
            choices: vec![take(0, "gain of taking"), auction],
            ..Self::first(game, "the dealer")
        }
    }

    fn bidder(game: &Arc<Game>, max_bid: i32) -> Self {
        let gift = Choice { does: Does::Given, head: Some("worth as a gift".into()) };
        let limits = LIMITS.into_iter().filter(|&limit| limit < max_bid).chain([max_bid]);
        let bids = std::iter::once(Does::AsField).chain(limits.map(Does::UpTo));
        let bids = bids.map(|does| Choice { does, head: None });
        Self {
            asked: Asked::Bidder,
            who: "a bidder",
            games: vec![game.clone()],
            choices: std::iter::once(gift).chain(bids).collect(),
        }
    }

    fn later(game: &Arc<Game>, price: i32) -> Self {
        Self {
            asked: Asked::Later,
            choices: vec![take(0, format!("gain at a price of {price}"))],
            ..Self::first(game, "a later seat")
        }
    }

    /// The choices with a column in tables, and their heads.
    pub(super) fn shown(&self) -> impl Iterator<Item = (usize, &str)> {
        let heads = self.choices.iter().map(|choice| choice.head.as_deref());
        heads.enumerate().filter_map(|(at, head)| Some((at, head?)))
    }
}
