//! One deal of Newmarket or its family with a small pack, as a game in extensive form.
//!
//! Chance deals the cards: every division of the pack into hands of the given sizes is equally likely. The last seat
//! deals. Decisions are those of the [`State`]: antes chip by chip, the dead hand, bids, leads. Forced actions are taken
//! at once. A seat knows its own cards, the cards that it knows to be dead, and the record of all public events, so it
//! forgets nothing.
//!
//! The deal is a whole session: stacks are scores from 0, and the rule `leftover` settles the chips left on the table.
//! With `stay` no seat gets them, so the game is not zero-sum. With `lot` each seat gets its expectation, an equal share;
//! with `richest` the richest seat takes all. Both make the game zero-sum.

use std::sync::Arc;

use newmarket_agents::expected_of_left;
use newmarket_env::{
    Action, ActionMask, Card, CardSet, DealDriver, DealStart, Game, Hands, MAX_PLAYERS, Phase,
    State, View,
};

use super::game::{ExtensiveGame, Node};
use super::tree::TreeError;

/// One deal as a game in extensive form: chance deals the cards, then the seats decide.
#[derive(Clone, Debug)]
pub struct OneDeal {
    game: Arc<Game>,
    deal_start: DealStart,
    deals: Vec<Hands>,
}

/// A history of a deal: its state and the record of its public events.
#[derive(Clone, Debug)]
pub struct DealHistory {
    state: State,
    record: Vec<u8>,
    /// All actions so far, including forced ones.
    pub(super) actions: Vec<Action>,
}

/// The information state of a seat: everything that it has seen and done in a deal.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DealInfoState {
    hand: CardSet,
    dead: CardSet,
    record: Vec<u8>,
}

impl DealHistory {
    /// All actions so far, including forced ones.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }
}

impl OneDeal {
    /// All deals of a game.
    ///
    /// # Errors
    /// If there are more than `limit`.
    pub fn new(game: Arc<Game>, limit: u64) -> Result<Self, TreeError> {
        let deal_start = DealStart::fresh(game.players(), game.players() - 1);
        if deals(&game, &deal_start) > limit as f64 {
            return Err(TreeError::TooLarge { limit });
        }
        let cards: Vec<Card> = game.pack().iter().collect();
        let mut deals = Vec::new();
        divide(&cards, &mut sizes(&game, &deal_start), &mut Hands::default(), &mut deals);
        Ok(Self { game, deal_start, deals })
    }

    /// The number of different deals of a game, as a float, since a full pack has too many for an integer.
    pub fn count(game: &Game) -> f64 {
        deals(game, &DealStart::fresh(game.players(), game.players() - 1))
    }

    /// The rules and the number of seats.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// The seat that deals: the last one.
    pub fn dealer(&self) -> usize {
        self.deal_start.dealer
    }

    /// The view of a seat at this history.
    pub fn view<'a>(&'a self, position: &'a DealHistory, seat: usize) -> View<'a> {
        position.state.view(&self.game, seat)
    }

    /// The seat to decide at this history; `None` before the cards are dealt and at the end.
    pub fn to_act(&self, position: &DealHistory) -> Option<usize> {
        position.state.actor()
    }

    /// The hands as they were dealt; empty before the cards are dealt.
    pub fn dealt(&self, position: &DealHistory) -> Hands {
        self.view(position, 0).as_dealt(&position.state.hands())
    }

    /// The legal actions of the seat to decide; the `n`-th of them is choice `n`.
    pub fn legal(&self, position: &DealHistory) -> ActionMask {
        position.state.legal(&self.game)
    }

    /// Plays on to the next decision with a choice, to the dealing of the cards, or to the end.
    fn run_on(&self, mut position: DealHistory) -> DealHistory {
        let DealHistory { state, record, actions } = &mut position;
        let take = |state: &mut State, action| {
            actions.push(action);
            take(&self.game, state, record, action);
        };
        DealDriver::CHOICES.next_by(&self.game, state, take);
        position
    }

