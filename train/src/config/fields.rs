//! What can be set, and which values make sense.

use crate::TrainError;
use crate::heads;
use crate::schedule::Schedule;
use crate::ties::Symmetry;
use newmarket_env::rules::NAMES;
use newmarket_env::{Game, Rules};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Everything that a run is a function of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The root of all randomness: deals, exploration, initial weights, the order of minibatches.
    pub seed: u64,
    /// How long, and what is kept.
    pub run: Run,
    /// The policy network.
    pub network: Network,
    /// How games are gathered.
    pub rollout: Rollout,
    /// How they are learnt from.
    pub learner: Learner,
    /// Who else sits at the tables.
    pub opponents: Opponents,
    /// Which games are played, each with its share.
    pub tables: Vec<TableMix>,
}

/// How long a run is, and what it leaves behind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Planned updates. Schedules run over this number, so that it, not the clock, decides what is
    /// learnt; a limit in minutes only ends a run early.
    pub updates: u64,
    /// Ends the run after so many minutes of training even if updates are left; 0: no limit.
    pub minutes: f64,
    /// A checkpoint every so many updates (there is always one at the end and after Ctrl-C).
    pub checkpoint_every: u64,
    /// How many of the latest checkpoints are kept besides the best; 0: all.
    pub keep: usize,
    /// The yardstick is measured every so many updates, and at the end; 0: never.
    pub yardstick_every: u64,
    /// Deals of one measurement against each yardstick, rotations of seats counted once.
    pub yardstick_deals: u64,
    /// Agents whose tables the policy is measured at, by name.
    pub yardsticks: Vec<String>,
    /// What is measured, kept as best and shipped is an exponential average of the weights with
    /// this decay an update (0: the latest weights; 0.99: about the last hundred updates).
    pub average: f64,
}

/// The policy network, a shared trunk with a policy head and a value head, and what is learnt beside
/// it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Network {
    /// Units of the hidden layers, from the input on.
    pub hidden: Vec<usize>,
    /// Which suits can change places without changing the network's opinion.
    pub symmetry: Symmetry,
    /// A checkpoint, or a run folder, whose weights are the first ones; empty: random ones. Its
    /// value head is not taken over.
    pub start: String,
    /// Units of the hidden layers of a critic that sees all hands and gives the values of the
    /// rollout, where outcomes are the judge; empty: the value head gives them. It stays with the
    /// training.
    #[serde(default)]
    pub critic: Vec<usize>,
    /// What else the last hidden layer learns to say; it stays with the training too.
    #[serde(default)]
    pub auxiliary: Vec<Auxiliary>,
}

/// Something that the units of the policy network learn to say beside choices and their value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Auxiliary {
    /// In which hand each hidden card is, or that it is dead.
    Cards,
    /// What each seat, not only the own one, gains from here to the end of the deal: in the mean over
    /// playouts where these are the judge, else in the deal as it was played.
    Values,
}

impl Auxiliary {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Cards, Self::Values];

    /// What it is called in a configuration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cards => "cards",
            Self::Values => "values",
        }
    }
}

/// How games are gathered for one update.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rollout {
    /// Deals played for one update, over all tables.
    pub deals: usize,
    /// Playouts of each choice that is tried, the first from the true state, the others in imagined
    /// worlds; 0: decisions are judged by their outcome instead.
    pub playouts: usize,
    /// Imagined worlds in which every choice is tried, a heuristic playing them out; 0: choices
    /// are tried by the policy's playouts, or not at all.
    pub worlds: u32,
    /// The progress, 0 to 1, at which playouts take over from worlds.
    pub worlds_until: f64,
    /// Share of the ante's chips that are tried and learnt from: there are many, and each says
    /// little.
    pub antes: f64,
    /// Share of all other decisions that are.
    pub decisions: f64,
    /// λ of generalised advantage estimation, where outcomes are the judge: 1 is unbiased and
    /// noisy, 0 trusts the value head.
    pub lambda: f64,
}

