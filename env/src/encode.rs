//! A view as a vector of fixed length: one encoding for all games and table sizes.
//!
//! Seats are relative: seat 0 is the viewer, seat 1 sits to their left. Cards are in the game's
//! own rank order, so aces high or low makes no difference. Facts that are true or false are
//! packed as bits, numbers are kept as whole numbers (chips, cards, ranks) and scaled only where
//! they are written as `f32`. [`SPANS`] says what stands where.

mod spans;

pub use spans::{LEN, SPANS, Span, VERSION, fingerprint};

use crate::card::Suit;
use crate::card_set::CardSet;
use crate::poker::Strength;
use crate::rules::{ClaimWhen, Exchange, Timing};
use crate::state::Phase;
use crate::view::View;
use spans::{FLAG_BITS, FLAG_WORDS, FLAGS_AT, PLANES, SCALARS, SCALARS_AT, flag, scalar, scale};

/// An encoded view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Observation {
    planes: [CardSet; PLANES.len()],
    flags: [u64; FLAG_WORDS],
    scalars: [i16; SCALARS],
}

impl Observation {
    /// Length of the vector that [`Observation::write`] fills.
    pub const LEN: usize = LEN;

    /// Encodes a view.
    pub fn of(view: &View) -> Self {
        let mut observation = Self {
            planes: [
                view.hand(),
                view.played(),
                view.known_dead(),
                !view.game().pack(),
                view.all_shown(),
                view.apart(),
            ],
            flags: [0; FLAG_WORDS],
            scalars: [0; SCALARS],
        };
        observation.write_table(view);
        observation.write_rules(view);
        observation.write_cells(view);
        observation.write_seats(view);
        observation.write_suits(view);
        if view.game().rules().poker.is_some() {
            observation.write_poker(view);
        }
        observation
    }

