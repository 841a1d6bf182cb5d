//! Every choice of a decision, tried in the same sampled worlds, in which everybody plays on by a fair
//! player; and worlds weighed by what the other seats did.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use newmarket_env::random::Sampler;
use newmarket_env::seed::unit;
use newmarket_env::{
    Action, DealDriver, Decision, Encoder, Game, Hands, MAX_PLAYERS, Observation, PastDecision,
    Phase, Rng, Seed, State, View, Worlds,
};
use rand_core::Rng as _;
use rayon::prelude::*;

use crate::net::{PlayKind, Playouts, chances, resample};
use crate::player::{Agent, BatchPolicy};
use crate::search::plans::InWorlds;

/// Worlds that one thread works on before results are joined. The result depends on it alone, not on the
/// number of threads.
const WORLDS_PER_CHUNK: usize = 8;
/// Worlds whose likelihood one thread works out at a time.
const WEIGHED_PER_CHUNK: usize = 64;
/// Candidates that are drawn for each world of trials, where worlds are weighed.
const CANDIDATES: usize = 8;

/// The purpose of each child of the seed.
const WORLDS: u64 = 0;
const GIVEN: u64 = 1;
const RESAMPLED: u64 = 2;
const PLAY: u64 = 3;

/// The player that the other seats are taken to be, so that what they did tells of their hands.
///
/// A decision with `k` choices is taken with probability `(1 - doubt) p + doubt / k`, where `p` is the
/// player's probability ([`Agent::probabilities`]). A player that does not tell it is asked once, and its
/// choice has `p` of 1. All chips of an ante are one decision: `p` and `1 / k` are then products.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    /// The player.
    pub agent: &'a dyn Agent,
    /// How likely a decision is to be a uniform choice instead, 0 to 1.
    pub doubt: f64,
}

/// A world, and its share of the weight of all that were drawn with it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WeighedWorld {
    /// The cards as they lie now; before the deal, as they will be dealt.
    pub hands: Hands,
    /// Its weight. Those of all worlds sum to 1.
    pub weight: f64,
}

/// Draws `count` worlds, each as likely as any other that is consistent with the view. Their weights are in
/// proportion to the likelihood of what the other seats did after they had seen their cards.
///
/// # Panics
/// If worlds are weighed and the deal is over.
pub fn weighed_worlds(
    view: &View,
    count: usize,
    given: Option<Given>,
    seed: Seed,
) -> Vec<WeighedWorld> {
    let hands = uniform_worlds(view, count, seed);
    let weights = weights(view, &hands, given, seed);
    let weighed = hands.into_iter().zip(weights);
    weighed.map(|(hands, weight)| WeighedWorld { hands, weight }).collect()
}

fn uniform_worlds(view: &View, count: usize, seed: Seed) -> Vec<Hands> {
    let rng = |nth: usize| seed.child(WORLDS).child(nth as u64).rng();
    if view.is_dealt() {
        let worlds = Worlds::of(view);
        return (0..count).map(|nth| worlds.draw(&mut rng(nth))).collect();
    }
    let sampler = Sampler::new(view.game(), view.dealer(), view.seats_in());
    (0..count).map(|nth| sampler.hands(&mut rng(nth))).collect()
}

/// The share of each world of the weight of all.
fn weights(view: &View, worlds: &[Hands], given: Option<Given>, seed: Seed) -> Vec<f64> {
    let Some(given) = given.filter(|_| view.is_dealt()) else {
        return vec![1.0 / worlds.len() as f64; worlds.len()];
    };
    assert!(view.phase() != Phase::Over, "the deal is over");
    let seed = seed.child(GIVEN);
    let chunks = worlds.par_chunks(WEIGHED_PER_CHUNK).enumerate();
    let logs: Vec<f64> = chunks
        .flat_map_iter(|(chunk, worlds)| {
            if let Some(policy) = given.agent.batch() {
                return log_likelihoods_by_policy(view, worlds, policy, given.doubt);
            }
            let rngs = (chunk * WEIGHED_PER_CHUNK..).map(|nth| seed.child(nth as u64).rng());
            let worlds = worlds.iter().zip(rngs);
            worlds.map(|(world, mut rng)| log_likelihood(view, world, given, &mut rng)).collect()
        })
        .collect();
    // Relative to the likeliest: many decisions together may underflow.
    let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let likely: Vec<f64> = logs.iter().map(|log| libm::exp(log - top)).collect();
    let sum: f64 = likely.iter().sum();
    likely.into_iter().map(|likely| likely / sum).collect()
}

