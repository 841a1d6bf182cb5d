//! A seat's knowledge, built from what it is told, is that which the state shows: in every game, at
//! every decision, to the byte.
//!
//! `SEEN_DEALS=100000` plays about so many deals instead of some thousands.

mod common;

use std::sync::Arc;

use common::{about, all_tables, any_rules, draw, pick};
use newmarket_env::rules::FirstLead;
use newmarket_env::{
    Action, Card, Event, Game, Hands, Name, Observation, Phase, Rng, Seed, Seen, Session, State,
    View, Worlds, narrate,
};
use rayon::prelude::*;

/// About how many deals a test plays.
fn deals(few: usize) -> usize {
    std::env::var("SEEN_DEALS").map_or(few, |many| many.parse().expect("a number of deals"))
}

fn assert_same(seen: &View, state: &State) {
    let truth = state.view(seen.game(), seen.seat());
    assert_eq!(*seen, truth, "seat {}", seen.seat());
    assert_eq!((seen.public(), seen.own()), (truth.public(), truth.own()), "seat {}", seen.seat());
    assert_eq!(Observation::of(seen), Observation::of(&truth), "seat {}", seen.seat());
}

/// Whether the cards alone say who leads, so that others cannot know before the lead.
fn hidden_leader(game: &Game, state: &State) -> bool {
    let lowest = matches!(game.rules().first_lead, FirstLead::LowestOf(_));
    lowest && state.phase() == Phase::Lead && state.view(game, 0).played().is_empty()
}

#[derive(Clone, Copy, Default, Debug)]
struct Counts {
    deals: usize,
    views: usize,
    spoilt: usize,
    refused: usize,
}

impl Counts {
    fn add(mut self, other: Self) -> Self {
        self.deals += other.deals;
        self.views += other.views;
        self.spoilt += other.spoilt;
        self.refused += other.refused;
        self
    }
}

#[expect(clippy::print_stdout, reason = "for whoever asks for more deals by hand")]
fn tell_of(counts: &Counts) {
    println!("{counts:?}");
}

/// All seats of a table, and what they are told.
struct Told<'g> {
    game: &'g Arc<Game>,
    seats: Vec<Seen>,
    rng: Rng,
    counts: Counts,
}

impl Told<'_> {
    /// Tells everybody of steps; now and then something that is not true before, and in pieces.
    fn tell(&mut self, steps: &[(State, Option<Action>, State)]) {
        for seen in &mut self.seats {
            let mut events = Vec::new();
            for (before, action, after) in steps {
                events.extend(narrate(self.game, before, *action, after, Some(seen.seat())));
            }
            if !events.is_empty() && draw(&mut self.rng, 4) == 0 {
                spoil(self.game, seen, &events, &mut self.rng, &mut self.counts);
            }
            let told = seen.events() + events.len();
            if draw(&mut self.rng, 3) == 0 {
                for event in &events {
                    let told = seen.tell(std::slice::from_ref(event));
                    told.unwrap_or_else(|error| panic!("{error}: {event:?} of {events:?}"));
                }
            } else {
                seen.tell(&events).unwrap_or_else(|error| panic!("{error}: {events:?}"));
            }
            assert_eq!(seen.events(), told);
            assert_eq!(seen.due(), None, "{events:?}");
        }
    }
}

/// Changes something about events. What is refused changes nothing, and is named.
fn spoil(game: &Game, seen: &mut Seen, events: &[Event], rng: &mut Rng, counts: &mut Counts) {
    let mut wrong = events.to_vec();
    mutate(game, &mut wrong, rng);
    if wrong == events {
        return;
    }
    counts.spoilt += 1;
    let before = seen.clone();
    if let Err(error) = seen.tell(&wrong) {
        counts.refused += 1;
        assert!(error.event <= wrong.len() && !error.problem.is_empty(), "{error}");
        assert_eq!((seen.view(), seen.due()), (before.view(), before.due()));
        assert_eq!(seen.events(), before.events());
    }
    *seen = before;
}

