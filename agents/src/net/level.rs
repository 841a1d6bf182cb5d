//! Levels: a network whose mistakes cost as much in every game.
//!
//! A temperature makes mistakes: an action is drawn from the softmax of the logits over it. What they cost
//! depends on what is at stake and on how many decisions there are, so the same temperature is a
//! weak player in one game and a strong one in another. A level is a loss instead, in antes a deal:
//! that of its temperature in `newmarket` with four players. In every other game the temperature is
//! found that loses as much.
//!
//! What a temperature loses is estimated from the network's own logits, which are advantages. At a table
//! where one seat errs and all others take their best actions, what the actions of that seat are behind the best
//! ones, summed over a deal, is in the mean what it loses (the performance difference lemma of Kakade
//! and Langford 2002): exactly, if the logits were exact. The decisions depend on the temperature, so it is found
//! in a few passes, each at the temperature of the one before. In a game of luck no temperature may
//! lose so much; there the hottest plays, which is close to random.

use alloc::sync::Arc;
use alloc::vec::Vec;

use newmarket_env::{
    Action, DealDriver, Decision, Game, Observation, Rules, Seats, Seed, Session, State, seed,
};
use newmarket_net::{QuantisedNet, QuantisedScratch, argmax, sample};
use spin::Mutex;

use super::agent::tempered;

/// The best five cards are set apart for poker without asking.
const DRIVER: DealDriver = DealDriver::CHOICES.set_best_five_apart(Seats::ALL);

/// Deals of a pass; the seats err in turn.
const DEALS: usize = 256;

/// Passes in which a temperature is found.
const PASSES: usize = 3;

/// The game and the number of players in which a temperature is what it says, to a millionth.
const REFERENCE: (&str, usize) = ("newmarket", 4);

/// Games whose temperatures are kept, at most.
const MOST_GAMES: usize = 128;

/// The temperatures that are tried: from next to no mistakes to random play.
const LEAST: f64 = 1e-2;
const MOST: f64 = 1e4;
/// Halvings of that range, on a scale of logarithms.
const HALVINGS: usize = 24;

/// The temperatures of a level in the games that were played, by the identity of each; copies share them.
#[derive(Clone, Debug, Default)]
pub(super) struct Levels(Arc<Mutex<Vec<Found>>>);

/// A game's identity, and its temperature.
type Found = (Arc<()>, f32);

impl Levels {
    /// The temperature that costs as many antes in this game as `reference` does in `newmarket`. It is always
    /// asked for with the same network and reference.
    pub(super) fn temperature(
        &self,
        net: &QuantisedNet,
        scratch: &mut QuantisedScratch,
        game: &Game,
        reference: f32,
    ) -> f32 {
        let known = |(of, _): &&Found| Arc::ptr_eq(of, game.identity());
        let known = self.0.lock().iter().find(known).map(|known| known.1);
        if let Some(temperature) = known {
            return temperature;
        }
        // Without the lock: it takes a tenth of a second, and others play other games.
        let temperature = find(net, scratch, game, reference);
        let mut known = self.0.lock();
        // House rules drawn anew for every deal are not met again.
        if known.len() == MOST_GAMES {
            known.remove(0);
        }
        known.push((game.identity().clone(), temperature));
        temperature
    }
}

fn find(net: &QuantisedNet, scratch: &mut QuantisedScratch, game: &Game, reference: f32) -> f32 {
    let rules = Rules::named(REFERENCE.0).expect("a named game");
    let newmarket = Game::new(rules, REFERENCE.1).expect("it seats four");
    let aim = Regrets::of(net, scratch, &newmarket, reference).loss(f64::from(reference));
    (0..PASSES).fold(reference, |temperature, _| {
        Regrets::of(net, scratch, game, temperature).temperature_that_loses(aim)
    })
}

/// How far the logits of all actions are behind the best one, decision by decision of a seat that errs.
struct Regrets {
    all: Vec<f32>,
    /// Where the actions of the next decision begin. `[decisions]`
    ends: Vec<usize>,
    /// Deals times chips of an ante.
    antes: f64,
}

