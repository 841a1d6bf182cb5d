//! Disputed cases and book rules as a table that can be read and reviewed: `rulings/*.toml`.
//!
//! A row is a small deal. Its `course` lists what happens, in order:
//!
//! - `deal`: the hands are given out here, and not before;
//! - `2? lead clubs, lead hearts`: seat 2 is to act, and these are its choices;
//! - `2 lead clubs`: it does; and with ` -> 3C 4C 1:5C +6 5C, stop dead`, this is what comes of
//!   it (seat 1 plays the 5, takes six chips, and the 6 is dead);
//! - `deal -> 0 +4 TH`: the spaces of Three in One that are taken as soon as the cards are dealt;
//! - `0 apart 2C 3C 4C 5C 7D`: its poker hand, card by card.
//!
//! Cards that are in no hand are in the dead hand.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::panic;
use std::path::Path;

use common::{about, cards, chips, narrate};
use newmarket_env::{CardSet, DealStart, Game, Hands, Phase, Rules, Seats, Seed, State};
use serde::Deserialize;
use serde_json::{Map, Value};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    ruling: Vec<Ruling>,
}

/// One row.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ruling {
    title: String,
    /// Who says so.
    source: String,
    /// What was decided and why, where the title does not say it all.
    #[expect(dead_code, reason = "for the reader of the table")]
    why: Option<String>,
    /// The named game.
    rules: String,
    #[serde(default)]
    overrides: Map<String, Value>,
    /// No antes, so that the row shows nothing but its point.
    #[serde(default)]
    no_antes: bool,
    /// The key of the fault that these rules have.
    rejected: Option<String>,
    /// Fields of the rules.
    #[serde(default)]
    fields: Map<String, Value>,
    #[serde(default = "three")]
    players: usize,
    /// The last seat, unless said: eldest is then seat 0.
    dealer: Option<usize>,
    /// Real chips before the antes.
    stacks: Option<Vec<i32>>,
    #[serde(default)]
    layout: Vec<i32>,
    #[serde(default)]
    kitty: i32,
    #[serde(default)]
    hands: Vec<String>,
    #[serde(default)]
    course: Vec<String>,
    /// Cards of each seat and of the dead hand when a whole pack is dealt.
    sizes: Option<Vec<usize>>,
    payoffs: Option<Vec<i32>>,
    layout_after: Option<Vec<i32>>,
    kitty_after: Option<i32>,
    /// Cards still in each hand at the end of the course.
    held: Option<Vec<String>>,
    /// What a seat knows to be dead at the end of the course, by seat.
    #[serde(default)]
    known_dead: BTreeMap<String, String>,
    /// Cards that each seat has shown and still holds, as another seat sees them.
    shown: Option<Vec<String>>,
}

fn three() -> usize {
    3
}

impl Ruling {
    fn rules(&self) -> Option<Rules> {
        let mut overrides = self.overrides.clone();
        if self.no_antes {
            let none = serde_json::json!({ "fixed": { "each": 0, "dealer": 0 } });
            overrides.insert("layout_ante".into(), none);
            overrides.insert("kitty_ante".into(), 0.into());
        }
        match (Rules::from_overrides(&self.rules, &overrides), &self.rejected) {
            (Ok(rules), None) => Some(rules),
            (Err(faults), Some(key)) => {
                let found: Vec<&str> = faults.0.iter().map(|fault| fault.key.as_str()).collect();
                assert_eq!(found, [key], "{faults}");
                None
            }
            (Ok(_), Some(key)) => panic!("rules with a fault at {key} were taken"),
            (Err(faults), None) => panic!("{faults}"),
        }
    }

    fn check(&self) {
        let Some(rules) = self.rules() else { return };
        check_fields(&rules, &self.fields);
        let aces = rules.aces;
        let game = Game::new(rules, self.players).expect("it seats them");
        let dealer = self.dealer.unwrap_or(self.players - 1);
        let mut deal_start = DealStart::fresh(self.players, dealer);
        if let Some(stacks) = &self.stacks {
            deal_start.credit = false;
            deal_start.stacks[..self.players].copy_from_slice(stacks);
        }
        deal_start.layout[..self.layout.len()].copy_from_slice(&self.layout);
        deal_start.kitty = self.kitty;
        if let Some(sizes) = &self.sizes {
            let pack = game.shuffle(&mut Seed::new(1).rng());
            let hands = game.deal(pack.cards(), dealer, Seats::first(self.players));
            let seats = &hands.seats[..self.players];
            let found: Vec<usize> = seats.iter().chain([&hands.dead]).map(|h| h.len()).collect();
            assert_eq!(found, *sizes);
        }
        if self.course.is_empty() {
            return;
        }
        let mut hands = Hands::default();
        assert_eq!(self.hands.len(), self.players, "a hand for each seat");
        for (hand, text) in hands.seats.iter_mut().zip(&self.hands) {
            *hand = cards(text, aces);
        }
        let held = hands.seats.iter().fold(CardSet::EMPTY, |all, &hand| all | hand);
        assert!(game.pack().is_superset(held), "cards that are not in the pack");
        hands.dead = game.pack() - held;
        let mut state = State::new(&game, &deal_start);
        let total = chips(&state);
        for line in &self.course {
            about(line, || self.step(&game, &mut state, &hands, line));
            assert_eq!(chips(&state), total);
        }
        self.check_end(&game, &deal_start, &state);
    }

