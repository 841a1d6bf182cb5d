//! The vocabulary of strategies: what a player can count of a suit, of a cell, and of hand and table.

use newmarket_env::rules::LayoutAnte;
use newmarket_env::{Card, CardSet, Exchange, Rank, Suit, View};

use super::notes::Notes;
use crate::usual::{poker, stakes};

/// What a fact is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// A suit that may be led.
    Suit,
    /// A cell on which chips can be placed.
    Cell,
    /// The own hand and the table.
    Table,
}

/// What a fact counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Cards.
    Cards,
    /// Chips.
    Chips,
    /// A place in the suit, 1 for the lowest card.
    Place,
    /// 1 for yes, 0 for no.
    YesNo,
    /// Anything else, as the description says.
    Number,
}

impl Unit {
    /// The unit in words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cards => "cards",
            Self::Chips => "chips",
            Self::Place => "place",
            Self::YesNo => "yes or no",
            Self::Number => "number",
        }
    }
}

/// One fact.
pub struct Fact {
    /// Its name in files, unique in its scope.
    pub name: &'static str,
    /// What it counts. Unit, range and meaning are for documents: the light core has no words for them.
    #[cfg(feature = "std")]
    pub unit: Unit,
    /// Its least and its greatest value; `None`: it depends on the rules alone.
    #[cfg(feature = "std")]
    pub range: (i32, Option<i32>),
    /// Its meaning, as one would put it to a player: `cards of the suit in your hand`.
    #[cfg(feature = "std")]
    pub about: &'static str,
    pub(super) value: ValueOf,
}

/// How a fact is counted.
pub(super) enum ValueOf {
    Suit(fn(&Notes, Suit) -> i32),
    Cell(fn(&Notes, usize) -> i32),
    Table(fn(&Notes) -> f64),
    /// How often the cell is claimed, which a file states.
    Claimed,
}

impl Fact {
    /// What the fact is about.
    pub const fn scope(&self) -> Scope {
        match self.value {
            ValueOf::Suit(_) => Scope::Suit,
            ValueOf::Cell(_) | ValueOf::Claimed => Scope::Cell,
            ValueOf::Table(_) => Scope::Table,
        }
    }
}

/// Makes a constructor for the facts of each scope.
macro_rules! constructors {
    ($($name:ident: $scope:ident($value:ty);)+) => {$(
        #[cfg_attr(not(feature = "std"), expect(unused_variables))]
        const fn $name(
            name: &'static str,
            unit: Unit,
            range: (i32, Option<i32>),
            about: &'static str,
            value: $value,
        ) -> Fact {
            Fact {
                name,
                #[cfg(feature = "std")]
                unit,
                #[cfg(feature = "std")]
                range,
                #[cfg(feature = "std")]
                about,
                value: ValueOf::$scope(value),
            }
        }
    )+};
}

constructors! {
    suit: Suit(fn(&Notes, Suit) -> i32);
    cell: Cell(fn(&Notes, usize) -> i32);
    table: Table(fn(&Notes) -> f64);
}

const YES_NO: (i32, Option<i32>) = (0, Some(1));
/// No own card is there to count up to.
const NEVER: i32 = 99;

use Unit::{Cards, Chips, Number, Place, YesNo};

