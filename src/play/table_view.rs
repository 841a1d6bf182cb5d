//! The table as the viewer sees it, built from events.

use std::sync::Arc;

use newmarket_env::{
    Aces, BySeat, Card, CardSet, DealStart, Event, Game, Hands, Name, Payee, Phase, Seats, Suit,
    View, Why, rules::Stage,
};

use super::session::Opening;

/// A card of the sequence on the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Played {
    pub(super) card: Card,
    pub(super) seat: usize,
}

/// The end of a deal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Settled {
    /// The seat that went out; `None` if nobody could lead.
    pub(super) winner: Option<usize>,
    pub(super) kitty: i32,
}

/// Chips, cards and the last act of each seat. No field holds a card that the viewer cannot see.
#[derive(Clone, Debug)]
pub(super) struct TableView {
    game: Arc<Game>,
    /// The number of the deal in its session, from 1.
    pub(super) number: u32,
    pub(super) start: DealStart,
    pub(super) stacks: Vec<i32>,
    /// Chips that each seat has bought in the session.
    pub(super) bought: Vec<i32>,
    /// The seat that won the session because all others are out.
    pub(super) left_alone: Option<usize>,
    pub(super) layout: Vec<i32>,
    pub(super) kitty: i32,
    /// Cards in each hand, and in the dead hand.
    pub(super) sizes: Vec<usize>,
    pub(super) dead_size: usize,
    /// The hands that the viewer sees, and the dead cards that the viewer knows.
    pub(super) hands: Vec<CardSet>,
    pub(super) dead: CardSet,
    pub(super) played: Vec<CardSet>,
    /// Five cards for poker, where the viewer sees them.
    pub(super) apart: Vec<CardSet>,
    /// Chips that each seat has bet, and the seats that have folded.
    pub(super) bets: Vec<i32>,
    pub(super) folded: Seats,
    /// The last sequence, and whether it has stopped.
    pub(super) sequence: Vec<Played>,
    pub(super) has_stopped: bool,
    /// The suit that stopped last.
    pub(super) stopped: Option<Suit>,
    /// What each seat did last, in a word or two.
    pub(super) last_acts: Vec<String>,
    /// Who took what from each cell since the last lead.
    pub(super) taken: Vec<Option<(usize, i32)>>,
    /// The seat to act.
    pub(super) turn: Option<usize>,
    pub(super) settled: Option<Settled>,
}

impl TableView {
    /// The table before a deal.
    pub(super) fn new(game: Arc<Game>, opening: &Opening) -> Self {
        let (players, cells, start) = (game.players(), game.cells(), opening.start);
        Self {
            number: opening.number,
            start,
            stacks: start.stacks[..players].to_vec(),
            bought: opening.bought.clone(),
            left_alone: None,
            layout: start.layout[..cells].to_vec(),
            kitty: start.kitty,
            sizes: vec![0; players],
            dead_size: 0,
            hands: vec![CardSet::EMPTY; players],
            dead: CardSet::EMPTY,
            played: vec![CardSet::EMPTY; players],
            apart: vec![CardSet::EMPTY; players],
            bets: vec![0; players],
            folded: Seats::NONE,
            sequence: Vec::new(),
            has_stopped: false,
            stopped: None,
            last_acts: vec![String::new(); players],
            taken: vec![None; cells],
            turn: None,
            settled: None,
            game,
        }
    }

    /// The same table before its deal.
    pub(super) fn before_deal(&self) -> Self {
        let opening =
            Opening { bought: self.bought.clone(), ..Opening::of_deal(self.number, self.start) };
        Self::new(self.game.clone(), &opening)
    }

    fn aces(&self) -> Aces {
        self.game.rules().aces
    }

    /// All cards that have been played.
    pub(super) fn all_played(&self) -> CardSet {
        self.played.iter().fold(CardSet::EMPTY, |all, &cards| all | cards)
    }

    /// Chips that the deal has brought a seat so far.
    pub(super) fn gain(&self, seat: usize) -> i32 {
        self.stacks[seat] - self.start.stacks[seat]
    }

    /// The chips of a seat at the end of the session, less the chips that it bought.
    pub(super) fn result(&self, seat: usize) -> i32 {
        self.stacks[seat] - self.bought[seat]
    }

    /// Turns up all cards that were not played, when the deal is over.
    pub(super) fn open(&mut self, hands: &Hands) {
        self.hands = hands.seats[..self.sizes.len()].to_vec();
        self.dead = hands.dead;
    }

