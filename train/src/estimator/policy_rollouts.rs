//! The policy itself rolls out every action to the end of the deal.
//!
//! Where an episode is a session, a playout continues to the seat's first decision of a later deal, with
//! other cards in every playout. There the value head estimates the rest of the session.
//!
//! All seats continue with their players of the deal. The policy chooses as in a benchmark: its likeliest
//! action, or one that it draws, kind of decision by kind. The first rollout starts from the true state,
//! the others from sampled determinizations that are consistent with the seat's view and weighted by the
//! likelihood of earlier decisions. All actions are tried in the same worlds, with the same random numbers
//! for opponents and draws, so all actions have the same luck (the *vine* of Schulman, Levine, Moritz,
//! Jordan and Abbeel 2015).

use super::{
    DueDecision, EstimateTargets, TargetEstimator, Targets, is_tried, not_a_sample, out_of_unit,
    share_faults,
};
use crate::deal::SeatedDeal;
use crate::policies::Policies;
use crate::sampling::{likeliest, log_policy, sample};
use crate::session_payoff::SessionPayoff;
use crate::trajectory::PolicyDecision;
use newmarket_agents::net::{
    BeliefSampler, DecisionModel, LikelihoodModel, NetBatch, PlayKind, Playouts, Plays,
};
use newmarket_agents::{BatchPolicy, OpenView, Player, SessionResult};
use newmarket_env::seed::{Rng, Seed, unit};
use newmarket_env::{
    ActionMask, Decision, Encoder, Observation, Phase, Seats, Session, State, random,
};
use newmarket_net::{QuantisedNet, Scratch};
use rand_core::Rng as _;
use serde::{Deserialize, Serialize};

/// Rollouts of every action by the policy. `train/NOTEBOOK.md`, 33, compares them with determinized search.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyRollouts {
    /// Rollouts of each action, at least 1: the first from the true state, the others in sampled
    /// determinizations. A bet is rolled out from the true state alone: worlds are not weighted by bets.
    pub playouts: usize,
    /// Share of the decisions on an ante chip before the cards are seen that are tried and learnt from:
    /// there are many, and each has little information.
    pub ante_share: f64,
    /// The same for antes after a look, which differ from hand to hand. Where they are drawn, few targets
    /// leave more noise than the differences that matter.
    #[serde(default = "default::after_look_share")]
    pub after_look_share: f64,
    /// Share of all other decisions that are tried and learnt from.
    pub decision_share: f64,
    /// Share of episodes in which the policy antes, bids and bets by its likeliest action, as in
    /// playouts. In other episodes it samples these actions; it always samples leads. A kind of decision
    /// that is drawn in playouts is drawn at the same temperature in all episodes. With 1, the policy
    /// would see only one layout of antes; with 0, it would rarely see the layout of benchmarks
    /// (`train/NOTEBOOK.md`, 39).
    #[serde(default = "default::greedy_share")]
    pub greedy_share: f64,
    /// Factor on the logits of decisions on the dead hand, when they are sampled and when worlds are
    /// weighted by them. Sampled without a factor, seats often keep poor hands, and the dead hand seems
    /// better to the next seat than it is when all decide greedily. With a temperature of 0.3, a
    /// factor of 6 is a twentieth of the unit of the table (`train/NOTEBOOK.md`, 39).
    #[serde(default = "default::response_sharpness")]
    pub response_sharpness: f64,
    /// Worlds that are drawn for each world that is used, at least 1. They are resampled by the likelihood of
    /// earlier decisions: on the dead hand, on antes after a look, and on leads if `hear_leads` is set. For
    /// antes fewer worlds are drawn when fewer cards are hidden.
    #[serde(default = "default::candidate_worlds")]
    pub candidate_worlds: usize,
    /// Whether worlds are weighted by the likelihood of leads and of all other decisions to the end of the
    /// deal; in games with poker, of decisions other than leads.
    #[serde(default)]
    pub hear_leads: bool,
}

/// Defaults of a configuration.
mod default {
    pub(super) fn after_look_share() -> f64 {
        0.1
    }
    pub(super) fn greedy_share() -> f64 {
        0.5
    }
    pub(super) fn response_sharpness() -> f64 {
        6.0
    }
    pub(super) fn candidate_worlds() -> usize {
        8
    }
}

