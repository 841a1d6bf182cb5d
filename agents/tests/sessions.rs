//! Paired sessions: the figures are those of the same sessions on the record.

#[path = "../../env/tests/common/mod.rs"]
mod common;

use std::sync::Arc;

use common::{about, house};
use newmarket_agents::paired::PairedSessions;
use newmarket_agents::strategy::Strategy;
use newmarket_agents::{Deals, Disagreement, Player, play_session, record};
use newmarket_env::trace::Record;
use newmarket_env::{Event, Game, Seats, Seed};

/// Sessions of which little is left to chance: bankrolls of every kind, every leftover.
fn games() -> Vec<(&'static str, Game)> {
    let game = |base, players, deals: u32, bankroll: &str, leftover: &str| {
        let changes = format!(
            "per_card = 2\n[session]\ndeals = {deals}\nbankroll = {bankroll}\nleftover = {leftover:?}"
        );
        house(base, &changes, players)
    };
    let chips =
        |start: u32, mode: &str| format!("{{ chips = {{ start = {start}, on_bust = {mode:?} }} }}");
    vec![
        ("credit", game("newmarket", 4, 5, "\"credit\"", "stay")),
        ("one deal", game("newmarket", 3, 1, "\"credit\"", "lot")),
        ("end_session", game("newmarket", 4, 20, &chips(20, "end_session"), "richest")),
        ("rebuy", game("newmarket", 4, 8, &chips(15, "rebuy"), "lot")),
        ("eliminate", game("newmarket", 4, 30, &chips(20, "eliminate"), "lot")),
        ("eliminate, richest", game("newmarket", 5, 30, &chips(20, "eliminate"), "richest")),
        ("to the end", game("newmarket", 3, 30, &chips(20, "eliminate"), "stay")),
        ("left alone", house("newmarket", KITTY, 3)),
        ("horses", house("four-horses", "", 6)),
    ]
}

/// The kitty grows until the session ends; by lot it makes somebody rich, who may be out.
const KITTY: &str = r#"
    kitty_ante = 3
    kitty_to_winner = false
    [session]
    deals = 30
    bankroll = { chips = { start = 25, on_bust = "eliminate" } }
    leftover = "lot"
"#;

fn player(name: &str) -> Player {
    Strategy::named(name).expect("a heuristic").into()
}

const SEED: u64 = 5;
const SESSIONS: u64 = 24;

/// The records of the first sessions, session by session.
fn sessions(game: &Game, seats: &[&str]) -> Vec<Vec<Record>> {
    let mut agents: Vec<Player> = seats.iter().map(|name| player(name)).collect();
    let mut sessions: Vec<Vec<Record>> = Vec::new();
    let most = SESSIONS * u64::from(game.rules().session.deals);
    record(game, &mut agents, (most, Deals::InSessions), SEED, |record| {
        if record.session.as_ref().is_some_and(|place| place.deal == 1) {
            sessions.push(Vec::new());
        }
        sessions.last_mut().expect("a first deal").push(record.clone());
        Ok::<(), Disagreement>(())
    })
    .unwrap();
    sessions.truncate(SESSIONS as usize);
    sessions
}

/// Chips that each seat won in the deals of a session; what it bought is in none of them.
fn won(session: &[Record]) -> Vec<i32> {
    (0..session[0].players)
        .map(|seat| session.iter().map(|deal| deal.payoffs[seat]).sum())
        .collect()
}

/// The share of a session that each seat won: all of it if it alone could pay on, else an equal part
/// for all that won most chips.
fn shares(game: &Game, session: &[Record]) -> Vec<f64> {
    let (players, chips) = (game.players(), won(session));
    let alone = left_alone(game, session);
    let most = chips.iter().max().unwrap();
    let wins = |seat: usize| match alone {
        Some(alone) => alone == seat,
        None => chips[seat] == *most,
    };
    let winners = (0..players).filter(|&seat| wins(seat)).count() as f64;
    (0..players).map(|seat| if wins(seat) { 1.0 / winners } else { 0.0 }).collect()
}

fn left_alone(game: &Game, session: &[Record]) -> Option<usize> {
    let last = session.last().unwrap();
    let eliminates = format!("{:?}", game.rules().session.bankroll).contains("Eliminate");
    if !eliminates || session.len() == game.rules().session.deals as usize {
        return None;
    }
    let mut stacks = last.stacks_after.clone();
    for event in &last.events {
        if let Event::Leftover { seat, chips, .. } = event {
            stacks[*seat] -= chips;
        }
    }
    let was_in = |seat: &usize| last.seats_in.as_ref().is_none_or(|seats| seats[*seat]);
    // The turn to deal goes round once: the first who can pay for it deals.
    let round = (1..=game.players()).map(|step| (last.dealer + step) % game.players());
    let can_deal = |seat: &usize| was_in(seat) && stacks[*seat] >= game.rules().full_ante(true);
    let dealer = round.clone().find(can_deal)?;
    let passed: Vec<usize> = round.take_while(|&seat| seat != dealer).collect();
    let pays = |seat: &usize| stacks[*seat] >= game.rules().full_ante(*seat == dealer);
    let mut left = (0..game.players()).filter(|seat| was_in(seat) && !passed.contains(seat));
    let left: Vec<usize> = left.by_ref().filter(pays).collect();
    (left.len() == 1).then(|| left[0])
}

