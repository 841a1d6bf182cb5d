//! A view as a vector of fixed length: one encoding for all games and table sizes.
//!
//! Seats are relative: seat 0 is the viewer, seat 1 sits to their left. Cards are in the game's
//! own rank order, so aces high or low makes no difference. Facts that are true or false are
//! packed as bits, numbers are kept as whole numbers (chips, cards, ranks) and scaled only where
//! they are written as `f32`. What is said of cards is all 0 before they are dealt, but for those
//! that are not in the pack. Conclusions about hidden cards are those of [`View::infer_apart`].
//! What leads may bring follows from all that, and is worked out where the vector is written.
//! [`SPANS`] says what stands where.

mod bytes;
mod lanes;
mod outlook;
mod spans;
mod template;

pub use spans::{Axis, LEN, SPANS, Span, VERSION, fingerprint, permute_suits};

use crate::action::ActionMask;
use crate::card_set::CardSet;
use crate::deal_start::Seats;
use crate::poker::Strength;
use crate::rules::{MAX_CELLS, Stage};
use crate::state::Phase;
use crate::view::View;
use outlook::outlook;
use spans::{
    FLAG_BITS, FLAG_WORDS, FLAGS_AT, OUTLOOKS, OUTLOOKS_AT, PLANES, SCALARS, SCALARS_AT, flag,
    scalar, scale,
};
pub(crate) use template::Template;

/// An encoded view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Observation {
    planes: Planes,
    flags: [u64; FLAG_WORDS],
    scalars: [i16; SCALARS],
}

/// The card planes, as the table of spans describes them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Planes {
    hand: CardSet,
    played: CardSet,
    dead: CardSet,
    absent: CardSet,
    located: CardSet,
    live: CardSet,
    apart: CardSet,
}

impl Planes {
    const fn in_order(&self) -> [CardSet; PLANES.len()] {
        let Self { hand, played, dead, absent, located, live, apart } = *self;
        [hand, played, dead, absent, located, live, apart]
    }
}

impl Observation {
    /// Length of the vector that [`Observation::write`] fills.
    pub const LEN: usize = LEN;