impl PolicyRollouts {
    /// With these values, and defaults.
    pub fn new(playouts: usize, ante_share: f64, decision_share: f64) -> Self {
        Self {
            playouts,
            ante_share,
            after_look_share: default::after_look_share(),
            decision_share,
            greedy_share: default::greedy_share(),
            response_sharpness: default::response_sharpness(),
            candidate_worlds: default::candidate_worlds(),
            hear_leads: false,
        }
    }
}

#[typetag::serde(name = "policy_rollouts")]
impl TargetEstimator for PolicyRollouts {
    fn about(&self) -> String {
        match self.playouts {
            1 => "a policy rollout of every action".into(),
            playouts => format!("{playouts} policy rollouts of every action"),
        }
    }

    fn tries_all_actions(&self) -> bool {
        true
    }

    fn faults(&self) -> Vec<String> {
        let sharpness = self.response_sharpness;
        let positive = sharpness > 0.0 && sharpness.is_finite();
        let counts = [("playouts", self.playouts), ("candidate_worlds", self.candidate_worlds)];
        let counts = counts.into_iter().filter_map(|(name, count)| not_a_sample(name, count));
        let faults = counts.chain(share_faults(self.ante_share, self.decision_share));
        let faults = faults.chain(out_of_unit("after_look_share", self.after_look_share));
        let faults = faults.chain(out_of_unit("greedy_share", self.greedy_share));
        faults
            .chain((!positive).then(|| {
                format!("`response_sharpness` is {sharpness}, a positive number is needed")
            }))
            .collect()
    }

    fn worker<'a>(&self, policies: &'a Policies<'a>) -> Box<dyn EstimateTargets + 'a> {
        Box::new(Rollouts::new(*self, policies))
    }
}

/// The share of antes that are assumed to be random when worlds are weighted by antes.
const RANDOM_SHARE: f64 = 0.01;

/// One continuation of a deal after one action of a decision.
struct Playout<'a> {
    deal: SeatedDeal<'a>,
    state: State,
    /// The legal actions of the next decision.
    legal: ActionMask,
    /// Who takes it: an index of batch policies.
    policy: usize,
    /// The random numbers of opponents, and of what the policy draws.
    rng: Rng,
    /// The rest of the session, where an episode is a session.
    ahead: Option<Ahead>,
}

/// The rest of the session after the deal of a playout, for the seat whose actions are tried.
#[derive(Clone)]
struct Ahead {
    session: Session,
    seat: usize,
    /// Whether another deal has begun.
    later: bool,
    /// The seat's observation at its first decision of a later deal, if it has one.
    next: Option<Observation>,
    /// The prize of the seat at the end of the session, if the playout got there.
    prize: f32,
}

impl Ahead {
    /// The same session, with other cards in later deals.
    fn of(deal: &SeatedDeal<'_>, seat: usize, rng: &mut Rng) -> Option<Self> {
        let session = deal.session?;
        let (number, start) = (session.deal_number(), *session.deal_start());
        let other = Seed::new(rng.next_u64());
        let session = Session::at(deal.game, other, number, start, *session.bought());
        let session = session.expect("it has come to this deal");
        Some(Self { session, seat, later: false, next: None, prize: 0.0 })
    }
}

impl Playout<'_> {
    /// Begins the next deal of the session, if there is one.
    fn next_deal(&mut self) -> bool {
        let Some(ahead) = &mut self.ahead else { return false };
        let (game, session) = (self.deal.game, &mut ahead.session);
        session.close(game, &mut self.state);
        if session.is_over() {
            let result = SessionResult::of(game, session, &self.state);
            ahead.prize = SessionPayoff::of(game).at_end(&result, ahead.seat);
            return false;
        }
        self.state = State::new(game, session.deal_start());
        self.deal.hands = session.hands(game);
        ahead.later = true;
        true
    }
}

struct Rollouts<'a> {
    config: PolicyRollouts,
    policies: &'a Policies<'a>,
    scratch: Scratch,
    /// By opponent, the agent that plays in playouts.
    playout_policies: Vec<Player>,
    /// By opponent, the index of its playout policy among those that answer in batches. Index 0 is the
    /// current policy.
    batch_of: Vec<Option<usize>>,
    playouts: Playouts<'a>,
    /// How each policy chooses that answers in batches, by its index.
    plays: Vec<Plays>,
    beliefs: BeliefSampler,
    /// The policy in the likelihoods of earlier decisions.
    likelihoods: NetBatch<&'a QuantisedNet>,
    /// Whether the policy takes its likeliest action in this episode, except for leads.
    greedy: bool,
    sharpened: Vec<f32>,
}

