//! What everybody at the table sees of a deal.

use super::history::{Bidding, Leads};
use super::phase::{NOBODY, Outcome, Phase};
use crate::action::ActionMask;
use crate::card::Suit;
use crate::card_set::CardSet;
use crate::deal_start::DealStart;
use crate::game::Game;
use crate::knowledge::Knowledge;
use crate::rules::{MAX_CELLS, MAX_PLAYERS};
use crate::seats::Seats;
use crate::stop;

/// The number of following deals is capped here.
const MOST_DEALS_LEFT: u32 = u8::MAX as u32 - 1;

/// What everybody at the table sees of a deal: chips, bids, bets, the cards played, the sizes of the
/// hands. A [`View`](crate::View) adds the cards of one seat ([`OwnCards`](crate::OwnCards)), a
/// [`State`](crate::State) adds all cards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub struct PublicState {
    pub(crate) played_by: [CardSet; MAX_PLAYERS],
    pub(crate) knowledge: Knowledge,
    pub(crate) stacks: [i32; MAX_PLAYERS],
    pub(crate) layout: [i32; MAX_CELLS],
    /// Chips on each cell before the antes of this deal.
    pub(crate) carried: [i32; MAX_CELLS],
    pub(crate) kitty: i32,
    /// Chips that each seat put on each cell before this deal, 0 to 1000.
    pub(crate) staked: [[i16; MAX_CELLS]; MAX_PLAYERS],
    /// Cards in each hand before the first lead; 0 before the deal.
    pub(crate) sizes: [u8; MAX_PLAYERS],
    /// Cards in the dead hand.
    pub(crate) dead_size: u8,
    pub(crate) phase: Phase,
    pub(crate) outcome: Outcome,
    pub(crate) seats_in: Seats,
    pub(crate) dealer: u8,
    /// The seat to act, or [`NOBODY`].
    pub(crate) actor: u8,
    pub(crate) credit: bool,
    /// Deals of the session from this one on, at most 255; 0 for a single deal.
    pub(crate) deals: u8,
    /// Ante: chips still to place, and the first cell that may take one.
    pub(crate) chips_left: u16,
    pub(crate) cursor: u8,
    /// Auction: the highest bid, the seat that made it, the seats that have passed.
    pub(crate) bid: u16,
    pub(crate) bidder: u8,
    pub(crate) passed: Seats,
    pub(crate) bidding: Bidding,
    pub(crate) leads: Leads,
    /// The seat that took the dead hand, or [`NOBODY`].
    pub(crate) exchanger: u8,
    pub(crate) poker: Poker,
    /// Which of the game's tables of claims this deal uses.
    pub(crate) claims: u8,
    /// The suit that stopped last.
    pub(crate) stopped: Option<Suit>,
}

/// The progress of the stage `poker`.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, Debug, Default, serde::Serialize, serde::Deserialize,
)]
pub(crate) struct Poker {
    /// How many cards each seat has set apart so far.
    pub(crate) set_apart: [u8; MAX_PLAYERS],
    /// The five cards of each seat that has shown them.
    pub(crate) shown: [CardSet; MAX_PLAYERS],
    /// Chips that each seat has put into the pot.
    pub(crate) put: [u16; MAX_PLAYERS],
    /// The highest bet, in chips.
    pub(crate) bet: u16,
    /// Raises so far, of all seats together.
    pub(crate) raises: u8,
    /// The seats that have folded.
    pub(crate) folded: Seats,
    /// The seats that have still to act, if nobody bets or raises.
    pub(super) to_act: Seats,
    /// The winner of the pot; of several, the first from eldest on.
    pub(crate) winner: Option<u8>,
}

impl Poker {
    /// Before the stage.
    const BLANK: Self = Self {
        set_apart: [0; MAX_PLAYERS],
        shown: [CardSet::EMPTY; MAX_PLAYERS],
        put: [0; MAX_PLAYERS],
        bet: 0,
        raises: 0,
        folded: Seats::NONE,
        to_act: Seats::NONE,
        winner: None,
    };
}

impl PublicState {
    /// A deal before its first event.
    #[expect(clippy::inline_always, reason = "written where it is wanted, not copied there")]
    #[inline(always)]
    pub(super) fn blank(deal_start: &DealStart) -> Self {
        Self {
            played_by: [CardSet::EMPTY; MAX_PLAYERS],
            knowledge: Knowledge::NONE,
            stacks: deal_start.stacks,
            layout: deal_start.layout,
            carried: deal_start.layout,
            kitty: deal_start.kitty,
            staked: [[0; MAX_CELLS]; MAX_PLAYERS],
            sizes: [0; MAX_PLAYERS],
            dead_size: 0,
            phase: Phase::Deal,
            outcome: Outcome::Playing,
            seats_in: deal_start.seats_in,
            dealer: deal_start.dealer as u8,
            actor: NOBODY,
            credit: deal_start.credit,
            deals: deal_start.deals_left.map_or(0, |left| left.min(MOST_DEALS_LEFT) as u8 + 1),
            chips_left: 0,
            cursor: 0,
            bid: 0,
            bidder: NOBODY,
            passed: Seats::NONE,
            bidding: Bidding::NONE,
            leads: Leads::NONE,
            exchanger: NOBODY,
            poker: Poker::BLANK,
            claims: 0,
            stopped: None,
        }
    }

    /// The legal actions of the seat to act, given its hand and the cards that it has set apart.
    pub(crate) fn legal(&self, game: &Game, hand: CardSet, apart: CardSet) -> ActionMask {
        match self.phase {
            Phase::Lead => ActionMask::leads(u32::from(self.may_lead(game, hand))),
            Phase::Ante => self.legal_chips(game),
            Phase::DeadHand => self.legal_dead_hand(game),
            Phase::Auction => self.legal_bids(),
            Phase::SetApart => Self::legal_picks(hand, apart),
            Phase::Bet => self.legal_bets(),
            Phase::Deal | Phase::Over => ActionMask::NONE,
        }
    }

    /// The suits that the leader may lead from this hand, one bit each.
    pub(crate) fn may_lead(&self, game: &Game, hand: CardSet) -> u8 {
        match self.stopped {
            Some(stopped) => stop::leads(game.rules().change_suit, stopped, hand),
            None => stop::first_leads(game.rules().first_lead, hand),
        }
    }

    /// Whether the cards have been dealt.
    pub(crate) const fn is_dealt(&self) -> bool {
        self.sizes[self.dealer as usize] > 0
    }

    /// Number of cards in a hand now.
    #[inline]
    pub(crate) const fn hand_size(&self, seat: usize) -> usize {
        self.sizes[seat] as usize - self.played_by[seat].len()
    }

    /// All cards played so far.
    pub(crate) fn all_played(&self) -> CardSet {
        self.played_by.iter().fold(CardSet::EMPTY, |all, &played| all | played)
    }

    /// The seat to act, if a decision is due.
    #[inline]
    pub(crate) fn actor(&self) -> Option<usize> {
        (self.actor < NOBODY).then_some(self.actor as usize)
    }

    /// The seat to the dealer's left.
    pub(crate) fn eldest(&self) -> usize {
        self.seats_in.left_of(self.dealer as usize)
    }

    /// Whether a seat can pay this many chips.
    pub(super) fn can_pay(&self, seat: usize, chips: i32) -> bool {
        self.credit || self.stacks[seat] >= chips
    }
}
