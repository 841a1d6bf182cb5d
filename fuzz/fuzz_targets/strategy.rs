//! Any text is refused with one clean line, or is a strategy that is written and read back unchanged and plays.
#![no_main]

use std::sync::Arc;

use newmarket_agents::strategy::{Content, Strategy};
use newmarket_agents::{Agent, Table};
use newmarket_checkpoints::strategy_from_toml;
use newmarket_env::{Game, Rules, Seed};

libfuzzer_sys::fuzz_target!(|text: &str| {
    match strategy_from_toml(text, "x.toml") {
        Err(error) => {
            newmarket_fuzz::tells(&error);
            let line = error.to_string();
            assert!(!line.contains(|c: char| c.is_control()), "{line:?}");
        }
        Ok(content) => {
            assert_eq!(Content::from_json(content.json()).as_ref(), Ok(&*content));
            let mut none = |name: &str| Err(format!("no player {name}"));
            if let Ok(mut player) = Strategy::new("x", content, &mut none) {
                for (name, players) in [("newmarket", 3), ("newmarket-buy", 4), ("three-in-one", 4)] {
                    let rules = Rules::named(name).expect("a named game");
                    let mut table = Table::new(Arc::new(Game::new(rules, players).expect("seats")));
                    table.play(Seed::new(1), |_, view, rng| player.act(view, rng));
                }
            }
        }
    }
});
