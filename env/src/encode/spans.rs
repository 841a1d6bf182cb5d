//! The table of the entries of an encoded view, and its fingerprint.

/// Raised whenever an observation of the same view changes.
pub const VERSION: u32 = 6;

/// How suits number the entries of a span.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Axis {
    /// Without suits.
    Other,
    /// `4 · other index + suit`.
    Suit,
    /// `13 · suit + position`, as cards are numbered.
    Card,
}

/// One named stretch of the vector.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Span {
    /// Its name, unique among spans.
    pub name: &'static str,
    /// The meaning of its entries, and their order.
    pub about: &'static str,
    /// Index of its first entry.
    pub start: usize,
    /// Number of entries.
    pub len: usize,
    /// The value of a count of 1 (a chip, a card, a rank); 1 for facts.
    pub scale: f32,
    /// How suits number its entries.
    pub axis: Axis,
}

impl Span {
    /// The index that says about suit `suits[s]` what `index` says about suit `s`.
    const fn permute_suits(&self, index: usize, suits: [usize; 4]) -> usize {
        let entry = index - self.start;
        match self.axis {
            Axis::Other => index,
            Axis::Suit => index - entry % 4 + suits[entry % 4],
            Axis::Card => self.start + 13 * suits[entry / 13] + entry % 13,
        }
    }
}

/// The new index of each entry when suit `s` becomes `suits[s]`: a deal with its suits changed, layout
/// included, is encoded as the same numbers at these indices.
pub fn permute_suits(suits: [usize; 4]) -> [usize; LEN] {
    let mut places = core::array::from_fn(|index| index);
    for span in SPANS {
        for place in &mut places[span.start..span.start + span.len] {
            *place = span.permute_suits(*place, suits);
        }
    }
    places
}

/// Card planes, 52 entries each, by card index.
pub(super) const PLANES: [(&str, &str); 7] = [
    ("hand", "cards in the viewer's hand"),
    ("played", "cards played by anybody"),
    ("dead", "cards that are certainly in the dead hand"),
    ("absent", "cards that are not in the pack"),
    ("located", "cards that are certainly in some other seat's hand"),
    ("live", "other hidden cards that are certainly not dead"),
    ("apart", "cards that the viewer has set apart for poker"),
];

/// Facts: name, entries, how they are numbered, meaning.
const FLAGS: [(&str, usize, Axis, &str); 30] = [
    (
        "phase",
        6,
        Axis::Other,
        "what is to be decided: ante, dead hand, bid, lead, card to set apart, bet",
    ),
    ("stopped suit", 4, Axis::Suit, "by suit: it stopped last"),
    ("legal leads", 4, Axis::Suit, "by suit: the viewer may lead it"),
    ("legal cells", 8, Axis::Other, "by cell: the viewer may put a chip there"),
    (
        "legal dead hand, bids and bets",
        10,
        Axis::Other,
        "keep, exchange, auction, bid, pass, check, bet, call, raise, fold",
    ),
    ("players", 7, Axis::Other, "2 to 8 seats at the table"),
    ("change of suit", 4, Axis::Other, "free, else_same, else_pass, other_colour"),
    ("exchange", 3, Axis::Other, "dealer, dealer or auction, offer chain"),
    (
        "options",
        6,
        Axis::Other,
        "winner takes the kitty; not eldest leads; ante after the look; credit; cells collected, poker without",
    ),
    ("cell present", 8, Axis::Other, "by cell: the layout has it"),
    ("cell held", 8, Axis::Other, "by cell: the viewer holds the claiming card"),
    ("cell gone", 8, Axis::Other, "by cell: the claiming card is played or dead"),
    ("cell suit", 32, Axis::Suit, "by cell and suit: the claiming card's suit"),
    ("seat in", 8, Axis::Other, "by relative seat: it plays"),
    ("dealer", 8, Axis::Other, "by relative seat"),
    ("actor", 8, Axis::Other, "by relative seat: it is to act"),
    ("exchanger", 8, Axis::Other, "by relative seat: it took the dead hand"),
    ("bidder", 8, Axis::Other, "by relative seat: it made the highest bid"),
    ("passed", 8, Axis::Other, "by relative seat: it left the auction"),
    (
        "seat void in suit",
        28,
        Axis::Suit,
        "by relative seat 1 to 7 and suit: it certainly holds no card of it",
    ),
    (
        "own run stops",
        4,
        Axis::Suit,
        "by suit: the viewer's own run from the lowest card ends at a sure stop",
    ),
    ("stays in the betting", 8, Axis::Other, "by relative seat: it has not folded"),
    ("cell judged", 8, Axis::Other, "by cell, where cells are collected: it had chips then"),
    ("collected", 64, Axis::Other, "by relative seat and cell: it then took chips from it"),
    ("eldest", 8, Axis::Other, "by relative seat: it sits to the dealer's left"),
    ("session", 1, Axis::Other, "the deal is one of a session"),
    (
        "bust",
        3,
        Axis::Other,
        "in a session, who cannot cover the ante: ends it, is out of it, buys chips",
    ),
    (
        "leftover",
        3,
        Axis::Other,
        "in a session, chips that are left at its end: stay, go by lot, go to the richest",
    ),
    ("first lead's suit", 4, Axis::Suit, "by suit: its lowest card must be led first"),
    ("poker winner leads", 1, Axis::Other, "the winner of the pot leads first"),
];

