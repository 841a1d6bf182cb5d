//! One table with a hero.

use alloc::vec::Vec;

use newmarket_env::{
    Action, ActionMask, MAX_PLAYERS, Observation, Phase, RewardLedger, Rng, Seed, Session, State,
    View, seed,
};

use super::{HeroSeat, OpponentSeats, Shared};
use crate::net::Plays;
use crate::player::{OpenView, Player};

/// The purpose of each child of an episode's seed; the session uses the first ones.
const AGENTS: u64 = 100;
const HERO: u64 = 101;
const OPPONENTS: u64 = 102;

/// Episodes in a row without a decision of the hero after which a table stays at the end of one.
const TRIES: u32 = 10_000;

/// Episodes that a table passed over, because the hero decides nothing in them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PassedOver {
    /// How many there were.
    pub episodes: u64,
    /// Chips that the hero gained in them. They are in no reward.
    pub gain: i64,
}

/// A table, its opponents and their random numbers.
pub(super) struct SeatedTable {
    players: Vec<Player>,
    rngs: [Rng; MAX_PLAYERS],
    /// The number of the player in each seat.
    seats: [u16; MAX_PLAYERS],
    session: Session,
    pub(super) state: State,
    ledger: RewardLedger,
    /// The end of the last episode that ended.
    pub(super) end: Option<End>,
    /// Whether the hero has decided in this episode.
    decided: bool,
    pub(super) seed: Seed,
    pub(super) episode: u64,
    pub(super) hero: usize,
    pub(super) legal: ActionMask,
    /// Chips that the hero gained in the last step.
    pub(super) gain: i32,
    pub(super) over: bool,
    pub(super) skipped: PassedOver,
    /// Episodes passed over since the last one was begun from outside.
    tries: u32,
}

/// The end of an episode: the state, the hero's seat, and the episodes that were skipped until then.
pub(super) struct End {
    state: State,
    pub(super) hero: usize,
    pub(super) skipped: PassedOver,
}

/// Where a table stands.
pub(super) enum Advance {
    /// At the hero's decision, or the end of the episode.
    Done,
    /// At a decision of this player, which answers for many tables at once.
    Ask(usize),
}

impl SeatedTable {
    pub(super) fn new(shared: &Shared, players: &[Player], seed: Seed) -> Self {
        let (session, state, ledger) = shared.driver.begin(seed.child(0));
        Self {
            players: players.iter().map(Player::another).collect(),
            rngs: core::array::from_fn(|_| seed.rng()),
            seats: [0; MAX_PLAYERS],
            session,
            state,
            ledger,
            end: None,
            decided: false,
            seed,
            episode: 0,
            hero: 0,
            legal: ActionMask::NONE,
            gain: 0,
            over: false,
            skipped: PassedOver::default(),
            tries: 0,
        }
    }

    /// Begins an episode.
    pub(super) fn begin(&mut self, shared: &Shared, episode: u64) {
        self.tries = 0;
        self.set_up(shared, episode);
    }

    /// Draws the seats and the cards of an episode.
    fn set_up(&mut self, shared: &Shared, episode: u64) {
        let seed = self.seed.child(episode);
        let players = shared.game.players();
        self.episode = episode;
        self.hero = match shared.hero {
            HeroSeat::Fixed(seat) => seat,
            HeroSeat::Drawn => seed::below(&mut seed.child(HERO).rng(), players as u32) as usize,
        };
        match &shared.seating {
            OpponentSeats::Fixed(seats) => {
                for (place, &player) in self.seats.iter_mut().zip(seats) {
                    *place = player as u16;
                }
            }
            OpponentSeats::Drawn(weights) => {
                let mut rng = seed.child(OPPONENTS).rng();
                for place in &mut self.seats[..players] {
                    *place = draw(weights, seed::unit(&mut rng)) as u16;
                }
            }
        }
        let streams = seed.child(AGENTS);
        self.rngs = core::array::from_fn(|seat| streams.child(seat as u64).rng());
        shared.driver.begin_again(seed, &mut self.session, &mut self.state, &mut self.ledger);
        (self.gain, self.over, self.decided) = (0, false, false);
        self.legal = ActionMask::NONE;
    }

