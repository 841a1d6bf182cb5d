//! One worker at the tables.

use super::{Cast, Gathered, Judge, Purpose, Table};
use crate::config::EpisodeKind;
use crate::trajectory::{Decision, Stream};
use newmarket_agents::net::Scratch;
use newmarket_agents::search::{Appraiser, Playout};
use newmarket_agents::{Agent, OpenTable};
use newmarket_env::poker::Strength;
use newmarket_env::seed::{Rng, Seed, below, unit};
use newmarket_env::{Action, Game, Hands, Legal, MAX_PLAYERS, Observation, Phase, Session, State};

/// Who sits in a seat: a guest of this number, or the policy.
type Sitter = Option<usize>;

/// What is played: the deal itself, or a trial of how it might go on.
#[derive(Clone, Copy)]
enum Play {
    Deal,
    Trial,
}

/// A deal and who plays it.
struct Deal<'a> {
    game: &'a Game,
    /// The cards, also before they are dealt.
    hands: Hands,
    sitters: [Sitter; MAX_PLAYERS],
}

impl Deal<'_> {
    /// Goes on to the next decision with more than one choice; `None` when the deal is over. For
    /// the policy the best five cards for poker are set apart without asking: it does no better.
    fn advance(&self, state: &mut State) -> Option<(usize, Legal)> {
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

/// What one worker needs to play.
pub(super) struct Player<'a> {
    cast: &'a Cast<'a>,
    judge: Judge,
    guests: Vec<Box<dyn Agent>>,
    /// Who plays for each guest in playouts.
    doubles: Vec<Box<dyn Agent>>,
    scratch: Scratch,
    input: Vec<f32>,
    log_probs: Vec<f32>,
    streams: [Stream<Observation>; MAX_PLAYERS],
    appraiser: Appraiser,
    pub(super) gathered: Gathered,
}

impl<'a> Player<'a> {
    pub(super) fn new(cast: &'a Cast<'a>, judge: Judge) -> Self {
        let worlds = if let Judge::Worlds { worlds, .. } = judge { worlds } else { 0 };
        Self {
            cast,
            judge,
            guests: cast.guests.iter().map(|guest| guest.agent.another()).collect(),
            doubles: cast.guests.iter().map(|guest| guest.double().another()).collect(),
            scratch: cast.policy.scratch(),
            input: vec![0.0; Observation::LEN],
            log_probs: Vec::new(),
            streams: Default::default(),
            appraiser: Appraiser::new(worlds, Playout::Stopper),
            gathered: Gathered::default(),
        }
    }

    /// Plays one sitting.
    pub(super) fn sit(&mut self, sitting: Seed, table: &Table) {
        let purpose = |purpose: Purpose| sitting.child(purpose as u64);
        let game = &*table.game;
        let mut session = match table.episode {
            EpisodeKind::Deal => Session::single_deal(game, purpose(Purpose::Cards)),
            EpisodeKind::CarriedDeal => Session::new(game, purpose(Purpose::Cards)),
        };
        let sitters = seating(self.cast, game.players(), &mut purpose(Purpose::Seating).rng());
        let mut dice = purpose(Purpose::Dice).rng();
        let mut trials = purpose(Purpose::Trials).rng();
        loop {
            let mut state = State::new(game, session.standing());
            let deal = Deal { game, hands: session.hands(game), sitters };
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
        let mut stacks = *state.stacks();
        while let Some((seat, legal)) = deal.advance(state) {
            self.pay(deal, &mut stacks, state);
            let (taken, thought) = self.choose(deal, state, seat, legal, Play::Deal, dice);
            if let Some((observation, value)) = thought {
                let value = self.cast.scale.chips(value);
                let log_probs = self.log_probs.clone();
                let decision = Decision { observation, legal: legal.bits(), log_probs, value };
                self.judge(deal, state, seat, (decision, taken), trials);
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
        (decision, taken): (Decision<Observation>, usize),
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
            Judge::Trials { playouts, lambda, .. } => {
                self.try_out(deal, state, seat, (playouts, lambda), dice)
            }
            _ => self.appraiser.gains(&state.view(deal.game, seat), dice),
        };
        self.gathered.rows.push_tried(decision, &gains);
    }

    /// By choice, the mean λ-return of so many playouts from the true state. `[choices]`
    fn try_out(
        &mut self,
        deal: &Deal<'_>,
        state: &State,
        seat: usize,
        (playouts, lambda): (usize, f32),
        dice: &mut Rng,
    ) -> Vec<f32> {
        let start = dice.clone();
        let mut gain = |action: Action| {
            *dice = start.clone();
            let chips: f32 = (0..playouts)
                .map(|_| {
                    let mut copy = *state;
                    copy.apply_unchecked(deal.game, action);
                    self.play_out(deal, copy, seat, state.stacks()[seat], lambda, dice)
                })
                .sum();
            chips / playouts as f32
        };
        state.legal(deal.game).iter().map(&mut gain).collect()
    }

    /// Plays a deal to its end: the λ-return of `seat`, in chips, from when it had `stack`.
    fn play_out(
        &mut self,
        deal: &Deal<'_>,
        mut state: State,
        seat: usize,
        stack: i32,
        lambda: f32,
        dice: &mut Rng,
    ) -> f32 {
        let (mut total, mut weight, mut stack) = (0.0, 1.0, stack);
        while let Some((actor, legal)) = deal.advance(&mut state) {
            let (taken, thought) = self.choose(deal, &state, actor, legal, Play::Trial, dice);
            self.gathered.trial_decisions += 1;
            if lambda < 1.0
                && actor == seat
                && let Some((_, value)) = thought
            {
                // G = r + (1 − λ) V + λ G', and V for G' where what is left hardly weighs.
                let reward = (state.stacks()[seat] - stack) as f32;
                let value = self.cast.scale.chips(value);
                stack = state.stacks()[seat];
                if weight * lambda < 1e-3 {
                    return total + weight * (reward + value);
                }
                total += weight * (reward + (1.0 - lambda) * value);
                weight *= lambda;
            }
            if let Some(action) = legal.nth(taken) {
                state.apply_unchecked(deal.game, action);
            }
        }
        total + weight * (state.stacks()[seat] - stack) as f32
    }

    /// What the sitter chooses. Of the policy also what it saw and its normalised value, and it
    /// leaves the log-probabilities of the choices in `log_probs`.
    fn choose(
        &mut self,
        deal: &Deal<'_>,
        state: &State,
        seat: usize,
        legal: Legal,
        play: Play,
        dice: &mut Rng,
    ) -> (usize, Option<(Observation, f32)>) {
        if let Some(guest) = deal.sitters[seat] {
            let agent = match play {
                Play::Deal => &mut self.guests[guest],
                Play::Trial => &mut self.doubles[guest],
            };
            let action = agent.act_open(&OpenTable::new(deal.game, state, seat), dice);
            let taken = legal.iter().position(|a| a == action);
            return (taken.expect("an agent chooses what is legal"), None);
        }
        let observation = Observation::of(&state.view(deal.game, seat));
        observation.write(&mut self.input);
        let (logits, value) = self.cast.policy.forward(&self.input, &mut self.scratch);
        self.log_probs.clear();
        self.log_probs.extend(legal.iter().map(|action: Action| logits[action.index()]));
        log_softmax(&mut self.log_probs);
        (draw(&self.log_probs, dice), Some((observation, value)))
    }
}

/// Logits to log-probabilities.
fn log_softmax(xs: &mut [f32]) {
    let top = xs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let total = top + xs.iter().map(|x| (x - top).exp()).sum::<f32>().ln();
    for x in xs {
        *x -= total;
    }
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
