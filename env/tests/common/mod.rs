//! What the integration tests share.

#![allow(dead_code, reason = "every test binary uses another part of it")]

pub(crate) mod any_rules;
pub(crate) mod battery;
pub(crate) mod buffers;
pub(crate) mod naive;
pub(crate) mod narrate;

use std::panic::{self, AssertUnwindSafe};

use newmarket_env::rules::NAMES;
use newmarket_env::seed::below;
use newmarket_env::{Aces, Action, ActionMask, Card, CardSet, Game, Rng, Rules, Seed, State};

/// A named game at a table.
pub(crate) fn table(name: &str, players: usize) -> Game {
    Game::new(Rules::named(name).expect("a named game"), players).expect("it seats them")
}

/// `newmarket` with changes, at a table.
pub(crate) fn house(base: &str, changes: &str, players: usize) -> Game {
    let text = format!("base = {base:?}\n{changes}");
    let rules = Rules::from_toml(&text, "house").unwrap_or_else(|error| panic!("{text}{error}"));
    Game::new(rules, players).expect("it seats them")
}

/// The game of `rules/marriage.toml`, which no other file knows of, at a table.
pub(crate) fn marriage(changes: &str, players: usize) -> Game {
    let mut file: toml::Table = include_str!("../rules/marriage.toml").parse().expect("TOML");
    file.extend(changes.parse::<toml::Table>().expect("TOML"));
    let rules = Rules::from_toml(&file.to_string(), "marriage.toml");
    Game::new(rules.expect("no fault"), players).expect("it seats them")
}

/// Every named game at every number of players that it allows.
pub(crate) fn all_tables() -> Vec<Game> {
    NAMES
        .into_iter()
        .flat_map(|name| {
            let (least, most) = Rules::named(name).expect("a named game").players;
            (least..=most).map(move |players| table(name, players))
        })
        .collect()
}

/// `"AS KH"` as a set.
pub(crate) fn cards(text: &str, aces: Aces) -> CardSet {
    let card = |word| Card::parse(word, aces).unwrap_or_else(|| panic!("{word:?} is no card"));
    text.split_whitespace().map(card).collect()
}

/// A number below `n`.
pub(crate) fn draw(rng: &mut Rng, n: usize) -> usize {
    below(rng, n as u32) as usize
}

/// One of these.
pub(crate) fn one_of<T: Copy>(rng: &mut Rng, items: &[T]) -> T {
    items[draw(rng, items.len())]
}

/// Any legal action.
pub(crate) fn pick(legal: ActionMask, rng: &mut Rng) -> Action {
    legal.nth(draw(rng, legal.len())).expect("there is a legal action")
}

/// All chips of the table.
pub(crate) fn chips(state: &State) -> i32 {
    state.stacks().iter().sum::<i32>() + state.layout().iter().sum::<i32>() + state.kitty()
}

/// Plays the next decision at random; deals if the cards are due. Returns what was decided.
pub(crate) fn advance(game: &Game, state: &mut State, seed: Seed, rng: &mut Rng) -> Option<Action> {
    if state.phase() == newmarket_env::Phase::Deal {
        let pack = game.shuffle(&mut seed.rng());
        state.deal(game, &game.deal(pack.cards(), state.dealer(), state.seats_in()));
        return None;
    }
    let action = pick(state.legal(game), rng);
    state.apply(game, action).expect("it is legal");
    Some(action)
}

/// Runs a check; if it panics, the panic also says what was checked.
pub(crate) fn about(what: &str, check: impl FnOnce()) {
    if let Err(panic) = panic::catch_unwind(AssertUnwindSafe(check)) {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
        panic!("{text}\nin: {what}");
    }
}
