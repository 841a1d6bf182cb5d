//! Who decides on the dead hand, and between what.

use std::sync::Arc;

use newmarket_env::{Action, Exchange, Game};

/// Limits of a bidder that are tried, as far as the rules let one bid, and the greatest bid of all.
const LIMITS: [i32; 9] = [1, 2, 3, 4, 6, 8, 10, 15, 20];
/// Chips for which a bidder may have the dead hand without an auction.
const PRICES: [i32; 2] = [1, 5];

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
    /// Has the dead hand for so many chips, 0 for a gift, and otherwise nobody has it.
    Given { price: i32 },
    /// Bids as the field does.
    AsField,
    /// Bids up to so many chips.
    UpTo(i32),
}

/// A way to act, in words.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) does: Does,
    /// On a card: `take`.
    pub(super) word: String,
    /// Over the gains in a table, where it has a column there.
    pub(super) head: Option<String>,
}

/// Choices between which a seat decides, or it declines.
#[derive(Clone, Debug)]
pub(super) struct Decision {
    /// What the dead hand costs: `at the fee of 4`.
    pub(super) price: String,
    /// Indices of choices.
    pub(super) choices: Vec<usize>,
    /// How often hands are treated in some way: the head of the column, and the choices.
    pub(super) shares: Vec<(String, Vec<usize>)>,
}

/// A seat that is asked, and all that is measured of it.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    pub(super) asked: Asked,
    /// Who it is, in words.
    pub(super) who: &'static str,
    /// What it does on a card if it declines.
    pub(super) declines: &'static str,
    /// The same as a noun: `keeping`.
    pub(super) declining: &'static str,
    /// The game as it is, and where a fee is charged, the same without.
    pub(super) games: Vec<Arc<Game>>,
    pub(super) choices: Vec<Choice>,
    pub(super) decisions: Vec<Decision>,
}

fn take(game: usize, head: impl Into<String>) -> Choice {
    let does = Does::Act { game, action: Action::EXCHANGE };
    Choice { does, word: "take".into(), head: Some(head.into()) }
}

fn exchange(price: impl Into<String>, choice: usize) -> Decision {
    let shares = vec![("hands exchanged".into(), vec![choice])];
    Decision { price: price.into(), choices: vec![choice], shares }
}

const FREE: &str = "free of charge";

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
        Self {
            asked: Asked::First,
            who,
            declines: "keep",
            declining: "keeping",
            games: vec![game.clone()],
            choices: vec![take(0, "gain")],
            decisions: vec![exchange(FREE, 0)],
        }
    }

    fn for_a_fee(game: &Arc<Game>, fee: i32) -> Self {
        let mut spec = (**game.rules()).clone();
        spec.exchange = Exchange::Dealer { fee: 0 };
        let rules = spec.validate().expect("a fee of 0 is no fault");
        let without = Game::new(rules, game.players()).expect("the table is the same");
        Self {
            games: vec![game.clone(), without.into()],
            choices: vec![take(0, format!("gain at a fee of {fee}")), take(1, "gain if free")],
            decisions: vec![
                exchange(format!("at the fee of {fee}"), 0),
                exchange("if it were free", 1),
            ],
            ..Self::first(game, "the dealer")
        }
    }

    fn auctioneer(game: &Arc<Game>) -> Self {
        let auction = Choice {
            does: Does::Act { game: 0, action: Action::AUCTION },
            word: "auction".into(),
            head: Some("gain of an auction".into()),
        };
        let shares = vec![("hands exchanged".into(), vec![0]), ("hands auctioned".into(), vec![1])];
        Self {
            choices: vec![take(0, "gain of taking"), auction],
            decisions: vec![Decision { price: FREE.into(), choices: vec![0, 1], shares }],
            ..Self::first(game, "the dealer")
        }
    }

    fn bidder(game: &Arc<Game>, max_bid: i32) -> Self {
        let silent = |does: Does, word: String| Choice { does, word, head: None };
        let gift = Choice {
            does: Does::Given { price: 0 },
            word: "bid".into(),
            head: Some("worth as a gift".into()),
        };
        let field = silent(Does::AsField, String::new());
        let given = PRICES.map(|price| silent(Does::Given { price }, "bid".into()));
        let limits = LIMITS.into_iter().filter(|&limit| limit < max_bid).chain([max_bid]);
        let up_to = limits.map(|limit| silent(Does::UpTo(limit), format!("bid up to {limit}")));
        let choices: Vec<Choice> = [gift, field].into_iter().chain(given).chain(up_to).collect();
        let bids = |price: String, choices: Vec<usize>| Decision {
            price,
            shares: vec![("hands that bid".into(), choices.clone())],
            choices,
        };
        let first_given = 2;
        let first_limit = first_given + PRICES.len();
        let for_a_price = PRICES.into_iter().zip(first_given..).map(|(price, choice)| {
            let chips = if price == 1 { "chip" } else { "chips" };
            bids(format!("for {price} {chips}, if nobody else wants it"), vec![choice])
        });
        let by_auction = bids("by auction".into(), (first_limit..choices.len()).collect());
        let decisions = std::iter::once(by_auction).chain(for_a_price).collect();
        Self {
            asked: Asked::Bidder,
            who: "a bidder",
            declines: "pass",
            declining: "passing",
            games: vec![game.clone()],
            choices,
            decisions,
        }
    }

    fn later(game: &Arc<Game>, price: i32) -> Self {
        Self {
            asked: Asked::Later,
            choices: vec![take(0, format!("gain at a price of {price}"))],
            decisions: vec![exchange(format!("at the price of {price}"), 0)],
            ..Self::first(game, "a later seat")
        }
    }

    /// The choice of having the dead hand as a gift, if there is one.
    pub(super) fn gift(&self) -> Option<usize> {
        self.choices.iter().position(|choice| matches!(choice.does, Does::Given { price: 0 }))
    }

    /// The choice to take the dead hand at the least price.
    pub(super) fn taken(&self) -> usize {
        let is_taking = |choice: &Choice| {
            matches!(
                choice.does,
                Does::Act { action: Action::EXCHANGE, .. } | Does::Given { price: 0 }
            )
        };
        self.choices.iter().rposition(is_taking).expect("somebody takes it")
    }

    /// The choices with a column in tables, and their heads.
    pub(super) fn shown(&self) -> impl Iterator<Item = (usize, &str)> {
        let heads = self.choices.iter().map(|choice| choice.head.as_deref());
        heads.enumerate().filter_map(|(at, head)| Some((at, head?)))
    }

    /// What gains are counted by.
    pub(super) fn unit(&self) -> &'static str {
        match self.asked {
            Asked::First => "a deal",
            Asked::Later => "an offer",
            Asked::Bidder => "an auction",
        }
    }

    /// What a card for a decision says, the first for declining.
    pub(super) fn words(&self, decision: &Decision) -> Vec<&str> {
        let choices = decision.choices.iter().map(|&at| self.choices[at].word.as_str());
        std::iter::once(self.declines).chain(choices).collect()
    }
}
