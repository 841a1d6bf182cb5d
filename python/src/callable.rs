//! Functions of Python that decide: what they are given, and what they may answer.

use std::sync::Arc;

use newmarket_env::{Action, ActionMask, Observation, Phase, Rng, seed};
use newmarket_net::{argmax, masked_softmax, sample};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBool;

use crate::errors::bad;
use crate::game::Game;
use crate::observation::{BYTES, Form, kind};
use crate::view::{View, phase_name};

/// How a function answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answers {
    Actions,
    Logits,
    Probabilities,
}

impl Answers {
    pub(crate) fn parse(name: &str) -> PyResult<Self> {
        match name {
            "actions" => Ok(Self::Actions),
            "logits" => Ok(Self::Logits),
            "probabilities" => Ok(Self::Probabilities),
            _ => Err(bad(format!(
                "answers: expected actions, logits or probabilities, not `{name}`"
            ))),
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Actions => "actions",
            Self::Logits => "logits",
            Self::Probabilities => "probabilities",
        }
    }
}

/// How the functions of a player are asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Manner {
    /// Many decisions at once, with observations in this form; else one view at a time.
    pub(crate) rows: Option<Form>,
    pub(crate) answers: Answers,
    /// Whether the action is drawn by the answer's probabilities; else it is the likeliest.
    pub(crate) sampled: bool,
}

/// A function that decides.
pub(crate) struct Callable {
    pub(crate) function: Py<PyAny>,
    pub(crate) manner: Manner,
    /// Whose function it is, for errors.
    pub(crate) label: String,
}

/// A decision that a function is asked for.
pub(crate) struct Request {
    callable: Arc<Callable>,
    view: View,
    legal: ActionMask,
    /// Written by the thread that asks, so that this work is shared among threads.
    observation: Option<Observation>,
}

/// What a function answers for one decision.
pub(crate) enum Answer {
    /// The base is to decide.
    Base,
    Action(Action),
    /// Logits of all actions; those that are not legal mean nothing.
    Logits(Box<Row>),
    /// Probabilities of all actions; they sum to 1 over those that are legal, and are 0 elsewhere.
    Probabilities(Box<Row>),
}

/// A number for each action.
pub(crate) type Row = [f32; Action::COUNT];

impl Answer {
    /// The action, or none if the base is to decide. It is drawn, if it is to be, and else the likeliest.
    pub(crate) fn action(&self, sampled: bool, legal: ActionMask, rng: &mut Rng) -> Option<Action> {
        let legal_bits = legal.bits();
        let index = match self {
            Self::Base => return None,
            Self::Action(action) => return Some(*action),
            Self::Logits(row) if sampled => sample(&row[..], legal_bits, seed::unit(rng)).0,
            Self::Probabilities(row) if sampled => drawn(row, legal, seed::unit(rng)),
            Self::Logits(row) | Self::Probabilities(row) => argmax(&row[..], legal_bits),
        };
        Some(Action::from_index(index))
    }

    /// The probability of each legal action, in their order; none if the answer does not say.
    pub(crate) fn probabilities(&self, legal: ActionMask) -> Option<Vec<f64>> {
        let mut softmax = [0.0; Action::COUNT];
        let row = match self {
            Self::Base | Self::Action(_) => return None,
            Self::Probabilities(row) => &**row,
            Self::Logits(row) => {
                masked_softmax(&row[..], legal.bits(), &mut softmax);
                &softmax
            }
        };
        Some(legal.iter().map(|action| f64::from(row[action.index()])).collect())
    }
}

/// The action on whose share a number in `[0, 1)` falls.
fn drawn(chances: &Row, legal: ActionMask, unit: f64) -> usize {
    let mut left = unit * legal.iter().map(|it| f64::from(chances[it.index()])).sum::<f64>();
    let mut last = 0;
    for index in legal.iter().map(Action::index).filter(|&index| chances[index] > 0.0) {
        left -= f64::from(chances[index]);
        last = index;
        if left < 0.0 {
            break;
        }
    }
    last
}

impl Request {
    pub(crate) fn new(
        callable: Arc<Callable>,
        game: Arc<newmarket_env::Game>,
        view: &newmarket_env::View,
    ) -> Self {
        let observation = callable.manner.rows.map(|_| Observation::of(view));
        Self { callable, legal: view.legal(), view: View::of(game, view), observation }
    }

    fn goes_with(&self, other: &Self) -> bool {
        let (game, others) = (&self.view.game, &other.view.game);
        Arc::ptr_eq(&self.callable, &other.callable)
            && (Arc::ptr_eq(game, others) || game == others)
    }

    fn wrong(&self, what: impl std::fmt::Display) -> PyErr {
        let (label, phase) = (&self.callable.label, phase_name(self.view.inner().phase()));
        bad(format!("player `{label}` at a decision on the {phase}: {what}"))
    }

