//! A best response that looks one decision ahead.
//!
//! [`LocalBestResponse`] knows the fixed policy of all other seats. At each of its decisions it samples deals from their
//! posterior, by the likelihood of the policy's decisions so far. In each it tries every action and lets all seats play
//! on by the policy, its own included. It takes the best action (Lisý and Bowling 2017, *Equilibrium Approximation
//! Quality of Current No-Limit Poker Bots*). Its gain over the policy in the same seat is a lower bound on the
//! exploitability of the policy.
//!
//! The best of several noisy means is often worse than the policy's own action. So the policy is the prior, and actions
//! that fall clearly behind are tried no more.

use newmarket_agents::net::{Playouts, SequentialElimination, resample};
use newmarket_agents::paired::Mean;
use newmarket_agents::{BatchPolicy, DealEvents, EventAgent, OpenView, Player, expected_of_left};
use newmarket_env::random::Sampler;
use newmarket_env::{
    Action, DealDriver, Game, Hands, Observation, Phase, Rng, Seed, State, View, Worlds, seed,
};
use newmarket_net::argmax;

use crate::replay::agree;

/// The assumed share of random decisions of the policy. It keeps deals possible in which the policy would have decided
/// otherwise: a policy that draws random numbers shows only one of its possible actions.
const RANDOM_SHARE: f64 = 1e-3;

/// The weight of the prior, in 1/chips: an action that is e times as likely as another by the policy starts with this, times
/// the variance of their difference in one deal, over all deals. So the prior weighs against noise, not against chips: it
/// is the posterior mean where the difference is normal beforehand, with a variance of a third of a chip for each nat. In a
/// full game, with a variance of some 80, it is the prior of `NetSearch`.
const PRIOR_PER_NAT: f64 = 0.3;

/// Deals of the first rounds. After each round the actions that are behind drop out.
const WORLDS_PER_ROUND: usize = 32;

/// The effort of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Deals to sample for a decision, weighted by their likelihood.
    pub candidates: usize,
    /// Deals to draw from these by their weights, at most; in each of them every action is tried that is not clearly
    /// behind by then.
    pub worlds: usize,
}

/// The best response, one decision ahead, to a fixed policy in all other seats.
pub struct LocalBestResponse {
    name: String,
    effort: Effort,
    /// The player with the policy.
    player: Player,
    /// The policy as logits, and playouts by it in many deals at once, if the player can do that.
    batch: Option<(Box<dyn BatchPolicy>, Playouts<'static>)>,
}

impl LocalBestResponse {
    /// The best response to a fair player.
    ///
    /// # Errors
    /// If the player sees all cards, or follows the deal by itself: then it cannot be asked what it would have done in
    /// other deals.
    pub fn to(player: &Player, effort: Effort) -> Result<Self, NoAnswer> {
        if !matches!(player, Player::Fair(_)) {
            return Err(NoAnswer { name: player.name().into() });
        }
        let batch = || player.batch().filter(|policy| !policy.plays().draw());
        let batch = batch().zip(batch());
        let batch = batch.map(|(policy, again)| (policy, Playouts::new([again])));
        let name = format!("best response to {}", player.name());
        Ok(Self { name, effort, player: player.another(), batch })
    }

    /// Deals for a decision, sampled from their posterior: the hands as they are now.
    fn worlds(
        &mut self,
        deal: &DealEvents,
        view: &View,
        worlds: usize,
        rng: &mut Rng,
    ) -> Vec<Hands> {
        let (all, actions) = (Worlds::of(view), deal.public_actions());
        let candidates = worlds * self.effort.candidates.div_ceil(self.effort.worlds);
        let drawn: Vec<Hands> = (0..candidates).map(|_| all.draw(rng)).collect();
        let weights: Vec<f64> = if let Some((_, playouts)) = &mut self.batch {
            let (undealt, record) = since_the_cards(deal, &actions);
            let agree = agree(playouts, &undealt, view, record, &drawn);
            // If none agrees, all have the same weight.
            let any = agree.contains(&true);
            agree.into_iter().map(|agrees| f64::from(u8::from(agrees || !any))).collect()
        } else {
            let log = |world: &Hands| self.log_likelihood(deal, view, &actions, world);
            let logs: Vec<f64> = drawn.iter().map(log).collect();
            // If all are impossible, a seat has set cards apart that no player would. Then all have the same weight.
            let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max).max(f64::MIN);
            logs.iter().map(|log| (log.max(f64::MIN) - top).exp()).collect()
        };
        resample(&weights, worlds, seed::unit(rng)).map(|place| drawn[place]).collect()
    }

