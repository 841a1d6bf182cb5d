//! How a network chooses, as a manifest says it: for each kind of decision `"likeliest"`, or the
//! temperature at which it draws.

use alloc::borrow::ToOwned as _;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;

use newmarket_agents::net::{PlayKind, Plays};
use serde::de::Error as _;
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The word for a kind that is not drawn.
const LIKELIEST: &str = "likeliest";

/// A choice as a manifest has it.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Choice {
    Word(String),
    Temperature(f32),
}

pub(crate) fn serialize<S: Serializer>(plays: &Plays, to: S) -> Result<S::Ok, S::Error> {
    let mut map = to.serialize_map(Some(PlayKind::COUNT))?;
    for kind in PlayKind::ALL {
        let drawn = plays.temperature(kind).map(Choice::Temperature);
        let choice = drawn.unwrap_or_else(|| Choice::Word(LIKELIEST.to_owned()));
        map.serialize_entry(PlayKind::NAMES[kind as usize], &choice)?;
    }
    map.end()
}

/// A kind that is not named takes its likeliest action.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Plays, D::Error> {
    let mut plays = Plays::LIKELIEST;
    for (name, choice) in BTreeMap::<String, Choice>::deserialize(from)? {
        let kind = PlayKind::NAMES.iter().position(|&known| known == name);
        let kind = kind.map(|nth| PlayKind::ALL[nth]).ok_or_else(|| {
            let known = PlayKind::NAMES.join(", ");
            D::Error::custom(format!("`plays` has `{name}`, expected {known}"))
        })?;
        match choice {
            Choice::Word(word) if word == LIKELIEST => {}
            Choice::Temperature(by) if (Plays::LEAST..=Plays::MOST).contains(&by) => {
                plays = plays.with(kind, Some(by));
            }
            Choice::Word(_) | Choice::Temperature(_) => {
                let (least, most) = (Plays::LEAST, Plays::MOST);
                return Err(D::Error::custom(format!(
                    "`plays.{name}` must be \"likeliest\" or a temperature between {least} and {most}"
                )));
            }
        }
    }
    Ok(plays)
}

/// Whether a manifest leaves it out.
pub(crate) fn is_likeliest(plays: &Plays) -> bool {
    !plays.draw()
}
