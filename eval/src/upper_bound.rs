//! What no strategy of one seat gains against a fixed policy in all others: an upper bound, by information relaxation
//! with a penalty.
//!
//! The seat may see all cards, and is charged for what they tell it beyond what it may know (Rogers 2002, *Monte Carlo
//! Valuation of American Options*; Haugh and Kogan 2004, *Pricing American Options: A Duality Approach*; Brown, Smith and
//! Sun 2010, *Information Relaxations and Duality in Stochastic Dynamic Programs*). The charge for a choice `a` with the
//! information state `I` is V(I′) − E[V(I′) | I, a], where V is what the seat gains if it plays on by the policy. Then the
//! penalised gain of a path over the policy is the sum of its advantages A(I, a) = Q(I, a) − V(I). In the mean over deals
//! a strategy gains exactly that sum (the performance difference lemma: Kakade and Langford 2002, *Approximately Optimal
//! Approximate Reinforcement Learning*). So it gains at most
//!
//! ```text
//! max over antes of ( E[gain of these antes] + E[ max over the seat's paths of Σ Â(I, a) ] )
//! ```
//!
//! where Â is any estimate of A whose mean given `I` is right. Noise of Â loosens the bound, and never breaks it.
//! `docs/ceiling.md` has the argument and its conditions.

mod advantages;
mod antes;
mod field;
mod limit;
mod tree;

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use newmarket_agents::Player;
use newmarket_agents::paired::{run_chunks, run_chunks_of};
use newmarket_env::random::Sampler;
use newmarket_env::rules::Stage;
use newmarket_env::{DealStart, Game, Seats, Seed, State};
use serde::Serialize;
use serde_json::{Map, Value};

use self::antes::Antes;
use self::field::Field;
use self::limit::Spread;
pub use self::limit::UpperLimit;
use self::tree::Tree;

/// The most ways to place an ante. Each way is a bound of its own.
const MOST_WAYS: usize = 1000;

/// The most choices of a seat in one deal, over all of its paths.
const MOST_DECISIONS: usize = 50_000;

/// Deals on which antes are compared, for each deal with a tree. They cost little.
const ANTE_DEALS: u64 = 64;

/// Deals of all ways to place an ante: this share of all deals, and at least so many. Then the ways that are clearly behind
/// are left out.
const PILOT_SHARE: u64 = 8;
const PILOT_LEAST: u64 = 16;

/// Standard errors of the difference, deal by deal, by which a way must be behind the greatest to be left out.
const LEFT_OUT_Z: f64 = 4.0;

/// An upper bound on what one seat gains over a fixed policy, which sits in all seats. The last seat deals. Deals are
/// single ones, and chips left on the table are settled by the rules' `leftover`, as at the end of a session.
pub struct UpperBound {
    game: Arc<Game>,
    player: Player,
    /// Of each seat, from eldest.
    antes: Vec<Antes>,
}

/// The effort of an upper bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoundEffort {
    /// The most worlds in which a choice is tried.
    pub worlds: usize,
    /// Deals for each seat and each way to place its ante. Ways that are clearly behind have fewer.
    pub deals: u64,
    /// Fixes the deals and all worlds.
    pub seed: u64,
}

/// Why there is no upper bound.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoBound {
    /// The player draws random numbers, sees all cards, or cannot be asked for many decisions at once.
    #[error(
        "agent `{name}` has no upper bound: expected a network that takes its likeliest actions, as net:champion"
    )]
    Player {
        /// The player's name.
        name: String,
    },
    /// Each way to place an ante needs a bound of its own, and there are too many.
    #[error(
        "{rules}: a seat has more than {MOST_WAYS} ways to place its ante, too many for an upper bound"
    )]
    Antes {
        /// The title of the rules.
        rules: String,
    },
    /// The tree of a seat's choices is too large.
    #[error(
        "{rules}: a seat has more than {MOST_DECISIONS} choices in one deal, over all of its paths, too many \
         for an upper bound"
    )]
    Tree {
        /// The title of the rules.
        rules: String,
    },
}

