//! The play, every lead at random, in one loop.
//!
//! Hands stay as they are in this loop: what a seat still holds is its hand and `live`, so that a
//! whole sequence changes one word. Which suit is led, who leads next and who goes out cannot
//! be predicted, and a mispredicted branch costs as much as a lead; so they are computed without
//! a branch, and the one branch that is left is the end. The cards played and their claims are
//! written down then.

use core::hint::select_unpredictable;

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
                orders[n][place] = CardSet::suit(Suit::ALL[order[place]]).bits();
                place += 1;
            }
            n += 1;
        }
        digits += 1;
    }
    orders
};

/// Orders that one draw gives: 24¹³ is the last power below 2⁶⁴.
const ORDERS_A_DRAW: usize = 13;
const BOUNDS: Bounds = Bounds::new(&[ORDERS.len() as u64; ORDERS_A_DRAW]);

/// A bit that is no card's. It stays live, and seats that are out hold it: they never go out.
const NO_CARD: u64 = 1 << 63;

/// Whether this deal is played here: nobody ever passes a lead, and what a card claims depends on
/// no other card.
pub(super) fn can_play_out(state: &State, game: &Game) -> bool {
    matches!(game.rules().change_suit, ChangeSuit::Free | ChangeSuit::ElseSame)
        && !state.claims(game).has_sets()
}

/// Plays to the end of a deal that waits for a lead.
#[inline(never)]
pub(super) fn play_out(state: &mut State, game: &Game, rng: &mut Rng) {
    if game.players() <= 4 {
        play_out_among::<4>(state, game, rng);
    } else {
        play_out_among::<MAX_PLAYERS>(state, game, rng);
    }
}