    /// Takes the hero's decision.
    pub(super) fn decide(&mut self, shared: &Shared, action: Action) {
        (self.decided, self.over) = (true, false);
        self.state.apply_unchecked(&shared.game, action);
    }

    /// Takes a legal action by these logits `[actions]`, as an opponent that plays like this.
    pub(super) fn choose(&mut self, shared: &Shared, plays: Plays, logits: &[f32]) {
        let legal = self.legal;
        let (view, rng) = self.asked(shared);
        let action = plays.choose(&view, legal, logits, rng);
        self.take(shared, action);
    }

    /// Takes a legal action of an opponent.
    pub(super) fn take(&mut self, shared: &Shared, action: Action) {
        self.state.apply_unchecked(&shared.game, action);
    }

    /// Takes the action of an opponent to whom the decision is left.
    pub(super) fn act_undecided(&mut self, shared: &Shared) {
        let seat = self.state.actor().unwrap_or(0);
        let player = &mut self.players[usize::from(self.seats[seat])];
        let view = self.state.view(&shared.game, seat);
        let action = player.act_undecided(&view, &mut self.rngs[seat]);
        self.take(shared, action);
    }

    /// What the seat that is to act may know, and its random numbers.
    pub(super) fn asked<'a>(&'a mut self, shared: &'a Shared) -> (View<'a>, &'a mut Rng) {
        let seat = self.state.actor().unwrap_or(0);
        (self.state.view(&shared.game, seat), &mut self.rngs[seat])
    }

    /// The observation of the seat that is to act.
    pub(super) fn observation(&self, shared: &Shared) -> Observation {
        let seat = self.state.actor().unwrap_or(0);
        shared.encoder.encode(&self.state.view(&shared.game, seat))
    }

    /// Goes on to the hero's decision, to the end of the episode, or to a decision with which its player
    /// `waits` until it is asked for many tables at once.
    pub(super) fn advance(
        &mut self,
        shared: &Shared,
        waits: impl Fn(usize, Phase) -> bool,
    ) -> Advance {
        let game = &*shared.game;
        loop {
            self.legal = shared.driver.next(&mut self.session, &mut self.state, &mut self.ledger);
            if self.legal.is_empty() {
                if self.decided {
                    break;
                }
                self.skipped.episodes += 1;
                self.skipped.gain += i64::from(self.ledger.gains(&self.state)[self.hero]);
                self.tries += 1;
                if self.tries == TRIES {
                    break;
                }
                let (gain, over) = (self.gain, self.over);
                self.set_up(shared, self.episode + 1);
                (self.gain, self.over) = (gain, over);
                continue;
            }
            let seat = self.state.actor().unwrap_or(0);
            if seat == self.hero {
                break;
            }
            let player = usize::from(self.seats[seat]);
            if waits(player, self.state.phase()) {
                return Advance::Ask(player);
            }
            let table = OpenView::new(game, &self.state, seat);
            let action = self.players[player].act(&table, &mut self.rngs[seat]);
            self.state.apply_unchecked(game, action);
        }
        if self.decided {
            self.gain = self.ledger.gains(&self.state)[self.hero];
            self.over = self.legal.is_empty();
            if self.over {
                let Self { state, hero, skipped, .. } = *self;
                self.end = Some(End { state, hero, skipped });
            }
        } else if self.legal.is_empty() {
            self.over = true;
        }
        Advance::Done
    }

    /// What the hero may know.
    pub(super) fn view<'a>(&'a self, shared: &'a Shared) -> View<'a> {
        self.state.view(&shared.game, self.hero)
    }

    /// What the hero could know at the end of the last episode that ended.
    pub(super) fn end_view<'a>(&'a self, shared: &'a Shared) -> Option<View<'a>> {
        let end = self.end.as_ref()?;
        Some(end.state.view(&shared.game, end.hero))
    }
}

/// The place in a list of shares that a number in `[0, 1)` falls on.
fn draw(shares: &[f64], unit: f64) -> usize {
    let mut left = unit * shares.iter().sum::<f64>();
    for (place, &share) in shares.iter().enumerate() {
        if left < share {
            return place;
        }
        left -= share;
    }
    shares.iter().rposition(|&share| share > 0.0).unwrap_or(0)
}
