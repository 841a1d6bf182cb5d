//! A deal told card by card, from nothing but the states before and after each decision.

use newmarket_env::{Action, Card, CardSet, Game, Outcome, Phase, State};

/// `AS 4C`, or `-`.
pub(crate) fn hand(game: &Game, cards: CardSet) -> String {
    if cards.is_empty() { "-".into() } else { cards.notation(game.rules().aces).join(" ") }
}

/// What an action is called here: `chip QC`, `lead clubs`, `keep`.
pub(crate) fn act(game: &Game, action: Action) -> String {
    match action.cell() {
        Some(cell) if cell < game.cells() => format!("chip {}", game.rules().cells[cell].name),
        _ => action.to_string(),
    }
}

/// Takes a decision and tells what came of it: `2 lead clubs -> 3C 4C 1:5C, stop dead`.
///
/// In a sequence, `1:` says that seat 1 plays from here on; `+6 QC` that the card just played
/// took six chips from the cell QC.
pub(crate) fn step(game: &Game, state: &mut State, action: Action) -> String {
    let actor = state.actor().expect("a decision is due");
    let before = *state;
    state.apply(game, action).unwrap_or_else(|error| panic!("{error}"));
    let mut line = format!("{actor} {}", act(game, action));
    if before.phase() == Phase::Lead {
        line += " -> ";
        line += &sequence(game, &before, state, actor);
    }
    line
}

fn sequence(game: &Game, before: &State, after: &State, leader: usize) -> String {
    let held = |state: &State, seat: usize| state.hands().seats[seat];
    let played_by =
        |seat: usize, card| held(before, seat).contains(card) && !held(after, seat).contains(card);
    let mut run: Vec<(Card, usize)> = Vec::new();
    for index in 0..52 {
        let card = Card::from_index(index).expect("below 52");
        run.extend((0..game.players()).find(|&seat| played_by(seat, card)).map(|by| (card, by)));
    }
    let mut words = Vec::new();
    let mut at = leader;
    for &(card, seat) in &run {
        let name = card.notation(game.rules().aces);
        words.push(if seat == at { name } else { format!("{seat}:{name}") });
        at = seat;
        if let Some(cell) = game.cell_claimed_by(card)
            && before.layout()[cell] > 0
        {
            words.push(format!("+{} {}", before.layout()[cell], game.rules().cells[cell].name));
        }
    }
    let &(last, _) = run.last().expect("a lead plays a card");
    let whole = run.windows(2).all(|pair| {
        pair[0].0.suit() == pair[1].0.suit() && pair[0].0.position() + 1 == pair[1].0.position()
    });
    assert!(whole, "no sequence: {run:?}");
    assert_eq!(run[0].1, leader);
    let end = match after.outcome() {
        Outcome::Out(seat) => format!("out {seat}"),
        Outcome::NoWinner => format!("stop {}, no winner", why(game, before, last)),
        Outcome::Playing => format!("stop {}", why(game, before, last)),
    };
    format!("{}, {end}", words.join(" "))
}

/// Why nobody follows this card, read off the cards as they lay before the sequence.
fn why(game: &Game, before: &State, last: Card) -> &'static str {
    if last.position() + 1 == game.rules().ranks {
        return "top";
    }
    let next = Card::new(last.suit(), last.position() + 1);
    if !game.pack().contains(next) {
        "removed"
    } else if before.hands().dead.contains(next) {
        "dead"
    } else {
        assert!(before.hands().seats.iter().all(|hand| !hand.contains(next)), "{next:?} follows");
        "played"
    }
}