/// The facts of a suit. They are asked only of suits that the player holds.
const SUIT: [Fact; 18] = [
    suit("cards", Cards, (1, Some(13)), "cards of the suit in your hand", |n, s| ones(held(n, s))),
    suit("card", Place, (1, Some(13)), "the place of your lowest card in the suit", |n, s| {
        held(n, s).trailing_zeros() as i32 + 1
    }),
    suit("run", Cards, (1, Some(13)), "cards that you play in a row from your lowest", |n, s| {
        let (low, next) = run(n, s);
        (next - low) as i32
    }),
    suit("run stops", YesNo, YES_NO, "nobody can go on after the row from your lowest", |n, s| {
        let next = Rank::try_from_index(run(n, s).1 as usize);
        i32::from(next.is_none_or(|next| n.gone.contains(Card::new(s, next))))
    }),
    suit("gap", Cards, (0, Some(12)), "cards right above that row that others may hold", |n, s| {
        (n.others(s) >> run(n, s).1).trailing_ones() as i32
    }),
    suit("nobody below", YesNo, YES_NO, "nobody can lead up to your lowest card", |n, s| {
        let nobody = |card: Card| card.below().is_none_or(|below| n.gone.contains(below));
        i32::from(n.view.hand().lowest(s).is_some_and(nobody))
    }),
    suit(
        "cards of others below",
        Cards,
        (0, Some(12)),
        "cards below your lowest that others may hold",
        |n, s| ones(n.others(s) & below(run(n, s).0)),
    ),
    suit(
        "cards of others between",
        Cards,
        (0, Some(11)),
        "cards between your lowest and your highest that others may hold",
        |n, s| ones(n.others(s) & below(top(n, s)) & !below(run(n, s).0)),
    ),
    suit(
        "cards of others above",
        Cards,
        (0, Some(12)),
        "cards above your highest that others may hold",
        |n, s| ones(n.others(s) & !below(top(n, s))),
    ),
    suit(
        "cards of others before my first boodle",
        Cards,
        (0, Some(NEVER)),
        "cards that others may hold before your first that takes chips, 99 without such a card",
        |n, s| {
            let low = run(n, s).0;
            let first = (low..top(n, s)).find(|place| n.own_chips(s, 1 << place) > 0);
            first.map_or(NEVER, |place| ones(n.others(s) & below(place) & !below(low)))
        },
    ),
    suit("later", Cards, (0, Some(12)), "cards that you keep above the row", |n, s| {
        ones(held(n, s) & !below(run(n, s).1))
    }),
    suit("stops", Cards, (0, Some(13)), "cards of yours after which nobody can go on", |n, s| {
        ones(held(n, s) & !(n.others(s) >> 1) & !(held(n, s) >> 1))
    }),
    suit("top card", YesNo, YES_NO, "you hold the highest card that is not gone", |n, s| {
        let top = (CardSet::suit(s) - n.gone).last();
        i32::from(top.is_some_and(|card| n.view.hand().contains(card)))
    }),
    suit("unopened", YesNo, YES_NO, "no card of the suit has been played", |n, s| {
        i32::from((n.view.played() & CardSet::suit(s)).is_empty())
    }),
    suit("chips", Chips, (0, None), "chips that your cards of the suit take", |n, s| {
        n.own_chips(s, held(n, s))
    }),
    suit(
        "run chips",
        Chips,
        (0, None),
        "chips that the row from your lowest card takes",
        |n, s| n.own_chips(s, below(run(n, s).1)),
    ),
    suit(
        "boodle chips",
        Chips,
        (0, None),
        "chips on the cells that your cards of the suit take in the play, each cell once",
        boodle_chips,
    ),
    suit(
        "chips of others",
        Chips,
        (0, None),
        "chips above your lowest card that others may take",
        |n, s| n.chips(s, n.others(s) & !below(run(n, s).0), |_| true),
    ),
];