/// How one update learns from the games gathered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Learner {
    /// Passes over the rows of an update.
    pub epochs: usize,
    /// Rows of a minibatch, about; 1,024 suits the caches.
    pub minibatch: usize,
    /// Pieces of a minibatch that workers take side by side. Changing it changes the last digits
    /// of the weights; changing the number of workers does not.
    pub shards: usize,
    /// Adam's step size.
    pub learning_rate: Schedule,
    /// Where every choice is tried: the policy that is aimed at is the softmax of advantages over so
    /// many chips, learnt by regression; 0: the clipped objective of PPO.
    pub temperature: f64,
    /// PPO's clip range ε.
    pub clip: Schedule,
    /// Clip range of whoever gives the values of the rollout, in units of its output; 0: plain
    /// squared error.
    pub value_clip: f64,
    /// Weight of the value loss, and of the critic's.
    pub value_weight: f64,
    /// Weight of the loss of each of `network.auxiliary`.
    #[serde(default)]
    pub auxiliary: f64,
    /// Weight of the entropy bonus.
    pub entropy: Schedule,
    /// Weight of the divergence from the policy of the rollout (magnetic mirror descent); 0: none.
    pub kl: Schedule,
    /// Divergence, in nats, at which the epochs of an update stop early; 0: never.
    pub target_kl: f64,
    /// Global norm above which gradients are scaled down; 0: never.
    pub max_grad_norm: f64,
}

/// Who else sits at the tables besides the policy of now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opponents {
    /// Share of deals in which a past self sits in some of the seats.
    pub past: f64,
    /// How many past selves are remembered.
    pub pool: usize,
    /// A past self is remembered every so many updates.
    pub every: u64,
    /// Chance of each seat but one to be the opponent's, in deals with one; 1: a single seat learns.
    pub seats: f64,
    /// Agents of any kind that play the same twice, each with its share of deals.
    pub agents: Vec<Opponent>,
}

/// An agent that sits in some of the seats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opponent {
    /// Its name, as on the command line: `stopper`, `pimc:20`, `net:PATH`. A network's file is
    /// copied into the run folder, so that the run stays what it is.
    pub agent: String,
    /// Share of deals in which it sits at the table.
    pub share: f64,
    /// Who takes its place in playouts, where it is too slow itself; empty: nobody. What is learnt
    /// is then how to play against somebody a little different.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stand_in: String,
}

/// One kind of table, or several that share alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableMix {
    /// A named game, the path of a rules file, or [`TableMix::ALL`] named games.
    pub rules: String,
    /// Players at the table: a number, or the least and the most.
    pub players: Players,
    /// Its share of the deals, in proportion to those of the others.
    pub share: f64,
    /// What an episode is.
    pub episode: EpisodeKind,
}

/// A number of players, or a range of them: `4`, `[3, 8]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Players {
    /// So many.
    Exactly(usize),
    /// From the first to the second, as far as the rules seat so many.
    Range([usize; 2]),
}

impl fmt::Display for Players {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exactly(players) => write!(f, "{players}"),
            Self::Range([least, most]) => write!(f, "{least} to {most}"),
        }
    }
}

impl TableMix {
    /// What stands for every named game.
    pub const ALL: &str = "all";

    /// The games of this kind of table.
    ///
    /// # Errors
    ///
    /// If there are no such rules, or they do not seat so many players.
    pub fn games(&self) -> Result<Vec<Game>, TrainError> {
        let names = if self.rules == Self::ALL { &NAMES[..] } else { &[&*self.rules] };
        let mut games = Vec::new();
        for &name in names {
            let wrong = || TrainError::rules(&self.rules);
            let rules = Rules::load(name).map_err(wrong())?;
            let (least, most) = match self.players {
                Players::Exactly(players) => (players, players),
                Players::Range([from, to]) => (from.max(rules.players.0), to.min(rules.players.1)),
            };
            for players in least..=most {
                games.push(Game::new(rules.clone(), players).map_err(wrong())?);
            }
        }
        if games.is_empty() {
            let fault = format!("`players` of `{}` is a range that it does not seat", self.rules);
            return Err(TrainError::Values(vec![fault]));
        }
        Ok(games)
    }
}

/// What an episode is; returns always end with the deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EpisodeKind {
    /// A deal on an empty layout.
    Deal,
    /// A deal out of a running session: chips of earlier deals lie on the layout.
    CarriedDeal,
}

