//! The opponents that come with the program, by name: `net:champion` and its weaker selves.

use newmarket_agents::net::{ActionSelection, Level};

use crate::manifest::Checkpoint;
use crate::player::NetPlayer;

/// An opponent that needs no file.
#[derive(Clone, Copy, Debug)]
pub struct Released {
    /// What stands behind `net:`.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// The checkpoint.
    pub file: &'static [u8],
    /// How it chooses; [`ActionSelection::Greedy`]: as its checkpoint says.
    pub choice: ActionSelection,
}

const CHAMPION: &[u8] = include_bytes!("../released/champion/net.ckpt");

/// All of them, the strongest first. The weaker ones are the strongest with a less steady hand:
/// its logits are advantages, so a temperature is the size of the mistakes that it makes, and as many
/// antes are lost by them in every game. What each is worth is measured in `released/champion/README.md`.
pub const ALL: [Released; 4] = [
    Released {
        name: "champion",
        about: "plays all named games and house rules, 2 to 8 players",
        file: CHAMPION,
        choice: ActionSelection::Greedy,
    },
    Released {
        name: "hard",
        about: "the champion with small mistakes",
        file: CHAMPION,
        choice: ActionSelection::Level(Level { antes: 0.069, temperature: 2.0 }),
    },
    Released {
        name: "medium",
        about: "the champion with mistakes",
        file: CHAMPION,
        choice: ActionSelection::Level(Level { antes: 0.17, temperature: 6.0 }),
    },
    Released {
        name: "easy",
        about: "the champion, hardly looking",
        file: CHAMPION,
        choice: ActionSelection::Level(Level { antes: 0.315, temperature: 25.0 }),
    },
];

impl Released {
    /// The player with its network.
    pub fn player(&self, checkpoint: Checkpoint) -> NetPlayer {
        let player = NetPlayer::from(checkpoint);
        match self.choice {
            ActionSelection::Greedy => player,
            choice => NetPlayer { choice, ..player },
        }
    }
}

/// The one of this name. A file or folder of the same name can be had as `./champion`.
pub fn named(name: &str) -> Option<Released> {
    ALL.into_iter().find(|released| released.name == name)
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use std::path::Path;

    use alloc::format;
    use alloc::sync::Arc;
    use newmarket_agents::Agent as _;
    use newmarket_agents::net::{NetAgent, PlayKind};
    use newmarket_env::{Env, Episode, Game, Rules, Seed};
    use newmarket_net::QuantisedNet;

    use super::*;
    use crate::roster::{choosing, net_checkpoint};
    use crate::verify;

    #[test]
    fn each_is_whole_and_made_for_this_program() {
        let folder = tempfile::tempdir().expect("a folder");
        for released in ALL {
            let path = folder.path().join("net.ckpt");
            std::fs::write(&path, released.file).expect("written");
            let summary = verify(&path).expect("every hash and the golden pass");
            assert!(!summary.resumable, "{} carries its training along", released.name);
            net_checkpoint(Path::new(released.name)).expect("this program's encoding");
            let name = format!("net:{}", released.name);
            let agent =
                choosing(&name, ActionSelection::Greedy, None).expect("it is known by name");
            assert_eq!(agent.name(), name);
        }
    }

    #[test]
    fn a_level_has_a_temperature_of_its_own_in_every_game() {
        let saved = net_checkpoint(Path::new("champion")).expect("it comes with the program");
        let net = Arc::new(QuantisedNet::new(&saved.weights));
        let table = |(name, players)| {
            let rules = Rules::named(name).expect("a named game");
            Arc::new(Game::new(rules, players).expect("it seats them"))
        };
        let games = [("newmarket", 4), ("michigan", 6), ("four-horses", 3)].map(table);
        for released in &ALL[1..] {
            let ActionSelection::Level(Level { temperature, .. }) = released.choice else {
                panic!("{} is no level", released.name);
            };
            let player = || NetAgent::new("net", net.clone(), released.choice);
            let mut level = player();
            let temperature_in = |level: &NetAgent, game| {
                level.temperature_in(game, PlayKind::Lead).expect("it draws")
            };
            let there = games.each_ref().map(|game| temperature_in(&level, game));
            assert_eq!(there[0].to_bits(), temperature.to_bits());
            assert_ne!(there[0].to_bits(), there[1].to_bits());
            // One that has played other games before comes to the same.
            let back = player();
            for (game, there) in games.iter().zip(there).rev() {
                assert_eq!(temperature_in(&back, game).to_bits(), there.to_bits());
            }
            // It plays by it, and so does a copy.
            let mut tempered =
                NetAgent::new("net", net.clone(), ActionSelection::Tempered(there[1]));
            let mut env = Env::new(games[1].clone(), Episode::Deal);
            env.reset(Seed::new(5));
            let view = env.observe(env.seat());
            let chances = tempered.probabilities(&view).expect("it draws");
            assert_eq!(level.probabilities(&view).expect("it draws"), chances);
            assert_eq!(level.another().probabilities(&view).expect("it draws"), chances);
        }
    }

    #[test]
    fn a_path_is_not_a_name() {
        assert!(named("./champion").is_none());
        assert!(choosing("net:./champion", ActionSelection::Greedy, None).is_err());
    }
}
