//! How to answer on the plain terminal, and the rules of a game in short.

use newmarket_env::rules::Stage;

use crate::wording::Wording;

/// How to answer on the plain terminal, and the rules.
pub(super) fn lines(wording: &Wording) -> Vec<String> {
    let mut lines = vec![
        "  Answer with a number of the menu, or type a card such as 10d or qs.".to_owned(),
        "  h: a hint. v: what each choice is worth. r: the table again, with all cards that were \
         played. u: take your last decision of this deal back. q: leave the table."
            .into(),
        "  Where you have one choice only, it is made for you.".into(),
    ];
    if wording.game.rules().has(Stage::Poker) {
        lines.push("  Type five cards as numbers of the menu (1 3 4 7 9) or as cards.".into());
    }
    lines.push(String::new());
    lines.extend(rules(wording).iter().map(|rule| format!("  - {rule}")));
    lines
}

/// The rules of this game in short, a sentence or a few about each thing.
pub(super) fn rules(wording: &Wording) -> Vec<String> {
    let rules = wording.game.rules();
    [vec![format!("{}.", rules.title())], rules.in_words()].concat()
}
