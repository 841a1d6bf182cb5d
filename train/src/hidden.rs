//! What the seat of a decision could not see: for what is learnt in training alone.
//!
//! A policy plays from observations. But while it is trained all cards are known and so is what
//! came of the deal, and a critic that reads the one and targets made of either help it to learn
//! (Yang et al. 2022, `PerfectDou`). None of this reaches the policy's input.

use newmarket_env::{CardSet, MAX_PLAYERS, Observation, State, View};
use newmarket_net::Row;

/// Where a card may be that the seat does not see: in the hands of relative seats 1 to 7, or dead.
pub const PLACES: usize = MAX_PLAYERS;
/// Length of the vector that says where: 52 entries a place, by card index.
pub const PLANES: usize = 52 * PLACES;

/// What the seat of one decision could not see.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hidden {
    /// What each place holds; of the dead hand not what the seat knows of it. Empty before the deal
    /// and where there is no such place.
    cards: [CardSet; PLACES],
    /// Chips that each seat gains from here to the end of the deal.
    gains: [f32; MAX_PLAYERS],
    seat: usize,
    players: usize,
}

impl Hidden {
    /// What stays hidden from a view of this state; of the gains what has been paid so far, see
    /// [`Hidden::settle`].
    pub fn of(state: &State, view: &View) -> Self {
        let (hands, mut cards) = (state.hands(), [CardSet::EMPTY; PLACES]);
        for (place, seat) in cards.iter_mut().zip(view.relative_seats().skip(1)) {
            *place = hands.seats[seat];
        }
        cards[PLACES - 1] = hands.dead - view.known_dead();
        let gains = state.stacks().map(|chips| -chips as f32);
        Self { cards, gains, seat: view.seat(), players: view.game().players() }
    }

    /// The deal is over, and this is what everybody has.
    pub fn settle(&mut self, stacks: &[i32; MAX_PLAYERS]) {
        for (gain, &chips) in self.gains.iter_mut().zip(stacks) {
            *gain += chips as f32;
        }
    }

    /// Every choice was tried: what each seat gains is the mean over these `gains` `[choices]`, each
    /// as likely as its log-probability says.
    pub fn expect(&mut self, log_probs: &[f32], gains: &[[f32; MAX_PLAYERS]]) {
        self.gains = [0.0; MAX_PLAYERS];
        for (log_prob, gains) in log_probs.iter().zip(gains) {
            for (mean, gain) in self.gains.iter_mut().zip(gains) {
                *mean += log_prob.exp() * gain;
            }
        }
    }

    /// These cards in these places, and what each of so many seats gains.
    #[cfg(test)]
    pub(crate) fn made_up(cards: [CardSet; PLACES], seats: &[f32]) -> Self {
        let mut gains = [0.0; MAX_PLAYERS];
        gains[..seats.len()].copy_from_slice(seats);
        Self { cards, gains, seat: 0, players: seats.len() }
    }

    /// The entries of the vector of [`PLANES`] that are 1, ascending; all others are 0.
    pub fn ones(&self) -> impl Iterator<Item = usize> + '_ {
        let places = self.cards.iter().enumerate();
        places.flat_map(|(place, cards)| cards.iter().map(move |card| 52 * place + card.index()))
    }

    /// Chips that each seat of the table gains from here to the end of the deal, the seat's own
    /// first, then round to the left. `[players]`
    pub fn gains(&self) -> impl ExactSizeIterator<Item = f32> + '_ {
        (0..self.players).map(|nth| self.gains[(self.seat + nth) % self.players])
    }
}

/// All cards: the input of a critic, the observation first.
#[derive(Clone, Copy, Debug)]
pub struct Whole<'a>(pub &'a Observation, pub &'a Hidden);