/// Numbers: name, entries, scale, how they are numbered, meaning.
const NUMBERS: [(&str, usize, f32, Axis, &str); 20] = [
    ("card chips", 52, 0.125, Axis::Card, "by card: chips that playing it claims"),
    ("cell chips", 8, 0.125, Axis::Other, "by cell"),
    ("cell rank", 8, 1.0 / 13.0, Axis::Other, "by cell: 1 + position of the claiming card"),
    ("kitty, bid, chips to place", 3, 0.125, Axis::Other, "chips"),
    ("per card, price", 2, 0.125, Axis::Other, "chips"),
    ("dead hand", 1, 0.125, Axis::Other, "cards in it"),
    ("hand size", 8, 1.0 / 13.0, Axis::Other, "by relative seat"),
    (
        "stack",
        8,
        1.0 / 32.0,
        Axis::Other,
        "by relative seat, where stacks are chips that can run out",
    ),
    (
        "staked",
        64,
        0.25,
        Axis::Other,
        "by relative seat and cell: chips put there before this deal",
    ),
    (
        "seat lowest in suit",
        28,
        1.0 / 13.0,
        Axis::Suit,
        "by relative seat 1 to 7 and suit: 1 + lowest position it can hold",
    ),
    ("suit cards held", 4, 1.0 / 13.0, Axis::Suit, "by suit"),
    (
        "suit cards hidden",
        4,
        1.0 / 13.0,
        Axis::Suit,
        "by suit: cards that may be in a hand or dead",
    ),
    (
        "own run",
        4,
        1.0 / 13.0,
        Axis::Suit,
        "by suit: cards that the viewer plays in a row from the lowest",
    ),
    ("own run chips", 4, 0.125, Axis::Suit, "by suit: chips that this run claims"),
    ("bets", 8, 0.125, Axis::Other, "by relative seat: chips put into the pot by betting"),
    (
        "raises, own poker hand",
        3,
        0.1,
        Axis::Other,
        "raises; 1 + class of the five cards; 1 + their leading rank",
    ),
    ("price now", 1, 0.125, Axis::Other, "chips that the dead hand costs whoever is asked"),
    ("deals left", 1, 0.1, Axis::Other, "deals of the session that follow this one"),
    (
        "starting chips, cap",
        2,
        1.0 / 32.0,
        Axis::Other,
        "chips at the start of a session, where they can run out; most on a cell, if there is a bound",
    ),
    (
        "ahead of the viewer",
        7,
        1.0 / 32.0,
        Axis::Other,
        "by relative seat 1 to 7: chips that it has more than the viewer",
    ),
];

/// Conclusions, one entry for each suit: name, scale, meaning.
pub(super) const OUTLOOKS: [(&str, f32, &str); 6] = [
    ("lead: own cards", 1.0 / 13.0, "cards that the viewer can expect to play of it"),
    ("lead: others' cards", 1.0 / 13.0, "cards that the others can"),
    ("lead: leads again", 1.0, "the chance that the viewer plays the last of them"),
    ("lead: own chips", 0.125, "chips that the viewer can expect to claim by them"),
    ("lead: others' chips", 0.125, "chips that the others can"),
    ("leads needed", 0.25, "leads without which the viewer can expect not to play its cards of it"),
];

const fn flag_bits() -> usize {
    let (mut sum, mut i) = (0, 0);
    while i < FLAGS.len() {
        sum += FLAGS[i].1;
        i += 1;
    }
    sum
}

const fn scalars() -> usize {
    let (mut sum, mut i) = (0, 0);
    while i < NUMBERS.len() {
        sum += NUMBERS[i].1;
        i += 1;
    }
    sum
}

