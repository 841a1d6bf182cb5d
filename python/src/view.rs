//! What one seat may know.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use newmarket_env::{
    Aces, ActionMask, Card, CardSet, Observation, Outcome, OwnCards, Phase, PublicState, Why,
};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyType};

use crate::agent::Named;
use crate::analysis;
use crate::arrays;
use crate::errors::bad;
use crate::game::Game;
use crate::observation::{Form, check_fingerprint};
use crate::whole;

/// What one seat may know at a moment. It stays as it is when its table goes on.
///
/// ``str(view)`` is the view as text. Cards are written rank, then suit: ``"KH"``. Seats are those of the
/// table, from 0, wherever the viewer sits; ``observe`` alone counts from the viewer. Views are equal, as
/// keys too, if the same seat knows the same in the same game. A pickled view holds no hidden card.
#[pyclass(frozen, eq, hash, module = "newmarket")]
#[derive(Clone)]
pub(crate) struct View {
    pub(crate) game: Arc<newmarket_env::Game>,
    public: PublicState,
    own: OwnCards,
    pub(crate) at: usize,
}

impl PartialEq for View {
    fn eq(&self, other: &Self) -> bool {
        let same = Arc::ptr_eq(&self.game, &other.game) || self.game == other.game;
        same && (self.at, &self.public, &self.own) == (other.at, &other.public, &other.own)
    }
}

impl Hash for View {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.at, &self.public, &self.own).hash(state);
    }
}

/// What a pickled view is: fingerprint, game, seat, what everybody sees and the own cards, as JSON.
type Pickled<'py> = (u64, Game, usize, Bound<'py, PyBytes>);

/// The name of a card, made once: rules read very many.
fn card(py: Python<'_>, card: Card, aces: Aces) -> &Bound<'_, PyString> {
    static NAMES: PyOnceLock<Vec<Py<PyString>>> = PyOnceLock::new();
    let all = NAMES.get_or_init(py, || {
        let names = [Aces::Low, Aces::High]
            .into_iter()
            .flat_map(|aces| Card::ALL.map(|card| card.notation(aces)));
        names.map(|name| PyString::new(py, &name).unbind()).collect()
    });
    all[usize::from(aces == Aces::High) * Card::ALL.len() + card.index()].bind(py)
}

impl View {
    /// What this view of the game shows.
    pub(crate) fn of(game: Arc<newmarket_env::Game>, view: &newmarket_env::View) -> Self {
        Self { game, public: *view.public(), own: *view.own(), at: view.seat() }
    }

    /// What the crates call a view.
    pub(crate) fn inner(&self) -> newmarket_env::View<'_> {
        newmarket_env::View::new(&self.game, &self.public, self.at, self.own)
    }

    fn named<'py>(&self, py: Python<'py>, cards: CardSet) -> PyResult<Bound<'py, PyList>> {
        let aces = self.game.rules().aces;
        let names: Vec<_> = cards.iter().map(|it| card(py, it, aces)).collect();
        PyList::new(py, names)
    }

    fn cell_names(&self) -> impl Iterator<Item = &str> {
        self.game.rules().cells.iter().map(|cell| cell.name.as_str())
    }

    fn staked(&self, seat: usize) -> Vec<i32> {
        (0..self.game.cells()).map(|cell| self.inner().staked(seat, cell)).collect()
    }

    fn by_seat<T>(&self, of: impl Fn(usize) -> T) -> Vec<T> {
        (0..self.game.players()).map(of).collect()
    }
}

/// A phase by its name in the observation's spans.
pub(crate) const fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Ante => "ante",
        Phase::Deal => "deal",
        Phase::DeadHand => "dead hand",
        Phase::Auction => "bid",
        Phase::SetApart => "set apart",
        Phase::Bet => "bet",
        Phase::Lead => "lead",
        Phase::Over => "over",
    }
}

/// Why a sequence stopped, as traces write it.
const fn why_name(why: Why) -> &'static str {
    match why {
        Why::Top => "top",
        Why::Removed => "removed",
        Why::Dead => "dead",
        Why::Played => "played",
    }
}

/// The ids of these actions.
pub(crate) fn ids(legal: ActionMask) -> Vec<usize> {
    legal.iter().map(newmarket_env::Action::index).collect()
}