/// The facts of a cell, about its card and the suit of its card. All own cards of the hand count; cards
/// that others may hold are all others, the dead hand included.
const CELL: [Fact; 12] = [
    cell("mine", YesNo, YES_NO, "its card is in your hand", |n, c| {
        of_card(n, c, |card| i32::from(n.view.hand().contains(card)))
    }),
    cell("card", Place, (1, Some(13)), "the place of its card in the suit", |n, c| {
        of_card(n, c, |card| card.rank().index() as i32 + 1)
    }),
    cell("cards", Cards, (0, Some(13)), "cards of its suit in your hand", |n, c| {
        of_card(n, c, |card| ones(held(n, card.suit())))
    }),
    cell("cards below", Cards, (0, Some(12)), "cards below it in your hand", |n, c| {
        of_card(n, c, |card| (n.view.hand() & CardSet::below(card)).len() as i32)
    }),
    cell("cards above", Cards, (0, Some(12)), "cards above it in your hand", |n, c| {
        let of_suit = |card: Card| n.view.hand() & CardSet::suit(card.suit());
        of_card(n, c, |card| (of_suit(card) - CardSet::up_to(card)).len() as i32)
    }),
    cell(
        "cards of others between",
        Cards,
        (0, Some(NEVER)),
        "cards that others may hold from your lowest of its suit up to it, 99 without such a card",
        |n, c| {
            of_card(n, c, |card| match n.view.hand().lowest(card.suit()) {
                Some(low) if low.bit() <= card.bit() => {
                    let from_low = CardSet::below(card) - CardSet::below(low);
                    (n.view.hidden() & from_low).len() as i32
                }
                _ => NEVER,
            })
        },
    ),
    cell(
        "cards of others right below",
        Cards,
        (0, Some(12)),
        "cards right below it that others may hold",
        |n, c| {
            of_card(n, c, |card| {
                let lower = core::iter::successors(card.below(), |card| card.below());
                lower.take_while(|&card| n.view.hidden().contains(card)).count() as i32
            })
        },
    ),
    cell(
        "cards of others below",
        Cards,
        (0, Some(12)),
        "cards below it that others may hold",
        |n, c| of_card(n, c, |card| (n.view.hidden() & CardSet::below(card)).len() as i32),
    ),
    cell(
        "cards of others below mine",
        Cards,
        (0, Some(13)),
        "cards of its suit that others may hold below your lowest, all of them without an own card",
        |n, c| {
            of_card(n, c, |card| {
                let others = n.view.hidden() & CardSet::suit(card.suit());
                let low = n.view.hand().lowest(card.suit());
                low.map_or(others, |low| others & CardSet::below(low)).len() as i32
            })
        },
    ),
    cell("chips", Chips, (0, None), "chips on it before your own of this deal", |n, c| {
        n.view.layout()[c] - n.view.staked(n.view.seat(), c)
    }),
    cell(
        "chips of others",
        Chips,
        (0, None),
        "chips that others have staked on it in this deal",
        |n, c| {
            let others = (0..n.view.game().players()).filter(|&seat| seat != n.view.seat());
            others.map(|seat| n.view.staked(seat, c)).sum()
        },
    ),
    Fact {
        name: "claimed",
        #[cfg(feature = "std")]
        unit: Number,
        #[cfg(feature = "std")]
        range: (0, Some(1)),
        #[cfg(feature = "std")]
        about: "how often it is claimed in a deal at your table, as `claimed` of the file says",
        value: ValueOf::Claimed,
    },
];

