//! Frozen counts of lines of play: `perft/*.perft`, one file a game, one row a deal.
//!
//! A row is `players seed count`: the deal that the seed gives at a table of so many, played from
//! the first lead without anybody taking the dead hand, poker being won by eldest. Another program's traces of the same
//! deals give the same counts.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use newmarket_env::perft::perft;
use newmarket_env::rules::NAMES;
use newmarket_env::{Game, Rules, Seats, Seed, Session};

/// Deals of each table size.
const DEALS: u64 = 4;

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/perft/{name}.perft"))
}

fn count(game: &Game, seed: u64) -> u128 {
    let session = Session::single_deal(game, Seed::new(seed));
    let dealer = session.deal_start().dealer;
    let seats = Seats::first(game.players());
    let hands = game.deal(session.pack(game).cards(), dealer, seats);
    perft(game, dealer, seats, &hands, Some(seats.left_of(dealer)))
}

fn counts(name: &str) -> String {
    let rules = Rules::named(name).unwrap();
    let (min, max) = rules.players;
    let mut rows = String::from("# players seed count\n");
    for players in min..=max {
        let game = Game::new(rules.clone(), players).unwrap();
        for seed in 1..=DEALS {
            writeln!(rows, "{players} {seed} {}", count(&game, seed)).unwrap();
        }
    }
    rows
}

#[test]
fn every_game_has_the_lines_of_play_that_it_always_had() {
    for name in NAMES {
        let now = counts(name);
        let frozen = fs::read_to_string(file(name)).unwrap_or_default();
        assert_eq!(frozen, now, "{name}: if that is meant, the file is now as on the right");
    }
}