    /// Takes note of an event.
    pub(super) fn apply(&mut self, event: &Event) {
        self.turn = None;
        match event {
            Event::Rebuy { seat, chips } => self.stacks[*seat] += chips,
            Event::Ante { seat, kitty, layout } => {
                self.kitty += kitty;
                self.stacks[*seat] -= kitty + layout.iter().sum::<i32>();
                self.layout.iter_mut().zip(layout).for_each(|(pile, chips)| *pile += chips);
                self.acts(*seat, crate::wording::spaced(layout));
            }
            Event::Spill { from, to, chips } => {
                *self.pile(from) -= chips;
                *self.pile(to) += chips;
            }
            Event::Deal { hands, dead } => self.deal(hands, dead),
            Event::Exchange { .. } => self.exchange(event),
            Event::Keep { seat } => self.acts(*seat, "keeps".into()),
            Event::Auction { seat } => self.acts(*seat, "auctions".into()),
            Event::Bid { seat, chips } => self.acts(*seat, format!("bids {chips}")),
            Event::Pass { seat } | Event::PassLead { seat } => self.acts(*seat, "passes".into()),
            Event::SetApart { seat, cards } => {
                self.apart[*seat] = self.cards(cards);
                self.acts(*seat, "is ready".into());
            }
            Event::Check { seat, chips } => self.bet(*seat, *chips, "checks".into()),
            Event::Bet { seat, chips } => self.bet(*seat, *chips, format!("bets {chips}")),
            Event::Call { seat, chips } => self.bet(*seat, *chips, format!("calls {chips}")),
            Event::Raise { seat, chips } => {
                let total = self.bets[*seat] + chips;
                self.bet(*seat, *chips, format!("raises {total}"));
            }
            Event::Fold { seat, .. } => {
                self.folded.insert(*seat);
                self.acts(*seat, "folds".into());
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
                    self.acts(seat, format!("+{chips}"));
                }
            }
            Event::Lead { seat, card } => {
                self.sequence.clear();
                self.has_stopped = false;
                self.last_acts.iter_mut().for_each(String::clear);
                self.taken.fill(None);
                self.bets.fill(0);
                self.play(*seat, *card);
            }
            Event::Play { seat, card } => self.play(*seat, *card),
            Event::Claim { seat, cell, chips } | Event::Collect { seat, cell, chips } => {
                *self.pile(cell) -= chips;
                self.stacks[*seat] += chips;
                if let Some(cell) = self.cell(cell) {
                    self.taken[cell] = Some((*seat, *chips));
                }
                self.acts(*seat, format!("+{chips}"));
            }
            Event::Stop { card, why, .. } => {
                let card = card.card(self.aces());
                self.has_stopped = true;
                self.stopped = Some(card.suit());
                if let (Why::Dead, Some(next)) = (why, card.above()) {
                    self.dead.insert(next);
                }
            }
            Event::Out { seat } => {
                self.has_stopped = true;
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

    /// A pile by its name in events.
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

    fn acts(&mut self, seat: usize, text: String) {
        self.last_acts[seat] = text;
    }

    fn bet(&mut self, seat: usize, chips: i32, text: String) {
        self.bets[seat] += chips;
        self.stacks[seat] -= chips;
        if let Some(pot) = self.game.rules().pot() {
            self.layout[pot] += chips;
        }
        self.acts(seat, text);
    }

    fn deal(&mut self, hands: &[Vec<Name>], dead: &[Name]) {
        self.last_acts.iter_mut().for_each(String::clear);
        self.dead = self.cards(dead);
        self.hands = hands.iter().map(|hand| self.cards(hand)).collect();
        // The sizes of hands follow from the rules: every pack gives the same.
        let pack: Vec<Card> = self.game.pack().iter().collect();
        let any = self.game.deal(&pack, self.start.dealer, self.start.seats_in);
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
        if let Some(hand) = hand {
            self.hands[*seat] = self.cards(hand);
        } else if !self.hands[*seat].is_empty() {
            // All hands are open: the seat takes the dead hand that everybody sees.
            self.hands[*seat] = self.dead;
        }
        self.dead = self.cards(dead);
        self.acts(*seat, "exchanges".into());
    }

    fn play(&mut self, seat: usize, name: Name) {
        let card = name.card(self.aces());
        self.sequence.push(Played { card, seat });
        self.played[seat].insert(card);
        self.hands[seat].remove(card);
        self.sizes[seat] = self.sizes[seat].saturating_sub(1);
    }
}

/// Whether an event is one that a person brings about at a table: a card of theirs, or chips that they take.
pub(super) fn is_own(event: &Event, person: usize) -> bool {
    match event {
        Event::Lead { seat, .. } | Event::Play { seat, .. } | Event::Collect { seat, .. } => {
            *seat == person
        }
        _ => false,
    }
}

/// For each cell, the cards with which the viewer can take its chips: complete sets of cards in the hand
/// or played. Empty if the viewer cannot take the cell.
pub(super) fn claims(view: &View) -> Vec<CardSet> {
    let cells = 0..view.game().cells();
    let collected = view.record().judged != 0 || view.phase() == Phase::Lead;
    let over = !view.is_dealt() || view.phase() == Phase::Over;
    if over || view.game().rules().has(Stage::Collect) && collected {
        return vec![CardSet::EMPTY; cells.len()];
    }
    let cards = view.hand() | view.played_by(view.seat());
    let complete =
        |cell: usize| view.claims().of_cell(cell).iter().filter(|&&set| cards.is_superset(set));
    cells
        .map(|cell| match view.layout()[cell] {
            0 => CardSet::EMPTY,
            _ => complete(cell).fold(CardSet::EMPTY, |claims, &set| claims | set),
        })
        .collect()
}
