//! Complete deals that are consistent with what one seat has seen, each equally likely.
//!
//! A *world* places every card that the seat has not seen. The sizes of the hands and certain facts
//! decide which worlds are possible: cards that a seat cannot hold and, in Three in One, sets of cards
//! that some seat does or does not hold together.
//!
//! Sampling rejects no world. Cards that cannot lie everywhere are placed one after another (`layers`).
//! For each of them a table has the number of ways to place all later cards, by the number of cards that
//! each hand has so far. Places are drawn in proportion to these numbers, which makes all worlds equally
//! likely. The same tables give the number of worlds and the exact probability that a card is in a hand.
//! Cards that can lie anywhere need no table: they fill the rest like a shuffled pack (`pool`).

use alloc::vec::Vec;

mod joint;
mod layers;
mod place;
mod plan;
mod pool;
mod splits;

use crate::card::Card;
use crate::card_set::CardSet;
use crate::game::Hands;
use crate::inference::Inference;
use crate::poker::Strength;
use crate::rules::MAX_PLAYERS;
use crate::seed::Rng;
use crate::state::{Phase, State};
use crate::view::View;
use joint::Joint;
use layers::Layers;
pub use place::{DEAD, PLACES};
use place::{Place, take};
use plan::{POOL, Plan};
use pool::Pool;

/// All deals that are consistent with a view.
#[derive(Clone, Debug)]
pub struct Worlds {
    /// Cards with a certain place: the seat's own hand, cards that were shown, proven dead cards.
    known: Hands,
    /// Hands that cannot hold every unseen card, or with facts about sets of cards.
    narrow: Vec<Place>,
    /// The other places: any unseen card can be in any of them.
    pool: Pool,
    joint: Joint,
    layers: Layers,
    /// The number of ways to go on from each entry of the layers' tables.
    ways: Vec<f64>,
    /// Cards with the same possible places, placed after those of the layers.
    rest: Vec<Card>,
}

impl Worlds {
    /// All deals that are consistent with what the view's seat has seen, each equally likely.
    /// Before the cards are dealt there is one, with empty hands.
    pub fn of(view: &View) -> Self {
        Self::new(view).expect("the true deal is consistent")
    }

    /// Whether any deal is consistent with the view: each card is in one place, and no hand is
    /// known to have more cards than it has.
    pub(crate) fn exist(view: &View) -> bool {
        Self::new(view).is_some()
    }

    fn new(view: &View) -> Option<Self> {
        let mut known = Hands { dead: view.known_dead(), ..Hands::default() };
        let hidden = if view.is_dealt() { view.hidden() } else { CardSet::EMPTY };
        let is_narrow = |&seat: &usize| !(view.ruled_out(seat) & hidden).is_empty();
        let joint = Joint::of(view, view.seats_in().iter().filter(is_narrow).collect());
        let (mut narrow, mut wide) = (Vec::new(), Vec::new());
        for seat in 0..view.game().players() {
            if seat == view.seat() {
                known.seats[seat] = view.hand();
                continue;
            }
            known.seats[seat] = view.shown(seat);
            let room = view.hand_size(seat) - known.seats[seat].len();
            let place = Place { holder: seat, room, possible: hidden - view.ruled_out(seat) };
            if room == 0 {
                continue;
            }
            if is_narrow(&seat) || joint.singles_out(seat) {
                narrow.push(place);
            } else {
                wide.push(place);
            }
        }
        let room = view.dead_size() - known.dead.len();
        if view.is_dealt() && room > 0 {
            wide.push(Place { holder: DEAD, room, possible: hidden });
        }
        let pool = Pool::new(wide, &joint);
        let plan = Plan::new(hidden, &narrow, &pool, &joint);
        let layers = Layers::new(&narrow, plan.items, (plan.rest.len(), plan.rest_kind), &joint);
        let ways = layers.count(|marks| pool.shares(&joint, marks).fraction);
        let rest = plan.rest.iter().collect();
        (ways[0] > 0.0).then_some(Self { known, narrow, pool, joint, layers, ways, rest })
    }

    /// The number of worlds.
    pub fn count(&self) -> f64 {
        self.ways[0] * self.pool.splits()
    }

