//! One worker at the tables.

use super::Rollout;
use super::mix::TrainingTable;
use crate::config::EpisodeKind;
use crate::deal::SeatedDeal;
use crate::estimator::{DueDecision, EstimateTargets, TargetEstimator};
use crate::policies::Policies;
use crate::sampling::log_policy;
use crate::seat_gains::SeatGains;
use crate::trajectory::PolicyDecision;
use newmarket_agents::{OpenView, Player};
use newmarket_env::seed::{Rng, Seed};
use newmarket_env::{MAX_PLAYERS, Observation, Phase, Session, State};
use newmarket_net::Scratch;

/// What each child of an episode's seed is for; 1 and 6 are the draws of the table and its rules.
#[derive(Clone, Copy)]
enum Purpose {
    Cards = 0,
    Seating = 2,
    Sampling = 3,
    Targets = 4,
    Estimator = 5,
}

/// What one worker needs to play.
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

    /// Plays one episode at a table.
    pub(super) fn play_episode(&mut self, episode: Seed, table: &TrainingTable) {
        let purpose = |purpose: Purpose| episode.child(purpose as u64);
        let (game, class) = table.game(episode);
        let game = &*game;
        let mut session = match table.episode {
            EpisodeKind::Deal => Session::single_deal(game, purpose(Purpose::Cards)),
            EpisodeKind::CarriedDeal => Session::new(game, purpose(Purpose::Cards)),
        };
        let mut seating = purpose(Purpose::Seating).rng();
        let opponents = self.policies.draw_seats(game.players(), &mut seating);
        let mut sampling = purpose(Purpose::Sampling).rng();
        let mut targets = purpose(Purpose::Targets).rng();
        self.estimator.begin_episode(purpose(Purpose::Estimator));
        loop {
            let mut state = State::new(game, session.deal_start());
            let deal = SeatedDeal::new(game, class, session.hands(game), opponents);
            self.play_deal(&deal, &mut state, &mut sampling, &mut targets);
            self.rollout.deals += 1;
            if table.episode == EpisodeKind::Deal {
                return;
            }
            session.close(game, &mut state);
            if session.is_over() {
                return;
            }
        }
    }

    fn play_deal(
        &mut self,
        deal: &SeatedDeal<'_>,
        state: &mut State,
        sampling: &mut Rng,
        targets: &mut Rng,
    ) {
        let mut stacks = *state.stacks();
        self.estimator.begin_deal(&self.rollout.targets);
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
        self.estimator.end_deal(state.stacks(), &mut self.rollout.targets);
    }

    /// Chips that came and went since the stacks were `before`.
    fn pay(&mut self, deal: &SeatedDeal<'_>, before: &mut [i32; MAX_PLAYERS], state: &State) {
        let now = *state.stacks();
        for seat in 0..deal.game.players() {
            self.estimator.pay(seat, (now[seat] - before[seat]) as f32);
        }
        *before = now;
    }

    /// The place of an opponent's action among the legal ones.
    fn ask(&mut self, opponent: usize, turn: &DueDecision<'_>, rng: &mut Rng) -> usize {
        let view = OpenView::new(turn.deal.game, turn.state, turn.seat);
        let action = self.opponents[opponent].act(&view, rng);
        let taken = turn.legal.iter().position(|a| a == action);
        taken.expect("an agent chooses what is legal")
    }

    /// The place of the policy's action among the legal ones; the estimator hears of it.
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
            seat_gains: self.policies.seat_gains.then(|| SeatGains::from_now(state, &view)),
        };
        self.estimator.decide(turn, decision, taken, targets, &mut self.rollout.targets);
        taken
    }
}