    /// The logarithm of each legal action's probability by the policy over that of its likeliest, in nats; 0 if the policy
    /// does not tell.
    fn log_odds(&mut self, view: &View) -> Vec<f64> {
        let legal: Vec<Action> = view.legal().iter().collect();
        let Player::Fair(agent) = &mut self.player else { unreachable!("it is a fair player") };
        let logs: Option<Vec<f64>> = match (&mut self.batch, agent.probabilities(view)) {
            (Some((policy, _)), _) => {
                let mut logs = Vec::new();
                policy.logits(&[Observation::of(view)], &mut |_, logits| {
                    let top = logits[argmax(logits, view.legal().bits())];
                    let behind = |action: &Action| f64::from(logits[action.index()] - top);
                    logs = legal.iter().map(behind).collect();
                });
                Some(logs)
            }
            (None, Some(chances)) => {
                let top = chances.iter().copied().fold(0.0, f64::max);
                let behind = |chance: &f64| ((chance + RANDOM_SHARE) / (top + RANDOM_SHARE)).ln();
                Some(chances.iter().map(behind).collect())
            }
            (None, None) => None,
        };
        logs.unwrap_or_else(|| vec![0.0; legal.len()])
    }

    /// The action that gains most, in sampled deals and by the prior.
    fn best(&mut self, deal: &DealEvents, view: &View, rng: &mut Rng) -> Action {
        let Player::Fair(policy) = &mut self.player else { unreachable!("it is a fair player") };
        let usual = policy.act(view, rng);
        let legal: Vec<Action> = view.legal().iter().collect();
        let log_odds = self.log_odds(view);
        let first = WORLDS_PER_ROUND.min(self.effort.worlds);
        let gains = self.gains(deal, view, &legal, first, rng);
        // Among equal actions it takes the policy's, which adds no luck to the difference.
        let is_usual = |nth: usize| legal[nth] == usual;
        let usually = legal.iter().position(|&action| action == usual).expect("it is legal");
        let start = |(nth, log): (usize, &f64)| {
            let differences: Mean = gains.iter().map(|world| world[nth] - world[usually]).collect();
            let variance = differences.deviation().powi(2).max(0.0);
            PRIOR_PER_NAT * variance * log - if is_usual(nth) { 0.0 } else { f64::EPSILON }
        };
        let mut race = SequentialElimination::new(log_odds.iter().enumerate().map(start).collect());
        for world in &gains {
            race.add(world);
        }
        race.drop_out();
        let mut tried = first;
        while tried < self.effort.worlds && race.runners().len() > 1 {
            let now = (tried / 2).max(WORLDS_PER_ROUND).min(self.effort.worlds - tried);
            tried += now;
            let runners: Vec<Action> = race.runners().iter().map(|&nth| legal[nth]).collect();
            for gains in self.gains(deal, view, &runners, now, rng) {
                race.add(&gains);
            }
            race.drop_out();
        }
        legal[race.best()]
    }

