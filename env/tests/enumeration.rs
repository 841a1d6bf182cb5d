//! Inference and worlds against brute force.
//!
//! At a seat's decision, every deal of the cards that it has not seen is played through by the
//! referee, from the antes on, with the decisions that were taken. Those that give the same record
//! are the consistent ones: what is certain, how many there are, how likely a card is somewhere,
//! and what is drawn must be just that.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::{about, any_rules, cards, draw, house, one_of, pick, table};
use newmarket_env::rules::{NAMES, Stage};
use newmarket_env::worlds::{DEAD, PLACES};
use newmarket_env::{
    Aces, Action, ActionMask, Card, CardSet, DealStart, Event, Game, Hands, Inference, MAX_PLAYERS,
    Phase, Referee, Rng, Rules, Seed, Session, State, View, Worlds,
};
use rayon::prelude::*;

/// What a seat has seen: its hands, and the events with what others do unseen left out.
fn seen(events: &[Event], viewer: usize) -> Vec<Event> {
    let shown: BTreeSet<usize> = events
        .iter()
        .filter_map(|event| match event {
            Event::Showdown { hands: Some(hands), .. } => Some(hands),
            _ => None,
        })
        .flat_map(|hands| hands.keys().map(|seat| seat.parse().expect("a seat")))
        .collect();
    let mut events = events.to_vec();
    for event in &mut events {
        match event {
            Event::Deal { hands, dead } => {
                dead.clear();
                let others = hands.iter_mut().enumerate().filter(|(seat, _)| *seat != viewer);
                others.for_each(|(_, hand)| hand.clear());
            }
            Event::Exchange { seat, dead, .. } if *seat != viewer => dead.clear(),
            Event::SetApart { seat, cards } if *seat != viewer && !shown.contains(seat) => {
                cards.clear();
            }
            _ => {}
        }
    }
    events
}

/// A deal up to a decision of some seat, or to its end.
struct Course<'g> {
    game: &'g Game,
    deal_start: DealStart,
    actions: Vec<Action>,
    exchanger: Option<usize>,
    /// Seats whose five cards everybody has seen.
    shown: Vec<usize>,
}

/// Where a deal stands: the events, and whose decision it is with which choices.
type Point = (Vec<Event>, Option<(usize, ActionMask)>);

impl Course<'_> {
    /// The same decisions, if the cards lie like this at the end of them: what the viewer then
    /// sees, or nothing if they are not possible.
    fn again(&self, world: &Hands, played: &[CardSet], viewer: usize) -> Option<Point> {
        // The hands as they were dealt.
        let mut dealt = *world;
        for (seat, &played) in played.iter().enumerate() {
            dealt.seats[seat] |= played;
        }
        if let Some(seat) = self.exchanger {
            std::mem::swap(&mut dealt.seats[seat], &mut dealt.dead);
        }
        let pack = pack_of(self.game, &dealt, &self.deal_start)?;
        let mut actions = self.actions.iter();
        let mut stopped = None;
        let replay = Referee::play(self.game, self.deal_start, &pack, |referee, seat, legal| {
            let Some(&action) = actions.next() else {
                let events = referee.events().to_vec();
                stopped = Some((events, Some((seat, legal))));
                return Err(());
            };
            let unseen = action.card().is_some() && seat != viewer && !self.shown.contains(&seat);
            Ok(if unseen { legal.first().expect("there is a choice") } else { action })
        });
        let (events, due) = match (replay, stopped) {
            (Ok(over), _) => (over.events().to_vec(), None),
            (Err(_), Some(point)) => point,
            (Err(_), None) => return None,
        };
        Some((seen(&events, viewer), due))
    }
}

/// A pack that deals these hands.
fn pack_of(game: &Game, hands: &Hands, deal_start: &DealStart) -> Option<Vec<Card>> {
    let all: Vec<Card> = game.pack().iter().collect();
    let order = game.deal(&all, deal_start.dealer, deal_start.seats_in);
    let mut pack = all.clone();
    let mut put = |places: CardSet, cards: CardSet| {
        (places.len() == cards.len()).then(|| {
            for (place, card) in places.iter().zip(cards) {
                let index = all.iter().position(|&other| other == place).expect("in the pack");
                pack[index] = card;
            }
        })
    };
    for seat in 0..game.players() {
        put(order.seats[seat], hands.seats[seat])?;
    }
    put(order.dead, hands.dead)?;
    Some(pack)
}

