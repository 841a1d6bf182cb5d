//! Players put together in Python: a base, and for each kind of decision a function or another player.

use std::sync::Arc;

use newmarket_agents::{Agent, DecideMany};
use newmarket_checkpoints::roster;
use newmarket_env::{Action, Phase, Rng, Seed, View};
use numpy::PyArray1;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

use crate::agent::{Asked, clock};
use crate::asking::ask;
use crate::callable::{Answer, Answers, Callable, KINDS, Manner, Request};
use crate::errors::bad;
use crate::observation::Form;
use crate::pool::raising;
use crate::source::Who;
use crate::whole;

/// What decides at one kind of decision: functions, each of which may leave it to the next, then an agent.
#[derive(Clone)]
struct Chain {
    functions: Vec<usize>,
    agent: usize,
}

/// Agents and functions, and who of them decides what. Players on which others build are taken apart, so that no
/// agent in it asks a function.
#[derive(Clone)]
pub(crate) struct Composition {
    name: String,
    agents: Vec<Who>,
    functions: Vec<Arc<Callable>>,
    /// In the order of [`KINDS`].
    chains: [Chain; KINDS.len()],
}

impl Composition {
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Whether a function decides anything.
    pub(crate) fn asks(&self) -> bool {
        self.chains.iter().any(|chain| !chain.functions.is_empty())
    }

    /// What a single agent or another player is.
    fn of(who: &Who) -> Self {
        if let Some(player) = who.composition() {
            return (**player).clone();
        }
        let chain = Chain { functions: Vec::new(), agent: 0 };
        let chains = std::array::from_fn(|_| chain.clone());
        let name = who.name().to_owned();
        Self { name, agents: vec![who.clone()], functions: Vec::new(), chains }
    }

    /// Puts a function before what decides such a kind.
    fn ask_first(&mut self, kinds: &[usize], function: Callable) {
        self.functions.push(Arc::new(function));
        for &kind in kinds {
            self.chains[kind].functions.insert(0, self.functions.len() - 1);
        }
    }

    /// Lets a player decide such a kind.
    fn replace(&mut self, kinds: &[usize], player: &Who) {
        let Self { agents, functions, chains, .. } = Self::of(player);
        for &kind in kinds {
            let Chain { functions, agent } = &chains[kind];
            self.chains[kind] = Chain {
                functions: functions.iter().map(|it| it + self.functions.len()).collect(),
                agent: agent + self.agents.len(),
            };
        }
        self.agents.extend(agents);
        self.functions.extend(functions);
    }

    /// A player of this kind.
    pub(crate) fn player(self: &Arc<Self>) -> PyResult<newmarket_agents::Player> {
        let agents = self.agents.iter().map(Who::fair).collect::<PyResult<_>>()?;
        let composed = Composed { composition: self.clone(), agents, game: None };
        Ok(Box::<dyn Agent>::from(Box::new(composed)).into())
    }

    fn chain(&self, phase: Phase) -> &Chain {
        let kind = KINDS.iter().position(|kind| kind.1 == phase);
        &self.chains[kind.expect("somebody decides in this phase")]
    }
}

/// A player at a table.
struct Composed {
    composition: Arc<Composition>,
    agents: Vec<Box<dyn Agent>>,
    /// The game of the last request, so that requests share one.
    game: Option<Arc<newmarket_env::Game>>,
}

impl Composed {
    fn fresh(&self) -> Self {
        Self {
            composition: self.composition.clone(),
            agents: self.agents.iter().map(|agent| agent.another()).collect(),
            game: self.game.clone(),
        }
    }

    /// The game of a view, shared.
    fn game(&mut self, view: &View) -> Arc<newmarket_env::Game> {
        match &self.game {
            Some(game) if **game == *view.game() => game.clone(),
            _ => self.game.insert(Arc::new(view.game().clone())).clone(),
        }
    }

    fn request(&mut self, function: usize, view: &View) -> Request {
        let game = self.game(view);
        Request::new(self.composition.functions[function].clone(), game, view)
    }

    /// The answer of the first function that has one, and how it is asked.
    fn asked(&mut self, view: &View) -> Option<(Answer, Manner)> {
        let composition = self.composition.clone();
        composition.chain(view.phase()).functions.iter().find_map(|&function| {
            let answers = ask(vec![self.request(function, view)]);
            let answer = answers.into_iter().next().filter(|it| !matches!(it, Answer::Base));
            Some((answer?, composition.functions[function].manner))
        })
    }
}

