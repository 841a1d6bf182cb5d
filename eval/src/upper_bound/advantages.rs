//! Advantages of a seat's choices over the policy's, estimated in worlds of the posterior.
//!
//! The advantage of a choice is the mean of what it gains over the policy's choice if everybody plays on by the policy,
//! over the deals that are consistent with all that the seat knows: its view, and what the policy did in the other seats.
//! Such deals are drawn by rejection.
//!
//! A pilot sample decides how many worlds a choice is tried in, and is then thrown away. If the figures that are reported
//! decided it themselves, they would be biased. Where the pilot sample of earlier choices says that the seat has thrown
//! away more than it can win back, the true deal is the only world: it is a draw from the posterior as well.

use newmarket_env::{Hands, Rng, Seed, State, Worlds};

use super::field::Field;
use super::tree::{After, Decision, Tree};

/// The first pilot sample, and the smallest estimate, have one world for so many of the largest estimate. With fewer, noise
/// in large trees adds up to a path that looks good.
const MOST_PER_FEWEST: usize = 16;

/// The first pilot sample has no fewer worlds, unless the largest estimate has.
const FEWEST: usize = 16;

/// The pilot sample has one world for so many of the estimate.
const ESTIMATE_PER_PILOT: usize = 4;

/// A choice behind the best path is tried in so many worlds that the distance is this many standard errors. Then noise
/// hardly ever makes up for it.
const STANDARD_ERRORS: f64 = 3.0;

/// Chips that a path has lost where its later choices are tried in the true deal alone.
const LOST: f64 = -12.0;

/// Worlds that are drawn for one that agrees, before none is taken to do so.
const MOST_FOR_THE_FIRST: usize = 20_000;

/// Worlds that are drawn for each one that is wanted, once one has agreed.
const MOST_FOR_ANOTHER: usize = 100;

/// Worlds that are drawn at once.
const AT_ONCE: usize = 1024;

/// Worlds in which choices are played out at once.
const PLAYED_AT_ONCE: usize = 64;

/// Of one choice: the chips that it gains over the policy's choice, world by world.
#[derive(Clone, Copy, Default)]
struct Differences {
    count: usize,
    sum: f64,
    squares: f64,
}

impl Differences {
    fn add(&mut self, difference: f64) {
        self.count += 1;
        self.sum += difference;
        self.squares += difference * difference;
    }

    fn mean(&self) -> f64 {
        self.sum / self.count.max(1) as f64
    }

    fn variance(&self) -> f64 {
        (self.squares / self.count.max(1) as f64 - self.mean().powi(2)).max(0.0)
    }
}

/// The estimated advantages of all choices of a tree, each in at most `most` worlds. `[decisions][choices]`
pub(super) fn advantages(
    field: &mut Field,
    undealt: &State,
    tree: &Tree,
    most: usize,
    seed: Seed,
) -> Vec<Vec<f64>> {
    let mut advantages = tree.gains();
    let pilots = pilots(field, undealt, tree, most, seed.child(0));
    for (nth, (decision, pilot)) in tree.decisions.iter().zip(&pilots).enumerate() {
        if !pilot.is_lost {
            let mut found = vec![Differences::default(); decision.actions.len()];
            let rng = &mut seed.child(1).child(nth as u64).rng();
            try_choices(field, undealt, decision, &pilot.wanted, rng, &mut found);
            advantages[nth] = found.iter().map(Differences::mean).collect();
        }
    }
    advantages
}

/// The pilot samples, which say in how many worlds each choice is to be tried. `[decisions]`
fn pilots(field: &mut Field, undealt: &State, tree: &Tree, most: usize, seed: Seed) -> Vec<Pilot> {
    let fewest = (most / MOST_PER_FEWEST).max(FEWEST).min(most);
    let mut pilots: Vec<Pilot> = (tree.decisions.iter().enumerate())
        .map(|(nth, decision)| Pilot {
            wanted: decision.others(|_| fewest * ESTIMATE_PER_PILOT),
            found: vec![Differences::default(); decision.actions.len()],
            rng: seed.child(nth as u64).rng(),
            is_hard: false,
            is_lost: false,
        })
        .collect();
    // The sum of advantages on the way to each decision.
    let mut before = vec![0.0; tree.decisions.len()];
    for (nth, decision) in tree.decisions.iter().enumerate() {
        let pilot = &mut pilots[nth];
        pilot.is_lost = before[nth] <= LOST;
        if !pilot.is_lost {
            pilot.grow(field, undealt, decision);
        }
        for (after, found) in decision.after.iter().zip(&pilot.found) {
            if let After::Decision(next) = *after {
                // Where worlds are hard to draw, the true deal may have been the only one. It must not decide which
                // later choices are lost.
                before[next] = before[nth] + if pilot.is_hard { 0.0 } else { found.mean() };
            }
        }
    }
    let mut means = tree.gains();
    loop {
        for (means, pilot) in means.iter_mut().zip(&pilots).filter(|(_, pilot)| !pilot.is_lost) {
            *means = pilot.found.iter().map(Differences::mean).collect();
        }
        let mut grew = false;
        let behind = tree.behind(&means);
        for ((decision, pilot), behind) in tree.decisions.iter().zip(&mut pilots).zip(behind) {
            pilot.wanted = decision.others(|choice| {
                let variance = pilot.found[choice].variance();
                let enough = STANDARD_ERRORS.powi(2) * variance / behind[choice].powi(2);
                // NaN, where nothing differs, is 0 as an integer.
                (enough as usize).clamp(fewest, most)
            });
            if !pilot.is_lost && !pilot.is_hard {
                grew |= pilot.grow(field, undealt, decision);
            }
        }
        if !grew {
            return pilots;
        }
    }
}

