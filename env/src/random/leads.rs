//! The play, every lead at random, in one loop.
//!
//! Hands do not change in this loop: what a seat still holds is its hand and `live`, so that a
//! sequence is one change of one word. What was played, and who claims what, is written at the
//! end.

use std::hint::select_unpredictable;

use crate::card::Suit;
use crate::card_set::CardSet;
use crate::game::Game;
use crate::rules::{ChangeSuit, MAX_CELLS, MAX_PLAYERS};
use crate::seed::{Bounds, Draw, Rng};
use crate::state::State;

/// The lanes of the suits in all 24 orders. The first suit of a random order that may be led is
/// a uniform one among those that may, and the order can be drawn before they are known.
const ORDERS: [[u64; 4]; 24] = {
    let mut orders = [[0; 4]; 24];
    let mut n = 0;
    let mut digits = 0;
    while digits < 256 {
        let order = [digits & 3, digits >> 2 & 3, digits >> 4 & 3, digits >> 6];
        if 1 << order[0] | 1 << order[1] | 1 << order[2] | 1 << order[3] == 15 {
            let mut place = 0;
            while place < 4 {
                orders[n][place] = CardSet::suit(Suit::from_index(order[place])).bits();
                place += 1;
            }
            n += 1;
        }
        digits += 1;
    }
    orders
};

/// Orders that one draw gives: 24¹³ is the last power below 2⁶⁴.
const ORDERS_A_DRAW: u32 = 13;
const BOUNDS: Bounds = Bounds::new(&[24; ORDERS_A_DRAW as usize]);

/// A bit that is no card's: seats that are out hold it for ever, and so never go out.
const NO_CARD: u64 = 1 << 63;

/// Plays to the end of a deal that waits for a lead.
pub(super) fn play_out(state: &mut State, game: &Game, rng: &mut Rng) {
    if game.players() <= 4 {
        play_out_of::<4>(state, game, rng);
    } else {
        play_out_of::<MAX_PLAYERS>(state, game, rng);
    }
}

fn play_out_of<const SEATS: usize>(state: &mut State, game: &Game, rng: &mut Rng) {
    let mut hands = [NO_CARD; SEATS];
    for seat in 0..SEATS {
        let out = u64::from(!state.seats_in.contains(seat)) << 63;
        hands[seat] = state.hands[seat].bits() | out;
    }
    let dead = state.dead.bits();
    let change_suit = game.rules().change_suit == ChangeSuit::ElseSame;
    let mut live = state.live.bits() | NO_CARD;
    let mut leader = state.actor as usize % SEATS;
    let mut stopped = state.stopped.map_or(0, |suit| CardSet::suit(suit).bits());
    let mut barred = match state.stopped {
        Some(_) if change_suit => stopped,
        _ => !lanes(state.may_lead),
    };
    let mut proven = 0;
    let mut orders = 0;
    let mut draw = Draw::new(rng, &BOUNDS);
    // Just above the cards of the seats that have this bit in their number.
    let mut above = [0; 3];
    for (seat, hand) in hands.iter().enumerate() {
        for (bit, above) in above.iter_mut().enumerate() {
            *above |= if seat >> bit & 1 == 1 { hand << 1 } else { 0 };
        }
    }
    let mut hand = hands[leader];
    let left = loop {
        if orders == ORDERS_A_DRAW {
            draw = Draw::new(rng, &BOUNDS);
            orders = 0;
        }
        orders += 1;
        let [a, b, c, d] = ORDERS[draw.below(24) as usize];
        let others = hand & live & !barred;
        let lane = select_unpredictable(
            others & (a | b) != 0,
            select_unpredictable(others & a != 0, a, b),
            select_unpredictable(others & c != 0, c, d),
        );
        let lane = select_unpredictable(others != 0, lane, barred);
        let held = hand & live & lane;
        let first = held & held.wrapping_neg();
        // Adding the first card carries through the run to the bit above its last card.
        let carried = live + first;
        let (left, next) = (live & carried, carried & !live);
        // The lead is the lowest card of its suit; the suit that stopped is led for want of others.
        let below = lane & (first - 1);
        let ruled_out = select_unpredictable(others == 0, below | !lane, below);
        state.knowledge.ruled_out[leader] |= CardSet::from_bits(ruled_out);
        if hands.iter().any(|hand| hand & left == 0) {
            break left;
        }
        proven |= next & dead;
        live = left;
        stopped = lane;
        barred = if change_suit { lane } else { 0 };
        // A knock-out among the hands: the bits of the number of the seat that leads.
        let mut hands = hands;
        leader = 0;
        for (bit, above) in above.iter().enumerate().take(SEATS.ilog2() as usize) {
            let odd = next & above != 0;
            for pair in 0..SEATS >> (bit + 1) {
                hands[pair] = select_unpredictable(odd, hands[2 * pair + 1], hands[2 * pair]);
            }
            leader |= usize::from(odd) << bit;
        }
        hand = hands[0];
    };
    state.knowledge.dead |= CardSet::from_bits(proven);
    if stopped != 0 {
        state.stopped = Some(Suit::from_index(stopped.trailing_zeros() as usize / 16));
    }
    // What those who go out hold is all of one run: the lowest of them is out first, and the run
    // ends there.
    let mut last_cards = u64::MAX;
    let mut winner = 0;
    for seat in 0..SEATS {
        let held = hands[seat] & live;
        let first = hands[seat] & left == 0 && held < last_cards;
        last_cards = select_unpredictable(first, held, last_cards);
        winner = select_unpredictable(first, seat, winner);
    }
    live &= left | !(u64::MAX >> last_cards.leading_zeros());
    state.live = CardSet::from_bits(live);
    for seat in 0..SEATS {
        state.played_by[seat] |= CardSet::from_bits(hands[seat] & !live);
        state.hands[seat] = CardSet::from_bits(hands[seat] & live);
    }
    claim(state, game);
    state.settle(game, winner);
}

/// Pays all cells whose cards have been played, without a branch: whether one has been is anybody's guess.
fn claim(state: &mut State, game: &Game) {
    for card in game.claiming {
        let cell = game.cell_of[card.bit() as usize] as usize % MAX_CELLS;
        for seat in 0..game.players() {
            let claims = state.played_by[seat].contains(card);
            let chips = select_unpredictable(claims, state.layout[cell], 0);
            state.stacks[seat] += chips;
            state.layout[cell] -= chips;
        }
    }
}

/// The lanes of the suits whose bits are set.
fn lanes(suits: u8) -> u64 {
    let suits = Suit::ALL.into_iter().filter(|suit| suits >> suit.index() & 1 == 1);
    suits.fold(0, |lanes, suit| lanes | CardSet::suit(suit).bits())
}