/// All ways to deal these cards to hands of these sizes.
fn deals(cards: &[Card], sizes: &[(usize, usize)], hands: Hands, each: &mut impl FnMut(&Hands)) {
    let Some((&card, rest)) = cards.split_first() else { return each(&hands) };
    for (nth, &(place, room)) in sizes.iter().enumerate() {
        if room > 0 {
            let mut hands = hands;
            match place {
                DEAD => hands.dead.insert(card),
                seat => hands.seats[seat].insert(card),
            }
            let mut sizes = sizes.to_vec();
            sizes[nth].1 -= 1;
            deals(rest, &sizes, hands, each);
        }
    }
}

fn multinomial(sizes: &[(usize, usize)]) -> f64 {
    let mut ways = 1.0;
    let mut placed = 0;
    for &(_, size) in sizes {
        for k in 1..=size {
            placed += 1;
            ways *= f64::from(placed) / k as f64;
        }
    }
    ways
}

/// Hands in an order.
fn key(hands: &Hands) -> ([CardSet; MAX_PLAYERS], CardSet) {
    (hands.seats, hands.dead)
}

/// All deals that are consistent with what the viewer has seen, by brute force; nothing if there
/// would be too many to try.
fn consistent(course: &Course, view: &View, point: &Point, most: f64) -> Option<Vec<Hands>> {
    let game = course.game;
    let mut known = Hands::default();
    known.seats[view.seat()] = view.hand();
    let mut sizes: Vec<(usize, usize)> = (0..game.players())
        .filter(|&seat| seat != view.seat())
        .map(|seat| (seat, view.hand_size(seat)))
        .collect();
    let mut unseen = game.pack() - view.hand() - view.played();
    if course.exchanger == Some(view.seat()) {
        // It has discarded these itself.
        known.dead = view.known_dead();
        assert_eq!(known.dead.len(), view.dead_size());
        unseen -= known.dead;
    } else {
        sizes.push((DEAD, view.dead_size()));
    }
    if multinomial(&sizes) > most {
        return None;
    }
    let played: Vec<CardSet> = (0..game.players()).map(|seat| view.played_by(seat)).collect();
    let expected = (seen(&point.0, view.seat()), point.1);
    let mut worlds = Vec::new();
    let unseen: Vec<Card> = unseen.iter().collect();
    deals(&unseen, &sizes, known, &mut |world| {
        if course.again(world, &played, view.seat()).as_ref() == Some(&expected) {
            worlds.push(*world);
        }
    });
    Some(worlds)
}

/// What a comparison has gone through.
#[derive(Clone, Copy, Default, Debug)]
struct Tally {
    views: u32,
    worlds: usize,
    narrowed: u32,
    joint: u32,
}