/// The likelihood of one decision after another. Chips of one ante are one decision.
struct Likelihood {
    doubt: f64,
    /// The logarithm for all decisions that are complete.
    log: f64,
    /// The ante in progress: its seat, and its likelihood for the player and for a uniform choice.
    ante: Option<(usize, f64, f64)>,
}

impl Likelihood {
    const fn new(doubt: f64) -> Self {
        Self { doubt, log: 0.0, ante: None }
    }

    /// Adds an action with `choices` choices that the player takes with probability `by_player`.
    fn add(&mut self, past: &PastDecision, by_player: f64, choices: usize) {
        let at_random = 1.0 / choices as f64;
        if past.phase() != Phase::Ante {
            self.complete();
            self.log += self.mixed(by_player, at_random);
            return;
        }
        if self.ante.is_none_or(|(seat, ..)| seat != past.seat) {
            self.complete();
            self.ante = Some((past.seat, 1.0, 1.0));
        }
        if let Some((_, all_by_player, all_at_random)) = &mut self.ante {
            *all_by_player *= by_player;
            *all_at_random *= at_random;
        }
    }

    fn mixed(&self, by_player: f64, at_random: f64) -> f64 {
        libm::log((1.0 - self.doubt) * by_player + self.doubt * at_random)
    }

    fn complete(&mut self) {
        if let Some((_, by_player, at_random)) = self.ante.take() {
            self.log += self.mixed(by_player, at_random);
        }
    }

    fn log(mut self) -> f64 {
        self.complete();
        self.log
    }
}

/// The logarithm of the likelihood of what the other seats did, if the cards lie like this.
fn log_likelihood(view: &View, world: &Hands, given: Given, rng: &mut Rng) -> f64 {
    let (mut agent, mut likelihood) = (given.agent.another(), Likelihood::new(given.doubt));
    view.each_decision_so_far(world, |past| {
        let then = past.view_in(world);
        let legal = then.legal();
        if past.seat == view.seat() || legal.is_forced() {
            return;
        }
        let by_player = match agent.probabilities(&then) {
            Some(told) => {
                let told = legal.iter().zip(told).find(|(action, _)| *action == past.action);
                told.map_or(0.0, |(_, chance)| chance)
            }
            None => f64::from(u8::from(agent.act(&then, rng) == past.action)),
        };
        likelihood.add(&past, by_player, legal.len());
    });
    likelihood.log()
}

/// The same for a player that chooses by the logits of a policy, in many worlds.
fn log_likelihoods_by_policy(
    view: &View,
    worlds: &[Hands],
    mut policy: Box<dyn BatchPolicy>,
    doubt: f64,
) -> Vec<f64> {
    let (encoder, plays) = (Encoder::new(view.game()), policy.plays());
    let mut likelihoods: Vec<_> = worlds.iter().map(|_| Likelihood::new(doubt)).collect();
    let (mut observations, mut asked) = (Vec::new(), Vec::new());
    view.each_decision_so_far(&worlds[0], |past| {
        if past.seat == view.seat() {
            return;
        }
        observations.clear();
        asked.clear();
        for (place, world) in worlds.iter().enumerate() {
            let then = past.view_in(world);
            let legal = then.legal();
            if !legal.is_forced() {
                observations.push(encoder.encode(&then));
                asked.push((place, legal, plays.temperature(PlayKind::due(&then))));
            }
        }
        policy.logits(&observations, &mut |row, logits| {
            let (place, legal, temperature) = asked[row];
            let chances = chances(logits, legal, temperature);
            likelihoods[place].add(&past, chances[past.action.index()].into(), legal.len());
        });
    });
    likelihoods.into_iter().map(Likelihood::log).collect()
}

