//! Levels: weaker players from one network, whose mistakes cost as many antes in every game.
//!
//! A temperature makes mistakes: the action is drawn from the softmax of the logits divided by the
//! temperature. The cost of these mistakes depends on the stakes and on the number of decisions, so one
//! temperature is a weak player in one game and a strong player in another. A level is therefore a loss,
//! in antes a deal, and each game gets the temperature that loses this much.
//!
//! Consider a table where one seat errs and all others take their best actions. The mean loss of that
//! seat is the sum over the deal of how far its actions are behind the best ones (the performance
//! difference lemma of Kakade and Langford 2002). The logits say how far an action is behind, in units
//! that differ between games. In the named games, which make up most of a champion's training, a logit is
//! worth the same number of chips everywhere. In house rules where most decisions are worth nothing, most
//! differences between logits are noise. There some mistakes are played out, and their loss says how many
//! chips a logit is worth.
//!
//! The decisions of a deal depend on the temperature, so the temperature is found in a few passes, each
//! at the temperature of the pass before. In a game of luck no temperature may lose enough; there the
//! player has the highest temperature, which is close to random play.

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

/// The strength of a weaker player from a network, as its loss.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Level {
    /// The loss a deal of one such seat at a table where the network takes its likeliest actions in all
    /// other seats, in antes of a seat that does not deal.
    pub antes: f32,
    /// The temperature that loses this much in `newmarket` with four players, where it was measured.
    pub temperature: f32,
}

/// The number of deals of each pass, and about how many of their mistakes are played out. The first pass
/// finds the order of magnitude of the temperature, the last its value.
type Passes = [(usize, f64)];
const IN_HOUSE_RULES: &Passes = &[(256, 0.0), (512, 1000.0), (4096, 4000.0)];
const IN_NAMED_GAMES: &Passes = &[(256, 0.0), (1024, 0.0)];

/// Chips of free antes in a deal up to which all deals are played; each chip is a decision. With more
/// chips, proportionally fewer deals are played.
const MOST_ANTES: f64 = 128.0;

/// Chips that a logit is worth in every named game.
const NAMED: f64 = 0.31;

/// Games whose temperatures are kept, at most.
const MOST_GAMES: usize = 128;

/// The range of temperatures: from almost no mistakes to random play.
const LEAST: f64 = 1e-2;
const MOST: f64 = 1e4;
/// Halvings of that range, on a logarithmic scale.
const HALVINGS: usize = 24;

/// The temperatures of a level in the games that were played; copies share them.
#[derive(Clone, Debug, Default)]
pub(super) struct Levels(Arc<Mutex<Vec<Found>>>);

/// A game's identity, and its temperature.
type Found = (Arc<()>, f32);

impl Levels {
    /// The temperature of a level in this game. All calls must have the same network and level.
    pub(super) fn temperature(&self, net: &Arc<QuantisedNet>, game: &Game, level: Level) -> f32 {
        let known = |(identity, _): &&Found| Arc::ptr_eq(identity, game.identity());
        let known = self.0.lock().iter().find(known).map(|known| known.1);
        if let Some(temperature) = known {
            return temperature;
        }
        // Without the lock: it takes tenths of a second, and other threads play other games.
        let temperature = find(net, game, level);
        let mut known = self.0.lock();
        // House rules that are drawn for each deal do not come again.
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

/// The share of the deals that is played in this game.
fn share(game: &Game) -> f64 {
    match game.rules().layout_ante {
        LayoutAnte::Free { chips, .. } => {
            (MOST_ANTES / (f64::from(chips) * game.players() as f64)).min(1.0)
        }
        LayoutAnte::Fixed { .. } => 1.0,
    }
}

/// The temperature at which `loss` is `aim`, or the highest of the range.
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

    /// Another level would have another temperature, so an equal one was not found again.
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
