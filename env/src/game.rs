//! Rules at one table: what the engine looks up, worked out once.

use crate::card::{Card, Suit};
use crate::card_set::CardSet;
use crate::encode::Template;
use crate::rules::{ClaimWhen, DeadHand, LoadError, MAX_CELLS, MAX_PLAYERS, Remainder, Rules};
use crate::seed::{self, Rng};
use crate::standing::Seats;

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

/// Rules at a table of so many players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    rules: Rules,
    players: usize,
    pack: CardSet,
    /// The pack in order of suits and ranks, the first `pack_len` of these.
    cards: [Card; 52],
    pack_len: usize,
    /// The cards that claim a cell on their own.
    pub(crate) claiming: CardSet,
    /// The cell that a card of `claiming` claims, by `Card::bit`.
    pub(crate) cell_of: [u8; 64],
    /// The sets of several cards that claim a cell in the play, and their cells.
    sets: Vec<(usize, CardSet)>,
    /// What all observations of this game have in common.
    template: Template,
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
        let mut claiming = CardSet::EMPTY;
        let mut cell_of = [0; 64];
        let mut sets = Vec::new();
        // Spaces that are taken while held are not claimed in the play.
        let in_play = rules.poker != Some(ClaimWhen::Held);
        let cells = if in_play { &rules.cells[..] } else { &[] };
        for (cell, card) in cells.iter().map(super::rules::Cell::claiming_card).enumerate() {
            if let Some(card) = card {
                claiming.insert(card);
                cell_of[card.bit() as usize] = cell as u8;
            } else {
                sets.extend(cells[cell].claimed_by.iter().map(|&set| (cell, set)));
            }
        }
        let pack = rules.pack();
        let mut cards = [Card::new(Suit::Clubs, 0); 52];
        for (place, card) in cards.iter_mut().zip(pack) {
            *place = card;
        }
        let (pack_len, template) = (pack.len(), Template::BLANK);
        let mut game =
            Self { pack, cards, pack_len, rules, players, claiming, cell_of, sets, template };
        game.template = Template::of(&game);
        Ok(game)
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
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

    /// The sets of several cards that claim a cell when they are played by one player, with their
    /// cells.
    pub fn sets(&self) -> impl Iterator<Item = (usize, CardSet)> {
        self.sets.iter().copied()
    }

    /// What all observations of this game have in common.
    pub(crate) fn template(&self) -> &Template {
        &self.template
    }

    /// The cell that is the pot of Three in One: the last one.
    pub(crate) fn pot(&self) -> usize {
        self.cells() - 1
    }

    /// The cell that this card claims on its own, if any.
    pub fn cell_claimed_by(&self, card: Card) -> Option<usize> {
        self.claiming.contains(card).then(|| self.cell_of[card.bit() as usize] as usize)
    }

    /// Deals a pack, given in the order in which it is dealt, to the seats that are in.
    pub fn deal(&self, pack: &[Card], dealer: usize, seats_in: Seats) -> Hands {
        const DEAD: u8 = MAX_PLAYERS as u8;
        let mut order = [0_u8; MAX_PLAYERS + 1];
        let mut hands = 0;
        let mut push = |hand: u8| {
            order[hands] = hand;
            hands += 1;
        };
        if self.rules.dead_hand == DeadHand::First {
            push(DEAD);
        }
        for seat in seats_in.from_left_of(dealer) {
            if seat == dealer && self.rules.dead_hand == DeadHand::BeforeDealer {
                push(DEAD);
            }
            push(seat as u8);
        }
        if self.rules.dead_hand == DeadHand::Last {
            push(DEAD);
        }
        let mut dealt = [CardSet::EMPTY; MAX_PLAYERS + 1];
        let in_rotation = match self.rules.remainder {
            Remainder::Rotation => pack.len(),
            Remainder::DeadHand => pack.len() / hands * hands,
        };
        let (rotation, rest) = pack.split_at(in_rotation);
        for round in rotation.chunks(hands) {
            for (&card, &hand) in round.iter().zip(&order) {
                dealt[hand as usize].insert(card);
            }
        }
        for &card in rest {
            dealt[DEAD as usize].insert(card);
        }
        let mut result = Hands { dead: dealt[MAX_PLAYERS], ..Hands::default() };
        result.seats.copy_from_slice(&dealt[..MAX_PLAYERS]);
        result
    }

    /// The layout's chips, without the cells that the rules do not have.
    pub fn cells_of<'a>(&self, layout: &'a [i32; MAX_CELLS]) -> &'a [i32] {
        &layout[..self.cells()]
    }
}
