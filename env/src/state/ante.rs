//! Antes and the cap on cells (`docs/RULES.md`, section 3).

use core::hint::select_unpredictable;

use super::{NOBODY, Phase, PublicState, State};
use crate::action::ActionMask;
use crate::game::Game;
use crate::rules::{LayoutAnte, Timing};

impl State {
    pub(super) fn begin_antes(&mut self, game: &Game) {
        self.ante_from(game, self.public.eldest());
    }

    /// Takes the antes from this seat on, until a seat must place a chip.
    fn ante_from(&mut self, game: &Game, first: usize) {
        let rules = game.rules();
        let mut seat = first;
        loop {
            let deals = seat == self.public.dealer as usize;
            self.public.stacks[seat] -= rules.kitty_ante;
            self.public.kitty += rules.kitty_ante;
            match rules.layout_ante {
                LayoutAnte::Fixed { each, dealer } => {
                    let chips = if deals { dealer } else { each };
                    for cell in 0..game.cells() {
                        self.public.layout[cell] += chips;
                        self.public.staked[seat][cell] = chips as i16;
                    }
                    self.public.stacks[seat] -= chips * game.cells() as i32;
                }
                LayoutAnte::Free { chips, dealer_chips } => {
                    let chips = if deals { dealer_chips } else { chips };
                    if chips > 0 {
                        self.public.phase = Phase::Ante;
                        self.public.actor = seat as u8;
                        self.public.chips_left = chips as u16;
                        self.public.cursor = 0;
                        return;
                    }
                }
            }
            if deals {
                return self.end_antes(game);
            }
            seat = self.public.seats_in.left_of(seat);
        }
    }

    fn end_antes(&mut self, game: &Game) {
        self.public.actor = NOBODY;
        self.public.spill(game);
        match game.rules().timing {
            Timing::BeforeDeal => self.public.phase = Phase::Deal,
            Timing::AfterLook => self.begin_dead_hand(game),
        }
    }

    /// Chips that the actor places with its next chip on this cell: all that are left if the cell is the
    /// last one and there is no cap, else one.
    #[expect(clippy::inline_always, reason = "part of the loop of a batch")]
    #[inline(always)]
    pub(super) fn forced_with(&self, game: &Game, cell: usize) -> u16 {
        let is_last = cell + 1 == game.cells() && game.rules().cell_cap.is_none();
        // Without a branch: the processor could not predict it.
        select_unpredictable(is_last, self.public.chips_left, 1)
    }

    /// Places the actor's next chips on a cell.
    #[expect(clippy::inline_always, reason = "part of the loop of a batch")]
    #[inline(always)]
    pub(super) fn place(&mut self, game: &Game, cell: usize, chips: u16) {
        let seat = self.public.actor as usize;
        self.public.stacks[seat] -= i32::from(chips);
        self.public.layout[cell] += i32::from(chips);
        self.public.staked[seat][cell] += chips as i16;
        self.public.cursor = cell as u8;
        self.public.chips_left -= chips;
        if self.public.chips_left == 0 {
            self.after_ante(game, seat);
        }
    }

    fn after_ante(&mut self, game: &Game, seat: usize) {
        if seat == self.public.dealer as usize {
            self.end_antes(game);
        } else {
            self.ante_from(game, self.public.seats_in.left_of(seat));
        }
    }
}

impl PublicState {
    /// The cells that may take the actor's next chip. Chips are placed in layout order, so that each
    /// split has exactly one path. A cell is legal if a legal split can still be completed from it.
    #[inline]
    pub(super) fn legal_chips(&self, game: &Game) -> ActionMask {
        match game.rules().cell_cap {
            None => ActionMask::chips((1 << game.cells()) - (1 << self.cursor)),
            Some(cap) => self.legal_chips_below(game, cap),
        }
    }

