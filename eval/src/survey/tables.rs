//! The tables of a survey.

use std::str::FromStr;
use std::sync::Arc;

use newmarket_env::rules::{House, NAMES};
use newmarket_env::{Game, Rules, Seed};
use serde::{Deserialize, Serialize};

/// The tables of a survey, as `--tables` names them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SurveyTables {
    /// `named`: every named game with every number of players.
    Named,
    /// `held-out:K`: K houses, see [`SurveyTable::held_out`].
    HeldOut(usize),
    /// `unpaid:K`: K houses, see [`SurveyTable::unpaid`].
    Unpaid(usize),
}

impl SurveyTables {
    /// The tables; those of houses are other ones for each seed.
    pub fn of_seed(self, seed: u64) -> Vec<SurveyTable> {
        match self {
            Self::Named => SurveyTable::named(),
            Self::HeldOut(count) => SurveyTable::held_out(count, seed),
            Self::Unpaid(count) => SurveyTable::unpaid(count, seed),
        }
    }
}

impl FromStr for SurveyTables {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let kind = match text.split_once(':') {
            None if text == "named" => return Ok(Self::Named),
            Some(("held-out", _)) => Self::HeldOut,
            Some(("unpaid", _)) => Self::Unpaid,
            _ => return Err(EXPECTED.into()),
        };
        let count = text.split_once(':').and_then(|(_, count)| count.parse().ok());
        let count = count.filter(|count| (1..=10_000).contains(count));
        count.map(kind).ok_or_else(|| EXPECTED.into())
    }
}

const EXPECTED: &str = "expected named, or held-out:K or unpaid:K with K from 1 to 10000";

/// One in this many houses has an excluded pair of options.
const PAIRS: u64 = 4;

/// Numbers of houses that belong to one seed.
const NUMBERS: u64 = 1 << 20;

/// A kind of table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TableKind {
    /// A named game.
    Named,
    /// House rules that are held out from training by their hash.
    HeldOut,
    /// The same with a pair of options that the champion of version 0.1 never saw together.
    HeldOutPair,
}

/// One table of a survey.
#[derive(Clone, Debug)]
pub struct SurveyTable {
    /// The rules as a command takes them: a name, or `house:N`.
    pub rules: String,
    /// The rules and the number of seats.
    pub game: Arc<Game>,
    /// The kind of table.
    pub kind: TableKind,
}

impl SurveyTable {
    /// Every named game with every number of players that it allows.
    pub fn named() -> Vec<Self> {
        let mut tables = Vec::new();
        for name in NAMES {
            let rules = Rules::named(name).expect("a named game");
            for players in rules.players.0..=rules.players.1 {
                let game = Game::new(rules.clone(), players).expect("it seats them");
                let kind = TableKind::Named;
                tables.push(Self { rules: name.into(), game: Arc::new(game), kind });
            }
        }
        tables
    }

    /// `count` houses that are held out from training, a fourth of them with an
    /// [excluded pair](House::has_excluded_pair) of options. Each seed has its own houses.
    pub fn held_out(count: usize, seed: u64) -> Vec<Self> {
        let pairs = count / PAIRS as usize;
        let mut left = [count - pairs, pairs];
        let houses = Self::houses(seed).filter(|table| {
            let left = &mut left[usize::from(table.kind == TableKind::HeldOutPair)];
            let is_wanted = *left > 0;
            *left -= usize::from(is_wanted);
            is_wanted
        });
        houses.take(count).collect()
    }

    /// `count` houses that are held out from training in which cards left cost nothing. Each seed has its own houses.
    pub fn unpaid(count: usize, seed: u64) -> Vec<Self> {
        Self::houses(seed).filter(|table| table.game.rules().per_card == 0).take(count).collect()
    }

    /// The houses of a seed that are held out from training, without end.
    fn houses(seed: u64) -> impl Iterator<Item = Self> {
        let first = seed.wrapping_mul(NUMBERS);
        let drawn = (0..).map(move |nth: u64| first.wrapping_add(nth));
        drawn.filter_map(|number| {
            let house = House::draw(Seed::new(number));
            if !house.is_held_out() {
                return None;
            }
            let pair = house.has_excluded_pair();
            let kind = if pair { TableKind::HeldOutPair } else { TableKind::HeldOut };
            let rules = format!("house:{number}");
            let game = Rules::load(&rules).expect("the rules of a house");
            let game = Game::new(game, house.players).expect("a house seats its players");
            Some(Self { rules, game: Arc::new(game), kind })
        })
    }

    /// The unit of gains: the ante of a seat that does not deal, in chips, at least 1.
    pub(super) fn ante(&self) -> f64 {
        f64::from(self.game.rules().full_ante(false).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn houses_of_a_survey_are_never_trained_on() {
        let tables = SurveyTable::held_out(40, 9);
        let pairs = tables.iter().filter(|table| table.kind == TableKind::HeldOutPair).count();
        assert_eq!((tables.len(), pairs), (40, 10));
        let unpaid = SurveyTable::unpaid(5, 9);
        assert_eq!(unpaid.len(), 5);
        assert!(unpaid.iter().all(|table| table.game.rules().per_card == 0));
        for table in tables.iter().chain(&unpaid) {
            let loaded = Rules::load(&table.rules).expect("a house");
            assert_eq!(&loaded, table.game.rules());
            let house = House { rules: loaded, players: table.game.players() };
            assert!(house.is_held_out());
            assert_eq!(house.has_excluded_pair(), table.kind == TableKind::HeldOutPair);
        }
        assert_ne!(SurveyTable::held_out(1, 10)[0].rules, tables[0].rules);
    }
}
