//! Deals in which one seat errs by a temperature, and some of its mistakes are played out.

use alloc::vec::Vec;

use newmarket_env::seed::unit;
use newmarket_env::{Action, DealDriver, Game, Phase, Seed, Session, State};
use newmarket_net::argmax;

use super::Playouts;

/// Deals whose mistakes are played out together.
const AT_ONCE: usize = 256;

/// A mistake whose logit is further behind loses more, and is played out more often. This share of the
/// temperature is added to its weight, so that small mistakes are played out as well.
const SMALL: f64 = 0.25;

/// The prior mean of the chips that a logit is worth in house rules, close to the scale of a champion's
/// training.
const NOMINAL: f64 = 0.295;
/// The prior standard deviation of the chips that a logit is worth, over house rules.
const AMONG_GAMES: f64 = 0.065;

/// The least number of chips that a logit is worth, if mistakes won more than they lost.
const LEAST: f64 = 0.03;

/// The mistakes of one seat at some temperature.
pub(super) struct MistakeSample {
    /// How far the logit of each action is behind the largest, decision by decision.
    regrets: Vec<f32>,
    /// The index in `regrets` after the last action of each decision. `[decisions]`
    ends: Vec<usize>,
    deals: usize,
    /// Sums over the mistakes that were played out: regrets, chips lost, and the squares of the differences
    /// from [`NOMINAL`] chips a logit.
    regret: f64,
    lost: f64,
    squares: f64,
}

/// A mistake that is to be played out.
struct Mistake {
    /// The number of its deal among those that are played together.
    path: usize,
    weight: f64,
    regret: f64,
}

impl MistakeSample {
    /// Plays deals in which one seat errs at this temperature, and all others take their best actions. The
    /// seats err in turn. The size of a possible mistake is its probability times its weight. Each time
    /// the sizes add up to `apart`, one mistake is played out, and so is the best action in its place. The
    /// deals and draws are the same for every network.
    pub(super) fn play(
        playouts: &mut Playouts,
        game: &Game,
        temperature: f64,
        deals: usize,
        apart: f64,
    ) -> Self {
        let mut sample = Self {
            regrets: Vec::new(),
            ends: Vec::new(),
            deals,
            regret: 0.0,
            lost: 0.0,
            squares: 0.0,
        };
        let mut due = 0.0;
        for first in (0..deals).step_by(AT_ONCE) {
            let (mut states, mut rngs) = (Vec::new(), Vec::new());
            for nth in first..deals.min(first + AT_ONCE) {
                states.push(State::new(game, session(game, nth).deal_start()));
                rngs.push(seed(nth).rng());
            }
            let (mut mistakes, mut after) = (Vec::new(), Vec::new());
            let mut choose = |nth: usize, state: &State, logits: &[f32]| {
                let legal = state.legal(game);
                let best = argmax(logits, legal.bits());
                if state.actor() != Some((first + nth) % game.players()) {
                    return best;
                }
                let of_others = sample.regrets.len();
                for action in legal.iter() {
                    sample.regrets.push(logits[best] - logits[action.index()]);
                }
                sample.ends.push(sample.regrets.len());
                let mut taken = best;
                let mut left = unit(&mut rngs[nth]);
                let mut actions = legal.iter();
                for_each_chance(
                    &sample.regrets[of_others..],
                    temperature,
                    &mut |regret, chance| {
                        let action = actions.next().expect("a regret for each");
                        if (0.0..chance).contains(&left) {
                            taken = action.index();
                        }
                        left -= chance;
                        let size = size(regret, SMALL * temperature);
                        due += chance * size;
                        if due >= apart {
                            let times = f64::from((due / apart) as u32);
                            due -= times * apart;
                            mistakes.push(Mistake { path: nth, weight: times / size, regret });
                            for action in [action.index(), best] {
                                let mut tried = *state;
                                tried.apply_unchecked(game, Action::from_index(action));
                                after.push(tried);
                            }
                        }
                    },
                );
                taken
            };
            play_out(playouts, game, &mut states, &|nth| first + nth, &mut choose);
            let deal = |nth: usize| first + mistakes[nth / 2].path;
            play_out(playouts, game, &mut after, &deal, &mut |_, state, logits| {
                argmax(logits, state.legal(game).bits())
            });
            for (nth, &Mistake { path, weight, regret }) in mistakes.iter().enumerate() {
                let stack = |nth: usize| after[nth].stacks()[(first + path) % game.players()];
                let lost = f64::from(stack(2 * nth + 1) - stack(2 * nth));
                sample.regret += weight * regret;
                sample.lost += weight * lost;
                let differs = weight * (lost - NOMINAL * regret);
                sample.squares += differs * differs;
            }
        }
        sample
    }