    /// The gain of each of these actions in chips, in so many sampled deals. `[worlds][actions]`
    fn gains(
        &mut self,
        deal: &DealEvents,
        view: &View,
        actions: &[Action],
        worlds: usize,
        rng: &mut Rng,
    ) -> Vec<Vec<f64>> {
        let game = view.game();
        let starts: Vec<State> = if view.is_dealt() {
            let worlds = self.worlds(deal, view, worlds, rng);
            worlds.iter().map(|world| view.determinize(world)).collect()
        } else {
            vec![view.determinize(&Hands::default()); worlds]
        };
        let mut branches = Vec::with_capacity(starts.len() * actions.len());
        let sampler = Sampler::new(game, view.dealer(), view.seats_in());
        for start in starts {
            let hands = sampler.hands(rng);
            let seed = Seed::new(seed::below(rng, u32::MAX).into());
            for &action in actions {
                let mut state = start;
                state.apply_unchecked(game, action);
                branches.push(Branch { state, hands, seed });
            }
        }
        self.play_out(game, &mut branches);
        let is_last = deal.session().is_some_and(|place| place.deal == place.of);
        let gain = |Branch { state, .. }: &Branch| {
            let left = if is_last { expected_of_left(game, state, view.seat()) } else { 0.0 };
            f64::from(state.stacks()[view.seat()]) + left
        };
        branches.chunks(actions.len()).map(|world| world.iter().map(gain).collect()).collect()
    }

    fn play_out(&mut self, game: &Game, branches: &mut [Branch]) {
        if let Some((_, playouts)) = &mut self.batch {
            let mut states: Vec<State> = branches.iter().map(|branch| branch.state).collect();
            let mut rng = branches.first().map_or(Seed::new(0), |branch| branch.seed).rng();
            playouts.play_on(DealDriver::CHOICES_BUT_FIVE, game, &mut states, &mut rng);
            for (state, branch) in states.iter_mut().zip(&*branches) {
                if state.phase() == Phase::Deal {
                    state.deal(game, &branch.hands);
                }
            }
            playouts.play_on(DealDriver::CHOICES_BUT_FIVE, game, &mut states, &mut rng);
            branches.iter_mut().zip(states).for_each(|(branch, state)| branch.state = state);
            return;
        }
        for Branch { state, hands, seed } in branches {
            let mut rng = seed.rng();
            while let Some(decision) = DealDriver::CHOICES_BUT_FIVE.next(game, state, || *hands) {
                let action = self.player.act(&OpenView::new(game, state, decision.seat), &mut rng);
                state.apply_unchecked(game, action);
            }
        }
    }
}

/// The deal before its cards, and the public actions since then.
fn since_the_cards<'a>(deal: &DealEvents, actions: &'a [Action]) -> (State, &'a [Action]) {
    let (mut state, mut rest) = (State::new(deal.game(), deal.deal_start()), actions);
    while state.phase() != Phase::Deal
        && let Some((&action, later)) = rest.split_first()
    {
        state.apply_unchecked(deal.game(), action);
        rest = later;
    }
    (state, rest)
}

/// A sampled deal after one of the actions.
struct Branch {
    state: State,
    /// The cards, if they are not dealt yet.
    hands: Hands,
    /// The seed of the other players, the same for every action.
    seed: Seed,
}

/// A player to which no best response can be computed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "agent `{name}` cannot be answered by search: expected one that acts on what it may see, as stopper"
)]
pub struct NoAnswer {
    name: String,
}

impl LocalBestResponse {
    /// The log-likelihood of the policy's decisions in the other seats, if `world` has the cards as they are now.
    fn log_likelihood(
        &mut self,
        deal: &DealEvents,
        view: &View,
        actions: &[Action],
        world: &Hands,
    ) -> f64 {
        let game = view.game();
        let dealt = view.as_dealt(world);
        let mut state = State::new(game, deal.deal_start());
        let mut actions = actions.iter();
        let mut log = 0.0;
        loop {
            if state.phase() == Phase::Deal {
                state.deal(game, &dealt);
                continue;
            }
            let Some(seat) = state.actor() else { break };
            let legal = state.legal(game);
            if state.phase() == Phase::SetApart {
                let pick = state.view(game, seat).pick_of_best_five();
                state.apply_unchecked(game, pick);
                continue;
            }
            let Some(&action) = actions.next() else { break };
            if !legal.contains(action) {
                return f64::NEG_INFINITY;
            }
            if seat != view.seat() && !legal.is_forced() {
                log += self.log_probability(&state.view(game, seat), action);
            }
            state.apply_unchecked(game, action);
        }
        // Cards shown or chips won at poker may rule this deal out.
        if state.public() == view.public() { log } else { f64::NEG_INFINITY }
    }

