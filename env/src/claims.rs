//! Which cards take which cells of the layout.
//!
//! The rules give the claiming cards cell by cell. A [`Game`](crate::Game) has one or several tables
//! of claims, and each deal uses one of them.

use alloc::vec::Vec;

use crate::card::Card;
use crate::card_set::CardSet;
use crate::rules::{Cell, MAX_CELLS, Rules, Stage};

/// One table of claims: by cell, the sets of cards that take its chips.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claims {
    /// By cell, all sets of cards that take it, whether they are held or played.
    cells: Vec<Vec<CardSet>>,
    /// By cell, the single card that takes it, whether it is held or played.
    cards: [Option<Card>; MAX_CELLS],
    /// The single cards that take a cell when they are played.
    pub(crate) singles: CardSet,
    /// The cell that a card of `singles` takes, by [`Card::bit`].
    pub(crate) cell_of: [u8; 64],
    /// The other sets that take a cell when they are played, and their cells.
    sets: Vec<(usize, CardSet)>,
}

impl Claims {
    /// The claims of the rules. Cells that are collected before the play are not claimed in it.
    pub(crate) fn of(rules: &Rules) -> Self {
        let mut claims = Self {
            cells: rules.cells.iter().map(|cell| cell.claimed_by.clone()).collect(),
            cards: [None; MAX_CELLS],
            singles: CardSet::EMPTY,
            cell_of: [0; 64],
            sets: Vec::new(),
        };
        let in_play = !rules.has(Stage::Collect);
        for (index, cell) in rules.cells.iter().enumerate() {
            claims.cards[index] = cell.claiming_card();
            match claims.cards[index] {
                Some(card) if in_play => {
                    claims.singles.insert(card);
                    claims.cell_of[card.bit() as usize] = index as u8;
                }
                None if in_play => claims.add_sets(index, cell),
                _ => {}
            }
        }
        claims
    }

    fn add_sets(&mut self, index: usize, cell: &Cell) {
        self.sets.extend(cell.claimed_by.iter().map(|&set| (index, set)));
    }

    /// The sets of cards that take a cell: for the seat that has played all of one, or holds all of
    /// one when cells are collected. The pot has none.
    pub fn of_cell(&self, cell: usize) -> &[CardSet] {
        &self.cells[cell]
    }

    /// The single card that takes a cell, if the cell has one.
    pub fn card_of(&self, cell: usize) -> Option<Card> {
        self.cards[cell]
    }

    /// The cell that this single card takes when it is played, if any.
    pub fn cell_claimed_by(&self, card: Card) -> Option<usize> {
        self.singles.contains(card).then(|| self.cell_of[card.bit() as usize] as usize)
    }

    /// The sets of several cards that take a cell when one player has played them, with their cells.
    pub fn sets(&self) -> impl Iterator<Item = (usize, CardSet)> {
        self.sets.iter().copied()
    }

    /// Whether a cell is claimed in the play by a set of several cards.
    pub(crate) fn has_sets(&self) -> bool {
        !self.sets.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        DealDriver, DealStart, Game, Observation, OpenPlay, Phase, Rng, Seed, State, random,
    };

    const FREE: &str = "base = \"newmarket\"\nremoved = [\"8D\"]\n";
    const STAGES: &str = "base = \"three-in-one\"\nstages = [\"collect\", \"poker\"]\n";
    /// Rules and two layouts of as many cells: single cards, sets of cards, sets to choose from.
    const LAYOUTS: [(&str, [&str; 2]); 3] = [
        (FREE, ["\"AC\", \"KD\", \"QH\", \"JS\"", "\"9C\", \"3D\", \"4H\", \"TS\""]),
        (
            FREE,
            [
                "\"AC\", \"KD\", \"QH\"",
                "{ name = \"PAIR\", claimed_by = [\"3C\", \"2C\"] }, \"TD\", \
                 { name = \"TWOS\", claimed_by = [[\"2H\"], [\"2S\"]] }",
            ],
        ),
        (
            STAGES,
            [
                "\"AC\", { name = \"POT\", claimed_by = [] }, \"KH\"",
                "{ name = \"LADDER\", claimed_by = [[\"5D\", \"6D\"], [\"7S\", \"8S\"]] }, \
                 { name = \"POT\", claimed_by = [] }, \"9C\"",
            ],
        ),
    ];

