//! One worker at the tables.

use super::heard::{Heard, SURER, is_offer};
use super::{Cast, Gathered, Judge, Purpose, Table};
use crate::config::EpisodeKind;
use crate::hidden::{Hidden, Whole};
use crate::trajectory::{Decision, Stream};
use newmarket_agents::net::{NetBatch, Playouts};
use newmarket_agents::search::{DeterminizedEvaluator, Playout};
use newmarket_agents::{BatchPolicy, OpenView, Player as AgentPlayer};
use newmarket_env::poker::Strength;
use newmarket_env::seed::{Rng, Seed, below, unit};
use newmarket_env::{
    Action, ActionMask, Game, Hands, MAX_PLAYERS, Observation, Phase, Session, State, random,
};
use newmarket_net::{FastNet, Scratch, argmax};
use rand_core::Rng as _;

/// Who sits in a seat: a guest of this number, or the policy.
type Sitter = Option<usize>;

/// More than there are phases.
const PHASES: usize = 16;

/// A deal and who plays it.
#[derive(Clone, Copy)]
struct Deal<'a> {
    game: &'a Game,
    /// The number of the table.
    table: usize,
    /// The cards, also before they are dealt.
    hands: Hands,
    sitters: [Sitter; MAX_PLAYERS],
}

impl Deal<'_> {
    /// Goes on to the next decision with more than one choice; `None` when the deal is over. For
    /// the policy the best five cards for poker are set apart without asking: it does no better.
    fn advance(&self, state: &mut State) -> Option<(usize, ActionMask)> {
        loop {
            if state.phase() == Phase::Deal {
                state.deal(self.game, &self.hands);
            }
            let legal = state.legal(self.game);
            match (state.actor(), legal.first()) {
                (Some(_), Some(only)) if legal.is_forced() => {
                    state.apply_unchecked(self.game, only);
                }
                (Some(seat), Some(_))
                    if state.phase() == Phase::SetApart && self.sitters[seat].is_none() =>
                {
                    let view = state.view(self.game, seat);
                    let (five, _) = Strength::best_five(view.hand(), self.game.rules().aces);
                    for card in five - view.apart() {
                        state.apply_unchecked(self.game, Action::pick(card));
                    }
                }
                (Some(seat), Some(_)) => return Some((seat, legal)),
                _ => return None,
            }
        }
    }
}

/// How a deal might go on after one of the choices of a decision.
struct Trial<'a> {
    deal: Deal<'a>,
    state: State,
    /// The choices of the decision that is due.
    legal: ActionMask,
    /// A guest's.
    dice: Rng,
}

/// What the policy had in mind at a decision.
struct Thought {
    observation: Observation,
    hidden: Option<Hidden>,
    /// Normalised.
    value: f32,
}

/// What one worker needs to play.
pub(super) struct Player<'a> {
    cast: &'a Cast<'a>,
    judge: Judge,
    guests: Vec<AgentPlayer>,
    /// Who plays for each guest in playouts.
    doubles: Vec<AgentPlayer>,
    /// By guest, its double's number among the policies of playouts; the learner's is 0.
    policy_of: Vec<Option<usize>>,
    scratch: Scratch,
    critic: Option<(&'a FastNet, Scratch)>,
    playouts: Playouts<'a>,
    log_probs: Vec<f32>,
    answer: Vec<f32>,
    heard: Heard,
    /// Whether the policy does all but lead by its likeliest action in this sitting.
    greedy: bool,
    streams: [Stream<Observation>; MAX_PLAYERS],
    evaluator: DeterminizedEvaluator,
    pub(super) gathered: Gathered,
}