    fn log_probability(&mut self, view: &View, action: Action) -> f64 {
        let Player::Fair(agent) = &mut self.player else { unreachable!("it is a fair player") };
        let legal = view.legal();
        let place = legal.iter().position(|it| it == action).expect("it is legal");
        let probability = if let Some(all) = agent.probabilities(view) {
            all[place]
        } else {
            let mut rng = Seed::new(0).rng();
            f64::from(u8::from(agent.act(view, &mut rng) == action))
        };
        ((1.0 - RANDOM_SHARE) * probability + RANDOM_SHARE / legal.len() as f64).ln()
    }
}

impl EventAgent for LocalBestResponse {
    fn name(&self) -> &str {
        &self.name
    }

    fn act(&mut self, deal: &DealEvents, rng: &mut Rng) -> Action {
        let view = deal.view();
        if view.phase() == Phase::SetApart {
            return view.pick_of_best_five();
        }
        self.best(deal, &view, rng)
    }

    fn over(&mut self, _: &DealEvents) {}

    fn another(&self) -> Box<dyn EventAgent> {
        Box::new(Self::to(&self.player, self.effort).expect("it was answered before"))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use newmarket_agents::play_session;
    use newmarket_agents::strategy::Strategy;
    use newmarket_env::{CardSet, Rules};

    use super::*;
    use crate::SessionDuel;

    fn two_seats() -> Game {
        let text = include_str!("../games/two-seats.toml");
        Game::new(Rules::from_toml(text, "two-seats.toml").expect("rules"), 2).expect("two seats")
    }

    fn player(name: &str) -> Player {
        Strategy::named(name).expect("a heuristic").into()
    }

    /// The slow way to say whether cards may lie so: the deal is played from its beginning with the policy in the
    /// other seat, and must come to the same.
    fn comes_to_the_same(deal: &DealEvents, dealt: &Hands, policy: &mut Player) -> bool {
        let game = deal.game();
        let mut state = State::new(game, deal.deal_start());
        for action in deal.public_actions() {
            if state.phase() == Phase::Deal {
                state.deal(game, dealt);
            }
            let Some(seat) = state.actor() else { return false };
            let legal = state.legal(game);
            let view = OpenView::new(game, &state, seat);
            let own = seat == deal.seat() || legal.is_forced();
            let taken = if own { action } else { policy.act(&view, &mut Seed::new(0).rng()) };
            if taken != action || !legal.contains(action) {
                return false;
            }
            state.apply_unchecked(game, action);
        }
        if state.phase() == Phase::Deal {
            state.deal(game, dealt);
        }
        state.view(game, deal.seat()) == deal.view()
    }

    /// Every way to deal the pack to two seats and a dead hand of three cards each.
    fn all_deals(game: &Game) -> Vec<Hands> {
        let cards: Vec<_> = game.pack().iter().collect();
        let mut all = Vec::new();
        for code in 0..3_u32.pow(cards.len() as u32) {
            let mut hands = [CardSet::EMPTY; 3];
            for (nth, &card) in cards.iter().enumerate() {
                hands[(code / 3_u32.pow(nth as u32) % 3) as usize].insert(card);
            }
            if hands.iter().all(|hand| hand.len() == 3) {
                let mut dealt = Hands { dead: hands[2], ..Hands::default() };
                dealt.seats[..2].copy_from_slice(&hands[..2]);
                all.push(dealt);
            }
        }
        all
    }

    struct Probe {
        answer: LocalBestResponse,
        policy: Player,
        deals: Arc<Vec<Hands>>,
        /// Decisions that were looked at, and those at which not all worlds are possible.
        seen: Arc<[AtomicU64; 2]>,
    }

    impl EventAgent for Probe {
        fn name(&self) -> &'static str {
            "probe"
        }

        fn act(&mut self, deal: &DealEvents, rng: &mut Rng) -> Action {
            let view = deal.view();
            if view.is_dealt() {
                let own = |dealt: &&Hands| {
                    let seat = deal.seat();
                    let first =
                        if view.exchanger() == Some(seat) { dealt.dead } else { dealt.seats[seat] };
                    first == view.hand() | view.played_by(seat)
                };
                let possible = (self.deals.iter())
                    .filter(own)
                    .filter(|dealt| comes_to_the_same(deal, dealt, &mut self.policy));
                let possible: Vec<Hands> = possible.copied().collect();
                let worlds = self.answer.worlds(deal, &view, 400, rng);
                let mut times = vec![0.0; possible.len()];
                let mut others = 0.0;
                for world in &worlds {
                    let dealt = view.as_dealt(world);
                    match possible.iter().position(|it| *it == dealt) {
                        Some(at) => times[at] += 1.0,
                        None => others += 1.0,
                    }
                }
                let each = worlds.len() as f64 / possible.len() as f64;
                assert!(others <= 0.02 * worlds.len() as f64, "{others} impossible worlds");
                for count in times {
                    assert!((count - each).abs() < 0.5 * each + 12.0, "{count} instead of {each}");
                }
                self.seen[0].fetch_add(1, Relaxed);
                let fewer = (possible.len() as f64) < Worlds::of(&view).count();
                self.seen[1].fetch_add(u64::from(fewer), Relaxed);
            }
            let legal = view.legal();
            legal.nth(seed::below(rng, legal.len() as u32) as usize).expect("a choice")
        }

        fn over(&mut self, _: &DealEvents) {}

        fn another(&self) -> Box<dyn EventAgent> {
            unreachable!("it plays alone")
        }
    }

