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
    fn a_path_is_not_a_name() {
        assert!(named("./champion").is_none());
        assert!(choosing("net:./champion", Choice::Greedy, None).is_err());
    }
}
