//! One deal with its chance in the open, for solvers: who deals, who gets each card, and who wins
//! each pile that goes by lot.

use std::fmt::Write as _;
use std::sync::Arc;

use newmarket_env::rules::{FirstDealer, Leftover};
use newmarket_env::{
    Action, ActionMask, Card, CardSet, DealDriver, DealStart, Hands, MAX_PLAYERS, Observation,
    Phase, Rng, Seed, Session, State, Worlds, seed,
};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::errors::{IllegalActionError, bad, exclusive, shared};
use crate::game::{Game, action};
use crate::observation::Form;
use crate::view::{View, ids, phase_name};
use crate::whole;

/// What the child of a session's seed for its lots is called there.
const LOT: u64 = 2;

/// The most deals that are drawn for one resampled deal.
const MOST_TRIES: usize = 1000;

/// What a pickled deal is: the game, the dealer that was asked for, the history.
type Pickled = (Py<Game>, Option<usize>, Vec<u64>);

/// One deal with its chance in the open, for solvers.
///
/// Chance says who deals (unless ``dealer`` does), who gets each card in pack order (a seat, or
/// the number of players for the dead hand), and after the play who wins each pile that goes by
/// lot.
#[pyclass(module = "newmarket")]
#[derive(Clone)]
pub(crate) struct Deal {
    game: Arc<newmarket_env::Game>,
    /// The dealer that was asked for; `None` if chance is to say.
    asked: Option<usize>,
    /// The seat that deals; `None` while chance has still to say.
    dealer: Option<usize>,
    state: State,
    cards: Vec<Card>,
    /// How many of the cards have an owner.
    given: usize,
    hands: Hands,
    /// Cards that each hand can still take; the dead hand is the last.
    room: [usize; MAX_PLAYERS + 1],
    /// What has happened, as everybody or one seat saw it.
    record: Vec<Move>,
    /// Piles that go by lot, and how many there were.
    lots: Vec<i32>,
    piles: usize,
    /// Chips that each seat won by lot.
    won: [i32; MAX_PLAYERS],
    legal: ActionMask,
    history: Vec<u64>,
}

/// An action, and the cards that it brought to the table.
#[derive(Clone, Copy)]
struct Move {
    seat: usize,
    action: Action,
    /// Whether the others see which action it was.
    public: bool,
    played: [CardSet; MAX_PLAYERS],
}

/// What is due.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Due {
    Dealer,
    Card,
    Lot,
    Decision,
    Nothing,
}

impl Deal {
    fn begin(&mut self, dealer: usize) {
        let players = self.game.players();
        let start = DealStart::fresh(players, dealer);
        self.dealer = Some(dealer);
        self.state = State::new(&self.game, &start);
        let dealt = self.game.deal(&self.cards, dealer, start.seats_in);
        self.room = std::array::from_fn(|hand| dealt.seats.get(hand).unwrap_or(&dealt.dead).len());
        self.run_on();
    }

    fn what(&self) -> Due {
        match () {
            () if self.dealer.is_none() => Due::Dealer,
            () if !self.legal.is_empty() => Due::Decision,
            () if !self.state.is_over() => Due::Card,
            () if !self.lots.is_empty() => Due::Lot,
            () => Due::Nothing,
        }
    }

    /// Goes on to the next decision with a choice, to the cards, or to the end.
    fn run_on(&mut self) {
        let Self { game, state, record, .. } = self;
        let take = |state: &mut State, action| take(game, state, record, action);
        let decision = DealDriver::CHOICES.next_by(game, state, take);
        self.legal = decision.map_or(ActionMask::NONE, |decision| decision.legal);
        if self.state.is_over() && self.game.rules().session.leftover == Leftover::Lot {
            let piles = self.game.cells_of(self.state.layout()).iter().copied();
            self.lots = piles.chain([self.state.kitty()]).filter(|&pile| pile != 0).collect();
            self.lots.reverse();
            self.piles = self.lots.len();
        }
    }

