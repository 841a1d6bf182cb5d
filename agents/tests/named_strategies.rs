//! The named strategies: their files, and that they play as recorded.

#[path = "../../env/tests/common/mod.rs"]
mod common;

use std::fmt::Write as _;
use std::sync::Arc;

use common::{about, all_tables};
use newmarket_agents::strategy::{NAMES, Strategy};
use newmarket_agents::{Agent, Table};
use newmarket_env::{Game, Seed};

/// The decisions and payoffs of a strategy in all seats, as one number (FNV-1a).
fn digest(name: &str, tables: &[Game]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    for game in tables {
        let mut player = Strategy::named(name).expect("a named strategy");
        let mut table = Table::new(Arc::new(game.clone()));
        for deal in 0..20 {
            let result = table.play(Seed::new(52).child(deal), |_, view, rng| {
                let action = player.act(view, rng);
                add(action.index() as u8);
                action
            });
            for payoff in result.payoffs {
                payoff.to_le_bytes().into_iter().for_each(&mut add);
            }
        }
    }
    hash
}

/// `UPDATE_DIGESTS=1` writes the digests of `basic`. The others never change.
#[test]
fn they_play_as_recorded() {
    let mut games: Vec<(String, Vec<Game>)> = Vec::new();
    for game in all_tables() {
        let name = game.rules().base.to_string();
        match games.last_mut() {
            Some((last, tables)) if *last == name => tables.push(game),
            _ => games.push((name, vec![game])),
        }
    }
    let mut text = String::new();
    for (game, tables) in &games {
        about(game, || {
            for name in NAMES {
                writeln!(text, "{game} {name} {:016x}", digest(name, tables)).expect("a text");
            }
        });
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/named_strategies.txt");
    if std::env::var_os("UPDATE_DIGESTS").is_some() {
        std::fs::write(path, &text).expect("written");
    }
    let recorded = std::fs::read_to_string(path).expect("the recorded digests");
    for (now, then) in text.lines().zip(recorded.lines()) {
        assert_eq!(now, then);
    }
    assert_eq!(text.lines().count(), recorded.lines().count());
}

/// `UPDATE_STRATEGIES=1` writes `strategies.json`.
#[test]
fn the_files_are_the_same_in_json() {
    let mut files = serde_json::Map::new();
    for name in NAMES {
        let path = format!("{}/strategies/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("a file");
        files.insert(name.into(), toml::from_str(&text).expect("TOML"));
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/strategy/strategies.json");
    if std::env::var_os("UPDATE_STRATEGIES").is_some() {
        let text = serde_json::to_string(&files).expect("JSON") + "\n";
        std::fs::write(path, text).expect("written");
    }
    let embedded = std::fs::read_to_string(path).expect("the embedded files");
    let embedded: serde_json::Map<_, _> = serde_json::from_str(&embedded).expect("JSON");
    for (name, file) in &files {
        assert!(
            embedded.get(name) == Some(file),
            "{name}: UPDATE_STRATEGIES=1 cargo test writes it"
        );
    }
    assert_eq!(embedded.len(), files.len());
}