    /// Chips that a logit is worth in this game: the measured ratio of loss to regret and the prior, each
    /// weighted by its precision.
    pub(super) fn worth(&self) -> f64 {
        let prior = AMONG_GAMES * AMONG_GAMES;
        // The measured ratio has the variance `squares / regret²`.
        let weight = prior * self.regret;
        let total = self.squares + weight * self.regret;
        if total == 0.0 {
            return NOMINAL;
        }
        ((NOMINAL * self.squares + weight * self.lost) / total).max(LEAST)
    }

    /// The mean regret of a deal, in logits, if the seat errs at this temperature.
    pub(super) fn regret(&self, temperature: f64) -> f64 {
        self.mean(temperature, 0.0)
    }

    /// The mean size of all mistakes of a deal, if the seat errs at this temperature.
    pub(super) fn mass(&self, temperature: f64) -> f64 {
        self.mean(temperature, SMALL * temperature)
    }

    /// The mean over deals of the expected regret, with `more` added for every mistake.
    fn mean(&self, temperature: f64, more: f64) -> f64 {
        let (mut sum, mut start) = (0.0, 0);
        for &end in &self.ends {
            for_each_chance(&self.regrets[start..end], temperature, &mut |regret, chance| {
                sum += chance * size(regret, more);
            });
            start = end;
        }
        sum / self.deals as f64
    }
}

/// The seed of a deal.
fn seed(nth: usize) -> Seed {
    Seed::new(nth as u64)
}

fn session(game: &Game, nth: usize) -> Session {
    Session::single_deal(game, seed(nth))
}

/// Plays the states of deals to their ends by the actions of `choose` (see [`Playouts::play_by`]). `deal`
/// is the number of a state's deal, which fixes its cards.
fn play_out(
    playouts: &mut Playouts,
    game: &Game,
    states: &mut [State],
    deal: &dyn Fn(usize) -> usize,
    choose: &mut dyn FnMut(usize, &State, &[f32]) -> usize,
) {
    playouts.play_by(DealDriver::CHOICES_BUT_FIVE, game, states, choose);
    for (nth, state) in states.iter_mut().enumerate() {
        if state.phase() == Phase::Deal {
            state.deal(game, &session(game, deal(nth)).hands(game));
        }
    }
    playouts.play_by(DealDriver::CHOICES_BUT_FIVE, game, states, choose);
}

/// The weight of an action: its regret and `more` for a mistake, 0 for the best action.
fn size(regret: f64, more: f64) -> f64 {
    if regret > 0.0 { regret + more } else { 0.0 }
}

/// Calls `each` with every regret and the probability of its action, by the softmax of the logits divided
/// by this temperature.
fn for_each_chance(regrets: &[f32], temperature: f64, each: &mut dyn FnMut(f64, f64)) {
    let weight = |regret: f32| libm::exp(-f64::from(regret) / temperature);
    let mut total = 0.0;
    for &regret in regrets {
        total += weight(regret);
    }
    for &regret in regrets {
        each(f64::from(regret), weight(regret) / total);
    }
}

