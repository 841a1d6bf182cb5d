//! Random games, deals and sessions for the tests of traces, written with the referee alone.

#![allow(dead_code, reason = "each test file uses a part")]

use newmarket_env::rules::{Bankroll, FirstDealer, Leftover, NAMES, OnBust};
use newmarket_env::seed::{below, shuffle};
use newmarket_env::trace::{InSession, Pile};
use newmarket_env::{DealStart, Game, Record, Referee, Rng, Rules};
use serde_json::{Map, Value, json};

/// One of these.
pub(crate) fn pick<T: Clone>(rng: &mut Rng, from: &[T]) -> T {
    from[below(rng, from.len() as u32) as usize].clone()
}

/// A deal of random decisions.
pub(crate) fn deal<'g>(game: &'g Game, deal_start: DealStart, rng: &mut Rng) -> Referee<'g> {
    let mut pack: Vec<_> = game.pack().iter().collect();
    shuffle(&mut pack, rng);
    let decide = |_: &Referee<'_>, _, legal: newmarket_env::ActionMask| {
        // Auctions go on for a while.
        let n = below(rng, legal.len() as u32) as usize;
        Ok::<_, std::convert::Infallible>(legal.nth(n).unwrap())
    };
    Referee::play(game, deal_start, &pack, decide).unwrap()
}

/// A deal on its own, with chips on the table from before.
pub(crate) fn single(game: &Game, rng: &mut Rng) -> Record {
    let mut deal_start =
        DealStart::fresh(game.players(), below(rng, game.players() as u32) as usize);
    if below(rng, 2) == 0 {
        for cell in 0..game.cells() {
            deal_start.layout[cell] = below(rng, 9) as i32;
        }
        if game.rules().has_kitty() {
            deal_start.kitty = below(rng, 9) as i32;
        }
        for seat in 0..game.players() {
            deal_start.stacks[seat] = below(rng, 99) as i32 - 50;
        }
    }
    Record::of(&deal(game, deal_start, rng), InSession::default())
}

/// A whole session.
pub(crate) fn session(game: &Game, rng: &mut Rng) -> Vec<Record> {
    let rules = game.rules();
    let players = game.players();
    let mut dealer = below(rng, players as u32) as usize;
    if let FirstDealer::Seat(seat) = rules.session.first_dealer {
        dealer = seat;
    }
    let mut deal_start = DealStart::fresh(players, dealer);
    let mut on_bust = None;
    let mut bank = 0;
    if let Bankroll::Chips { start, on_bust: bust } = rules.session.bankroll {
        deal_start.credit = false;
        deal_start.stacks[..players].fill(start);
        on_bust = Some(bust);
        bank = start;
    }
    let mut records = Vec::new();
    for number in 1.. {
        let ante = |seat: usize, dealer: usize| rules.full_ante(seat == dealer);
        let mut rebuys = Vec::new();
        if on_bust == Some(OnBust::Rebuy) {
            for seat in 0..players {
                if deal_start.stacks[seat] < ante(seat, deal_start.dealer) {
                    rebuys.push((seat, bank - deal_start.stacks[seat]));
                    deal_start.stacks[seat] = bank;
                }
            }
        }
        let played = deal(game, deal_start, rng);
        let mut next = deal_start;
        next.stacks[..players].copy_from_slice(played.stacks());
        next.layout[..game.cells()].copy_from_slice(played.layout());
        next.kitty = played.kitty();
        next.dealer = deal_start.seats_in.left_of(deal_start.dealer);
        let mut over = number == rules.session.deals;
        if on_bust == Some(OnBust::EndSession) {
            over |= (0..players).any(|seat| next.stacks[seat] < ante(seat, next.dealer));
        }
        if on_bust == Some(OnBust::Eliminate) {
            while !next.seats_in.is_empty() && next.stacks[next.dealer] < rules.full_ante(true) {
                next.seats_in.remove(next.dealer);
                if !next.seats_in.is_empty() {
                    next.dealer = next.seats_in.left_of(next.dealer);
                }
            }
            for seat in 0..players {
                if seat != next.dealer && next.stacks[seat] < rules.full_ante(false) {
                    next.seats_in.remove(seat);
                }
            }
            over |= next.seats_in.len() < rules.players.0;
        }
        let mut gifts = Vec::new();
        if over && rules.session.leftover != Leftover::Stay {
            let seats: Vec<usize> = deal_start.seats_in.iter().collect();
            let most = seats.iter().map(|&seat| next.stacks[seat]).max().unwrap();
            let richest = *seats.iter().find(|&&seat| next.stacks[seat] == most).unwrap();
            let mut give = |pile, chips| {
                if chips > 0 {
                    let lot = rules.session.leftover == Leftover::Lot;
                    gifts.push((pile, if lot { pick(rng, &seats) } else { richest }, chips));
                }
            };
            for cell in 0..game.cells() {
                give(Pile::Cell(cell), next.layout[cell]);
            }
            give(Pile::Kitty, next.kitty);
        }
        let deal = Some(number);
        let extra = InSession { deal, rebuys: &rebuys, leftover: &gifts };
        records.push(Record::of(&played, extra));
        if over {
            break;
        }
        deal_start = next;
    }
    records
}

