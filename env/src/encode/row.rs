//! A packed row: the facts that an observation follows from, as bytes.
//!
//! Everything that can be computed when the row is read is left out. [`FIELDS`](super::FIELDS)
//! describes the fields.

use super::fields::{BYTES, STAGES, at, field, put};
use super::template::Template;
use crate::action::ActionMask;
use crate::card::{Aces, Card};
use crate::card_set::CardSet;
use crate::inference::Evidence;
use crate::rules::{MAX_CELLS, MAX_PLAYERS};
use crate::seats::Seats;
use crate::state::{NOBODY, Outcome, Phase, PublicState};
use crate::view::View;

/// Bytes that are no packed row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{field} of a packed observation is {value}, expected {expected}")]
pub struct BadRow {
    field: &'static str,
    value: u8,
    expected: &'static str,
}

/// The bytes.
pub(super) type Row = [u8; BYTES];

/// Writes numbers side by side. The compiler turns this loop into a copy of all of them at once.
#[expect(clippy::inline_always, reason = "as `put`")]
#[inline(always)]
fn put_all<T: Copy, const N: usize>(
    row: &mut Row,
    start: usize,
    numbers: &[T],
    bytes: impl Fn(T) -> [u8; N],
) {
    let places = row[start..start + N * numbers.len()].as_chunks_mut().0;
    for (place, &number) in places.iter_mut().zip(numbers) {
        *place = bytes(number);
    }
}

#[expect(clippy::inline_always, reason = "as `put`")]
#[inline(always)]
fn put_cards(row: &mut Row, start: usize, cards: &[CardSet]) {
    put_all(row, start, cards, |cards| cards.bits().to_le_bytes());
}

/// The code of each phase.
const PHASES: [u8; Phase::COUNT] = {
    let mut codes = [0; Phase::COUNT];
    codes[Phase::Ante as usize] = 1;
    codes[Phase::DeadHand as usize] = 2;
    codes[Phase::Auction as usize] = 3;
    codes[Phase::Lead as usize] = 4;
    codes[Phase::SetApart as usize] = 5;
    codes[Phase::Bet as usize] = 6;
    codes
};

/// The first field that only stages and sets of cards fill.
const TOLD: usize = field("raises, folded, judged");

/// Writes a view with these legal actions.
#[inline(never)]
pub(super) fn pack(template: &Template, view: &View, legal: ActionMask, row: &mut Row) {
    let (public, own) = (view.public(), view.own());
    put(row, 0, template.rules);
    pack_turn(view, legal, row);
    put(row, at!("apart"), own.apart.bits().to_le_bytes());
    pack_staked::<MAX_PLAYERS>(public, row);
    pack_played::<MAX_PLAYERS>(public, row);
    pack_chips::<MAX_PLAYERS>(public, row);
    put(row, at!("hand size"), public.sizes);
    row[at!("dead hand")] = public.dead_size;
    row[at!("seats in")] = public.seats_in.bits();
    row[at!("dealer")] = public.dealer;
    row[at!("credit")] = u8::from(public.credit);
    row[at!("deals")] = public.deals;
    row[at!("out")] = match public.outcome {
        Outcome::Out(seat) => seat as u8,
        Outcome::Playing | Outcome::NoWinner => NOBODY,
    };
    let bidding = [public.bidder, public.passed.bits(), public.exchanger];
    put(row, at!("bidder, passed, exchanger"), bidding);
    put(row, TOLD, [0; BYTES - TOLD]);
    if template.has_stages {
        pack_stages(view, row);
    }
    if template.has_sets {
        pack_sets(view, row);
    }
}

/// Writes what antes change, for the first `SEATS` seats.
#[inline(never)]
pub(super) fn pack_antes<const SEATS: usize>(view: &View, legal: ActionMask, row: &mut Row) {
    pack_turn(view, legal, row);
    pack_staked::<SEATS>(view.public(), row);
    pack_chips::<SEATS>(view.public(), row);
}

/// Writes what leads change, for the first `SEATS` seats.
#[inline(never)]
pub(super) fn pack_play<const SEATS: usize>(view: &View, legal: ActionMask, row: &mut Row) {
    pack_turn(view, legal, row);
    pack_played::<SEATS>(view.public(), row);
    pack_chips::<SEATS>(view.public(), row);
}