/// An upper bound, as `newmarket exploit --bound --json` prints it. Figures are chips a deal over the policy in the same
/// seat; intervals are over deals.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BoundReport {
    /// The name of the player that is fixed.
    pub agent: String,
    /// The title of the rules.
    pub rules: String,
    /// The rules as a rules file, in JSON: by it and `players`, the result stands on its own.
    pub rules_file: Map<String, Value>,
    /// Seats at the table. The last one deals.
    pub players: usize,
    /// The most worlds in which a choice was tried.
    pub worlds: usize,
    /// Deals for each seat and each way to place its ante that is not clearly behind.
    pub deals: u64,
    /// The seed of the deals and of all worlds.
    pub seed: u64,
    /// The mean over the seats, each by its antes with the greatest bound.
    #[serde(flatten)]
    pub all: UpperLimit,
    /// The same if the seat places its ante as the policy does.
    pub usual_antes: UpperLimit,
    /// The bound of each seat, from eldest to the dealer.
    pub by_seat: Vec<SeatBound>,
    /// Whether the bound is only for strategies that set their best five cards apart for poker.
    pub best_five: bool,
    /// The side on which the gain bounds exploitability.
    pub bound: &'static str,
    /// Wall-clock time; 0 until [`BoundReport::took`] sets it.
    pub seconds: f64,
}

/// The bound of one seat.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SeatBound {
    /// By the antes with the greatest bound.
    #[serde(flatten)]
    pub all: UpperLimit,
    /// If the seat places its ante as the policy does.
    pub usual_antes: UpperLimit,
    /// The ways to place the ante; 1 if it is fixed, or follows the look at the hand.
    pub antes: usize,
    /// The ways that were not clearly behind after a part of the deals.
    pub kept_antes: usize,
    /// The mean number of the seat's choices in a deal, over all of its paths.
    pub decisions: f64,
}

/// A tree of one deal.
#[derive(Clone, Copy)]
struct Found {
    /// The greatest sum of estimated advantages along a path, in chips.
    best: f64,
    decisions: usize,
}

impl UpperBound {
    /// The bound for a player that takes its likeliest actions.
    ///
    /// # Errors
    /// If the player or the game has none.
    pub fn of(player: &Player, game: Arc<Game>) -> Result<Self, NoBound> {
        if player.batch().is_none_or(|policy| policy.plays().draw()) {
            return Err(NoBound::Player { name: player.name().into() });
        }
        let mut bound = Self { game, player: player.another(), antes: Vec::new() };
        let start = State::new(&bound.game, &bound.deal_start());
        for seat in 0..bound.game.players() {
            let antes = Antes::of(&mut bound.field(seat), &start, MOST_WAYS);
            let rules = || bound.game.rules().title().into();
            bound.antes.push(antes.ok_or_else(|| NoBound::Antes { rules: rules() })?);
        }
        Ok(bound)
    }

    /// The most trees for each deal: the ways to place an ante, of all seats.
    pub fn trees_a_deal(&self) -> u64 {
        self.antes.iter().map(|antes| antes.ways.len() as u64).sum()
    }

