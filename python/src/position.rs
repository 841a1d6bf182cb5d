//! Tables that begin in the middle of a deal: from cards, chips and what has happened since.

use std::fmt::{self, Display, Formatter};

use newmarket_env::rules::LayoutAnte;
use newmarket_env::{
    Action, Card, CardSet, DealStart, Game, Hands, MAX_CELLS, MAX_PLAYERS, Phase, Session,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::errors::bad;
use crate::table::Table;
use crate::view::phase_name;

/// Names of cards, in a list or as words of a text.
#[derive(IntoPyObject)]
#[pyo3(transparent)]
pub(crate) struct Cards(Vec<String>);

impl FromPyObject<'_, '_> for Cards {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = given.extract::<&str>() {
            return Ok(Self(text.split_whitespace().map(Into::into).collect()));
        }
        given.extract().map(Self)
    }
}

/// A decision by its id or in words.
#[derive(FromPyObject)]
pub(crate) enum Chosen {
    #[pyo3(transparent)]
    Id(i64),
    #[pyo3(transparent)]
    Words(String),
}

impl Display for Chosen {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(id) => id.fmt(f),
            Self::Words(words) => words.fmt(f),
        }
    }
}

/// A card that was played, with or without its seat.
#[derive(FromPyObject)]
pub(crate) enum Play {
    By(usize, String),
    #[pyo3(transparent)]
    Card(String),
}

/// What is given for a parameter of this name.
fn parameter<'a, 'py, T: FromPyObject<'a, 'py>>(
    given: &'a Bound<'py, PyAny>,
    name: &str,
    expected: &str,
) -> PyResult<T> {
    given.extract().map_err(|_| PyTypeError::new_err(format!("{name}: expected {expected}")))
}

pub(crate) fn hands(given: &Bound<'_, PyAny>) -> PyResult<Vec<Cards>> {
    parameter(given, "hands", "the cards of each seat, as [\"3C KH\", \"4D 2S\"]")
}

pub(crate) fn dead(given: &Bound<'_, PyAny>) -> PyResult<Option<Cards>> {
    parameter(given, "dead", "cards, as [\"3C\", \"KH\"] or \"3C KH\"")
}

pub(crate) fn actions(given: &Bound<'_, PyAny>) -> PyResult<Option<Vec<Chosen>>> {
    parameter(given, "actions", "a list of ids, or of words as \"lead clubs\"")
}

pub(crate) fn plays(given: &Bound<'_, PyAny>) -> PyResult<Option<Vec<Play>>> {
    parameter(given, "plays", "a list of cards as \"3C\", or of seats and cards as (0, \"3C\")")
}

/// The table and the cards before a deal, as Python has them.
#[derive(FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Start {
    pub(crate) hands: Vec<Cards>,
    pub(crate) dead: Option<Cards>,
    pub(crate) dealer: usize,
    pub(crate) layout: Option<Vec<i32>>,
    pub(crate) kitty: i32,
    pub(crate) stacks: Option<Vec<i32>>,
}

impl Start {
    /// What a session of given cards begins with.
    pub(crate) fn of(game: &Game, session: &Session) -> Self {
        let (start, dealt) = (session.deal_start(), session.hands(game));
        let names = |cards: CardSet| Cards(cards.notation(game.rules().aces));
        Self {
            hands: dealt.seats[..game.players()].iter().map(|&hand| names(hand)).collect(),
            dead: Some(names(dealt.dead)),
            dealer: start.dealer,
            layout: Some(game.cells_of(&start.layout).to_vec()),
            kitty: start.kitty,
            stacks: Some(start.stacks[..game.players()].to_vec()),
        }
    }

