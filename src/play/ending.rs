//! The end of a session: a title and the standing, printed by both displays.

use std::cmp::Reverse;

use super::table_view::TableView;
use crate::wording::{Wording, chips};

/// How a session ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    Over,
    /// The person leaves between two deals.
    LeftBefore,
    /// The person leaves within a deal: all seats have the chips from before it.
    LeftWithin,
}

impl Ending {
    /// The title above the standing; `deal` is the current deal.
    pub(super) fn title(self, deal: u32) -> String {
        match self {
            Self::Over => "Final standing".into(),
            Self::LeftBefore => format!("You leave before deal {deal}"),
            Self::LeftWithin => format!("You leave in deal {deal}, which does not count"),
        }
    }
}

/// The seats from most chips to least. Bought chips count against a result. A seat that is left alone
/// has won, whatever the others have.
pub(super) fn final_standing(wording: &Wording, table: &TableView) -> Vec<String> {
    let result = |seat: usize| (table.left_alone == Some(seat), table.result(seat));
    let mut order: Vec<usize> = (0..wording.game.players()).collect();
    order.sort_by_key(|&seat| Reverse(result(seat)));
    let line = |&seat: &usize| {
        let better = order.iter().filter(|&&other| result(other) > result(seat)).count();
        let (place, name) = (better + 1, wording.name(seat));
        let chips = chips(table.start.credit, result(seat).1);
        let note = match table.bought[seat] {
            0 if result(seat).0 => "   (the last one in)".into(),
            0 => String::new(),
            bought => format!("   ({} less {bought} bought)", table.stacks[seat]),
        };
        format!("  {place}. {name:<5} {chips:>5}{note}")
    };
    order.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use newmarket_env::{DealStart, Game, Rules};

    use super::super::session::Opening;
    use super::*;

    #[test]
    fn the_last_one_in_has_won_whatever_others_have() {
        let rules = Rules::named("newmarket").expect("a game");
        let game = Arc::new(Game::new(rules, 3).expect("it seats three"));
        let mut table = TableView::new(game.clone(), &Opening::of_deal(1, DealStart::fresh(3, 0)));
        table.stacks = vec![4, 3, 4];
        let wording = Wording { game: &game, person: None };
        let all = final_standing(&wording, &table);
        let starts = |line: &str, place: &str| line.trim_start().starts_with(place);
        assert!(starts(&all[0], "1.") && starts(&all[1], "1.") && starts(&all[2], "3."), "{all:?}");
        table.left_alone = Some(1);
        let alone = final_standing(&wording, &table);
        assert!(starts(&alone[0], "1.") && alone[0].ends_with("(the last one in)"), "{alone:?}");
        assert!(starts(&alone[1], "2.") && starts(&alone[2], "2."), "{alone:?}");
    }
}
