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
use newmarket_agents::net::{FastNet, Scratch, sample};
use newmarket_env::seed::{Rng, Seed, below, unit};
use newmarket_env::{Action, Env, Episode, Game, MAX_PLAYERS, Observation, Rules};
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
}

/// The games of a run, each with its share of the deals.
#[derive(Clone, Debug)]
pub struct Mix {
    tables: Vec<Table>,
}

#[derive(Clone, Debug)]
struct Table {
    game: Arc<Game>,
    episode: Episode,
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
            let (episode, deals) = match table.episode {
                EpisodeKind::Deal => (Episode::Deal, 1),
                EpisodeKind::CarriedDeal => (Episode::Session, rules.session.deals.max(1) as usize),
            };
            let game = Game::new(rules, table.players).map_err(TrainError::rules(&table.rules))?;
            weighed.push((Arc::new(game), episode, deals, table.share / deals as f64));
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

/// Who may sit at the tables.
#[derive(Clone, Copy, Debug)]
pub struct Cast<'a> {
    /// The policy of now.
    pub policy: &'a FastNet,
    /// What its value head means in chips.
    pub scale: &'a ReturnScale,
    /// Past selves.
    pub past: &'a [FastNet],
    /// Share of sittings with a past self among the players, if there is one.
    pub past_share: f64,
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
}

/// Plays at least `deals` deals.
pub fn gather(
    mix: &Mix,
    cast: &Cast<'_>,
    lambda: f64,
    seed: Seed,
    deals: usize,
    workers: &Workers,
) -> Gathered {
    let sittings = mix.sittings(seed, deals);
    let pieces: Vec<&[(Seed, usize)]> = sittings.chunks(PIECE).collect();
    let parts = workers.map(pieces.len(), |i| {
        let mut player = Player::new(mix, cast, lambda as f32);
        for (sitting, table) in pieces[i] {
            player.play(*sitting, *table);
        }
        player.gathered
    });
    let mut all = Gathered::default();
    for part in parts {
        all.rows.append(part.rows);
        all.deals += part.deals;
        all.decisions += part.decisions;
    }
    all
}

/// Who sits in a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sitter {
    Policy,
    Past(usize),
}

/// What one worker needs to play.
struct Player<'a> {
    cast: &'a Cast<'a>,
    lambda: f32,
    envs: Vec<Env>,
    scratch: Scratch,
    input: Vec<f32>,
    streams: [Stream<Observation>; MAX_PLAYERS],
    gathered: Gathered,
}

impl<'a> Player<'a> {
    fn new(mix: &Mix, cast: &'a Cast<'a>, lambda: f32) -> Self {
        let envs = mix.tables.iter().map(|t| Env::new(t.game.clone(), t.episode)).collect();
        Self {
            cast,
            lambda,
            envs,
            scratch: cast.policy.scratch(),
            input: vec![0.0; Observation::LEN],
            streams: Default::default(),
            gathered: Gathered::default(),
        }
    }

    /// Plays one sitting.
    fn play(&mut self, sitting: Seed, table: usize) {
        let purpose = |purpose: Purpose| sitting.child(purpose as u64);
        let players = self.envs[table].game().players();
        let sitters = seating(self.cast, players, &mut purpose(Purpose::Seating).rng());
        let mut dice = purpose(Purpose::Dice).rng();
        self.envs[table].reset(purpose(Purpose::Cards));
        let mut deal = self.envs[table].session().deal_number();
        let mut stacks = *self.envs[table].state().stacks();
        while !self.envs[table].is_over() {
            let seat = self.envs[table].seat();
            let action = self.decide(table, seat, sitters[seat], &mut dice);
            let env = &mut self.envs[table];
            if let Err(error) = env.step(action) {
                unreachable!("the policy is masked: {error}");
            }
            self.gathered.decisions += 1;
            // A deal that went on: what the stacks are now. One that ended: what they were when
            // the next began, before anything was staked or bought there.
            let session = env.session();
            let ended = env.is_over() || session.deal_number() != deal;
            let now: [i32; MAX_PLAYERS] = if ended && !env.is_over() {
                let (next, bought) = (session.standing().stacks, session.rebuys());
                std::array::from_fn(|s| next[s] - bought[s])
            } else {
                *env.state().stacks()
            };
            for s in 0..players {
                self.streams[s].receive((now[s] - stacks[s]) as f32);
            }
            stacks = *env.state().stacks();
            if ended {
                deal = session.deal_number();
                self.gathered.deals += 1;
                for stream in &mut self.streams[..players] {
                    stream.finish(self.lambda, &mut self.gathered.rows);
                }
            }
        }
    }

    /// The sitter's choice; the policy's becomes part of the seat's stream.
    fn decide(&mut self, table: usize, seat: usize, sitter: Sitter, dice: &mut Rng) -> Action {
        let view = self.envs[table].observe(seat);
        let legal = view.legal().bits();
        let observation = Observation::of(&view);
        observation.write(&mut self.input);
        let net = match sitter {
            Sitter::Policy => self.cast.policy,
            Sitter::Past(past) => &self.cast.past[past],
        };
        let (logits, value) = net.forward(&self.input, &mut self.scratch);
        let (action, log_prob) = sample(logits, legal, unit(dice));
        let action = action as u8;
        if sitter == Sitter::Policy {
            let value = self.cast.scale.chips(value);
            self.streams[seat].decide(Decision { observation, legal, action, log_prob, value });
        }
        Action::from_id(action).unwrap_or(Action::PASS)
    }
}

/// Draws who sits where: the policy everywhere, or a past self in each seat but one with chance ½.
fn seating(cast: &Cast<'_>, players: usize, rng: &mut Rng) -> [Sitter; MAX_PLAYERS] {
    let mut sitters = [Sitter::Policy; MAX_PLAYERS];
    if !cast.past.is_empty() && unit(rng) < cast.past_share {
        let who = Sitter::Past(below(rng, cast.past.len() as u32) as usize);
        let learner = below(rng, players as u32) as usize;
        for (seat, sitter) in sitters.iter_mut().enumerate().take(players) {
            if seat != learner && unit(rng) < 0.5 {
                *sitter = who;
            }
        }
    }
    sitters
}