impl Rollout {
    /// In how many sampled determinizations every choice is tried at this point of the run; 0: choices are
    /// judged in another way.
    pub fn worlds_at(&self, progress: f64) -> u32 {
        if progress < self.worlds_until { self.worlds } else { 0 }
    }
}

impl Config {
    /// Whether these values make sense together.
    ///
    /// # Errors
    ///
    /// [`TrainError::Values`] with every fault, not only the first.
    pub fn validate(&self) -> Result<(), TrainError> {
        let mut faults = Vec::new();
        let mut check = |fine: bool, fault: String| {
            if !fine {
                faults.push(fault);
            }
        };
        let (run, rollout, learner) = (&self.run, &self.rollout, &self.learner);
        for (name, value) in [
            ("run.updates", run.updates),
            ("run.checkpoint_every", run.checkpoint_every),
            ("rollout.deals", rollout.deals as u64),
            ("learner.epochs", learner.epochs as u64),
            ("learner.minibatch", learner.minibatch as u64),
            ("learner.shards", learner.shards as u64),
            ("opponents.every", self.opponents.every),
        ] {
            check(value > 0, format!("`{name}` is 0, at least 1 is needed"));
        }
        for (name, value) in [
            ("run.minutes", run.minutes),
            ("learner.temperature", learner.temperature),
            ("learner.value_clip", learner.value_clip),
            ("learner.value_weight", learner.value_weight),
            ("learner.auxiliary", learner.auxiliary),
            ("learner.target_kl", learner.target_kl),
            ("learner.max_grad_norm", learner.max_grad_norm),
        ] {
            check(
                value >= 0.0 && value.is_finite(),
                format!("`{name}` is {value}, 0 or more is needed"),
            );
        }
        check(
            (0.0..1.0).contains(&run.average),
            format!("`run.average` is {}, a decay from 0 to below 1 is needed", run.average),
        );
        check(
            (0.0..=1.0).contains(&rollout.lambda),
            format!("`rollout.lambda` is {}, a number from 0 to 1 is needed", rollout.lambda),
        );
        let tried = rollout.playouts > 0 || rollout.worlds > 0 && rollout.worlds_until >= 1.0;
        check(
            learner.temperature <= 0.0 || tried,
            "`learner.temperature` is not 0 while outcomes are the judge: `rollout.playouts` is 0"
                .into(),
        );
        check(
            (0.0..=1.0).contains(&rollout.worlds_until),
            format!("`rollout.worlds_until` is {}, 0 to 1 is needed", rollout.worlds_until),
        );
        check(
            run.yardstick_every == 0 || run.yardstick_deals > 0,
            "`run.yardstick_deals` is 0, at least 1 is needed".into(),
        );
        for (name, hidden, shape) in [
            ("network.hidden", &self.network.hidden, Some(heads::shape(self))),
            ("network.critic", &self.network.critic, heads::critic(self)),
        ] {
            let fine = shape.is_none_or(|shape| shape.validate().is_ok());
            check(fine, format!("`{name}` is {hidden:?}, e.g. [128, 128] would do"));
        }
        check(
            self.network.critic.is_empty() || !tried,
            "`network.critic` needs outcomes for a judge: `rollout.playouts` 0, and `rollout.worlds` 0 \
             or `rollout.worlds_until` below 1"
                .into(),
        );
        check(
            self.network.auxiliary.is_empty() || learner.auxiliary > 0.0,
            "`network.auxiliary` is not empty while its weight, `learner.auxiliary`, is 0".into(),
        );
        for (name, schedule, positive) in [
            ("learner.learning_rate", &learner.learning_rate, false),
            ("learner.clip", &learner.clip, true),
            ("learner.entropy", &learner.entropy, false),
            ("learner.kl", &learner.kl, false),
        ] {
            if let Some(fault) = schedule.fault() {
                check(false, format!("`{name}` {fault}"));
                continue;
            }
            let least = schedule.range().0;
            let fine = if positive { least > 0.0 } else { least >= 0.0 };
            check(fine, format!("`{name}` falls to {least}, which is too low"));
        }
        let apart =
            self.network.symmetry == Symmetry::Suits && self.tells_colours().unwrap_or(false);
        check(
            !apart,
            "`network.symmetry` is \"suits\" while a game asks for the other colour: \"colours\" would do"
                .into(),
        );
        self.validate_tables(&mut check);
        if faults.is_empty() { Ok(()) } else { Err(TrainError::Values(faults)) }
    }

