//! The one loop that plays: a deal on its own, or the deals of a session, decision by decision.

use alloc::vec::Vec;

use newmarket_env::{
    Action, ActionMask, DealDriver, Decision, Event, Game, Gift, IllegalAction, MAX_PLAYERS, Phase,
    Rng, Session, State, narrate,
};

use crate::events::Replay;
use crate::player::{OpenView, Player};

/// A deal in progress, on its own or in a session: all cards and chips, and the choices that led to
/// them. It stands at a decision until the deal is over. It deals the cards itself, and emits what
/// happens as [events](Runner::events).
///
/// ```
/// use newmarket_agents::{Replay, Runner};
/// use newmarket_env::{DealDriver, Game, Rules, Seed, Session};
///
/// let game = Game::new(Rules::named("newmarket").unwrap(), 4)?;
/// let session = Session::new(&game, Seed::new(7));
/// let mut runner = Runner::of_session(&game, session, DealDriver::CHOICES);
/// let mut replay = Replay::default();
/// while let Some(decision) = runner.decision() {
///     let action = decision.legal.first().unwrap();
///     runner.take(&game, action)?;
///     for event in runner.events(&game, Some(0), &mut replay) {
///         println!("{event:?}"); // as seat 0 sees it
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Runner {
    driver: DealDriver,
    session: Session,
    single: bool,
    state: State,
    /// The legal actions of the seat to act; none when the deal is over.
    legal: ActionMask,
    choices: Vec<Action>,
}

impl Runner {
    /// Runs the deals of a session, from its current one on. `driver` says at which decisions the
    /// runner stands.
    pub fn of_session(game: &Game, session: Session, driver: DealDriver) -> Self {
        Self::new(game, session, driver, false)
    }

    /// Runs the current deal of this session as a deal on its own.
    pub fn of_deal(game: &Game, session: Session, driver: DealDriver) -> Self {
        Self::new(game, session, driver, true)
    }

    fn new(game: &Game, session: Session, driver: DealDriver, single: bool) -> Self {
        let (state, choices) = (State::blank(session.deal_start()), Vec::new());
        let mut runner = Self { driver, session, single, state, legal: ActionMask::NONE, choices };
        runner.begin(game);
        runner
    }

    /// Begins another deal, the current one of this session, in the place of the last.
    pub fn restart(&mut self, game: &Game, session: Session) {
        self.session = session;
        self.begin(game);
    }

    fn begin(&mut self, game: &Game) {
        self.state.restart(game, self.session.deal_start());
        self.choices.clear();
        self.run_on(game);
    }

    #[inline]
    fn run_on(&mut self, game: &Game) {
        let Self { driver, session, state, legal, .. } = self;
        loop {
            let decision = driver.next_or_cards(game, state);
            if state.phase() != Phase::Deal {
                *legal = decision.map_or(ActionMask::NONE, |decision| decision.legal);
                return;
            }
            state.deal(game, &session.hands(game));
        }
    }

    /// The session, before or in this deal.
    pub const fn session(&self) -> &Session {
        &self.session
    }

    /// Whether the deal stands alone, not in a session.
    pub const fn is_single(&self) -> bool {
        self.single
    }

    /// All cards and chips.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// The decisions of the deal so far that had more than one legal action.
    pub fn choices(&self) -> &[Action] {
        &self.choices
    }

    /// The decision that is due; `None` when the deal is over.
    pub fn decision(&self) -> Option<Decision> {
        let seat = self.state.actor().filter(|_| !self.legal.is_empty())?;
        Some(Decision { seat, legal: self.legal })
    }

    /// The table as it stands for a seat, with all cards face up and with the events of the deal.
    pub const fn open_view<'a>(&'a self, game: &'a Game, seat: usize) -> OpenView<'a> {
        OpenView::of(game, self, seat)
    }

    /// The events of the deal since `replay` was told the last ones, as a seat sees them, or as a
    /// trace has them (`None`). One replay follows one deal for one viewer.
    pub fn events(&self, game: &Game, viewer: Option<usize>, replay: &mut Replay) -> Vec<Event> {
        let mut events = Vec::new();
        replay.go_on(game, self, |before, action, after| {
            events.extend(narrate(game, before, action, after, viewer));
        });
        events
    }

    /// Takes the decision that is due, and goes on to the next one.
    ///
    /// # Errors
    /// If the action is not legal; nothing has then changed.
    #[inline]
    pub fn take(&mut self, game: &Game, action: Action) -> Result<(), IllegalAction> {
        self.state.apply(game, action)?;
        if !self.legal.is_forced() {
            self.choices.push(action);
        }
        self.run_on(game);
        Ok(())
    }

    /// [`Runner::take`] for the action of a player.
    ///
    /// # Panics
    /// If the action is not legal: a player that chooses one is broken.
    pub(crate) fn take_chosen(&mut self, game: &Game, action: Action) {
        if let Err(error) = self.take(game, action) {
            panic!("an agent chose an illegal action: {error}");
        }
    }

    /// Plays the deal on to its end, and tells the players so. `seated` says which of the players
    /// sits in each seat; a player may sit in several. `rngs` are the streams of the seats.
    ///
    /// # Panics
    /// If a player chooses an illegal action: it is broken.
    pub fn play(
        &mut self,
        game: &Game,
        players: &mut [Player],
        seated: impl Fn(usize) -> usize,
        rngs: &mut [Rng; MAX_PLAYERS],
    ) {
        while let Some(Decision { seat, .. }) = self.decision() {
            let action = players[seated(seat)].act(&self.open_view(game, seat), &mut rngs[seat]);
            self.take_chosen(game, action);
        }
        if players.iter().any(Player::needs_events) {
            for seat in 0..game.players() {
                players[seated(seat)].over(&self.open_view(game, seat));
            }
        }
    }

    /// Closes the deal, which is over. The next deal of the session begins, or the session ends:
    /// then what is left on the table is given away.
    pub fn next_deal(&mut self, game: &Game) -> Vec<Gift> {
        let gifts = self.session.close(game, &mut self.state);
        if !self.session.is_over() {
            self.begin(game);
        }
        gifts
    }
}
