//! The lists of `basic`, by game.
//!
//! `newmarket study basic --rules GAME --deals 50000 --seed S` found each of them, with the seed that
//! is noted there. In four games the best of three or four seeds was taken, by what its list gained;
//! figures of `basic` are from other seeds.

use newmarket_env::Rules;

use super::Bound::{AtLeast, AtMost};
use super::{Bound, Count, Question};

const fn ask(count: Count, bound: Bound) -> Question {
    Question { count, bound }
}

/// Seed 7.
const NEWMARKET: [Question; 5] = [
    ask(Count::Chips, AtLeast(4)),
    ask(Count::Stops, AtLeast(1)),
    ask(Count::Below, AtMost(0)),
    ask(Count::Above, AtMost(3)),
    ask(Count::OthersChips, AtMost(3)),
];

/// Seed 1.
const HOYLE_1885: [Question; 5] = [
    ask(Count::Chips, AtLeast(5)),
    ask(Count::BelowChips, AtMost(1)),
    ask(Count::Stops, AtLeast(1)),
    ask(Count::Below, AtMost(0)),
    ask(Count::Above, AtMost(2)),
];

/// Seed 1.
const BAZAAR_1875: [Question; 5] = [
    ask(Count::Above, AtMost(0)),
    ask(Count::Chips, AtLeast(5)),
    ask(Count::Below, AtMost(0)),
    ask(Count::Above, AtMost(2)),
    ask(Count::Held, AtLeast(4)),
];

/// Seed 1.
const NEWMARKET_2011: [Question; 5] = [
    ask(Count::Chips, AtLeast(4)),
    ask(Count::Stops, AtLeast(1)),
    ask(Count::BelowChips, AtMost(3)),
    ask(Count::Below, AtMost(0)),
    ask(Count::Above, AtMost(3)),
];

/// Seed 1.
const SOUTH_LONDON: [Question; 5] = [
    ask(Count::BelowChips, AtMost(4)),
    ask(Count::Stops, AtLeast(1)),
    ask(Count::Below, AtMost(0)),
    ask(Count::Above, AtMost(2)),
    ask(Count::Later, AtMost(0)),
];

/// Seed 3.
const MICHIGAN: [Question; 5] = [
    ask(Count::Stops, AtLeast(1)),
    ask(Count::BelowChips, AtMost(3)),
    ask(Count::Below, AtMost(0)),
    ask(Count::OthersChips, AtMost(4)),
    ask(Count::Above, AtMost(2)),
];

/// Seed 1.
const MICHIGAN_FREE_STAKES: [Question; 5] = [
    ask(Count::Chips, AtLeast(8)),
    ask(Count::Stops, AtLeast(1)),
    ask(Count::Chips, AtLeast(4)),
    ask(Count::Below, AtMost(0)),
    ask(Count::Above, AtMost(3)),
];

/// Seed 1.
const MICHIGAN_WIDOW: [Question; 5] = [
    ask(Count::Chips, AtLeast(5)),
    ask(Count::Stops, AtLeast(1)),
    ask(Count::Held, AtLeast(2)),
    ask(Count::Below, AtMost(0)),
    ask(Count::Above, AtMost(3)),
];

/// Seed 2.
const MICHIGAN_AUCTION: [Question; 5] = [
    ask(Count::Stops, AtLeast(2)),
    ask(Count::Chips, AtLeast(5)),
    ask(Count::Stops, AtLeast(1)),
    ask(Count::Below, AtMost(0)),
    ask(Count::Later, AtLeast(1)),
];

/// Seed 1.
const MICHIGAN_ONE_SUIT: [Question; 5] = [
    ask(Count::Chips, AtLeast(5)),
    ask(Count::Stops, AtLeast(1)),
    ask(Count::Below, AtMost(0)),
    ask(Count::Above, AtMost(1)),
    ask(Count::Above, AtMost(3)),
];

/// Seed 1.
const FOUR_HORSES: [Question; 5] = [
    ask(Count::BelowChips, AtMost(3)),
    ask(Count::Below, AtMost(5)),
    ask(Count::Below, AtMost(1)),
    ask(Count::Below, AtMost(0)),
    ask(Count::Gap, AtLeast(6)),
];

/// Seed 1.
const SARATOGA: [Question; 5] = [
    ask(Count::Chips, AtLeast(5)),
    ask(Count::BelowChips, AtMost(1)),
    ask(Count::Stops, AtLeast(1)),
    ask(Count::Below, AtMost(0)),
    ask(Count::Above, AtMost(2)),
];

/// Seed 1.
const CHICAGO: [Question; 5] = [
    ask(Count::Chips, AtLeast(5)),
    ask(Count::Stops, AtLeast(1)),
    ask(Count::Below, AtMost(0)),
    ask(Count::Above, AtMost(2)),
    ask(Count::Gap, AtLeast(1)),
];

/// Seed 3.
const THREE_IN_ONE: [Question; 5] = [
    ask(Count::Between, AtLeast(3)),
    ask(Count::Stops, AtLeast(1)),
    ask(Count::Later, AtLeast(1)),
    ask(Count::Below, AtMost(0)),
    ask(Count::Above, AtMost(2)),
];

/// The questions of the game that these rules are, or that they extend.
pub fn questions_of(rules: &Rules) -> &'static [Question] {
    match rules.base {
        "hoyle-1885" => &HOYLE_1885,
        "bazaar-1875" => &BAZAAR_1875,
        "newmarket-2011" => &NEWMARKET_2011,
        "south-london" => &SOUTH_LONDON,
        "michigan" => &MICHIGAN,
        "michigan-free-stakes" => &MICHIGAN_FREE_STAKES,
        "michigan-widow" => &MICHIGAN_WIDOW,
        "michigan-auction" => &MICHIGAN_AUCTION,
        "michigan-one-suit" => &MICHIGAN_ONE_SUIT,
        "four-horses" => &FOUR_HORSES,
        "saratoga" => &SARATOGA,
        "chicago" => &CHICAGO,
        "three-in-one" => &THREE_IN_ONE,
        // The other games are `newmarket` and `newmarket-buy`.
        _ => &NEWMARKET,
    }
}