    fn validate_tables(&self, check: &mut impl FnMut(bool, String)) {
        check(!self.tables.is_empty(), "`tables` is empty, at least one is needed".into());
        for table in &self.tables {
            check(
                table.share > 0.0 && table.share.is_finite(),
                format!(
                    "the share of `{}` is {}, a positive number is needed",
                    table.rules, table.share
                ),
            );
        }
        let others = &self.opponents;
        let shares: Vec<f64> = others.agents.iter().map(|o| o.share).chain([others.past]).collect();
        check(
            shares.iter().all(|s| *s >= 0.0) && shares.iter().sum::<f64>() <= 1.0,
            "the shares of `opponents` must be 0 or more and come to at most 1".into(),
        );
        check(
            (0.0..=1.0).contains(&others.seats),
            format!("`opponents.seats` is {}, a chance from 0 to 1 is needed", others.seats),
        );
        check(
            others.past <= 0.0 || others.pool > 0,
            "`opponents.pool` is 0 while `opponents.past` is not".into(),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_faults_are_listed_at_once() {
        let mut config = Config::preset("quick").expect("quick");
        config.learner.epochs = 0;
        config.rollout.lambda = 1.5;
        config.network.hidden = vec![];
        config.tables[0].share = -1.0;
        config.learner.clip = Schedule::Constant(0.0);
        let message = config.validate().expect_err("faulty").to_string();
        for word in ["learner.epochs", "lambda", "network.hidden", "share", "learner.clip"] {
            assert!(message.contains(word), "{word} is missing: {message}");
        }
        assert!(!message.contains('\n'));
    }

    #[test]
    fn what_is_learnt_besides_is_refused_where_nobody_would_learn_it() {
        let faults = |sets: &[&str]| {
            let sets: Vec<String> = sets.iter().map(|&set| set.into()).collect();
            Config::load("quick", None, &sets).err().map(|error| error.to_string())
        };
        let outcomes = ["rollout.playouts=0", "rollout.worlds=0", "learner.temperature=0"];
        assert_eq!(faults(&[&outcomes[..], &["network.critic=[64]"]].concat()), None);
        let later = ["rollout.playouts=0", "rollout.worlds_until=0.5", "learner.temperature=0"];
        assert_eq!(faults(&[&later[..], &["network.critic=[64]"]].concat()), None);
        for (sets, word) in [
            (vec!["network.critic=[64]"], "network.critic"),
            (vec!["network.critic=[64]", "rollout.worlds=0"], "rollout.playouts"),
            ([&outcomes[..], &["network.critic=[64, 0]"]].concat(), "[64, 0]"),
            (vec!["network.hidden=[99999]"], "[99999]"),
            (vec!["network.auxiliary=['card']"], "cards"),
            (vec!["network.auxiliary=['cards']", "learner.auxiliary=0"], "learner.auxiliary"),
            (vec!["learner.auxiliary=-1"], "learner.auxiliary"),
        ] {
            let message = faults(&sets).expect(word);
            assert!(message.contains(word) && !message.contains('\n'), "{message}");
        }
    }

    /// Folders of runs from before there was such a thing go on.
    #[test]
    fn a_configuration_without_these_keys_has_none_of_it() {
        let text = Config::preset("quick").expect("quick").to_toml();
        let old = text
            .lines()
            .filter(|line| !["critic =", "auxiliary ="].iter().any(|key| line.starts_with(key)));
        let old: String = old.flat_map(|line| [line, "\n"]).collect();
        let config = Config::from_toml(&old, "old").expect("complete");
        config.validate().expect("fits");
        assert!(old.len() < text.len());
        assert!(config.network.critic.is_empty() && config.network.auxiliary.is_empty());
    }

    #[test]
    fn no_number_that_is_not_one_gets_through() {
        let mut config = Config::preset("quick").expect("quick");
        config.run.minutes = f64::NAN;
        config.learner.max_grad_norm = f64::INFINITY;
        let message = config.validate().expect_err("faulty").to_string();
        assert!(message.contains("run.minutes") && message.contains("max_grad_norm"), "{message}");
    }
}
