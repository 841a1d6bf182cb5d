//! The entries of an observation, computed from a packed row, without scales and without the expected
//! results of leads.

use super::fields::{COLLECT, POKER, SESSION_BITS, STAGES, at, field};
use super::lanes;
use super::outlook::outlook;
use super::row::{Facts, Row};
use super::spans::{
    FLAG_BITS, FLAG_WORDS, FLAGS_AT, OUTLOOK_SCALES, OUTLOOKS_AT, PLANES, SCALARS, SCALARS_AT,
    flag, scalar, scale,
};
use crate::card_set::CardSet;
use crate::poker::Strength;
use crate::rules::MAX_CELLS;
use crate::seats::Seats;
use crate::state::NOBODY;

/// Planes of cards, facts that are true or false, whole numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Expanded {
    pub(super) planes: Planes,
    pub(super) flags: [u64; FLAG_WORDS],
    pub(super) scalars: [i16; SCALARS],
}

/// The card planes, as the table of spans describes them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Planes {
    pub(super) hand: CardSet,
    pub(super) played: CardSet,
    pub(super) dead: CardSet,
    pub(super) absent: CardSet,
    pub(super) located: CardSet,
    pub(super) live: CardSet,
    pub(super) apart: CardSet,
}

impl Planes {
    pub(super) const fn in_order(&self) -> [CardSet; PLANES.len()] {
        let Self { hand, played, dead, absent, located, live, apart } = *self;
        [hand, played, dead, absent, located, live, apart]
    }
}

impl Expanded {
    /// The entries of an empty row.
    pub(super) const BLANK: Self = Self {
        planes: Planes {
            hand: CardSet::EMPTY,
            played: CardSet::EMPTY,
            dead: CardSet::EMPTY,
            absent: CardSet::EMPTY,
            located: CardSet::EMPTY,
            live: CardSet::EMPTY,
            apart: CardSet::EMPTY,
        },
        flags: [0; FLAG_WORDS],
        scalars: [0; SCALARS],
    };

    /// The entries of a row.
    pub(super) fn of(row: &Row) -> Self {
        let mut expanded = Self::BLANK;
        expanded.read(row);
        expanded
    }

    /// Turns blank entries into those of a row, without a copy.
    pub(super) fn read(&mut self, row: &Row) {
        let facts = &Facts::of(row);
        if facts.players == 0 {
            return;
        }
        self.write_rules(facts);
        self.write_decision(facts);
        self.write_chips(facts);
        self.write_session(facts);
        self.write_seats(facts);
        if facts.is_dealt() {
            self.write_cards(facts);
        }
        if facts.has(STAGES) {
            self.write_stages(facts);
        }
    }

    /// The bits of a flag span.
    fn set(&mut self, (start, len): (usize, usize), bits: u32) {
        debug_assert!(u64::from(bits) >> len == 0);
        let (word, shift) = (start / 64, start % 64);
        self.flags[word] |= u64::from(bits) << shift;
        if shift + len > 64 {
            self.flags[word + 1] |= u64::from(bits) >> (64 - shift);
        }
    }

    fn put(&mut self, (start, len): (usize, usize), entry: usize, value: i32) {
        debug_assert!(entry < len);
        self.scalars[start + entry] = narrow(value);
    }

    /// Writes consecutive entries of a span.
    fn put_row<const N: usize>(
        &mut self,
        (start, len): (usize, usize),
        entry: usize,
        values: [i16; N],
    ) {
        debug_assert!(entry + N <= len);
        self.scalars[start + entry..start + entry + N].copy_from_slice(&values);
    }

    /// The rules.
    fn write_rules(&mut self, facts: &Facts) {
        const PLAYERS: (usize, usize) = flag("players");
        const CHANGE: (usize, usize) = flag("change of suit");
        const EXCHANGE: (usize, usize) = flag("exchange");
        const OPTIONS: (usize, usize) = flag("options");
        const PRESENT: (usize, usize) = flag("cell present");
        const SUIT: (usize, usize) = flag("cell suit");
        const NUMBERS: (usize, usize) = scalar("per card, price");
        const RANK: (usize, usize) = scalar("cell rank");
        /// The bit of `options` that depends on the deal, not on the rules.
        const CREDIT: u32 = 1 << 3;
        self.planes.absent = !facts.cards(at!("pack"));
        self.set(PLAYERS, 1 << (facts.players - 2));
        self.set(CHANGE, 1 << facts.byte(at!("change of suit")));
        self.set(EXCHANGE, 1 << facts.byte(at!("exchange")) >> 1);
        let credit = if facts.is_credit() { CREDIT } else { 0 };
        self.set(OPTIONS, u32::from(facts.byte(at!("options"))) | credit);
        self.put(NUMBERS, 0, facts.chips(at!("per card, price")));
        self.put(NUMBERS, 1, facts.chips(at!("per card, price") + 4));
        let (mut present, mut suits) = (0, 0);
        for (cell, _) in facts.layout() {
            present |= 1 << cell;
            if let Some(card) = facts.cell_card(cell) {
                suits |= 1 << (4 * cell + card.suit().index());
                self.put(RANK, cell, card.rank().index() as i32 + 1);
            }
        }
        self.set(PRESENT, present);
        self.set(SUIT, suits);
    }