impl<'a> Player<'a> {
    pub(super) fn new(cast: &'a Cast<'a>, judge: Judge) -> Self {
        let worlds = if let Judge::Worlds { worlds, .. } = judge { worlds } else { 0 };
        let mut policies: Vec<Box<dyn BatchPolicy + 'a>> =
            vec![Box::new(NetBatch::new(cast.policy))];
        let policy_of = cast.guests.iter().map(|guest| {
            policies.push(guest.double().batch()?);
            Some(policies.len() - 1)
        });
        let policy_of = policy_of.collect();
        Self {
            cast,
            judge,
            guests: cast.guests.iter().map(|guest| guest.agent.another()).collect(),
            doubles: cast.guests.iter().map(|guest| guest.double().another()).collect(),
            scratch: cast.policy.scratch(),
            critic: cast.critic.map(|critic| (critic, critic.scratch())),
            playouts: Playouts::new(policies),
            policy_of,
            log_probs: Vec::new(),
            answer: Vec::new(),
            heard: Heard::default(),
            greedy: false,
            streams: Default::default(),
            evaluator: DeterminizedEvaluator::new(worlds, Playout::Stopper),
            gathered: Gathered::default(),
        }
    }

    /// Plays one sitting.
    pub(super) fn sit(&mut self, sitting: Seed, number: usize, table: &Table) {
        let purpose = |purpose: Purpose| sitting.child(purpose as u64);
        let game = &*table.game;
        let mut session = match table.episode {
            EpisodeKind::Deal => Session::single_deal(game, purpose(Purpose::Cards)),
            EpisodeKind::CarriedDeal => Session::new(game, purpose(Purpose::Cards)),
        };
        let sitters = seating(self.cast, game.players(), &mut purpose(Purpose::Seating).rng());
        let mut dice = purpose(Purpose::Dice).rng();
        let mut trials = purpose(Purpose::Trials).rng();
        self.greedy = self.tries() && below(&mut purpose(Purpose::Greedy).rng(), 2) == 0;
        loop {
            let mut state = State::new(game, session.deal_start());
            let deal = Deal { game, table: number, hands: session.hands(game), sitters };
            self.play(&deal, &mut state, &mut dice, &mut trials);
            self.gathered.deals += 1;
            if table.episode == EpisodeKind::Deal {
                return;
            }
            session.close(game, &mut state);
            if session.is_over() {
                return;
            }
        }
    }

    /// Plays one deal, and learns from it.
    fn play(&mut self, deal: &Deal<'_>, state: &mut State, dice: &mut Rng, trials: &mut Rng) {
        let (mut stacks, before) = (*state.stacks(), self.gathered.rows.hidden.len());
        self.heard.clear();
        while let Some((seat, legal)) = deal.advance(state) {
            self.pay(deal, &mut stacks, state);
            let (taken, thought) = self.choose(deal, state, seat, legal, dice);
            if let Some(Thought { observation, hidden, value }) = thought {
                let value = self.cast.scale.chips(value);
                let log_probs = self.log_probs.clone();
                let kind = (PHASES * deal.table + state.phase() as usize) as u16;
                let legal = legal.bits();
                let decision = Decision { observation, legal, log_probs, value, kind, hidden };
                self.judge(deal, state, seat, (decision, taken), trials);
            }
            if deal.sitters[seat].is_none() {
                self.heard.note(state, seat, taken);
            }
            if let Some(action) = legal.nth(taken) {
                state.apply_unchecked(deal.game, action);
            }
            self.gathered.decisions += 1;
        }
        self.pay(deal, &mut stacks, state);
        if let Judge::Outcome { lambda } = self.judge {
            for stream in &mut self.streams[..deal.game.players()] {
                stream.finish(lambda, &mut self.gathered.rows);
            }
        }
        if !matches!(self.judge, Judge::Trials { .. }) {
            for hidden in &mut self.gathered.rows.hidden[before..] {
                hidden.settle(state.stacks());
            }
        }
    }

    /// Chips that came and went since the stacks were `before`.
    fn pay(&mut self, deal: &Deal<'_>, before: &mut [i32; MAX_PLAYERS], state: &State) {
        let now = *state.stacks();
        for seat in 0..deal.game.players() {
            self.streams[seat].receive((now[seat] - before[seat]) as f32);
        }
        *before = now;
    }