/// Tries every choice of a decision in the same sampled worlds. In each of them a fair player plays on in
/// all seats to the end of the deal. It sees what each seat could see there.
#[derive(Clone, Copy)]
pub struct AgentTrials<'a> {
    /// Who plays on.
    pub player: &'a dyn Agent,
    /// How worlds are weighed; without it all are equally likely.
    pub given: Option<Given<'a>>,
    /// The number of worlds, at least 1. If worlds are weighed, they are drawn by their weight from eight
    /// times as many.
    pub worlds: usize,
    /// The worlds and all random numbers of the player follow from it.
    pub seed: Seed,
}

/// What a choice is worth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TriedChoice {
    /// The choice.
    pub action: Action,
    /// Chips that the seat gains from now to the end of the deal, in the mean over worlds.
    pub chips: f64,
    /// Half the width of the 95 % interval of `chips`, over the draw of worlds; infinite if one world has
    /// all the weight.
    pub ci95: f64,
    /// Chips by which the choice is behind the best one.
    pub behind: f64,
    /// Half the width of the 95 % interval of `behind`. It is paired: both choices in the same worlds.
    pub behind_ci95: f64,
}

/// The value of all choices of a decision.
#[derive(Clone, PartialEq, Debug)]
pub struct Tried {
    /// The choices, the best first.
    pub choices: Vec<TriedChoice>,
    /// How many worlds that were drawn once would tell as much (Kish): the number of worlds, if all are
    /// equally likely.
    pub effective_worlds: f64,
}

impl AgentTrials<'_> {
    /// Tries every legal action of the view. `done` is called with the number of draws of worlds that are
    /// done since its last call, `worlds` in all, from any thread. It may unwind to end the work.
    ///
    /// # Panics
    /// If the seat is not to act, or there is no world.
    pub fn run(&self, view: &View, done: &(dyn Fn(usize) + Sync)) -> Tried {
        let worlds = self.worlds(view);
        let (seat, before) = (view.seat(), view.stack(view.seat()));
        let choices = view.legal().len();
        let gains: Vec<i32> = worlds
            .par_chunks(WORLDS_PER_CHUNK)
            .enumerate()
            .flat_map_iter(|(chunk, worlds)| {
                let after = self.play(view, worlds, chunk * WORLDS_PER_CHUNK);
                done(worlds.iter().map(|&(_, times)| times as usize).sum());
                after.into_iter().map(move |deal| deal.state.stacks()[seat] - before)
            })
            .collect();
        let of = |nth: usize| gains.iter().skip(nth).step_by(choices).copied();
        let sample = Sample::new(worlds.iter().map(|&(_, times)| times));
        let tried = view.legal().iter().enumerate();
        let mut tried: Vec<(usize, Action, (f64, f64))> =
            tried.map(|(nth, action)| (nth, action, sample.mean(&of(nth)))).collect();
        // Of equal ones the first stays the first.
        tried.sort_by(|(_, _, (one, _)), (_, _, (other, _))| other.total_cmp(one));
        let best = tried[0].0;
        let choices = tried.into_iter().map(|(nth, action, (chips, ci95))| {
            let behind = of(best).zip(of(nth)).map(|(best, gain)| best - gain);
            let (behind, behind_ci95) = sample.mean(&behind);
            TriedChoice { action, chips, ci95, behind, behind_ci95 }
        });
        Tried { choices: choices.collect(), effective_worlds: sample.effective() }
    }

    /// The worlds, each with the number of times that it was drawn.
    fn worlds(&self, view: &View) -> Vec<(Hands, u32)> {
        let Some(given) = self.given.filter(|_| view.is_dealt()) else {
            let drawn = uniform_worlds(view, self.worlds, self.seed);
            return drawn.into_iter().map(|hands| (hands, 1)).collect();
        };
        let candidates = uniform_worlds(view, CANDIDATES * self.worlds, self.seed);
        let weights = weights(view, &candidates, Some(given), self.seed);
        let offset = unit(&mut self.seed.child(RESAMPLED).rng());
        let mut times = vec![0; candidates.len()];
        resample(&weights, self.worlds, offset).for_each(|place| times[place] += 1);
        candidates.into_iter().zip(times).filter(|&(_, times)| times > 0).collect()
    }

    /// The deals after every choice in these worlds, played to their ends. `[worlds][choices]`
    fn play(&self, view: &View, worlds: &[(Hands, u32)], first: usize) -> Vec<InTrial> {
        let mut deals = Vec::with_capacity(worlds.len() * view.legal().len());
        for (nth, &(hands, _)) in worlds.iter().enumerate() {
            let seed = self.seed.child(PLAY).child((first + nth) as u64);
            let world = if view.is_dealt() { hands } else { Hands::default() };
            let now = view.determinize(&world);
            for action in view.legal().iter() {
                let mut state = now;
                state.apply_unchecked(view.game(), action);
                deals.push(InTrial { state, hands, seed });
            }
        }
        match self.player.batch() {
            Some(policy) => play_by_policy(policy, view.game(), &mut deals),
            None => play_by_agent(self.player, view.game(), &mut deals),
        }
        deals
    }
}