    /// Computes the bound. Calls `done` from any thread with the number of trees just searched, or left out with their
    /// way to place the ante. The caller sets the time with [`BoundReport::took`].
    ///
    /// # Errors
    /// If a tree is too large.
    pub fn run(
        &self,
        effort: BoundEffort,
        done: impl Fn(u64) + Sync,
    ) -> Result<BoundReport, NoBound> {
        let (deals, seats) = (effort.deals, 0..self.game.players());
        let gains: Vec<Vec<Spread>> = seats.map(|seat| self.gains_of_antes(seat, effort)).collect();
        let mut found: Vec<Vec<Vec<Found>>> =
            self.antes.iter().map(|antes| vec![Vec::new(); antes.ways.len()]).collect();
        let pilot = (deals / PILOT_SHARE).max(PILOT_LEAST).min(deals);
        let all = self.antes.iter().map(|antes| (0..antes.ways.len()).collect());
        let all: Vec<Vec<usize>> = all.collect();
        self.search(effort, 0..pilot, &all, &mut found, &done)?;
        let kept: Vec<Vec<usize>> = (self.antes.iter().zip(found.iter().zip(&gains)))
            .map(|(antes, (found, gains))| kept(antes.usual, found, gains))
            .collect();
        let ways: usize = kept.iter().map(Vec::len).sum();
        done((deals - pilot) * (self.trees_a_deal() - ways as u64));
        self.search(effort, pilot..deals, &kept, &mut found, &done)?;
        let seats = self.antes.iter().enumerate().zip(&kept);
        let seats: Vec<(Spread, Spread, SeatBound)> = seats
            .map(|((seat, antes), kept)| {
                let (found, gains) = (&found[seat], &gains[seat]);
                let bound = |way: usize| best(&found[way]).plus(&gains[way]);
                let ways: Vec<Spread> = kept.iter().map(|&way| bound(way)).collect();
                let (all, usual) = (Spread::greatest(&ways), bound(antes.usual));
                let trees = found.iter().flatten();
                let decisions: usize = trees.clone().map(|tree| tree.decisions).sum();
                let report = SeatBound {
                    all: all.limit(),
                    usual_antes: usual.limit(),
                    antes: antes.ways.len(),
                    kept_antes: kept.len(),
                    decisions: decisions as f64 / trees.count() as f64,
                };
                (all, usual, report)
            })
            .collect();
        let rules = self.game.rules();
        Ok(BoundReport {
            agent: self.player.name().into(),
            rules: rules.title().into(),
            rules_file: rules.to_file(),
            players: self.game.players(),
            worlds: effort.worlds,
            deals: effort.deals,
            seed: effort.seed,
            all: Spread::mean_of(seats.iter().map(|(all, ..)| all)).limit(),
            usual_antes: Spread::mean_of(seats.iter().map(|(_, usual, _)| usual)).limit(),
            by_seat: seats.into_iter().map(|(.., report)| report).collect(),
            best_five: rules.stages.contains(&Stage::Poker) && self.chooses_five(),
            bound: "upper",
            seconds: 0.0,
        })
    }

    /// Adds the trees of these deals, for each seat with these `ways` to place the ante. `found`: `[seats][ways][deals]`
    fn search(
        &self,
        BoundEffort { worlds, seed, .. }: BoundEffort,
        deals: Range<u64>,
        ways: &[Vec<usize>],
        found: &mut [Vec<Vec<Found>>],
        done: &(impl Fn(u64) + Sync),
    ) -> Result<(), NoBound> {
        let trees: Vec<(usize, usize)> = (ways.iter().enumerate())
            .flat_map(|(seat, ways)| ways.iter().map(move |&way| (seat, way)))
            .collect();
        let is_too_large = AtomicBool::new(false);
        let search = |units: Range<u64>| {
            let (deal, nth) = (units.start / trees.len() as u64, units.start % trees.len() as u64);
            let (seat, way) = trees[nth as usize];
            // The same deal and the same random numbers for all ways to place the ante: then chance hardly chooses
            // among them.
            let seed = Seed::new(seed).child(0).child(seat as u64).child(deal);
            let found = (!is_too_large.load(Relaxed)).then(|| self.tree(seat, way, worlds, seed));
            let found = found.flatten();
            is_too_large.fetch_or(found.is_none(), Relaxed);
            done(1);
            (seat, way, found)
        };
        let units = deals.start * trees.len() as u64..deals.end * trees.len() as u64;
        run_chunks_of(1, units, search, |(seat, way, tree)| {
            found[seat][way].extend(tree);
        });
        if is_too_large.into_inner() {
            return Err(NoBound::Tree { rules: self.game.rules().title().into() });
        }
        Ok(())
    }

    /// The best path of one deal; `None` if its tree is too large.
    fn tree(&self, seat: usize, way: usize, worlds: usize, seed: Seed) -> Option<Found> {
        let field = &mut self.field(seat);
        let undealt = self.antes[seat].ways[way];
        let mut dealt = undealt;
        dealt.deal(&self.game, &self.sampler().hands(&mut seed.child(0).rng()));
        let tree = Tree::grow(field, &dealt, MOST_DECISIONS)?;
        let advantages = advantages::advantages(field, &undealt, &tree, worlds, seed.child(1));
        Some(Found { best: tree.best(&advantages), decisions: tree.decisions.len() })
    }