    fn outcomes(&self) -> Vec<(usize, f64)> {
        let players = self.game.players();
        match self.what() {
            Due::Dealer => dealers(&self.game),
            Due::Card => {
                let left = (self.cards.len() - self.given) as f64;
                let hands = (0..players).chain([MAX_PLAYERS]);
                hands
                    .enumerate()
                    .filter(|&(_, hand)| self.room[hand] > 0)
                    .map(|(owner, hand)| (owner, self.room[hand] as f64 / left))
                    .collect()
            }
            Due::Lot => (0..players).map(|seat| (seat, 1.0 / players as f64)).collect(),
            Due::Decision | Due::Nothing => Vec::new(),
        }
    }

    fn happen(&mut self, outcome: usize) -> PyResult<()> {
        let outcomes = self.outcomes();
        if !outcomes.iter().any(|&(known, _)| known == outcome) {
            let known: Vec<String> = outcomes.iter().map(|it| it.0.to_string()).collect();
            let known = known.join(", ");
            return Err(bad(format!("outcome {outcome} of chance: expected one of {known}")));
        }
        match self.what() {
            Due::Dealer => self.begin(outcome),
            Due::Card => {
                let card = self.cards[self.given];
                let dead = outcome == self.game.players();
                let hand = if dead { &mut self.hands.dead } else { &mut self.hands.seats[outcome] };
                hand.insert(card);
                self.room[if dead { MAX_PLAYERS } else { outcome }] -= 1;
                self.given += 1;
                if self.given == self.cards.len() {
                    self.state.deal(&self.game, &self.hands);
                    self.run_on();
                }
            }
            _ => {
                let chips = self.lots.pop().unwrap_or(0);
                self.won[outcome] += chips;
            }
        }
        Ok(())
    }

    fn apply_id(&mut self, id: u64) -> PyResult<()> {
        match self.what() {
            Due::Nothing => return Err(bad("the deal is over")),
            Due::Decision => {
                let action = action(i64::try_from(id).unwrap_or(-1))?;
                if !self.legal.contains(action) {
                    let (seat, legal) = (self.state.actor().unwrap_or(0), self.legal);
                    return Err(IllegalActionError::new_err(format!(
                        "seat {seat} may not {action}: legal are {legal}"
                    )));
                }
                take(&self.game, &mut self.state, &mut self.record, action);
                self.run_on();
            }
            _ => self.happen(usize::try_from(id).unwrap_or(usize::MAX))?,
        }
        self.history.push(id);
        Ok(())
    }

    /// The deal of these hands, empty if they are not dealt yet, after these actions, forced ones
    /// included.
    pub(crate) fn after(
        game: &Arc<newmarket_env::Game>,
        dealer: usize,
        dealt: &Hands,
        actions: &[Action],
    ) -> PyResult<Self> {
        let mut deal = Self::begun(game.clone(), Some(dealer))?;
        loop {
            let id = match deal.what() {
                Due::Decision => match actions.get(deal.record.len()) {
                    Some(action) => action.index(),
                    None => return Ok(deal),
                },
                Due::Card => deal.owner(dealt),
                Due::Dealer | Due::Lot | Due::Nothing => {
                    return Err(bad("the deal does not come to a decision by these actions"));
                }
            };
            deal.apply_id(id as u64)?;
        }
    }