fn mutate(game: &Game, events: &mut Vec<Event>, rng: &mut Rng) {
    let at = draw(rng, events.len());
    let any_seat = draw(rng, 9);
    let any_card = Name::of(Card::from_index(draw(rng, 52)), game.rules().aces);
    match draw(rng, 6) {
        0 => drop(events.remove(at)),
        1 => events.insert(at, events[at].clone()),
        2 => {
            let other = draw(rng, events.len());
            events.swap(at, other);
        }
        3 => events[at] = any_event(any_seat, any_card, rng),
        _ => match &mut events[at] {
            Event::Lead { seat, card }
            | Event::Play { seat, card }
            | Event::Stop { seat, card, .. } => {
                if draw(rng, 2) == 0 {
                    *seat = any_seat;
                } else {
                    *card = any_card;
                }
            }
            Event::Ante { layout, .. } => {
                if let Some(chips) = layout.first_mut() {
                    *chips += [1, -1, i32::MAX][draw(rng, 3)].min(i32::MAX - *chips);
                }
            }
            Event::Deal { hands, .. } => {
                if let Some(hand) = hands.iter_mut().find(|hand| !hand.is_empty()) {
                    hand[0] = any_card;
                }
            }
            Event::Keep { seat }
            | Event::Pass { seat }
            | Event::Check { seat, .. }
            | Event::Claim { seat, .. }
            | Event::PassLead { seat }
            | Event::Out { seat }
            | Event::Collect { seat, .. } => *seat = any_seat,
            Event::SetApart { cards, .. } | Event::Exchange { hand: Some(cards), .. } => {
                cards.push(any_card);
            }
            Event::Showdown { shown: Some(shown), .. } => {
                if let Some(cards) = shown.values_mut().next() {
                    cards[0] = any_card;
                }
            }
            other => *other = any_event(any_seat, any_card, rng),
        },
    }
}

fn any_event(seat: usize, card: Name, rng: &mut Rng) -> Event {
    match draw(rng, 12) {
        0 => Event::Lead { seat, card },
        1 => Event::Play { seat, card },
        2 => Event::PassLead { seat },
        3 => Event::Out { seat },
        4 => Event::NoWinner {},
        5 => Event::Exchange { seat, paid: 0, to: None, dead: Vec::new(), hand: Some(vec![card]) },
        6 => Event::Ante { seat, kitty: 1, layout: vec![1, -1, i32::MAX] },
        7 => Event::Deal { hands: vec![vec![card]; seat], dead: Vec::new() },
        8 => Event::Collect { seat, cell: "RUN".into(), chips: 1 },
        9 => Event::SetApart { seat, cards: vec![card; 5] },
        10 => Event::Raise { seat, chips: 2 },
        _ => Event::Leftover { from: "KQ".into(), seat, chips: 3 },
    }
}

/// Plays a session at random. At every decision every seat's view is that of the state.
fn session(game: &Arc<Game>, seed: Seed, most_deals: u32) -> Counts {
    let mut session = Session::new(game, seed);
    let mut rng = seed.child(7).rng();
    let mut counts = Counts::default();
    loop {
        let start = *session.deal_start();
        let seats = start.seats_in.iter();
        let seats: Vec<Seen> =
            seats.map(|seat| Seen::new(game.clone(), seat, &start).expect("a deal")).collect();
        let rng_told = seed.child(8).child(u64::from(session.deal_number())).rng();
        let mut told = Told { game, seats, rng: rng_told, counts };
        let mut state = State::new(game, &start);
        told.tell(&[(State::blank(&start), None, state)]);
        while !state.is_over() {
            let before = state;
            if state.phase() == Phase::Deal {
                state.deal(game, &session.hands(game));
                told.tell(&[(before, None, state)]);
            } else {
                decide(&mut told, &mut state, &mut rng);
            }
        }
        for seen in &told.seats {
            assert_same(&seen.view(), &state);
            told.counts.views += 1;
        }
        counts = told.counts;
        counts.deals += 1;
        session.close(game, &mut state);
        if session.is_over() || session.deal_number() > most_deals {
            return counts;
        }
    }
}

/// One whole decision, taken by what the seat itself knows.
fn decide(told: &mut Told, state: &mut State, rng: &mut Rng) {
    let game = told.game;
    let actor = state.actor().expect("a decision is due");
    for seen in told.seats.iter_mut().filter(|seen| seen.seat() != actor) {
        if !hidden_leader(game, state) {
            assert_eq!(seen.due(), None);
            assert_same(&seen.view(), state);
            told.counts.views += 1;
            assert!(seen.asked().is_err(), "seat {} is not to act", seen.seat());
        }
    }
    let truth = *state;
    let mut at = truth;
    let seen = told.seats.iter_mut().find(|seen| seen.seat() == actor).expect("it is in");
    assert_same(&seen.asked().expect("it is to act"), &truth);
    let views = &mut told.counts.views;
    let actions = seen.decide(|view| {
        while at.legal(game).is_forced() {
            at.apply(game, at.legal(game).first().expect("one")).expect("it is legal");
        }
        assert_same(view, &at);
        *views += 1;
        let action = pick(view.legal(), rng);
        at.apply(game, action).expect("it is legal");
        action
    });
    let mut steps = Vec::new();
    for action in actions.expect("it is to act") {
        let before = *state;
        state.apply(game, action).expect("it is legal");
        steps.push((before, Some(action), *state));
    }
    told.tell(&steps);
}