    /// An observation of nothing, to fill buffers with.
    pub const BLANK: Self = Self {
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

    /// Encodes a view.
    pub fn of(view: &View) -> Self {
        let mut observation = Self::BLANK;
        observation.encode(view, view.legal());
        observation
    }

    /// Becomes [`Observation::of`] a view with these choices.
    pub(crate) fn encode(&mut self, view: &View, legal: ActionMask) {
        *self = view.game().template(view.public().claims).observation;
        self.write_decision(view, legal);
        self.write_chips(view);
        self.write_seats(view);
        if view.is_dealt() {
            self.write_cards(view);
        }
        if !view.game().rules().stages.is_empty() {
            self.write_stages(view);
        }
    }

    /// The bits of a flag span.
    fn set(&mut self, (start, len): (usize, usize), bits: u32) {
        debug_assert!(bits >> len == 0);
        let (word, shift) = (start / 64, start % 64);
        self.flags[word] |= u64::from(bits) << shift;
        if shift + len > 64 {
            self.flags[word + 1] |= u64::from(bits) >> (64 - shift);
        }
    }

    fn put(&mut self, (start, len): (usize, usize), at: usize, value: i32) {
        debug_assert!(at < len);
        self.scalars[start + at] = narrow(value);
    }

    /// Some numbers in a row, from one of a span's on.
    fn put_row<const N: usize>(
        &mut self,
        (start, len): (usize, usize),
        at: usize,
        values: [i16; N],
    ) {
        debug_assert!(at + N <= len);
        self.scalars[start + at..start + at + N].copy_from_slice(&values);
    }

    /// What is going on.
    fn write_decision(&mut self, view: &View, legal: ActionMask) {
        const PHASE: (usize, usize) = flag("phase");
        const STOPPED: (usize, usize) = flag("stopped suit");
        const LEADS: (usize, usize) = flag("legal leads");
        const CHIPS: (usize, usize) = flag("legal cells");
        const BIDS: (usize, usize) = flag("legal dead hand, bids and bets");
        const OPTIONS: (usize, usize) = flag("options");
        const NUMBERS: (usize, usize) = scalar("kitty, bid, chips to place");
        const PRICE: (usize, usize) = scalar("price now");
        let phase = match view.phase() {
            Phase::Ante => 1,
            Phase::DeadHand => 2,
            Phase::Auction => 4,
            Phase::Lead => 8,
            Phase::SetApart => 16,
            Phase::Bet => 32,
            Phase::Deal | Phase::Over => 0,
        };
        self.set(PHASE, phase);
        self.set(STOPPED, view.stopped().map_or(0, |suit| 1 << suit.index()));
        let legal = legal.bits() as u64;
        self.set(LEADS, (legal & 15) as u32);
        self.set(CHIPS, (legal >> 4 & 0xff) as u32);
        self.set(BIDS, (legal >> 12 & 0x3ff) as u32);
        self.set(OPTIONS, if view.credit() { template::CREDIT } else { 0 });
        self.put(NUMBERS, 0, view.kitty());
        self.put(NUMBERS, 1, view.bid());
        self.put(NUMBERS, 2, view.chips_left() as i32);
        self.put(PRICE, 0, view.price());
    }

    /// What lies on the table, and who put it there.
    fn write_chips(&mut self, view: &View) {
        const CHIPS: (usize, usize) = scalar("cell chips");
        const STACK: (usize, usize) = scalar("stack");
        const STAKED: (usize, usize) = scalar("staked");
        for (cell, &chips) in view.layout().iter().enumerate() {
            self.put(CHIPS, cell, chips);
        }
        for (relative, seat) in relative_seats(view) {
            self.put_row(STAKED, MAX_CELLS * relative, view.public().staked[seat]);
            if !view.credit() {
                self.put(STACK, relative, view.stack(seat));
            }
        }
    }

    /// Who is who.
    fn write_seats(&mut self, view: &View) {
        const IN: (usize, usize) = flag("seat in");
        const DEALER: (usize, usize) = flag("dealer");
        const ELDEST: (usize, usize) = flag("eldest");
        const ACTOR: (usize, usize) = flag("actor");
        const EXCHANGER: (usize, usize) = flag("exchanger");
        const BIDDER: (usize, usize) = flag("bidder");
        const PASSED: (usize, usize) = flag("passed");
        let only = |seat: Option<usize>| relative(view, seat.map_or(0, |seat| 1 << seat));
        self.set(IN, relative(view, view.seats_in().bits()));
        self.set(DEALER, only(Some(view.dealer())));
        self.set(ELDEST, only(Some(view.eldest())));
        self.set(ACTOR, only(view.actor()));
        self.set(EXCHANGER, only(view.exchanger()));
        self.set(BIDDER, only(view.bidder()));
        self.set(PASSED, relative(view, view.passed().bits()));
    }

    /// What the viewer holds, and knows of the other cards.
    fn write_cards(&mut self, view: &View) {
        const VOID: (usize, usize) = flag("seat void in suit");
        const DEAD: (usize, usize) = scalar("dead hand");
        const SIZE: (usize, usize) = scalar("hand size");
        const FLOOR: (usize, usize) = scalar("seat lowest in suit");
        const HIDDEN: (usize, usize) = scalar("suit cards hidden");
        let sure = view.infer_apart();
        let (hand, played, dead) = (view.hand(), view.played(), sure.dead);
        let others = sure.certain.iter().fold(CardSet::EMPTY, |all, &cards| all | cards);
        let located = others - hand;
        let live = sure.live() - hand - located;
        let hidden = view.game().pack() - hand - played - dead - located;
        let gone = self.planes.absent | played | dead;
        let (absent, apart) = (self.planes.absent, view.apart());
        self.planes = Planes { hand, played, dead, absent, located, live, apart };
        self.put(DEAD, 0, view.dead_size() as i32);
        self.put_row(HIDDEN, 0, lanes::counts(hidden));
        let mut void = 0;
        for (relative, seat) in relative_seats(view) {
            self.put(SIZE, relative, view.hand_size(seat) as i32);
            if relative > 0 {
                let possible = sure.possible[seat];
                let at = 4 * (relative - 1);
                self.put_row(FLOOR, at, lanes::lowest(possible));
                void |= (!possible.suits() & 15) << at;
            }
        }
        self.set(VOID, void);
        self.write_suits(view, gone);
        self.write_cells(view, gone);
    }

    /// What a lead of each suit is sure to bring.
    fn write_suits(&mut self, view: &View, gone: CardSet) {
        const STOP: (usize, usize) = flag("own run stops");
        const HELD: (usize, usize) = scalar("suit cards held");
        const RUN: (usize, usize) = scalar("own run");
        const RUN_CHIPS: (usize, usize) = scalar("own run chips");
        let runs = lanes::runs(view.hand(), gone);
        self.put_row(HELD, 0, lanes::counts(view.hand()));
        self.put_row(RUN, 0, runs.lengths);
        self.set(STOP, runs.stops);
        let mut chips = [0; 4];
        let claims = view.claims();
        for card in runs.cards & claims.singles {
            let cell = claims.cell_claimed_by(card).expect("it claims one");
            chips[card.suit().index()] += view.layout()[cell];
        }
        self.put_row(RUN_CHIPS, 0, chips.map(narrow));
    }

    /// The viewer's hopes for the cells.
    fn write_cells(&mut self, view: &View, gone: CardSet) {
        const HELD: (usize, usize) = flag("cell held");
        const GONE: (usize, usize) = flag("cell gone");
        const VALUE: (usize, usize) = scalar("card chips");
        let (hand, claims) = (view.hand(), view.claims());
        let (mut held, mut out) = (0, 0);
        for (cell, &chips) in view.layout().iter().enumerate() {
            if let Some(card) = claims.card_of(cell) {
                held |= u32::from(hand.contains(card)) << cell;
                out |= u32::from(gone.contains(card)) << cell;
                self.put(VALUE, card.index(), chips);
            }
        }
        if claims.has_sets() {
            held |= self.write_sets(view, VALUE);
        }
        self.set(HELD, held);
        self.set(GONE, out);
    }

    /// The cells of several cards: adds their chips to those of the last card of each set that the
    /// viewer can complete; these cells, one bit each.
    fn write_sets(&mut self, view: &View, value: (usize, usize)) -> u32 {
        let own = view.hand() | view.played_by(view.seat());
        let (mut cells, mut last_cards) = (0, [CardSet::EMPTY; MAX_CELLS]);
        for (cell, set) in view.claims().sets().filter(|&(_, set)| own.is_superset(set)) {
            if let Some(card) = (set & view.hand()).last()
                && !last_cards[cell].contains(card)
            {
                cells |= 1 << cell;
                last_cards[cell].insert(card);
                let before = i32::from(self.scalars[value.0 + card.index()]);
                self.put(value, card.index(), before + view.layout()[cell]);
            }
        }
        cells
    }

    /// What the stages before the play have told.
    fn write_stages(&mut self, view: &View) {
        const JUDGED: (usize, usize) = flag("cell judged");
        const COLLECTED: (usize, usize) = flag("collected");
        let record = view.record();
        self.set(JUDGED, u32::from(record.judged));
        for (relative, seat) in relative_seats(view) {
            let took = |cell: usize| u32::from(record.collected[cell].contains(seat)) << cell;
            let cells = (0..MAX_CELLS).map(took).sum();
            self.set((COLLECTED.0 + MAX_CELLS * relative, MAX_CELLS), cells);
        }
        if view.game().rules().has(Stage::Poker) {
            self.write_poker(view);
        }
    }

    fn write_poker(&mut self, view: &View) {
        const STAYS: (usize, usize) = flag("stays in the betting");
        const PUT: (usize, usize) = scalar("bets");
        const OWN: (usize, usize) = scalar("raises, own poker hand");
        self.set(STAYS, relative(view, (view.seats_in() - view.folded()).bits()));
        for (relative, seat) in relative_seats(view) {
            self.put(PUT, relative, view.put(seat));
        }
        self.put(OWN, 0, view.raises() as i32);
        if view.apart().len() == 5 {
            let strength = Strength::of(view.apart(), view.game().rules().aces);
            self.put(OWN, 1, 1 + strength.class() as i32);
            self.put(OWN, 2, 1 + strength.leading_rank() as i32);
        }
    }

    /// Calls `f(index, value)` for every entry of the vector that is not 0, in order of index.
    pub fn for_each_nonzero(&self, mut f: impl FnMut(usize, f32)) {
        for (plane, cards) in self.planes.in_order().into_iter().enumerate() {
            for card in cards {
                f(52 * plane + card.index(), 1.0);
            }
        }
        for (word, &bits) in self.flags.iter().enumerate() {
            let mut bits = bits;
            while bits != 0 {
                f(FLAGS_AT + 64 * word + bits.trailing_zeros() as usize, 1.0);
                bits &= bits - 1;
            }
        }
        for (index, &value) in self.scalars.iter().enumerate() {
            if value != 0 {
                f(SCALARS_AT + index, f32::from(value) * scale(index));
            }
        }
        for (span, by_suit) in outlook(self).into_iter().enumerate() {
            for (suit, value) in by_suit.into_iter().enumerate() {
                if value != 0.0 {
                    f(OUTLOOKS_AT + 4 * span + suit, value * OUTLOOKS[span].1);
                }
            }
        }
    }

    /// Writes the vector.
    ///
    /// # Panics
    /// If `out` is not of [`Observation::LEN`].
    pub fn write(&self, out: &mut [f32]) {
        assert_eq!(out.len(), Self::LEN, "an observation has a fixed length");
        out.fill(0.0);
        self.for_each_nonzero(|index, value| out[index] = value);
    }
}

/// A number as it is kept, in the unlikely case the nearest that can be.
fn narrow(value: i32) -> i16 {
    value.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16
}

/// The seats with their places relative to the viewer.
fn relative_seats(view: &View) -> impl Iterator<Item = (usize, usize)> {
    let (viewer, players) = (view.seat(), view.game().players());
    (viewer..players).chain(0..viewer).enumerate()
}

/// Some seats, bit `s` for seat `s`, turned so that bit 0 is the viewer's.
fn relative(view: &View, seats: u8) -> u32 {
    let (viewer, players) = (view.seat(), view.game().players());
    let seats = u32::from(seats);
    (seats >> viewer | seats << (players - viewer)) & u32::from(Seats::first(players).bits())
}

const _: () = assert!(FLAG_BITS <= 64 * FLAG_WORDS);