    fn legal_chips_below(&self, game: &Game, cap: i32) -> ActionMask {
        let cells = game.cells();
        let room = |cell: usize| (cap - self.layout[cell]).max(0);
        let all_room: i32 = (0..cells).map(room).sum();
        let left = i32::from(self.chips_left);
        let mut mask = 0;
        for cell in self.cursor as usize..cells {
            let fits = if left <= all_room {
                // No cell may go above the cap: the rest must fit from here on.
                room(cell) > 0 && (cell..cells).map(room).sum::<i32>() >= left
            } else {
                // Every cell must be filled: no earlier cell may have room.
                (0..cell).all(|earlier| room(earlier) == 0)
            };
            mask |= u32::from(fits) << cell;
        }
        ActionMask::chips(mask)
    }

    /// Moves chips above the cap, one at a time, to the cell with the fewest chips. If all cells are full,
    /// the chips go to the kitty; without a kitty they stay.
    pub(super) fn spill(&mut self, game: &Game) {
        if game.rules().cell_cap.is_some() {
            self.spill_telling(game, |_, _, _| ());
        }
    }

    /// [`PublicState::spill`], which reports each move to `moves`: from which cell, to which cell (`None`
    /// for the kitty), how many chips. The kitty takes all chips from a cell in one move. Out of the hot path.
    #[inline(never)]
    pub(crate) fn spill_telling(
        &mut self,
        game: &Game,
        mut moves: impl FnMut(usize, Option<usize>, i32),
    ) {
        let Some(cap) = game.rules().cell_cap else { return };
        let cells = game.cells();
        for from in 0..cells {
            while self.layout[from] > cap {
                // `min_by_key` finds the first of equals.
                let fewest = (0..cells).min_by_key(|&cell| self.layout[cell]).unwrap_or(from);
                let (to, chips) = if self.layout[fewest] < cap {
                    self.layout[fewest] += 1;
                    (Some(fewest), 1)
                } else if game.rules().has_kitty() {
                    let above = self.layout[from] - cap;
                    self.kitty += above;
                    (None, above)
                } else {
                    return;
                };
                self.layout[from] -= chips;
                moves(from, to, chips);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use crate::seed::below;
    use crate::{DealStart, Game, Rules, Seed, State};

    /// One chip at a time, whoever takes it.
    fn slow(cap: i32, has_kitty: bool, layout: &mut [i32], kitty: &mut i32) {
        for from in 0..layout.len() {
            while layout[from] > cap {
                let least = *layout.iter().min().expect("a cell");
                let to = layout.iter().position(|&chips| chips == least).expect("one of them");
                match (least < cap, has_kitty) {
                    (true, _) => layout[to] += 1,
                    (false, true) => *kitty += 1,
                    (false, false) => break,
                }
                layout[from] -= 1;
            }
        }
    }

    #[test]
    fn chips_above_the_cap_move_as_if_one_by_one() {
        let mut rng = Seed::new(3).rng();
        for kitty in ["kitty_ante = 1", "kitty_ante = 0\nkitty_to_winner = false"] {
            let text = format!("base = \"newmarket\"\ncell_cap = 10\n{kitty}");
            let game = Game::new(Rules::from_toml(&text, "it").expect("rules"), 4).expect("seats");
            for _ in 0..200 {
                let mut start = DealStart::fresh(4, 0);
                start.layout[..4].fill_with(|| below(&mut rng, 30) as i32);
                let mut state = State::new(&game, &start);
                let (mut layout, mut kitty) = (state.public.layout, state.public.kitty);
                state.public.spill(&game);
                slow(10, game.rules().has_kitty(), &mut layout[..4], &mut kitty);
                assert_eq!((state.public.layout, state.public.kitty), (layout, kitty));
            }
        }
    }

    /// One by one these would take seconds.
    #[test]
    fn very_many_chips_above_the_cap_move_at_once() {
        let text = "base = \"newmarket\"\ncell_cap = 1\nkitty_ante = 1";
        let game = Game::new(Rules::from_toml(text, "it").expect("rules"), 4).expect("seats");
        let mut start = DealStart::fresh(4, 0);
        start.layout[0] = 999_999_990;
        let mut state = State::new(&game, &start);
        let before = state.public.kitty + state.public.layout.iter().sum::<i32>();
        let mut moves = 0;
        state.public.spill_telling(&game, |_, _, _| moves += 1);
        let after = state.public.kitty + state.public.layout.iter().sum::<i32>();
        assert_eq!((before, moves), (after, 4));
    }
}