/// The facts of the own hand and of the table.
const TABLE: [Fact; 35] = [
    table("boodles", Number, (0, Some(8)), "cells that your hand claims", |n| {
        f64::from(own_cells(n).count_ones())
    }),
    table("boodle cards", Cards, (0, Some(8)), "cards of yours that claim a cell alone", |n| {
        f64::from(stakes::held(n.view).count_ones())
    }),
    table("stops", Cards, (0, Some(17)), "cards of yours that no card of the pack follows", |n| {
        let hand = n.view.hand();
        (hand.len() - followed(hand, n.view.game().pack())) as f64
    }),
    table("low cards", Cards, (0, Some(8)), "cards of the lowest two ranks in your hand", |n| {
        n.view.hand().iter().filter(|card| card.rank().index() < 2).count() as f64
    }),
    table("joined cards", Cards, (0, Some(17)), "cards of yours whose next you hold, too", |n| {
        followed(n.view.hand(), n.view.hand()) as f64
    }),
    table("cards", Cards, (0, Some(26)), "cards in your hand", |n| n.view.hand().len() as f64),
    table("mean rank", Place, (0, Some(13)), "the mean place of your cards in their suits", |n| {
        let ranks: usize = n.view.hand().iter().map(|card| card.rank().index() + 1).sum();
        ranks as f64 / n.view.hand().len().max(1) as f64
    }),
    table("chips on my boodles", Chips, (0, None), "chips on the cells that you claim", |n| {
        f64::from(chips_on(n, own_cells(n)))
    }),
    table("chips on other cells", Chips, (0, None), "chips on all other cells", |n| {
        f64::from(chips_on(n, !own_cells(n)))
    }),
    table("chips on the layout", Chips, (0, None), "chips on all cells", |n| {
        f64::from(chips_on(n, u8::MAX))
    }),
    table("kitty", Chips, (0, None), "chips in the kitty", |n| f64::from(n.view.kitty())),
    table(
        "my chips",
        Chips,
        (-1_000_000, None),
        "chips in your stack; a score may be below 0",
        |n| f64::from(n.view.stack(n.view.seat())),
    ),
    table(
        "fewest cards of others",
        Cards,
        (0, Some(26)),
        "cards in the smallest other hand",
        |n| {
            let others = n.view.seats_in().iter().filter(|&seat| seat != n.view.seat());
            others.map(|seat| n.view.hand_size(seat)).min().unwrap_or(0) as f64
        },
    ),
    table("cards played", Cards, (0, Some(52)), "cards that have been played", |n| {
        n.view.played().len() as f64
    }),
    table("after a stop", YesNo, YES_NO, "the play has stopped before", |n| {
        yes(n.view.stopped().is_some())
    }),
    table("seats before me", Number, (0, Some(7)), "seats from eldest up to yours", |n| {
        let players = n.view.game().players();
        ((n.view.seat() + players - n.view.eldest()) % players) as f64
    }),
    table("eldest", YesNo, YES_NO, "you sit to the dealer's left", |n| {
        yes(n.view.seat() == n.view.eldest())
    }),
    table("dealer", YesNo, YES_NO, "you deal", |n| yes(n.view.seat() == n.view.dealer())),
    table("players", Number, (2, Some(8)), "seats at the table", |n| {
        n.view.game().players() as f64
    }),
    table("deals left", Number, (0, Some(254)), "deals of the session after this one", |n| {
        f64::from(n.view.deals_left().unwrap_or(0))
    }),
    table("others took the dead hand", YesNo, YES_NO, "another seat took the dead hand", |n| {
        yes(n.view.exchanger().is_some_and(|seat| seat != n.view.seat()))
    }),
    table("i took the dead hand", YesNo, YES_NO, "you took the dead hand", |n| {
        yes(n.view.exchanger() == Some(n.view.seat()))
    }),
    table(
        "worth of the dead hand",
        Chips,
        (-1_000_000, None),
        "chips that the dead hand should bring more than your own, before its price",
        |n| stakes::advantage(n.view),
    ),
    table("price", Chips, (0, None), "chips that you would pay for the dead hand now", |n| {
        f64::from(price(n.view))
    }),
    table("dead hand on offer", YesNo, YES_NO, "a seat may take the dead hand in this game", |n| {
        yes(n.view.game().rules().exchange != Exchange::None)
    }),
    table("offered in turn", YesNo, YES_NO, "the dead hand is offered to seat after seat", |n| {
        yes(matches!(n.view.game().rules().exchange, Exchange::OfferChain { .. }))
    }),
    table("auctioned", YesNo, YES_NO, "the dealer may put the dead hand up for auction", |n| {
        yes(matches!(n.view.game().rules().exchange, Exchange::DealerOrAuction { .. }))
    }),
    table("bid", Chips, (0, None), "the highest bid, 0 before the first", |n| {
        f64::from(n.view.bid())
    }),
    table("cards of the dead hand", Cards, (0, Some(51)), "cards in the dead hand", |n| {
        n.view.dead_size() as f64
    }),
    table("chance at poker", Number, (0, Some(1)), "how often your five cards should win", |n| {
        poker::chance_to_win(n.view).unwrap_or(0.0)
    }),
    table(
        "free stake",
        Chips,
        (0, None),
        "chips of your free ante, placed or not; 0 where antes are fixed",
        |n| {
            let is_free = matches!(n.view.game().rules().layout_ante, LayoutAnte::Free { .. });
            if is_free { f64::from(stakes::free_stake(n.view)) } else { 0.0 }
        },
    ),
    table("pack", Cards, (1, Some(52)), "cards in the pack", |n| n.view.game().pack().len() as f64),
    table("cells", Number, (0, Some(8)), "cells of the layout", |n| n.view.game().cells() as f64),
    table("aces high", YesNo, YES_NO, "aces are the highest cards", |n| {
        yes(n.view.game().rules().aces == newmarket_env::Aces::High)
    }),
    table("ante after a look", YesNo, YES_NO, "antes are placed after the cards were seen", |n| {
        yes(n.view.game().rules().timing == newmarket_env::rules::Timing::AfterLook)
    }),
];

