//! Checks that a [`Spec`] can be played.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::options::OPTIONS;
use super::{
    Bankroll, Cell, Exchange, Fault, Faults, FirstDealer, MAX_CELLS, MAX_CHIPS, Rules, Spec, Stage,
};
use crate::card_set::CardSet;
use crate::poker::MOST_RAISES;
use crate::text::Joined as _;

/// Bounds for the stage `collect`: the cards of a set, the sets of all cells that no single card
/// claims, and the cells that several sets claim. Players can work out what the collected chips tell
/// about the hands; the engine computes this exactly, set by set, which the bounds keep feasible.
const MOST_COLLECTED: (usize, usize, usize) = (3, 5, 1);

/// The greatest number of sets that claim a cell.
const MOST_SETS: usize = 64;

impl Spec {
    /// Checks that the engine can play these rules.
    ///
    /// # Errors
    /// All faults at once.
    pub fn validate(self) -> Result<Rules, Faults> {
        let faults = self.faults();
        if faults.is_empty() {
            Ok(Rules { spec: self, unchanged: false })
        } else {
            Err(Faults(faults, 0))
        }
    }

    /// All faults of these rules.
    pub(super) fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        let mut fault = |key: &str, problem: String, expected: &str| {
            faults.push(Fault { line: None, key: key.into(), problem, expected: expected.into() });
        };
        for option in &OPTIONS {
            for conflict in option.conflicts.iter().filter(|conflict| (conflict.is_in)(self)) {
                fault(option.key, conflict.problem.into(), conflict.expected);
            }
        }
        self.cell_faults(&mut fault);
        self.stage_faults(&mut fault);
        let (least, most) = self.players;
        let (pack, needed) = (self.pack().len(), self.cards_needed(least));
        if pack < needed {
            let each = if self.has(Stage::Poker) { "five cards" } else { "a card" };
            fault(
                "players",
                format!("of at least {least} get a pack of {pack}"),
                &format!("{each} for everybody: at least {needed} cards, or fewer players"),
            );
        }
        if let Bankroll::Chips { start, .. } = self.session.bankroll
            && start < self.full_ante(true).max(self.full_ante(false))
        {
            let ante = self.full_ante(true).max(self.full_ante(false));
            fault(
                "session.bankroll.chips.start",
                format!("is {start}, below the full ante"),
                &format!("at least {ante}"),
            );
        }
        if let FirstDealer::Seat(seat) = self.session.first_dealer
            && seat >= most
        {
            let expected = format!("a seat at the table, 0 to {}", most - 1);
            fault("session.first_dealer", format!("is seat {seat}"), &expected);
        }
        let most_deals = self.most_deals();
        if self.session.deals > most_deals {
            let expected = format!("at most {most_deals} with such stakes");
            fault("session.deals", format!("is {}", self.session.deals), &expected);
        }
        faults
    }

    /// The number of deals after which a table holds at most [`MAX_CHIPS`] in any case. A chip that
    /// is paid adds at most two to the sum of all piles and of the amounts of all stacks. At the
    /// beginning eight stacks hold at most a million each.
    fn most_deals(&self) -> u32 {
        (MAX_CHIPS as u32 - 8_000_000) / (2 * self.most_paid()).max(1)
    }

    /// The greatest number of chips that all players together pay in one deal.
    fn most_paid(&self) -> u32 {
        let exchange = match self.exchange {
            Exchange::None => 0,
            Exchange::Dealer { fee: most }
            | Exchange::DealerOrAuction { max_bid: most }
            | Exchange::OfferChain { price: most } => most,
        };
        let bets = 1 + i32::from(MOST_RAISES);
        let ante = self.full_ante(true).max(self.full_ante(false));
        (self.players.1 as i32 * (ante + exchange + bets) + 52 * self.per_card) as u32
    }

    fn stage_faults(&self, fault: &mut impl FnMut(&str, String, &str)) {
        let pots: Vec<&str> =
            self.cells.iter().filter(|cell| cell.is_pot()).map(|cell| &*cell.name).collect();
        match (&pots[..], self.has(Stage::Poker)) {
            ([pot], false) => {
                let problem = format!("has {pot}, which no card claims");
                fault("cells", problem, "cards that claim it, or the stage \"poker\"");
            }
            ([first, second, ..], _) => {
                let problem = format!("has {first} and {second}, which no card claims");
                fault("cells", problem, "one pot at most");
            }
            _ => {}
        }
        if self.has(Stage::Collect) {
            self.collect_faults(fault);
        }
    }

    /// See [`MOST_COLLECTED`].
    fn collect_faults(&self, fault: &mut impl FnMut(&str, String, &str)) {
        let (most_cards, most_sets, most_choices) = MOST_COLLECTED;
        let joint = self.cells.iter().filter(|cell| cell.claiming_card().is_none());
        let sets: Vec<CardSet> = joint.flat_map(|cell| cell.claimed_by.iter().copied()).collect();
        let choices = self.cells.iter().filter(|cell| cell.claimed_by.len() > 1).count();
        let all = sets.iter().fold(CardSet::EMPTY, |all, &set| all | set);
        let problem = if let Some(set) = sets.iter().find(|set| set.len() > most_cards) {
            let cards = set.notation(self.aces).joined(" ");
            format!("has {cards}, more than {most_cards} cards to collect with")
        } else if all.len() < sets.iter().map(|set| set.len()).sum() {
            "has a card in two sets to collect with".into()
        } else if sets.len() > most_sets {
            format!("has {} sets to collect with", sets.len())
        } else if choices > most_choices {
            format!("has {choices} cells that several sets collect")
        } else {
            return;
        };
        let expected = format!(
            "with the stage \"collect\", at most {most_sets} sets of at most {most_cards} \
             different cards, several for at most {most_choices} cell"
        );
        fault("cells", problem, &expected);
    }

    fn cell_faults(&self, fault: &mut impl FnMut(&str, String, &str)) {
        if self.cells.len() > MAX_CELLS {
            fault("cells", format!("has {} cells", self.cells.len()), "at most 8");
        }
        let pack = self.pack();
        // Every cell is compared with every other, so the work must have a bound.
        for (index, cell) in self.cells.iter().take(4 * MAX_CELLS).enumerate() {
            if cell.claimed_by.len() > MOST_SETS {
                let problem =
                    format!("has {}, claimed by {} sets", cell.name, cell.claimed_by.len());
                fault("cells", problem, "at most 64 sets");
                continue;
            }
            let earlier = &self.cells[..index];
            if earlier.iter().any(|other| other.name == cell.name) {
                fault("cells", format!("has {} twice", cell.name), "each cell once");
            } else if let Some((other, set)) = shared_claim(earlier, cell) {
                let one = if set.len() == 1 { "card" } else { "set of cards" };
                let problem = format!("has {} and {} claimed by one {one}", other.name, cell.name);
                fault("cells", problem, &format!("a claiming {one} of its own for each"));
            }
            let sets = &cell.claimed_by;
            if sets.iter().enumerate().any(|(nth, set)| set.is_empty() || sets[..nth].contains(set))
            {
                let problem = format!("has {}, claimed by no card or twice by the same", cell.name);
                fault("cells", problem, "different sets of cards");
            }
            if !cell.is_pot() && !cell.claimed_by.iter().any(|&set| pack.is_superset(set)) {
                let cards: CardSet =
                    cell.claimed_by.iter().fold(CardSet::EMPTY, |all, &set| all | set);
                let problem = format!(
                    "has {}, claimed by {}, which is not in the pack",
                    cell.name,
                    cards.notation(self.aces).joined(" ")
                );
                fault("cells", problem, "claiming cards that are in play");
            }
        }
    }
}