#[pymethods]
impl View {
    /// The seat whose view it is.
    #[getter]
    fn seat(&self) -> usize {
        self.at
    }

    /// Seats at the table.
    #[getter]
    fn players(&self) -> usize {
        self.game.players()
    }

    /// The rules and the number of seats.
    #[getter]
    fn game(&self) -> Game {
        Game::at(self.game.clone())
    }

    /// What is due: ante, dead hand, bid, lead, set apart, bet; deal, over.
    #[getter]
    fn phase(&self) -> &'static str {
        phase_name(self.inner().phase())
    }

    /// The seat that is to act.
    #[getter]
    fn actor(&self) -> Option<usize> {
        self.inner().actor()
    }

    /// The seat that deals.
    #[getter]
    fn dealer(&self) -> usize {
        self.inner().dealer()
    }

    /// The seat to the dealer's left.
    #[getter]
    fn eldest(&self) -> usize {
        self.inner().eldest()
    }

    /// The seat that played its last card, once the deal is over.
    #[getter]
    fn winner(&self) -> Option<usize> {
        match self.inner().outcome() {
            Outcome::Out(seat) => Some(seat),
            Outcome::Playing | Outcome::NoWinner => None,
        }
    }

    /// The number of the deal in its session, from 1; ``None`` for a single deal, and while more than 254
    /// deals are left.
    #[getter]
    fn deal(&self) -> Option<u32> {
        self.inner().deal_number()
    }

    /// Deals of the session after this one, unless a bust ends it, 254 at most; ``None`` for a single deal.
    #[getter]
    fn deals_left(&self) -> Option<u32> {
        self.inner().deals_left()
    }

    /// Where aces stand: ``"low"`` or ``"high"``.
    #[getter]
    fn aces(&self) -> &'static str {
        match self.game.rules().aces {
            Aces::Low => "low",
            Aces::High => "high",
        }
    }

    /// The seat's own cards, by suits and ranks.
    #[getter]
    fn hand<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.named(py, self.inner().hand())
    }

    /// All cards that have been played, by suits and ranks.
    #[getter]
    fn played<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.named(py, self.inner().played())
    }

    /// All cards that have been played, in the order of time, each with the seat that played it: ``(2, "3C")``.
    #[getter]
    fn plays<'py>(&self, py: Python<'py>) -> Vec<(usize, Bound<'py, PyString>)> {
        let aces = self.game.rules().aces;
        self.inner().plays().map(|(seat, it)| (seat, card(py, it, aces).clone())).collect()
    }

    /// Where the sequences have stopped, in the order of time: the seat that played the last card, that card,
    /// and why nobody went on: ``"top"``, ``"removed"``, ``"dead"`` or ``"played"`` (the next card: there is none,
    /// it is not in the pack, in the dead hand, or was played before).
    #[getter]
    fn stops<'py>(&self, py: Python<'py>) -> Vec<(usize, Bound<'py, PyString>, &'static str)> {
        let aces = self.game.rules().aces;
        let stop = |(seat, last, why)| (seat, card(py, last, aces).clone(), why_name(why));
        self.inner().stops().map(stop).collect()
    }

    /// The suit that stopped last, as cards have it: ``"C"``, ``"D"``, ``"H"`` or ``"S"``; ``None`` before the
    /// first stop.
    #[getter]
    fn stopped_suit(&self) -> Option<char> {
        self.inner().stopped().map(newmarket_env::Suit::letter)
    }

    /// Cards that the seat knows to be in the dead hand.
    #[getter]
    fn known_dead<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.named(py, self.inner().known_dead())
    }

    /// Cards whose place the seat has not seen: in other hands, or dead.
    #[getter]
    fn hidden<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.named(py, self.inner().hidden())
    }

    /// Cards in the dead hand.
    #[getter]
    fn dead_size(&self) -> usize {
        self.inner().dead_size()
    }

    /// Cards in each hand.
    #[getter]
    fn hand_sizes(&self) -> Vec<usize> {
        self.by_seat(|seat| self.inner().hand_size(seat))
    }

    /// Chips of each seat; a score from 0 where the rules play on credit.
    #[getter]
    fn stacks(&self) -> Vec<i32> {
        self.by_seat(|seat| self.inner().stack(seat))
    }

    /// The names of the cells, as in rules, strategies and traces; most are those of their cards.
    #[getter]
    fn cells(&self) -> Vec<&str> {
        self.cell_names().collect()
    }

    /// Which cards take each cell, by cell: any one of these sets, for the seat that has them all.
    #[getter]
    fn claims<'py>(&self, py: Python<'py>) -> PyResult<Vec<Vec<Bound<'py, PyList>>>> {
        let claims = self.inner().claims();
        let sets = |cell| claims.of_cell(cell).iter().map(|&set| self.named(py, set)).collect();
        (0..self.game.cells()).map(sets).collect()
    }

    /// Chips that the seat has put on each cell in this deal.
    #[getter]
    fn stakes(&self) -> Vec<i32> {
        self.staked(self.at)
    }

    /// The same for every seat, by seat and cell.
    #[getter]
    fn all_stakes(&self) -> Vec<Vec<i32>> {
        self.by_seat(|seat| self.staked(seat))
    }

    /// Chips that the seat to act has still to place in its ante.
    #[getter]
    fn to_place(&self) -> usize {
        self.inner().chips_left()
    }

    /// What the dead hand costs the seat to act, in chips; 0 where it is not offered.
    #[getter]
    fn price(&self) -> i32 {
        self.inner().price()
    }

    /// The highest bid for the dead hand, 0 before the first.
    #[getter]
    fn bid(&self) -> i32 {
        self.inner().bid()
    }

    /// The seat that took the dead hand.
    #[getter]
    fn took_dead_hand(&self) -> Option<usize> {
        self.inner().exchanger()
    }

    /// Chips on each cell.
    #[getter]
    fn layout(&self) -> Vec<i32> {
        self.inner().layout().to_vec()
    }

    /// Chips in the kitty.
    #[getter]
    fn kitty(&self) -> i32 {
        self.inner().kitty()
    }

    /// The ids of the seat's legal actions; none while another seat is to act.
    #[getter]
    fn legal(&self) -> Vec<usize> {
        ids(self.own_choices())
    }

    /// The seat's legal actions in words, in the order of ``legal``: ``"lead clubs"``, ``"put a chip on KH"``.
    #[getter]
    fn choices(&self) -> Vec<String> {
        self.own_choices().iter().map(|action| self.game.action_in_words(action)).collect()
    }

    /// ``legal`` as ``int8[ACTIONS]``.
    fn mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        arrays::mask(py, self.own_choices())
    }

    /// The encoded view: ``float32[OBSERVATION]``, or ``uint8[PACKED]`` with ``"packed"``.
    #[pyo3(signature = (form="f32"))]
    fn observe<'py>(&self, py: Python<'py>, form: &str) -> PyResult<Bound<'py, PyAny>> {
        Ok(Form::parse(form)?.array(py, &Observation::of(&self.inner())))
    }

    /// ``n`` complete deals, each as likely as any other that is consistent with what the seat knows.
    ///
    /// Each is a dict: ``hands``, the cards of each seat as they lie now (before the deal, as they
    /// will be dealt), ``dead``, the dead hand, and ``weight``; weights sum to 1. With ``given``, a
    /// player, a weight is in proportion to the likelihood of what the other seats did after they
    /// had seen their cards. Of ``k`` choices, one is taken with probability
    /// ``(1 - doubt) * p + doubt / k``. ``p`` is the player's probability of it; if the player does
    /// not tell its probabilities, it is asked once, and ``p`` is 1 for its choice and 0 for the
    /// others. All chips of an ante are one decision. Leads after poker do not count. ``seed``: 0 to
    /// 2**64 - 1. ``threads``: 0 for one a core; the result is the same for any.
    #[pyo3(signature = (n, *, seed=1, given=None, doubt=0.05, threads=0))]
    #[expect(clippy::needless_pass_by_value, reason = "Python's arguments are values")]
    fn worlds<'py>(
        &self,
        py: Python<'py>,
        n: i64,
        #[pyo3(from_py_with = whole::seed)] seed: u64,
        given: Option<Named>,
        doubt: f64,
        #[pyo3(from_py_with = whole::threads)] threads: usize,
    ) -> PyResult<Bound<'py, PyList>> {
        analysis::worlds(py, self, (n, seed), given.as_ref(), doubt, threads)
    }

    /// How likely each hidden card is to be in each place, exactly, as ``{card: [...]}``.
    ///
    /// A row has the probability of each seat and then of the dead hand, and sums to 1. All deals
    /// that are consistent with what the seat knows are equally likely. Cards whose place the seat
    /// knows have no row. Before the deal all cards have one, in which the seat itself counts too.
    fn card_probabilities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        analysis::card_probabilities(py, self)
    }

    /// The table as the seat sees it, as the text of a picture. Notebooks show it.
    pub(crate) fn svg<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("newmarket._svg")?.call_method1("view_svg", (this,))
    }

    fn _repr_html_<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::svg(this)
    }

    fn __str__(&self) -> String {
        let view = self.inner();
        let mut lines = vec![format!(
            "{}, {} players; seat {} of them; {}",
            self.game.rules().title(),
            self.players(),
            self.at,
            match view.actor() {
                Some(seat) if seat == self.at => format!("to act: {}", self.phase()),
                Some(seat) => format!("seat {seat} is to act: {}", self.phase()),
                None => "the deal is over".into(),
            }
        )];
        let aces = self.game.rules().aces;
        let cells =
            self.cell_names().zip(view.layout()).map(|(cell, chips)| format!("{cell} {chips}"));
        lines.push(format!(
            "layout: {}; kitty {}",
            cells.collect::<Vec<_>>().join(", "),
            view.kitty()
        ));
        for seat in 0..self.players() {
            let dealer = if seat == view.dealer() { " (dealer)" } else { "" };
            lines.push(format!(
                "seat {seat}{dealer}: {:+} chips, {} cards",
                view.stack(seat),
                view.hand_size(seat)
            ));
        }
        lines.push(format!("hand: {}", view.hand().notation(aces).join(" ")));
        lines.push(format!("played: {}", view.played().notation(aces).join(" ")));
        if let Some((seat, last, why)) = view.stops().last() {
            let (last, why) = (last.notation(aces), why_name(why));
            lines.push(format!("last stop: {last} of seat {seat} ({why})"));
        }
        if !self.own_choices().is_empty() {
            lines.push(format!("choices: {}", self.choices().join(", ")));
        }
        lines.join("\n")
    }

    fn __repr__(&self) -> String {
        let hand = self.inner().hand().notation(self.game.rules().aces).join(" ");
        format!("<View of seat {}: {}, hand {hand}>", self.at, self.phase())
    }

    #[classmethod]
    fn _restore(
        _: &Bound<'_, PyType>,
        fingerprint: u64,
        game: &Bound<'_, Game>,
        seat: usize,
        known: &[u8],
    ) -> PyResult<Self> {
        check_fingerprint(fingerprint)?;
        let wrong = || bad("this is no pickled view of the game");
        let (public, own) = serde_json::from_slice(known).map_err(|_| wrong())?;
        let restored = Self { game: game.get().inner.clone(), public, own, at: seat };
        if restored.inner().is_possible() { Ok(restored) } else { Err(wrong()) }
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Pickled<'py>)> {
        let (it, make) = (this.get(), this.get_type().getattr("_restore")?);
        let known = serde_json::to_vec(&(&it.public, &it.own)).map_err(bad)?;
        let known = PyBytes::new(this.py(), &known);
        let fingerprint = newmarket_env::encode::fingerprint();
        Ok((make, (fingerprint, it.game(), it.at, known)))
    }

    fn __copy__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __deepcopy__(this: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        this
    }
}

impl View {
    /// The seat's own choices: none while another seat is to act.
    pub(crate) fn own_choices(&self) -> ActionMask {
        let view = self.inner();
        if view.actor() == Some(self.at) { view.legal() } else { ActionMask::NONE }
    }

    /// The same, where there must be one.
    pub(crate) fn due(&self) -> PyResult<ActionMask> {
        let legal = self.own_choices();
        if legal.is_empty() {
            return Err(bad(format!("seat {} is not to act here", self.at)));
        }
        Ok(legal)
    }
}
