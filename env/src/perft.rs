//! Perft: the number of complete lines of play of one deal (`docs/TRACE.md`, section 11).
//!
//! It checks a rule engine against recorded counts: two correct engines agree on every count. Chips do
//! not matter, so the state of a deal is small: the cards that are still held, the leader, and the suits
//! that may be led. Lines that meet in a state are counted once from there on. The code shares nothing
//! with the engine or the referee.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use core::hash::{BuildHasherDefault, Hasher};
use std::collections::HashMap;

use crate::card::{Aces, Suit};
use crate::card_set::CardSet;
use crate::game::{Game, Hands};
use crate::referee::{Event, Name};
use crate::rules::{ChangeSuit, FirstLead};
use crate::seats::Seats;
use crate::trace::{Record, TraceFault};

/// Counts the lines of play from the first lead on: every suit that a leader may choose is a
/// branch, a forced lead is one, and a line ends when somebody goes out or nobody can lead.
/// `hands` are the hands after section 5 of `docs/RULES.md`. `poker_winner` is the seat that won the
/// pot; of several, the first from eldest on. It matters only if the rules give it the first lead.
///
/// # Panics
/// If the seat that leads first holds no card, or is the winner of the pot and that is `None`.
pub fn perft(
    game: &Game,
    dealer: usize,
    seats_in: Seats,
    hands: &Hands,
    poker_winner: Option<usize>,
) -> u128 {
    let mut counter = Counter::new(game, seats_in, hands);
    let live = counter.hands.iter().fold(0, |all, hand| all | hand);
    let eldest = seats_in.left_of(dealer);
    let (leader, suits) = counter.first_lead(eldest, poker_winner, live);
    assert!(suits != 0, "the seat that leads first holds no card");
    counter.count(live, leader, suits)
}

/// [`perft`] of a trace's deal.
///
/// # Errors
/// If the record's rules have a fault, its `deal` and `exchange` do not share out the pack, or
/// nobody wins the pot where that gives the first lead.
/// The rest of the record is not read. `line` is its number, for the message.
pub fn of_record(record: &Record, line: usize) -> Result<u128, TraceFault> {
    let fault = |problem| TraceFault { line, event: None, problem };
    let game = record.game().map_err(fault)?;
    let mut seats_in = Seats::first(record.players);
    for (seat, &is_in) in record.seats_in.iter().flatten().enumerate().take(record.players) {
        if !is_in {
            seats_in.remove(seat);
        }
    }
    if record.dealer >= record.players || !seats_in.contains(record.dealer) {
        let dealer = record.dealer;
        return Err(fault(format!("`dealer` is {dealer}: expected a seat that plays")));
    }
    let hands = opening(record, &game, seats_in).map_err(fault)?;
    let poker_winner = poker_winner(record, seats_in);
    if game.rules().first_lead == FirstLead::PokerWinner && poker_winner.is_none() {
        return Err(fault("no event `showdown` with a winner: expected who leads first".into()));
    }
    Ok(perft(&game, record.dealer, seats_in, &hands, poker_winner))
}

/// The first of the seats that share the pot, from the events.
fn poker_winner(record: &Record, seats_in: Seats) -> Option<usize> {
    let winner = record.events.iter().find_map(|event| match event {
        Event::Showdown { winners, .. } => winners.first().copied(),
        _ => None,
    });
    winner.filter(|&seat| seat < record.players && seats_in.contains(seat))
}

/// The hands after the dead hand has been settled, from the events.
fn opening(record: &Record, game: &Game, seats_in: Seats) -> Result<Hands, String> {
    let mut result: Option<Hands> = None;
    for event in &record.events {
        match (event, &mut result) {
            (Event::Deal { hands, dead }, None) => {
                result = Some(dealt(hands, dead, game, seats_in)?);
            }
            (Event::Exchange { seat, .. }, Some(hands)) if seats_in.contains(*seat) => {
                core::mem::swap(&mut hands.seats[*seat], &mut hands.dead);
                if hands.seats[*seat].is_empty() {
                    return Err(format!("seat {seat} takes a dead hand of no cards"));
                }
            }
            (Event::Deal { .. }, Some(_)) => return Err("dealt twice: expected one deal".into()),
            (Event::Exchange { .. }, _) => {
                return Err("an exchange before the deal, or by nobody who plays".into());
            }
            _ => {}
        }
    }
    result.ok_or_else(|| "no event `deal`: expected the hands".into())
}

fn dealt(
    hands: &[Vec<Name>],
    dead: &[Name],
    game: &Game,
    seats_in: Seats,
) -> Result<Hands, String> {
    if hands.len() != game.players() {
        return Err(format!("{} hands dealt: expected {}", hands.len(), game.players()));
    }
    let aces: Aces = game.rules().aces;
    let set = |names: &[Name]| names.iter().map(|name| name.card(aces)).collect::<CardSet>();
    let mut result = Hands { dead: set(dead), ..Hands::default() };
    let mut all = result.dead;
    let mut cards = dead.len();
    for (seat, hand) in hands.iter().enumerate() {
        if hand.is_empty() == seats_in.contains(seat) {
            return Err(format!(
                "seat {seat} is dealt {} cards: expected a hand for those who play",
                hand.len()
            ));
        }
        result.seats[seat] = set(hand);
        all |= result.seats[seat];
        cards += hand.len();
    }
    if all != game.pack() || cards != all.len() {
        return Err("the hands are not the pack: expected each of its cards once".into());
    }
    Ok(result)
}