    /// The same deal as it might also be by what a seat has seen: hidden cards lie anew.
    fn resampled(&self, seat: usize, rng: &mut Rng) -> PyResult<Self> {
        let Some(dealer) = self.dealer.filter(|_| self.what() == Due::Decision) else {
            return Err(bad("resample: expected a deal in which a decision is due"));
        };
        if self.given < self.cards.len() {
            return Ok(self.clone());
        }
        let (seen, known) = (self.state.view(&self.game, seat), self.information_state(seat)?);
        let worlds = Worlds::of(&seen);
        // For the seat that is to act the first is the one. In some worlds of another seat, the seat that is
        // to act has one choice only, and so the deal goes on.
        for _ in 0..MOST_TRIES {
            let dealt = seen.as_dealt(&worlds.draw(rng));
            let mut deal = Self::begun(self.game.clone(), self.asked)?;
            while deal.record.len() < self.record.len() || deal.what() != Due::Decision {
                let id = match deal.what() {
                    Due::Dealer => dealer,
                    Due::Card => deal.owner(&dealt),
                    Due::Decision => {
                        let done = deal.record.len();
                        deal.action_as_seen(&self.record[done], seat, &seen).index()
                    }
                    Due::Lot | Due::Nothing => break,
                };
                deal.apply_id(id as u64)?;
            }
            if deal.what() == Due::Decision && deal.information_state(seat)? == known {
                return Ok(deal);
            }
        }
        Err(bad(format!("resample: none of {MOST_TRIES} deals leaves a choice to the seat to act")))
    }

    /// Who gets the next card.
    fn owner(&self, dealt: &Hands) -> usize {
        let card = self.cards[self.given];
        let held = dealt.seats.iter().position(|hand| hand.contains(card));
        held.unwrap_or(self.game.players())
    }

    /// The action of a move, or another that a viewer cannot tell from it: others set their best cards apart
    /// for poker, unless they have shown them.
    fn action_as_seen(&self, told: &Move, viewer: usize, seen: &newmarket_env::View) -> Action {
        let unseen = !told.public && told.seat != viewer;
        if unseen && seen.shown_five(told.seat).is_empty() {
            return self.state.view(&self.game, told.seat).pick_of_best_five();
        }
        told.action
    }

    /// All actions and outcomes so far.
    pub(crate) fn moves(&self) -> &[u64] {
        &self.history
    }

    fn begun(game: Arc<newmarket_env::Game>, dealer: Option<usize>) -> PyResult<Self> {
        let players = game.players();
        let start = DealStart::fresh(players, 0);
        let mut deal = Self {
            state: State::new(&game, &start),
            cards: game.pack().iter().collect(),
            asked: dealer,
            dealer: None,
            given: 0,
            hands: Hands::default(),
            room: [0; MAX_PLAYERS + 1],
            record: Vec::new(),
            lots: Vec::new(),
            piles: 0,
            won: [0; MAX_PLAYERS],
            legal: ActionMask::NONE,
            history: Vec::new(),
            game,
        };
        if let Some(dealer) = dealer {
            deal.begin(deal.check_seat(dealer)?);
        }
        Ok(deal)
    }

    fn check_seat(&self, seat: usize) -> PyResult<usize> {
        let players = self.game.players();
        if seat < players { Ok(seat) } else { Err(bad(format!("seat {seat} of {players}"))) }
    }
}

/// How likely each seat is to deal first.
fn dealers(game: &newmarket_env::Game) -> Vec<(usize, f64)> {
    let players = game.players();
    match game.rules().session.first_dealer {
        FirstDealer::Seat(seat) => vec![(seat, 1.0)],
        FirstDealer::Cut => (0..players).map(|seat| (seat, 1.0 / players as f64)).collect(),
        FirstDealer::FirstJack => {
            let mut chances = vec![0.0; players];
            let mut none_yet = 1.0;
            for place in 0..49 {
                let left = f64::from(52 - place);
                chances[place as usize % players] += none_yet * 4.0 / left;
                none_yet *= 1.0 - 4.0 / left;
            }
            chances.into_iter().enumerate().collect()
        }
    }
}

/// Takes an action and notes what is seen of it.
fn take(game: &newmarket_env::Game, state: &mut State, record: &mut Vec<Move>, action: Action) {
    let (before, seat) = (*state, state.actor().unwrap_or(0));
    let public = state.phase() != Phase::SetApart;
    state.apply_unchecked(game, action);
    let of = |state: &State, seat| state.view(game, seat).played_by(seat);
    let played = std::array::from_fn(|seat| {
        if seat < game.players() { of(state, seat) - of(&before, seat) } else { CardSet::EMPTY }
    });
    record.push(Move { seat, action, public, played });
}

