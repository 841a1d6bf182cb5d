//! Checks of values that depend on each other.

use super::{Config, EpisodeKind};
use crate::TrainError;
use crate::equivariance::Symmetry;

impl Config {
    /// Checks all values.
    ///
    /// # Errors
    ///
    /// [`TrainError::Values`] with all faults.
    pub fn validate(&self) -> Result<(), TrainError> {
        let mut faults = Faults::default();
        self.check_numbers(&mut faults);
        self.check_phases(&mut faults);
        faults.0.extend(self.plays.faults());
        self.check_network(&mut faults);
        self.check_tables(&mut faults);
        self.check_strategies(&mut faults);
        self.check_benchmarks(&mut faults);
        if faults.0.is_empty() { Ok(()) } else { Err(TrainError::Values(faults.0)) }
    }

    fn check_numbers(&self, faults: &mut Faults) {
        let (run, learner) = (&self.run, &self.learner);
        for (name, value) in [
            ("run.checkpoint_every", run.checkpoint_every),
            ("rollout.deals", self.rollout.deals as u64),
            ("learner.epochs", learner.epochs as u64),
            ("learner.minibatch", learner.minibatch as u64),
            ("learner.shards", learner.shards as u64),
        ] {
            faults.unless(value > 0, || format!("`{name}` is 0, at least 1 is needed"));
        }
        faults.unless(run.updates > 0 || run.minutes > 0.0, || {
            "`run.updates` and `run.minutes` are both 0, one of them is needed".into()
        });
        // Bounds memory.
        for (name, value, most) in [
            ("run.benchmark_deals", run.benchmark_deals, 1_000_000),
            ("rollout.deals", self.rollout.deals as u64, 1_000_000),
            ("learner.minibatch", learner.minibatch as u64, 1_000_000),
            ("learner.shards", learner.shards as u64, 10_000),
        ] {
            faults.unless(value <= most, || {
                format!("`{name}` is {value}, at most {most} is possible")
            });
        }
        for (name, value) in [
            ("run.minutes", run.minutes),
            ("learner.value_weight", learner.value_weight),
            ("learner.max_grad_norm", learner.max_grad_norm),
        ] {
            let fits = value >= 0.0 && value.is_finite();
            faults.unless(fits, || format!("`{name}` is {value}, 0 or more is needed"));
        }
        let least = learner.learning_rate.least();
        faults.unless(least >= 0.0 && least.is_finite(), || {
            format!("`learner.learning_rate` falls to {least}, 0 or more is needed")
        });
        faults.unless((0.0..1.0).contains(&run.ema_decay), || {
            format!("`run.ema_decay` is {}, a decay from 0 to below 1 is needed", run.ema_decay)
        });
        faults.unless(run.benchmark_every == 0 || run.benchmark_deals > 0, || {
            "`run.benchmark_deals` is 0, at least 1 is needed".into()
        });
    }

    fn check_strategies(&self, faults: &mut Faults) {
        for known in &self.strategies {
            if let Err(fault) = known.strategy.content() {
                faults.0.push(format!("the strategy `{}` of `strategies`: {fault}", known.agent));
            }
        }
    }

    /// The names of metrics end with a figure or a game: no two opponents may have the same ones.
    fn check_benchmarks(&self, faults: &mut Faults) {
        let figures = ["", "_ci95", "_wins", "_change", "_change_ci95", "_change_since"];
        let metrics = |agent: &str| -> Vec<String> {
            let games =
                self.tables.iter().map(|table| format!("gains over {agent}/{}", table.rules));
            figures.iter().map(|figure| format!("benchmark/{agent}{figure}")).chain(games).collect()
        };
        let opponents = &self.run.benchmark_opponents;
        for (nth, agent) in opponents.iter().enumerate() {
            let own = metrics(agent);
            let other = opponents[..nth]
                .iter()
                .find(|other| metrics(other).iter().any(|name| own.contains(name)));
            if let Some(other) = other {
                faults.0.push(format!(
                    "`run.benchmark_opponents` has `{other}` and `{agent}`, whose metrics have the same names: \
                     expected other names"
                ));
            }
        }
    }

    fn check_phases(&self, faults: &mut Faults) {
        let mut start = 0.0;
        for (nth, phase) in self.phases.iter().enumerate() {
            let until = phase.until;
            faults.unless(until > start && until <= 1.0, || {
                format!("`phases.{nth}.until` is {until}, above {start} and at most 1 is needed")
            });
            start = until;
            faults
                .0
                .extend(phase.faults().into_iter().map(|fault| format!("phases.{nth}: {fault}")));
        }
        faults.unless(start >= 1.0, || {
            format!("the last of `phases` ends at {start}, its `until` must be 1")
        });
    }

    fn check_network(&self, faults: &mut Faults) {
        let hidden = &self.network.hidden;
        faults.unless(self.network.shape().validate().is_ok(), || {
            format!("`network.hidden` is {hidden:?}, e.g. [128, 128] would do")
        });
        let suits = self.network.symmetry == Symmetry::Suits;
        faults.unless(!(suits && self.tells_colours().unwrap_or(false)), || {
            "`network.symmetry` is \"suits\" while a game asks for the other colour: \"colours\" \
             would do"
                .into()
        });
    }