fn play_out_among<const SEATS: usize>(state: &mut State, game: &Game, rng: &mut Rng) {
    let hands: [u64; SEATS] = core::array::from_fn(|seat| {
        state.hands[seat].bits() | if state.public.seats_in.contains(seat) { 0 } else { NO_CARD }
    });
    // Just above the cards of the seats whose number has this bit.
    let above: [u64; 3] = core::array::from_fn(|bit| {
        let those = (0..SEATS).filter(|seat| seat >> bit & 1 == 1);
        those.fold(0, |all, seat| all | hands[seat] << 1)
    });
    let dead = state.dead.bits();
    let bars_suit = game.rules().change_suit == ChangeSuit::ElseSame;
    let mut live = state.live.bits() | NO_CARD;
    let mut leader = state.public.actor as usize;
    let mut hand = hands[leader];
    let mut stopped = state.public.stopped.map_or(0, |suit| CardSet::suit(suit).bits());
    let mut barred = match state.public.stopped {
        Some(_) if bars_suit => stopped,
        _ => !lanes(state.may_lead),
    };
    let mut proven = 0;
    let mut leads = state.public.leads;
    let mut orders = 0;
    let mut draw = Draw::new(rng, &BOUNDS);
    let left = loop {
        if orders == ORDERS_A_DRAW {
            draw = Draw::new(rng, &BOUNDS);
            orders = 0;
        }
        orders += 1;
        let [a, b, c, d] = ORDERS[draw.below(ORDERS.len() as u64) as usize];
        let others = hand & live & !barred;
        let lane = select_unpredictable(
            others & (a | b) != 0,
            select_unpredictable(others & a != 0, a, b),
            select_unpredictable(others & c != 0, c, d),
        );
        let lane = select_unpredictable(others != 0, lane, barred);
        let held = hand & live & lane;
        let first = held & held.wrapping_neg();
        leads.push(Suit::from_index(lane.trailing_zeros() as usize / 16));
        // Adding the first card carries through the run to the bit above its last card.
        let carried = live + first;
        let (left, next) = (live & carried, carried & !live);
        // The lead is the lowest of its suit; the suit that stopped is led for want of others.
        let below = lane & (first - 1);
        let ruled_out = select_unpredictable(others == 0, below | !lane, below);
        state.public.knowledge.ruled_out[leader] |= CardSet::from_bits(ruled_out);
        if hands.iter().any(|hand| hand & left == 0) {
            break left;
        }
        proven |= next & dead;
        live = left;
        stopped = lane;
        barred = if bars_suit { lane } else { 0 };
        // A knock-out among the hands finds whose card stopped, and the number of the seat.
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
    state.public.knowledge.dead |= CardSet::from_bits(proven);
    state.public.leads = leads;
    if stopped != 0 {
        state.public.stopped = Some(Suit::ALL[(stopped.trailing_zeros() as usize / 16) & 3]);
    }
    finish(state, game, &hands, live, left);
}

/// Writes down the end: `live` before the last lead, `left` after its whole run.
fn finish(state: &mut State, game: &Game, hands: &[u64], live: u64, left: u64) {
    // All that those who go out still hold is of one run: who holds the lowest is out first, and
    // the run ends there.
    let (mut winner, mut last_cards) = (0, u64::MAX);
    for (seat, hand) in hands.iter().enumerate() {
        let first = hand & left == 0 && hand & live < last_cards;
        winner = select_unpredictable(first, seat, winner);
        last_cards = select_unpredictable(first, hand & live, last_cards);
    }
    let live = live & (left | !(u64::MAX >> last_cards.leading_zeros()));
    state.live = CardSet::from_bits(live);
    for (seat, hand) in hands.iter().enumerate() {
        state.public.played_by[seat] |= CardSet::from_bits(hand & !live);
        state.hands[seat] = CardSet::from_bits(hand & live);
    }
    let claims = state.claims(game);
    for card in claims.singles {
        let cell = claims.cell_of[card.bit() as usize] as usize % MAX_CELLS;
        for seat in 0..game.players() {
            let claims = state.public.played_by[seat].contains(card);
            let chips = select_unpredictable(claims, state.public.layout[cell], 0);
            state.public.stacks[seat] += chips;
            state.public.layout[cell] -= chips;
        }
    }
    state.settle(game, winner);
}

/// The lanes of the suits whose bits are set.
fn lanes(suits: u8) -> u64 {
    let suits = Suit::ALL.into_iter().filter(|suit| suits >> suit.index() & 1 == 1);
    suits.fold(0, |lanes, suit| lanes | CardSet::suit(suit).bits())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::Action;
    use crate::deal_start::DealStart;
    use crate::random::choice;
    use crate::rules::{NAMES, Rules};
    use crate::seed::Seed;
    use crate::state::Phase;

    /// The same through the general engine, with the same orders.
    fn play_out_slowly(state: &mut State, game: &Game, rng: &mut Rng) {
        let mut draw = Draw::new(rng, &BOUNDS);
        let mut orders = 0;
        while !state.is_over() {
            if orders == ORDERS_A_DRAW {
                draw = Draw::new(rng, &BOUNDS);
                orders = 0;
            }
            orders += 1;
            let order = ORDERS[draw.below(24) as usize]
                .map(|lane| Suit::ALL[(lane.trailing_zeros() as usize / 16) & 3]);
            let legal = state.legal(game);
            let lead = order.into_iter().map(Action::lead).find(|&lead| legal.contains(lead));
            state.apply(game, lead.expect("a leader has a choice")).expect("it is legal");
        }
    }

    /// A state that waits for a lead, some of them already made.
    fn some_lead(game: &Game, deal_start: &DealStart, rng: &mut Rng, made: usize) -> State {
        let mut state = State::new(game, deal_start);
        let mut leads = 0;
        let mut before = state;
        while leads <= made && !state.is_over() {
            before = if state.phase() == Phase::Lead { state } else { before };
            leads += usize::from(state.phase() == Phase::Lead);
            if state.phase() == Phase::Deal {
                let (dealer, seats_in) = (state.dealer(), state.seats_in());
                state.deal(game, &game.shuffle_and_deal(rng, dealer, seats_in));
            } else {
                state.apply_unchecked(game, choice(state.legal(game), rng));
            }
        }
        before
    }

    #[test]
    fn the_general_engine_leaves_the_same_state() {
        let mut rng = Seed::new(8).rng();
        let mut games = 0;
        let house = "first_lead = { lowest_of = \"hearts\" }\nplayers = [2, 8]\ncell_cap = 3";
        let house = Rules::from_toml(&format!("base = \"newmarket\"\n{house}"), "house").unwrap();
        for rules in NAMES.map(|name| Rules::named(name).unwrap()).into_iter().chain([house]) {
            for players in rules.players.0..=rules.players.1 {
                let game = Game::new(rules.clone(), players).unwrap();
                if !can_play_out(&State::new(&game, &DealStart::fresh(players, 0)), &game) {
                    continue;
                }
                games += 1;
                for round in 0..600 {
                    let mut deal_start = DealStart::fresh(players, round % players);
                    if players > 2 && round % 4 == 0 {
                        deal_start.seats_in.remove((deal_start.dealer + 1) % players);
                    }
                    // Some play for chips that they may not have.
                    deal_start.credit = round % 3 != 0;
                    deal_start.stacks = [20; MAX_PLAYERS];
                    let mut slow = some_lead(&game, &deal_start, &mut rng, round % 9);
                    let mut fast = slow;
                    let mut same = rng.clone();
                    play_out_slowly(&mut slow, &game, &mut rng);
                    play_out(&mut fast, &game, &mut same);
                    assert_eq!(fast, slow, "{players} players: {rules}");
                    assert_eq!(same, rng, "as many draws");
                }
            }
        }
        assert_eq!(games, 73, "what this covers");
    }
}