    /// Draws one consistent deal.
    pub fn draw(&self, rng: &mut Rng) -> Hands {
        let mut hands = self.known;
        let mut room = [0; MAX_PLAYERS];
        for (room, narrow) in room.iter_mut().zip(&self.narrow) {
            *room = narrow.room;
        }
        let mut pooled = [Card::from_bit(0); 52];
        let mut count = 0;
        let marks = self.layers.draw(&self.ways, rng, &mut |card, bin| {
            if bin == POOL {
                pooled[count] = card;
                count += 1;
            } else {
                hands.seats[self.narrow[bin].holder].insert(card);
                room[bin] -= 1;
            }
        });
        // The rest fills the free places of the narrow hands; the remainder joins the pool.
        let from = count;
        for &card in &self.rest {
            pooled[count] = card;
            count += 1;
        }
        for (narrow, room) in self.narrow.iter().zip(room) {
            let hand = &mut hands.seats[narrow.holder];
            for _ in 0..room {
                *hand |= take(&mut pooled[from..count], rng);
                count -= 1;
            }
        }
        self.pool.split(&pooled[..count], &self.joint, marks, &mut hands, rng);
        hands
    }

    /// The probability that a card is in a place, `[places, cards]`: the seats, then the dead hand; cards by
    /// [`Card::index`]. Cards that have been played are in no place.
    pub fn chances(&self) -> [[f64; 52]; PLACES] {
        let mut chances = [[0.0; 52]; PLACES];
        let known = self.known.seats.iter().chain([&self.known.dead]);
        for (chances, cards) in chances.iter_mut().zip(known) {
            for card in *cards {
                chances[card.index()] = 1.0;
            }
        }
        for marks in 0..1 << self.joint.marks() {
            let shares = self.pool.shares(&self.joint, marks);
            if shares.fraction == 0.0 {
                continue;
            }
            let here = |made: u32| if made == marks { shares.fraction } else { 0.0 };
            let ways = self.layers.count(here);
            if ways[0] == 0.0 {
                continue;
            }
            let chance_of_marks = ways[0] / self.ways[0];
            let mut add = |card: Card, bin: usize, chance: f64| {
                let chance = chance * chance_of_marks;
                if bin == POOL {
                    self.pool.each(card, &shares, |place, share| {
                        chances[place][card.index()] += chance * share;
                    });
                } else {
                    chances[self.narrow[bin].holder][card.index()] += chance;
                }
            };
            let rest = self.layers.chances(&ways, &mut add);
            for &card in &self.rest {
                for (bin, &expected) in rest.iter().enumerate() {
                    let bin = if bin == self.narrow.len() { POOL } else { bin };
                    if expected > 0.0 {
                        add(card, bin, expected / self.rest.len() as f64);
                    }
                }
            }
        }
        chances
    }

    /// What is certain in all worlds.
    pub(crate) fn infer(&self) -> Inference {
        let chances = self.chances();
        let somewhere = |place: usize| {
            let cards = (0..52).filter(|&index| chances[place][index] > 0.0);
            cards.map(Card::from_index).collect::<CardSet>()
        };
        Inference::from_possible(core::array::from_fn(somewhere), somewhere(DEAD))
    }
}

impl View<'_> {
    /// Everything that is certain. Before the deal, every card may be anywhere.
    pub fn infer(&self) -> Inference {
        if self.is_dealt() && self.has_joint_facts() {
            return Worlds::of(self).infer();
        }
        self.infer_apart()
    }

    /// The state if the cards lay like this, for search to play on from. Other seats are taken to have set
    /// their best five cards apart for poker.
    ///
    /// # Panics
    /// If another seat is to lead: only that seat knows what it may lead.
    pub fn determinize(&self, world: &Hands) -> State {
        let own = self.phase() != Phase::Lead || self.actor() == Some(self.seat());
        assert!(own, "worlds are for a seat that is to act itself");
        let public = *self.public();
        let mut state = State {
            public,
            hands: world.seats,
            dead: world.dead,
            live: CardSet::EMPTY,
            apart: public.poker.shown,
            may_lead: 0,
        };
        if matches!(public.phase, Phase::Lead | Phase::Over) {
            state.live = world.seats.iter().fold(CardSet::EMPTY, |live, &hand| live | hand);
        }
        if public.phase == Phase::Lead {
            state.may_lead = public.may_lead(self.game(), self.hand());
        }
        for (seat, &cards) in public.poker.set_apart.iter().enumerate() {
            if cards > 0 && public.poker.shown[seat].is_empty() {
                let all = world.seats[seat] | self.played_by(seat);
                let five = Strength::best_five(all, self.game().rules().aces).0;
                state.apart[seat] = five.iter().take(cards as usize).collect();
            }
        }
        state.apart[self.seat()] = self.apart();
        state
    }
}