/// A suit's thirteen bits; the three above them are free for the rest of a key.
const LANE: u64 = 0x1fff;

struct Counter {
    hands: Vec<u64>,
    seats_in: Seats,
    change: ChangeSuit,
    first: FirstLead,
    memo: HashMap<u64, u128, BuildHasherDefault<Mix>>,
}

impl Counter {
    fn new(game: &Game, seats_in: Seats, hands: &Hands) -> Self {
        Self {
            hands: hands.seats.iter().map(|hand| hand.bits()).collect(),
            seats_in,
            change: game.rules().change_suit,
            first: game.rules().first_lead,
            memo: HashMap::default(),
        }
    }

    /// The first leader, and the suits that it may lead, one bit each.
    fn first_lead(&self, eldest: usize, poker_winner: Option<usize>, live: u64) -> (usize, u32) {
        let mut leader = eldest;
        match self.first {
            FirstLead::Eldest => {}
            FirstLead::PokerWinner => leader = poker_winner.expect("somebody has won the pot"),
            FirstLead::LowestOf(suit) => {
                let lane = live & LANE << (16 * suit.index());
                if lane != 0 {
                    return (self.holder(lane & lane.wrapping_neg()), 1 << suit.index());
                }
            }
        }
        (leader, suits(self.hands[leader]))
    }

    /// The number of lines that begin with a lead of one of these suits.
    fn count(&mut self, live: u64, leader: usize, mut choice: u32) -> u128 {
        let key =
            live | (leader as u64) << 13 | (choice as u64 & 7) << 29 | (choice as u64 >> 3) << 45;
        let branches = choice.count_ones() > 1;
        if branches && let Some(&known) = self.memo.get(&key) {
            return known;
        }
        let mut lines = 0;
        while choice != 0 {
            let suit = choice.trailing_zeros();
            choice &= choice - 1;
            lines += self.after_lead(live, leader, suit);
        }
        if branches {
            self.memo.insert(key, lines);
        }
        lines
    }

    /// The number of lines that begin with one lead.
    fn after_lead(&mut self, mut live: u64, leader: usize, suit: u32) -> u128 {
        let lane = self.hands[leader] & live & LANE << (16 * suit);
        let mut card = lane & lane.wrapping_neg();
        let mut seat = leader;
        loop {
            live &= !card;
            if self.hands[seat] & live == 0 {
                return 1;
            }
            // The bit above a top card belongs to no card.
            card <<= 1;
            if live & card == 0 {
                break;
            }
            seat = self.holder(card);
        }
        match self.next_lead(live, seat, suit) {
            Some((leader, choice)) => self.count(live, leader, choice),
            None => 1,
        }
    }

    fn next_lead(&self, live: u64, last: usize, stopped: u32) -> Option<(usize, u32)> {
        let held = |seat: usize| suits(self.hands[seat] & live);
        let first = |may: &dyn Fn(usize) -> u32| {
            let others = self.seats_in.from_left_of(last).filter(|&seat| seat != last);
            core::iter::once(last)
                .chain(others)
                .map(|seat| (seat, may(seat)))
                .find(|&(_, choice)| choice != 0)
        };
        let other = |seat: usize| held(seat) & !(1 << stopped);
        match self.change {
            ChangeSuit::Free => Some((last, held(last))),
            ChangeSuit::ElseSame => {
                let choice = other(last);
                Some((last, if choice == 0 { held(last) } else { choice }))
            }
            ChangeSuit::ElsePass => first(&other),
            ChangeSuit::OtherColour => {
                let red = Suit::from_index(stopped as usize & 3).is_red();
                first(&|seat| self.lowest_of_colour(live, seat, !red))
                    .or_else(|| Some((last, self.lowest_of_colour(live, last, red))))
            }
        }
    }

    /// The suits of a colour that hold the seat's lowest card of it.
    fn lowest_of_colour(&self, live: u64, seat: usize, red: bool) -> u32 {
        let (low, high) = if red { (1, 2) } else { (0, 3) };
        let lowest = |suit: u32| {
            let lane = self.hands[seat] & live & LANE << (16 * suit);
            (lane != 0).then(|| lane.trailing_zeros() - 16 * suit)
        };
        match (lowest(low), lowest(high)) {
            (None, None) => 0,
            (Some(_), None) => 1 << low,
            (None, Some(_)) => 1 << high,
            (Some(a), Some(b)) => u32::from(a <= b) << low | u32::from(b <= a) << high,
        }
    }

    /// The seat that was dealt a card that is not dead.
    fn holder(&self, card: u64) -> usize {
        self.hands.iter().position(|hand| hand & card != 0).expect("a live card is held")
    }
}

/// The suits in a hand, one bit each.
fn suits(hand: u64) -> u32 {
    (0..4).filter(|suit| hand >> (16 * suit) & LANE != 0).map(|suit| 1 << suit).sum()
}

/// A hash of one `u64` (the finaliser of `SplitMix64`). The keys come from this module, so no attack is
/// possible.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are u64");
    }

    fn write_u64(&mut self, key: u64) {
        let key = (key ^ key >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let key = (key ^ key >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        self.0 = key ^ key >> 31;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
