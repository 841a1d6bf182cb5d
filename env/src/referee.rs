//! The referee: one deal, card by card.
//!
//! This is the slow and obvious twin of the engine. It reads the same [`Rules`] value and shares no code
//! of play with the engine: hands are lists, a sequence is a loop. It writes traces, checks traces of
//! other programs, and tests compare the engine with it.
//!
//! [`Rules`]: crate::Rules

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

mod collect;
mod dead_hand;
mod play;
mod poker;
mod ranking;
mod stakes;

pub use crate::event::{Event, HandName, Name, Payee, Why};

use crate::action::{Action, ActionMask};
use crate::card::Card;
use crate::card_set::CardSet;
use crate::deal_start::DealStart;
use crate::game::{Game, Hands};
use crate::rules::{Spec, Stage, Timing};

/// Why a deal could not be played to its end. Cards and table are checked before the first event.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayError<E> {
    /// The cards are not those of the game.
    #[error("{0}")]
    Pack(String),
    /// A deal of the game cannot begin from this table.
    #[error("{0}")]
    DealStart(&'static str),
    /// A decision that the rules do not allow.
    #[error("seat {seat} cannot {action}: expected one of {legal}")]
    Illegal {
        /// The seat that decided.
        seat: usize,
        /// The action that is not legal.
        action: Action,
        /// The legal actions.
        legal: ActionMask,
    },
    /// The callback for decisions gave up.
    #[error("{0}")]
    Decision(E),
}

/// The callback for decisions. It gets the deal so far, the seat to act and its legal actions.
type Decide<'d, E> = &'d mut dyn FnMut(&Referee<'_>, usize, ActionMask) -> Result<Action, E>;

/// A deal in progress; [`Referee::play`] returns it when it is over.
#[derive(Clone, Debug)]
pub struct Referee<'g> {
    game: &'g Game,
    before: DealStart,
    pack: Vec<Card>,
    /// By seat, each sorted.
    hands: Vec<Vec<Card>>,
    dead: Vec<Card>,
    /// The hands from which play began.
    opening: Hands,
    /// The cards that each seat has played, in order.
    played: Vec<Vec<Card>>,
    stacks: Vec<i32>,
    layout: Vec<i32>,
    kitty: i32,
    /// By cell, the sets of cards that take it in this deal.
    claimed_by: Vec<Vec<CardSet>>,
    winner: Option<usize>,
    /// The cards that each seat has set apart for the poker, in order.
    apart: Vec<Vec<Card>>,
    /// The winner of the pot; of several, the first from eldest on.
    poker_winner: Option<usize>,
    events: Vec<Event>,
}