#[pymethods]
impl Deal {
    #[new]
    #[pyo3(signature = (game, dealer=None))]
    fn new(
        game: &Bound<'_, Game>,
        #[pyo3(from_py_with = whole::dealer_or_none)] dealer: Option<usize>,
    ) -> PyResult<Self> {
        Self::begun(game.get().inner.clone(), dealer)
    }

    /// The dealer, and the owner of each card in pack order, in an episode of a seed.
    #[classmethod]
    #[pyo3(signature = (game, seed, *, table=0, episode=0))]
    fn outcomes_of(
        _: &Bound<'_, PyType>,
        game: &Bound<'_, Game>,
        #[pyo3(from_py_with = whole::seed)] seed: u64,
        #[pyo3(from_py_with = whole::table)] table: u64,
        #[pyo3(from_py_with = whole::episode)] episode: u64,
    ) -> (usize, Vec<usize>) {
        let game = &game.get().inner;
        let session = Session::single_deal(game, Seed::new(seed).child(table).child(episode));
        let hands = session.hands(game);
        let owner = |card: Card| {
            let held = hands.seats.iter().position(|hand| hand.contains(card));
            held.unwrap_or(game.players())
        };
        (session.deal_start().dealer, game.pack().iter().map(owner).collect())
    }

    /// The seats that win so many piles by lot in an episode of a seed.
    #[classmethod]
    #[pyo3(signature = (game, piles, seed, *, table=0, episode=0))]
    fn lots_of(
        _: &Bound<'_, PyType>,
        game: &Bound<'_, Game>,
        piles: usize,
        #[pyo3(from_py_with = whole::seed)] seed: u64,
        #[pyo3(from_py_with = whole::table)] table: u64,
        #[pyo3(from_py_with = whole::episode)] episode: u64,
    ) -> Vec<u32> {
        let players = game.get().inner.players() as u32;
        let lot = Seed::new(seed).child(table).child(episode).child(LOT).child(1);
        let mut rng = lot.rng();
        (0..piles.min(64)).map(|_| seed::below(&mut rng, players)).collect()
    }