    /// The deal, if it can begin like this.
    pub(crate) fn session(&self, game: &Game) -> PyResult<Session> {
        let players = game.players();
        if self.hands.len() != players {
            let found = self.hands.len();
            return Err(bad(format!("hands: {found} hands: expected {players}, one a seat")));
        }
        let mut hands = Hands::default();
        for (seat, cards) in self.hands.iter().enumerate() {
            hands.seats[seat] = cards.set(game, "hands", &format!("seat {seat}"))?;
        }
        let held = hands.seats.iter().fold(CardSet::EMPTY, |all, &hand| all | hand);
        hands.dead = match &self.dead {
            Some(cards) => cards.set(game, "dead", "the dead hand")?,
            None => game.pack() - held,
        };
        let mut start = DealStart::fresh(players, self.dealer);
        if let Some(layout) = &self.layout {
            start.layout = numbers::<MAX_CELLS>("layout", layout, game.cells(), "cell")?;
        }
        if let Some(stacks) = &self.stacks {
            start.stacks = numbers::<MAX_PLAYERS>("stacks", stacks, players, "seat")?;
        }
        start.kitty = self.kitty;
        Session::given(game, start, hands)
            .map_err(|(field, problem)| bad(format!("{field}: {problem}")))
    }
}

impl Cards {
    fn set(&self, game: &Game, field: &str, whose: &str) -> PyResult<CardSet> {
        let mut cards = CardSet::EMPTY;
        for name in &self.0 {
            let card =
                read_card(game, name).map_err(|problem| bad(format!("{field}: {problem}")))?;
            if cards.contains(card) {
                return Err(bad(format!("{field}: {whose} has {name} twice")));
            }
            cards.insert(card);
        }
        Ok(cards)
    }
}

fn read_card(game: &Game, name: &str) -> Result<Card, String> {
    let card = Card::parse(name, game.rules().aces).filter(|&card| game.pack().contains(card));
    card.ok_or_else(|| format!("`{name}` is no card of the pack: expected rank and suit, as KH"))
}

/// A number for each of so many places.
fn numbers<const MOST: usize>(
    field: &str,
    given: &[i32],
    places: usize,
    of: &str,
) -> PyResult<[i32; MOST]> {
    if given.len() != places {
        let found = given.len();
        return Err(bad(format!("{field}: {found} numbers: expected {places}, one a {of}")));
    }
    let mut all = [0; MOST];
    all[..places].copy_from_slice(given);
    Ok(all)
}

impl Table {
    fn name(&self, card: Card) -> String {
        card.notation(self.env.game().rules().aces)
    }

    fn words(&self, action: Action) -> String {
        self.env.game().action_in_words(action)
    }

    /// Takes an action if it is legal.
    fn decide_at(&mut self, place: &str, action: Action) -> PyResult<()> {
        let legal = self.env.legal();
        if legal.contains(action) {
            return self.decide(action);
        }
        let words = self.words(action);
        if legal.is_empty() {
            return Err(bad(format!("{place}: {words}, but the deal is over")));
        }
        let legal: Vec<String> = legal.iter().map(|action| self.words(action)).collect();
        let (seat, legal) = (self.env.seat(), legal.join(", "));
        Err(bad(format!("{place}: seat {seat} may not {words}: legal are {legal}")))
    }

    /// Takes the decisions of all antes: chips by seat and cell.
    pub(crate) fn place(&mut self, stakes: &[Vec<i32>]) -> PyResult<()> {
        let game = self.env.game().clone();
        if stakes.len() != game.players() {
            let (found, players) = (stakes.len(), game.players());
            return Err(bad(format!("stakes: {found} seats: expected {players}")));
        }
        for stakes in stakes {
            numbers::<MAX_CELLS>("stakes", stakes, game.cells(), "cell")?;
        }
        let put_on =
            |table: &Self, seat: usize, cell: usize| table.env.observe(seat).staked(seat, cell);
        while !self.env.is_over() && self.env.state().phase() == Phase::Ante {
            let seat = self.env.seat();
            let due = (0..game.cells()).find(|&cell| put_on(self, seat, cell) < stakes[seat][cell]);
            let Some(cell) = due else { break };
            self.decide_at("stakes", Action::chip(cell))?;
        }
        for (seat, wanted) in stakes.iter().enumerate() {
            let put: Vec<i32> = (0..game.cells()).map(|cell| put_on(self, seat, cell)).collect();
            if put != *wanted {
                let given = wanted.iter().sum::<i32>();
                let due = match game.rules().layout_ante {
                    LayoutAnte::Fixed { .. } => format!("{put:?} by the rules"),
                    LayoutAnte::Free { chips, dealer_chips } => {
                        let deals = seat == self.env.observe(seat).dealer();
                        format!("{} chips", if deals { dealer_chips } else { chips })
                    }
                };
                return Err(bad(format!(
                    "stakes: seat {seat} cannot stake {wanted:?}, {given} chips: expected {due}"
                )));
            }
        }
        Ok(())
    }

