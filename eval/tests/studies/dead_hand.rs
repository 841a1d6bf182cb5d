//! Offers to later seats and auctions, against deals that are played by hand.

use std::sync::Arc;

use newmarket_agents::strategy::Strategy;
use newmarket_agents::{Agent, OpenView, Player, Table};
use newmarket_env::{Action, Game, Phase, Rng, Seed, View};
use newmarket_eval::study::{Payoff, Section, Setting, Study};

use crate::{figure, game, study};

/// Seven cards, none of which follows another, for three players: eldest, who has two of them, plays both and
/// is out. The others pay three chips for each of their two cards, or for one who has taken the dead hand.
const LOSERS_PAY: &str = "\
    players = [3, 3]\nranks = 5\nsuits = 3\ncells = []\nper_card = 3\nkitty_ante = 0\nkitty_to_winner = true\n\
    removed = [\"2C\", \"4C\", \"2D\", \"4D\", \"2H\", \"4H\", \"3H\", \"5H\"]\n\
    layout_ante = { fixed = { each = 0, dealer = 0 } }\n\
    dead_hand = { position = \"last\", remainder = \"rotation\" }\nsession = { deals = 1 }\n";
const AUCTION: &str = "exchange = { dealer_exchange_or_auction = { max_bid = 8 } }\n";
const SEED: u64 = 5;
/// The child of the seed for the second scene.
const SECOND: u64 = 3;

/// A dealer who calls an auction, a bidder up to so many chips, else `stopper`.
#[derive(Clone)]
struct Bids(i32);

impl Agent for Bids {
    fn name(&self) -> &'static str {
        "bids"
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        match view.phase() {
            Phase::DeadHand => Action::AUCTION,
            Phase::Auction if view.bid() < self.0 => Action::BID,
            Phase::Auction => Action::PASS,
            _ => stopper().act(view, rng),
        }
    }

    fn another(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}

/// Leaves every dead hand where it is, else `stopper`.
#[derive(Clone)]
struct Keeps;

impl Agent for Keeps {
    fn name(&self) -> &'static str {
        "keeps"
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        let keeps = view.phase() == Phase::DeadHand;
        if keeps { Action::KEEP } else { stopper().act(view, rng) }
    }

    fn another(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}

fn stopper() -> Strategy {
    Strategy::named("stopper").unwrap()
}

fn among(field: &Player, game: &Arc<Game>, deals: u64, payoff: Payoff) -> Section {
    let player: Player = stopper().into();
    let setting = Setting { game: game.clone(), field, player: &player, deals, seed: SEED, payoff };
    Study::DeadHand.run(&setting, &|_| {}).unwrap()
}

/// The table whose caption has these words.
fn table(section: &Section, words: &str) -> usize {
    let found = section.tables.iter().position(|table| table.caption.contains(words));
    found.unwrap_or_else(|| panic!("{words}: {section:?}"))
}

/// A figure that is the same in all deals, or in all deals of a place.
fn mean(section: &Section, words: &str, row: &str, column: &str) -> f64 {
    figure(section, table(section, words), row, column).mean
}

fn is(found: f64, truth: f64, what: &str) {
    assert!((found - truth).abs() < 1e-9, "{what}: {found}, {truth}");
}

#[test]
fn a_later_seat_that_has_always_to_take() {
    let text = format!("{LOSERS_PAY}exchange = {{ offer_chain = {{ price = 1 }} }}\n");
    let section = among(&Player::from(Keeps), &game("newmarket", &text, 3), 200, Payoff::Deal);
    // One card less to pay for, and the price of the dead hand.
    let later = "own hand: a later seat";
    is(mean(&section, later, "any", "gain at a price of 1"), 2.0, "any hand");
    for place in ["1", "2"] {
        let row = format!("seats before me: {place}");
        is(mean(&section, later, &row, "gain at a price of 1"), 2.0, place);
    }
}

#[test]
fn later_seats_by_hand() {
    let game = game("newmarket", "exchange = { offer_chain = { price = 2 } }", 4);
    let deals = 200;
    let section = study(Study::DeadHand, &game, deals);
    let mut all = stopper();
    let mut table = Table::new(game);
    let mut by_place = [(0.0, 0_u64); 4];
    for number in 0..deals {
        table.begin(Seed::new(SEED).child(SECOND).child(number));
        while table.view().phase() != Phase::DeadHand {
            table.decide(|table, rng| all.act(&table.view(), rng));
        }
        let place = 1 + (number % 3) as usize;
        for _ in 0..place {
            if table.view().phase() == Phase::DeadHand {
                table.decide(|table, rng| all.act(&table.view(), rng));
            }
        }
        // Somebody before it took the dead hand.
        if table.view().phase() != Phase::DeadHand {
            continue;
        }
        let seat = table.seat();
        assert_eq!((seat + 4 - table.view().eldest()) % 4, place);
        let mut gets = |action| {
            let mut table = table.clone();
            table.take(action);
            let result = table.play_on(|table, rng| all.act(&table.view(), rng));
            f64::from(result.payoffs[seat])
        };
        by_place[place].0 += gets(Action::EXCHANGE) - gets(Action::KEEP);
        by_place[place].1 += 1;
    }
    let all: f64 = by_place.iter().map(|it| it.0).sum();
    let asked: u64 = by_place.iter().map(|it| it.1).sum();
    assert!(asked > 20 && asked < deals, "{asked}");
    let found = mean(&section, "own hand: a later seat", "any", "gain at a price of 2");
    is(found, all / asked as f64, "any hand");
}