impl Agent for Composed {
    fn name(&self) -> &str {
        &self.composition.name
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        let answer = self
            .asked(view)
            .and_then(|(answer, manner)| answer.action(manner.sampled, view.legal(), rng));
        answer.unwrap_or_else(|| self.act_undecided(view, rng))
    }

    fn probabilities(&mut self, view: &View) -> Option<Vec<f64>> {
        match self.asked(view) {
            Some((answer, manner)) if manner.sampled => answer.probabilities(view.legal()),
            Some(_) => None,
            None => {
                let agent = self.composition.chain(view.phase()).agent;
                self.agents[agent].probabilities(view)
            }
        }
    }

    fn many(&self) -> Option<Box<dyn DecideMany>> {
        self.composition.asks().then(|| Box::new(Together(self.fresh())) as Box<dyn DecideMany>)
    }

    fn act_undecided(&mut self, view: &View, rng: &mut Rng) -> Action {
        let agent = self.composition.chain(view.phase()).agent;
        self.agents[agent].act(view, rng)
    }

    fn another(&self) -> Box<dyn Agent> {
        Box::new(self.fresh())
    }
}

/// The functions of a player, asked for many tables at once.
struct Together(Composed);

impl DecideMany for Together {
    fn decides(&self, phase: Phase) -> bool {
        !self.0.composition.chain(phase).functions.is_empty()
    }

    fn act(&mut self, views: &[View], rngs: &mut [&mut Rng]) -> Vec<Option<Action>> {
        let Self(player) = self;
        let composition = player.composition.clone();
        let functions = |at: usize, nth: usize| {
            composition.chain(views[at].phase()).functions.get(nth).copied()
        };
        let mut actions = vec![None; views.len()];
        // Each round asks the next function of those that are still undecided.
        let mut undecided: Vec<usize> = (0..views.len()).collect();
        for nth in 0.. {
            let asked: Vec<(usize, usize)> =
                undecided.iter().filter_map(|&at| Some((at, functions(at, nth)?))).collect();
            if asked.is_empty() {
                break;
            }
            let requests = asked.iter().map(|&(at, it)| player.request(it, &views[at])).collect();
            for (&(at, function), answer) in asked.iter().zip(ask(requests)) {
                let sampled = composition.functions[function].manner.sampled;
                actions[at] = answer.action(sampled, views[at].legal(), rngs[at]);
            }
            undecided.retain(|&at| actions[at].is_none());
        }
        actions
    }
}

/// A player of your own: a base, and for each kind of decision a function or another player in its place.
///
/// It goes wherever an agent's name goes. ``base`` is a name, an ``Agent`` or a ``Player``, and decides whatever
/// nothing else does. ``lead``, ``ante``, ``dead_hand``, ``bid``, ``set_apart`` and ``bet`` are functions or players
/// for one kind of decision, ``decide`` is one for all kinds that have none.
///
/// A function takes a ``View`` and returns the id of an action, one of ``view.legal``; ``None`` leaves the decision
/// to the base. With ``batch`` it takes ``Rows``, many decisions at once with observations in this ``form``, and
/// returns an array of ids ``[n]``, in which -1 leaves a decision to the base. With ``answers="logits"`` or
/// ``"probabilities"`` it returns numbers for all actions, ``[ACTIONS]`` or ``[n, ACTIONS]``; those of actions that
/// are not legal are not used. The likeliest action is taken, or with ``sampled`` one that is drawn, by the random
/// numbers of the seat: results then follow from the seed alone. An answer must not depend on earlier ones.
///
/// A function is called by the thread that made the call, with the lock of the interpreter, one call at a time,
/// while the deals are played by threads without it. Its exceptions come out of the call as they are. It may itself
/// call everything here. A player can be pickled if its functions can: functions of a module can, a ``lambda`` needs
/// ``cloudpickle``.
///
/// ``name`` is what results call it. Raises ``ValueError`` for a player that there is none of, or that is not fair.
#[pyclass(frozen, module = "newmarket")]
pub(crate) struct Player {
    composition: Arc<Composition>,
    /// What it was made of, for a pickle.
    parts: Parts,
}