impl<'a> Rollouts<'a> {
    fn new(config: PolicyRollouts, policies: &'a Policies<'a>) -> Self {
        let opponents = policies.opponents;
        let mut batches: Vec<Box<dyn BatchPolicy + 'a>> =
            vec![Box::new(NetBatch::new(policies.quantised))];
        let batch_of = opponents.iter().map(|opponent| {
            batches.push(opponent.in_playouts().batch()?);
            Some(batches.len() - 1)
        });
        let batch_of = batch_of.collect();
        let mut plays: Vec<Plays> = batches.iter().map(|batch| batch.plays()).collect();
        plays[0] = policies.plays;
        Self {
            config,
            policies,
            scratch: policies.policy.scratch(),
            playout_policies: opponents.iter().map(|o| o.in_playouts().another()).collect(),
            playouts: Playouts::new(batches),
            plays,
            batch_of,
            beliefs: BeliefSampler::new(config.candidate_worlds),
            likelihoods: NetBatch::new(policies.quantised),
            greedy: false,
            sharpened: Vec::new(),
        }
    }

    /// The model of the policy's decisions: each kind has the sharpness with which it is sampled.
    fn likelihood_model(&self) -> LikelihoodModel {
        let response = self.config.response_sharpness as f32;
        let antes = if self.greedy { response } else { 1.0 };
        let model = |kind, otherwise, random_share| {
            let drawn = self.policies.plays.temperature(kind);
            DecisionModel { sharpness: drawn.map_or(otherwise, |by| 1.0 / by), random_share }
        };
        LikelihoodModel {
            antes: model(PlayKind::AnteAfterLook, antes, RANDOM_SHARE),
            answers: model(PlayKind::DeadHand, response, 0.0),
            bids: model(PlayKind::Auction, response, 0.0),
            // Leads are always sampled.
            leads: self.config.hear_leads.then(|| model(PlayKind::Lead, 1.0, 0.0)),
        }
    }

    /// By action, the mean return of the seat over playouts, in chips. `[legal actions]`
    fn try_all_actions(
        &mut self,
        turn: &DueDecision<'_>,
        rng: &mut Rng,
        targets: &mut Targets,
    ) -> Vec<f32> {
        let DueDecision { deal, state, seat, legal } = *turn;
        let (game, view) = (deal.game, state.view(deal.game, seat));
        let count = if state.phase() == Phase::Bet { 1 } else { self.config.playouts };
        let worlds = if count > 1 && view.is_dealt() {
            let speakers: Seats =
                (0..game.players()).filter(|&seat| deal.opponents[seat].is_none()).collect();
            let model = self.likelihood_model();
            self.beliefs.worlds(&mut self.likelihoods, &model, speakers, &view, count - 1, rng)
        } else {
            Vec::new()
        };
        let mut playouts = Vec::with_capacity(count * legal.len());
        for nth in 0..count {
            let (mut start, mut deal) = (*state, *deal);
            if nth > 0 {
                match worlds.get(nth - 1) {
                    Some(world) => start = view.determinize(world),
                    None => {
                        deal.hands = random::hands(game, view.dealer(), view.seats_in(), rng);
                    }
                }
            }
            let same = Seed::new(rng.next_u64()).rng();
            let ahead = Ahead::of(&deal, seat, rng);
            for action in legal.iter() {
                let (rng, ahead) = (same.clone(), ahead.clone());
                let mut playout = Playout { deal, state: start, legal, policy: 0, rng, ahead };
                playout.state.apply_unchecked(game, action);
                playouts.push(playout);
            }
        }
        targets.playout_decisions += self.play_out(&mut playouts);
        let mut means = vec![0.0; legal.len()];
        for (nth, playout) in playouts.iter().enumerate() {
            let gain = self.gain(playout, state, seat);
            means[nth % legal.len()] += gain / (playouts.len() / legal.len()) as f32;
        }
        means
    }