    /// The decision that is due.
    fn write_decision(&mut self, facts: &Facts) {
        const PHASE: (usize, usize) = flag("phase");
        const STOPPED: (usize, usize) = flag("stopped suit");
        const LEADS: (usize, usize) = flag("legal leads");
        const CHIPS: (usize, usize) = flag("legal cells");
        const BIDS: (usize, usize) = flag("legal dead hand, bids and bets");
        const NUMBERS: (usize, usize) = scalar("kitty, bid, chips to place");
        const PRICE: (usize, usize) = scalar("price now");
        self.set(PHASE, 1 << facts.byte(at!("phase")) >> 1);
        self.set(STOPPED, 1 << facts.byte(at!("stopped")) >> 1);
        let legal = facts.legal();
        self.set(LEADS, legal & 15);
        self.set(CHIPS, legal >> 4 & 0xff);
        self.set(BIDS, legal >> 12 & 0x3ff);
        self.put(NUMBERS, 0, facts.chips(at!("kitty, price now")));
        self.put(NUMBERS, 1, facts.few_chips(at!("bid, chips to place")).into());
        self.put(NUMBERS, 2, facts.few_chips(at!("bid, chips to place") + 2).into());
        self.put(PRICE, 0, facts.chips(at!("kitty, price now") + 4));
    }

    /// The chips on the table and in the stacks.
    fn write_chips(&mut self, facts: &Facts) {
        const CHIPS: (usize, usize) = scalar("cell chips");
        const STACK: (usize, usize) = scalar("stack");
        const STAKED: (usize, usize) = scalar("staked");
        const AHEAD: (usize, usize) = scalar("ahead of the viewer");
        for (cell, chips) in facts.layout() {
            self.put(CHIPS, cell, chips);
        }
        let own = facts.chips(at!("stack") + 4 * facts.viewer);
        for (relative, seat) in relative_seats(facts) {
            self.put_row(STAKED, MAX_CELLS * relative, facts.staked(seat));
            let stack = facts.chips(at!("stack") + 4 * seat);
            if !facts.is_credit() {
                self.put(STACK, relative, stack);
            }
            if relative > 0 {
                self.put(AHEAD, relative - 1, stack.wrapping_sub(own));
            }
        }
    }

    /// The session, if there is one, and the rules that concern it.
    fn write_session(&mut self, facts: &Facts) {
        const FIRST: (usize, usize) = flag("session");
        const LEFT: (usize, usize) = scalar("deals left");
        const BOUNDS: (usize, usize) = scalar("starting chips, cap");
        const BITS: usize = field("session and first lead");
        self.put(BOUNDS, 1, facts.chips(at!("starting chips, cap") + 4));
        let deals = i32::from(facts.byte(at!("deals")));
        let mut bits = u32::from(facts.byte(BITS)) | u32::from(facts.byte(BITS + 1)) << 8;
        if deals > 0 {
            self.put(LEFT, 0, deals - 1);
            self.put(BOUNDS, 0, facts.chips(at!("starting chips, cap")));
        } else {
            bits = bits >> SESSION_BITS << SESSION_BITS;
        }
        // These spans follow each other.
        self.set((FIRST.0, SESSION_BITS as usize + 5), bits);
    }