    fn step(&self, game: &Game, state: &mut State, hands: &Hands, line: &str) {
        if line.starts_with("deal") {
            assert_eq!(state.phase(), Phase::Deal, "it is not time to deal");
            let before = *state;
            state.deal(game, hands);
            let told = narrate::collects(game, &before, state).join(", ");
            let told = if told.is_empty() { "deal".into() } else { format!("deal -> {told}") };
            return assert!(line == "deal" || line == told, "{told}");
        }
        if let Some((seat, five)) = line.split_once(" apart ")
            && five.contains(' ')
            && !seat.ends_with('?')
        {
            for card in five.split(' ') {
                self.step(game, state, hands, &format!("{seat} apart {card}"));
            }
            return;
        }
        let (head, tail) = line.split_once(" -> ").unwrap_or((line, ""));
        let (seat, act) = head.split_once(' ').expect("a seat and what it does");
        let legal = state.legal(game);
        let names: Vec<String> = legal.iter().map(|action| narrate::act(game, action)).collect();
        let actor = state.actor().map_or("nobody".into(), |actor| actor.to_string());
        assert_eq!(seat.trim_end_matches('?'), actor, "who is to act");
        if seat.ends_with('?') {
            return assert_eq!(names.join(", "), act, "the choices");
        }
        let which = names.iter().position(|name| name == act);
        let which = which.unwrap_or_else(|| panic!("the choices are {}", names.join(", ")));
        let told = narrate::step(game, state, legal.nth(which).expect("one of them"));
        if !tail.is_empty() {
            assert_eq!(told, line, "{}", self.title);
        }
    }

    fn check_end(&self, game: &Game, deal_start: &DealStart, state: &State) {
        if let Some(payoffs) = &self.payoffs {
            assert!(state.is_over(), "the deal goes on");
            let found: Vec<i32> =
                (0..self.players).map(|s| state.stacks()[s] - deal_start.stacks[s]).collect();
            assert_eq!(found, *payoffs, "payoffs");
        }
        if let Some(layout) = &self.layout_after {
            assert_eq!(&state.layout()[..game.cells()], layout, "layout");
        }
        if let Some(kitty) = self.kitty_after {
            assert_eq!(state.kitty(), kitty, "kitty");
        }
        if let Some(held) = &self.held {
            for (seat, hand) in held.iter().enumerate() {
                assert_eq!(narrate::hand(game, state.hands().seats[seat]), *hand, "seat {seat}");
            }
        }
        if let Some(shown) = &self.shown {
            for (seat, wanted) in shown.iter().enumerate() {
                let viewer = (seat + 1) % self.players;
                let found = state.view(game, viewer).shown(seat);
                assert_eq!(narrate::hand(game, found), *wanted, "shown by {seat}");
            }
        }
        for (seat, known) in &self.known_dead {
            let seat: usize = seat.parse().expect("a seat");
            let found = state.view(game, seat).known_dead();
            assert_eq!(narrate::hand(game, found), *known, "known to {seat} as dead");
        }
    }
}

/// The rules have these fields, as their own complete file says.
fn check_fields(rules: &Rules, fields: &Map<String, Value>) {
    let file: Value = toml::from_str(&rules.to_toml()).expect("a rules file is TOML");
    for (key, wanted) in fields {
        let found = &file[key];
        match (wanted, found) {
            (Value::Object(wanted), Value::Object(found)) if key == "session" => {
                for (key, wanted) in wanted {
                    assert_eq!(found.get(key), Some(wanted), "session.{key}");
                }
            }
            _ => assert_eq!(found, wanted, "{key}"),
        }
    }
}

#[test]
fn every_ruling_stands() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rulings");
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("a file").path())
        .collect();
    files.sort();
    let mut titles = Vec::new();
    let mut decisions = Vec::new();
    let mut fallen = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("it can be read");
        let table: Table = toml::from_str(&text).unwrap_or_else(|e| panic!("{file:?}: {e}"));
        for ruling in table.ruling {
            let name = format!("{} ({})", ruling.title, file.display());
            let check = || about(&name, || ruling.check());
            if let Err(panic) = panic::catch_unwind(panic::AssertUnwindSafe(check)) {
                fallen.push(*panic.downcast::<String>().expect("`about` panics with a text"));
            }
            assert!(!titles.contains(&ruling.title), "{} stands twice", ruling.title);
            let row = |source: &str| source.trim().strip_prefix("RULES 9.")?.parse::<u32>().ok();
            decisions.extend(ruling.source.split(';').filter_map(row));
            titles.push(ruling.title);
        }
    }
    assert!(fallen.is_empty(), "{} rulings fall:\n\n{}", fallen.len(), fallen.join("\n\n"));
    for decision in 1..=15 {
        assert!(decisions.contains(&decision), "decision {decision} has no ruling");
    }
    assert!(titles.len() >= 50, "{} rulings", titles.len());
}
