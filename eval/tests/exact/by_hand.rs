//! Games that can be solved by hand.

use newmarket_eval::exact::{CfrPlus, ExtensiveGame, Node, OneDeal, Tree, TreeError};

use crate::{FOUR_CARDS, game, grown};

/// Four cards, no dead hand, a boodle 2C with two chips, a chip for each card held. Eldest has staked one chip, and gets by
/// its hand:
///
/// | eldest | dealer | line | eldest gets |
/// | --- | --- | --- | --- |
/// | AC 2C | AD 2D | AC 2C and out | 2 + 2 − 1 = 3 |
/// | AD 2D | AC 2C | AD 2D and out, the boodle stays | 2 − 1 = 1 |
/// | AC AD | 2C 2D | the dealer stops either, and goes out with the other | −1 − 1 = −2 |
/// | 2C 2D | AC AD | either stops; the other, and out | 2 + 2 − 1 = 3 |
/// | AC 2D | 2C AD | AC, 2C stops, AD and out | −1 − 1 = −2 |
/// | | | 2D stops, AC and out | 1 − 1 + 1 = 1 |
/// | 2C AD | AC 2D | AD, 2D stops, AC and out | −1 − 1 = −2 |
/// | | | 2C stops, AD and out | 2 + 2 − 1 = 3 |
///
/// In the fifth row the dealer still holds 2C AD when eldest goes out: 2 − 1 = 1.
#[test]
fn four_cards() {
    let (_, tree) = grown(game("bazaar-1875", FOUR_CARDS, 2));
    // Only eldest has a choice, if it has cards of both suits: 4 of the 6 hands.
    assert_eq!(tree.infosets().len(), 4);
    assert_eq!(tree.states(), 1 + 2 + 4 * 3);
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a}, {b}");
    // In the last two hands, the mean of two lines: −2 and 1, −2 and 3.
    let even = tree.exploitability(&tree.uniform());
    close(even.values[0], (3.0 + 1.0 - 2.0 + 3.0 - 0.5 + 0.5) / 6.0);
    close(even.best_responses[0], (3.0 + 1.0 - 2.0 + 3.0 + 1.0 + 3.0) / 6.0);
    close(even.gains[1], 0.0);
    close(even.nash_conv, 2.0 / 3.0);
    let solved = CfrPlus::new(&tree).run(2000, |_| {});
    assert!((solved.values[0] - 1.5).abs() < 1e-3 && solved.nash_conv < 1e-3, "{solved:?}");
}

/// The payoffs sum to minus the chips that stay: in the second row, and in the line of the fifth row that goes out first,
/// two chips stay on 2C.
#[test]
fn what_stays_goes_by_the_rules() {
    // By hand, with best play: eldest leaves two chips with AD 2D and with AC 2D.
    let left = 2.0 * 2.0 / 6.0;
    for (leftover, eldest, dealer) in [
        ("stay", 1.5, -1.5 - left),
        // Each gets half of the chips that stay.
        ("lot", 1.5 + left / 2.0, -1.5 - left / 2.0),
        // Eldest has won a chip, and is the richest.
        ("richest", 1.5 + left, -1.5 - left),
    ] {
        let changes = format!("{FOUR_CARDS}leftover = \"{leftover}\"\n");
        let (_, tree) = grown(game("bazaar-1875", &changes, 2));
        let solved = CfrPlus::new(&tree).run(4000, |_| {});
        let near = |a: f64, b: f64| (a - b).abs() < 1e-3;
        assert!(near(solved.values[0], eldest), "{leftover}: {solved:?}, {eldest}");
        assert!(near(solved.values[1], dealer), "{leftover}: {solved:?}, {dealer}");
    }
}

/// A game in which the player does not recall its first choice.
struct Forgetful;

impl ExtensiveGame for Forgetful {
    type State = u8;
    type InfoState = bool;

    fn players(&self) -> usize {
        1
    }

    fn start(&self) -> u8 {
        1
    }

    fn node(&self, state: &u8) -> Node<bool> {
        match state {
            4.. => Node::Terminal(vec![f64::from(*state)]),
            _ => Node::Decision { player: 0, info_state: *state > 1, choices: 2 },
        }
    }

    fn after(&self, state: &u8, nth: usize) -> u8 {
        state * 2 + nth as u8
    }
}

#[test]
fn who_forgets_is_found_out() {
    let error = Tree::grow(&Forgetful, 100).unwrap_err();
    assert_eq!(error, TreeError::Forgets { player: 0 });
}

#[test]
fn a_large_game_is_refused() {
    let small = game("bazaar-1875", FOUR_CARDS, 2);
    assert_eq!(OneDeal::new(small.clone(), 5).unwrap_err(), TreeError::TooLarge { limit: 5 });
    let deal = OneDeal::new(small, 14).unwrap();
    assert_eq!(Tree::grow(&deal, 14).unwrap_err(), TreeError::TooLarge { limit: 14 });
    assert!(Tree::grow(&deal, 15).is_ok());
    // A full pack is refused at once.
    let error = OneDeal::new(game("michigan", "", 4), u64::MAX).unwrap_err();
    assert_eq!(error, TreeError::TooLarge { limit: u64::MAX });
}
