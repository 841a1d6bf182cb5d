//! What one seat may know.

use std::sync::Arc;

use newmarket_env::{ActionMask, Observation, Phase, State};
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::arrays;
use crate::errors::bad;
use crate::observation::Form;

/// What one seat may know at a moment. It stays as it is when its table goes on.
///
/// ``str(view)`` is the view as text. Cards are written rank, then suit: ``"KH"``.
#[pyclass(frozen, module = "newmarket")]
#[derive(Clone)]
pub(crate) struct View {
    pub(crate) game: Arc<newmarket_env::Game>,
    pub(crate) state: State,
    pub(crate) at: usize,
}

impl View {
    /// What the crates call a view.
    pub(crate) fn inner(&self) -> newmarket_env::View<'_> {
        self.state.view(&self.game, self.at)
    }

    fn named(&self, cards: newmarket_env::CardSet) -> Vec<String> {
        cards.notation(self.game.rules().aces)
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

    /// The seat's own cards.
    #[getter]
    fn hand(&self) -> Vec<String> {
        self.named(self.inner().hand())
    }

    /// All cards that have been played.
    #[getter]
    fn played(&self) -> Vec<String> {
        self.named(self.inner().played())
    }

    /// Cards that the seat knows to be in the dead hand.
    #[getter]
    fn known_dead(&self) -> Vec<String> {
        self.named(self.inner().known_dead())
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

    /// The seat's legal actions; none while another seat is to act.
    #[getter]
    fn legal(&self) -> Vec<usize> {
        ids(self.choices())
    }

    /// The same as ``int8[ACTIONS]``.
    fn mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        arrays::mask(py, self.choices())
    }

    /// The encoded view: ``float32[OBSERVATION]``, or ``uint8[PACKED]`` with ``"packed"``.
    #[pyo3(signature = (form="f32"))]
    fn observe<'py>(&self, py: Python<'py>, form: &str) -> PyResult<Bound<'py, PyAny>> {
        Ok(Form::parse(form)?.array(py, &Observation::of(&self.inner())))
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
        let cells = self.game.rules().cells.iter().enumerate().map(|(cell, it)| {
            let name = it
                .claiming_card()
                .map_or_else(|| format!("cell {cell}"), |card| card.notation(aces));
            format!("{name} {}", view.layout()[cell])
        });
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
        lines.push(format!("hand: {}", self.hand().join(" ")));
        lines.push(format!("played: {}", self.played().join(" ")));
        if !self.choices().is_empty() {
            lines.push(format!("choices: {}", self.choices()));
        }
        lines.join("\n")
    }

    fn __repr__(&self) -> String {
        format!(
            "View(seat={}, phase={:?}, hand={:?})",
            self.at,
            self.phase(),
            self.hand().join(" ")
        )
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
    pub(crate) fn choices(&self) -> ActionMask {
        let view = self.inner();
        if view.actor() == Some(self.at) { view.legal() } else { ActionMask::NONE }
    }

    /// The same, where there must be one.
    pub(crate) fn due(&self) -> PyResult<ActionMask> {
        let legal = self.choices();
        if legal.is_empty() {
            return Err(bad(format!("seat {} is not to act here", self.at)));
        }
        Ok(legal)
    }
}
