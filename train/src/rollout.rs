//! Self-play: deals are played by the policy of now, and every decision becomes a row.
//!
//! A *sitting* is one deal, or one session of several. Each has a seed of its own for its cards,
//! its seating and its dice, and rows are put together in the order of the sittings: which worker
//! plays which changes nothing. The network is asked one decision at a time; most of an
//! observation is zero, which plain inference turns to better account than a batch would.

use crate::TrainError;
use crate::config::{EpisodeKind, TableMix};
use crate::normalise::ReturnScale;
use crate::trajectory::{Decision, Packed, Rows, Stream};
use crate::workers::Workers;
use newmarket_agents::Agent;
use newmarket_agents::net::{FastNet, Scratch};
use newmarket_agents::thumb::Thumb;
use newmarket_env::seed::{Rng, Seed, below, unit};
use newmarket_env::{
    Action, Game, Hands, Legal, MAX_PLAYERS, Observation, Phase, Rules, Session, State,
};
use std::sync::Arc;

/// Sittings that a worker takes at a time.
const PIECE: usize = 16;

impl Packed for Observation {
    const WIDTH: usize = Self::LEN;
    fn expand_into(&self, out: &mut [f32]) {
        self.write(out);
    }
}

/// What each child of a sitting's seed is for.
#[derive(Clone, Copy)]
enum Purpose {
    Cards = 0,
    Table = 1,
    Seating = 2,
    Dice = 3,
    Trials = 4,
}

/// The games of a run, each with its share of the deals.
#[derive(Clone, Debug)]
pub struct Mix {
    tables: Vec<Table>,
}

#[derive(Clone, Debug)]
struct Table {
    game: Arc<Game>,
    episode: EpisodeKind,
    /// Deals of one sitting.
    deals: usize,
    /// Chance of a sitting to be at this table or one before it.
    up_to: f64,
}

impl Mix {
    /// Looks up the rules and sets up the tables.
    ///
    /// # Errors
    ///
    /// If there are no such rules, or they do not seat so many players.
    pub fn new(tables: &[TableMix]) -> Result<Self, TrainError> {
        // A sitting of several deals must not get several times its share.
        let mut weighed = Vec::new();
        for table in tables {
            let rules = Rules::load(&table.rules).map_err(TrainError::rules(&table.rules))?;
            let deals = match table.episode {
                EpisodeKind::Deal => 1,
                EpisodeKind::CarriedDeal => rules.session.deals.max(1) as usize,
            };
            let game = Game::new(rules, table.players).map_err(TrainError::rules(&table.rules))?;
            weighed.push((Arc::new(game), table.episode, deals, table.share / deals as f64));
        }
        let total: f64 = weighed.iter().map(|w| w.3).sum();
        let mut up_to = 0.0;
        let tables = weighed
            .into_iter()
            .map(|(game, episode, deals, weight)| {
                up_to += weight / total;
                Table { game, episode, deals, up_to }
            })
            .collect();
        Ok(Self { tables })
    }

    /// The games, in the order of the configuration.
    pub fn games(&self) -> impl Iterator<Item = &Arc<Game>> {
        self.tables.iter().map(|table| &table.game)
    }

    /// The table of the sitting of this seed.
    fn pick(&self, sitting: Seed) -> usize {
        let at = unit(&mut sitting.child(Purpose::Table as u64).rng());
        // Rounding may leave the last share a hair below 1.
        self.tables.iter().position(|t| at < t.up_to).unwrap_or(self.tables.len() - 1)
    }

    /// The sittings that make up at least so many deals.
    fn sittings(&self, seed: Seed, deals: usize) -> Vec<(Seed, usize)> {
        let mut left = deals as i64;
        let mut sittings = Vec::new();
        while left > 0 {
            let sitting = seed.child(sittings.len() as u64);
            let table = self.pick(sitting);
            left -= self.tables[table].deals as i64;
            sittings.push((sitting, table));
        }
        sittings
    }
}

/// Who sits at the tables.
#[derive(Clone, Copy)]
pub struct Cast<'a> {
    /// The policy of now.
    pub policy: &'a FastNet,
    /// What its value head means in chips.
    pub scale: &'a ReturnScale,
    /// Others who may sit in some of the seats.
    pub guests: &'a [Guest],
}

/// Somebody else than the policy of now.
#[derive(Clone)]
pub struct Guest {
    /// Who.
    pub who: Who,
    /// Share of sittings with this guest among the players.
    pub share: f64,
}

impl Guest {
    /// A rule of thumb with its share of sittings.
    pub fn thumb(thumb: Thumb, share: f64) -> Self {
        Self { who: Who::Thumb(thumb), share }
    }
}

/// A kind of guest.
#[derive(Clone)]
pub enum Who {
    /// A policy of before.
    Past(Arc<FastNet>),
    /// A rule of thumb.
    Thumb(Thumb),
}

/// How decisions are judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Judge {
    /// By what came of them: generalised advantage estimation with this λ.
    Outcome {
        /// See [`crate::advantage`].
        lambda: f32,
    },
    /// By trying every choice: each is played out to the end of the deal from the true state, all
    /// seats by the policy of now, with the same dice for every choice. The luck of the cards is
    /// then the same on both sides of every comparison.
    Trials {
        /// Playouts of each choice.
        playouts: usize,
        /// λ: 1 counts the chips of a whole playout; below, what the value head expects at the
        /// seat's next decisions takes the place of what comes later, as in TD(λ).
        lambda: f32,
        /// Share of the leads that are tried, and learnt from.
        leads: f64,
        /// Share of all other decisions that are.
        others: f64,
    },
}