#[cfg(test)]
mod tests {
    use newmarket_env::{Observation, Rules};

    use super::super::tests::untrained;
    use super::super::{Box, NetBatch};
    use super::*;
    use newmarket_net::{QuantisedNet, QuantisedScratch};

    /// So small that nearly every mistake is played out.
    const APART: f64 = 1e-6;

    fn nothing() -> MistakeSample {
        let (regrets, ends) = (Vec::new(), Vec::new());
        MistakeSample { regrets, ends, deals: 1, regret: 0.0, lost: 0.0, squares: 0.0 }
    }

    type Regret = (Action, f32);

    /// One decision after the other, on its own.
    struct Slow<'n> {
        net: &'n QuantisedNet,
        scratch: QuantisedScratch,
        game: &'n Game,
    }

    impl Slow<'_> {
        /// The regrets of the legal actions at the next decision, its seat, and the best action; `None` at
        /// the end.
        fn next(
            &mut self,
            state: &mut State,
            session: &Session,
        ) -> Option<(usize, Vec<Regret>, Action)> {
            let decision =
                DealDriver::CHOICES_BUT_FIVE.next(self.game, state, || session.hands(self.game))?;
            let seen = Observation::of(&state.view(self.game, decision.seat));
            let logits = self.net.logits(&seen, &mut self.scratch);
            let best = argmax(logits, decision.legal.bits());
            let regret = |action: Action| (action, logits[best] - logits[action.index()]);
            Some((
                decision.seat,
                decision.legal.iter().map(regret).collect(),
                Action::from_index(best),
            ))
        }

        /// Chips of a seat where all play on by their best actions after this one.
        fn after(
            &mut self,
            mut state: State,
            session: &Session,
            action: Action,
            seat: usize,
        ) -> i32 {
            state.apply_unchecked(self.game, action);
            while let Some((_, _, best)) = self.next(&mut state, session) {
                state.apply_unchecked(self.game, best);
            }
            state.stacks()[seat]
        }
    }

    /// In a game with antes before the cards, an exchange, and antes after a look.
    #[test]
    fn a_pass_is_that_of_deals_played_one_by_one() {
        let net = untrained();
        for (name, players, deals) in
            [("newmarket", 3, 300), ("michigan-auction", 4, 40), ("house:2737831998", 4, 40)]
        {
            let game = Game::new(Rules::load(name).unwrap(), players).unwrap();
            let mut playouts = Playouts::new([Box::new(NetBatch::new(net.clone())) as _]);
            let temperature = 3.0;
            let sample = MistakeSample::play(&mut playouts, &game, temperature, deals, APART);
            let mut slow = Slow { net: &net, scratch: net.scratch(), game: &game };
            let (mut regrets, mut said, mut lost, mut squares, mut mass) =
                (Vec::new(), 0.0, 0.0, 0.0, 0.0);
            for nth in 0..deals {
                let seed = Seed::new(nth as u64);
                let session = Session::single_deal(&game, seed);
                let mut state = State::new(&game, session.deal_start());
                let mut rng = seed.rng();
                while let Some((seat, of, best)) = slow.next(&mut state, &session) {
                    let mut taken = best;
                    if seat == nth % players {
                        let weights: Vec<_> = of
                            .iter()
                            .map(|(_, regret)| (-f64::from(*regret) / temperature).exp())
                            .collect();
                        let total: f64 = weights.iter().sum();
                        let mut left = unit(&mut rng);
                        for (&(action, regret), weight) in of.iter().zip(weights) {
                            let chance = weight / total;
                            if left >= 0.0 && left < chance {
                                taken = action;
                            }
                            left -= chance;
                            regrets.push(regret);
                            let regret = f64::from(regret);
                            if regret > 0.0 {
                                let chips = |action| slow.after(state, &session, action, seat);
                                let [best, erred] = [best, action].map(chips).map(f64::from);
                                mass += chance * (regret + 0.25 * temperature);
                                said += chance * regret;
                                lost += chance * (best - erred);
                                squares += (chance * (best - erred - 0.295 * regret)).powi(2);
                            }
                        }
                    }
                    state.apply_unchecked(&game, taken);
                }
            }
            let sorted = |mut all: Vec<f32>| {
                all.sort_by(f32::total_cmp);
                all
            };
            assert_eq!(sorted(sample.regrets.clone()), sorted(regrets), "{name}");
            let near = |got: f64, expected: f64| (got / expected - 1.0).abs() < 1e-4;
            assert!(near(sample.mass(temperature) * deals as f64, mass), "{name}");
            assert!(
                near(sample.regret * APART, said),
                "{name}: {} for {said}",
                sample.regret * APART
            );
            assert!(near(sample.lost * APART, lost), "{name}: {} for {lost}", sample.lost * APART);
            assert!(near(sample.squares * APART * APART, squares), "{name}");
        }
    }

    #[test]
    fn what_is_expected_is_the_softmax_of_what_is_likely() {
        // Two decisions: one of two actions, one chip apart; one of three, of which two are as good.
        let regrets = alloc::vec![0.0, 1.0, 0.0, 0.0, 3.0];
        let sample = MistakeSample { regrets, ends: alloc::vec![2, 5], deals: 2, ..nothing() };
        let (one, three) = ((-1.0_f64 / 2.0).exp(), (-3.0_f64 / 2.0).exp());
        let expected = f64::midpoint(one / (1.0 + one), 3.0 * three / (2.0 + three));
        assert!((sample.regret(2.0) - expected).abs() < 1e-12);
        assert!((sample.regret(1e9) - f64::midpoint(0.5, 1.0)).abs() < 1e-3);
        assert!(sample.regret(1e-3) < 1e-12);
        // A mistake more in half of the first decisions, in a third of the second.
        assert!((sample.mass(1e9) / 0.25e9 - f64::midpoint(0.5, 1.0 / 3.0)).abs() < 1e-3);
    }

    #[test]
    fn a_logit_is_worth_what_mistakes_lose_and_what_is_expected() {
        assert_eq!(nothing().worth().to_bits(), NOMINAL.to_bits());
        // Chips that were lost are 0.2 a logit, with deviations of 0.001, the prior's own, and 10.
        let measured = |deviation: f64| {
            let squares = (100.0 * deviation).powi(2);
            MistakeSample { regret: 100.0, lost: 20.0, squares, ..nothing() }.worth()
        };
        assert!((measured(0.001) - 0.2).abs() < 1e-4);
        assert!((measured(AMONG_GAMES) - f64::midpoint(0.2, NOMINAL)).abs() < 1e-12);
        assert!((measured(10.0) - NOMINAL).abs() < 1e-3);
        let winning = MistakeSample { regret: 100.0, lost: -20.0, squares: 1.0, ..nothing() };
        assert_eq!(winning.worth().to_bits(), LEAST.to_bits());
    }

    #[test]
    fn some_mistakes_stand_for_all() {
        let net = untrained();
        let game = Game::new(Rules::named("newmarket").unwrap(), 4).unwrap();
        let mut playouts = Playouts::new([Box::new(NetBatch::new(net)) as _]);
        let all = MistakeSample::play(&mut playouts, &game, 3.0, 1024, APART);
        let apart = all.mass(3.0) * 1024.0 / 2000.0;
        let some = MistakeSample::play(&mut playouts, &game, 3.0, 1024, apart);
        assert_eq!(some.regrets, all.regrets);
        let (said, expected) = (some.regret * apart, all.regret * APART);
        assert!((said / expected - 1.0).abs() < 0.03, "{said} for {expected}");
        let none = MistakeSample::play(&mut playouts, &game, 3.0, 64, f64::INFINITY);
        assert_eq!(none.worth().to_bits(), NOMINAL.to_bits());
    }
}
