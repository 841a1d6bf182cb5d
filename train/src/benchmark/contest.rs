//! Which of two policies is better: paired play on fresh deals, until the result is clear.

use super::Arena;
use crate::workers::Workers;
use newmarket_agents::Player;
use newmarket_agents::paired::Mean;
use newmarket_env::Seed;

/// Looks at a contest, at equal distances.
const LOOKS: u64 = 8;

/// A contest ends early if the gain is this many standard errors. Pocock's bound (1977) for eight
/// looks: a contest of two equal policies ends early in at most 5 % of cases.
const BOUND: f64 = 2.512;

/// Paired play of two policies.
pub(crate) struct Contest<'a> {
    pub(crate) arena: Arena<'a>,
    /// The policy of now.
    pub(crate) challenger: &'a Player,
    /// The best policy so far.
    pub(crate) best: &'a Player,
    /// The agent in all other seats; `None`: the challenger plays among copies of the best policy.
    pub(crate) field: Option<&'a Player>,
    pub(crate) seed: Seed,
}

/// The result of a contest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Outcome {
    /// The gain of the challenger over the best policy a round in the same seat. The unit is the stake
    /// of a seat, which differs by game: its ante when it does not deal, or its part of the prize.
    pub(crate) gain: f64,
    /// The standard error of `gain`.
    pub(crate) error: f64,
    /// Rounds that were played: deals, or sessions.
    pub(crate) rounds: u64,
}

impl Outcome {
    /// Whether the challenger was ahead at the end, and so becomes the best policy.
    pub(crate) fn is_won(&self) -> bool {
        self.gain > 0.0
    }
}

impl Contest<'_> {
    /// Plays until one policy is clearly ahead, at most eight times about `deals` deals.
    pub(crate) fn play(&self, deals_a_look: u64, workers: &Workers) -> Outcome {
        let mut gains = Mean::default();
        let each = self.arena.rounds_of_look(deals_a_look);
        for look in 0..LOOKS {
            let chunks = self.arena.chunks(look * each..(look + 1) * each);
            let played = workers.map(chunks.len(), |nth| self.gains(chunks[nth].clone()));
            for chunk in &played {
                gains.join(chunk);
            }
            if is_decided(&gains) {
                break;
            }
        }
        Outcome { gain: gains.average(), error: error(&gains), rounds: gains.count() }
    }

    /// The challenger's gain over the best policy in these rounds, in stakes of a seat.
    fn gains(&self, rounds: std::ops::Range<u64>) -> Mean {
        let Self { challenger, best, .. } = *self;
        let against =
            |hero: &Player, field: &Player| self.arena.play(hero, field, self.seed, rounds.clone());
        let won = against(challenger, self.field.unwrap_or(best));
        let before = self.field.map(|field| against(best, field));
        let gain = |(nth, round): (usize, u64)| {
            let before = before.as_ref().map_or(0.0, |before| before[nth].chips_a_seat());
            (won[nth].chips_a_seat() - before) / self.arena.stake(round)
        };
        rounds.clone().enumerate().map(|(nth, deal)| gain((nth, deal))).collect()
    }
}

/// Whether one policy is clearly ahead.
fn is_decided(gains: &Mean) -> bool {
    gains.average().abs() > BOUND * error(gains)
}

/// The standard error of the mean.
fn error(gains: &Mean) -> f64 {
    gains.deviation() / (gains.count() as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::{Round, player};
    use super::*;
    use newmarket_agents::net::Plays;
    use newmarket_agents::strategy::Strategy;
    use newmarket_env::{Action, Game, Observation, Rules};
    use newmarket_net::{NetConfig, Weights};
    use std::sync::Arc;

    fn deals(games: &[Arc<Game>]) -> Arena<'_> {
        Arena { games, round: Round::Deal }
    }

    fn net(seed: u64) -> Player {
        let shape = NetConfig { inputs: Observation::LEN, hidden: vec![8], actions: Action::COUNT };
        player(&Weights::init(&shape, seed), Plays::LIKELIEST)
    }

    fn champion() -> Player {
        let saved = newmarket_checkpoints::roster::net_checkpoint("champion".as_ref());
        player(&saved.expect("comes with the program").weights, Plays::LIKELIEST)
    }

    fn games() -> Vec<Arc<Game>> {
        let game = |(name, players)| {
            let rules = Rules::named(name).expect("a named game");
            Arc::new(Game::new(rules, players).expect("seats them"))
        };
        [("newmarket", 3), ("michigan", 4)].map(game).to_vec()
    }

    #[test]
    fn who_plays_better_wins_at_the_first_looks_in_either_chair() {
        let (games, workers) = (games(), Workers::new(2).expect("threads"));
        let (strong, weak) = (champion(), net(1));
        let stopper: Player = Strategy::named("stopper").expect("a rule").into();
        for field in [None, Some(&stopper)] {
            let contest = |challenger, best| {
                let seed = Seed::new(3);
                let contest = Contest { arena: deals(&games), challenger, best, field, seed };
                contest.play(100, &workers)
            };
            let (won, lost) = (contest(&strong, &weak), contest(&weak, &strong));
            assert!(won.is_won() && !lost.is_won(), "{won:?} {lost:?}");
            assert!(won.rounds <= 200 && lost.rounds <= 200, "{won:?} {lost:?}");
            let one = Workers::new(1).expect("a thread");
            let contest = Contest {
                arena: deals(&games),
                challenger: &strong,
                best: &weak,
                field,
                seed: Seed::new(3),
            };
            assert_eq!(contest.play(100, &one), won);
        }
    }

    /// In sessions each look has equally many rounds of both games.
    #[test]
    fn a_contest_may_be_in_sessions() {
        let (games, stopper) = (games(), Strategy::named("stopper").expect("a rule").into());
        let (strong, weak) = (champion(), net(1));
        let played = [1, 2].map(|threads| {
            let workers = Workers::new(threads).expect("threads");
            let arena = Arena { games: &games, round: Round::Session };
            let (challenger, best, field) = (&strong, &weak, Some(&stopper));
            let contest = Contest { arena, challenger, best, field, seed: Seed::new(3) };
            contest.play(90, &workers)
        });
        assert_eq!(played[0], played[1]);
        // A session has ten deals, so the deals asked for would be nine sessions: too few.
        assert!(played[0].is_won() && played[0].rounds == 32, "{played:?}");
    }

    #[test]
    fn a_policy_does_not_win_against_itself() {
        let (games, workers) = (games(), Workers::new(2).expect("threads"));
        let same = net(2);
        let contest = Contest {
            arena: deals(&games),
            challenger: &same,
            best: &same,
            field: None,
            seed: Seed::new(4),
        };
        let outcome = contest.play(20, &workers);
        assert_eq!((outcome.gain.to_bits(), outcome.rounds), (0.0_f64.to_bits(), 20 * LOOKS));
        assert!(!outcome.is_won());
    }

    /// Two equal policies end a contest early in at most 5 % of cases. The test draws results of a
    /// game without skill.
    #[test]
    fn chance_ends_few_contests_early() {
        use newmarket_env::seed::unit;
        let mut rng = Seed::new(5).rng();
        let early = (0..2_000).filter(|_| {
            let mut gains = Mean::default();
            (0..LOOKS).any(|look| {
                (0..100).for_each(|_| gains.add(unit(&mut rng) - 0.5));
                look + 1 < LOOKS && is_decided(&gains)
            })
        });
        let share = early.count() as f64 / 2_000.0;
        assert!(share < 0.06, "{share}");
    }
}
