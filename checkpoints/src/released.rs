//! The opponents that come with the program, by name: `net:champion` and its weaker selves.

use newmarket_agents::net::Choice;

/// An opponent that needs no file.
#[derive(Clone, Copy, Debug)]
pub struct Released {
    /// What stands behind `net:`.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// The checkpoint.
    pub file: &'static [u8],
    /// How it chooses.
    pub choice: Choice,
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
        choice: Choice::Greedy,
    },
    Released {
        name: "hard",
        about: "the champion with small mistakes",
        file: CHAMPION,
        choice: Choice::Level(2.0),
    },
    Released {
        name: "medium",
        about: "the champion with mistakes",
        file: CHAMPION,
        choice: Choice::Level(6.0),
    },
    Released {
        name: "easy",
        about: "the champion, hardly looking",
        file: CHAMPION,
        choice: Choice::Level(25.0),
    },
];

/// The one of this name. A file or folder of the same name can be had as `./champion`.
pub fn named(name: &str) -> Option<Released> {
    ALL.into_iter().find(|released| released.name == name)
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use std::path::Path;

    use alloc::format;
    use alloc::sync::Arc;
    use alloc::vec::Vec;

    use newmarket_agents::Agent as _;
    use newmarket_agents::net::NetAgent;
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
            let agent = choosing(&name, Choice::Greedy, None).expect("it is known by name");
            assert_eq!(agent.name(), name);
        }
    }

    #[test]
    fn a_level_is_its_temperature_in_newmarket_and_has_one_of_its_own_elsewhere() {
        let saved = net_checkpoint(Path::new("champion")).expect("it comes with the program");
        let net = Arc::new(QuantisedNet::new(&saved.weights));
        let player = |choice| NetAgent::new("net", net.clone(), choice);
        let table = |(name, players)| {
            let rules = Rules::named(name).expect("a named game");
            Arc::new(Game::new(rules, players).expect("it seats them"))
        };
        let games = [("newmarket", 4), ("michigan", 6), ("four-horses", 3)].map(table);
        // How likely each of some actions is, one decision after the other.
        let chances = |agent: &mut NetAgent, game: &Arc<Game>| -> Vec<f64> {
            let mut env = Env::new(game.clone(), Episode::Deal);
            env.reset(Seed::new(5));
            let mut chances = Vec::new();
            while !env.is_over() {
                let view = env.observe(env.seat());
                let of = agent.probabilities(&view).expect("it draws");
                let best =
                    (0..of.len()).max_by(|&a, &b| of[a].total_cmp(&of[b])).expect("a choice");
                chances.extend(of);
                env.step(view.legal().nth(best).expect("legal")).expect("legal");
            }
            chances
        };
        for by in [2.0, 6.0, 25.0] {
            let (mut level, mut tempered) =
                (player(Choice::Level(by)), player(Choice::Tempered(by)));
            let same = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4);
            let there: Vec<_> = games.iter().map(|game| chances(&mut level, game)).collect();
            assert!(same(&there[0], &chances(&mut tempered, &games[0])));
            assert!(!same(&there[1], &chances(&mut tempered, &games[1])));
            // A copy that has played other games before comes to the same.
            let mut copy = level.another();
            let mut back = player(Choice::Level(by));
            for game in games.iter().rev() {
                chances(&mut back, game);
            }
            assert_eq!(chances(&mut back, &games[2]), there[2]);
            let mut env = Env::new(games[1].clone(), Episode::Deal);
            env.reset(Seed::new(5));
            let first = copy.probabilities(&env.observe(env.seat())).expect("it draws");
            assert_eq!(first, there[1][..first.len()]);
        }
    }

    #[test]
    fn a_path_is_not_a_name() {
        assert!(named("./champion").is_none());
        assert!(choosing("net:./champion", Choice::Greedy, None).is_err());
    }
}
