//! Players by name, with what their files said when the name was read: a pickle stands on its own.

use std::path::Path;
use std::sync::Arc;

use newmarket_agents::net::ActionSelection;
use newmarket_checkpoints::roster::{self, NetName};
use newmarket_checkpoints::{
    KeptStrategy, NetPlayer, STRATEGY_PREFIX, read_strategy, released, resolve,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::agent::{Agent, Named, clock};
use crate::errors::{self, bad, bad_chain, shared};
use crate::player::{Composition, Player};

/// What the file of a player says.
#[derive(Clone)]
pub(crate) enum Source {
    /// It has no file: its name says all.
    Named,
    /// The bytes of a network's file.
    Network(Arc<[u8]>),
    /// A strategy, with the strategies on which it builds.
    Strategy(Arc<KeptStrategy>),
}

/// The network of a name that has a file: of a released one, the name says all.
fn network_file(name: &str) -> Option<NetName<'_>> {
    let is_released = |path: &Path| path.to_str().and_then(released::named).is_some();
    roster::network(name).filter(|network| !is_released(network.path))
}

impl Source {
    /// Reads the file of a player, if it has one.
    pub(crate) fn read(name: &str) -> PyResult<Self> {
        if let Some(network) = network_file(name) {
            if !network.path.exists() {
                // The roster says who there is.
                return Ok(Self::Named);
            }
            let path = resolve(network.path).map_err(|error| errors::file(&error))?;
            // Read as the roster reads it, so that its faults are told alike.
            NetPlayer::read(&path).map_err(|error| errors::file(&error))?;
            return Ok(Self::Network(std::fs::read(path)?.into()));
        }
        let Some(path) = name.strip_prefix(STRATEGY_PREFIX) else { return Ok(Self::Named) };
        let content = read_strategy(Path::new(path));
        let content = content.map_err(|error| errors::roster(&error.into()))?;
        Ok(Self::Strategy(Arc::new(KeptStrategy::of(&content))))
    }

    /// The network, if the player is one.
    pub(crate) fn network(&self, name: &str) -> PyResult<Option<NetPlayer>> {
        let Some(network) = roster::network(name) else { return Ok(None) };
        let player = match self {
            Self::Network(bytes) => NetPlayer::from_bytes(bytes).map_err(|e| bad_chain(&e))?,
            _ => roster::net_player(network.path).map_err(|error| errors::file(&error))?,
        };
        Ok(Some(player))
    }

    /// The player of this name.
    pub(crate) fn player(
        &self,
        name: &str,
        choice: ActionSelection,
    ) -> PyResult<newmarket_agents::Player> {
        let made = match self {
            Self::Named => roster::choosing(name, choice, Some(clock)),
            Self::Network(bytes) => {
                let network = roster::network(name).ok_or_else(|| bad("not a network"))?;
                let player = NetPlayer::from_bytes(bytes).map_err(|error| bad_chain(&error))?;
                network.of_player(|| Ok(player), choice)
            }
            Self::Strategy(kept) => {
                let content = kept.content().map_err(bad)?;
                let made = roster::by_strategy(name, content, choice, Some(clock));
                made.map(Into::into).map_err(Into::into)
            }
        };
        made.map_err(|error| errors::roster(&error))
    }

    /// The same as an object of Python's own, for a pickle.
    pub(crate) fn object(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(match self {
            Self::Named => py.None(),
            Self::Network(bytes) => PyBytes::new(py, bytes).into_any().unbind(),
            Self::Strategy(kept) => {
                let text = serde_json::to_string(&**kept).map_err(bad)?;
                PyString::new(py, &text).into_any().unbind()
            }
        })
    }

    /// Reads such an object.
    pub(crate) fn of_object(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if object.is_none() {
            return Ok(Self::Named);
        }
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Self::Network(bytes.as_bytes().into()));
        }
        let text: String = object.extract()?;
        Ok(Self::Strategy(Arc::new(serde_json::from_str(&text).map_err(bad)?)))
    }
}

/// A player by name or object, with what its file said when it was given.
#[derive(Clone)]
pub(crate) enum Who {
    /// A player of the roster.
    Agent { name: String, sampled: bool, source: Source },
    /// One put together in Python.
    Player(Arc<Py<Player>>),
}

impl Who {
    /// A name, an `Agent` or a `Player`.
    pub(crate) fn read(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        match given.extract()? {
            Named::Name(name) => Self::named(name),
            Named::Agent(agent) => Ok(shared(agent.bind(given.py()))?.who()),
            Named::Player(player) => Ok(Self::Player(Arc::new(player))),
        }
    }

    /// The player of this name.
    pub(crate) fn named(name: String) -> PyResult<Self> {
        let source = Source::read(&name)?;
        Ok(Self::Agent { name, sampled: false, source })
    }

    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Agent { name, .. } => name,
            Self::Player(player) => player.get().composition().name(),
        }
    }

    /// What it is put together of, if it is one put together in Python.
    pub(crate) fn composition(&self) -> Option<&Arc<Composition>> {
        match self {
            Self::Agent { .. } => None,
            Self::Player(player) => Some(player.get().composition()),
        }
    }

    /// A fresh player of this kind.
    pub(crate) fn player(&self) -> PyResult<newmarket_agents::Player> {
        match self {
            Self::Agent { name, sampled, source } => {
                let choice =
                    if *sampled { ActionSelection::Sampled } else { ActionSelection::Greedy };
                source.player(name, choice)
            }
            Self::Player(player) => player.get().composition().player(),
        }
    }

    /// Refuses players that there are none of, or that are not fair.
    pub(crate) fn check(&self) -> PyResult<()> {
        match self {
            Self::Agent { .. } => self.fair().map(drop),
            Self::Player(..) => Ok(()),
        }
    }

    /// The same as a fair agent.
    pub(crate) fn fair(&self) -> PyResult<Box<dyn newmarket_agents::Agent>> {
        let unfair =
            || bad(format!("player `{}` sees all cards: expected a fair one", self.name()));
        self.player()?.fair().ok_or_else(unfair)
    }

    /// An object that stands for it, for a pickle.
    pub(crate) fn object(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self {
            Self::Agent { name, sampled, source } => {
                let pickled = (name, sampled, source.object(py)?);
                Ok(pickled.into_pyobject(py)?.into_any().unbind())
            }
            Self::Player(player) => Ok(player.clone_ref(py).into_any()),
        }
    }

    /// What [`Who::object`] has made.
    pub(crate) fn of_object(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<Player>() {
            return Self::read(object);
        }
        let (name, sampled, source): (String, bool, Bound<'_, PyAny>) = object.extract()?;
        Ok(Self::Agent { name, sampled, source: Source::of_object(&source)? })
    }

    /// What may be given for it: a name, an `Agent` that is sampled, or the `Player`.
    pub(crate) fn given(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self {
            Self::Agent { name, sampled: false, .. } => {
                Ok(PyString::new(py, name).into_any().unbind())
            }
            Self::Agent { name, source, .. } => {
                Ok(Py::new(py, Agent::of(name, 0, true, source.clone())?)?.into_any())
            }
            Self::Player(player) => Ok(player.clone_ref(py).into_any()),
        }
    }
}