    /// What each way to place the ante gains over the policy's, if the seat plays on by the policy. `[ways]`
    fn gains_of_antes(&self, seat: usize, effort: BoundEffort) -> Vec<Spread> {
        let Antes { ways, usual } = &self.antes[seat];
        let mut gains = vec![Spread::default(); ways.len()];
        if ways.len() == 1 {
            return gains;
        }
        let seed = Seed::new(effort.seed).child(1).child(seat as u64);
        let sampler = self.sampler();
        let play = |deals: Range<u64>| {
            let field = &mut self.field(seat);
            let mut gained = vec![Vec::new(); ways.len()];
            for deal in deals {
                let hands = sampler.hands(&mut seed.child(deal).rng());
                let mut dealt = ways.clone();
                for state in &mut dealt {
                    state.deal(&self.game, &hands);
                }
                let chips = field.play_out(&mut dealt);
                gained
                    .iter_mut()
                    .zip(&chips)
                    .for_each(|(gained, own)| gained.push(own - chips[*usual]));
            }
            gained
        };
        let mut all = vec![Vec::new(); ways.len()];
        run_chunks(0..effort.deals * ANTE_DEALS, play, |chunk| {
            all.iter_mut().zip(chunk).for_each(|(all, gained)| all.extend(gained));
        });
        for (gain, gained) in gains.iter_mut().zip(all) {
            *gain = gained.into_iter().collect();
        }
        gains
    }

    /// Whether a seat is dealt more cards than it sets apart for poker.
    fn chooses_five(&self) -> bool {
        let hands = self.sampler().hands(&mut Seed::new(0).rng());
        hands.seats.iter().any(|hand| hand.len() > 5)
    }

    fn field(&self, seat: usize) -> Field<'_> {
        Field::new(&self.game, seat, || self.player.batch().expect("it has one"))
    }

    fn deal_start(&self) -> DealStart {
        DealStart::fresh(self.game.players(), self.game.players() - 1)
    }

    fn sampler(&self) -> Sampler<'_> {
        let players = self.game.players();
        Sampler::new(&self.game, players - 1, Seats::first(players))
    }
}

/// The mean of the best paths of all deals.
fn best(trees: &[Found]) -> Spread {
    trees.iter().map(|tree| tree.best).collect()
}

/// The ways to place an ante that are not clearly behind the greatest, by their trees of the same deals, `[ways][deals]`,
/// and the gain of their antes, `[ways]`; and the policy's way.
fn kept(usual: usize, found: &[Vec<Found>], gains: &[Spread]) -> Vec<usize> {
    let bounds: Vec<Spread> =
        found.iter().zip(gains).map(|(trees, gain)| best(trees).plus(gain)).collect();
    let greatest = (0..bounds.len()).max_by(|&a, &b| bounds[a].mean().total_cmp(&bounds[b].mean()));
    let greatest = greatest.expect("there is a way");
    let is_behind = |way: usize| {
        let pairs = found[way].iter().zip(&found[greatest]);
        let trees: Spread = pairs.map(|(tree, other)| other.best - tree.best).collect();
        trees.plus(&gains[greatest].less(&gains[way])).is_above(0.0, LEFT_OUT_Z)
    };
    (0..bounds.len()).filter(|&way| way == usual || !is_behind(way)).collect()
}

impl BoundReport {
    /// Sets the wall-clock time.
    #[must_use]
    pub fn took(mut self, time: Duration) -> Self {
        self.seconds = time.as_secs_f64();
        self
    }
}

#[cfg(test)]
mod tests {
    use newmarket_env::seed;

    use super::*;

    /// Four ways in 25 deals of much luck, which all share: one is far behind by its antes, one by its trees, and one is
    /// hardly behind.
    #[test]
    fn ways_that_are_clearly_behind_are_left_out_but_for_the_usual_one() {
        let mut rng = Seed::new(1).rng();
        let deals: Vec<[f64; 4]> = (0..25)
            .map(|_| {
                let luck = 9.0 * seed::unit(&mut rng);
                [0.0, 0.0, -1.0, -0.1].map(|mean| luck + mean + seed::unit(&mut rng))
            })
            .collect();
        let found: Vec<Vec<Found>> = (0..4)
            .map(|way| deals.iter().map(|best| Found { best: best[way], decisions: 1 }).collect())
            .collect();
        let gain = |mean: f64| [mean - 0.05, mean + 0.05, mean].into_iter().collect::<Spread>();
        let gains = [0.0, -2.0, 0.0, 0.0].map(gain);
        assert_eq!(kept(0, &found, &gains), [0, 3]);
        assert_eq!(kept(1, &found, &gains), [0, 1, 3]);
        assert_eq!(kept(0, &found[..1], &gains[..1]), [0]);
    }
}
