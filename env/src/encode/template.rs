//! The part that all packed rows of a game share.

use super::fields::{COLLECT, POKER, RULES, SESSION_BITS, STAGES, at, put};
use crate::card::Aces;
use crate::claims::Claims;
use crate::game::Game;
use crate::rules::{Bankroll, Exchange, FirstLead, MAX_CELLS, Stage, Timing};

/// The part of a packed row that is the same in all deals of a game with one table of claims.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Template {
    /// The fields of the rules.
    pub(super) rules: [u8; RULES],
    /// Whether a stage before the play may show cards and chips.
    pub(super) has_stages: bool,
    /// Whether a cell is claimed in the play by a set of several cards.
    pub(super) has_sets: bool,
}

impl Template {
    /// The template of a game and a table of claims.
    pub(super) fn of(game: &Game, claims: &Claims) -> Self {
        let rules = game.rules();
        let (exchange, price) = match rules.exchange {
            Exchange::None => (0, 0),
            Exchange::Dealer { fee } => (1, fee),
            Exchange::DealerOrAuction { max_bid } => (2, max_bid),
            Exchange::OfferChain { price } => (3, price),
        };
        let options = [
            rules.kitty_to_winner,
            rules.first_lead != FirstLead::Eldest,
            rules.timing == Timing::AfterLook,
            false,
            rules.has(Stage::Collect),
            rules.has(Stage::Poker) && !rules.has(Stage::Collect),
        ];
        let (chips, bust) = match rules.session.bankroll {
            Bankroll::Credit => (0, 0),
            Bankroll::Chips { start, on_bust } => (start, 1 << on_bust as u16),
        };
        let first_lead = match rules.first_lead {
            FirstLead::Eldest => 0,
            FirstLead::LowestOf(suit) => 1 << suit.index(),
            FirstLead::PokerWinner => 1 << 4,
        };
        let session: u16 =
            1 | bust << 1 | 1 << (4 + rules.session.leftover as u16) | first_lead << SESSION_BITS;
        let some = |bit, holds| if holds { bit } else { 0 };
        let stages = some(STAGES, !rules.stages.is_empty())
            | some(COLLECT, rules.has(Stage::Collect))
            | some(POKER, rules.has(Stage::Poker));
        let card = |cell| claims.card_of(cell).map_or(0, |card| 1 + card.index() as u8);
        let mut row = [0; RULES];
        put(&mut row, at!("pack"), game.pack().bits().to_le_bytes());
        put(&mut row, at!("per card, price"), rules.per_card.to_le_bytes());
        put(&mut row, at!("per card, price") + 4, price.to_le_bytes());
        put(&mut row, at!("starting chips, cap"), chips.to_le_bytes());
        let cap = rules.cell_cap.unwrap_or(0);
        put(&mut row, at!("starting chips, cap") + 4, cap.to_le_bytes());
        put(&mut row, at!("session and first lead"), session.to_le_bytes());
        put::<MAX_CELLS>(&mut row, at!("cell card"), core::array::from_fn(card));
        row[at!("players")] = game.players() as u8;
        row[at!("cells")] = game.cells() as u8;
        row[at!("change of suit")] = rules.change_suit as u8;
        row[at!("exchange")] = exchange;
        row[at!("options")] =
            options.iter().rev().fold(0, |bits, &option| bits << 1 | u8::from(option));
        row[at!("stages")] = stages;
        row[at!("aces high")] = u8::from(rules.aces == Aces::High);
        Self { rules: row, has_stages: stages != 0, has_sets: claims.has_sets() }
    }

    /// Whether rows have something in the fields of stages or sets.
    pub(super) fn has_more(&self) -> bool {
        self.has_stages || self.has_sets
    }
}