    /// The roles of the seats.
    fn write_seats(&mut self, facts: &Facts) {
        const IN: (usize, usize) = flag("seat in");
        const DEALER: (usize, usize) = flag("dealer");
        const ELDEST: (usize, usize) = flag("eldest");
        const ACTOR: (usize, usize) = flag("actor");
        const EXCHANGER: (usize, usize) = flag("exchanger");
        const BIDDER: (usize, usize) = flag("bidder");
        const PASSED: (usize, usize) = flag("passed");
        const BIDDING: usize = field("bidder, passed, exchanger");
        let only = |seat: u8| relative(facts, if seat < NOBODY { 1 << seat } else { 0 });
        let (seats_in, dealer) = (facts.seats_in(), facts.byte(at!("dealer")));
        self.set(IN, relative(facts, seats_in.bits()));
        self.set(DEALER, only(dealer));
        self.set(ELDEST, only(seats_in.left_of(usize::from(dealer)) as u8));
        self.set(ACTOR, only(facts.byte(at!("actor"))));
        self.set(EXCHANGER, only(facts.byte(BIDDING + 2)));
        self.set(BIDDER, only(facts.byte(BIDDING)));
        self.set(PASSED, relative(facts, facts.byte(BIDDING + 1)));
    }

    /// The viewer's cards, and what is known of the others.
    fn write_cards(&mut self, facts: &Facts) {
        const VOID: (usize, usize) = flag("seat void in suit");
        const DEAD: (usize, usize) = scalar("dead hand");
        const SIZE: (usize, usize) = scalar("hand size");
        const FLOOR: (usize, usize) = scalar("seat lowest in suit");
        const HIDDEN: (usize, usize) = scalar("suit cards hidden");
        let evidence = facts.evidence();
        let sure = evidence.infer();
        let (hand, played, dead) = (facts.hand, evidence.played(), sure.dead);
        let others = sure.certain.iter().fold(CardSet::EMPTY, |all, &cards| all | cards);
        let located = others - hand;
        let live = sure.live() - hand - located;
        let hidden = evidence.pack - hand - played - dead - located;
        let gone = self.planes.absent | played | dead;
        let (absent, apart) = (self.planes.absent, facts.cards(at!("apart")));
        self.planes = Planes { hand, played, dead, absent, located, live, apart };
        self.put(DEAD, 0, evidence.dead_size as i32);
        self.put_row(HIDDEN, 0, lanes::counts(hidden));
        let mut void = 0;
        for (relative, seat) in relative_seats(facts) {
            self.put(SIZE, relative, facts.hand_size(seat));
            if relative > 0 {
                let possible = sure.possible[seat];
                let entry = 4 * (relative - 1);
                self.put_row(FLOOR, entry, lanes::lowest(possible));
                void |= (!possible.suits() & 15) << entry;
            }
        }
        self.set(VOID, void);
        self.write_suits(facts, gone);
        self.write_cells(facts, gone);
    }

    /// The certain results of a lead of each suit.
    fn write_suits(&mut self, facts: &Facts, gone: CardSet) {
        const STOP: (usize, usize) = flag("own run stops");
        const HELD: (usize, usize) = scalar("suit cards held");
        const RUN: (usize, usize) = scalar("own run");
        const RUN_CHIPS: (usize, usize) = scalar("own run chips");
        let mut runs = lanes::runs(facts.hand, gone);
        self.put_row(HELD, 0, lanes::counts(facts.hand));
        self.put_row(RUN, 0, runs.lengths);
        self.set(STOP, runs.stops);
        if facts.has(COLLECT) {
            return;
        }
        // A card takes one cell. If several cells name it, the last one.
        let mut chips = [0; 4];
        for (cell, on_cell) in facts.layout().rev() {
            if let Some(card) = facts.cell_card(cell)
                && runs.cards.contains(card)
            {
                chips[card.suit().index()] += i64::from(on_cell);
                runs.cards.remove(card);
            }
        }
        self.put_row(RUN_CHIPS, 0, chips.map(narrow));
    }

    /// The cells that the viewer can claim.
    fn write_cells(&mut self, facts: &Facts, gone: CardSet) {
        const HELD: (usize, usize) = flag("cell held");
        const GONE: (usize, usize) = flag("cell gone");
        const VALUE: (usize, usize) = scalar("card chips");
        let (mut held, mut out) = (0, 0);
        for (cell, chips) in facts.layout() {
            if let Some(card) = facts.cell_card(cell) {
                held |= u32::from(facts.hand.contains(card)) << cell;
                out |= u32::from(gone.contains(card)) << cell;
                self.put(VALUE, card.index(), chips);
            }
        }
        // The cells of several cards: for the last card of each set that the viewer can complete.
        for (cell, chips) in facts.layout() {
            for card in facts.cards(at!("set cards") + 8 * cell) {
                held |= 1 << cell;
                let before = i32::from(self.scalars[VALUE.0 + card.index()]);
                self.put(VALUE, card.index(), before.saturating_add(chips));
            }
        }
        self.set(HELD, held);
        self.set(GONE, out);
    }