impl<'g> Referee<'g> {
    /// Plays one deal (`docs/RULES.md`, section 2) from a deal start and the cards in the order in
    /// which they are dealt.
    ///
    /// `decide` is asked at every decision, those with a single legal action included: each chip
    /// of a free ante (in layout order, never back to an earlier cell), keep / exchange / auction,
    /// bid / pass, each card set apart for poker (in the order of [`Card::index`]), check / bet,
    /// call / raise / fold, and the suit of each lead.
    ///
    /// # Errors
    /// If the cards or the deal start are not possible in this game, at the first illegal decision,
    /// or if `decide` gives up.
    pub fn play<E>(
        game: &'g Game,
        deal_start: DealStart,
        pack: &[Card],
        mut decide: impl FnMut(&Referee<'_>, usize, ActionMask) -> Result<Action, E>,
    ) -> Result<Self, PlayError<E>> {
        check_pack(game, pack).map_err(PlayError::Pack)?;
        deal_start.check(game).map_err(PlayError::DealStart)?;
        let players = game.players();
        let mut deal = Self {
            game,
            before: deal_start,
            pack: pack.to_vec(),
            hands: vec![Vec::new(); players],
            dead: Vec::new(),
            opening: Hands::default(),
            played: vec![Vec::new(); players],
            stacks: deal_start.stacks[..players].to_vec(),
            layout: deal_start.layout[..game.cells()].to_vec(),
            kitty: deal_start.kitty,
            claimed_by: game.rules().cells.iter().map(|cell| cell.claimed_by.clone()).collect(),
            winner: None,
            apart: vec![Vec::new(); players],
            poker_winner: None,
            events: Vec::new(),
        };
        match deal.rules().timing {
            Timing::BeforeDeal => {
                deal.antes(&mut decide)?;
                deal.deal();
            }
            Timing::AfterLook => {
                deal.deal();
                deal.antes(&mut decide)?;
            }
        }
        deal.dead_hand(&mut decide)?;
        deal.opening.dead = deal.dead.iter().copied().collect();
        for seat in 0..players {
            deal.opening.seats[seat] = deal.hands[seat].iter().copied().collect();
        }
        for stage in &deal.rules().stages {
            match stage {
                Stage::Collect => deal.collect(),
                Stage::Poker => deal.poker(&mut decide)?,
            }
        }
        deal.winner = deal.play_out(&mut decide)?;
        deal.settle();
        deal.spill();
        Ok(deal)
    }

    /// Section 7: the winner takes the kitty, and chips for each card that the others hold.
    fn settle(&mut self) {
        let Some(winner) = self.winner else { return };
        let mut swept = 0;
        if self.rules().kitty_to_winner {
            swept = self.kitty;
            self.kitty = 0;
            self.stacks[winner] += swept;
        }
        let cards: Vec<i32> = self.hands.iter().map(|hand| hand.len() as i32).collect();
        let mut paid = vec![0; cards.len()];
        for seat in self.before.seats_in.iter().filter(|&seat| seat != winner) {
            let owed = cards[seat] * self.rules().per_card;
            paid[seat] = if self.can_pay(seat, owed) { owed } else { self.stacks[seat] };
            self.stacks[seat] -= paid[seat];
            self.stacks[winner] += paid[seat];
        }
        self.events.push(Event::Settle { winner, kitty: swept, cards, paid });
    }

    /// Asks for a decision and checks that it is legal.
    fn ask<E>(
        &self,
        decide: Decide<'_, E>,
        seat: usize,
        legal: ActionMask,
    ) -> Result<Action, PlayError<E>> {
        let action = decide(self, seat, legal).map_err(PlayError::Decision)?;
        if legal.contains(action) {
            Ok(action)
        } else {
            Err(PlayError::Illegal { seat, action, legal })
        }
    }

    /// The seats that play, eldest first and the dealer last.
    fn turn(&self) -> Vec<usize> {
        let players = self.game.players();
        (1..=players)
            .map(|step| (self.before.dealer + step) % players)
            .filter(|&seat| self.before.seats_in.contains(seat))
            .collect()
    }

    /// Whether the seat has the chips; a score can always be lowered.
    fn can_pay(&self, seat: usize, chips: i32) -> bool {
        self.before.credit || self.stacks[seat] >= chips
    }

    fn names(&self, cards: &[Card]) -> Vec<Name> {
        cards.iter().map(|&card| self.name(card)).collect()
    }

    fn name(&self, card: Card) -> Name {
        Name::of(card, self.rules().aces)
    }

    fn rules(&self) -> &'g Spec {
        self.game.rules()
    }

    /// The game that is played.
    pub fn game(&self) -> &'g Game {
        self.game
    }

    /// The table before the deal.
    pub fn before(&self) -> &DealStart {
        &self.before
    }

    /// The cards in the order in which they were dealt.
    pub fn pack(&self) -> &[Card] {
        &self.pack
    }

    /// The events so far.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The cards that a seat holds, sorted.
    pub fn hand(&self, seat: usize) -> &[Card] {
        &self.hands[seat]
    }

    /// The dead hand, sorted.
    pub fn dead(&self) -> &[Card] {
        &self.dead
    }

    /// The hands from which play began: after section 5 of `docs/RULES.md`, before the first lead.
    pub fn opening(&self) -> &Hands {
        &self.opening
    }

    /// The cards that a seat has set apart for the poker so far, in order.
    pub fn apart(&self, seat: usize) -> &[Card] {
        &self.apart[seat]
    }

    /// The winner of the pot at poker; of several, the first from eldest on; `None` before that.
    pub fn poker_winner(&self) -> Option<usize> {
        self.poker_winner
    }

    /// Chips of each seat.
    pub fn stacks(&self) -> &[i32] {
        &self.stacks
    }

    /// Chips on each cell.
    pub fn layout(&self) -> &[i32] {
        &self.layout
    }

    /// Chips in the kitty.
    pub fn kitty(&self) -> i32 {
        self.kitty
    }

    /// The seat that went out; `None` before the end, and in a deal without a winner.
    pub fn winner(&self) -> Option<usize> {
        self.winner
    }
}

/// Checks that the cards are those of the game, each once; else says what is wrong.
fn check_pack(game: &Game, pack: &[Card]) -> Result<(), String> {
    let aces = game.rules().aces;
    let mut left = game.pack();
    for &card in pack {
        if !left.contains(card) {
            let known = game.pack().contains(card);
            let what = if known { "comes twice" } else { "is not in play" };
            return Err(format!(
                "the pack: {} {what}: expected the {} cards of the game, each once",
                card.notation(aces),
                game.pack().len()
            ));
        }
        left -= CardSet::of(card);
    }
    match left.first() {
        None => Ok(()),
        Some(card) => Err(format!(
            "the pack: {} is missing: expected the {} cards of the game, each once",
            card.notation(aces),
            game.pack().len()
        )),
    }
}