/// All that is claimed about the view, against the list of what is consistent with it.
fn compare(view: &View, worlds: &[Hands], rng: &mut Rng) -> Tally {
    assert!(!worlds.is_empty(), "the truth is consistent");
    let places = |hands: &Hands| {
        let mut places = [hands.dead; PLACES];
        places[..MAX_PLAYERS].copy_from_slice(&hands.seats);
        places
    };
    let (mut some, mut all) = ([CardSet::EMPTY; PLACES], [CardSet::ALL; PLACES]);
    let mut counts = [[0_u32; 52]; PLACES];
    for world in worlds {
        for (place, cards) in places(world).into_iter().enumerate() {
            some[place] |= cards;
            all[place] &= cards;
            cards.iter().for_each(|card| counts[place][card.index()] += 1);
        }
    }
    let mut expected =
        Inference { may_be_dead: some[DEAD], dead: all[DEAD], ..Inference::default() };
    expected.possible.copy_from_slice(&some[..MAX_PLAYERS]);
    expected.certain.copy_from_slice(&all[..MAX_PLAYERS]);
    assert_eq!(view.infer(), expected, "of {} worlds", worlds.len());

    let drawn_from = Worlds::of(view);
    let total = worlds.len() as f64;
    assert!((drawn_from.count() / total - 1.0).abs() < 1e-9, "{} for {total}", drawn_from.count());
    for (place, chances) in drawn_from.chances().iter().enumerate() {
        for (index, chance) in chances.iter().enumerate() {
            let exact = f64::from(counts[place][index]) / total;
            assert!((chance - exact).abs() < 1e-9, "card {index} in {place}: {chance}, {exact}");
        }
    }
    let index: BTreeMap<_, usize> =
        worlds.iter().enumerate().map(|(nth, world)| (key(world), nth)).collect();
    let mut drawn = vec![0_u32; worlds.len()];
    let times = if worlds.len() <= 60 { 40 * worlds.len() } else { 60 };
    for _ in 0..times {
        let world = drawn_from.draw(rng);
        drawn[*index.get(&key(&world)).expect("what is drawn is consistent")] += 1;
        let state = view.determinize(&world);
        assert_eq!(key(&state.hands()), key(&world));
        assert_eq!(state.view(view.game(), view.seat()), *view, "a sampled deal looks the same");
    }
    if worlds.len() > 1 && worlds.len() <= 60 {
        let expected = times as f64 / total;
        let chi2: f64 = drawn.iter().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
        let freedom = total - 1.0;
        // Some thousand of these are drawn: six standard deviations, and room for few degrees.
        assert!(chi2 < freedom + 6.0 * (2.0 * freedom).sqrt() + 15.0, "{chi2} for {freedom}");
    }
    let hidden = view.hidden();
    let narrowed = (0..view.game().players())
        .filter(|&seat| seat != view.seat() && view.hand_size(seat) > view.shown(seat).len())
        .any(|seat| some[seat] - view.shown(seat) != hidden);
    let held = view.game().rules().has(Stage::Collect);
    let cells = &view.game().rules().cells;
    let joint = held
        && cells.iter().flat_map(|cell| &cell.claimed_by).any(|&set| {
            set.len() > 1 && view.game().pack().is_superset(set) && hidden.is_superset(set)
        });
    Tally { views: 1, worlds: worlds.len(), narrowed: u32::from(narrowed), joint: u32::from(joint) }
}

/// One deal at random, with a comparison at each decision that is small enough.
fn deal(game: &Game, deal_start: DealStart, rng: &mut Rng, most: f64) -> Tally {
    let pack = game.shuffle(rng);
    let pack = pack.cards();
    let mut course =
        Course { game, deal_start, actions: Vec::new(), exchanger: None, shown: Vec::new() };
    let mut tally = Tally::default();
    let mut state = State::new(game, &deal_start);
    let deal_if_due = |state: &mut State| {
        if state.phase() == Phase::Deal {
            state.deal(game, &game.deal(pack, deal_start.dealer, deal_start.seats_in));
        }
    };
    let mut check = |course: &Course, view: &View, point: &Point, rng: &mut Rng| {
        if let Some(worlds) = consistent(course, view, point, most) {
            let one = compare(view, &worlds, rng);
            tally.views += one.views;
            tally.worlds += one.worlds;
            tally.narrowed += one.narrowed;
            tally.joint += one.joint;
        }
    };
    let over = Referee::play(game, deal_start, pack, |referee, seat, legal| {
        deal_if_due(&mut state);
        let view = state.view(game, seat);
        course.exchanger = view.exchanger();
        if view.is_dealt() && (legal.len() > 1 || draw(rng, 4) == 0) {
            course.shown = shown(referee.events());
            check(&course, &view, &(referee.events().to_vec(), Some((seat, legal))), rng);
        }
        let action = pick(legal, rng);
        state.apply(game, action).expect("it is legal");
        course.actions.push(action);
        Ok::<_, ()>(action)
    })
    .expect("a deal can be played");
    deal_if_due(&mut state);
    course.shown = shown(over.events());
    let viewer = draw(rng, game.players());
    let view = state.view(game, viewer);
    course.exchanger = view.exchanger();
    if deal_start.seats_in.contains(viewer) {
        check(&course, &view, &(over.events().to_vec(), None), rng);
    }
    tally
}

fn shown(events: &[Event]) -> Vec<usize> {
    let hands = events.iter().filter_map(|event| match event {
        Event::Showdown { hands: Some(hands), .. } => Some(hands),
        _ => None,
    });
    hands.flat_map(|hands| hands.keys().map(|seat| seat.parse().expect("a seat"))).collect()
}