/// Writes what changes with every decision in every phase: who is to act, the legal actions, the cards
/// of that seat.
#[expect(clippy::inline_always, reason = "as `put`")]
#[inline(always)]
fn pack_turn(view: &View, legal: ActionMask, row: &mut Row) {
    let public = view.public();
    row[at!("viewer")] = view.seat() as u8;
    put(row, at!("hand"), view.own().hand.bits().to_le_bytes());
    put(row, at!("known dead"), view.known_dead().bits().to_le_bytes());
    put(row, at!("kitty, price now"), public.kitty.to_le_bytes());
    put(row, at!("kitty, price now") + 4, view.price().to_le_bytes());
    put(row, at!("legal"), (legal.bits() as u32 & LEGAL).to_le_bytes());
    put(row, at!("bid, chips to place"), public.bid.to_le_bytes());
    put(row, at!("bid, chips to place") + 2, public.chips_left.to_le_bytes());
    row[at!("phase")] = PHASES[public.phase as usize];
    row[at!("stopped")] = public.stopped.map_or(0, |suit| suit as u8 + 1);
    row[at!("actor")] = public.actor;
}

/// Writes the stakes of the first `SEATS` seats.
#[expect(clippy::inline_always, reason = "as `put`")]
#[inline(always)]
fn pack_staked<const SEATS: usize>(public: &PublicState, row: &mut Row) {
    let staked = public.staked[..SEATS].as_flattened();
    put_all(row, at!("staked"), staked, i16::to_le_bytes);
}

/// Writes the cards that the first `SEATS` seats have played, and those that they cannot hold.
#[expect(clippy::inline_always, reason = "as `put`")]
#[inline(always)]
fn pack_played<const SEATS: usize>(public: &PublicState, row: &mut Row) {
    put_cards(row, at!("played by"), &public.played_by[..SEATS]);
    put_cards(row, at!("ruled out"), &public.knowledge.ruled_out[..SEATS]);
}

/// Writes the chips of the first `SEATS` seats and on the cells.
#[expect(clippy::inline_always, reason = "as `put`")]
#[inline(always)]
fn pack_chips<const SEATS: usize>(public: &PublicState, row: &mut Row) {
    put_all(row, at!("stack"), &public.stacks[..SEATS], i32::to_le_bytes);
    put_all(row, at!("cell chips"), &public.layout, i32::to_le_bytes);
}

/// Leads, cells, dead hand, bids and bets; the rest are cards to set apart.
const LEGAL: u32 = (1 << 22) - 1;

/// The legal actions, without those that set a card apart.
pub(super) fn legal(row: &Row) -> ActionMask {
    ActionMask::from_bits(u32::from_le_bytes(bytes(row, at!("legal"))).into())
}

/// Writes what the stages before the play have shown.
#[inline(never)]
fn pack_stages(view: &View, row: &mut Row) {
    let public = view.public();
    let (poker, knowledge) = (&public.poker, &public.knowledge);
    let told = [poker.raises, poker.folded.bits(), knowledge.judged];
    put(row, TOLD, told);
    put(row, at!("collected"), knowledge.collected.map(Seats::bits));
    put_all(row, at!("bets"), &poker.put, u16::to_le_bytes);
    put_cards(row, at!("held"), &knowledge.held);
}

/// Writes the last card of each set that claims a cell and that the viewer can complete.
#[inline(never)]
fn pack_sets(view: &View, row: &mut Row) {
    let own = view.hand() | view.played_by(view.seat());
    let mut last = [CardSet::EMPTY; MAX_CELLS];
    for (cell, set) in view.claims().sets().filter(|&(_, set)| own.is_superset(set)) {
        if let Some(card) = (set & view.hand()).last() {
            last[cell].insert(card);
        }
    }
    put_cards(row, at!("set cards"), &last);
}

/// Whether the bytes can be read as a row.
pub(super) fn check(row: &Row) -> Result<(), BadRow> {
    const OF_TABLE: &str = "a seat of the table";
    let players = row[at!("players")];
    if *row == [0; BYTES] {
        return Ok(());
    }
    let within = |name, value, least: u8, end: u8, expected| {
        let good = (least..end).contains(&value);
        if good { Ok(()) } else { Err(BadRow { field: name, value, expected }) }
    };
    within("players", players, 2, MAX_PLAYERS as u8 + 1, "2 to 8")?;
    within("viewer", row[at!("viewer")], 0, players, OF_TABLE)?;
    within("dealer", row[at!("dealer")], 0, players, OF_TABLE)?;
    within("cells", row[at!("cells")], 0, MAX_CELLS as u8 + 1, "0 to 8")?;
    within("change of suit", row[at!("change of suit")], 0, 4, "0 to 3")?;
    within("exchange", row[at!("exchange")], 0, 4, "0 to 3")?;
    within("options", row[at!("options")], 0, 64, "6 bits")?;
    within("first lead", row[at!("session and first lead") + 1], 0, 16, "12 bits")?;
    within("phase", row[at!("phase")], 0, 7, "0 to 6")?;
    within("stopped", row[at!("stopped")], 0, 5, "0 to 4")?;
    within("seats in", row[at!("seats in")].min(1), 1, 2, "a seat at least")
}

