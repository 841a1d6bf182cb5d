//! A deal told card by card, from nothing but the states before and after each decision.

use newmarket_env::poker::Strength;
use newmarket_env::{Action, Card, CardSet, Game, Outcome, Phase, State};

/// `AS 4C`, or `-`.
pub(crate) fn hand(game: &Game, cards: CardSet) -> String {
    if cards.is_empty() { "-".into() } else { cards.notation(game.rules().aces).join(" ") }
}

/// What an action is called here: `chip QC`, `apart QC`, `lead clubs`, `keep`.
pub(crate) fn act(game: &Game, action: Action) -> String {
    match (action.cell(), action.card()) {
        (Some(cell), _) if cell < game.cells() => format!("chip {}", game.rules().cells[cell].name),
        (_, Some(card)) => format!("apart {}", card.notation(game.rules().aces)),
        _ => action.to_string(),
    }
}

/// Takes a decision and tells what came of it: `2 lead clubs -> 3C 4C 1:5C, stop dead`.
///
/// In a sequence, `1:` says that seat 1 plays from here on; `+6 QC` that the card just played
/// took six chips from the cell QC. Before it come the collects of Three in One
/// (`2 keep -> 0 +4 TH, 1 +2 RUN, 2 +2 RUN`), and `1 call -> 2 chips, 0 one pair, 1 flush, 1 +9`:
/// two chips to the pot, two hands shown, nine chips for the better one.
pub(crate) fn step(game: &Game, state: &mut State, action: Action) -> String {
    let actor = state.actor().expect("a decision is due");
    let before = *state;
    state.apply(game, action).unwrap_or_else(|error| panic!("{error}"));
    let mut line = format!("{actor} {}", act(game, action));
    if before.phase() == Phase::Lead {
        line += " -> ";
        line += &sequence(game, &before, state, actor);
    }
    let mut tail = Vec::new();
    if before.phase() != Phase::SetApart && state.phase() == Phase::SetApart {
        tail = collects(game, &before, state);
    }
    if before.phase() == Phase::Bet {
        tail = bet(game, &before, state, actor);
    }
    if !tail.is_empty() {
        line += " -> ";
        line += &tail.join(", ");
    }
    line
}

/// Who took what from which space, judged by the cards. (A fee that went to the layout at the
/// same time is not told apart; no row has one.)
pub(crate) fn collects(game: &Game, before: &State, after: &State) -> Vec<String> {
    let hands = after.hands().seats;
    let mut told = Vec::new();
    for (index, cell) in game.rules().cells.iter().enumerate() {
        let holds = |&seat: &usize| {
            cell.claimed_by.iter().any(|&set| !set.is_empty() && hands[seat].is_superset(set))
        };
        let holders: Vec<usize> = (0..game.players()).filter(holds).collect();
        let taken = before.layout()[index] - after.layout()[index];
        if taken > 0 {
            let share = taken / holders.len() as i32;
            told.extend(holders.iter().map(|seat| format!("{seat} +{share} {}", cell.name)));
        }
    }
    told
}

/// The chips of an act of the betting round, and the end of the round.
fn bet(game: &Game, before: &State, after: &State, actor: usize) -> Vec<String> {
    let view = |state: &State, seat: usize| state.view(game, seat).put(seat);
    let chips = view(after, actor) - view(before, actor);
    let mut told = Vec::new();
    match chips {
        0 => {}
        1 => told.push("1 chip".into()),
        _ => told.push(format!("{chips} chips")),
    }
    if after.phase() == Phase::Bet {
        return told;
    }
    let staying = after.seats_in() - after.view(game, actor).folded();
    for seat in staying.iter().filter(|_| staying.len() > 1) {
        let five = after.view(game, seat).apart();
        let strength = Strength::of(five, game.rules().aces);
        told.push(format!("{seat} {}", strength.class().word()));
    }
    for seat in 0..game.players() {
        let paid = if seat == actor { chips } else { 0 };
        let won = after.stacks()[seat] - before.stacks()[seat] + paid;
        if won > 0 {
            told.push(format!("{seat} +{won}"));
        }
    }
    told
}

fn sequence(game: &Game, before: &State, after: &State, leader: usize) -> String {
    let held = |state: &State, seat: usize| state.hands().seats[seat];
    let played_by =
        |seat: usize, card| held(before, seat).contains(card) && !held(after, seat).contains(card);
    let mut run: Vec<(Card, usize)> = Vec::new();
    for index in 0..52 {
        let card = Card::from_index(index);
        run.extend((0..game.players()).find(|&seat| played_by(seat, card)).map(|by| (card, by)));
    }
    let mut words = Vec::new();
    let mut at = leader;
    for &(card, seat) in &run {
        let name = card.notation(game.rules().aces);
        words.push(if seat == at { name } else { format!("{seat}:{name}") });
        at = seat;
        if let Some(cell) = before.claims(game).cell_claimed_by(card)
            && before.layout()[cell] > 0
        {
            words.push(format!("+{} {}", before.layout()[cell], game.rules().cells[cell].name));
        }
        for (cell, set) in before.claims(game).sets() {
            let others = set - CardSet::of(card);
            let own = |&(card, by): &(Card, usize)| (by == seat).then_some(card);
            let so_far: CardSet =
                run.iter().filter(|&&(other, _)| other < card).filter_map(own).collect();
            let earlier = before.view(game, seat).played_by(seat);
            if set.contains(card)
                && (earlier | so_far).is_superset(others)
                && before.layout()[cell] > 0
            {
                words.push(format!("+{} {}", before.layout()[cell], game.rules().cells[cell].name));
            }
        }
    }
    let &(last, _) = run.last().expect("a lead plays a card");
    let whole = run.windows(2).all(|pair| pair[0].0.above() == Some(pair[1].0));
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
    let ranks = game.rules().ranks;
    let Some(next) = last.above().filter(|next| next.rank().index() < ranks) else {
        return "top";
    };
    if !game.pack().contains(next) {
        "removed"
    } else if before.hands().dead.contains(next) {
        "dead"
    } else {
        assert!(before.hands().seats.iter().all(|hand| !hand.contains(next)), "{next:?} follows");
        "played"
    }
}
