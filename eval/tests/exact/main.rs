//! The solver of small games, compared with known answers and with slow, simple oracles.

mod agents;
mod by_hand;
mod deals;
mod kuhn;
mod oracle;
mod recall;
mod solved;
mod upper_bound;

use std::sync::Arc;

use newmarket_env::{Game, Rules};
use newmarket_eval::exact::{DealHistory, OneDeal, Tree};

/// A named game with changes.
pub(crate) fn game(base: &str, changes: &str, players: usize) -> Arc<Game> {
    let text = format!("base = \"{base}\"\n{changes}");
    Arc::new(Game::new(Rules::from_toml(&text, "test.toml").unwrap(), players).unwrap())
}

/// A game of `eval/games`.
pub(crate) fn shipped(name: &str) -> Arc<Game> {
    let path = format!("{}/games/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let rules = Rules::load(&path).unwrap();
    let players = rules.players.0;
    Arc::new(Game::new(rules, players).unwrap())
}

/// The deal of a game, and its tree.
pub(crate) fn grown(game: Arc<Game>) -> (OneDeal, Tree<DealHistory>) {
    let deal = OneDeal::new(game, 1_000_000).unwrap();
    let tree = Tree::grow(&deal, 1_000_000).unwrap();
    (deal, tree)
}

/// Four cards, ace and two of clubs and diamonds, two for each of two players. Each player knows all cards.
pub(crate) const FOUR_CARDS: &str = "\
    players = [2, 2]\nranks = 2\nsuits = 2\nremoved = []\ncells = [\"2C\"]\n\
    layout_ante = { fixed = { each = 1, dealer = 1 } }\n[session]\nfirst_dealer = 1\n";

/// Five cards, two for each of two players and one dead, which the dealer may buy.
pub(crate) const FIVE_CARDS: &str = "\
    players = [2, 2]\nranks = 3\nsuits = 2\nremoved = [\"AC\"]\ncells = [\"3C\"]\n\
    layout_ante = { fixed = { each = 1, dealer = 1 } }\n\
    dead_hand = { position = \"last\", remainder = \"rotation\" }\n\
    exchange = { dealer_exchange = { fee = 1 } }\n";

/// Three cards, two for eldest and one for the dealer; both stake a chip on one of two cells.
pub(crate) const THREE_CARDS: &str = "\
    players = [2, 2]\nranks = 2\nsuits = 2\nremoved = [\"2D\"]\ncells = [\"2C\", \"AD\"]\n\
    layout_ante = { free = { chips = 1, dealer_chips = 1 } }\n";
