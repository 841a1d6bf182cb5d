//! The stage of poker (`docs/RULES.md`, section 8.1).

use super::public::{Poker, PublicState};
use super::{Phase, State};
use crate::action::{Action, ActionMask};
use crate::card::Card;
use crate::card_set::CardSet;
use crate::game::Game;
use crate::poker::{MOST_RAISES, Strength};
use crate::rules::Stage;
use crate::seats::Seats;

impl State {
    pub(super) fn begin_poker(&mut self) {
        self.public.phase = Phase::SetApart;
        self.public.actor = self.public.eldest() as u8;
    }

    pub(super) fn set_apart(&mut self, card: Option<Card>) {
        let seat = self.public.actor as usize;
        if let Some(card) = card {
            self.apart[seat].insert(card);
            self.public.poker.set_apart[seat] += 1;
        }
        if self.apart[seat].len() < 5 {
            return;
        }
        self.public.actor = self.public.seats_in.left_of(seat) as u8;
        if seat == self.public.dealer as usize {
            self.public.phase = Phase::Bet;
            self.public.poker.to_act = self.public.seats_in;
        }
    }

    pub(super) fn answer_bet(&mut self, game: &Game, action: Action) {
        let seat = self.public.actor as usize;
        let poker = &mut self.public.poker;
        poker.to_act.remove(seat);
        match action {
            Action::FOLD => poker.folded.insert(seat),
            Action::BET | Action::RAISE => {
                poker.raises += u8::from(action == Action::RAISE);
                poker.bet += 1;
                poker.to_act = self.public.seats_in - poker.folded;
                poker.to_act.remove(seat);
            }
            _ => {}
        }
        if action != Action::FOLD {
            let chips = i32::from(poker.bet - poker.put[seat]);
            poker.put[seat] = poker.bet;
            self.public.stacks[seat] -= chips;
            self.public.layout[pot(game)] += chips;
        }
        let staying = self.public.seats_in - self.public.poker.folded;
        if staying.len() > 1 && !self.public.poker.to_act.is_empty() {
            self.public.actor = self.public.poker.to_act.left_of(seat) as u8;
        } else {
            self.showdown(game, staying);
        }
    }

    /// The best hand among the seats that stay takes the pot. Equal hands share it; odd chips go one each
    /// from eldest on. A seat that is left alone takes the pot without showing.
    fn showdown(&mut self, game: &Game, staying: Seats) {
        let mut winners = staying;
        if staying.len() > 1 {
            let mut best = Strength::default();
            winners = Seats::default();
            for seat in staying.iter() {
                let five = self.apart[seat];
                self.public.poker.shown[seat] = five;
                self.public.knowledge.holds(seat, five);
                let strength = Strength::of(five, game.rules().aces);
                if strength > best {
                    best = strength;
                    winners = Seats::default();
                }
                if strength == best {
                    winners.insert(seat);
                }
            }
        }
        let pot = core::mem::take(&mut self.public.layout[pot(game)]);
        let (share, odd) = (pot / winners.len() as i32, pot % winners.len() as i32);
        let in_turn = self.public.seats_in.from_left_of(self.public.dealer as usize);
        for (nth, seat) in in_turn.filter(|&seat| winners.contains(seat)).enumerate() {
            self.public.stacks[seat] += share + i32::from((nth as i32) < odd);
            if nth == 0 {
                self.public.poker.winner = Some(seat as u8);
            }
        }
        self.after_stage(game, Stage::Poker);
    }
}

impl PublicState {
    pub(super) fn legal_bets(&self) -> ActionMask {
        let seat = self.actor as usize;
        let Poker { bet, put, raises, .. } = self.poker;
        let call = i32::from(bet - put[seat]);
        let can_add = self.can_pay(seat, call + 1);
        if bet == 0 {
            let legal = ActionMask::only(Action::CHECK);
            return if can_add { legal.with(Action::BET) } else { legal };
        }
        let mut legal = ActionMask::only(Action::FOLD);
        if self.can_pay(seat, call) {
            legal = legal.with(Action::CALL);
        }
        if can_add && raises < MOST_RAISES {
            legal = legal.with(Action::RAISE);
        }
        legal
    }

    /// Cards that may be set apart next: in ascending order, so that each choice of five has one path, and
    /// such that enough higher cards remain.
    pub(super) fn legal_picks(hand: CardSet, apart: CardSet) -> ActionMask {
        let mut above = match apart.last() {
            Some(last) => hand - CardSet::up_to(last),
            None => hand,
        };
        // The highest cards leave too few to complete five.
        for _ in apart.len() + 1..5 {
            if let Some(highest) = above.last() {
                above.remove(highest);
            }
        }
        ActionMask::picks(above)
    }
}

fn pot(game: &Game) -> usize {
    game.rules().pot().expect("poker is for a pot")
}
