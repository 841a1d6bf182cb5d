//! Levels: a network whose mistakes cost as much in every game.
//!
//! A temperature makes mistakes: an action is drawn from the softmax of the logits over it. What they cost
//! depends on what is at stake and on how many decisions there are, so the same temperature is a
//! weak player in one game and a strong one in another. A level is a loss instead, in antes a deal. In
//! every game the temperature is found that loses as much.
//!
//! At a table where one seat errs and all others take their best actions, what the actions of that seat
//! are behind the best ones, summed over a deal, is in the mean what it loses (the performance difference
//! lemma of Kakade and Langford 2002). The logits say how far an action is behind, but a logit is not worth
//! the same in every game. In the named games, in which champions learn most, it is. In house rules where most
//! decisions are worth nothing, most of their differences is what the network does not know. So there some
//! mistakes are played out, and what they lose says what a logit is worth.
//! Decisions depend on the temperature, so it is found in a few passes, each at the temperature of the
//! one before. In a game of luck no temperature may lose so much; there the hottest plays, which is close
//! to random.

mod mistakes;

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use newmarket_env::Game;
use newmarket_env::rules::LayoutAnte;
use newmarket_net::QuantisedNet;
use spin::Mutex;

use super::{NetBatch, Playouts};
use mistakes::MistakeSample;

/// How much a weaker self of a network loses.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Level {
    /// What it loses a deal in one seat at a table of the network that takes its likeliest actions, in antes of
    /// a seat that does not deal.
    pub antes: f32,
    /// The temperature that loses so much in `newmarket` with four players, where it was measured.
    pub temperature: f32,
}

/// Deals of each pass, and how many of the mistakes in them are played out, about. The first says where the
/// temperature lies, the last how high it is.
type Passes = [(usize, f64)];
const IN_HOUSE_RULES: &Passes = &[(256, 0.0), (512, 1000.0), (4096, 4000.0)];
const IN_NAMED_GAMES: &Passes = &[(256, 0.0), (1024, 0.0)];

/// Chips of free antes in a deal, each of which is a decision, up to which there are so many deals. Where there
/// are more, there are fewer deals in proportion.
const MOST_ANTES: f64 = 128.0;

/// Chips that a logit is worth in every named game: its deviation among them is 0.02.
const NAMED: f64 = 0.31;

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
    /// The temperature of a level in this game. It is always asked for with the same network and level.
    pub(super) fn temperature(&self, net: &Arc<QuantisedNet>, game: &Game, level: Level) -> f32 {
        let known = |(of, _): &&Found| Arc::ptr_eq(of, game.identity());
        let known = self.0.lock().iter().find(known).map(|known| known.1);
        if let Some(temperature) = known {
            return temperature;
        }
        // Without the lock: it takes up to some tenths of a second, and others play other games.
        let temperature = find(net, game, level);
        let mut known = self.0.lock();
        // House rules drawn anew for every deal are not met again.
        if known.len() == MOST_GAMES {
            known.clear();
        }
        known.push((game.identity().clone(), temperature));
        temperature
    }
}

fn find(net: &Arc<QuantisedNet>, game: &Game, level: Level) -> f32 {
    let rules = game.rules();
    let is_named = rules.are_unchanged();
    if is_named && rules.base == "newmarket" && game.players() == 4 {
        return level.temperature;
    }
    let aim = f64::from(level.antes) * f64::from(rules.full_ante(false).max(1));
    let mut playouts = Playouts::new([Box::new(NetBatch::new(net.clone())) as _]);
    let (mut temperature, mut mass) = (f64::from(level.temperature), 1.0);
    let passes = if is_named { IN_NAMED_GAMES } else { IN_HOUSE_RULES };
    let share = share(game);
    for &(deals, tried) in passes {
        let (deals, tried) = ((deals as f64 * share) as usize, tried * share);
        let apart = (mass * deals as f64 / tried).max(1e-6);
        let sample = MistakeSample::play(&mut playouts, game, temperature, deals, apart);
        let worth = if is_named { NAMED } else { sample.worth() };
        temperature = temperature_that_loses(aim, |temperature| worth * sample.regret(temperature));
        mass = sample.mass(temperature);
    }
    temperature as f32
}

/// The part of the deals that is played in this game.
fn share(game: &Game) -> f64 {
    match game.rules().layout_ante {
        LayoutAnte::Free { chips, .. } => {
            (MOST_ANTES / (f64::from(chips) * game.players() as f64)).min(1.0)
        }
        LayoutAnte::Fixed { .. } => 1.0,
    }
}

/// The temperature that loses so much, or the highest that is tried.
fn temperature_that_loses(aim: f64, loss: impl Fn(f64) -> f64) -> f64 {
    let (mut least, mut most) = (LEAST, MOST);
    for _ in 0..HALVINGS {
        let middle = libm::sqrt(least * most);
        let end = if loss(middle) < aim { &mut least } else { &mut most };
        *end = middle;
    }
    most
}

#[cfg(test)]
mod tests {
    use newmarket_env::{Action, Observation, Rules};
    use newmarket_net::{NetConfig, Weights};

    use super::*;

    /// An untrained network whose logits differ.
    pub(super) fn untrained() -> Arc<QuantisedNet> {
        let shape =
            NetConfig { inputs: Observation::LEN, hidden: alloc::vec![16], actions: Action::COUNT };
        let mut arrays = Weights::init(&shape, 3).arrays().to_vec();
        let policy = arrays.iter_mut().filter(|array| array.name.starts_with("policy"));
        policy.flat_map(|array| &mut array.data).for_each(|weight| *weight *= 100.0);
        Arc::new(QuantisedNet::new(&Weights::from_arrays(&shape, arrays).unwrap()))
    }

    /// Whoever works it out anew for another level finds another temperature.
    #[test]
    fn copies_share_what_one_has_found() {
        let net = untrained();
        let game = || Game::new(Rules::named("michigan").unwrap(), 3).unwrap();
        let (first, second) = (game(), game());
        let levels = Levels::default();
        let asked = |levels: &Levels, game: &Game, antes| {
            let level = Level { antes, temperature: 4.0 };
            levels.temperature(&net, game, level).to_bits()
        };
        let found = asked(&levels, &first, 0.01);
        let copy = levels.clone();
        assert_eq!(asked(&copy, &first, 0.05), found);
        assert_ne!(asked(&copy, &second, 0.05), found);
    }

    #[test]
    fn antes_of_very_many_chips_are_played_in_fewer_deals() {
        let with = |chips: i32| {
            let text = alloc::format!(
                "base = \"newmarket\"\nlayout_ante = {{ free = {{ chips = {chips}, dealer_chips = {chips} }} }}"
            );
            (1000.0 * share(&Game::new(Rules::from_toml(&text, "x").unwrap(), 8).unwrap())) as u32
        };
        assert_eq!([4, 12, 16, 32, 1000].map(with), [1000, 1000, 1000, 500, 16]);
    }

    #[test]
    fn a_temperature_loses_what_it_shall() {
        assert!(
            (temperature_that_loses(9.0, |temperature| temperature * temperature) - 3.0).abs()
                < 1e-4
        );
        assert!(temperature_that_loses(9.0, |_| 8.0) > 0.99 * MOST);
    }
}