    #[test]
    fn worlds_are_those_in_which_the_policy_would_have_done_the_same() {
        let (game, policy) = (two_seats(), player("stopper"));
        let effort = Effort { candidates: 6_000, worlds: 400 };
        let deals = Arc::new(all_deals(&game));
        assert_eq!(deals.len(), 1680);
        let seen = Arc::new([AtomicU64::new(0), AtomicU64::new(0)]);
        for number in 0..24 {
            let probe = Probe {
                answer: LocalBestResponse::to(&policy, effort).expect("fair"),
                policy: policy.another(),
                deals: deals.clone(),
                seen: seen.clone(),
            };
            let mut players = [Player::Events(Box::new(probe)), policy.another()];
            play_session(&game, Seed::new(number), &mut players, |seat| {
                usize::from(seat as u64 != number % 2)
            });
        }
        let [all, informed] = [0, 1].map(|nth| seen[nth].load(Relaxed));
        assert!(all > 100 && informed > 30, "{all} {informed}");
    }

    #[test]
    fn it_finds_most_of_what_the_exact_best_response_gains() {
        let mut spec = newmarket_env::Spec::clone(two_seats().rules());
        spec.session.deals = 1;
        let game = Arc::new(Game::new(spec.validate().expect("rules"), 2).expect("two seats"));
        let field = player("stopper");
        let effort = Effort { candidates: 512, worlds: 32 };
        let hero = LocalBestResponse::to(&field, effort).expect("fair");
        let hero = Player::Events(Box::new(hero));
        let duel = SessionDuel { game, hero: &hero, field: &field, sessions: 3_000, seed: 4 };
        let report = duel.run(|_| {});
        // The exact gain is 0.35 a seat (`newmarket exploit stopper --rules eval/games/two-seats.toml`).
        assert!(report.gain - report.ci95 > 0.15, "{report:?}");
        assert!(report.gain - report.ci95 < 0.351, "{report:?}");
    }

    #[test]
    fn who_sees_all_cards_is_not_answered() {
        let open = newmarket_agents::search::named("omniscient", None);
        let open = open.expect("a name").expect("a player");
        let refused = LocalBestResponse::to(&open, Effort { candidates: 1, worlds: 1 });
        let text = refused.err().expect("it is refused").to_string();
        assert!(text.contains("`omniscient` cannot be answered by search"), "{text}");
    }
}