impl Regrets {
    /// Those of the network where one seat plays at this temperature, and all others take their best
    /// actions. The seats err in turn. The deals and draws are the same for every network.
    fn of(
        net: &QuantisedNet,
        scratch: &mut QuantisedScratch,
        game: &Game,
        temperature: f32,
    ) -> Self {
        let ante = f64::from(game.rules().full_ante(false).max(1));
        let mut regrets = Self { all: Vec::new(), ends: Vec::new(), antes: ante * DEALS as f64 };
        for deal in 0..DEALS {
            let seed = Seed::new(deal as u64);
            let session = Session::single_deal(game, seed);
            let mut rng = seed.rng();
            let mut state = State::new(game, session.deal_start());
            while let Some(Decision { seat, legal }) =
                DRIVER.next(game, &mut state, || session.hands(game))
            {
                let logits = net.logits(&Observation::of(&state.view(game, seat)), scratch);
                let mut index = argmax(logits, legal.bits());
                if seat == deal % game.players() {
                    for action in legal.iter() {
                        regrets.all.push(logits[index] - logits[action.index()]);
                    }
                    regrets.ends.push(regrets.all.len());
                    let tempered = tempered(logits, temperature);
                    index = sample(&tempered, legal.bits(), seed::unit(&mut rng)).0;
                }
                state.apply_unchecked(game, Action::from_index(index));
            }
        }
        regrets
    }

    /// The temperature that loses so much, or the highest that is tried.
    fn temperature_that_loses(&self, aim: f64) -> f32 {
        let (mut least, mut most) = (LEAST, MOST);
        for _ in 0..HALVINGS {
            let middle = libm::sqrt(least * most);
            let end = if self.loss(middle) < aim { &mut least } else { &mut most };
            *end = middle;
        }
        most as f32
    }

    /// What the seat loses by this temperature, in logits an ante and deal.
    fn loss(&self, temperature: f64) -> f64 {
        let (mut lost, mut start) = (0.0, 0);
        for &end in &self.ends {
            let (mut total, mut weighed) = (0.0, 0.0);
            for &regret in &self.all[start..end] {
                let regret = f64::from(regret);
                let weight = libm::exp(-regret / temperature);
                total += weight;
                weighed += weight * regret;
            }
            lost += weighed / total;
            start = end;
        }
        lost / self.antes
    }
}

#[cfg(test)]
mod tests {
    use newmarket_net::{NetConfig, Weights};

    use super::*;

    /// Whoever works it out anew for another reference finds another temperature.
    #[test]
    fn copies_share_what_one_has_found() {
        let shape =
            NetConfig { inputs: Observation::LEN, hidden: alloc::vec![16], actions: Action::COUNT };
        // Untrained, the logits hardly differ, and every temperature loses the same.
        let mut arrays = Weights::init(&shape, 3).arrays().to_vec();
        let policy = arrays.iter_mut().filter(|array| array.name.starts_with("policy"));
        policy.flat_map(|array| &mut array.data).for_each(|weight| *weight *= 100.0);
        let net = QuantisedNet::new(&Weights::from_arrays(&shape, arrays).unwrap());
        let mut scratch = net.scratch();
        let game = || Game::new(Rules::named("michigan").unwrap(), 3).unwrap();
        let (first, second) = (game(), game());
        let levels = Levels::default();
        let mut asked = |levels: &Levels, game, reference| {
            levels.temperature(&net, &mut scratch, game, reference).to_bits()
        };
        let found = asked(&levels, &first, 0.1);
        let copy = levels.clone();
        assert_eq!(asked(&copy, &first, 0.5), found);
        assert_ne!(asked(&copy, &second, 0.5), found);
    }

    #[test]
    fn a_loss_is_the_mean_regret_of_what_is_drawn() {
        // Two decisions: one of two actions, one chip apart; one of three, of which two are as good.
        let all = alloc::vec![0.0, 1.0, 0.0, 0.0, 3.0];
        let regrets = Regrets { all, ends: alloc::vec![2, 5], antes: 2.0 };
        let (one, three) = ((-1.0_f64 / 2.0).exp(), (-3.0_f64 / 2.0).exp());
        let expected = f64::midpoint(one / (1.0 + one), 3.0 * three / (2.0 + three));
        assert!((regrets.loss(2.0) - expected).abs() < 1e-12);
        assert!((regrets.loss(MOST) - f64::midpoint(0.5, 1.0)).abs() < 1e-3);
        assert!(regrets.loss(LEAST) < 1e-12);
    }
}
