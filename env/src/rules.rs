//! The rules of a game.
//!
//! A [`Spec`] holds the values of all options. [`Spec::validate`] checks them and returns [`Rules`],
//! the only form that the engine accepts. No code belongs to one game: each named game is a table of
//! `rules/games.toml`, and a rules file is a named game with changes. The table of the options is in
//! `rules/options.rs`.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

mod cells;
mod describe;
mod fault;
mod file;
mod house;
mod named;
mod options;
mod read;
mod validate;
mod words;
mod write;

use core::ops::Deref;

pub use fault::{Fault, Faults, LoadError};
pub use house::House;
pub use named::{NAMES, RULE_SETS};

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
    /// The name of the cell in rules files and traces: its own card, as `QC`, or another name.
    pub name: String,
    /// The sets of cards that claim the cell. The first seat that has played a whole set takes the
    /// chips. A plain boodle has one set of one card. The pot has no set.
    pub claimed_by: Vec<CardSet>,
}

impl Cell {
    /// The card that claims this cell, if a single card does.
    pub fn claiming_card(&self) -> Option<Card> {
        match self.claimed_by[..] {
            [set] if set.len() == 1 => set.first(),
            _ => None,
        }
    }

    /// The cell for people: `K♥`, `K♠(Q♠)` if another card claims it, `RUN` if it is named after no card.
    pub fn sign(&self, aces: Aces) -> String {
        match (Card::parse(&self.name, aces), self.claiming_card()) {
            (Some(named), Some(claims)) if named != claims => {
                format!("{}({})", named.sign(aces), claims.sign(aces))
            }
            (Some(named), _) => named.sign(aces),
            (None, _) => self.name.clone(),
        }
    }

    /// Whether no card claims this cell. The winner of the poker takes its chips.
    pub fn is_pot(&self) -> bool {
        self.claimed_by.is_empty()
    }
}

/// The chips that a player puts on the layout before each deal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LayoutAnte {
    /// A fixed number of chips on every cell. The player decides nothing.
    Fixed {
        /// Chips on each cell from a player who does not deal.
        each: i32,
        /// Chips on each cell from the dealer.
        dealer: i32,
    },
    /// A number of chips that the player spreads over the cells.
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

/// When the dead hand gets its card in each round of the deal.
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

/// Who gets the cards that do not make a full round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Remainder {
    /// The hands, in rotation.
    Rotation,
    /// The dead hand.
    DeadHand,
}

/// Who may take the dead hand, and what it costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exchange {
    /// Nobody.
    None,
    /// The dealer, for a fee.
    Dealer {
        /// The price of an exchange in chips, 0 or more.
        fee: i32,
    },
    /// The dealer free of charge, or the highest bidder if the dealer puts it up for auction.
    DealerOrAuction {
        /// A bid of this many chips ends the auction at once.
        max_bid: i32,
    },
    /// Offered to each seat in turn from eldest, to eldest free of charge.
    OfferChain {
        /// The price of an exchange in chips for every seat but eldest.
        price: i32,
    },
}

/// A part of the deal between the dead hand and the play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The holders of the cards of a cell take its chips. The play then claims nothing.
    Collect,
    /// Every seat sets five cards apart and bets. The best hand takes the pot.
    Poker,
}

/// Which seat leads first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstLead {
    /// Eldest, any suit.
    Eldest,
    /// The holder of the lowest card of this suit, who leads that card.
    LowestOf(Suit),
    /// The winner of the pot at poker. Of several winners, the first from eldest on.
    PokerWinner,
}

/// What may be led after a stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChangeSuit {
    /// Any suit.
    Free,
    /// Another suit than the one that stopped. A leader without another suit leads the same suit.
    ElseSame,
    /// Another suit than the one that stopped. A leader without another suit passes the lead.
    ElsePass,
    /// The lowest card of the other colour. A leader without such a card passes the lead.
    OtherColour,
}

/// What stacks are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bankroll {
    /// A score that may fall below zero.
    Credit,
    /// Real chips. No player pays more chips than they have.
    Chips {
        /// The chips of each seat at the start of a session.
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
    /// The seat is out. The others go on.
    Eliminate,
    /// The seat buys chips until it has as many as at the start.
    Rebuy,
}

/// Who gets the chips that lie on the table when a session ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leftover {
    /// Nobody.
    Stay,
    /// A seat for each pile, drawn at random.
    Lot,
    /// The seat with the most chips, the lowest seat on a tie.
    Richest,
}

/// Which seat deals first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstDealer {
    /// The seat that draws the highest card.
    Cut,
    /// The seat that is dealt the first jack.
    FirstJack,
    /// This seat, from 0.
    Seat(usize),
}

/// The rules of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SessionRules {
    /// Deals in a session.
    pub deals: u32,
    /// What stacks are.
    pub bankroll: Bankroll,
    /// Who gets the chips that lie on the table at the end.
    pub leftover: Leftover,
    /// Which seat deals first.
    pub first_dealer: FirstDealer,
}