    /// The chips that each seat won in the deal, with its expected share of the chips left on the table.
    fn payoffs(&self, state: &State) -> Vec<f64> {
        let left = |seat| expected_of_left(&self.game, state, seat);
        (0..self.game.players()).map(|seat| f64::from(state.stacks()[seat]) + left(seat)).collect()
    }
}

/// Takes an action and records its public part: the action, and the cards that were played with the seats that played
/// them. The seat that acted follows from these and the rules.
///
/// Setting cards apart for poker is not public, but games with poker have packs that are too large to solve.
fn take(game: &Game, state: &mut State, record: &mut Vec<u8>, action: Action) {
    debug_assert_ne!(state.phase(), Phase::SetApart);
    let before = *state;
    state.apply_unchecked(game, action);
    record.push(action.index() as u8);
    for seat in 0..game.players() {
        let played = |state: &State| state.view(game, seat).played_by(seat);
        for card in played(state) - played(&before) {
            record.extend([seat as u8, card.index() as u8]);
        }
    }
}

impl ExtensiveGame for OneDeal {
    type State = DealHistory;
    type InfoState = DealInfoState;

    fn players(&self) -> usize {
        self.game.players()
    }

    fn start(&self) -> DealHistory {
        let state = State::new(&self.game, &self.deal_start);
        self.run_on(DealHistory { state, record: Vec::new(), actions: Vec::new() })
    }

    fn node(&self, position: &DealHistory) -> Node<DealInfoState> {
        match position.state.actor() {
            Some(player) => {
                let view = self.view(position, player);
                let (hand, dead) = (view.hand(), view.known_dead());
                let info_state = DealInfoState { hand, dead, record: position.record.clone() };
                Node::Decision { player, info_state, choices: self.legal(position).len() }
            }
            None if position.state.is_over() => Node::Terminal(self.payoffs(&position.state)),
            None => Node::Chance(vec![1.0 / self.deals.len() as f64; self.deals.len()]),
        }
    }

    fn after(&self, position: &DealHistory, nth: usize) -> DealHistory {
        let mut next = position.clone();
        match self.legal(position).nth(nth) {
            Some(action) => {
                next.actions.push(action);
                take(&self.game, &mut next.state, &mut next.record, action);
            }
            None => next.state.deal(&self.game, &self.deals[nth]),
        }
        self.run_on(next)
    }
}

/// The number of cards in each hand; the dead hand is the last.
fn sizes(game: &Game, deal_start: &DealStart) -> [usize; MAX_PLAYERS + 1] {
    let pack: Vec<Card> = game.pack().iter().collect();
    let dealt = game.deal(&pack, deal_start.dealer, deal_start.seats_in);
    std::array::from_fn(|hand| dealt.seats.get(hand).unwrap_or(&dealt.dead).len())
}

/// The number of ways to divide the pack: the multinomial coefficient.
fn deals(game: &Game, deal_start: &DealStart) -> f64 {
    let mut cards = 0.0;
    let mut ways = 1.0;
    for size in sizes(game, deal_start) {
        for nth in 1..=size {
            cards += 1.0;
            ways *= cards / nth as f64;
        }
    }
    ways.round()
}

/// Adds every way to divide `cards` among hands with this much room to `deals`.
fn divide(
    cards: &[Card],
    room: &mut [usize; MAX_PLAYERS + 1],
    hands: &mut Hands,
    deals: &mut Vec<Hands>,
) {
    let Some((&card, rest)) = cards.split_first() else { return deals.push(*hands) };
    for to in 0..room.len() {
        if room[to] > 0 {
            room[to] -= 1;
            hands.seats.get_mut(to).unwrap_or(&mut hands.dead).insert(card);
            divide(rest, room, hands, deals);
            hands.seats.get_mut(to).unwrap_or(&mut hands.dead).remove(card);
            room[to] += 1;
        }
    }
}