/// Tries plans in sampled worlds, all equally likely. In each of them a fair player plays on in all seats to the end
/// of the deal. It sees what each seat could see there.
pub struct PlanTrials(Box<dyn Agent>);

impl PlanTrials {
    /// Trials in which this player plays on.
    pub fn new(player: Box<dyn Agent>) -> Self {
        Self(player)
    }

    /// The gain of each of these plans for the view's seat from now to the end of the deal, world by world: `each`
    /// is called with the gains in one world, in chips, in the order of the plans. `[plans]`
    ///
    /// # Panics
    /// If the seat is not to act, or a plan is not legal.
    pub fn gains_by_world(
        &self,
        view: &View,
        plans: &[Vec<Action>],
        worlds: u32,
        rng: &mut Rng,
        each: &mut dyn FnMut(&[i32]),
    ) {
        let (game, seat, before) = (view.game(), view.seat(), view.stack(view.seat()));
        let seed = Seed::new(rng.next_u64());
        let in_worlds = InWorlds::new(view, plans, |undealt| {
            for state in undealt {
                play_on(&*self.0, game, state, seed.child(PLAY), DealDriver::next_or_cards);
            }
        });
        for nth in 0..worlds {
            let seed = seed.child(u64::from(nth));
            let world = in_worlds.draw(&mut seed.rng());
            let gain = |plan| {
                let mut state = in_worlds.after(&world, plan);
                play_on(&*self.0, game, &mut state, seed.child(PLAY), DealDriver::next_or_cards);
                state.stacks()[seat] - before
            };
            each(&(0..plans.len()).map(gain).collect::<Vec<_>>());
        }
    }
}

/// A deal after a choice in a world.
struct InTrial {
    state: State,
    /// The cards, if they are still to be dealt.
    hands: Hands,
    /// Of the player's random numbers: the same after every choice.
    seed: Seed,
}

fn play_by_policy(policy: Box<dyn BatchPolicy>, game: &Game, deals: &mut [InTrial]) {
    let (encoder, plays) = (Encoder::new(game), policy.plays());
    // Of players that draw nothing, no stream is used.
    let drawn = if plays.draw() { deals.len() } else { 0 };
    let mut rngs: Vec<_> = deals[..drawn].iter().map(|deal| streams(deal.seed)).collect();
    let mut unused = Seed::new(0).rng();
    Playouts::new([policy]).run(
        deals,
        |InTrial { state, hands, .. }| -> Option<(usize, Observation)> {
            let decision = DealDriver::CHOICES_BUT_FIVE.next(game, state, || *hands)?;
            Some((0, encoder.encode(&state.view(game, decision.seat))))
        },
        |nth, InTrial { state, .. }, logits| {
            let seat = state.actor().unwrap_or(0);
            let view = state.view(game, seat);
            let rng = rngs.get_mut(nth).map_or(&mut unused, |rngs| &mut rngs[seat]);
            let action = plays.choose(&view, state.legal(game), logits, rng);
            state.apply_unchecked(game, action);
        },
    );
}

