//! The words of the choices that a rules file makes, as it spells them.

use super::{ChangeSuit, DeadHand, Leftover, OnBust, Remainder, Stage, Timing};
use crate::card::Aces;

/// The words of a choice, as the rules file spells them.
pub(super) type Words<T, const N: usize> = [(&'static str, T); N];

pub(super) const ACES: Words<Aces, 2> = [("low", Aces::Low), ("high", Aces::High)];
pub(super) const TIMING: Words<Timing, 2> =
    [("before_deal", Timing::BeforeDeal), ("after_look", Timing::AfterLook)];
pub(super) const DEAD_HAND: Words<DeadHand, 4> = [
    ("none", DeadHand::None),
    ("first", DeadHand::First),
    ("before_dealer", DeadHand::BeforeDealer),
    ("last", DeadHand::Last),
];
pub(super) const REMAINDER: Words<Remainder, 2> =
    [("rotation", Remainder::Rotation), ("dead_hand", Remainder::DeadHand)];
pub(super) const CHANGE_SUIT: Words<ChangeSuit, 4> = [
    ("free", ChangeSuit::Free),
    ("else_same", ChangeSuit::ElseSame),
    ("else_pass", ChangeSuit::ElsePass),
    ("other_colour", ChangeSuit::OtherColour),
];
pub(super) const STAGES: Words<Stage, 2> = [("collect", Stage::Collect), ("poker", Stage::Poker)];
/// Whether the stages of the base are played with [`Stage::Collect`].
pub(super) const CLAIM_WHEN: Words<bool, 2> = [("held", true), ("played", false)];
pub(super) const ON_BUST: Words<OnBust, 3> = [
    ("end_session", OnBust::EndSession),
    ("eliminate", OnBust::Eliminate),
    ("rebuy", OnBust::Rebuy),
];
pub(super) const LEFTOVER: Words<Leftover, 3> =
    [("stay", Leftover::Stay), ("lot", Leftover::Lot), ("richest", Leftover::Richest)];

/// The word of a value.
pub(super) fn word<T: Copy + PartialEq, const N: usize>(
    words: &Words<T, N>,
    value: T,
) -> &'static str {
    words.iter().find(|word| word.1 == value).expect("the words are complete").0
}
