//! An information state contains exactly what the views of a seat have shown, and its own choices.

use std::collections::HashMap;

use newmarket_eval::exact::{DealHistory, DealInfoState, ExtensiveGame, Node, OneDeal, Tree};

use crate::{FIVE_CARDS, THREE_CARDS, game};

/// Walks a game, and keeps for each seat the history of its views at all decisions.
struct Watch<'a> {
    deal: &'a OneDeal,
    /// Histories by number: the history before, and the new view.
    numbers: HashMap<(usize, String), usize>,
    /// Maps between information states and histories of views, in both directions.
    shown: HashMap<(usize, DealInfoState), usize>,
    known: HashMap<(usize, usize), DealInfoState>,
}

impl Watch<'_> {
    fn note(&mut self, before: usize, what: String) -> usize {
        let next = self.numbers.len() + 1;
        *self.numbers.entry((before, what)).or_insert(next)
    }

    fn visit(&mut self, position: &DealHistory, histories: &[usize]) {
        match self.deal.node(position) {
            Node::Terminal(_) => {}
            Node::Chance(chances) => {
                for nth in 0..chances.len() {
                    self.visit(&self.deal.after(position, nth), histories);
                }
            }
            Node::Decision { player, info_state, choices } => {
                let views = histories.iter().enumerate().map(|(seat, &before)| {
                    let shows = format!("{:?}", self.deal.view(position, seat));
                    (before, shows)
                });
                let views: Vec<(usize, String)> = views.collect();
                let mut histories: Vec<usize> =
                    views.into_iter().map(|(before, shows)| self.note(before, shows)).collect();
                let history = histories[player];
                let first = *self.shown.entry((player, info_state.clone())).or_insert(history);
                assert_eq!(first, history, "equal knowledge, but the seat has seen other things");
                let first = self.known.entry((player, history)).or_insert(info_state.clone());
                assert_eq!(
                    *first, info_state,
                    "the seat has seen the same, but info_state other things"
                );
                for nth in 0..choices {
                    histories[player] = self.note(history, format!("choice {nth}"));
                    self.visit(&self.deal.after(position, nth), &histories);
                }
            }
        }
    }
}

const FIXED: &str = "layout_ante = { fixed = { each = 1, dealer = 1 } }";
const FREE: &str =
    "timing = \"after_look\"\nlayout_ante = { free = { chips = 1, dealer_chips = 1 } }";
const FREE_LEAD: &str = "change_suit = \"free\"";
const FIRST: &str = "dead_hand = { position = \"first\", remainder = \"rotation\" }";
const AUCTION: &str = "exchange = { dealer_exchange_or_auction = { max_bid = 2 } }";

#[test]
fn knowledge_is_the_history_of_views() {
    let on = |suits: usize, ranks: usize, changes: [&str; 2]| {
        format!(
            "players = [2, 3]\nsuits = {suits}\nranks = {ranks}\nremoved = []\ncells = [\"3C\"]\n{}\n",
            changes.join("\n")
        )
    };
    for (base, changes, players) in [
        ("bazaar-1875", THREE_CARDS.into(), 2),
        ("newmarket-buy", FIVE_CARDS.into(), 2),
        ("newmarket", on(2, 4, [FIXED, FREE_LEAD]), 2),
        ("bazaar-1875", on(2, 3, [FIXED, FIRST]), 3),
        ("bazaar-1875", on(3, 3, [FIXED, FREE_LEAD]), 3),
        ("michigan-widow", on(3, 3, [FIXED, "exchange = \"none\""]), 3),
        ("michigan-widow", on(2, 4, [FIXED, ""]), 2),
        ("michigan-auction", on(2, 3, [FIXED, AUCTION]), 3),
        ("four-horses", on(2, 4, [FIXED, FIRST]), 2),
        ("four-horses", on(4, 2, [FIXED, FIRST]), 2),
        ("michigan", on(2, 3, [FREE, "cell_cap = 9"]), 2),
    ] {
        let deal = OneDeal::new(game(base, &changes, players), 100_000).unwrap();
        let (numbers, shown, known) = (HashMap::new(), HashMap::new(), HashMap::new());
        let mut watch = Watch { deal: &deal, numbers, shown, known };
        watch.visit(&deal.start(), &vec![0; players]);
        // The tree checks perfect recall.
        let tree = Tree::grow(&deal, 1_000_000).unwrap();
        assert_eq!(tree.infosets().len(), watch.shown.len(), "{base}");
        assert!(!watch.shown.is_empty(), "{base}");
    }
}
