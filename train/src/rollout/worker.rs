//! The worker that plays the episodes of a shard.

use super::Rollout;
use super::mix::TrainingTable;
use crate::config::EpisodeKind;
use crate::deal::SeatedDeal;
use crate::estimator::{DueDecision, EstimateTargets, TargetEstimator};
use crate::policies::Policies;
use crate::sampling::log_policy;
use crate::session_payoff::SessionPayoff;
use crate::trajectory::PolicyDecision;
use newmarket_agents::{OpenView, Player, SessionResult};
use newmarket_env::seed::{Rng, Seed};
use newmarket_env::{Game, MAX_PLAYERS, Observation, Phase, Session, State};
use newmarket_net::Scratch;

/// The children of an episode's seed. Children 1 and 6 draw the table and its rules.
#[derive(Clone, Copy)]
enum Purpose {
    Cards = 0,
    Seating = 2,
    Sampling = 3,
    Targets = 4,
    Estimator = 5,
}

/// Plays episodes, and collects rows.
pub(super) struct Worker<'a> {
    policies: &'a Policies<'a>,
    estimator: Box<dyn EstimateTargets + 'a>,
    opponents: Vec<Player>,
    scratch: Scratch,
    pub(super) rollout: Rollout,
}

impl<'a> Worker<'a> {
    pub(super) fn new(policies: &'a Policies<'a>, estimator: &dyn TargetEstimator) -> Self {
        Self {
            policies,
            estimator: estimator.worker(policies),
            opponents: policies.opponents.iter().map(|o| o.agent.another()).collect(),
            scratch: policies.policy.scratch(),
            rollout: Rollout::default(),
        }
    }

    /// Plays one episode at a table, the class of its decisions.
    pub(super) fn play_episode(&mut self, episode: Seed, table: &TrainingTable, class: usize) {
        let purpose = |purpose: Purpose| episode.child(purpose as u64);
        let game = &*table.game(episode);
        let mut session = match table.episode {
            EpisodeKind::Deal => Session::single_deal(game, purpose(Purpose::Cards)),
            EpisodeKind::CarriedDeal | EpisodeKind::Session => {
                Session::new(game, purpose(Purpose::Cards))
            }
        };
        let payoff = (table.episode == EpisodeKind::Session).then(|| SessionPayoff::of(game));
        let mut seating = purpose(Purpose::Seating).rng();
        let opponents = self.policies.draw_seats(game.players(), &mut seating);
        let mut sampling = purpose(Purpose::Sampling).rng();
        let mut targets = purpose(Purpose::Targets).rng();
        self.estimator.begin_episode(purpose(Purpose::Estimator));
        loop {
            let mut state = State::new(game, session.deal_start());
            let deal = SeatedDeal::new(game, class, session.hands(game), opponents);
            let deal = deal.of_session(payoff.is_some().then_some(&session));
            let deal = deal.alone(table.episode == EpisodeKind::Deal);
            let before = session.deal_start().stacks;
            self.play_deal(&deal, before, &mut state, &mut sampling, &mut targets);
            self.rollout.deals += 1;
            if payoff.is_none() {
                self.estimator.settle(&mut self.rollout.targets);
            }
            if table.episode == EpisodeKind::Deal {
                return;
            }
            let before = *state.stacks();
            session.close(game, &mut state);
            if let Some(payoff) = payoff {
                self.pay_between(payoff, game, &session, &before, &state);
            }
            if session.is_over() {
                return;
            }
        }
    }

    /// Rewards at the end of a deal of a session; `before` are the stacks before the deal was closed. At the
    /// end of the session returns are complete.
    fn pay_between(
        &mut self,
        payoff: SessionPayoff,
        game: &Game,
        session: &Session,
        before: &[i32; MAX_PLAYERS],
        state: &State,
    ) {
        if payoff == SessionPayoff::Chips {
            self.pay_chips(game, before, state.stacks());
        }
        if session.is_over() {
            let result = SessionResult::of(game, session, state);
            for seat in 0..game.players() {
                self.estimator.pay(seat, payoff.at_end(&result, seat));
            }
            self.estimator.settle(&mut self.rollout.targets);
        }
    }

    /// Plays a deal; `stacks` are those before the antes.
    fn play_deal(
        &mut self,
        deal: &SeatedDeal<'_>,
        mut stacks: [i32; MAX_PLAYERS],
        state: &mut State,
        sampling: &mut Rng,
        targets: &mut Rng,
    ) {
        while let Some(due) = deal.next(state) {
            self.pay(deal, &mut stacks, state);
            let turn = DueDecision { deal, state, seat: due.seat, legal: due.legal };
            let taken = match deal.opponents[due.seat] {
                Some(opponent) => self.ask(opponent, &turn, sampling),
                None => self.decide(&turn, sampling, targets),
            };
            if let Some(action) = due.legal.nth(taken) {
                state.apply_unchecked(deal.game, action);
            }
            self.rollout.decisions += 1;
        }
        self.pay(deal, &mut stacks, state);
        for seat in 0..deal.game.players() {
            self.estimator.pay(seat, deal.share_of_left(state, seat));
        }
    }

    /// Rewards the change of all stacks since `before`, if the return is chips.
    fn pay(&mut self, deal: &SeatedDeal<'_>, before: &mut [i32; MAX_PLAYERS], state: &State) {
        if deal.session.is_none() || SessionPayoff::of(deal.game) == SessionPayoff::Chips {
            self.pay_chips(deal.game, before, state.stacks());
            *before = *state.stacks();
        }
    }

    fn pay_chips(&mut self, game: &Game, before: &[i32; MAX_PLAYERS], after: &[i32; MAX_PLAYERS]) {
        for (seat, (after, before)) in after.iter().zip(before).enumerate().take(game.players()) {
            self.estimator.pay(seat, (after - before) as f32);
        }
    }

    /// The index of an opponent's action among the legal ones.
    fn ask(&mut self, opponent: usize, turn: &DueDecision<'_>, rng: &mut Rng) -> usize {
        let view = OpenView::new(turn.deal.game, turn.state, turn.seat);
        let action = self.opponents[opponent].act(&view, rng);
        let taken = turn.legal.iter().position(|a| a == action);
        taken.expect("an agent chooses what is legal")
    }

    /// The index of the policy's action among the legal ones. Tells the estimator.
    fn decide(&mut self, turn: &DueDecision<'_>, sampling: &mut Rng, targets: &mut Rng) -> usize {
        let DueDecision { deal, state, seat, legal } = *turn;
        let view = state.view(deal.game, seat);
        let observation = Observation::of(&view);
        let (logits, value) = self.policies.policy.forward(&observation, &mut self.scratch);
        let mut log_probs = Vec::with_capacity(legal.len());
        log_policy(logits, 1.0, legal, &mut log_probs);
        let taken = self.estimator.act(turn, logits, &log_probs, sampling);
        let decision = PolicyDecision {
            observation,
            legal: legal.bits(),
            log_probs,
            value: self.policies.scale.chips(value),
            kind: (Phase::COUNT * deal.class + state.phase() as usize) as u16,
            unit: deal.unit,
        };
        self.estimator.decide(turn, decision, taken, targets, &mut self.rollout.targets);
        taken
    }
}
