//! Numbers and conditions over facts, as compiled from the text of a clause.

use alloc::boxed::Box;
use alloc::vec::Vec;

use newmarket_env::Suit;

use super::facts::{Fact, Scope, ValueOf};
use super::notes::Notes;

/// What the facts of a clause are asked about.
#[derive(Clone, Copy)]
pub(super) enum Subject<'c> {
    Suit(Suit),
    /// A cell, and how often each cell is claimed in a deal.
    Cell(usize, &'c [f64]),
    Table,
}

impl Fact {
    /// The value for a suit that the player holds; 0 for a fact of a cell.
    pub fn of_suit(&self, notes: &Notes, suit: Suit) -> f64 {
        if self.scope() == Scope::Cell { 0.0 } else { self.of(notes, Subject::Suit(suit)) }
    }

    /// The value for a cell; `claimed` says how often each cell is claimed in a deal. 0 for a fact of a suit.
    pub fn of_cell(&self, notes: &Notes, cell: usize, claimed: &[f64]) -> f64 {
        if self.scope() == Scope::Suit { 0.0 } else { self.of(notes, Subject::Cell(cell, claimed)) }
    }

    /// The value for the own hand and the table; 0 for a fact of a suit or a cell.
    pub fn of_table(&self, notes: &Notes) -> f64 {
        if self.scope() == Scope::Table { self.of(notes, Subject::Table) } else { 0.0 }
    }

    /// The value for a subject. A fact of the table has the same value for all.
    fn of(&self, notes: &Notes, subject: Subject) -> f64 {
        match (&self.value, subject) {
            (ValueOf::Suit(value), Subject::Suit(suit)) => value(notes, suit).into(),
            (ValueOf::Cell(value), Subject::Cell(cell, _)) => value(notes, cell).into(),
            (ValueOf::Table(value), _) => value(notes),
            (ValueOf::Claimed, Subject::Cell(cell, claimed)) => {
                claimed.get(cell).copied().unwrap_or(0.0)
            }
            _ => unreachable!("a clause asks for facts of its own scope"),
        }
    }
}

/// A sum of facts and numbers.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Sum(pub(super) Vec<Term>);

/// A fact times a number, or a number alone.
#[derive(Clone, Copy)]
pub(super) struct Term {
    pub(super) times: f64,
    pub(super) fact: Option<&'static Fact>,
}

impl Sum {
    pub(super) fn of(&self, notes: &Notes, subject: Subject) -> f64 {
        let term = |term: &Term| match term.fact {
            // Adding 0 first would turn a negative zero; times 1 keeps all bits.
            Some(fact) => term.times * fact.of(notes, subject),
            None => term.times,
        };
        match &self.0[..] {
            [one] => term(one),
            terms => terms.iter().map(term).sum(),
        }
    }
}

/// A comparison of two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Comparison {
    AtLeast,
    AtMost,
    Above,
    Below,
    Equal,
    Unequal,
}

impl Comparison {
    #[expect(clippy::float_cmp, reason = "counts are whole numbers")]
    fn holds(self, left: f64, right: f64) -> bool {
        match self {
            Self::AtLeast => left >= right,
            Self::AtMost => left <= right,
            Self::Above => left > right,
            Self::Below => left < right,
            Self::Equal => left == right,
            Self::Unequal => left != right,
        }
    }
}

/// A condition.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Condition {
    Compared(Sum, Comparison, Sum),
    /// The sum is not 0.
    Yes(Sum),
    Not(Box<Self>),
    All(Vec<Self>),
    Any(Vec<Self>),
}

impl Condition {
    pub(super) fn holds(&self, notes: &Notes, subject: Subject) -> bool {
        match self {
            Self::Compared(left, comparison, right) => {
                comparison.holds(left.of(notes, subject), right.of(notes, subject))
            }
            Self::Yes(sum) => Comparison::Unequal.holds(sum.of(notes, subject), 0.0),
            Self::Not(condition) => !condition.holds(notes, subject),
            Self::All(all) => all.iter().all(|condition| condition.holds(notes, subject)),
            Self::Any(any) => any.iter().any(|condition| condition.holds(notes, subject)),
        }
    }