/// The first of these cells that shares a set with the cell, and that set.
fn shared_claim<'c>(cells: &'c [Cell], cell: &Cell) -> Option<(&'c Cell, CardSet)> {
    cells.iter().find_map(|other| {
        let shared = other.claimed_by.iter().find(|set| cell.claimed_by.contains(set));
        shared.map(|&set| (other, set))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DealDriver, Game, Seed, Session, State, random};

    /// All chips of a table. Chips below zero count like chips above.
    fn chips(stacks: &[i32], layout: &[i32], kitty: i32) -> i64 {
        stacks.iter().chain(layout).chain([&kitty]).map(|&chips| i64::from(chips).abs()).sum()
    }

    /// Random play in the named games and in house rules.
    #[test]
    fn no_deal_adds_more_than_twice_the_chips_that_players_can_pay() {
        let houses = (0..300).map(|house| format!("house:{house}"));
        let mut most = 0.0_f64;
        for name in crate::rules::NAMES.map(String::from).into_iter().chain(houses) {
            let rules = Rules::load(&name).expect("rules");
            let (paid, players) = (i64::from(rules.most_paid()), rules.players.1);
            let game = Game::new(rules, players).expect("it seats them");
            let session = Session::new(&game, Seed::new(7));
            let mut rng = Seed::new(8).rng();
            let start = session.deal_start();
            let before = chips(&start.stacks, &start.layout, start.kitty);
            let mut state = State::new(&game, start);
            let hands = session.hands(&game);
            while let Some(due) = DealDriver::CHOICES.next(&game, &mut state, || hands) {
                state.apply_unchecked(&game, random::choice(due.legal, &mut rng));
            }
            let after = chips(state.stacks(), state.layout(), state.kitty());
            assert!(after - before <= 2 * paid, "{name}: {before} + 2 * {paid} < {after}");
            most = most.max((after - before) as f64 / (2 * paid) as f64);
        }
        assert!(most > 0.25, "no deal comes near the bound: {most}");
    }

    #[test]
    fn a_session_is_too_long_where_its_chips_could_overflow() {
        let with = |deals: u32| {
            let rules = "base = \"newmarket\"\nkitty_ante = 1000\nkitty_to_winner = false";
            Rules::from_toml(&format!("{rules}\n[session]\ndeals = {deals}"), "it")
        };
        // Eight who pay 1,000 and four each, the dealer eight more.
        let most = with(1).expect("rules").most_deals();
        assert!(with(most).is_ok());
        let error = with(most + 1).expect_err("too many").to_string();
        assert!(error.contains(&format!("at most {most} with such stakes")), "{error}");
    }
}