    /// What the stages before the play have shown.
    fn write_stages(&mut self, facts: &Facts) {
        const JUDGED: (usize, usize) = flag("cell judged");
        const COLLECTED: (usize, usize) = flag("collected");
        self.set(JUDGED, facts.byte(TOLD + 2).into());
        for (relative, seat) in relative_seats(facts) {
            let took = |cell| u32::from(facts.byte(at!("collected") + cell) >> seat & 1) << cell;
            let cells = (0..MAX_CELLS).map(took).sum();
            self.set((COLLECTED.0 + MAX_CELLS * relative, MAX_CELLS), cells);
        }
        if facts.has(POKER) {
            self.write_poker(facts);
        }
    }

    fn write_poker(&mut self, facts: &Facts) {
        const STAYS: (usize, usize) = flag("stays in the betting");
        const PUT: (usize, usize) = scalar("bets");
        const OWN: (usize, usize) = scalar("raises, own poker hand");
        self.set(STAYS, relative(facts, facts.seats_in().bits() & !facts.byte(TOLD + 1)));
        for (relative, seat) in relative_seats(facts) {
            self.put(PUT, relative, facts.few_chips(at!("bets") + 2 * seat).into());
        }
        self.put(OWN, 0, facts.byte(TOLD).into());
        let apart = facts.cards(at!("apart"));
        if apart.len() == 5 {
            let strength = Strength::of(apart, facts.aces());
            self.put(OWN, 1, 1 + strength.class() as i32);
            self.put(OWN, 2, 1 + strength.leading_rank() as i32);
        }
    }

    /// Calls `f(index)` for every fact that is true, in order of index.
    pub(super) fn for_each_fact(&self, mut f: impl FnMut(usize)) {
        for (plane, cards) in self.planes.in_order().into_iter().enumerate() {
            for card in cards {
                f(52 * plane + card.index());
            }
        }
        for (word, &bits) in self.flags.iter().enumerate() {
            let mut bits = bits;
            while bits != 0 {
                f(FLAGS_AT + 64 * word + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        }
    }

    /// Calls `f(index, value)` for every other entry of the vector that is not 0, in order of index.
    pub(super) fn for_each_number(&self, mut f: impl FnMut(usize, f32)) {
        // Without a branch for each number: the processor could not predict which are 0.
        for (word, values) in self.scalars.chunks(64).enumerate() {
            let mut bits = nonzero(values);
            while bits != 0 {
                let index = 64 * word + bits.trailing_zeros() as usize;
                f(SCALARS_AT + index, f32::from(self.scalars[index]) * scale(index));
                bits &= bits - 1;
            }
        }
        for (span, by_suit) in outlook(self).into_iter().enumerate() {
            for (suit, value) in by_suit.into_iter().enumerate() {
                if value != 0.0 {
                    f(OUTLOOKS_AT + 4 * span + suit, value * OUTLOOK_SCALES[span]);
                }
            }
        }
    }
}

/// Index of raises, folded seats and judged cells.
const TOLD: usize = field("raises, folded, judged");

/// A number in 16 bits, clamped.
fn narrow(value: impl Into<i64>) -> i16 {
    value.into().clamp(i64::from(i16::MIN), i64::from(i16::MAX)) as i16
}

/// Which of at most 64 values are not 0, bit `i` for the `i`-th.
fn nonzero(values: &[i16]) -> u64 {
    /// A factor that gathers eight bytes of 0 or 1 as bits of the highest byte, the first byte lowest.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let mut marks = [0; 64];
    for (mark, &value) in marks.iter_mut().zip(values) {
        *mark = u8::from(value != 0);
    }
    let gathered = |eight: &[u8; 8]| u64::from_le_bytes(*eight).wrapping_mul(GATHER) >> 56;
    marks.as_chunks().0.iter().rev().fold(0, |bits, eight| bits << 8 | gathered(eight))
}

/// The seats with their relative numbers.
fn relative_seats(facts: &Facts) -> impl Iterator<Item = (usize, usize)> + use<> {
    (facts.viewer..facts.players).chain(0..facts.viewer).enumerate()
}

/// A mask of seats, rotated so that bit 0 is the viewer.
fn relative(facts: &Facts, seats: u8) -> u32 {
    let seats = u32::from(seats & Seats::first(facts.players).bits());
    (seats >> facts.viewer | seats << (facts.players - facts.viewer))
        & u32::from(Seats::first(facts.players).bits())
}

const _: () = assert!(FLAG_BITS <= 64 * FLAG_WORDS);