#[test]
fn nobody_else_bids() {
    let game = game("newmarket", &format!("{LOSERS_PAY}{AUCTION}"), 3);
    let section = among(&Bids(0).into(), &game, 200, Payoff::Deal);
    // Nobody buys.
    is(mean(&section, "own hand: the dealer", "any", "gain of an auction"), 0.0, "auction");
    is(mean(&section, "own hand: the dealer", "any", "gain of taking"), 3.0, "taking");
    // Eldest wins either way; the other bidder has one card less to pay for.
    let gift = "own hand: a bidder";
    is(mean(&section, gift, "seats before me: 0", "worth as a gift"), 0.0, "eldest");
    is(mean(&section, gift, "seats before me: 1", "worth as a gift"), 3.0, "the other");
    let bidding = table(&section, "over passing");
    let never = figure(&section, bidding, "as bids bids", "gain");
    assert_eq!((never.mean, never.ci95), (0.0, 0.0));
    // For one chip, whatever the limit.
    for limit in [1, 2, 3, 4, 6, 8] {
        let row = format!("up to {limit}");
        is(figure(&section, bidding, &row, "gain").mean, f64::midpoint(-1.0, 2.0), &row);
    }
}

#[test]
fn others_bid_up_to_three() {
    let game = game("newmarket", &format!("{LOSERS_PAY}{AUCTION}"), 3);
    let section = among(&Bids(3).into(), &game, 200, Payoff::Deal);
    // Eldest bids one and three.
    is(mean(&section, "own hand: the dealer", "any", "gain of an auction"), 3.0, "auction");
    // Eldest gets it for three, from that limit on: as much as it loses if the other one has a card less to pay
    // for. The other one needs a bid of four to get it.
    let bidding = table(&section, "over passing");
    for (limit, eldest, other) in
        [(1, 0.0, 0.0), (2, 0.0, 0.0), (3, 0.0, 0.0), (4, 0.0, -1.0), (8, 0.0, -1.0)]
    {
        let row = format!("up to {limit}");
        is(figure(&section, bidding, &row, "gain").mean, f64::midpoint(eldest, other), &row);
    }
    // As the others do.
    is(figure(&section, bidding, "as bids bids", "gain").mean, 0.0, "field");
}

/// Bids at a table of `stopper`, one limit after the other.
#[test]
fn bids_by_hand() {
    let game = game("michigan-auction", "", 4);
    let deals = 300;
    let section = study(Study::DeadHand, &game, deals);
    let mut all = stopper();
    let mut table = Table::new(game.clone());
    let mut gets = |number: u64, limit: i32| -> Option<f64> {
        table.begin(Seed::new(SEED).child(SECOND).child(number));
        let bidder = (table.dealer() + 1 + (number % 3) as usize) % 4;
        let mut decide = |table: &OpenView, rng: &mut Rng| {
            let view = table.view();
            if view.phase() != Phase::Auction || table.seat() != bidder {
                return all.act(&view, rng);
            }
            if view.bid() < limit { Action::BID } else { Action::PASS }
        };
        while table.view().phase() != Phase::Auction {
            table.decide(&mut decide);
            if table.is_over() || table.view().exchanger().is_some() {
                return None;
            }
        }
        let result = table.play_on(&mut decide);
        Some(f64::from(result.payoffs[bidder]))
    };
    let bidding = self::table(&section, "over passing");
    for limit in [1, 4, 10, 20] {
        let gains: Vec<f64> =
            (0..deals).filter_map(|number| Some(gets(number, limit)? - gets(number, 0)?)).collect();
        assert!(gains.len() > 100 && gains.len() < 200, "{}", gains.len());
        let row = format!("up to {limit}");
        let truth = gains.iter().sum::<f64>() / gains.len() as f64;
        is(figure(&section, bidding, &row, "gain").mean, truth, &row);
    }
}

#[test]
fn threads_and_work() {
    for base in ["michigan-auction", "four-horses", "three-in-one"] {
        let game = game(base, "", 4);
        let on = |threads: usize| -> Section {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| among(&stopper().into(), &game, 400, Payoff::Session))
        };
        let (one, two) = (on(1), on(2));
        assert_eq!(one, two, "{base}");
        assert_eq!(one.findings.len(), 2, "{base}");
        let told = std::sync::atomic::AtomicU64::new(0);
        let player: Player = stopper().into();
        let setting = Setting {
            game: game.clone(),
            field: &player,
            player: &player,
            deals: 150,
            seed: 1,
            payoff: Payoff::Session,
        };
        let done = |deals| {
            told.fetch_add(deals, std::sync::atomic::Ordering::Relaxed);
        };
        Study::DeadHand.run(&setting, &done).unwrap();
        assert_eq!(told.into_inner(), Study::DeadHand.work(&game, 150), "{base}");
    }
}

/// A field that never puts the dead hand up for auction says nothing of bidders.
#[test]
fn without_an_auction_nobody_bids() {
    let section = among(&Player::from(Keeps), &game("michigan-auction", "", 4), 130, Payoff::Deal);
    assert_eq!(section.tables.len(), 1);
    let says = |it: &String| it == "Among keeps, a bidder is never asked.";
    assert!(section.findings.iter().any(says), "{:?}", section.findings);
    assert!(section.precision.is_finite());
}