    fn check_tables(&self, faults: &mut Faults) {
        faults
            .unless(!self.tables.is_empty(), || "`tables` is empty, at least one is needed".into());
        for table in &self.tables {
            faults.unless(table.share > 0.0 && table.share.is_finite(), || {
                let (rules, share) = (&table.rules, table.share);
                format!("the share of `{rules}` is {share}, a positive number is needed")
            });
            faults.unless(table.file.is_none() || table.are_of_file(), || {
                format!("`file` of `{}` is for rules files: this is a name", table.rules)
            });
        }
        let sessions = self.tables.iter().any(|table| table.episode == EpisodeKind::Session);
        let carried = self.tables.iter().any(|table| table.episode == EpisodeKind::CarriedDeal);
        faults.unless(!(sessions && carried), || {
            "some episodes are `session`, others `carried_deal`: an observation does not tell which \
             of both returns counts"
                .into()
        });
        let others = &self.opponents;
        let shares: Vec<f64> = others.agents.iter().map(|agent| agent.share).collect();
        let fits = shares.iter().all(|s| *s >= 0.0) && shares.iter().sum::<f64>() <= 1.0;
        faults.unless(fits, || {
            "the shares of `opponents` must be 0 or more and come to at most 1".into()
        });
        faults.unless((0.0..=1.0).contains(&others.seats), || {
            format!("`opponents.seats` is {}, a probability is needed", others.seats)
        });
    }
}

/// All faults, one phrase each.
#[derive(Default)]
struct Faults(Vec<String>);

impl Faults {
    fn unless(&mut self, fits: bool, fault: impl FnOnce() -> String) {
        if !fits {
            self.0.push(fault());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::Schedule;

    #[test]
    fn samples_of_a_decision_fit_into_memory() {
        let faults = |set: &str| {
            let config = Config::preset("standard").expect("standard");
            let config = config.with_override(set).expect("it fits the type");
            config.validate().err().map(|error| error.to_string())
        };
        for key in ["phases.1.estimator.playouts", "phases.1.estimator.candidate_worlds"] {
            assert_eq!(faults(&format!("{key}=10000")), None);
            let message = faults(&format!("{key}=9223372036854775807")).expect("too many");
            assert!(message.contains("9223372036854775807, 1 to 10000 are allowed"), "{message}");
        }
    }

    #[test]
    fn no_two_benchmarks_have_the_same_metrics() {
        let faults = |opponents: &[&str], rules: &str| {
            let mut config = Config::preset("quick").expect("quick");
            config.run.benchmark_opponents = opponents.iter().map(ToString::to_string).collect();
            config.tables.push(config.tables[0].clone());
            config.tables[1].rules = rules.into();
            config.validate().err().map(|error| error.to_string())
        };
        let told =
            |fault: Option<String>| fault.is_some_and(|text| text.contains("the same names"));
        assert_eq!(faults(&["stopper", "random", "net:a", "net:a_ci"], "michigan"), None);
        assert!(told(faults(&["stopper", "stopper"], "michigan")));
        assert!(told(faults(&["net:a_ci95", "net:a"], "michigan")));
        assert!(told(faults(&["net:a", "random", "net:a_change_since"], "michigan")));
        // The other table's game is `newmarket`.
        assert_eq!(faults(&["net:a", "net:a/b"], "b/michigan"), None);
        assert!(told(faults(&["net:a", "net:a/b"], "b/newmarket")));
    }

    #[test]
    fn all_faults_are_listed_at_once() {
        let mut config = Config::preset("quick").expect("quick");
        config.learner.epochs = 0;
        config.network.hidden = vec![];
        config.tables[0].share = -1.0;
        config.learner.learning_rate = Schedule::Constant(-1.0);
        config.phases.pop();
        config.run.minutes = f64::NAN;
        config.learner.max_grad_norm = f64::INFINITY;
        let message = config.validate().expect_err("faulty").to_string();
        for word in [
            "learner.epochs",
            "network.hidden",
            "share",
            "learning_rate",
            "phases",
            "run.minutes",
            "max_grad_norm",
        ] {
            assert!(message.contains(word), "{word} is missing: {message}");
        }
        assert!(!message.contains('\n'));
    }

    #[test]
    fn phases_follow_each_other() {
        let fault = |untils: [f64; 2]| {
            let mut config = Config::preset("quick").expect("quick");
            for (phase, until) in config.phases.iter_mut().zip(untils) {
                phase.until = until;
            }
            config.validate().err().map(|error| error.to_string())
        };
        assert_eq!(fault([0.3, 1.0]), None);
        for (untils, word) in [
            ([0.0, 1.0], "phases.0.until"),
            ([0.7, 0.6], "phases.1.until"),
            ([0.7, 0.9], "must be 1"),
            ([0.7, f64::NAN], "phases.1.until"),
        ] {
            let message = fault(untils).expect(word);
            assert!(message.contains(word), "{message}");
        }
    }
}