    /// Reads the id of an action; -1 stands for the base.
    fn action(&self, id: i64) -> PyResult<Answer> {
        if id == -1 {
            return Ok(Answer::Base);
        }
        let action = usize::try_from(id).ok().and_then(Action::try_from_index);
        match action.filter(|&action| self.legal.contains(action)) {
            Some(action) => Ok(Answer::Action(action)),
            None => Err(self.wrong(format!(
                "action {id} is not legal: legal are {:?}, or -1 for what its base chooses",
                self.legal.iter().map(Action::index).collect::<Vec<_>>()
            ))),
        }
    }

    /// Reads what was answered for each action.
    fn row(&self, given: &[f64]) -> PyResult<Answer> {
        let mut row: Box<Row> = Box::new(std::array::from_fn(|action| given[action] as f32));
        let legal = || self.legal.iter().map(Action::index);
        if self.callable.manner.answers == Answers::Logits {
            let wrong = |index: &usize| row[*index].is_nan() || row[*index] == f32::INFINITY;
            if let Some(index) = legal().find(wrong) {
                return Err(self.wrong(format!("the logit of action {index} is {}", row[index])));
            }
            if legal().all(|index| row[index] == f32::NEG_INFINITY) {
                return Err(self.wrong("the logits of all legal actions are -inf"));
            }
            return Ok(Answer::Logits(row));
        }
        let wrong = |index: &usize| !(row[*index] >= 0.0 && row[*index].is_finite());
        if let Some(index) = legal().find(wrong) {
            return Err(self.wrong(format!("the probability of action {index} is {}", row[index])));
        }
        let sum: f32 = legal().map(|index| row[index]).sum();
        if sum <= 0.0 || !sum.is_finite() {
            return Err(self.wrong(format!("the probabilities of all legal actions sum to {sum}")));
        }
        for action in Action::ALL {
            let share = if self.legal.contains(action) { row[action.index()] / sum } else { 0.0 };
            row[action.index()] = share;
        }
        Ok(Answer::Probabilities(row))
    }
}

/// Asks the functions for these decisions, each function for all of its decisions in one game at once, if it
/// takes rows. The answers are in the order of the requests.
pub(crate) fn answer(py: Python<'_>, requests: &[&Request]) -> PyResult<Vec<Answer>> {
    let mut answers: Vec<Option<Answer>> = requests.iter().map(|_| None).collect();
    for first in 0..requests.len() {
        if answers[first].is_some() {
            continue;
        }
        let asked = requests[first];
        let Manner { rows: Some(form), .. } = asked.callable.manner else {
            answers[first] = Some(one(py, asked)?);
            continue;
        };
        let places: Vec<usize> = (first..requests.len())
            .filter(|&at| answers[at].is_none() && requests[at].goes_with(asked))
            .collect();
        let group: Vec<&Request> = places.iter().map(|&at| requests[at]).collect();
        for (place, answer) in places.into_iter().zip(many(py, form, &group)?) {
            answers[place] = Some(answer);
        }
    }
    Ok(answers.into_iter().map(|answer| answer.expect("each was asked")).collect())
}

/// Asks a function that takes one view.
fn one(py: Python<'_>, asked: &Request) -> PyResult<Answer> {
    let given = asked.callable.function.bind(py).call1((asked.view.clone(),))?;
    if given.is_none() {
        return Ok(Answer::Base);
    }
    if asked.callable.manner.answers == Answers::Actions {
        let id = if given.is_instance_of::<PyBool>() { None } else { given.extract().ok() };
        let id = id.ok_or_else(|| {
            asked.wrong(format!("expected the id of an action, or None, not {}", kind(&given)))
        })?;
        return asked.action(id);
    }
    let row = numbers(&given).ok().and_then(|row| row.call_method1("reshape", (1, -1)).ok());
    let row: Option<PyReadonlyArray2<'_, f64>> = row.and_then(|row| row.extract().ok());
    match row.filter(|row| row.shape()[1] == Action::COUNT) {
        Some(row) => asked.row(&row.as_array().iter().copied().collect::<Vec<_>>()),
        None => Err(asked.wrong(format!(
            "expected [{}] {}, not {}",
            Action::COUNT,
            asked.callable.manner.answers.name(),
            kind(&given)
        ))),
    }
}