/// The fact of a name in a scope.
pub fn fact(scope: Scope, name: &str) -> Option<&'static Fact> {
    facts(scope).iter().find(|fact| fact.name == name)
}

/// All facts of a scope.
pub const fn facts(scope: Scope) -> &'static [Fact] {
    match scope {
        Scope::Suit => &SUIT,
        Scope::Cell => &CELL,
        Scope::Table => &TABLE,
    }
}

fn ones(places: u32) -> i32 {
    places.count_ones() as i32
}

/// The places below this one.
const fn below(place: u32) -> u32 {
    (1 << place) - 1
}

/// The places of the own cards of a suit.
fn held(notes: &Notes, suit: Suit) -> u32 {
    u32::from(notes.view.hand().lane(suit))
}

/// The place of the lowest own card, and the first place above the row from there.
fn run(notes: &Notes, suit: Suit) -> (u32, u32) {
    let held = held(notes, suit);
    let low = held.trailing_zeros();
    (low, low + (!(held >> low)).trailing_zeros())
}

/// The first place above the highest own card.
fn top(notes: &Notes, suit: Suit) -> u32 {
    32 - held(notes, suit).leading_zeros()
}

/// With a set of cards those that the player has played count too. Cells that were collected are not claimed
/// any more.
fn boodle_chips(notes: &Notes, suit: Suit) -> i32 {
    let view = notes.view;
    let held = view.hand() & CardSet::suit(suit);
    let own = held | view.played_by(view.seat());
    let claims = view.claims();
    let single = held.iter().filter_map(|card| claims.cell_claimed_by(card));
    let completed = |set: CardSet| own.is_superset(set) && !(set & held).is_empty();
    let sets = claims.sets().filter(|&(_, set)| completed(set)).map(|(cell, _)| cell);
    let cells = single.chain(sets).fold(0, |cells, cell| cells | 1 << cell);
    chips_on(notes, cells)
}

fn of_card(notes: &Notes, cell: usize, count: impl FnOnce(Card) -> i32) -> i32 {
    notes.view.claims().card_of(cell).map_or(0, count)
}

/// The cells that the hand claims on its own, one bit each.
fn own_cells(notes: &Notes) -> u8 {
    let (view, hand) = (notes.view, notes.view.hand());
    let own = |cell: usize| view.claims().of_cell(cell).iter().any(|&set| hand.is_superset(set));
    (0..view.game().cells()).filter(|&cell| own(cell)).fold(0, |cells, cell| cells | 1 << cell)
}

/// Chips on these cells.
fn chips_on(notes: &Notes, cells: u8) -> i32 {
    let layout = notes.view.layout().iter().enumerate();
    layout.filter(|(cell, _)| cells >> cell & 1 == 1).map(|(_, &chips)| chips).sum()
}

/// How many of these cards have the next one of their suit among others.
fn followed(cards: CardSet, others: CardSet) -> usize {
    let followed = |card: &Card| card.above().is_some_and(|next| others.contains(next));
    cards.iter().filter(followed).count()
}

const fn yes(holds: bool) -> f64 {
    if holds { 1.0 } else { 0.0 }
}

/// What the seat to act would pay for the dead hand now: its price, or the next bid.
fn price(view: &View) -> i32 {
    if view.phase() == newmarket_env::Phase::Auction { view.bid() + 1 } else { view.price() }
}