    /// Takes these decisions.
    pub(crate) fn decide_all(&mut self, actions: &[Chosen]) -> PyResult<()> {
        for (nth, chosen) in actions.iter().enumerate() {
            let place = format!("actions[{nth}]");
            let action = match chosen {
                Chosen::Id(id) => usize::try_from(*id).ok().and_then(Action::try_from_index),
                Chosen::Words(words) => {
                    let is_meant =
                        |it: &Action| self.words(*it) == *words || it.to_string() == *words;
                    Action::ALL.into_iter().find(is_meant)
                }
            };
            let action = action.ok_or_else(|| {
                let (given, last) = (chosen, Action::COUNT - 1);
                bad(format!(
                    "{place}: no action `{given}`: expected an id from 0 to {last}, or one as \"lead clubs\""
                ))
            })?;
            self.decide_at(&place, action)?;
        }
        Ok(())
    }

    /// Leads so that these cards are played.
    pub(crate) fn follow(&mut self, plays: &[Play]) -> PyResult<()> {
        let game = self.env.game().clone();
        let mut due = Vec::with_capacity(plays.len());
        for (nth, play) in plays.iter().enumerate() {
            let (seat, name) = match play {
                Play::By(seat, name) => (Some(*seat), name),
                Play::Card(name) => (None, name),
            };
            let card = read_card(&game, name)
                .map_err(|problem| bad(format!("plays[{nth}]: {problem}")))?;
            due.push((seat, card));
        }
        loop {
            let played: Vec<_> = self.env.observe(0).plays().collect();
            for (nth, (&(seat, card), &(by, wanted))) in played.iter().zip(&due).enumerate() {
                if card != wanted || by.is_some_and(|by| by != seat) {
                    let by = by.map_or(String::new(), |by| format!(" by seat {by}"));
                    let (card, wanted) = (self.name(card), self.name(wanted));
                    return Err(bad(format!(
                        "plays[{nth}]: {wanted}{by} cannot be: due was {card} by seat {seat}"
                    )));
                }
            }
            let nth = played.len();
            let Some(&(by, card)) = due.get(nth) else { return Ok(()) };
            let place = format!("plays[{nth}]");
            let name = self.name(card);
            if self.env.is_over() {
                return Err(bad(format!("{place}: {name}, but the deal is over")));
            }
            let (seat, phase) = (self.env.seat(), self.env.state().phase());
            if phase != Phase::Lead {
                let phase = phase_name(phase);
                return Err(bad(format!(
                    "{place}: seat {seat} has to decide before ({phase}): expected its decision in \
                     `stakes` or `actions`"
                )));
            }
            if by.is_some_and(|by| by != seat) {
                return Err(bad(format!(
                    "{place}: seat {seat} is to lead, not seat {}",
                    by.unwrap_or(0)
                )));
            }
            let lowest = self.env.observe(seat).hand().lowest(card.suit());
            if lowest != Some(card) {
                let why = lowest.map_or_else(
                    || format!("seat {seat}, which leads, has no {}", card.suit()),
                    |lowest| {
                        format!(
                            "seat {seat} leads its lowest card of the suit, {}",
                            self.name(lowest)
                        )
                    },
                );
                return Err(bad(format!("{place}: {name} cannot be led: {why}")));
            }
            self.decide_at(&place, Action::lead(card.suit()))?;
        }
    }
}