/// Asks a function that takes many decisions at once; there is at least one, and all are in one game.
fn many(py: Python<'_>, form: Form, group: &[&Request]) -> PyResult<Vec<Answer>> {
    let (asked, n) = (group[0], group.len());
    let given = asked.callable.function.bind(py).call1((Rows::of(py, form, group)?,))?;
    if asked.callable.manner.answers == Answers::Actions {
        let ids = py.import("numpy")?.call_method1("asarray", (&given,))?;
        let kinds: String = ids.getattr("dtype")?.getattr("kind")?.extract()?;
        let shape: Vec<usize> = ids.getattr("shape")?.extract()?;
        if shape != [n] || !"iu".contains(&kinds) {
            let given = kind(&ids);
            return Err(asked.wrong(format!("expected [{n}] ids of actions, not {given}")));
        }
        let ids = ids.call_method1("astype", ("int64",))?;
        let ids = ids.cast::<PyArray1<i64>>().map_err(|_| asked.wrong("no array"))?.readonly();
        return group.iter().zip(ids.as_array()).map(|(it, &id)| it.action(id)).collect();
    }
    let rows = numbers(&given)?;
    let rows = rows.cast::<PyArray2<f64>>().ok().filter(|it| it.shape() == [n, Action::COUNT]);
    let Some(rows) = rows else {
        let (answers, given) = (asked.callable.manner.answers.name(), kind(&given));
        return Err(
            asked.wrong(format!("expected [{n}, {}] {answers}, not {given}", Action::COUNT))
        );
    };
    let rows = rows.readonly();
    let rows = rows.as_slice().map_err(|_| asked.wrong("not contiguous"))?.to_vec();
    group.iter().zip(rows.chunks_exact(Action::COUNT)).map(|(it, row)| it.row(row)).collect()
}

/// An array of `float64`.
fn numbers<'py>(given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    given.py().import("numpy")?.call_method1("ascontiguousarray", (given, "float64"))
}

/// Decisions that a function is asked for at once: one row each, of any tables of one game.
///
/// They are those of the kinds for which the player has this function, and have nothing else in common: an
/// answer for one row must not depend on the others.
#[pyclass(frozen, module = "newmarket")]
pub(crate) struct Rows {
    game: Py<Game>,
    observations: Py<PyAny>,
    mask: Py<PyArray2<i8>>,
    views: Vec<View>,
}

impl Rows {
    fn of(py: Python<'_>, form: Form, group: &[&Request]) -> PyResult<Self> {
        let n = group.len();
        let seen = || group.iter().map(|it| it.observation.as_ref().expect("it takes rows"));
        let observations = match form {
            Form::Packed => {
                let mut bytes = Vec::with_capacity(n * BYTES);
                seen().for_each(|row| bytes.extend_from_slice(row.as_bytes()));
                PyArray1::from_vec(py, bytes).reshape([n, BYTES])?.into_any().unbind()
            }
            Form::F32 => {
                let mut numbers = vec![0.0; n * Observation::LEN];
                let outs = numbers.chunks_exact_mut(Observation::LEN);
                seen().zip(outs).for_each(|(row, out)| row.write(out));
                let rows = PyArray1::from_vec(py, numbers).reshape([n, Observation::LEN])?;
                rows.into_any().unbind()
            }
        };
        let mut mask = vec![0; n * Action::COUNT];
        for (row, out) in group.iter().zip(mask.as_chunks_mut().0) {
            row.legal.write(out);
        }
        Ok(Self {
            game: Py::new(py, Game::at(group[0].view.game.clone()))?,
            observations,
            mask: PyArray1::from_vec(py, mask).reshape([n, Action::COUNT])?.unbind(),
            views: group.iter().map(|it| it.view.clone()).collect(),
        })
    }
}

#[pymethods]
impl Rows {
    fn __len__(&self) -> usize {
        self.views.len()
    }

    /// The game of all rows.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// What the seat that is to act may know: ``uint8[n, PACKED]`` or ``float32[n, OBSERVATION]``.
    #[getter]
    fn observations(&self, py: Python<'_>) -> Py<PyAny> {
        self.observations.clone_ref(py)
    }

    /// Its legal actions, ``int8[n, ACTIONS]``.
    #[getter]
    fn mask(&self, py: Python<'_>) -> Py<PyArray2<i8>> {
        self.mask.clone_ref(py)
    }

    /// The seat that is to act, ``uint8[n]``, a new array.
    #[getter]
    fn seats<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        PyArray1::from_iter(py, self.views.iter().map(|view| view.at as u8))
    }

    /// What is due in each row, as in ``View.phase``.
    #[getter]
    fn phases(&self) -> Vec<&'static str> {
        self.views.iter().map(|view| phase_name(view.inner().phase())).collect()
    }

    /// The view of each row, a new list.
    #[getter]
    fn views(&self) -> Vec<View> {
        self.views.clone()
    }

    fn __repr__(&self) -> String {
        format!("Rows({} decisions)", self.views.len())
    }
}

/// The phases at which somebody decides, and what they are called as parameters.
pub(crate) const KINDS: [(&str, Phase); 6] = [
    ("lead", Phase::Lead),
    ("ante", Phase::Ante),
    ("dead_hand", Phase::DeadHand),
    ("bid", Phase::Auction),
    ("set_apart", Phase::SetApart),
    ("bet", Phase::Bet),
];