#[test]
fn a_seat_knows_what_the_state_shows_in_every_game() {
    let tables = all_tables();
    let sessions = deals(4_000) / tables.len() / 3 + 1;
    let counts = tables
        .into_par_iter()
        .map(|game| {
            let game = Arc::new(game);
            let mut counts = Counts::default();
            for nth in 0..sessions as u64 {
                about(
                    &format!("{}, {} players, {nth}", game.rules().title(), game.players()),
                    || {
                        let one = session(&game, Seed::new(nth).child(21), 3);
                        counts = counts.add(one);
                    },
                );
            }
            counts
        })
        .reduce(Counts::default, Counts::add);
    tell_of(&counts);
    assert!(
        counts.views > 20 * counts.deals && counts.refused * 10 > counts.spoilt * 8,
        "{counts:?}"
    );
}

#[test]
fn and_under_any_rules() {
    let counts = (0..deals(2_500) as u64 / 2)
        .into_par_iter()
        .map(|case| {
            let seed = Seed::new(case).child(22);
            let base = ["three-in-one", "newmarket", "four-horses"][case as usize % 3];
            let (game, text) = any_rules::game_of(base, &mut seed.rng());
            let mut counts = Counts::default();
            about(&format!("case {case}\n{text}"), || counts = session(&Arc::new(game), seed, 4));
            counts
        })
        .reduce(Counts::default, Counts::add);
    tell_of(&counts);
    assert!(counts.deals > counts.views / 1000);
}

/// A deal from these cards, by these decisions, as a seat is told of it. What other seats set apart
/// unseen is any five.
fn telling(
    game: &Game,
    seed: Seed,
    hands: &Hands,
    actions: &[Action],
    viewer: usize,
    seen_apart: impl Fn(usize) -> bool,
) -> Option<(String, State)> {
    let start = *Session::single_deal(game, seed).deal_start();
    let mut state = State::new(game, &start);
    let mut events = narrate(game, &State::blank(&start), None, &state, Some(viewer));
    let mut actions = actions.iter();
    loop {
        let before = state;
        let mut action = None;
        if state.phase() == Phase::Deal {
            state.deal(game, hands);
        } else {
            let Some(&next) = actions.next() else { break };
            action = match state.phase() {
                Phase::SetApart if !state.actor().is_some_and(&seen_apart) => {
                    state.legal(game).first()
                }
                _ => Some(next),
            };
            state.apply(game, action?).ok()?;
        }
        events.extend(narrate(game, &before, action, &state, Some(viewer)));
    }
    Some((serde_json::to_string(&events).expect("JSON"), state))
}

/// Draws other hidden cards at decisions of a random deal; what the seat was told is the same.
fn resample(game: &Game, seed: Seed) -> usize {
    let mut rng = seed.child(3).rng();
    let start = *Session::single_deal(game, seed).deal_start();
    let dealt = game.shuffle_and_deal(&mut rng, start.dealer, start.seats_in);
    let mut state = State::new(game, &start);
    let (mut actions, mut compared) = (Vec::new(), 0);
    while !state.is_over() {
        if state.phase() == Phase::Deal {
            state.deal(game, &dealt);
            continue;
        }
        let viewer = state.actor().expect("a decision is due");
        let view = state.view(game, viewer);
        if view.is_dealt() && draw(&mut rng, 2) == 0 {
            let mut other = Worlds::of(&view).draw(&mut rng);
            for seat in 0..game.players() {
                other.seats[seat] |= view.played_by(seat);
            }
            if let Some(seat) = view.exchanger() {
                std::mem::swap(&mut other.seats[seat], &mut other.dead);
            }
            let staying = state.seats_in() - view.folded();
            let in_play = state.phase() == Phase::Lead && staying.len() > 1;
            let known = |seat| seat == viewer || in_play && staying.contains(seat);
            let truth = telling(game, seed, &dealt, &actions, viewer, |_| true);
            let again = telling(game, seed, &other, &actions, viewer, known);
            let told = |deal: Option<(String, State)>| deal.expect("it can be played").0;
            assert_eq!(told(truth), told(again));
            compared += 1;
        }
        let action = pick(state.legal(game), &mut rng);
        actions.push(action);
        state.apply(game, action).expect("it is legal");
    }
    compared
}

#[test]
fn other_hidden_cards_change_no_byte_of_what_a_seat_is_told() {
    let compared: usize = all_tables()
        .into_par_iter()
        .map(|game| (0..20).map(|nth| resample(&game, Seed::new(nth).child(23))).sum::<usize>())
        .sum();
    assert!(compared > 10_000, "{compared}");
    (0..1_000).into_par_iter().for_each(|case| {
        let seed = Seed::new(case).child(24);
        let base = ["three-in-one", "newmarket", "four-horses"][case as usize % 3];
        let (game, text) = any_rules::game_of(base, &mut seed.rng());
        about(&text, || {
            resample(&game, seed);
        });
    });
}