    /// Makes rows of a decision, now or when the deal is over.
    fn judge(
        &mut self,
        deal: &Deal<'_>,
        state: &State,
        seat: usize,
        (mut decision, taken): (Decision<Observation>, usize),
        dice: &mut Rng,
    ) {
        let (antes, decisions) = match self.judge {
            Judge::Outcome { .. } => return self.streams[seat].decide(decision, taken),
            Judge::Trials { antes, decisions, .. } | Judge::Worlds { antes, decisions, .. } => {
                (antes, decisions)
            }
        };
        let share = if state.phase() == Phase::Ante { antes } else { decisions };
        if unit(dice) >= share {
            return;
        }
        let gains = match self.judge {
            Judge::Trials { playouts, .. } => {
                // Bets tell about hands, too, but the true deal is all that knows what.
                let playouts = if state.phase() == Phase::Bet { 1 } else { playouts };
                let gains = self.try_out(deal, state, seat, playouts, dice);
                if let Some(hidden) = &mut decision.hidden {
                    hidden.expect(&decision.log_probs, &gains);
                }
                gains.iter().map(|gains| gains[seat]).collect()
            }
            _ => self.evaluator.gains(&state.view(deal.game, seat), dice),
        };
        self.gathered.rows.push_tried(decision, &gains);
    }

    /// By choice, the chips that each seat gains from now on, in the mean over playouts. `[choices]`
    fn try_out(
        &mut self,
        deal: &Deal<'_>,
        state: &State,
        seat: usize,
        playouts: usize,
        dice: &mut Rng,
    ) -> Vec<[f32; MAX_PLAYERS]> {
        let game = deal.game;
        let (legal, view) = (state.legal(game), state.view(game, seat));
        let imagined = if playouts > 1 && view.is_dealt() {
            self.heard.worlds(self.cast.policy, &mut self.scratch, &view, playouts - 1, dice)
        } else {
            Vec::new()
        };
        let mut trials = Vec::with_capacity(playouts * legal.len());
        for nth in 0..playouts {
            let (mut start, mut deal) = (*state, *deal);
            if nth > 0 {
                match imagined.get(nth - 1) {
                    Some(world) => start = view.determinize(world),
                    None => {
                        deal.hands = random::hands(game, view.dealer(), view.seats_in(), dice);
                    }
                }
            }
            let dice = Seed::new(dice.next_u64()).rng();
            for action in legal.iter() {
                let mut trial = Trial { deal, state: start, legal, dice: dice.clone() };
                trial.state.apply_unchecked(game, action);
                trials.push(trial);
            }
        }
        let Self { playouts, policy_of, doubles, .. } = self;
        let mut decisions = 0;
        playouts.run(
            &mut trials,
            |trial| {
                loop {
                    let (actor, legal) = trial.deal.advance(&mut trial.state)?;
                    decisions += 1;
                    let sitter = trial.deal.sitters[actor];
                    let alone = |guest: &usize| {
                        policy_of[*guest].is_none() || trial.state.phase() == Phase::SetApart
                    };
                    let Some(guest) = sitter.filter(alone) else {
                        trial.legal = legal;
                        let policy = sitter.and_then(|guest| policy_of[guest]).unwrap_or(0);
                        return Some((policy, Observation::of(&trial.state.view(game, actor))));
                    };
                    let table = OpenView::new(game, &trial.state, actor);
                    let action = doubles[guest].act(&table, &mut trial.dice);
                    trial.state.apply_unchecked(game, action);
                }
            },
            |trial, logits| {
                let best = argmax(logits, trial.legal.bits());
                let action = Action::from_id(best as u8).expect("a legal action has an id");
                trial.state.apply_unchecked(game, action);
            },
        );
        self.gathered.trial_decisions += decisions;
        let mut means = vec![[0.0; MAX_PLAYERS]; legal.len()];
        for (nth, trial) in trials.iter().enumerate() {
            let chips = trial.state.stacks().iter().zip(state.stacks());
            for (mean, (after, before)) in means[nth % legal.len()].iter_mut().zip(chips) {
                *mean += (after - before) as f32 / (trials.len() / legal.len()) as f32;
            }
        }
        means
    }

