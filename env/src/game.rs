//! Rules at a table of a fixed size, with the tables that the engine looks up.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::action::Action;
use crate::card::Card;
use crate::card_set::CardSet;
use crate::claims::Claims;
use crate::rules::{DeadHand, LoadError, MAX_CELLS, MAX_PLAYERS, Remainder, Rules};
use crate::seats::Seats;
use crate::seed::{self, Rng};

/// The cards as they have been dealt.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Hands {
    /// Each seat's cards; empty for a seat that is not in.
    pub seats: [CardSet; MAX_PLAYERS],
    /// The dead hand; empty where there is none.
    pub dead: CardSet,
}

/// A pack in the order in which it is dealt.
#[derive(Clone, Copy, Debug)]
pub struct Pack {
    cards: [Card; 52],
    len: usize,
}

impl Pack {
    /// The cards, the first to be dealt first.
    pub fn cards(&self) -> &[Card] {
        &self.cards[..self.len]
    }
}

/// Rules at a table of a fixed number of players, and tables that follow from both.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    rules: Rules,
    players: usize,
    pack: CardSet,
    /// The pack in order of suits and ranks, the first `pack_len` of these.
    cards: [Card; 52],
    pack_len: usize,
    /// The tables of claims that a deal can use. Every deal begins with the first one.
    claims: Vec<Claims>,
    /// Who gets each card of the pack, by dealer, when everybody is in.
    owners: Vec<[u8; 52]>,
    /// Cards in each hand and in the dead hand, by dealer, when everybody is in.
    sizes: Vec<([u8; MAX_PLAYERS], u8)>,
    identity: Arc<()>,
}

impl Game {
    /// Seats players at a table.
    ///
    /// # Errors
    /// If the rules do not seat that many, the pack does not go round, or the first dealer that
    /// the rules name is not among them.
    pub fn new(rules: Rules, players: usize) -> Result<Self, LoadError> {
        let (min, max) = rules.players;
        if !(min..=max).contains(&players) {
            return Err(LoadError::Players { rules: rules.title().into(), min, max, players });
        }
        if let crate::rules::FirstDealer::Seat(seat) = rules.session.first_dealer
            && seat >= players
        {
            return Err(LoadError::Dealer { seat, players });
        }
        let (pack, needed) = (rules.pack().len(), rules.cards_needed(players));
        if pack < needed {
            return Err(LoadError::Pack { pack, players, needed });
        }
        let pack = rules.pack();
        let mut cards = [Card::ALL[0]; 52];
        for (place, card) in cards.iter_mut().zip(pack) {
            *place = card;
        }
        let owners: Vec<[u8; 52]> = (0..players)
            .map(|dealer| owners(&rules, pack.len(), dealer, Seats::first(players)))
            .collect();
        Ok(Self {
            sizes: owners.iter().map(|owners| sizes(&owners[..pack.len()])).collect(),
            owners,
            pack,
            cards,
            pack_len: pack.len(),
            claims: Vec::from([Claims::of(&rules)]),
            rules,
            players,
            identity: Arc::new(()),
        })
    }

