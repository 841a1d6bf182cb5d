//! The table as the viewer sees it, from what they are told alone.

use std::sync::Arc;

use newmarket_env::{
    Aces, BySeat, Card, CardSet, DealStart, Event, Game, Name, Payee, Seats, Suit, Why,
};

use super::super::sequence::End;

/// A card of the sequence that runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Laid {
    pub(super) card: Card,
    pub(super) seat: usize,
}

/// The end of a deal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Settled {
    /// Who was out first; nobody if nobody could lead.
    pub(super) winner: Option<usize>,
    pub(super) kitty: i32,
}

/// Chips, cards and what was said. Cards that the viewer does not see are in no field.
#[derive(Clone, Debug)]
pub(super) struct Felt {
    pub(super) game: Arc<Game>,
    pub(super) start: DealStart,
    pub(super) stacks: Vec<i32>,
    pub(super) layout: Vec<i32>,
    pub(super) kitty: i32,
    /// Cards in each hand, and in the dead hand.
    pub(super) sizes: Vec<usize>,
    pub(super) dead_size: usize,
    /// The hands that the viewer sees, and what they know of the dead hand.
    pub(super) hands: Vec<CardSet>,
    pub(super) dead: CardSet,
    pub(super) played: Vec<CardSet>,
    /// Five cards for poker, where they are seen.
    pub(super) apart: Vec<CardSet>,
    /// Chips that each seat has bet, and who is out of the betting.
    pub(super) put: Vec<i32>,
    pub(super) folded: Seats,
    /// The sequence, and why it went no further.
    pub(super) run: Vec<Laid>,
    pub(super) end: Option<End>,
    /// The suit that stopped last.
    pub(super) stopped: Option<Suit>,
    /// What each seat did last, in a word or two.
    pub(super) said: Vec<String>,
    /// What was just taken from each cell, and by whom.
    pub(super) taken: Vec<Option<(usize, i32)>>,
    /// The seat that is thinking.
    pub(super) turn: Option<usize>,
    pub(super) settled: Option<Settled>,
}

impl Felt {
    /// The table before a deal.
    pub(super) fn new(game: Arc<Game>, start: &DealStart) -> Self {
        let (players, cells) = (game.players(), game.cells());
        Self {
            start: *start,
            stacks: start.stacks[..players].to_vec(),
            layout: start.layout[..cells].to_vec(),
            kitty: start.kitty,
            sizes: vec![0; players],
            dead_size: 0,
            hands: vec![CardSet::EMPTY; players],
            dead: CardSet::EMPTY,
            played: vec![CardSet::EMPTY; players],
            apart: vec![CardSet::EMPTY; players],
            put: vec![0; players],
            folded: Seats::NONE,
            run: Vec::new(),
            end: None,
            stopped: None,
            said: vec![String::new(); players],
            taken: vec![None; cells],
            turn: None,
            settled: None,
            game,
        }
    }

    pub(super) fn aces(&self) -> Aces {
        self.game.rules().aces
    }

    /// All cards that have been played.
    pub(super) fn all_played(&self) -> CardSet {
        self.played.iter().fold(CardSet::EMPTY, |all, &cards| all | cards)
    }

    /// Something happened.
    pub(super) fn apply(&mut self, event: &Event) {
        self.turn = None;
        match event {
            Event::Rebuy { seat, chips } => self.stacks[*seat] += chips,
            Event::Ante { seat, kitty, layout } => {
                self.kitty += kitty;
                self.stacks[*seat] -= kitty + layout.iter().sum::<i32>();
                self.layout.iter_mut().zip(layout).for_each(|(lies, chips)| *lies += chips);
                let staked: Vec<String> = layout.iter().map(ToString::to_string).collect();
                self.says(*seat, staked.join(" "));
            }
            Event::Spill { from, to, chips } => {
                *self.pile(from) -= chips;
                *self.pile(to) += chips;
            }
            Event::Deal { hands, dead } => self.deal(hands, dead),
            Event::Exchange { .. } => self.exchange(event),
            Event::Keep { seat } => self.says(*seat, "keeps".into()),
            Event::Auction { seat } => self.says(*seat, "auctions".into()),
            Event::Bid { seat, chips } => self.says(*seat, format!("bids {chips}")),
            Event::Pass { seat } | Event::PassLead { seat } => self.says(*seat, "passes".into()),
            Event::SetApart { seat, cards } => {
                self.apart[*seat] = self.cards(cards);
                self.says(*seat, "is ready".into());
            }
            Event::Check { seat, chips } => self.bets(*seat, *chips, "checks".into()),
            Event::Bet { seat, chips } => self.bets(*seat, *chips, format!("bets {chips}")),
            Event::Call { seat, chips } => self.bets(*seat, *chips, format!("calls {chips}")),
            Event::Raise { seat, chips } => {
                let total = self.put[*seat] + chips;
                self.bets(*seat, *chips, format!("raises {total}"));
            }
            Event::Fold { seat, .. } => {
                self.folded.insert(*seat);
                self.says(*seat, "folds".into());
            }
            Event::Showdown { shown, paid, .. } => {
                for (seat, cards) in shown.iter().flat_map(BySeat::entries) {
                    if let Ok(seat) = seat.parse::<usize>() {
                        self.apart[seat] = self.cards(cards);
                    }
                }
                if let Some(pot) = self.game.rules().pot() {
                    self.layout[pot] = 0;
                }
                for (seat, &chips) in paid.iter().enumerate().filter(|(_, chips)| **chips > 0) {
                    self.stacks[seat] += chips;
                    self.says(seat, format!("+{chips}"));
                }
            }
            Event::Lead { seat, card } => {
                self.run.clear();
                self.end = None;
                self.said.iter_mut().for_each(String::clear);
                self.taken.fill(None);
                self.put.fill(0);
                self.lay(*seat, *card);
            }
            Event::Play { seat, card } => self.lay(*seat, *card),
            Event::Claim { seat, cell, chips } | Event::Collect { seat, cell, chips } => {
                *self.pile(cell) -= chips;
                self.takes(*seat, cell, *chips);
            }
            Event::Stop { card, why, .. } => self.stop(card.card(self.aces()), *why),
            Event::Out { seat } => {
                self.end = Some(End::Out(*seat));
                self.settled = Some(Settled { winner: Some(*seat), kitty: 0 });
            }
            Event::NoWinner {} => self.settled = Some(Settled { winner: None, kitty: 0 }),
            Event::Settle { winner, kitty, paid, .. } => {
                self.kitty -= kitty;
                self.stacks[*winner] += kitty + paid.iter().sum::<i32>();
                self.stacks.iter_mut().zip(paid).for_each(|(stack, chips)| *stack -= chips);
                self.settled = Some(Settled { winner: Some(*winner), kitty: *kitty });
            }
            Event::Leftover { from, seat, chips } => {
                *self.pile(from) -= chips;
                self.stacks[*seat] += chips;
            }
        }
    }

