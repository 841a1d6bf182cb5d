//! The table of the fields of a packed row.

/// What kind of numbers a field has; all are little endian.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Sets of cards, 8 bytes each: bit `16 · suit + position`.
    Cards,
    /// Chips, 4 bytes each, signed.
    Chips,
    /// Bits, 4 bytes.
    Bits,
    /// Small numbers of chips, 2 bytes each, signed.
    FewChips,
    /// Bytes.
    Byte,
}

impl Kind {
    /// Bytes of an entry.
    pub const fn width(self) -> usize {
        match self {
            Self::Cards => 8,
            Self::Chips | Self::Bits => 4,
            Self::FewChips => 2,
            Self::Byte => 1,
        }
    }
}

/// One named stretch of a packed row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its name, unique among fields.
    pub name: &'static str,
    /// The meaning of its entries, and their order.
    pub about: &'static str,
    /// Index of its first byte.
    pub start: usize,
    /// The kind of its entries.
    pub kind: Kind,
    /// Number of entries.
    pub len: usize,
}

/// Name, kind, entries, meaning. Seats are those of the table; a seat of 8 is nobody. The first are
/// those of the rules.
const TABLE: [(&str, Kind, usize, &str); 42] = [
    ("pack", Kind::Cards, 1, "cards in play"),
    ("per card, price", Kind::Chips, 2, "chips"),
    ("starting chips, cap", Kind::Chips, 2, "chips; 0 for none"),
    ("cell card", Kind::Byte, 8, "by cell: 1 + index of the claiming card"),
    ("players", Kind::Byte, 1, "seats at the table; 0 in a row of nothing"),
    ("cells", Kind::Byte, 1, "cells of the layout"),
    ("change of suit", Kind::Byte, 1, "free, else_same, else_pass, other_colour"),
    ("exchange", Kind::Byte, 1, "none, dealer, dealer or auction, offer chain"),
    ("options", Kind::Byte, 1, "bits of the span of this name; credit not among them"),
    ("stages", Kind::Byte, 1, "bits: there are some; cells are collected; poker"),
    ("aces high", Kind::Byte, 1, "1 if aces are the highest cards"),
    (
        "session and first lead",
        Kind::Byte,
        2,
        "bits of the spans from `session` to `poker winner leads`, as in a session",
    ),
    ("nothing of the rules", Kind::Byte, 6, "0: the cards begin at a multiple of 8"),
    ("viewer", Kind::Byte, 1, "the seat whose view it is"),
    ("hand", Kind::Cards, 1, "cards in the viewer's hand"),
    ("known dead", Kind::Cards, 1, "cards that the viewer has seen to be dead"),
    ("apart", Kind::Cards, 1, "cards that the viewer has set apart for poker"),
    ("played by", Kind::Cards, 8, "by seat: cards played"),
    ("ruled out", Kind::Cards, 8, "by seat: cards that its own leads and passes say it lacks"),
    ("staked", Kind::FewChips, 64, "by seat and cell: chips put there before this deal"),
    ("stack", Kind::Chips, 8, "by seat: chips"),
    ("cell chips", Kind::Chips, 8, "by cell"),
    ("kitty, price now", Kind::Chips, 2, "chips; what the dead hand costs whoever is asked"),
    ("legal", Kind::Bits, 1, "bits of the viewer's legal actions, but for cards set apart"),
    ("bid, chips to place", Kind::FewChips, 2, "chips"),
    ("hand size", Kind::Byte, 8, "by seat: cards before the first lead"),
    ("dead hand", Kind::Byte, 1, "cards in it"),
    ("phase", Kind::Byte, 1, "none, ante, dead hand, bid, lead, card to set apart, bet"),
    ("stopped", Kind::Byte, 1, "1 + suit that stopped last; 0 for none"),
    ("seats in", Kind::Byte, 1, "bits: seats that play"),
    ("dealer", Kind::Byte, 1, "seat"),
    ("actor", Kind::Byte, 1, "seat"),
    ("credit", Kind::Byte, 1, "1 if stacks are a score"),
    ("deals", Kind::Byte, 1, "of the session from this one on; 0 for a deal on its own"),
    ("out", Kind::Byte, 1, "seat that has played its last card"),
    ("bidder, passed, exchanger", Kind::Byte, 3, "seat; bits: seats; seat"),
    ("raises, folded, judged", Kind::Byte, 3, "number; bits: seats; bits: cells"),
    ("nothing", Kind::Byte, 1, "0: what follows begins at a multiple of 8"),
    ("collected", Kind::Byte, 8, "by cell: bits of the seats that took chips from it"),
    ("bets", Kind::FewChips, 8, "by seat: chips put into the pot by betting"),
    ("held", Kind::Cards, 8, "by seat: cards that it has shown to hold"),
    ("set cards", Kind::Cards, 8, "by cell: the viewer's cards that complete a set for it"),
];

/// Bytes of a packed row.
pub const BYTES: usize = {
    let (mut sum, mut i) = (0, 0);
    while i < TABLE.len() {
        sum += TABLE[i].1.width() * TABLE[i].2;
        i += 1;
    }
    sum
};

/// Bytes of the fields of the rules.
pub(super) const RULES: usize = field("viewer");

/// All fields, in order.
pub const FIELDS: [Field; TABLE.len()] = {
    let empty = Field { name: "", about: "", start: 0, kind: Kind::Byte, len: 0 };
    let mut fields = [empty; TABLE.len()];
    let (mut start, mut i) = (0, 0);
    while i < fields.len() {
        let (name, kind, len, about) = TABLE[i];
        fields[i] = Field { name, about, start, kind, len };
        start += kind.width() * len;
        i += 1;
    }
    fields
};

/// Index of the first byte of a field; an unknown name does not compile.
pub(super) const fn field(name: &str) -> usize {
    let (mut start, mut i) = (0, 0);
    while !super::spans::same(TABLE[i].0, name) {
        start += TABLE[i].1.width() * TABLE[i].2;
        i += 1;
    }
    start
}

/// Index of the first byte of a field, as a constant.
macro_rules! at {
    ($name:literal) => {
        const { $crate::encode::fields::field($name) }
    };
}
pub(super) use at;

/// Bits of the field `stages`.
pub(super) const STAGES: u8 = 1;
pub(super) const COLLECT: u8 = 2;
pub(super) const POKER: u8 = 4;

/// Bits of the field `session and first lead` that are about the session; 5 about the first lead follow.
pub(super) const SESSION_BITS: u32 = 7;

/// Writes bytes at a constant index.
#[expect(clippy::inline_always, reason = "removes bounds checks and joins stores")]
#[inline(always)]
pub(super) fn put<const N: usize>(row: &mut [u8], start: usize, bytes: [u8; N]) {
    row[start..start + N].copy_from_slice(&bytes);
}