/// A packed row, to be read.
#[derive(Clone, Copy)]
pub(super) struct Facts<'r> {
    row: &'r Row,
    pub(super) players: usize,
    pub(super) viewer: usize,
    pub(super) hand: CardSet,
    played_by: [CardSet; MAX_PLAYERS],
    ruled_out: [CardSet; MAX_PLAYERS],
    held: [CardSet; MAX_PLAYERS],
    sizes: [u8; MAX_PLAYERS],
}

impl<'r> Facts<'r> {
    pub(super) fn of(row: &'r Row) -> Self {
        Self {
            row,
            players: usize::from(row[at!("players")]),
            viewer: usize::from(row[at!("viewer")]),
            hand: cards(row, at!("hand")),
            played_by: core::array::from_fn(|seat| cards(row, at!("played by") + 8 * seat)),
            ruled_out: core::array::from_fn(|seat| cards(row, at!("ruled out") + 8 * seat)),
            held: core::array::from_fn(|seat| cards(row, at!("held") + 8 * seat)),
            sizes: bytes(row, at!("hand size")),
        }
    }

    /// The byte at a place.
    pub(super) fn byte(&self, start: usize) -> u8 {
        self.row[start]
    }

    /// The cards at a place.
    pub(super) fn cards(&self, start: usize) -> CardSet {
        cards(self.row, start)
    }

    /// The chips at a place.
    pub(super) fn chips(&self, start: usize) -> i32 {
        i32::from_le_bytes(bytes(self.row, start))
    }

    /// The few chips at a place.
    pub(super) fn few_chips(&self, start: usize) -> i16 {
        i16::from_le_bytes(bytes(self.row, start))
    }

    /// Whether the cards have been dealt.
    pub(super) fn is_dealt(&self) -> bool {
        self.sizes[usize::from(self.byte(at!("dealer"))) % MAX_PLAYERS] > 0
    }

    /// Whether stacks are a score.
    pub(super) fn is_credit(&self) -> bool {
        self.byte(at!("credit")) != 0
    }

    pub(super) fn seats_in(&self) -> Seats {
        Seats::from_bits(self.byte(at!("seats in")))
    }

    pub(super) fn legal(&self) -> u32 {
        u32::from_le_bytes(bytes(self.row, at!("legal")))
    }

    pub(super) fn staked(&self, seat: usize) -> [i16; MAX_CELLS] {
        let start = at!("staked") + 2 * MAX_CELLS * seat;
        core::array::from_fn(|cell| self.few_chips(start + 2 * cell))
    }

    /// Cards in a hand now.
    pub(super) fn hand_size(&self, seat: usize) -> i32 {
        i32::from(self.sizes[seat]) - self.played_by[seat].len() as i32
    }

    /// Chips on each cell of the layout.
    pub(super) fn layout(&self) -> impl DoubleEndedIterator<Item = (usize, i32)> + use<'_> {
        let cells = usize::from(self.byte(at!("cells")));
        (0..cells).map(|cell| (cell, self.chips(at!("cell chips") + 4 * cell)))
    }

    /// The single card that takes a cell.
    pub(super) fn cell_card(&self, cell: usize) -> Option<Card> {
        Card::try_from_index(usize::from(self.byte(at!("cell card") + cell)).checked_sub(1)?)
    }

    pub(super) fn aces(&self) -> Aces {
        if self.byte(at!("aces high")) == 0 { Aces::Low } else { Aces::High }
    }

    /// Whether the rules have this stage.
    pub(super) fn has(&self, stage: u8) -> bool {
        self.byte(at!("stages")) & stage != 0
    }

    /// The facts from which the viewer can draw conclusions, once the cards are dealt.
    pub(super) fn evidence(&self) -> Evidence<'_> {
        let out = usize::from(self.byte(at!("out")));
        Evidence {
            seat: self.viewer,
            players: self.players,
            pack: self.cards(at!("pack")),
            hand: self.hand,
            known_dead: self.cards(at!("known dead")),
            dead_size: usize::from(self.byte(at!("dead hand"))),
            played_by: &self.played_by,
            held: self.has(STAGES).then_some(&self.held),
            ruled_out: &self.ruled_out,
            sizes: &self.sizes,
            out: (out < MAX_PLAYERS).then_some(out),
        }
    }
}

fn bytes<const N: usize>(row: &Row, start: usize) -> [u8; N] {
    core::array::from_fn(|nth| row[start + nth])
}

fn cards(row: &Row, start: usize) -> CardSet {
    CardSet::from_bits(u64::from_le_bytes(bytes(row, start)))
}