pub(super) const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// Bits of all flag spans.
pub(super) const FLAG_BITS: usize = flag_bits();
/// Words that hold them.
pub(super) const FLAG_WORDS: usize = FLAG_BITS.div_ceil(64);
/// Entries of all number spans.
pub(super) const SCALARS: usize = scalars();
/// Index of the first flag.
pub(super) const FLAGS_AT: usize = 52 * PLANES.len();
/// Index of the first number.
pub(super) const SCALARS_AT: usize = FLAGS_AT + FLAG_BITS;
/// Index of the first conclusion.
pub(super) const OUTLOOKS_AT: usize = SCALARS_AT + SCALARS;
/// Length of the vector.
pub const LEN: usize = OUTLOOKS_AT + 4 * OUTLOOKS.len();

/// Start (within the flags) and length of a flag span; an unknown name does not compile.
pub(super) const fn flag(name: &str) -> (usize, usize) {
    let (mut start, mut i) = (0, 0);
    while !same(FLAGS[i].0, name) {
        start += FLAGS[i].1;
        i += 1;
    }
    (start, FLAGS[i].1)
}

/// Start (within the numbers) and length of a number span; an unknown name does not compile.
pub(super) const fn scalar(name: &str) -> (usize, usize) {
    let (mut start, mut i) = (0, 0);
    while !same(NUMBERS[i].0, name) {
        start += NUMBERS[i].1;
        i += 1;
    }
    (start, NUMBERS[i].1)
}

const SCALES: [f32; SCALARS] = {
    let mut scales = [0.0; SCALARS];
    let (mut i, mut index) = (0, 0);
    while i < NUMBERS.len() {
        let mut k = 0;
        while k < NUMBERS[i].1 {
            scales[index] = NUMBERS[i].2;
            index += 1;
            k += 1;
        }
        i += 1;
    }
    scales
};

/// The value of a count of 1, by index within the numbers.
pub(super) const fn scale(index: usize) -> f32 {
    SCALES[index]
}

/// The scale of each span of conclusions, without their names, which only [`SPANS`] needs.
pub(super) const OUTLOOK_SCALES: [f32; OUTLOOKS.len()] = {
    let mut scales = [0.0; OUTLOOKS.len()];
    let mut span = 0;
    while span < scales.len() {
        scales[span] = OUTLOOKS[span].1;
        span += 1;
    }
    scales
};

const ALL: usize = PLANES.len() + FLAGS.len() + NUMBERS.len() + OUTLOOKS.len();

/// All spans, in order.
pub const SPANS: [Span; ALL] = {
    let empty = Span { name: "", about: "", start: 0, len: 0, scale: 1.0, axis: Axis::Other };
    let mut spans = [empty; ALL];
    let (mut start, mut i) = (0, 0);
    while i < spans.len() {
        spans[i] = if i < PLANES.len() {
            let (name, about) = PLANES[i];
            Span { name, about, start, len: 52, scale: 1.0, axis: Axis::Card }
        } else if i < PLANES.len() + FLAGS.len() {
            let (name, len, axis, about) = FLAGS[i - PLANES.len()];
            Span { name, about, start, len, scale: 1.0, axis }
        } else if i < PLANES.len() + FLAGS.len() + NUMBERS.len() {
            let (name, len, scale, axis, about) = NUMBERS[i - PLANES.len() - FLAGS.len()];
            Span { name, about, start, len, scale, axis }
        } else {
            let (name, scale, about) = OUTLOOKS[i - PLANES.len() - FLAGS.len() - NUMBERS.len()];
            Span { name, about, start, len: 4, scale, axis: Axis::Suit }
        };
        start += spans[i].len;
        i += 1;
    }
    spans
};

/// A hash of the encoding: its version and the name, start, length and scale of each span (FNV-1a,
/// 64 bits). A network only plays with the encoding that it was trained on, so checkpoints contain it.
pub const fn fingerprint() -> u64 {
    // A constant: a program that asks for the fingerprint alone need not contain the names.
    const FINGERPRINT: u64 = {
        let mut hash = fnv(0xcbf2_9ce4_8422_2325, &VERSION.to_le_bytes());
        let mut nth = 0;
        while nth < SPANS.len() {
            let span = &SPANS[nth];
            hash = fnv(hash, span.name.as_bytes());
            hash = fnv(hash, &(span.start as u64).to_le_bytes());
            hash = fnv(hash, &(span.len as u64).to_le_bytes());
            hash = fnv(hash, &span.scale.to_bits().to_le_bytes());
            nth += 1;
        }
        hash
    };
    FINGERPRINT
}

const fn fnv(mut hash: u64, bytes: &[u8]) -> u64 {
    let mut index = 0;
    while index < bytes.len() {
        hash = (hash ^ bytes[index] as u64).wrapping_mul(0x0100_0000_01b3);
        index += 1;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_follow_each_other_without_a_gap() {
        let mut index = 0;
        for span in SPANS {
            assert_eq!(span.start, index, "{}", span.name);
            index += span.len;
        }
        assert_eq!(index, LEN);
    }
}
