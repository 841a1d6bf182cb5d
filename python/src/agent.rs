//! Agents by name, as Python objects.

use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use newmarket::external::{PREFIX, Programs};
use newmarket_agents::net::ActionSelection;
use newmarket_agents::{OpenView, Player};
use newmarket_checkpoints::roster;
use newmarket_env::{Action, Observation, Rng, Seed, State};
use newmarket_net::{FastNet, QuantisedNet, masked_softmax};
use numpy::ndarray::Array2;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

use crate::errors::{self, bad, exclusive, shared};
use crate::observation::{Seen, kind};
use crate::pool::raising;
use crate::source::{Source, Who};
use crate::table::Table;
use crate::view::View;
use crate::whole;

/// Logits and values of a batch: `[n, ACTIONS]` and `[n]`, both `float32`.
type Answers<'py> = (Bound<'py, PyArray2<f32>>, Bound<'py, PyArray1<f32>>);

/// The clock for players that are given time.
pub(crate) fn clock() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// How agents are named, as ``{name: what it is}``. ``N``, ``T`` and ``PATH`` in a name stand for
/// what may be filled in: ``"pimc:N"`` is an agent as ``"pimc:60"``.
#[pyfunction]
pub(crate) fn named_agents(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let agents = PyDict::new(py);
    for (name, about) in roster::names() {
        agents.set_item(name, about)?;
    }
    Ok(agents)
}

/// A player by name or object.
pub(crate) enum Named {
    Name(String),
    Agent(Py<Agent>),
    Player(Py<crate::player::Player>),
}

impl FromPyObject<'_, '_> for Named {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let name = given.extract().map(Self::Name);
        let agent = name.or_else(|_| given.extract().map(Self::Agent));
        agent.or_else(|_| given.extract().map(Self::Player)).map_err(|_| {
            PyTypeError::new_err(
                "expected a Player, an Agent, or its name as \"stopper\" or \"net:champion\"",
            )
        })
    }
}

/// The players of all seats: one for all, or a list of one for each.
pub(crate) struct Players(pub(crate) Vec<Named>);

impl FromPyObject<'_, '_> for Players {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if let Ok(one) = given.extract() {
            return Ok(Self(vec![one]));
        }
        given.extract().map(Self).map_err(|_| {
            PyTypeError::new_err("agents: expected a player, or a list of players, one a seat")
        })
    }
}

impl Named {
    /// Whether it asks functions of Python.
    pub(crate) fn asks(&self) -> bool {
        matches!(self, Self::Player(player) if player.get().composition().asks())
    }

    /// A fresh player of this kind.
    pub(crate) fn player(&self, py: Python<'_>) -> PyResult<Player> {
        match self {
            Self::Name(name) => roster::agent(name, clock).map_err(|error| errors::roster(&error)),
            Self::Agent(agent) => Ok(shared(agent.bind(py))?.player.another()),
            Self::Player(player) => player.get().composition().player(),
        }
    }

    /// The same where it may be a program.
    pub(crate) fn seated(&self, py: Python<'_>, programs: &mut Programs) -> PyResult<Player> {
        match self {
            Self::Name(name) if name.starts_with(PREFIX) => {
                py.detach(|| programs.player(name)).map_err(bad)
            }
            _ => self.player(py),
        }
    }
}

/// A player by its name on the command line (``named_agents()``): ``"stopper"``, ``"pimc:60"``,
/// ``"net:champion"``, ``"net:runs/mine"``, ``"strategy:mine.toml"``.
///
/// ``seed``: of its own random numbers. ``sampled``: a network plays by its probabilities, rather
/// than what is likeliest; other players stay as they are. A pickled agent is a fresh one of the
/// same name and seed, with what its file said: the file is not needed.
///
/// Raises ``ValueError`` for a name that there is none of, ``OSError`` for a file that cannot be
/// read.
#[pyclass(module = "newmarket")]
pub(crate) struct Agent {
    name: String,
    sampled: bool,
    seed: u64,
    source: Source,
    player: Player,
    rng: Rng,
    nets: Option<Networks>,
}

/// What a pickled agent is: name, seed, whether it is sampled, and what its file says.
type Pickled = (String, u64, bool, Py<PyAny>);

/// The network of a player.
#[derive(Clone)]
struct Networks {
    /// As its weights are, in floating point.
    exact: Arc<FastNet>,
    /// As it plays, in whole numbers.
    playing: Arc<QuantisedNet>,
}

impl Agent {
    /// The kind of player that it is.
    pub(crate) fn who(&self) -> Who {
        let (name, source) = (self.name.clone(), self.source.clone());
        Who::Agent { name, sampled: self.sampled, source }
    }