    /// An observation of nothing, to fill buffers with.
    pub const BLANK: Self = Self {
        planes: [CardSet::EMPTY; PLANES.len()],
        flags: [0; FLAG_WORDS],
        scalars: [0; SCALARS],
    };

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
        self.scalars[start + at] = value.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16;
    }

    /// What is going on.
    fn write_table(&mut self, view: &View) {
        const PHASE: (usize, usize) = flag("phase");
        const STOPPED: (usize, usize) = flag("stopped suit");
        const LEADS: (usize, usize) = flag("legal leads");
        const CHIPS: (usize, usize) = flag("legal cells");
        const BIDS: (usize, usize) = flag("legal dead hand, bids and bets");
        const NUMBERS: (usize, usize) = scalar("kitty, bid, chips to place");
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
        let legal = view.legal().bits();
        self.set(LEADS, (legal & 15) as u32);
        self.set(CHIPS, (legal >> 4 & 0xff) as u32);
        self.set(BIDS, (legal >> 12 & 0x3ff) as u32);
        self.put(NUMBERS, 0, view.kitty());
        self.put(NUMBERS, 1, view.bid());
        self.put(NUMBERS, 2, view.chips_left() as i32);
    }

    /// What is being played.
    fn write_rules(&mut self, view: &View) {
        const PLAYERS: (usize, usize) = flag("players");
        const CHANGE: (usize, usize) = flag("change of suit");
        const EXCHANGE: (usize, usize) = flag("exchange");
        const OPTIONS: (usize, usize) = flag("options");
        const NUMBERS: (usize, usize) = scalar("per card, price, dead hand");
        let rules = view.game().rules();
        self.set(PLAYERS, 1 << (view.game().players() - 2));
        self.set(CHANGE, 1 << rules.change_suit as u32);
        let (exchange, price) = match rules.exchange {
            Exchange::None => (0, 0),
            Exchange::Dealer { fee } => (1, fee),
            Exchange::DealerOrAuction { max_bid } => (2, max_bid),
            Exchange::OfferChain { price } => (4, price),
        };
        self.set(EXCHANGE, exchange);
        let options = [
            rules.kitty_to_winner,
            rules.first_lead != crate::rules::FirstLead::Eldest,
            rules.timing == Timing::AfterLook,
            view.credit(),
            rules.poker == Some(ClaimWhen::Held),
            rules.poker == Some(ClaimWhen::Played),
        ];
        let bits = options.iter().rev().fold(0, |bits, &option| bits << 1 | u32::from(option));
        self.set(OPTIONS, bits);
        let seats: usize = (0..view.game().players()).map(|seat| view.hand_size(seat)).sum();
        let dealt = seats + view.played().len();
        let dead = if dealt == 0 { 0 } else { view.game().pack().len() - dealt };
        self.put(NUMBERS, 0, rules.per_card);
        self.put(NUMBERS, 1, price);
        self.put(NUMBERS, 2, dead as i32);
    }

    fn write_cells(&mut self, view: &View) {
        const PRESENT: (usize, usize) = flag("cell present");
        const HELD: (usize, usize) = flag("cell held");
        const GONE: (usize, usize) = flag("cell gone");
        const SUIT: (usize, usize) = flag("cell suit");
        const RANK: (usize, usize) = scalar("cell rank");
        const CHIPS: (usize, usize) = scalar("cell chips");
        const VALUE: (usize, usize) = scalar("card chips");
        let (mut present, mut held, mut gone, mut suits) = (0, 0, 0, 0);
        let out = view.gone();
        for (cell, (rule, &chips)) in
            view.game().rules().cells.iter().zip(view.layout()).enumerate()
        {
            present |= 1 << cell;
            self.put(CHIPS, cell, chips);
            for (_, set) in view.game().sets().filter(|&(at, _)| at == cell) {
                // The last card of a set that the viewer can complete.
                if (view.hand() | view.played_by(view.seat())).is_superset(set)
                    && let Some(card) = (set & view.hand()).last()
                {
                    held |= 1 << cell;
                    self.put(VALUE, card.index(), chips);
                }
            }
            if let Some(card) = rule.claiming_card() {
                held |= u32::from(view.hand().contains(card)) << cell;
                gone |= u32::from(out.contains(card)) << cell;
                suits |= 1 << (4 * cell + card.suit().index());
                self.put(RANK, cell, card.position() as i32 + 1);
                self.put(VALUE, card.index(), chips);
            }
        }
        self.set(PRESENT, present);
        self.set(HELD, held);
        self.set(GONE, gone);
        self.set(SUIT, suits);
    }

    fn write_seats(&mut self, view: &View) {
        const IN: (usize, usize) = flag("seat in");
        const DEALER: (usize, usize) = flag("dealer");
        const ACTOR: (usize, usize) = flag("actor");
        const EXCHANGER: (usize, usize) = flag("exchanger");
        const BIDDER: (usize, usize) = flag("bidder");
        const PASSED: (usize, usize) = flag("passed");
        const VOID: (usize, usize) = flag("seat void in suit");
        const SIZE: (usize, usize) = scalar("hand size");
        const STACK: (usize, usize) = scalar("stack");
        const FLOOR: (usize, usize) = scalar("seat lowest in suit");
        const STAKED: (usize, usize) = scalar("staked");
        let mut voids = 0;
        for (relative, seat) in view.relative_seats().enumerate() {
            let bit = 1 << relative;
            let is = |who: Option<usize>| if who == Some(seat) { bit } else { 0 };
            self.set(IN, if view.seats_in().contains(seat) { bit } else { 0 });
            self.set(DEALER, is(Some(view.dealer())));
            self.set(ACTOR, is(view.actor()));
            self.set(EXCHANGER, is(view.exchanger()));
            self.set(BIDDER, is(view.bidder()));
            self.set(PASSED, if view.passed().contains(seat) { bit } else { 0 });
            self.put(SIZE, relative, view.hand_size(seat) as i32);
            if !view.credit() {
                self.put(STACK, relative, view.stack(seat));
            }
            for cell in 0..view.game().cells() {
                self.put(STAKED, 8 * relative + cell, view.staked(seat, cell));
            }
            if relative > 0 {
                let possible = view.possible(seat);
                for suit in Suit::ALL {
                    let at = 4 * (relative - 1) + suit.index();
                    match possible.lowest(suit) {
                        Some(card) => self.put(FLOOR, at, card.position() as i32 + 1),
                        None => voids |= 1 << at,
                    }
                }
            }
        }
        self.set(VOID, voids);
    }

    fn write_poker(&mut self, view: &View) {
        const STAYS: (usize, usize) = flag("stays in the betting");
        const PUT: (usize, usize) = scalar("bets");
        const OWN: (usize, usize) = scalar("raises, own poker hand");
        let mut stays = 0;
        for (relative, seat) in view.relative_seats().enumerate() {
            let staying = view.seats_in().contains(seat) && !view.folded().contains(seat);
            stays |= u32::from(staying) << relative;
            self.put(PUT, relative, view.put(seat));
        }
        self.set(STAYS, stays);
        self.put(OWN, 0, view.raises() as i32);
        if view.apart().len() == 5 {
            let strength = Strength::of(view.apart(), view.game().rules().aces);
            self.put(OWN, 1, 1 + strength.class() as i32);
            self.put(OWN, 2, 1 + strength.leading_rank() as i32);
        }
    }

    /// What a lead of each suit is sure to bring.
    fn write_suits(&mut self, view: &View) {
        const STOP: (usize, usize) = flag("own run stops");
        const HELD: (usize, usize) = scalar("suit cards held");
        const HIDDEN: (usize, usize) = scalar("suit cards hidden");
        const RUN: (usize, usize) = scalar("own run");
        const RUN_CHIPS: (usize, usize) = scalar("own run chips");
        let (gone, hidden) = (view.gone(), view.hidden());
        let mut stops = 0;
        for suit in Suit::ALL {
            let index = suit.index();
            let held = view.hand().lane(suit);
            self.put(HELD, index, held.count_ones() as i32);
            self.put(HIDDEN, index, hidden.lane(suit).count_ones() as i32);
            if held == 0 {
                continue;
            }
            let low = held.trailing_zeros();
            let run = (!(held >> low)).trailing_zeros();
            self.put(RUN, index, run as i32);
            let next = low + run;
            let stops_here = next >= 13 || gone.lane(suit) >> next & 1 == 1;
            stops |= u32::from(stops_here) << index;
            let chips: i32 = CardSet::lane_of(suit, (((1_u32 << run) - 1) << low) as u16)
                .iter()
                .filter_map(|card| view.game().cell_claimed_by(card))
                .map(|cell| view.layout()[cell])
                .sum();
            self.put(RUN_CHIPS, index, chips);
        }
        self.set(STOP, stops);
    }

    /// Calls `f(index, value)` for every entry of the vector that is not 0, in order of index.
    pub fn for_each_nonzero(&self, mut f: impl FnMut(usize, f32)) {
        for (plane, cards) in self.planes.iter().enumerate() {
            for card in *cards {
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

const _: () = assert!(FLAG_BITS <= 64 * FLAG_WORDS);