fn sum(a: Tally, b: Tally) -> Tally {
    Tally {
        views: a.views + b.views,
        worlds: a.worlds + b.worlds,
        narrowed: a.narrowed + b.narrowed,
        joint: a.joint + b.joint,
    }
}

/// Deals of random games, in parallel.
fn deals_of(cases: u64, game: impl Fn(&mut Rng) -> (Game, String) + Sync, most: f64) -> Tally {
    let one = |case: u64| {
        let mut rng = Seed::new(case).child(41).rng();
        let (game, text) = game(&mut rng);
        let mut deal_start = *Session::single_deal(&game, Seed::new(case)).deal_start();
        if game.players() > 3 && draw(&mut rng, 4) == 0 {
            // One seat has been eliminated.
            deal_start.seats_in.remove((deal_start.dealer + 2) % game.players());
        }
        if !game.rules().stages.is_empty() {
            // Few chips, so that shares of nothing come up.
            for chips in &mut deal_start.layout[..game.cells()] {
                *chips = draw(&mut rng, 3) as i32;
            }
        }
        let mut tally = Tally::default();
        about(&format!("case {case}, {} players\n{text}", game.players()), || {
            tally = deal(&game, deal_start, &mut rng, most);
        });
        tally
    };
    (0..cases).into_par_iter().map(one).reduce(Tally::default, sum)
}

#[test]
fn random_rules() {
    let tally = deals_of(12_000, any_rules::game, 500.0);
    assert!(tally.views > 6_000 && tally.narrowed > 1_000, "{tally:?}");
}

#[test]
fn every_named_game() {
    for name in NAMES {
        let tally = deals_of(300, |rng| any_rules::game_of(name, rng), 1_000.0);
        assert!(tally.views > 20, "{name}: {tally:?}");
        let (least, most) = Rules::named(name).expect("a named game").players;
        let as_it_is =
            |rng: &mut Rng| (table(name, least + draw(rng, most - least + 1)), name.to_string());
        let tally = deals_of(300, as_it_is, 1_000.0);
        assert!(tally.views > 10, "{name} as it is: {tally:?}");
    }
}

/// Three in One with a pack of 14 to 19 cards, its pay cards and several runs among them.
fn small_three_in_one(rng: &mut Rng) -> (Game, String) {
    let players = 2 + draw(rng, 2);
    let position = one_of(rng, &["last", "last", "first", "none"]);
    let hands = players + usize::from(position != "none");
    let mut pack = cards("TH JH QH KH AH", Aces::High);
    for run in ["8H 9H", "8C 9C TC", "8D 9D TD", "8S 9S TS"] {
        if pack.len() + 3 <= 5 * hands && draw(rng, 3) > 0 {
            pack |= cards(run, Aces::High);
        }
    }
    if !["8H", "8C", "8D", "8S"].iter().any(|card| pack.is_superset(cards(card, Aces::High))) {
        pack |= cards("8H 9H", Aces::High);
    }
    while pack.len() < 5 * hands {
        pack.insert(Card::from_index(draw(rng, 52)));
    }
    let removed = (!pack).notation(Aces::High);
    let change = one_of(rng, &["free", "else_same", "else_pass", "other_colour"]);
    let lead = one_of(rng, &["\"eldest\"", "\"poker_winner\"", "{ lowest_of = \"clubs\" }"]);
    let exchange = match position {
        "none" => "\"none\"",
        _ => one_of(rng, &["\"none\"", "{ dealer_exchange = { fee = 0 } }"]),
    };
    let each = draw(rng, 2);
    let text = format!(
        "players = [2, 4]\nremoved = {removed:?}\nchange_suit = {change:?}\n\
         first_lead = {lead}\nexchange = {exchange}\n\
         dead_hand = {{ position = {position:?}, remainder = \"rotation\" }}\n\
         layout_ante = {{ fixed = {{ each = {each}, dealer = {each} }} }}"
    );
    (house("three-in-one", &text, players), text)
}

#[test]
fn sets_of_cards_that_somebody_does_or_does_not_hold_together() {
    let tally = deals_of(3_000, small_three_in_one, 300.0);
    assert!(tally.views > 3_000 && tally.joint > 300, "{tally:?}");
}