    pub(crate) fn of(name: &str, seed: u64, sampled: bool, source: Source) -> PyResult<Self> {
        let choice = if sampled { ActionSelection::Sampled } else { ActionSelection::Greedy };
        let player = source.player(name, choice)?;
        let nets = source.network(name)?.map(|player| {
            let weights = &player.checkpoint.weights;
            let (exact, playing) = (FastNet::new(weights), QuantisedNet::new(weights));
            Networks { exact: Arc::new(exact), playing: Arc::new(playing) }
        });
        let rng = Seed::new(seed).rng();
        Ok(Self { name: name.into(), sampled, seed, source, player, rng, nets })
    }

    fn nets(&self) -> PyResult<&Networks> {
        self.nets.as_ref().ok_or_else(|| {
            bad(format!("agent `{}` has no network: expected net:PATH, as net:champion", self.name))
        })
    }
}

/// A decision that an agent is asked for.
pub(crate) struct Asked {
    pub(crate) view: View,
    /// All cards, where the table itself is at hand.
    open: Option<State>,
}

impl Asked {
    /// A view, or the seat to act of a table.
    pub(crate) fn read(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(view) = given.cast::<View>() {
            return Ok(Self { view: view.get().clone(), open: None });
        }
        if let Ok(table) = given.cast::<Table>() {
            let table = shared(table)?;
            if table.env.is_over() {
                return Err(bad("the episode is over: nobody is to act"));
            }
            let view = table.view_of(table.env.seat());
            return Ok(Self { view, open: Some(*table.env.state()) });
        }
        Err(PyTypeError::new_err("expected a View or a Table"))
    }

    /// How likely a player is to take each action, if it can tell.
    pub(crate) fn probabilities(
        &self,
        player: &mut Player,
        rng: &Rng,
    ) -> PyResult<[f64; Action::COUNT]> {
        let legal = self.view.due()?;
        let mut row = [0.0; Action::COUNT];
        let known = match player {
            Player::Fair(agent) => agent.probabilities(&self.view.inner()),
            Player::Open(_) | Player::Events(_) => None,
        };
        if let Some(known) = known {
            for (action, chance) in legal.iter().zip(known) {
                row[action.index()] = chance;
            }
            return Ok(row);
        }
        // Certain, if it draws no random number.
        let mut drawn = rng.clone();
        let action = self.act(player, &mut drawn)?;
        if drawn != *rng {
            return Err(bad(format!("agent `{}` cannot tell its probabilities", player.name())));
        }
        row[action.index()] = 1.0;
        Ok(row)
    }

    /// The player's choice. One that sees all cards needs the table.
    pub(crate) fn act(&self, player: &mut Player, rng: &mut Rng) -> PyResult<Action> {
        match (player, &self.open) {
            (Player::Fair(agent), _) => Ok(agent.act(&self.view.inner(), rng)),
            (player, Some(state)) if !player.needs_events() => {
                Ok(player.act(&OpenView::new(&self.view.game, state, self.view.at), rng))
            }
            (player, _) => Err(bad(format!(
                "a View does not have what agent `{}` needs: expected a Table",
                player.name()
            ))),
        }
    }
}

#[pymethods]
impl Agent {
    #[new]
    #[pyo3(signature = (name, *, seed=0, sampled=false))]
    fn new(
        name: &str,
        #[pyo3(from_py_with = whole::seed)] seed: u64,
        sampled: bool,
    ) -> PyResult<Self> {
        Self::of(name, seed, sampled, Source::read(name)?)
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Forget everything, and draw random numbers from this seed on.
    fn reset(
        this: &Bound<'_, Self>,
        #[pyo3(from_py_with = whole::seed)] seed: u64,
    ) -> PyResult<()> {
        let mut it = exclusive(this)?;
        it.player = it.player.another();
        (it.seed, it.rng) = (seed, Seed::new(seed).rng());
        Ok(())
    }

    /// Its action for the seat of a view, or the seat to act of a table.
    fn act(this: &Bound<'_, Self>, view: &Bound<'_, PyAny>) -> PyResult<usize> {
        let asked = Asked::read(view)?;
        asked.view.due()?;
        let mut it = exclusive(this)?;
        let Self { player, rng, .. } = &mut *it;
        Ok(this.py().detach(|| raising(|| asked.act(player, rng)))??.index())
    }

    /// How likely it is to take each action, ``float64[ACTIONS]``.
    ///
    /// Raises ``ValueError`` if it cannot tell, as searching players cannot.
    fn probabilities<'py>(
        this: &Bound<'py, Self>,
        view: &Bound<'_, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let (py, asked, mut it) = (this.py(), Asked::read(view)?, exclusive(this)?);
        let Self { player, rng, .. } = &mut *it;
        let row = py.detach(|| raising(|| asked.probabilities(player, rng)))??;
        Ok(PyArray1::from_slice(py, &row))
    }