    /// Adds a table of claims that a deal can use.
    #[cfg(test)]
    pub(crate) fn add_claims(&mut self, claims: Claims) {
        self.claims.push(claims);
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// A token that only clones of this game share, as a key for values that were computed for a game.
    /// Compare it by [`Arc::ptr_eq`]. Another game of the same rules has another token.
    pub fn identity(&self) -> &Arc<()> {
        &self.identity
    }

    /// Seats at the table.
    pub fn players(&self) -> usize {
        self.players
    }

    /// Cells of the layout.
    pub fn cells(&self) -> usize {
        self.rules.cells.len()
    }

    /// The cards in play.
    pub fn pack(&self) -> CardSet {
        self.pack
    }

    /// The pack, shuffled: the order in which it is dealt is the first [`Pack::cards`].
    pub fn shuffle(&self, rng: &mut Rng) -> Pack {
        let mut pack = Pack { cards: self.cards, len: self.pack_len };
        seed::shuffle(&mut pack.cards[..pack.len], rng);
        pack
    }

    /// The table of claims of this number.
    #[inline]
    pub(crate) fn claims(&self, table: u8) -> &Claims {
        &self.claims[usize::from(table)]
    }

    /// All tables of claims that a deal can use.
    pub(crate) fn all_claims(&self) -> &[Claims] {
        &self.claims
    }

    /// Deals a pack, given in the order in which it is dealt, to the seats that are in.
    pub fn deal(&self, pack: &[Card], dealer: usize, seats_in: Seats) -> Hands {
        let mut dealt = Piles::default();
        for (&card, owner) in pack.iter().zip(self.owners(pack.len(), dealer, seats_in)) {
            dealt.give(owner, card);
        }
        dealt.hands()
    }

    /// Shuffles the pack and deals it in one pass. The hands equal those of [`Game::shuffle`] and
    /// [`Game::deal`] from the same stream.
    #[inline(never)]
    pub fn shuffle_and_deal(&self, rng: &mut Rng, dealer: usize, seats_in: Seats) -> Hands {
        let owners = self.owners(self.pack_len, dealer, seats_in);
        // 64 places: an index of six bits needs no bounds check.
        let mut cards = [Card::ALL[0]; 64];
        cards[..self.cards.len()].copy_from_slice(&self.cards);
        let mut dealt = Piles::default();
        // The shuffle does not visit a finished place again: its card can be dealt.
        for last in (1..self.pack_len.min(self.cards.len())).rev() {
            let drawn = seed::below(rng, last as u32 + 1) as usize & 63;
            dealt.give(owners[last], cards[drawn]);
            cards[drawn] = cards[last];
        }
        dealt.give(owners[0], cards[0]);
        dealt.hands()
    }

    /// A pack from which these hands are dealt.
    ///
    /// # Panics
    /// If the hands are not as large as they are dealt.
    pub(crate) fn pack_of(&self, hands: &Hands, dealer: usize, seats_in: Seats) -> Pack {
        let mut left = *hands;
        let mut pack = Pack { cards: self.cards, len: self.pack_len };
        let owners = self.owners(self.pack_len, dealer, seats_in);
        for (place, owner) in pack.cards[..self.pack_len].iter_mut().zip(owners) {
            let pile = left.seats.get_mut(usize::from(owner)).unwrap_or(&mut left.dead);
            *place = pile.first().expect("each hand has its size");
            *pile -= CardSet::of(*place);
        }
        pack
    }

    /// Whether these cards can be dealt like this.
    ///
    /// # Errors
    /// The field, `hands` or `dead`, and what is wrong with it.
    pub(crate) fn check_hands(
        &self,
        hands: &Hands,
        dealer: usize,
        seats_in: Seats,
    ) -> Result<(), (&'static str, String)> {
        let (sizes, dead_size) = self.hand_sizes(dealer, seats_in);
        let sizes = sizes.into_iter().chain([dead_size]).map(usize::from);
        let piles = hands.seats.iter().chain([&hands.dead]);
        let mut left = self.pack;
        for (nth, (&pile, size)) in piles.zip(sizes).enumerate() {
            let dead = nth == MAX_PLAYERS;
            let field = if dead { "dead" } else { "hands" };
            let whose = if dead { "the dead hand".into() } else { format!("seat {nth}") };
            if let Some(card) = (pile - left).first() {
                let card = card.notation(self.rules.aces);
                let fault = if self.pack.is_superset(pile) {
                    format!("{whose} has {card}, which lies elsewhere too")
                } else {
                    format!("{whose} has {card}, which is not in the pack")
                };
                return Err((field, fault));
            }
            left -= pile;
            if pile.len() != size {
                let found = pile.len();
                let fault = format!("{whose} has {found} cards: expected {size} with this dealer");
                return Err((field, fault));
            }
        }
        Ok(())
    }

    /// An action with the names of the game's cells and cards, as `lead clubs` or `put a chip on KH`.
    pub fn action_in_words(&self, action: Action) -> String {
        if let Some(card) = action.card() {
            return format!("set {} apart", card.notation(self.rules.aces));
        }
        match action.cell().and_then(|cell| self.rules.cells.get(cell)) {
            Some(cell) => format!("put a chip on {}", cell.name),
            None => action.to_string(),
        }
    }

    /// Cards in each hand and in the dead hand, as they are dealt.
    #[inline]
    pub(crate) fn hand_sizes(&self, dealer: usize, seats_in: Seats) -> ([u8; MAX_PLAYERS], u8) {
        if seats_in == Seats::first(self.players) {
            return self.sizes[dealer];
        }
        sizes(&owners(&self.rules, self.pack_len, dealer, seats_in)[..self.pack_len])
    }

    /// Who gets each card of a pack, in the order in which it is dealt: a seat, or [`DEAD`].
    fn owners(&self, cards: usize, dealer: usize, seats_in: Seats) -> [u8; 52] {
        if cards == self.pack_len && seats_in == Seats::first(self.players) {
            return self.owners[dealer];
        }
        owners(&self.rules, cards, dealer, seats_in)
    }

    /// The chips on the cells that the rules have, `[cells]`.
    pub fn cells_of<'a>(&self, layout: &'a [i32; MAX_CELLS]) -> &'a [i32] {
        &layout[..self.cells()]
    }
}

/// The dead hand, in place of the number of a seat.
pub(crate) const DEAD: u8 = MAX_PLAYERS as u8;

/// More piles than hands, a power of two: an index of four bits needs no bounds check.
const PILES: usize = 16;

/// The cards dealt so far: to each seat, then to the dead hand.
#[derive(Default)]
struct Piles([CardSet; PILES]);

impl Piles {
    fn give(&mut self, owner: u8, card: Card) {
        self.0[owner as usize % PILES].insert(card);
    }

    fn hands(self) -> Hands {
        let mut hands = Hands { dead: self.0[MAX_PLAYERS], ..Hands::default() };
        hands.seats.copy_from_slice(&self.0[..MAX_PLAYERS]);
        hands
    }
}

fn owners(rules: &Rules, cards: usize, dealer: usize, seats_in: Seats) -> [u8; 52] {
    let mut round = [DEAD; MAX_PLAYERS + 1];
    let mut hands = 0;
    let mut push = |hand: u8| {
        round[hands] = hand;
        hands += 1;
    };
    if rules.dead_hand == DeadHand::First {
        push(DEAD);
    }
    for seat in seats_in.from_left_of(dealer) {
        if seat == dealer && rules.dead_hand == DeadHand::BeforeDealer {
            push(DEAD);
        }
        push(seat as u8);
    }
    if rules.dead_hand == DeadHand::Last {
        push(DEAD);
    }
    let in_rotation = match rules.remainder {
        Remainder::Rotation => cards,
        Remainder::DeadHand => cards / hands * hands,
    };
    core::array::from_fn(|place| if place < in_rotation { round[place % hands] } else { DEAD })
}

/// How many of these cards go to each seat, and to the dead hand.
fn sizes(owners: &[u8]) -> ([u8; MAX_PLAYERS], u8) {
    let mut sizes = [0; MAX_PLAYERS + 1];
    for &owner in owners {
        sizes[owner as usize] += 1;
    }
    (core::array::from_fn(|seat| sizes[seat]), sizes[DEAD as usize])
}