/// The base, and functions or players by the kind of their decisions.
struct Parts {
    base: Who,
    base_object: Py<PyAny>,
    deciders: Vec<(&'static str, Py<PyAny>, Option<Who>)>,
    manner: Manner,
    named: Option<String>,
}

/// What a pickled player is: its base, what decides each kind of decision and whether that is a player, and the
/// options.
type Pickled = (
    Py<PyAny>,
    Vec<(&'static str, Py<PyAny>, bool)>,
    (bool, &'static str, &'static str, bool, Option<String>),
);

impl Player {
    pub(crate) fn composition(&self) -> &Arc<Composition> {
        &self.composition
    }

    fn make(
        (base, base_object): (Who, Py<PyAny>),
        given: Vec<(&'static str, Bound<'_, PyAny>, Option<Who>)>,
        manner: Manner,
        named: Option<String>,
    ) -> PyResult<Self> {
        let mut composition = Composition::of(&base);
        let mut name = base.name().to_owned();
        let kinds: Vec<&str> = given.iter().map(|it| it.0).collect();
        let mut deciders = Vec::new();
        for (kind, object, player) in given {
            let its_kinds: Vec<usize> = (0..KINDS.len())
                .filter(|&nth| match kind {
                    "decide" => !kinds.contains(&KINDS[nth].0),
                    _ => KINDS[nth].0 == kind,
                })
                .collect();
            let called = match &player {
                Some(player) => player.name().to_owned(),
                None => called(&object)?,
            };
            name = format!("{name}+{kind}:{called}");
            if let Some(player) = &player {
                composition.replace(&its_kinds, player);
            } else {
                let (function, label) = (object.clone().unbind(), format!("{kind}={called}"));
                composition.ask_first(&its_kinds, Callable { function, manner, label });
            }
            deciders.push((kind, object.unbind(), player));
        }
        composition.name = named.clone().unwrap_or(name);
        let parts = Parts { base, base_object, deciders, manner, named };
        Ok(Self { composition: Arc::new(composition), parts })
    }
}

/// What a function is called.
fn called(function: &Bound<'_, PyAny>) -> PyResult<String> {
    let name = function.getattr("__name__").and_then(|name| name.extract::<String>());
    let name = match name {
        Ok(name) => name,
        Err(_) => function.get_type().name()?.to_string(),
    };
    // Names stand in tables and lines.
    Ok(name.chars().map(|it| if it.is_control() { '_' } else { it }).collect())
}

/// A name that fits into a line, and is no agent's.
fn checked(name: Option<String>) -> PyResult<Option<String>> {
    match name {
        Some(name) if roster::agent(&name, clock).is_ok() => {
            Err(bad(format!("name: `{name}` is an agent's: expected another")))
        }
        Some(name) if name.is_empty() || name.chars().any(char::is_control) => {
            Err(bad(format!("name: expected some text in one line, not {name:?}")))
        }
        name => Ok(name),
    }
}

#[pymethods]
impl Player {
    #[new]
    #[pyo3(signature = (
        base=None, *, lead=None, ante=None, dead_hand=None, bid=None, set_apart=None, bet=None,
        decide=None, batch=false, form="packed", answers="actions", sampled=false, name=None
    ), text_signature = "(base='stopper', *, lead=None, ante=None, dead_hand=None, bid=None, \
        set_apart=None, bet=None, decide=None, batch=False, form='packed', answers='actions', \
        sampled=False, name=None)")]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn new<'py>(
        py: Python<'py>,
        base: Option<Bound<'py, PyAny>>,
        lead: Option<Bound<'py, PyAny>>,
        ante: Option<Bound<'py, PyAny>>,
        dead_hand: Option<Bound<'py, PyAny>>,
        bid: Option<Bound<'py, PyAny>>,
        set_apart: Option<Bound<'py, PyAny>>,
        bet: Option<Bound<'py, PyAny>>,
        decide: Option<Bound<'py, PyAny>>,
        batch: bool,
        form: &str,
        answers: &str,
        sampled: bool,
        name: Option<String>,
    ) -> PyResult<Self> {
        let base = base.unwrap_or_else(|| PyString::new(py, "stopper").into_any());
        let read = |given: &Bound<'py, PyAny>, parameter: &str| {
            let who = Who::read(given).and_then(|who| who.check().map(|()| who));
            who.map_err(|error| named_parameter(py, parameter, &error))
        };
        let who = read(&base, "base")?;
        let form = Form::parse(form)?;
        let manner =
            Manner { rows: batch.then_some(form), answers: Answers::parse(answers)?, sampled };
        let given = [lead, ante, dead_hand, bid, set_apart, bet, decide];
        let kinds = KINDS.iter().map(|kind| kind.0).chain(["decide"]);
        let mut deciders = Vec::new();
        for (kind, object) in kinds.zip(given) {
            let Some(object) = object else { continue };
            let player = if object.is_callable() { None } else { Some(read(&object, kind)?) };
            deciders.push((kind, object, player));
        }
        Self::make((who, base.unbind()), deciders, manner, checked(name)?)
    }

    /// What results call it.
    #[getter]
    fn name(&self) -> &str {
        &self.composition.name
    }

    /// Its action for the seat of a view, or the seat to act of a table; ``seed`` is of its random numbers.
    #[pyo3(signature = (view, *, seed=0))]
    fn act(
        &self,
        py: Python<'_>,
        view: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = whole::seed)] seed: u64,
    ) -> PyResult<usize> {
        let asked = Asked::read(view)?;
        asked.view.due()?;
        let (mut player, mut rng) = (self.composition.player()?, Seed::new(seed).rng());
        let act = || asked.act(&mut player, &mut rng);
        Ok(py.detach(|| raising(act))??.index())
    }

    /// How likely it is to take each action, ``float64[ACTIONS]``.
    ///
    /// Raises ``ValueError`` if it cannot tell, as searching players cannot.
    fn probabilities<'py>(
        &self,
        py: Python<'py>,
        view: &Bound<'_, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let (asked, mut player) = (Asked::read(view)?, self.composition.player()?);
        let rng = Seed::new(0).rng();
        let row = py.detach(|| raising(|| asked.probabilities(&mut player, &rng)))??;
        Ok(PyArray1::from_slice(py, &row))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let Parts { base_object, deciders, manner, named, .. } = &self.parts;
        let mut parts = vec![base_object.bind(py).repr()?.to_string()];
        for (kind, object, _) in deciders {
            parts.push(format!("{kind}={}", object.bind(py).repr()?));
        }
        if let Some(form) = manner.rows {
            parts.push(format!("batch=True, form='{}'", form.name()));
        }
        if manner.answers != Answers::Actions {
            parts.push(format!("answers='{}'", manner.answers.name()));
        }
        if manner.sampled {
            parts.push("sampled=True".into());
        }
        if let Some(name) = named {
            parts.push(format!("name={}", PyString::new(py, name).repr()?));
        }
        Ok(format!("Player({})", parts.join(", ")))
    }

    fn __reduce__(this: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, Pickled)> {
        let (py, Parts { base, deciders, manner, named, .. }) = (this.py(), &this.get().parts);
        let pickled = |(kind, object, player): &(&'static str, Py<PyAny>, Option<Who>)| match player
        {
            Some(player) => Ok((*kind, player.object(py)?, true)),
            None => Ok((*kind, object.clone_ref(py), false)),
        };
        let deciders = deciders.iter().map(pickled).collect::<PyResult<_>>()?;
        let form = manner.rows.map_or("packed", Form::name);
        let Manner { rows, answers, sampled } = *manner;
        let options = (rows.is_some(), form, answers.name(), sampled, named.clone());
        Ok((this.get_type().getattr("_restore")?.unbind(), (base.object(py)?, deciders, options)))
    }

    #[classmethod]
    fn _restore(
        of: &Bound<'_, PyType>,
        base: &Bound<'_, PyAny>,
        deciders: Vec<(String, Bound<'_, PyAny>, bool)>,
        options: (bool, String, String, bool, Option<String>),
    ) -> PyResult<Self> {
        let py = of.py();
        let (batch, form, answers, sampled, name) = options;
        let rows = if batch { Some(Form::parse(&form)?) } else { None };
        let manner = Manner { rows, answers: Answers::parse(&answers)?, sampled };
        let known = KINDS.iter().map(|kind| kind.0).chain(["decide"]);
        let mut given: Vec<(&'static str, Bound<'_, PyAny>, Option<Who>)> = Vec::new();
        for (kind, object, player) in deciders {
            let known = known.clone().find(|it| *it == kind);
            let kind = known.ok_or_else(|| bad(format!("no kind of decision is `{kind}`")))?;
            if given.iter().any(|(other, ..)| *other == kind) || !(player || object.is_callable()) {
                return Err(bad(format!("{kind}: expected one function or player")));
            }
            given.push(if player {
                let who = Who::of_object(&object)?;
                who.check()?;
                (kind, who.given(py)?.into_bound(py), Some(who))
            } else {
                (kind, object, None)
            });
        }
        let base = Who::of_object(base)?;
        base.check()?;
        let object = base.given(py)?;
        Self::make((base, object), given, manner, checked(name)?)
    }

    fn __copy__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __deepcopy__(this: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        this
    }
}

/// The same error, with the parameter that it is about.
fn named_parameter(py: Python<'_>, parameter: &str, error: &PyErr) -> PyErr {
    let text = format!("{parameter}: {}", error.value(py));
    if error.is_instance_of::<PyTypeError>(py) {
        return PyTypeError::new_err(text);
    }
    PyErr::from_type(error.get_type(py), text)
}
