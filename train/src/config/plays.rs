//! How the policy chooses, kind of decision by kind.

use crate::schedule::Schedule;
use newmarket_agents::net::{PlayKind, Plays};
use serde::{Deserialize, Serialize};

/// For each kind of decision, whether the policy takes its likeliest action or draws one. Rollouts,
/// benchmarks and checkpoints all go by it.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlaysConfig {
    /// A chip of an ante before the cards are seen.
    pub ante: KindChoice,
    /// A chip of an ante after the look at one's hand.
    pub ante_after_look: KindChoice,
    /// Whether to take the dead hand, or to put it up for auction.
    pub dead_hand: KindChoice,
    /// A bid for the dead hand, or a pass.
    pub auction: KindChoice,
    /// Poker.
    pub bet: KindChoice,
    /// A lead.
    pub lead: KindChoice,
}

/// How one kind of decision is taken.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(from = "KindChoiceText", into = "KindChoiceText")]
pub enum KindChoice {
    /// By the likeliest action.
    #[default]
    Likeliest,
    /// By an action drawn from the softmax of the logits divided by this temperature. With the objective
    /// `regression` a logit is worth `temperature` units of the table.
    Drawn(Schedule),
}

/// A choice in TOML: a word, or a number or schedule.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "expected \"likeliest\", or a temperature as 0.1 or { linear = { from = 1, to = 0.1 } }"
)]
enum KindChoiceText {
    Word(Word),
    Drawn(Schedule),
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Word {
    Likeliest,
}

impl From<KindChoiceText> for KindChoice {
    fn from(text: KindChoiceText) -> Self {
        match text {
            KindChoiceText::Word(Word::Likeliest) => Self::Likeliest,
            KindChoiceText::Drawn(schedule) => Self::Drawn(schedule),
        }
    }
}

impl From<KindChoice> for KindChoiceText {
    fn from(choice: KindChoice) -> Self {
        match choice {
            KindChoice::Likeliest => Self::Word(Word::Likeliest),
            KindChoice::Drawn(schedule) => Self::Drawn(schedule),
        }
    }
}

impl PlaysConfig {
    /// The choices of all kinds.
    fn kinds(&self) -> [(PlayKind, KindChoice); PlayKind::COUNT] {
        [
            (PlayKind::Ante, self.ante),
            (PlayKind::AnteAfterLook, self.ante_after_look),
            (PlayKind::DeadHand, self.dead_hand),
            (PlayKind::Auction, self.auction),
            (PlayKind::Bet, self.bet),
            (PlayKind::Lead, self.lead),
        ]
    }

    /// How the policy plays at this progress, 0 to 1.
    pub fn at(&self, progress: f64) -> Plays {
        self.kinds().into_iter().fold(Plays::LIKELIEST, |plays, (kind, choice)| {
            let temperature = match choice {
                KindChoice::Likeliest => None,
                KindChoice::Drawn(schedule) => Some(schedule.at(progress) as f32),
            };
            plays.with(kind, temperature)
        })
    }

    pub(super) fn faults(&self) -> impl Iterator<Item = String> {
        let (least, most) = (Plays::LEAST, Plays::MOST);
        let allowed = f64::from(least)..=f64::from(most);
        self.kinds().into_iter().filter_map(move |(kind, choice)| {
            let KindChoice::Drawn(schedule) = choice else { return None };
            let ends = [0.0, 1.0].map(|progress| schedule.at(progress));
            let wrong = ends.into_iter().find(|end| !allowed.contains(end))?;
            let name = PlayKind::NAMES[kind as usize];
            Some(format!("`plays.{name}` is {wrong}, {least} to {most} are allowed"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;

    fn set(text: &str) -> Result<Config, crate::TrainError> {
        let config = Config::preset("standard").expect("standard").with_override(text)?;
        config.validate().map(|()| config)
    }

    #[test]
    fn each_kind_is_the_one_of_its_name() {
        for (name, kind) in PlayKind::NAMES.into_iter().zip(PlayKind::ALL) {
            let config = PlaysConfig::default();
            let kinds: toml::Table = toml::from_str(&format!("{name} = 0.5")).expect("TOML");
            let drawn: PlaysConfig = kinds.try_into().expect("a kind");
            assert_eq!(drawn.at(0.3), Plays::LIKELIEST.with(kind, Some(0.5)), "{name}");
            assert_eq!(config.at(0.3), Plays::LIKELIEST);
        }
    }

    #[test]
    fn a_temperature_follows_its_schedule() {
        let config = set("plays.auction={linear={from=1,to=0.1}}").expect("a schedule");
        let at = |progress| config.plays.at(progress).temperature(PlayKind::Auction);
        assert_eq!([0.0, 0.5, 1.0].map(at), [Some(1.0), Some(0.55), Some(0.1)]);
        let again = Config::from_toml(&config.to_toml().expect("TOML"), "again").expect("it reads");
        assert_eq!(again, config);
        let back = config.with_override("plays.auction=likeliest").expect("a word");
        assert_eq!(back.plays.at(0.5).temperature(PlayKind::Auction), None);
    }

    #[test]
    fn what_is_no_temperature_is_refused_in_a_line() {
        for (text, word) in [
            ("plays.auction=0", "`plays.auction` is 0, 0.001 to 1000000 are allowed"),
            ("plays.lead={linear={from=1,to=-1}}", "`plays.lead` is -1"),
            ("plays.lead={linear={from=nan,to=1}}", "`plays.lead` is NaN"),
            ("plays.bet=boldly", "expected \"likeliest\", or a temperature"),
            ("plays.bid=0.1", "there is no key `plays.bid`"),
        ] {
            let error = set(text).expect_err(text).to_string();
            assert!(error.contains(word) && !error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn a_configuration_without_the_section_takes_likeliest_actions() {
        let config = Config::preset("standard").expect("standard");
        let text = config.to_toml().expect("TOML");
        let mut table: toml::Table = toml::from_str(&text).expect("TOML");
        table.remove("plays").expect("it is there");
        let old = Config::from_toml(&table.to_string(), "an old file").expect("complete");
        assert_eq!(old.plays, PlaysConfig::default());
    }
}
