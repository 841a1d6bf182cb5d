//! What a seat knows is all that its views have ever shown it, and its own choices; no more.

use std::collections::HashMap;

use newmarket_eval::exact::{ExtensiveGame, Knows, OneDeal, Position, Tree, Turn};

use crate::{FIVE_CARDS, THREE_CARDS, game};

/// Goes through a game, and keeps for each seat the history of its views at all decisions.
struct Watch<'a> {
    deal: &'a OneDeal,
    /// Histories by number: what was before, and what came.
    numbers: HashMap<(usize, String), usize>,
    /// What seats knew at their decisions, with the history of their views, both ways.
    shown: HashMap<(usize, Knows), usize>,
    known: HashMap<(usize, usize), Knows>,
}

impl Watch<'_> {
    fn note(&mut self, before: usize, what: String) -> usize {
        let next = self.numbers.len() + 1;
        *self.numbers.entry((before, what)).or_insert(next)
    }

    fn visit(&mut self, position: &Position, histories: &[usize]) {
        match self.deal.turn(position) {
            Turn::Over(_) => {}
            Turn::Chance(chances) => {
                for nth in 0..chances.len() {
                    self.visit(&self.deal.after(position, nth), histories);
                }
            }
            Turn::Decision { player, knows, choices } => {
                let views = histories.iter().enumerate().map(|(seat, &before)| {
                    let shows = format!("{:?}", self.deal.view(position, seat));
                    (before, shows)
                });
                let views: Vec<(usize, String)> = views.collect();
                let mut histories: Vec<usize> =
                    views.into_iter().map(|(before, shows)| self.note(before, shows)).collect();
                let history = histories[player];
                let first = *self.shown.entry((player, knows.clone())).or_insert(history);
                assert_eq!(first, history, "equal knowledge, but the seat has seen other things");
                let first = self.known.entry((player, history)).or_insert(knows.clone());
                assert_eq!(*first, knows, "the seat has seen the same, but knows other things");
                for nth in 0..choices {
                    histories[player] = self.note(history, format!("choice {nth}"));
                    self.visit(&self.deal.after(position, nth), &histories);
                }
            }
        }
    }
}

#[test]
fn knowledge_is_the_history_of_views() {
    let pack = |ranks: usize, cell: &str, more: &str| {
        format!(
            "players = [2, 3]\nranks = {ranks}\nsuits = 2\nremoved = []\ncells = [\"{cell}\"]\n\
             layout_ante = {{ fixed = {{ each = 1, dealer = 1 }} }}\n{more}"
        )
    };
    let dead = "dead_hand = { position = \"first\", remainder = \"rotation\" }";
    for (base, changes, players) in [
        ("bazaar-1875", THREE_CARDS.into(), 2),
        ("newmarket-buy", FIVE_CARDS.into(), 2),
        ("newmarket", pack(4, "3C", "change_suit = \"free\""), 2),
        ("bazaar-1875", pack(3, "3C", ""), 3),
        ("michigan-widow", pack(4, "3C", ""), 2),
        (
            "michigan-auction",
            pack(3, "3C", "exchange = { dealer_exchange_or_auction = { max_bid = 2 } }"),
            3,
        ),
        ("four-horses", pack(4, "3C", dead), 2),
        (
            "michigan",
            pack(
                3,
                "3C",
                "timing = \"after_look\"\nlayout_ante = { free = { chips = 1, dealer_chips = 1 } }",
            ),
            2,
        ),
    ] {
        let changes = if changes.matches("layout_ante").count() > 1 {
            changes.replacen("layout_ante = { fixed = { each = 1, dealer = 1 } }\n", "", 1)
        } else {
            changes
        };
        let deal = OneDeal::new(game(base, &changes, players), 100_000).unwrap();
        let (numbers, shown, known) = (HashMap::new(), HashMap::new(), HashMap::new());
        let mut watch = Watch { deal: &deal, numbers, shown, known };
        watch.visit(&deal.start(), &vec![0; players]);
        // The tree checks perfect recall itself.
        let tree = Tree::grow(&deal, 1_000_000).unwrap();
        assert_eq!(tree.infosets().len(), watch.shown.len(), "{base}");
        assert!(!watch.shown.is_empty(), "{base}");
    }
}
