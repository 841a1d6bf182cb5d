//! How near a network in whole numbers comes to the same in `f32`: by game, the share of decisions in
//! which both choose the same action, what the others cost in logits, and what it gains in a paired duel
//! at a table of the exact one.
//!
//! `cargo run --release -p newmarket-checkpoints --example quantised -- champion 40 1000`: PLAYER, sessions
//! for each number of players, deals of the duel. Half of the sessions are single deals, half have ten.
#![expect(clippy::print_stdout, reason = "a report")]

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use newmarket_agents::net::{ActionSelection, NetAgent};
use newmarket_agents::paired::PairedDuel;
use newmarket_agents::{Agent, Player};
use newmarket_checkpoints::roster::net_player;
use newmarket_env::rules::NAMES;
use newmarket_env::{
    Action, DealDriver, Game, Observation, Phase, Rng, Rules, Seed, Session, State, View,
};
use newmarket_net::{FastNet, QuantisedNet, argmax};

/// The network in `f32`, greedily.
struct Exact(Arc<FastNet>);

impl Agent for Exact {
    fn name(&self) -> &'static str {
        "exact"
    }

    fn act(&mut self, view: &View, _: &mut Rng) -> Action {
        if view.phase() == Phase::SetApart {
            return view.pick_of_best_five();
        }
        let mut scratch = self.0.scratch();
        let (logits, _) = self.0.forward(&Observation::of(view), &mut scratch);
        Action::from_index(argmax(logits, view.legal().bits()))
    }

    fn another(&self) -> Box<dyn Agent> {
        Box::new(Self(self.0.clone()))
    }
}

/// What was counted.
#[derive(Default)]
struct Agreement {
    decisions: u64,
    same: u64,
    cost: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [player, sessions, deals] = &args[..] else {
        return Err("expected PLAYER SESSIONS DEALS".into());
    };
    let (sessions, deals): (u64, u64) = (sessions.parse()?, deals.parse()?);
    let weights = net_player(Path::new(player))?.checkpoint.weights;
    let (exact, net) = (Arc::new(FastNet::new(&weights)), Arc::new(QuantisedNet::new(&weights)));
    let hero: Player = NetAgent::new("whole numbers", net.clone(), ActionSelection::Greedy).into();
    let field: Player = (Box::new(Exact(exact.clone())) as Box<dyn Agent>).into();
    println!("game                     decisions  same action  lost in logits  gain in a duel");
    for name in NAMES {
        let mut sum = Agreement::default();
        let mut games = Vec::new();
        let (least, most) = Rules::named(name).ok_or("a named game")?.players;
        for players in least..=most {
            let game = Arc::new(Game::new(Rules::named(name).ok_or("a named game")?, players)?);
            for nth in 0..sessions {
                session(&game, Seed::new(nth), 1 + 9 * (nth % 2), &exact, &net, &mut sum);
            }
            games.push(game);
        }
        let duel =
            PairedDuel { games: &games, hero: &hero, field: &field, seed: Seed::new(20_261_123) };
        let gains = duel.run(deals, |_| {}).chips.estimate();
        println!(
            "{name:22} {:11} {:10.3} % {:15.6}  {:+.4} ± {:.4}",
            sum.decisions,
            100.0 * sum.same as f64 / sum.decisions as f64,
            sum.cost / sum.decisions as f64,
            gains.mean,
            gains.ci95,
        );
    }
    Ok(())
}

/// Both networks at every decision of a session that the exact one plays.
fn session(
    game: &Game,
    seed: Seed,
    deals: u64,
    exact: &FastNet,
    net: &QuantisedNet,
    sum: &mut Agreement,
) {
    let (mut exact_scratch, mut scratch) = (exact.scratch(), net.scratch());
    let mut session = Session::new(game, seed);
    for _ in 0..deals {
        let mut state = State::new(game, session.deal_start());
        let hands = session.hands(game);
        while let Some(decision) = DealDriver::CHOICES_BUT_FIVE.next(game, &mut state, || hands) {
            let observation = Observation::of(&state.view(game, decision.seat));
            let (logits, _) = exact.forward(&observation, &mut exact_scratch);
            let best = argmax(logits, decision.legal.bits());
            let own = argmax(net.logits(&observation, &mut scratch), decision.legal.bits());
            sum.decisions += 1;
            sum.same += u64::from(own == best);
            sum.cost += f64::from(logits[best] - logits[own]);
            state.apply_unchecked(game, Action::from_index(best));
        }
        session.close(game, &mut state);
        if session.is_over() {
            return;
        }
    }
}