impl Decision {
    /// A figure for each choice but the policy's, which has 0. `[choices]`
    fn others(&self, of: impl Fn(usize) -> usize) -> Vec<usize> {
        let figure = |choice| if choice == self.usual { 0 } else { of(choice) };
        (0..self.actions.len()).map(figure).collect()
    }
}

/// The pilot sample at one decision.
struct Pilot {
    /// In how many worlds the estimate is to try each choice. `[choices]`
    wanted: Vec<usize>,
    /// What the choices gained in the sample so far. `[choices]`
    found: Vec<Differences>,
    rng: Rng,
    /// Whether worlds are hard to draw: then the sample grows no further.
    is_hard: bool,
    /// Whether the seat has lost too much on the way to the decision for its choices to matter.
    is_lost: bool,
}

impl Pilot {
    /// Draws as many worlds more as the sample needs. It grows in steps, since a larger sample may show that the estimate
    /// can do with fewer. Returns whether it needed any.
    fn grow(&mut self, field: &mut Field, undealt: &State, decision: &Decision) -> bool {
        let more = |(wanted, found): (&usize, &Differences)| {
            let step = if found.count == 0 { usize::MAX } else { 4 * found.count };
            (wanted / ESTIMATE_PER_PILOT).min(step).saturating_sub(found.count)
        };
        let more: Vec<usize> = self.wanted.iter().zip(&self.found).map(more).collect();
        let asked = more.iter().copied().max().unwrap_or(0);
        if asked > 0 {
            let Self { found, rng, .. } = self;
            self.is_hard = try_choices(field, undealt, decision, &more, rng, found) < asked;
        }
        asked > 0
    }
}

/// Tries each choice in as many worlds as are `wanted` for it, the same for all, and adds what it gains over the policy's
/// choice in each. Returns how many worlds there were: fewer than the most that are wanted if they are hard to draw.
/// `[choices]`
fn try_choices(
    field: &mut Field,
    undealt: &State,
    decision: &Decision,
    wanted: &[usize],
    rng: &mut Rng,
    found: &mut [Differences],
) -> usize {
    let Decision { state, actions, usual, .. } = decision;
    let others = || (0..actions.len()).filter(|choice| choice != usual);
    let most = others().map(|choice| wanted[choice]).max().unwrap_or(0);
    let worlds = posterior(field, undealt, decision, most, rng);
    let view = state.view(field.game, field.seat);
    for (nth, chunk) in worlds.chunks(PLAYED_AT_ONCE).enumerate() {
        let (mut deals, mut tried) = (Vec::new(), Vec::new());
        for (world, number) in chunk.iter().zip(nth * PLAYED_AT_ONCE..) {
            let start = view.determinize(world);
            let choices = others().filter(|&choice| wanted[choice] > number);
            for choice in std::iter::once(*usual).chain(choices) {
                let mut deal = start;
                deal.apply_unchecked(field.game, actions[choice]);
                deals.push(deal);
                tried.push(choice);
            }
        }
        let mut usually = 0.0;
        for (choice, chips) in tried.into_iter().zip(field.play_out(&mut deals)) {
            if choice == *usual {
                usually = chips;
            } else {
                found[choice].add(chips - usually);
            }
        }
    }
    worlds.len()
}

