//! Which game an input is played by: a named one, one of a few houses, or random rules.

use std::sync::Arc;

use newmarket_env::rules::{Bankroll, NAMES};
use newmarket_env::{DealStart, Game, Rules, Seats, Seed};

use super::common::any_rules;
use super::tape::Tape;

/// Named games with changes, for what the named games alone never or hardly ever come to.
const HOUSES: [(&str, &str); 16] = [
    ("newmarket", "cell_cap = 5"),
    ("michigan-free-stakes", "cell_cap = 6\ntiming = \"after_look\""),
    ("michigan", "cell_cap = 2\nlayout_ante = { fixed = { each = 2, dealer = 5 } }"),
    (
        "newmarket",
        "players = [2, 8]\nper_card = 3\n[session]\ndeals = 3\nleftover = \"lot\"\n\
         bankroll = { chips = { start = 9, on_bust = \"eliminate\" } }",
    ),
    (
        "newmarket-buy",
        "[session]\ndeals = 3\nleftover = \"lot\"\n\
         bankroll = { chips = { start = 11, on_bust = \"rebuy\" } }",
    ),
    (
        "michigan-auction",
        "exchange = { dealer_exchange_or_auction = { max_bid = 3 } }\n\
         [session]\ndeals = 4\nbankroll = { chips = { start = 10, on_bust = \"end_session\" } }",
    ),
    (
        "four-horses",
        "exchange = { offer_chain = { price = 2 } }\nkitty_to_winner = false\nkitty_ante = 0",
    ),
    ("michigan-widow", "suits = 1\ncells = [\"4C\"]\nplayers = [2, 5]"),
    (
        "hoyle-1885",
        "ranks = 5\ncells = [\"2C\", { card = \"KH\", claimed_by = \"4H\" }]\nplayers = [2, 4]",
    ),
    (
        "newmarket",
        "cells = []\nlayout_ante = { free = { chips = 0, dealer_chips = 0 } }\nranks = 2\nplayers = [2, 4]",
    ),
    // Few ranks: equal hands are common.
    (
        "three-in-one",
        "players = [2, 5]\nclaim_when = \"played\"\nchange_suit = \"other_colour\"\n\
         removed = [\"2C\", \"3C\", \"4C\", \"5C\", \"6C\", \"2D\", \"3D\", \"4D\", \"5D\", \"6D\", \
         \"2H\", \"3H\", \"4H\", \"5H\", \"6H\", \"2S\", \"3S\", \"4S\", \"5S\", \"6S\"]",
    ),
    (
        "three-in-one",
        "claim_when = \"played\"\nfirst_lead = \"eldest\"\n[session]\ndeals = 3\n\
         leftover = \"lot\"\n\
         bankroll = { chips = { start = 19, on_bust = \"eliminate\" } }",
    ),
    (
        "three-in-one",
        "players = [2, 8]\nlayout_ante = { fixed = { each = 1, dealer = 2 } }\n[session]\ndeals = 5\n\
         leftover = \"richest\"\n\
         bankroll = { chips = { start = 18, on_bust = \"rebuy\" } }",
    ),
    (
        "saratoga",
        "exchange = { dealer_exchange = { fee = 11 } }\nremoved = [\"8D\", \"2C\"]\n\
         first_lead = { lowest_of = \"clubs\" }\nchange_suit = \"other_colour\"",
    ),
    (
        "newmarket",
        "players = [2, 7]\naces = \"high\"\nstages = [\"poker\", \"collect\"]\n\
         cells = [\"AS\", { card = \"KD\", claimed_by = \"QD\" }, { name = \"pool\", claimed_by = [] }, \
         { name = \"MARRIAGE\", claimed_by = [\"KC\", \"QC\"] }, \
         { name = \"LADDER\", claimed_by = [[\"4C\", \"5C\", \"6C\"], [\"4D\", \"5D\", \"6D\"]] }]\n\
         layout_ante = { fixed = { each = 1, dealer = 2 } }\nfirst_lead = \"poker_winner\"",
    ),
    (
        "michigan",
        "cells = [\"QH\", { name = \"TWINS\", claimed_by = [\"8C\", \"8S\"] }, \
         { name = \"ACES\", claimed_by = [[\"AS\"], [\"AH\"]] }]",
    ),
];

/// How many of the choices of a game are random rules.
const ANY: usize = 6;

/// The game that a tape asks for, and what to call it.
pub(crate) fn game(tape: &mut Tape) -> (Arc<Game>, String) {
    let which = tape.below(NAMES.len() + HOUSES.len() + ANY);
    let seat = |rules: Rules, tape: &mut Tape| {
        let (least, most) = rules.players;
        let players = least + tape.below(most - least + 1);
        Arc::new(Game::new(rules, players).expect("a size that the rules allow"))
    };
    if let Some(name) = NAMES.get(which) {
        (seat(Rules::named(name).expect("a named game"), tape), (*name).into())
    } else if let Some((base, changes)) = HOUSES.get(which - NAMES.len()) {
        let rules = Rules::from_toml(&format!("base = {base:?}\n{changes}"), "house");
        let rules = rules.unwrap_or_else(|error| panic!("{error}"));
        (seat(rules, tape), format!("house {}", which - NAMES.len()))
    } else {
        let mut rng = Seed::new(u64::from(tape.word())).rng();
        (Arc::new(any_rules::game(&mut rng).0), "any".into())
    }
}

/// A table in the middle of a session: chips lie about, and somebody may be out.
pub(crate) fn deal_start(game: &Game, tape: &mut Tape) -> DealStart {
    let (rules, players) = (game.rules(), game.players());
    let mut deal_start = DealStart::fresh(players, tape.below(players));
    let most = rules.cell_cap.map_or(9, |cap| cap as usize);
    for cell in &mut deal_start.layout[..game.cells()] {
        *cell = tape.below(most + 1) as i32;
    }
    if rules.has_kitty() {
        deal_start.kitty = tape.below(9) as i32;
    }
    if rules.session.bankroll == Bankroll::Credit {
        return deal_start;
    }
    deal_start.credit = false;
    let mut seats = Seats::first(players);
    for seat in 0..players {
        let byte = tape.byte();
        let may_leave = seat != deal_start.dealer && seats.len() > rules.players.0;
        if may_leave && byte & 0x80 != 0 {
            seats.remove(seat);
        }
        deal_start.stacks[seat] =
            rules.full_ante(seat == deal_start.dealer) + i32::from(byte & 0x7f) / 8;
    }
    deal_start.seats_in = seats;
    deal_start
}