/// What was gathered.
#[derive(Clone, Debug, Default)]
pub struct Gathered {
    /// The policy's decisions.
    pub rows: Rows<Observation>,
    /// Deals that were played.
    pub deals: u64,
    /// Decisions that were taken in them by anybody.
    pub decisions: u64,
    /// Decisions that were taken in playouts.
    pub trial_decisions: u64,
}

/// Plays at least `deals` deals.
pub fn gather(
    mix: &Mix,
    cast: &Cast<'_>,
    judge: Judge,
    seed: Seed,
    deals: usize,
    workers: &Workers,
) -> Gathered {
    let sittings = mix.sittings(seed, deals);
    let pieces: Vec<&[(Seed, usize)]> = sittings.chunks(PIECE).collect();
    let parts = workers.map(pieces.len(), |i| {
        let mut player = Player::new(cast, judge);
        for (sitting, table) in pieces[i] {
            player.sit(*sitting, &mix.tables[*table]);
        }
        player.gathered
    });
    let mut all = Gathered::default();
    for part in parts {
        all.rows.append(part.rows);
        all.deals += part.deals;
        all.decisions += part.decisions;
        all.trial_decisions += part.trial_decisions;
    }
    all
}

/// Who sits in a seat: a guest of this number, or the policy.
type Sitter = Option<usize>;

/// A deal and who plays it.
struct Deal<'a> {
    game: &'a Game,
    /// The cards, also before they are dealt.
    hands: Hands,
    sitters: [Sitter; MAX_PLAYERS],
}

impl Deal<'_> {
    /// Goes on to the next decision with more than one choice; `None` when the deal is over.
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
                (Some(seat), Some(_)) => return Some((seat, legal)),
                _ => return None,
            }
        }
    }
}

/// What one worker needs to play.
struct Player<'a> {
    cast: &'a Cast<'a>,
    judge: Judge,
    scratch: Scratch,
    input: Vec<f32>,
    log_probs: Vec<f32>,
    streams: [Stream<Observation>; MAX_PLAYERS],
    gathered: Gathered,
}

impl<'a> Player<'a> {
    fn new(cast: &'a Cast<'a>, judge: Judge) -> Self {
        Self {
            cast,
            judge,
            scratch: cast.policy.scratch(),
            input: vec![0.0; Observation::LEN],
            log_probs: Vec::new(),
            streams: Default::default(),
            gathered: Gathered::default(),
        }
    }

    /// Plays one sitting.
    fn sit(&mut self, sitting: Seed, table: &Table) {
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
            let pack = session.pack(game);
            let hands = game.deal(pack.cards(), state.dealer(), state.seats_in());
            let deal = Deal { game, hands, sitters };
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
            let (taken, thought) = self.choose(deal, state, seat, legal, dice);
            if deal.sitters[seat].is_none()
                && let Some((observation, value)) = thought
            {
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
        let Judge::Trials { playouts, lambda, leads, others } = self.judge else {
            self.streams[seat].decide(decision, taken);
            return;
        };
        let share = if state.phase() == Phase::Lead { leads } else { others };
        if unit(dice) >= share {
            return;
        }
        let legal = state.legal(deal.game);
        let start = dice.clone();
        let gains: Vec<f32> = legal
            .iter()
            .map(|action| {
                *dice = start.clone();
                let chips: f32 = (0..playouts)
                    .map(|_| {
                        let mut copy = *state;
                        copy.apply_unchecked(deal.game, action);
                        self.play_out(deal, copy, seat, state.stacks()[seat], lambda, dice)
                    })
                    .sum();
                chips / playouts as f32
            })
            .collect();
        self.gathered.rows.push_tried(decision, &gains);
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
            let (taken, thought) = self.choose(deal, &state, actor, legal, dice);
            self.gathered.trial_decisions += 1;
            if lambda < 1.0
                && actor == seat
                && let Some((_, value)) = thought
            {
                // G = r + (1 − λ) V + λ G'
                let reward = (state.stacks()[seat] - stack) as f32;
                stack = state.stacks()[seat];
                total += weight * (reward + (1.0 - lambda) * self.cast.scale.chips(value));
                weight *= lambda;
                if weight < 1e-2 {
                    return total;
                }
            }
            if let Some(action) = legal.nth(taken) {
                state.apply_unchecked(deal.game, action);
            }
        }
        total + weight * (state.stacks()[seat] - stack) as f32
    }

    /// What the sitter chooses. Of a network also what it saw and its normalised value, and it
    /// leaves the log-probabilities of the choices in `log_probs`.
    fn choose(
        &mut self,
        deal: &Deal<'_>,
        state: &State,
        seat: usize,
        legal: Legal,
        dice: &mut Rng,
    ) -> (usize, Option<(Observation, f32)>) {
        let view = state.view(deal.game, seat);
        let net = match deal.sitters[seat].map(|guest| &self.cast.guests[guest].who) {
            None => self.cast.policy,
            Some(Who::Past(net)) => net,
            Some(Who::Thumb(thumb)) => {
                let action = { *thumb }.act(&view, dice);
                return (legal.iter().position(|a| a == action).unwrap_or(0), None);
            }
        };
        let observation = Observation::of(&view);
        observation.write(&mut self.input);
        let (logits, value) = net.forward(&self.input, &mut self.scratch);
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

/// Draws who sits where: the policy everywhere, or a guest in each seat but one with chance ½.
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
            if seat != learner && unit(rng) < 0.5 {
                *sitter = guest;
            }
        }
    }
    sitters
}