/// Draws `count` worlds of the posterior at a decision, independently, by rejection; fewer if they are hard to draw. If
/// none is found, the true one stands for them: whether one is found does not depend on where the cards lie, given what
/// the seat knows, so the true one is a draw from the posterior as well.
fn posterior(
    field: &mut Field,
    undealt: &State,
    decision: &Decision,
    count: usize,
    rng: &mut Rng,
) -> Vec<Hands> {
    let Decision { state, record, .. } = decision;
    let view = state.view(field.game, field.seat);
    let all = Worlds::of(&view);
    if record.is_empty() {
        return (0..count).map(|_| all.draw(rng)).collect();
    }
    let (mut kept, mut drawn, mut agreed) = (Vec::with_capacity(count), 0, 0);
    loop {
        let most = if agreed == 0 { MOST_FOR_THE_FIRST } else { MOST_FOR_ANOTHER * count };
        if kept.len() >= count || drawn >= most {
            break;
        }
        // As many as should do.
        let rate = (agreed as f64 + 1.0) / (drawn as f64 + 8.0);
        let now = ((count - kept.len()) as f64 / rate) as usize;
        let now = now.clamp(32, AT_ONCE).min(most - drawn);
        let some: Vec<Hands> = (0..now).map(|_| all.draw(rng)).collect();
        let agree = field.agree(undealt, &view, record, &some);
        drawn += some.len();
        agreed += agree.iter().filter(|agrees| **agrees).count();
        let agreeing = some.into_iter().zip(agree).filter(|(_, agrees)| *agrees);
        kept.extend(agreeing.map(|(world, _)| world).take(count - kept.len()));
    }
    if kept.is_empty() && count > 0 {
        kept.push(state.hands());
    }
    kept
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use newmarket_agents::net::{ActionSelection, NetAgent};
    use newmarket_agents::{Agent, paired::Mean};
    use newmarket_env::random::Sampler;
    use newmarket_env::{Action, DealStart, Game, Observation, Phase, Rules, Seats};
    use newmarket_net::{NetConfig, QuantisedNet, Weights};

    use super::*;

    fn network() -> NetAgent {
        let (inputs, actions) = (Observation::LEN, Action::COUNT);
        let config = NetConfig { inputs, hidden: vec![16], actions };
        let net = QuantisedNet::new(&Weights::init(&config, 7));
        NetAgent::new("net", Arc::new(net), ActionSelection::Greedy)
    }

    /// In the mean, a strategy gains the sum of the estimated advantages on its path, also where pilot samples decide how
    /// many worlds there are, and where the true deal stands in for them. This is all that the bound needs.
    #[test]
    fn a_strategy_gains_the_sum_of_its_advantages() {
        for (text, changes, lost) in [
            (include_str!("../../games/auction.toml"), "", false),
            (include_str!("../../games/auction.toml"), "per_card = 9\n", true),
            (include_str!("../../games/after-look.toml"), "", false),
            (include_str!("../../games/three-seats.toml"), "per_card = 4\n", true),
        ] {
            let text = text.replacen("name =", &format!("{changes}name ="), 1);
            let rules = Rules::from_toml(&text, "test.toml").expect("rules");
            let players = rules.players.0;
            let game = Game::new(rules, players).expect("seats");
            let undealt = State::new(&game, &DealStart::fresh(players, players - 1));
            assert_eq!(undealt.phase(), Phase::Deal);
            let sampler = Sampler::new(&game, players - 1, Seats::first(players));
            let agent = network();
            let (mut off, mut gained, mut seen_lost) = (Mean::default(), Mean::default(), false);
            for deal in 0..2000 {
                let seat = deal as usize % players;
                let mut field = Field::new(&game, seat, || agent.batch().expect("greedy"));
                let mut dealt = undealt;
                dealt.deal(&game, &sampler.hands(&mut Seed::new(1).child(deal).rng()));
                let tree = Tree::grow(&mut field, &dealt, 100_000).expect("a small tree");
                let seed = Seed::new(2).child(deal);
                let estimates = advantages(&mut field, &undealt, &tree, 40, seed);
                let pilots = pilots(&mut field, &undealt, &tree, 40, seed.child(0));
                seen_lost |= pilots.iter().any(|pilot| pilot.is_lost);
                // The strategy takes the last legal action.
                let true_gains = tree.gains();
                let (mut by_estimates, mut truly) = (0.0, 0.0);
                let mut at = (!tree.decisions.is_empty()).then_some(0);
                while let Some(nth) = at {
                    let last = tree.decisions[nth].actions.len() - 1;
                    by_estimates += estimates[nth][last];
                    truly += true_gains[nth][last];
                    at = match tree.decisions[nth].after[last] {
                        After::Decision(next) => Some(next),
                        After::End(_) => None,
                    };
                }
                off.add(by_estimates - truly);
                gained.add(truly);
            }
            let (off, gained) = (off.estimate(), gained.estimate());
            assert!(off.mean.abs() < 2.0 * off.ci95, "{changes}: {off} of {gained}");
            assert_eq!(seen_lost, lost, "{changes}");
        }
    }
}