impl Row for Whole<'_> {
    fn width(&self) -> usize {
        Observation::LEN + PLANES
    }

    fn gather(&self, values: &mut [f32], places: &mut [u32]) -> usize {
        let mut count = self.0.gather(values, places);
        for index in self.1.ones() {
            values[count] = 1.0;
            places[count] = (Observation::LEN + index) as u32;
            count += 1;
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use newmarket_env::seed::below;
    use newmarket_env::{Action, Card, Env, Episode, Game, Rules, Seed};
    use std::sync::Arc;

    /// Goes through random deals: the state and what the next to act sees.
    fn decisions(rules: &str, players: usize, mut look: impl FnMut(&State, &View)) {
        let game = Game::new(Rules::named(rules).expect("a game"), players).expect("seats");
        let mut env = Env::new(Arc::new(game), Episode::Deal);
        let mut dice = Seed::new(4).rng();
        for deal in 0..30 {
            env.reset(Seed::new(deal));
            while !env.is_over() {
                let view = env.observe(env.seat());
                look(env.state(), &view);
                let legal: Vec<Action> = view.legal().iter().collect();
                let action = legal[below(&mut dice, legal.len() as u32) as usize];
                env.step(action).expect("legal");
            }
        }
    }

    /// Card by card and seat by seat: the holder to the left of the viewer, or the dead hand.
    #[test]
    fn planes_are_the_hands_of_the_others() {
        let mut after_the_deal = 0;
        for (rules, players) in [("newmarket", 4), ("newmarket-buy", 5), ("three-in-one", 3)] {
            decisions(rules, players, |state, view| {
                let hidden = Hidden::of(state, view);
                let mut planes = vec![0; PLANES];
                hidden.ones().for_each(|index| planes[index] += 1);
                let hands = state.hands();
                for card in (0..52).filter_map(Card::from_index) {
                    for place in 0..PLACES {
                        let seat = (view.seat() + 1 + place) % players;
                        let holds = match place {
                            7 => hands.dead.contains(card) && !view.known_dead().contains(card),
                            _ => place + 1 < players && hands.seats[seat].contains(card),
                        };
                        let plane = planes[52 * place + card.index()];
                        assert_eq!(plane, i32::from(holds), "{rules} {card:?} {place}");
                    }
                }
                after_the_deal += usize::from(view.is_dealt());
                assert!(view.is_dealt() || planes.iter().all(|plane| *plane == 0));
            });
        }
        assert!(after_the_deal > 500, "{after_the_deal}");
    }

    #[test]
    fn the_whole_is_the_observation_and_the_planes() {
        decisions("newmarket", 4, |state, view| {
            let (observation, hidden) = (Observation::of(view), Hidden::of(state, view));
            let whole = Whole(&observation, &hidden);
            let (mut values, mut places) = (vec![0.0; whole.width()], vec![0; whole.width()]);
            let count = whole.gather(&mut values, &mut places);
            let mut dense = vec![0.0; whole.width()];
            for (value, place) in values.iter().zip(&places).take(count) {
                dense[*place as usize] = *value;
            }
            let mut expected = vec![0.0; whole.width()];
            observation.write(&mut expected[..Observation::LEN]);
            hidden.ones().for_each(|index| expected[Observation::LEN + index] = 1.0);
            assert_eq!(dense, expected);
            assert!(places[..count].is_sorted());
        });
    }

    #[test]
    fn gains_go_round_from_the_seat_itself() {
        let mut seen = 0;
        decisions("newmarket", 4, |state, view| {
            let mut hidden = Hidden::of(state, view);
            let mut after = *state.stacks();
            for (seat, chips) in after.iter_mut().enumerate() {
                *chips += 10 * seat as i32;
            }
            hidden.settle(&after);
            let gains: Vec<f32> = hidden.gains().collect();
            let expected: Vec<f32> = view.relative_seats().map(|seat| 10.0 * seat as f32).collect();
            assert_eq!(gains, expected);
            let tried: [[f32; MAX_PLAYERS]; 2] =
                [8.0, 4.0].map(|k| std::array::from_fn(|seat| k * seat as f32));
            hidden.expect(&[0.25_f32.ln(), 0.75_f32.ln()], &tried);
            for (gain, seat) in hidden.gains().zip(view.relative_seats()) {
                assert!((gain - 5.0 * seat as f32).abs() < 1e-4);
            }
            seen += 1;
        });
        assert!(seen > 100);
    }
}
