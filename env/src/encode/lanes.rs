//! Operations on all four suits of a set of cards at once: on the four 16-bit lanes of one `u64`, whose
//! upper three bits are free.

use crate::card_set::CardSet;

/// Bit 0 of every lane.
const ONES: u64 = 0x0001_0001_0001_0001;
/// The bit above a lane's thirteen cards.
const ABOVE: u64 = ONES << 13;

/// A number for each suit.
pub(super) type BySuit = [i16; 4];

fn by_suit(lanes: u64) -> BySuit {
    core::array::from_fn(|suit| (lanes >> (16 * suit)) as i16)
}

/// The bits set in each lane.
fn ones(lanes: u64) -> u64 {
    const PAIRS: u64 = 0x5555_5555_5555_5555;
    const FOURS: u64 = 0x3333_3333_3333_3333;
    let pairs = lanes - (lanes >> 1 & PAIRS);
    let fours = (pairs & FOURS) + (pairs >> 2 & FOURS);
    let bytes = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    (bytes + (bytes >> 8)) & 0x00ff_00ff_00ff_00ff
}

/// The lowest bit that is set in each lane and all bits below it; for an empty lane, its fourteen lowest
/// bits.
fn up_to_lowest(lanes: u64) -> u64 {
    let lanes = lanes | ABOVE;
    lanes ^ (lanes - ONES)
}

/// Bit `s` is set if lane `s` is not empty. The highest bit of each lane must be free.
fn filled(lanes: u64) -> u32 {
    let full = (lanes + (ONES * 0x7fff)) & (ONES << 15);
    ((full >> 15 | full >> 30 | full >> 45 | full >> 60) & 15) as u32
}

/// Number of cards of each suit.
pub(super) fn counts(cards: CardSet) -> BySuit {
    by_suit(ones(cards.bits()))
}

/// 1 + the lowest position of each suit; 0 for none.
pub(super) fn lowest(cards: CardSet) -> BySuit {
    let bits = cards.bits();
    let held = (bits + ONES * 0x1fff) >> 13 & ONES;
    by_suit(ones(up_to_lowest(bits)) & (held * 0xffff))
}

/// The consecutive cards of each suit from its lowest card up.
pub(super) struct Runs {
    /// All their cards.
    pub(super) cards: CardSet,
    /// Number of these cards in each suit.
    pub(super) lengths: BySuit,
    /// Bit `s` is set if the run of suit `s` goes up to the top, or to just below a card that is
    /// among those `gone`.
    pub(super) stops: u32,
}

/// The run of each suit.
pub(super) fn runs(hand: CardSet, gone: CardSet) -> Runs {
    let bits = hand.bits();
    let lowest = bits & up_to_lowest(bits);
    // The carry stops just above the run.
    let ends = (bits + lowest) & !bits;
    let cards = ends - lowest;
    Runs {
        cards: CardSet::from_bits(cards),
        lengths: by_suit(ones(cards)),
        stops: filled(ends & (gone.bits() | ABOVE)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::Suit;
    use crate::seed::Seed;
    use rand_core::Rng as _;

    #[test]
    fn all_suits_at_once_is_each_on_its_own() {
        let mut rng = Seed::new(1).rng();
        for round in 0..10_000 {
            let mut bits = rng.next_u64() & rng.next_u64();
            if round % 3 == 0 {
                bits |= rng.next_u64() | 0x1fff << (16 * (round % 4));
            }
            let (hand, gone) = (CardSet::from_bits(bits), CardSet::from_bits(rng.next_u64()));
            let runs = runs(hand, gone);
            for suit in Suit::ALL {
                let (lane, index) = (hand.lane(suit), suit.index());
                let low = lane.trailing_zeros();
                assert_eq!(counts(hand)[index] as u32, lane.count_ones());
                assert_eq!(lowest(hand)[index] as u32, if lane == 0 { 0 } else { low + 1 });
                let run = if lane == 0 { 0 } else { (lane >> low).trailing_ones() };
                assert_eq!(runs.lengths[index] as u32, run);
                let cards = (((1_u32 << run) - 1) << low) as u16;
                assert_eq!(runs.cards.lane(suit), if run == 0 { 0 } else { cards });
                let next = low + run;
                let stops = run > 0 && (next == 13 || gone.lane(suit) >> next & 1 == 1);
                assert_eq!(runs.stops >> index & 1 == 1, stops);
            }
        }
    }
}