    fn game(rules: &str, cells: &str) -> Game {
        let rules = Rules::from_toml(&format!("{rules}cells = [{cells}]\n"), "claims.toml");
        Game::new(rules.unwrap_or_else(|error| panic!("{error}")), 4).expect("it seats four")
    }

    fn begin(game: &Game, table: u8) -> State {
        let mut state = State::blank(&DealStart::fresh(4, 0));
        state.public.claims = table;
        state.begin(game);
        state
    }

    fn play_out(state: &mut State, game: &Game, rng: &mut Rng) {
        let hands = random::hands(game, 0, state.seats_in(), rng);
        while let Some(decision) = DealDriver::CHOICES.next(game, state, || hands) {
            state.apply_unchecked(game, random::choice(decision.legal, rng));
        }
    }

    /// The same state, and the same chips in the play with all cards face up, but for the number of
    /// the table of claims.
    fn assert_same([own, other]: [(&Game, &State); 2]) {
        let ((game, state), (both, mut twin)) = (own, (other.0, *other.1));
        assert_eq!(state.claims(game), twin.claims(both));
        for seat in 0..4 {
            let views = [state.view(game, seat), twin.view(both, seat)];
            let [one, two] = views.map(|view| Observation::of(&view));
            assert_eq!(one, two, "what seat {seat} observes");
            assert_eq!(views[0].infer(), views[1].infer(), "what seat {seat} knows");
        }
        if state.phase() == Phase::Lead {
            let gains =
                [(game, state), (both, &twin)].map(|(game, state)| {
                    let (open, at) = OpenPlay::new(game, state);
                    open.gains(&open.play_out(at, |turn| {
                        turn.lanes.first().expect("some suit may be led").suit()
                    }))
                });
            assert_eq!(gains[0], gains[1]);
        }
        twin.public.claims = 0;
        assert_eq!(*state, twin);
    }

    #[test]
    fn a_deal_by_a_second_table_of_claims_is_a_deal_of_the_game_with_those_cells() {
        for (rules, [first, second]) in LAYOUTS {
            let own = game(rules, second);
            let mut both = game(rules, first);
            both.add_claims(Claims::of(own.rules()));
            let mut other_than_the_first = 0;
            for seed in 0..40 {
                let mut rng = Seed::new(seed).rng();
                let (mut state, mut twin) = (begin(&own, 0), begin(&both, 1));
                let mut by_the_first = begin(&both, 0);
                while state.phase() != Phase::Over {
                    assert_same([(&own, &state), (&both, &twin)]);
                    let rest = Seed::new(seed).rng();
                    let (mut state_at_end, mut twin_at_end) = (state, twin);
                    play_out(&mut state_at_end, &own, &mut rest.clone());
                    play_out(&mut twin_at_end, &both, &mut rest.clone());
                    assert_same([(&own, &state_at_end), (&both, &twin_at_end)]);
                    if state.phase() == Phase::Deal {
                        let hands = random::hands(&own, 0, state.seats_in(), &mut rng);
                        state.deal(&own, &hands);
                        twin.deal(&both, &hands);
                        by_the_first.deal(&both, &hands);
                    } else {
                        let action = random::choice(state.legal(&own), &mut rng);
                        state.apply(&own, action).expect("it is legal");
                        twin.apply(&both, action).expect("it is legal there, too");
                        let _ = by_the_first.apply(&both, action);
                    }
                }
                assert_same([(&own, &state), (&both, &twin)]);
                other_than_the_first += u32::from(state.stacks() != by_the_first.stacks());
            }
            assert!(other_than_the_first > 30, "the tables of claims are alike: {second}");
        }
    }
}