    /// The return of a seat in a playout from the state `before` on, in chips.
    fn gain(&mut self, playout: &Playout<'_>, before: &State, seat: usize) -> f32 {
        let gained = (playout.state.stacks()[seat] - before.stacks()[seat]) as f32;
        let Some(Ahead { next, prize, .. }) = &playout.ahead else {
            return gained + playout.deal.share_of_left(&playout.state, seat);
        };
        let payoff = SessionPayoff::of(playout.deal.game);
        let to_come = next.as_ref().map_or(0.0, |next| {
            let (_, value) = self.policies.policy.forward(next, &mut self.scratch);
            payoff.bounded(self.policies.scale.chips(value))
        });
        let chips = if payoff == SessionPayoff::Chips { gained } else { 0.0 };
        chips + prize + to_come
    }

    /// Plays all playouts, which are of one game, to their ends side by side, so a network answers in batches.
    /// Returns the number of decisions.
    fn play_out(&mut self, playouts: &mut [Playout<'_>]) -> u64 {
        let Self { playouts: batches, plays, batch_of, playout_policies, .. } = self;
        let mut decisions = 0;
        let Some(first) = playouts.first() else { return 0 };
        let encoder = Encoder::new(first.deal.game);
        batches.run(
            playouts,
            |playout| {
                loop {
                    let Some(due) = playout.deal.next(&mut playout.state) else {
                        if playout.next_deal() {
                            continue;
                        }
                        return None;
                    };
                    let (Decision { seat: actor, legal }, game) = (due, playout.deal.game);
                    if let Some(ahead) = &mut playout.ahead
                        && ahead.later
                        && ahead.seat == actor
                    {
                        ahead.next = Some(encoder.encode(&playout.state.view(game, actor)));
                        return None;
                    }
                    decisions += 1;
                    let opponent = playout.deal.opponents[actor];
                    let by_itself = |opponent: &usize| {
                        batch_of[*opponent].is_none() || playout.state.phase() == Phase::SetApart
                    };
                    let Some(opponent) = opponent.filter(by_itself) else {
                        playout.legal = legal;
                        let policy = opponent.and_then(|opponent| batch_of[opponent]).unwrap_or(0);
                        playout.policy = policy;
                        return Some((policy, encoder.encode(&playout.state.view(game, actor))));
                    };
                    let view = OpenView::new(game, &playout.state, actor);
                    let action = playout_policies[opponent].act(&view, &mut playout.rng);
                    playout.state.apply_unchecked(game, action);
                }
            },
            |_, playout, logits| {
                let Playout { deal, state, legal, policy, rng, .. } = playout;
                let view = state.view(deal.game, state.actor().unwrap_or(0));
                let action = plays[*policy].choose(&view, *legal, logits, rng);
                state.apply_unchecked(deal.game, action);
            },
        );
        decisions
    }
}

impl EstimateTargets for Rollouts<'_> {
    fn begin_episode(&mut self, seed: Seed) {
        self.greedy = unit(&mut seed.rng()) < self.config.greedy_share;
    }

    fn act(
        &mut self,
        turn: &DueDecision<'_>,
        logits: &[f32],
        log_probs: &[f32],
        rng: &mut Rng,
    ) -> usize {
        let (phase, view) = (turn.state.phase(), turn.state.view(turn.deal.game, turn.seat));
        if let Some(by) = self.policies.plays.temperature(PlayKind::due(&view)) {
            log_policy(logits, 1.0 / by, turn.legal, &mut self.sharpened);
            sample(&self.sharpened, rng)
        } else if self.greedy && phase != Phase::Lead {
            likeliest(log_probs)
        } else if matches!(phase, Phase::DeadHand | Phase::Auction) {
            let sharpness = self.config.response_sharpness as f32;
            log_policy(logits, sharpness, turn.legal, &mut self.sharpened);
            sample(&self.sharpened, rng)
        } else {
            sample(log_probs, rng)
        }
    }

    fn decide(
        &mut self,
        turn: &DueDecision<'_>,
        decision: PolicyDecision<Observation>,
        _: usize,
        rng: &mut Rng,
        targets: &mut Targets,
    ) {
        let view = turn.state.view(turn.deal.game, turn.seat);
        let PolicyRollouts { ante_share, after_look_share, decision_share, .. } = self.config;
        let ante_share = if view.is_dealt() { after_look_share } else { ante_share };
        if is_tried(turn, ante_share, decision_share, rng) {
            let gains = self.try_all_actions(turn, rng, targets);
            targets.rows.push_all_actions(decision, &gains);
        }
    }
}