    /// A network's logits, ``float32[n, ACTIONS]``, and values, ``float32[n]``.
    ///
    /// ``observations``: ``uint8[n, PACKED]`` or ``float32[n, OBSERVATION]``. Logits of actions
    /// that are not legal mean nothing; values are in the units that the network was trained in. They
    /// are what its weights give in floating point; it plays in whole numbers, which are near these.
    fn evaluate<'py>(
        this: &Bound<'py, Self>,
        observations: &Bound<'_, PyAny>,
    ) -> PyResult<Answers<'py>> {
        let (py, seen) = (this.py(), Seen::read(observations)?);
        let net = shared(this)?.nets()?.exact.clone();
        let (logits, values) = py.detach(|| answers(&net, &seen));
        let rows = values.len();
        let logits = PyArray1::from_vec(py, logits).reshape([rows, Action::COUNT])?;
        Ok((logits, PyArray1::from_vec(py, values)))
    }

    /// A network's probabilities of the actions in ``mask``, ``float32[n, ACTIONS]``, as it plays.
    fn policy<'py>(
        this: &Bound<'py, Self>,
        observations: &Bound<'_, PyAny>,
        mask: &Bound<'_, PyAny>,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let (py, seen) = (this.py(), Seen::read(observations)?);
        let net = shared(this)?.nets()?.playing.clone();
        let rows = seen.rows();
        let numbers = match mask.cast::<PyArray2<bool>>() {
            Ok(flags) => flags.call_method1("view", ("int8",))?,
            Err(_) => mask.clone(),
        };
        let numbers = numbers.cast_into::<PyArray2<i8>>().ok();
        let numbers =
            numbers.filter(|it| it.shape() == [rows, Action::COUNT]).ok_or_else(|| {
                let (actions, given) = (Action::COUNT, kind(mask));
                bad(format!("mask: expected [{rows}, {actions}] int8 or bool, not {given}"))
            })?;
        let masks = numbers.try_readonly().map_err(|_| bad("mask is in use elsewhere"))?;
        let legal: Vec<u128> = masks
            .as_array()
            .rows()
            .into_iter()
            .map(|row| row.iter().enumerate().filter(|it| *it.1 != 0).map(|it| 1 << it.0).sum())
            .collect();
        if let Some(row) = legal.iter().position(|&legal| legal == 0) {
            return Err(bad(format!("mask: no action is legal in row {row}")));
        }
        let chances = py.detach(|| chances(&net, &seen, &legal));
        let chances = Array2::from_shape_vec([rows, Action::COUNT], chances).map_err(bad)?;
        Ok(PyArray2::from_owned_array(py, chances))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let name = pyo3::types::PyString::new(py, &self.name).repr()?;
        Ok(format!("Agent({name}, seed={}, sampled={})", self.seed, python(self.sampled)))
    }

    fn __reduce__(this: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, Pickled)> {
        let it = shared(this)?;
        let make = this.get_type().getattr("_restore")?.unbind();
        Ok((make, (it.name.clone(), it.seed, it.sampled, it.source.object(this.py())?)))
    }

    #[classmethod]
    fn _restore(
        _: &Bound<'_, PyType>,
        name: &str,
        seed: u64,
        sampled: bool,
        source: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        Self::of(name, seed, sampled, Source::of_object(source)?)
    }
}

const fn python(flag: bool) -> &'static str {
    if flag { "True" } else { "False" }
}

fn answers(net: &FastNet, seen: &Seen) -> (Vec<f32>, Vec<f32>) {
    let (mut all, mut values, mut scratch) = (Vec::new(), Vec::new(), net.scratch());
    let mut answer = |_: usize, logits: &[f32], value: f32| {
        all.extend_from_slice(logits);
        values.push(value);
    };
    match seen {
        Seen::Packed(rows) => net.forward_each(rows, &mut scratch, answer),
        Seen::F32(rows) => {
            for row in rows.chunks_exact(Observation::LEN) {
                let (logits, value) = net.forward(row, &mut scratch);
                answer(0, logits, value);
            }
        }
    }
    (all, values)
}

/// The policy of each row, 0 where `legal` has no bit.
fn chances(net: &QuantisedNet, seen: &Seen, legal: &[u128]) -> Vec<f32> {
    /// Rows that are written out together.
    const BLOCK: usize = 64;
    let (mut all, mut scratch) = (vec![0.0; legal.len() * Action::COUNT], net.scratch());
    let mut written = Vec::new();
    for (nth, legal) in legal.chunks(BLOCK).enumerate() {
        let rows = nth * BLOCK..nth * BLOCK + legal.len();
        written.resize(legal.len() * Observation::LEN, 0.0);
        match seen {
            Seen::F32(numbers) => written.copy_from_slice(
                &numbers[rows.start * Observation::LEN..rows.end * Observation::LEN],
            ),
            Seen::Packed(packed) => {
                let outs = written.chunks_exact_mut(Observation::LEN);
                packed[rows.clone()].iter().zip(outs).for_each(|(row, out)| row.write(out));
            }
        }
        let of_block = &mut all[rows.start * Action::COUNT..rows.end * Action::COUNT];
        net.forward_each(
            &written,
            |row| legal[row],
            &mut scratch,
            |row, logits, _| {
                let out = &mut of_block[row * Action::COUNT..(row + 1) * Action::COUNT];
                masked_softmax(logits, legal[row], out);
            },
        );
    }
    all
}