#[test]
fn the_figures_are_those_of_the_records() {
    let (hero, field) = (player("stopper"), player("random"));
    let (mut rebuys, mut gifts, mut out, mut early, mut ties, mut outdone) = (0, 0, 0, 0, 0, 0);
    for (name, game) in games() {
        let players = game.players();
        let base = sessions(&game, &vec!["random"; players]);
        let seatings: Vec<Vec<Vec<Record>>> = (0..players)
            .map(|seat| {
                let mut seats = vec!["random"; players];
                seats[seat] = "stopper";
                sessions(&game, &seats)
            })
            .collect();
        let games = [Arc::new(game.clone())];
        let paired =
            PairedSessions { games: &games, hero: &hero, field: &field, seed: Seed::new(SEED) };
        let played = paired.play(0..SESSIONS);
        assert_eq!(base.len() as u64, SESSIONS);
        for (at, gain) in played.iter().enumerate() {
            about(&format!("{name}, session {at}"), || {
                let (mut chips, mut wins, mut deals) = (0, 0.0, 0);
                for (seat, seating) in seatings.iter().enumerate() {
                    let with_hero = &seating[at];
                    chips += i64::from(won(with_hero)[seat] - won(&base[at])[seat]);
                    let share = shares(&game, with_hero)[seat];
                    wins += share;
                    deals += with_hero.len() as u64;
                    let all = with_hero.iter().flat_map(|deal| &deal.events);
                    rebuys += all.clone().filter(|it| matches!(it, Event::Rebuy { .. })).count();
                    gifts += all.filter(|it| matches!(it, Event::Leftover { .. })).count();
                    out += with_hero.iter().filter(|deal| deal.seats_in.is_some()).count();
                    early += usize::from(with_hero.len() < game.rules().session.deals as usize);
                    // Lots can make others richer than who is left alone.
                    let (alone, chips) = (left_alone(&game, with_hero), won(with_hero));
                    outdone +=
                        usize::from(alone.is_some_and(|it| Some(&chips[it]) < chips.iter().max()));
                    ties += usize::from(share > 0.0 && share < 1.0);
                }
                assert_eq!((gain.chips, gain.deals, gain.players), (chips, deals, players));
                // The field wins every session once.
                assert!((gain.win_gain + 1.0 - wins).abs() < 1e-12, "{gain:?} {wins}");
            });
        }
    }
    let seen = [rebuys, gifts, out, early, ties, outdone];
    assert!(seen.iter().all(|&times| times >= 3), "{seen:?}");
}

#[test]
fn chips_are_conserved_and_the_session_is_won_once() {
    for (name, game) in games() {
        let players = game.players();
        let recorded = sessions(&game, &vec!["random"; players]);
        for (at, record) in recorded.iter().enumerate() {
            about(&format!("{name}, session {at}"), || {
                let seed = Seed::new(SEED).child(at as u64);
                let result = play_session(&game, seed, &mut [player("random")], |_| 0);
                let last = record.last().unwrap();
                let table: i32 = last.layout_after.iter().sum::<i32>() + last.kitty_after;
                assert_eq!(result.payoffs.iter().sum::<i32>() + table, 0);
                assert_eq!(result.payoffs[..players], won(record));
                assert_eq!(result.deals as usize, record.len());
                let shares: f64 = (0..players).map(|seat| result.share(seat)).sum();
                assert!((shares - 1.0).abs() < 1e-12 && !result.winners.is_empty());
                assert_eq!(result.winners & Seats::first(players), result.winners);
            });
        }
    }
}

#[test]
fn an_agent_that_plays_itself_gains_nothing() {
    for (name, game) in games() {
        let games = [Arc::new(game)];
        for agent in ["random", "stopper"] {
            let (hero, field) = (player(agent), player(agent));
            let paired =
                PairedSessions { games: &games, hero: &hero, field: &field, seed: Seed::new(3) };
            for gain in paired.play(0..10) {
                assert_eq!((gain.chips, gain.win_gain), (0, 0.0), "{agent}, {name}");
            }
        }
    }
}