/// A named game with random changes.
pub(crate) fn any_game(rng: &mut Rng) -> Game {
    loop {
        let base = pick(rng, &NAMES);
        // A cap and free antes do not go with it.
        let poker = base == "three-in-one";
        let mut changes = Map::new();
        let mut change = |rng: &mut Rng, key: &str, values: Value| {
            let given = poker && key == "cell_cap";
            if below(rng, 5) == 0 && !given {
                changes.insert(key.into(), pick(rng, values.as_array().unwrap()));
            }
        };
        change(rng, "aces", json!(["low", "high"]));
        change(rng, "ranks", json!([13, 11, 6, 3]));
        change(rng, "suits", json!([4, 3, 2]));
        change(rng, "players", json!([[2, 8], [2, 5], [2, 4], [3, 8]]));
        change(rng, "removed", json!([[], ["8D"], ["2C", "3C", "5D"], ["KS", "AS"]]));
        change(
            rng,
            "cells",
            json!([["2C", "3C"], ["2D", { "card": "KH", "claimed_by": "3D" }], [],
            ["2C", "3C", "4C", "2D", "3D", "4D", "5C", "5D"],
            ["3D", { "name": "PAIR", "claimed_by": ["2C", "2D"] }, { "name": "RUN",
              "claimed_by": [["3C", "4C"], ["5C", "6C"], ["3D", "4D"]] }]]),
        );
        change(rng, "stages", json!([["collect"], ["collect", "poker"], ["poker", "collect"]]));
        change(rng, "kitty_ante", json!([0, 1, 3]));
        let mut antes = json!([{ "fixed": { "each": 1, "dealer": 2 } },
            { "fixed": { "each": 3, "dealer": 0 } }]);
        if !poker {
            let free = [(3, 5), (0, 2)];
            antes.as_array_mut().unwrap().extend(free.map(|(chips, dealer_chips)| {
                json!({ "free": { "chips": chips, "dealer_chips": dealer_chips } })
            }));
        }
        change(rng, "layout_ante", antes);
        change(rng, "cell_cap", json!([1, 3, 6, 10]));
        change(rng, "timing", json!(["before_deal", "after_look"]));
        change(
            rng,
            "dead_hand",
            json!([{ "position": "none", "remainder": "rotation" },
            { "position": "first" }, { "position": "before_dealer" }, { "position": "last" },
            { "position": "first", "remainder": "dead_hand" }, { "remainder": "dead_hand" }]),
        );
        change(
            rng,
            "exchange",
            json!(["none", { "dealer_exchange": { "fee": 7 } },
            { "dealer_exchange": { "fee": 0 } }, { "dealer_exchange_or_auction": { "max_bid": 2 } },
            { "dealer_exchange_or_auction": { "max_bid": 20 } },
            { "offer_chain": { "price": 2 } }, { "offer_chain": { "price": 0 } }]),
        );
        change(
            rng,
            "first_lead",
            json!(["eldest", { "lowest_of": "diamonds" },
            { "lowest_of": "spades" }]),
        );
        if poker {
            change(rng, "claim_when", json!(["played"]));
        }
        change(rng, "kitty_to_winner", json!([true, false]));
        change(rng, "change_suit", json!(["free", "else_same", "else_pass", "other_colour"]));
        change(rng, "per_card", json!([0, 1, 5]));
        let mut session = Map::new();
        session.insert("deals".into(), json!(pick(rng, &[1, 3, 8])));
        session.insert("leftover".into(), json!(pick(rng, &["stay", "lot", "richest"])));
        let bust = pick(rng, &["end_session", "eliminate", "rebuy", "eliminate"]);
        if below(rng, 3) > 0 {
            let start = pick(rng, &[6, 9, 12, 20, 30]);
            session
                .insert("bankroll".into(), json!({ "chips": { "start": start, "on_bust": bust } }));
        }
        session.insert(
            "first_dealer".into(),
            pick(rng, &[json!("cut"), json!("first_jack"), json!(1)]),
        );
        changes.insert("session".into(), Value::Object(session));
        if let Ok(rules) = Rules::from_overrides(base, &changes) {
            let (least, most) = rules.players;
            let players = least + below(rng, (most - least) as u32 + 1) as usize;
            if let Ok(game) = Game::new(rules, players) {
                return game;
            }
        }
    }
}