    /// What the sitter chooses. Of the policy also what it had in mind, and it leaves the
    /// log-probabilities of the choices in `log_probs`.
    fn choose(
        &mut self,
        deal: &Deal<'_>,
        state: &State,
        seat: usize,
        legal: ActionMask,
        dice: &mut Rng,
    ) -> (usize, Option<Thought>) {
        if let Some(guest) = deal.sitters[seat] {
            let table = OpenView::new(deal.game, state, seat);
            let action = self.guests[guest].act(&table, dice);
            let taken = legal.iter().position(|a| a == action);
            return (taken.expect("an agent chooses what is legal"), None);
        }
        let heard = self.tries() && is_offer(state.phase());
        let view = state.view(deal.game, seat);
        let observation = Observation::of(&view);
        let (logits, mut value) = self.cast.policy.forward(&observation, &mut self.scratch);
        choices(logits, 1.0, legal, &mut self.log_probs);
        let all = self.cast.hidden || self.critic.is_some();
        let hidden = all.then(|| Hidden::of(state, &view));
        if let Some(((critic, scratch), hidden)) = self.critic.as_mut().zip(hidden.as_ref()) {
            value = critic.forward(&Whole(&observation, hidden), scratch).1;
        }
        let taken = if self.greedy && state.phase() != Phase::Lead {
            likeliest(&self.log_probs)
        } else if heard {
            choices(logits, SURER, legal, &mut self.answer);
            draw(&self.answer, dice)
        } else {
            draw(&self.log_probs, dice)
        };
        (taken, Some(Thought { observation, hidden, value }))
    }

    /// Whether every choice is tried out, so that none has to be drawn to be learnt.
    fn tries(&self) -> bool {
        matches!(self.judge, Judge::Trials { .. })
    }
}

/// The log-probabilities of the choices, their logits multiplied by `sure`.
pub(super) fn choices(logits: &[f32], sure: f32, legal: ActionMask, log_probs: &mut Vec<f32>) {
    log_probs.clear();
    log_probs.extend(legal.iter().map(|action| sure * logits[action.index()]));
    log_softmax(log_probs);
}

/// Logits to log-probabilities.
fn log_softmax(xs: &mut [f32]) {
    let top = xs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let total = top + xs.iter().map(|x| (x - top).exp()).sum::<f32>().ln();
    for x in xs {
        *x -= total;
    }
}

/// The likeliest choice; of several the first, as in playouts.
fn likeliest(log_probs: &[f32]) -> usize {
    let best = log_probs.iter().enumerate().min_by(|a, b| b.1.total_cmp(a.1));
    best.expect("there is a choice").0
}

/// Draws a choice.
fn draw(log_probs: &[f32], dice: &mut Rng) -> usize {
    let mut left = unit(dice) as f32;
    for (i, log_prob) in log_probs.iter().enumerate() {
        left -= log_prob.exp();
        if left < 0.0 {
            return i;
        }
    }
    // Rounding: the probabilities came to a hair less than 1.
    log_probs.len() - 1
}

/// Draws who sits where: the policy everywhere, or, in each seat but one, a guest with the chance
/// that the cast says.
fn seating(cast: &Cast<'_>, players: usize, rng: &mut Rng) -> [Sitter; MAX_PLAYERS] {
    let mut sitters = [None; MAX_PLAYERS];
    let mut left = unit(rng);
    let guest = cast.guests.iter().position(|guest| {
        left -= guest.share;
        left < 0.0
    });
    if guest.is_some() {
        let learner = below(rng, players as u32) as usize;
        for (seat, sitter) in sitters.iter_mut().enumerate().take(players) {
            if seat != learner && unit(rng) < cast.seats {
                *sitter = guest;
            }
        }
    }
    sitters
}
