//! What every observation of a game has in common, worked out once.

use super::Observation;
use super::spans::{flag, scalar};
use crate::claims::Claims;
use crate::game::Game;
use crate::rules::{Exchange, FirstLead, Stage, Timing};

/// The part of an observation that is the same in all deals of a game that go by one table of
/// claims.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Template {
    /// What is played; nothing of a deal.
    pub(super) observation: Observation,
}

/// The bit of `options` that an observation sets itself.
pub(super) const CREDIT: u32 = 1 << 3;

impl Template {
    /// The template of a game and a table of claims.
    pub(crate) fn of(game: &Game, claims: &Claims) -> Self {
        let mut template = Self { observation: Observation::BLANK };
        template.observation.planes.absent = !game.pack();
        template.write_rules(game);
        template.write_cells(game, claims);
        template
    }

    fn write_rules(&mut self, game: &Game) {
        const PLAYERS: (usize, usize) = flag("players");
        const CHANGE: (usize, usize) = flag("change of suit");
        const EXCHANGE: (usize, usize) = flag("exchange");
        const OPTIONS: (usize, usize) = flag("options");
        const NUMBERS: (usize, usize) = scalar("per card, price");
        let rules = game.rules();
        let (exchange, price) = match rules.exchange {
            Exchange::None => (0, 0),
            Exchange::Dealer { fee } => (1, fee),
            Exchange::DealerOrAuction { max_bid } => (2, max_bid),
            Exchange::OfferChain { price } => (4, price),
        };
        let options = [
            rules.kitty_to_winner,
            rules.first_lead != FirstLead::Eldest,
            rules.timing == Timing::AfterLook,
            false,
            rules.has(Stage::Collect),
            rules.has(Stage::Poker) && !rules.has(Stage::Collect),
        ];
        let options = options.iter().rev().fold(0, |bits, &option| bits << 1 | u32::from(option));
        let observation = &mut self.observation;
        observation.set(PLAYERS, 1 << (game.players() - 2));
        observation.set(CHANGE, 1 << rules.change_suit as u32);
        observation.set(EXCHANGE, exchange);
        observation.set(OPTIONS, options);
        observation.put(NUMBERS, 0, rules.per_card);
        observation.put(NUMBERS, 1, price);
    }

    fn write_cells(&mut self, game: &Game, claims: &Claims) {
        const PRESENT: (usize, usize) = flag("cell present");
        const SUIT: (usize, usize) = flag("cell suit");
        const RANK: (usize, usize) = scalar("cell rank");
        for cell in 0..game.cells() {
            self.observation.set(PRESENT, 1 << cell);
            if let Some(card) = claims.card_of(cell) {
                self.observation.set(SUIT, 1 << (4 * cell + card.suit().index()));
                self.observation.put(RANK, cell, card.rank().index() as i32 + 1);
            }
        }
    }
}
