//! The rules as one validated value.
//!
//! A [`Spec`] is what a rules file says; [`Spec::validate`] turns it into [`Rules`], the only form
//! that the engine accepts. No code belongs to one game: each named game is a table of
//! `rules/games.toml`, and a rules file is a named game with changes.

use alloc::string::String;
use alloc::vec::Vec;

mod cells;
mod describe;
mod fault;
mod file;
mod house;
mod options;
mod read;
mod validate;
mod write;

use core::ops::Deref;

pub use fault::{Fault, Faults, LoadError};
pub use file::NAMES;
pub use house::House;

use crate::card::{Aces, Card, Suit};
use crate::card_set::CardSet;

/// Most seats at a table.
pub const MAX_PLAYERS: usize = 8;
/// Most cells on a layout.
pub const MAX_CELLS: usize = 8;
/// Most chips that a table may hold in all, in stacks (either side of 0) and piles: sums stay far
/// inside an `i32`.
pub(crate) const MAX_CHIPS: i64 = 1_000_000_000;

/// A cell of the staking layout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// What the cell is called in rules files and traces: its own card, as `QC`, or a name.
    pub name: String,
    /// The sets of cards that claim the cell: the first seat that has played all of one of these
    /// sets takes the chips. A plain boodle has one set of one card, the pot none.
    pub claimed_by: Vec<CardSet>,
}

impl Cell {
    /// The one card that claims this cell, if it is a cell of that kind.
    pub fn claiming_card(&self) -> Option<Card> {
        match self.claimed_by[..] {
            [set] if set.len() == 1 => set.first(),
            _ => None,
        }
    }

    /// Whether no card claims this cell: the poker is for its chips.
    pub fn is_pot(&self) -> bool {
        self.claimed_by.is_empty()
    }
}

/// What a player puts on the layout before each deal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LayoutAnte {
    /// A fixed number of chips on every cell, another one for the dealer. No decision.
    Fixed {
        /// Chips on each cell from a player who does not deal.
        each: i32,
        /// Chips on each cell from the dealer.
        dealer: i32,
    },
    /// A fixed number of chips, which the player spreads over the cells.
    Free {
        /// Chips from a player who does not deal.
        chips: i32,
        /// Chips from the dealer.
        dealer_chips: i32,
    },
}

/// When the antes are placed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Timing {
    /// Before any card is dealt.
    BeforeDeal,
    /// After each player has seen their own hand.
    AfterLook,
}

/// Where in each round of the deal the dead hand gets its card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeadHand {
    /// There is no dead hand.
    None,
    /// Before eldest.
    First,
    /// Just before the dealer.
    BeforeDealer,
    /// After the dealer.
    Last,
}

/// What becomes of the cards that do not make a full round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Remainder {
    /// They are dealt on in rotation.
    Rotation,
    /// They go to the dead hand.
    DeadHand,
}

/// Who may take the dead hand, and what it costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exchange {
    /// The dead hand stays where it is.
    None,
    /// The dealer, for a fee.
    Dealer {
        /// Chips that an exchange costs, 0 included.
        fee: i32,
    },
    /// The dealer free of charge, or the highest bidder if the dealer puts it up for auction.
    DealerOrAuction {
        /// A bid of this many chips ends the auction at once.
        max_bid: i32,
    },
    /// Offered to each seat in turn from eldest, to eldest free of charge.
    OfferChain {
        /// Chips that an exchange costs all but eldest.
        price: i32,
    },
}

/// What comes between the dead hand and the play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The holders of the cards of a cell take its chips. Nothing is then claimed in the play.
    Collect,
    /// Every seat sets five cards apart and bets; the best hand takes the pot.
    Poker,
}

/// Who leads first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstLead {
    /// Eldest, any suit.
    Eldest,
    /// The holder of the lowest card of this suit, that card.
    LowestOf(Suit),
    /// The winner of the pot at poker; of several the first from eldest on.
    PokerWinner,
}

/// What may be led after a stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChangeSuit {
    /// Any suit.
    Free,
    /// Another suit than the one that stopped, if there is one in hand.
    ElseSame,
    /// Another suit than the one that stopped; a leader without one passes the lead.
    ElsePass,
    /// The lowest card of the other colour; a leader without one passes the lead.
    OtherColour,
}

/// Whether stacks are a score, or chips that can run out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bankroll {
    /// A score, which may go below zero.
    Credit,
    /// Real chips: nobody pays more than they have.
    Chips {
        /// Chips at the start of a session.
        start: i32,
        /// What happens to a seat that cannot cover its ante.
        on_bust: OnBust,
    },
}

/// What happens when a seat cannot cover the full ante at the start of a deal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnBust {
    /// The session is over.
    EndSession,
    /// The seat is out, the others go on.
    Eliminate,
    /// The seat is brought back to its starting chips.
    Rebuy,
}

/// Who gets the chips that lie on the table when a session ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leftover {
    /// They stay; they count for nobody.
    Stay,
    /// Each pile goes to a seat drawn at random.
    Lot,
    /// All goes to the seat with the most chips, the lowest seat on a tie.
    Richest,
}

/// Who deals first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstDealer {
    /// The highest of one card each.
    Cut,
    /// The seat that is dealt the first jack.
    FirstJack,
    /// This seat, from 0.
    Seat(usize),
}