/// The values of all options, not yet checked. Chips are whole numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    /// The named game that the rules extend.
    pub base: &'static str,
    /// A name for people. Play does not depend on it.
    pub name: Option<String>,
    /// Least and greatest number of players, within 2 … 8.
    pub players: (usize, usize),
    /// Whether aces are the lowest or the highest cards.
    pub aces: Aces,
    /// How many ranks are in play, from the lowest, 1 … 13.
    pub ranks: usize,
    /// How many suits are in play, from clubs, 1 … 4.
    pub suits: usize,
    /// The cards that are taken out of the pack.
    pub removed: CardSet,
    /// The cells of the staking layout, in order, at most 8.
    pub cells: Vec<Cell>,
    /// Chips that each player pays into the kitty before a deal.
    pub kitty_ante: i32,
    /// The chips that each player puts on the layout before a deal.
    pub layout_ante: LayoutAnte,
    /// The greatest number of chips on a cell.
    pub cell_cap: Option<i32>,
    /// When the antes are placed.
    pub timing: Timing,
    /// When the dead hand gets its card.
    pub dead_hand: DeadHand,
    /// Who gets the cards that do not make a full round.
    pub remainder: Remainder,
    /// Who may take the dead hand.
    pub exchange: Exchange,
    /// Which seat leads first.
    pub first_lead: FirstLead,
    /// What may be led after a stop.
    pub change_suit: ChangeSuit,
    /// Whether the winner takes the kitty.
    pub kitty_to_winner: bool,
    /// Chips that the winner gets for each card still held.
    pub per_card: i32,
    /// The stages between the dead hand and the play, in this order, each at most once.
    pub stages: Vec<Stage>,
    /// The rules of a session.
    pub session: SessionRules,
}

impl Spec {
    /// A whole pack and the first or least value of every other option. No cell is on the layout.
    const fn first_values(base: &'static str) -> Self {
        Self {
            base,
            name: None,
            players: (2, MAX_PLAYERS),
            aces: Aces::Low,
            ranks: 13,
            suits: 4,
            removed: CardSet::EMPTY,
            cells: Vec::new(),
            kitty_ante: 0,
            layout_ante: LayoutAnte::Fixed { each: 0, dealer: 0 },
            cell_cap: None,
            timing: Timing::BeforeDeal,
            dead_hand: DeadHand::None,
            remainder: Remainder::Rotation,
            exchange: Exchange::None,
            first_lead: FirstLead::Eldest,
            change_suit: ChangeSuit::Free,
            kitty_to_winner: false,
            per_card: 0,
            stages: Vec::new(),
            session: SessionRules {
                deals: 1,
                bankroll: Bankroll::Credit,
                leftover: Leftover::Stay,
                first_dealer: FirstDealer::Cut,
            },
        }
    }

    /// The cards in play: the lowest ranks of the first suits, less those removed.
    pub fn pack(&self) -> CardSet {
        let lane = (1_u32 << self.ranks) as u16 - 1;
        Suit::ALL[..self.suits]
            .iter()
            .fold(CardSet::EMPTY, |pack, &suit| pack | CardSet::lane_of(suit, lane))
            - self.removed
    }

    /// Whether the game has this stage.
    pub fn has(&self, stage: Stage) -> bool {
        self.stages.contains(&stage)
    }

    /// Whether the game has a dead hand.
    pub fn has_dead_hand(&self) -> bool {
        self.dead_hand != DeadHand::None
    }

    /// Whether players spread their antes over the cells as they like.
    pub fn has_free_ante(&self) -> bool {
        matches!(self.layout_ante, LayoutAnte::Free { .. })
    }

    /// The index of the pot, if the layout has one.
    pub fn pot(&self) -> Option<usize> {
        self.cells.iter().position(Cell::is_pot)
    }

    /// The cards of the least pack with which every one of `players` seats gets enough cards: one, or
    /// five in a game with poker.
    pub fn cards_needed(&self, players: usize) -> usize {
        let each = if self.has(Stage::Poker) { 5 } else { 1 };
        match (self.dead_hand, self.remainder) {
            (DeadHand::None, _) => each * players,
            // The last hand may be one card short, unless a player can take it.
            (DeadHand::Last, Remainder::Rotation) if self.exchange == Exchange::None => {
                (each - 1) * (players + 1) + players
            }
            _ => each * (players + 1),
        }
    }

    /// Whether the game has a kitty. In a game without one the kitty stays 0.
    pub fn has_kitty(&self) -> bool {
        self.kitty_ante > 0 || self.kitty_to_winner
    }

    /// The chips that a player stakes on the layout before a deal. `deals` says whether the player is
    /// the dealer.
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

    /// The chips that a player pays before a deal, kitty and layout together. A seat with fewer chips
    /// is bust. `deals` says whether the player is the dealer.
    pub fn full_ante(&self, deals: bool) -> i32 {
        self.kitty_ante + self.layout_stake(deals)
    }
}

/// Rules that the engine can play: a [`Spec`] without a fault. Two values are equal if their specs are
/// equal.
#[derive(Clone, Debug)]
pub struct Rules {
    spec: Spec,
    unchanged: bool,
}

impl Rules {
    /// Whether the rules were made from the name of a game alone, without any other key.
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

/// A complete rules file, see [`Rules::to_toml`].
impl core::fmt::Display for Rules {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.to_toml())
    }
}