    /// Whether a condition or one of its parts asks for a fact.
    pub(super) fn asks(&self, wanted: &dyn Fn(&Fact) -> bool) -> bool {
        match self {
            Self::Compared(left, _, right) => left.asks(wanted) || right.asks(wanted),
            Self::Yes(sum) => sum.asks(wanted),
            Self::Not(condition) => condition.asks(wanted),
            Self::All(parts) | Self::Any(parts) => parts.iter().any(|part| part.asks(wanted)),
        }
    }
}

impl Sum {
    pub(super) fn asks(&self, wanted: &dyn Fn(&Fact) -> bool) -> bool {
        self.0.iter().filter_map(|term| term.fact).any(wanted)
    }
}

impl PartialEq for Term {
    fn eq(&self, other: &Self) -> bool {
        let name = |term: &Self| term.fact.map(|fact| (fact.scope(), fact.name));
        self.times.to_bits() == other.times.to_bits() && name(self) == name(other)
    }
}

impl core::fmt::Debug for Term {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} {}", self.times, self.fact.map_or("", |fact| fact.name))
    }
}

/// A step that narrows choices down: of the suits that may be led, or of the cells.
#[derive(Clone, PartialEq, Debug)]
pub struct Clause {
    /// It is skipped where this does not hold.
    pub(super) when: Option<Condition>,
    pub(super) step: Step,
    /// The clause as it was written.
    pub(super) text: Box<str>,
}

/// How a clause narrows choices down.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Step {
    /// Those for which it holds stay, unless there are none.
    Test(Condition),
    /// Those with the greatest value stay, or all but those; of the negative of a sum, those with the least.
    Order { sum: Sum, most: bool, all_but: bool },
}

impl Clause {
    /// The clause as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What stays of these choices, one bit each; `subject` says what a bit stands for.
    pub(super) fn narrow<'c>(
        &self,
        notes: &Notes,
        choices: u32,
        subject: impl Fn(usize) -> Subject<'c>,
    ) -> u32 {
        if self.when.as_ref().is_some_and(|when| !when.holds(notes, Subject::Table)) {
            return choices;
        }
        let stay = match &self.step {
            Step::Test(condition) => {
                let yes = bits(choices).filter(|&bit| condition.holds(notes, subject(bit)));
                yes.fold(0, |all, bit| all | 1 << bit)
            }
            Step::Order { sum, most, all_but } => {
                let (mut best, mut having) = (f64::NEG_INFINITY, 0);
                for bit in bits(choices) {
                    let value = sum.of(notes, subject(bit));
                    let value = if *most { value } else { -value };
                    if value > best {
                        (best, having) = (value, 0);
                    }
                    if value >= best {
                        having |= 1 << bit;
                    }
                }
                if *all_but { choices & !having } else { having }
            }
        };
        if stay == 0 { choices } else { stay }
    }

    /// Whether it asks for a fact.
    pub(super) fn asks(&self, wanted: &dyn Fn(&Fact) -> bool) -> bool {
        let step = match &self.step {
            Step::Test(condition) => condition.asks(wanted),
            Step::Order { sum, .. } => sum.asks(wanted),
        };
        step || self.when.as_ref().is_some_and(|when| when.asks(wanted))
    }
}

/// The places of the bits that are set.
pub(super) fn bits(of: u32) -> impl Iterator<Item = usize> {
    core::iter::successors(Some(of), |left| Some(left & left.wrapping_sub(1)))
        .take_while(|&left| left != 0)
        .map(|left| left.trailing_zeros() as usize)
}

/// One line of a decision list about the dead hand: the first whose condition holds and whose answer is legal
/// decides.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    pub(super) when: Option<Condition>,
    pub(super) answer: Answer,
    pub(super) text: Box<str>,
}

impl Line {
    /// The line as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// What a line answers.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Answer {
    /// Keep the own hand.
    Keep,
    /// Take the dead hand.
    Take,
    /// Put the dead hand up for auction.
    Auction,
    /// Leave the auction.
    Pass,
    /// Bid while the bid would be at most this.
    UpTo(Sum),
    /// Bid while the bid would be below this.
    UpToBelow(Sum),
    /// The base decides.
    Base,
}