/// How deals make a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SessionRules {
    /// Deals in a session.
    pub deals: u32,
    /// Whether stacks are a score, or chips that can run out.
    pub bankroll: Bankroll,
    /// Who gets what lies on the table at the end.
    pub leftover: Leftover,
    /// Who deals first.
    pub first_dealer: FirstDealer,
}

/// What a rules file says, all defaults filled in, not yet checked. Chips are whole numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    /// The named game that this one extends.
    pub base: &'static str,
    /// A title for people; the rules do not depend on it.
    pub name: Option<String>,
    /// Least and greatest number of players, within 2 … 8.
    pub players: (usize, usize),
    /// Whether aces are the lowest or the highest cards.
    pub aces: Aces,
    /// How many ranks are in play, from the lowest, 1 … 13.
    pub ranks: usize,
    /// How many suits are in play, from clubs, 1 … 4.
    pub suits: usize,
    /// Cards that are taken out of the pack.
    pub removed: CardSet,
    /// The staking layout, in order, at most 8.
    pub cells: Vec<Cell>,
    /// Chips that each player pays into the kitty before a deal.
    pub kitty_ante: i32,
    /// Chips that each player puts on the layout before a deal.
    pub layout_ante: LayoutAnte,
    /// No cell may hold more than this.
    pub cell_cap: Option<i32>,
    /// When the antes are placed.
    pub timing: Timing,
    /// Where the dead hand is dealt.
    pub dead_hand: DeadHand,
    /// Where the rest of the pack goes.
    pub remainder: Remainder,
    /// Who may take the dead hand.
    pub exchange: Exchange,
    /// Who leads first.
    pub first_lead: FirstLead,
    /// What may be led after a stop.
    pub change_suit: ChangeSuit,
    /// Whether the winner takes the kitty.
    pub kitty_to_winner: bool,
    /// Chips that the winner gets for each card still held.
    pub per_card: i32,
    /// What is played between the dead hand and the play, in this order, each at most once.
    pub stages: Vec<Stage>,
    /// How deals make a session.
    pub session: SessionRules,
}

impl Spec {
    /// The cards in play: the lowest ranks of the first suits, less those removed.
    pub fn pack(&self) -> CardSet {
        let lane = (1_u32 << self.ranks) as u16 - 1;
        Suit::ALL[..self.suits]
            .iter()
            .fold(CardSet::EMPTY, |pack, &suit| pack | CardSet::lane_of(suit, lane))
            - self.removed
    }

    /// Whether this stage is played.
    pub fn has(&self, stage: Stage) -> bool {
        self.stages.contains(&stage)
    }

    /// Whether a hand is dealt to nobody.
    pub fn has_dead_hand(&self) -> bool {
        self.dead_hand != DeadHand::None
    }

    /// Whether players spread their antes over the cells as they like.
    pub fn has_free_ante(&self) -> bool {
        matches!(self.layout_ante, LayoutAnte::Free { .. })
    }

    /// The cell for whose chips poker is played.
    pub fn pot(&self) -> Option<usize> {
        self.cells.iter().position(Cell::is_pot)
    }

    /// The least pack that gives every seat of a table of `players` a card, five for poker: the last
    /// hands get no card of a round of the deal that is not full.
    pub fn cards_needed(&self, players: usize) -> usize {
        let each = if self.has(Stage::Poker) { 5 } else { 1 };
        match (self.dead_hand, self.remainder) {
            (DeadHand::None, _) => each * players,
            // A dead hand that can be taken must have as many cards as a player needs.
            (DeadHand::Last, Remainder::Rotation) if self.exchange == Exchange::None => {
                (each - 1) * (players + 1) + players
            }
            _ => each * (players + 1),
        }
    }

    /// Whether the game has a kitty; where it has none, the kitty is 0 throughout.
    pub fn has_kitty(&self) -> bool {
        self.kitty_ante > 0 || self.kitty_to_winner
    }

    /// Chips that a player stakes on the layout before a deal.
    pub fn layout_stake(&self, deals: bool) -> i32 {
        match self.layout_ante {
            LayoutAnte::Fixed { each, dealer } => {
                self.cells.len() as i32 * if deals { dealer } else { each }
            }
            LayoutAnte::Free { chips, dealer_chips } => {
                if deals {
                    dealer_chips
                } else {
                    chips
                }
            }
        }
    }

    /// Chips that a player pays before a deal, kitty and layout together: below this a seat is
    /// bust.
    pub fn full_ante(&self, deals: bool) -> i32 {
        self.kitty_ante + self.layout_stake(deals)
    }
}

/// Rules that the engine can play: a [`Spec`] without a fault. Two are equal if they say the same.
#[derive(Clone, Debug)]
pub struct Rules {
    spec: Spec,
    unchanged: bool,
}

impl Rules {
    /// Whether nothing was said but a named game.
    pub fn are_unchanged(&self) -> bool {
        self.unchanged
    }
}

impl PartialEq for Rules {
    fn eq(&self, other: &Self) -> bool {
        self.spec == other.spec
    }
}

impl Eq for Rules {}

impl Deref for Rules {
    type Target = Spec;

    fn deref(&self) -> &Spec {
        &self.spec
    }
}

/// The rules file itself, see [`Rules::to_toml`].
impl core::fmt::Display for Rules {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.to_toml())
    }
}