/// The random numbers of each seat.
fn streams(seed: Seed) -> [Rng; MAX_PLAYERS] {
    core::array::from_fn(|seat| seed.child(seat as u64).rng())
}

fn play_by_agent(player: &dyn Agent, game: &Game, deals: &mut [InTrial]) {
    for InTrial { state, hands, seed } in deals {
        play_on(player, game, state, *seed, |driver, game, state| {
            driver.next(game, state, || *hands)
        });
    }
}

/// Plays a deal on as long as a decision is due, with a fresh player in each seat.
fn play_on(
    player: &dyn Agent,
    game: &Game,
    state: &mut State,
    seed: Seed,
    next: impl Fn(&DealDriver, &Game, &mut State) -> Option<Decision>,
) {
    let mut seats: Vec<Box<dyn Agent>> = (0..game.players()).map(|_| player.another()).collect();
    let mut rngs = streams(seed);
    while let Some(decision) = next(&DealDriver::CHOICES, game, state) {
        let seat = decision.seat;
        let action = seats[seat].act(&state.view(game, seat), &mut rngs[seat]);
        state.apply_unchecked(game, action);
    }
}

/// Worlds that were drawn one or several times.
struct Sample {
    times: Vec<f64>,
    /// Sums of the times, and of their squares.
    count: f64,
    squares: f64,
}

impl Sample {
    fn new(times: impl Iterator<Item = u32>) -> Self {
        let times: Vec<f64> = times.map(f64::from).collect();
        let squares = times.iter().map(|times| times * times).sum();
        Self { count: times.iter().sum(), squares, times }
    }

    /// How many worlds that were drawn once would tell as much (Kish).
    fn effective(&self) -> f64 {
        self.count * self.count / self.squares
    }

    /// The mean of the values in these worlds, and half the width of its 95 % interval. A world that was drawn
    /// several times is one observation with a greater weight. Of a single world there is no interval: it is
    /// infinite.
    fn mean(&self, values: &(impl Iterator<Item = i32> + Clone)) -> (f64, f64) {
        let all = || self.times.iter().zip(values.clone().map(f64::from));
        let mean = all().map(|(times, value)| times * value).sum::<f64>() / self.count;
        if self.times.len() == 1 {
            return (mean, f64::INFINITY);
        }
        let squares: f64 = all().map(|(times, value)| (times * (value - mean)).powi(2)).sum();
        let variance = squares / (self.count * self.count - self.squares);
        (mean, 1.96 * libm::sqrt(variance))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_their_definition() {
        let values = [3, -1, 4, 1, -5, 9];
        let (mean, ci95) = Sample::new([1; 6].into_iter()).mean(&values.into_iter());
        let squares: f64 = values.iter().map(|&value| (f64::from(value) - mean).powi(2)).sum();
        assert!((mean - 11.0 / 6.0).abs() < 1e-12);
        assert!((ci95 - 1.96 * (squares / 5.0 / 6.0).sqrt()).abs() < 1e-12);
        // All as often is the same as all once.
        let often = Sample::new([3; 6].into_iter());
        assert!((often.mean(&values.into_iter()).1 - ci95).abs() < 1e-12);
        assert!((often.effective() - 6.0).abs() < 1e-12);
        let uneven = Sample::new([4, 1, 1].into_iter());
        assert!((uneven.effective() - 2.0).abs() < 1e-12);
        assert!((uneven.mean(&[2, 8, -4].into_iter()).0 - 2.0).abs() < 1e-12);
        assert_eq!(Sample::new([5].into_iter()).mean(&[7].into_iter()), (7.0, f64::INFINITY));
    }

    #[test]
    fn an_ante_is_one_decision() {
        let mixed = |by_player: f64, at_random: f64| (0.9 * by_player + 0.1 * at_random).ln();
        let likelihood = Likelihood::new(0.1);
        assert!((likelihood.mixed(0.5, 0.25) - mixed(0.5, 0.25)).abs() < 1e-12);
        let mut likelihood = Likelihood::new(0.1);
        likelihood.ante = Some((2, 0.0, 1.0 / 64.0));
        assert!((likelihood.log() - mixed(0.0, 1.0 / 64.0)).abs() < 1e-12);
    }
}
