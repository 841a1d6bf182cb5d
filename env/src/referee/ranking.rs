//! The worth of five cards at poker, by counting.

use alloc::vec;
use alloc::vec::Vec;

use super::HandName;
use crate::card::{Aces, Card};

/// The worth of five cards: their name, then the ranks that decide between hands of one name, the most
/// important first. The greater worth wins.
pub(super) type Worth = (HandName, Vec<usize>);

/// The worth of five cards. At poker aces are high (and low in A-2-3-4-5), whatever the game's order of
/// ranks.
pub(super) fn worth(cards: &[Card], aces: Aces) -> Worth {
    let rank = |card: &Card| {
        let letter = aces.letter(card.rank());
        Aces::High.rank(letter).expect("one of thirteen ranks").index()
    };
    let held: Vec<usize> = cards.iter().map(rank).collect();
    // The count of each rank: the highest count first, of equal counts the highest rank first.
    let mut groups: Vec<(usize, usize)> = (0..13)
        .map(|rank| (held.iter().filter(|&&other| other == rank).count(), rank))
        .filter(|&(count, _)| count > 0)
        .collect();
    groups.sort_unstable_by(|a, b| b.cmp(a));
    let counts: Vec<usize> = groups.iter().map(|group| group.0).collect();
    let ranks: Vec<usize> = groups.iter().map(|group| group.1).collect();
    let flush = cards.iter().all(|card| card.suit() == cards[0].suit());
    let top = match ranks[..] {
        // A, 5, 4, 3, 2: five high.
        [12, 3, 2, 1, 0] => Some(3),
        [top, _, _, _, low] if top == low + 4 => Some(top),
        _ => None,
    };
    if let Some(top) = top {
        let name = if flush { HandName::StraightFlush } else { HandName::Straight };
        return (name, vec![top]);
    }
    let name = match counts[..] {
        [4, 1] => HandName::FourOfAKind,
        [3, 2] => HandName::FullHouse,
        _ if flush => HandName::Flush,
        [3, ..] => HandName::ThreeOfAKind,
        [2, 2, _] => HandName::TwoPair,
        [2, ..] => HandName::OnePair,
        _ => HandName::HighCard,
    };
    (name, ranks)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(hand: &str, aces: Aces) -> Worth {
        let cards: Vec<Card> =
            hand.split_whitespace().map(|name| Card::parse(name, aces).unwrap()).collect();
        worth(&cards, aces)
    }

    #[test]
    fn each_hand_beats_those_above_it() {
        let ascending = [
            ("7C 5C 4C 3C 2D", HandName::HighCard),
            ("KC QD JH TS 8C", HandName::HighCard),
            ("AC 6D 4H 3S 2C", HandName::HighCard),
            ("AC KD QH JS 9C", HandName::HighCard),
            ("2C 2D AH KS QC", HandName::OnePair),
            ("3C 3D 5H 4S 2C", HandName::OnePair),
            ("AC AD 5H 4S 2C", HandName::OnePair),
            ("3C 3D 2H 2S AC", HandName::TwoPair),
            ("4C 4D 2H 2S 3C", HandName::TwoPair),
            ("4C 4D 3H 3S 2C", HandName::TwoPair),
            ("4C 4D 3H 3S 5C", HandName::TwoPair),
            ("2C 2D 2H KS AC", HandName::ThreeOfAKind),
            ("3C 3D 3H 4S 2C", HandName::ThreeOfAKind),
            ("AC 2D 3H 4S 5C", HandName::Straight),
            ("6C 2D 3H 4S 5C", HandName::Straight),
            ("AC KD QH JS TC", HandName::Straight),
            ("7C 5C 4C 3C 2C", HandName::Flush),
            ("AH KH QH JH 9H", HandName::Flush),
            ("2C 2D 2H AS AC", HandName::FullHouse),
            ("3C 3D 3H 2S 2C", HandName::FullHouse),
            ("2C 2D 2H 2S AC", HandName::FourOfAKind),
            ("AC AD AH AS 2C", HandName::FourOfAKind),
            ("AC 2C 3C 4C 5C", HandName::StraightFlush),
            ("2C 3C 4C 5C 6C", HandName::StraightFlush),
            ("AS KS QS JS TS", HandName::StraightFlush),
        ];
        for aces in [Aces::Low, Aces::High] {
            for pair in ascending.windows(2) {
                assert!(of(pair[0].0, aces) < of(pair[1].0, aces), "{pair:?}");
            }
            for (hand, name) in ascending {
                assert_eq!(of(hand, aces).0, name, "{hand}");
            }
        }
    }

    #[test]
    fn there_is_no_way_round_the_ace_and_suits_do_not_count() {
        assert_eq!(of("KC AD 2H 3S 4C", Aces::High).0, HandName::HighCard);
        assert_eq!(of("KC KD 9H 8S 2C", Aces::Low), of("KH KS 9C 8D 2S", Aces::Low));
    }
}