    /// A pile by the name that events give it.
    fn pile(&mut self, name: &str) -> &mut i32 {
        match self.cell(name) {
            Some(cell) => &mut self.layout[cell],
            None => &mut self.kitty,
        }
    }

    fn cell(&self, name: &str) -> Option<usize> {
        self.game.rules().cells.iter().position(|cell| cell.name == name)
    }

    fn cards(&self, names: &[Name]) -> CardSet {
        names.iter().map(|name| name.card(self.aces())).collect()
    }

    fn says(&mut self, seat: usize, text: String) {
        self.said[seat] = text;
    }

    fn takes(&mut self, seat: usize, cell: &str, chips: i32) {
        self.stacks[seat] += chips;
        if let Some(cell) = self.cell(cell) {
            self.taken[cell] = Some((seat, chips));
        }
        self.says(seat, format!("+{chips}"));
    }

    fn bets(&mut self, seat: usize, chips: i32, text: String) {
        self.put[seat] += chips;
        self.stacks[seat] -= chips;
        if let Some(pot) = self.game.rules().pot() {
            self.layout[pot] += chips;
        }
        self.says(seat, text);
    }

    fn deal(&mut self, hands: &[Vec<Name>], dead: &[Name]) {
        self.said.iter_mut().for_each(String::clear);
        self.dead = self.cards(dead);
        self.hands = hands.iter().map(|hand| self.cards(hand)).collect();
        let (seats, dealer) = (self.start.seats_in, self.start.dealer);
        // How many everybody gets follows from the rules: any pack gives as many.
        let pack: Vec<Card> = self.game.pack().iter().collect();
        let any = self.game.deal(&pack, dealer, seats);
        let players = self.game.players();
        self.sizes = any.seats[..players].iter().map(|hand| hand.len()).collect();
        self.dead_size = any.dead.len();
    }

    fn exchange(&mut self, event: &Event) {
        let Event::Exchange { seat, paid, to, dead, hand } = event else { return };
        self.stacks[*seat] -= paid;
        match to {
            None => {}
            Some(Payee::Kitty) => self.kitty += paid,
            Some(Payee::Seat(payee)) => self.stacks[*payee] += paid,
            Some(Payee::Layout) => {
                let cells = self.layout.len();
                (0..*paid as usize).for_each(|chip| self.layout[chip % cells] += 1);
            }
        }
        std::mem::swap(&mut self.sizes[*seat], &mut self.dead_size);
        self.dead = self.cards(dead);
        if let Some(hand) = hand {
            self.hands[*seat] = self.cards(hand);
        }
        self.says(*seat, "exchanges".into());
    }

    fn lay(&mut self, seat: usize, name: Name) {
        let card = name.card(self.aces());
        self.run.push(Laid { card, seat });
        self.played[seat].insert(card);
        self.hands[seat].remove(card);
        self.sizes[seat] = self.sizes[seat].saturating_sub(1);
    }

    fn stop(&mut self, card: Card, why: Why) {
        let next = card.above().unwrap_or(card);
        self.stopped = Some(card.suit());
        self.end = Some(match why {
            Why::Top => End::Top,
            Why::Removed => End::Removed(next),
            Why::Played => End::Played(next),
            Why::Dead => {
                self.dead.insert(next);
                End::Dead(next)
            }
        });
    }
}
