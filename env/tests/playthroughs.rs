//! One whole deal of each named game as a text to read: antes, hands, every lead with its
//! sequence, claims, stops, settlement. A line reads
//! `2 lead clubs -> 3C 4C 1:5C +6 5C, stop dead`: seat 2 leads clubs and plays two cards, seat 1
//! plays the next and takes six chips, and the card after that is dead. Of Three in One see also
//! `narrate::step`.

mod common;

use std::fmt::Write as _;

use common::{narrate, pick, table};
use newmarket_env::rules::NAMES;
use newmarket_env::{Game, Outcome, Phase, Seed, Session, State};

const FITS: &str = "a String takes all";

fn chips(game: &Game, state: &State) -> String {
    let cells: Vec<String> = game
        .rules()
        .cells
        .iter()
        .zip(state.layout())
        .map(|(cell, chips)| format!("{} {chips}", cell.name))
        .collect();
    format!("layout {}, kitty {}", cells.join(", "), state.kitty())
}

fn hands(game: &Game, state: &State) -> String {
    let hands = state.hands();
    let mut text = String::new();
    for seat in 0..game.players() {
        let dealer = if seat == state.dealer() { " (dealer)" } else { "" };
        let hand = narrate::hand(game, hands.seats[seat]);
        writeln!(text, "  {seat}: {hand}{dealer}").expect(FITS);
    }
    writeln!(text, "  dead: {}", narrate::hand(game, hands.dead)).expect(FITS);
    text
}

/// A whole deal, decided at random.
fn playthrough(game: &Game, seed: Seed) -> String {
    let mut rng = seed.child(8).rng();
    let session = Session::single_deal(game, seed);
    let mut state = State::new(game, session.deal_start());
    let mut text = format!("{}, {} players\n", game.rules().title(), game.players());
    let mut staked = String::new();
    while !state.is_over() {
        if state.phase() == Phase::Deal {
            let pack = session.pack(game);
            state.deal(game, &game.deal(pack.cards(), state.dealer(), state.seats_in()));
            write!(text, "{staked}{}\n{}", chips(game, &state), hands(game, &state)).expect(FITS);
            continue;
        }
        let phase = state.phase();
        let action = pick(state.legal(game), &mut rng);
        let line = narrate::step(game, &mut state, action);
        if phase == Phase::Ante {
            let (seat, cell) = line.split_once(" chip ").expect("a chip");
            let start = format!("{seat} stakes");
            match staked.rfind(&start) {
                Some(_) => staked.truncate(staked.len() - 1),
                None => staked += &start,
            }
            writeln!(staked, " {cell}").expect(FITS);
        } else if phase == Phase::SetApart {
            // Five cards, one line.
            let (seat, card) = line.split_once(" apart ").expect("a card");
            let start = format!("{seat} apart");
            if text.lines().last().is_some_and(|last| last.starts_with(&start)) {
                text.truncate(text.len() - 1);
            } else {
                text += &start;
            }
            writeln!(text, " {card}").expect(FITS);
        } else {
            writeln!(text, "{line}").expect(FITS);
        }
    }
    match state.outcome() {
        Outcome::Out(seat) => writeln!(text, "{seat} is out").expect(FITS),
        _ => text += "no winner\n",
    }
    text += &hands(game, &state);
    let stacks = &state.stacks()[..game.players()];
    format!("{text}{}\nstacks {stacks:?}\n", chips(game, &state))
}

#[test]
fn one_deal_of_each_named_game() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("playthroughs");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for name in NAMES {
            let players = if name == "four-horses" { 3 } else { 4 };
            let text = playthrough(&table(name, players), Seed::new(1885));
            assert!(text.lines().count() < 60, "{name} is too long to read");
            insta::assert_snapshot!(name, text);
        }
    });
}