    /// What comes next.
    #[getter]
    fn due(&self) -> &'static str {
        match self.what() {
            Due::Dealer => "dealer",
            Due::Card => "card",
            Due::Lot => "lot",
            Due::Decision => "decision",
            Due::Nothing => "over",
        }
    }

    /// The seat to act; 0 if none is.
    #[getter]
    fn seat(&self) -> usize {
        self.state.actor().unwrap_or(0)
    }

    /// The seat that deals, once chance has said so.
    #[getter]
    fn dealer(&self) -> Option<usize> {
        self.dealer
    }

    /// The legal actions of the seat to act.
    #[getter]
    fn legal(&self) -> Vec<usize> {
        ids(self.legal)
    }

    /// Piles that are still to go by lot.
    #[getter]
    fn lots(&self) -> usize {
        self.lots.len()
    }

    /// Piles that go by lot, in all; 0 before the end of the play.
    #[getter]
    fn piles(&self) -> usize {
        self.piles
    }

    /// Cards that have an owner.
    #[getter]
    fn dealt(&self) -> usize {
        self.given
    }

    /// All actions and outcomes so far.
    #[getter]
    fn history(&self) -> Vec<u64> {
        self.history.clone()
    }

    /// The outcomes of chance and how likely each is; none at a decision.
    fn chance_outcomes(&self) -> Vec<(usize, f64)> {
        self.outcomes()
    }

    /// Take an action, or an outcome of chance.
    fn apply(this: &Bound<'_, Self>, action: u64) -> PyResult<()> {
        exclusive(this)?.apply_id(action)
    }

    /// Chips that each seat gained so far.
    #[getter]
    fn payoffs(&self) -> Vec<f64> {
        let players = self.game.players();
        let stacks = &self.state.stacks()[..players];
        let mut payoffs: Vec<f64> =
            stacks.iter().zip(self.won).map(|(&stack, won)| f64::from(stack + won)).collect();
        if self.state.is_over() && self.game.rules().session.leftover == Leftover::Richest {
            let left = self.state.layout().iter().sum::<i32>() + self.state.kitty();
            let richest = (0..players).rev().max_by_key(|&seat| self.state.stacks()[seat]);
            payoffs[richest.unwrap_or(0)] += f64::from(left);
        }
        payoffs
    }

    /// All that a seat has seen and done.
    fn information_state(
        &self,
        #[pyo3(from_py_with = whole::seat)] seat: usize,
    ) -> PyResult<String> {
        let seat = self.check_seat(seat)?;
        let aces = self.game.rules().aces;
        let dealer = self.dealer.map_or("?".into(), |dealer| dealer.to_string());
        let mut text = format!("seat {seat}, dealer {dealer}");
        if self.given == self.cards.len() && self.dealer.is_some() {
            let view = self.state.view(&self.game, seat);
            let held = (view.hand() | view.played_by(seat)).notation(aces).join(" ");
            let now = view.hand().notation(aces).join(" ");
            let dead = view.known_dead().notation(aces).join(" ");
            let _ = write!(text, "; held {held}; hand {now}; dead {dead}");
        }
        for Move { seat: by, action, public, played } in &self.record {
            if *public || *by == seat {
                let _ = write!(text, "; {by} {action}");
            } else {
                let _ = write!(text, "; {by} sets a card apart");
            }
            for (by, cards) in played.iter().enumerate() {
                for card in *cards {
                    let _ = write!(text, ", {by}:{}", card.notation(aces));
                }
            }
        }
        Ok(text)
    }

    /// What a seat may know, as in ``View.observe``.
    #[pyo3(signature = (seat, form="f32"))]
    fn observe<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = whole::seat)] seat: usize,
        form: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let view = self.state.view(&self.game, self.check_seat(seat)?);
        Ok(Form::parse(form)?.array(py, &Observation::of(&view)))
    }

    /// What a seat may know.
    fn view(&self, #[pyo3(from_py_with = whole::seat)] seat: usize) -> PyResult<View> {
        let view = self.state.view(&self.game, self.check_seat(seat)?);
        Ok(View::of(self.game.clone(), &view))
    }

    /// The deal as it might also be by what a seat has seen: hidden cards lie anew.
    ///
    /// All deals that are consistent with what the seat knows are equally likely. Its information
    /// state and observation stay the same. Raises ``ValueError`` unless a decision is due.
    fn resample(
        &self,
        #[pyo3(from_py_with = whole::seat)] seat: usize,
        #[pyo3(from_py_with = whole::seed)] seed: u64,
    ) -> PyResult<Self> {
        self.resampled(self.check_seat(seat)?, &mut Seed::new(seed).rng())
    }

    /// A deal that stands where this one does.
    fn copy(this: &Bound<'_, Self>) -> PyResult<Self> {
        Ok(shared(this)?.clone())
    }

    fn __copy__(this: &Bound<'_, Self>) -> PyResult<Self> {
        Self::copy(this)
    }

    fn __deepcopy__(this: &Bound<'_, Self>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::copy(this)
    }

    #[classmethod]
    fn _restore(
        _: &Bound<'_, PyType>,
        game: &Bound<'_, Game>,
        dealer: Option<usize>,
        history: Vec<u64>,
    ) -> PyResult<Self> {
        let mut deal = Self::new(game, dealer)?;
        for action in history {
            deal.apply_id(action)?;
        }
        Ok(deal)
    }

    fn __reduce__(this: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, Pickled)> {
        let it = shared(this)?;
        let make = this.get_type().getattr("_restore")?.unbind();
        let game = Py::new(this.py(), Game::at(it.game.clone()))?;
        Ok((make, (game, it.asked, it.history.clone())))
    }

    fn __repr__(&self) -> String {
        let phase = if self.legal.is_empty() { self.due() } else { phase_name(self.state.phase()) };
        let dealer = self.dealer.map_or_else(|| "None".into(), |dealer| dealer.to_string());
        format!("<Deal of dealer {dealer}: {phase}>")
    }
}
