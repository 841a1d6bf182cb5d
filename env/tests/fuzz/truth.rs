//! What a trace tells, told again: by the referee's events, along the engine's sessions.
//!
//! The judge of traces asks whether each event is the one that is due. This takes only the cards
//! and the decisions out of a record, plays them, writes the record anew and wants it to be equal:
//! whatever the judge leaves unchecked is found here.

use newmarket_env::rules::Leftover;
use newmarket_env::trace::{InSession, Pile};
use newmarket_env::{
    Action, ActionMask, Card, DealStart, Event, Game, Outcome, Phase, Record, Referee, Rules, Seed,
    Session, State,
};

/// The records, each as it would have been written.
///
/// # Panics
/// If they cannot have been written.
pub(crate) fn retold(records: &[Record]) -> Vec<Record> {
    let mut open: Option<(Session, Rules, usize)> = None;
    let mut told = Vec::new();
    for record in records {
        let rules = Rules::from_overrides(&record.rules, &record.overrides).expect("rules");
        let game = Game::new(rules.clone(), record.players).expect("a game");
        let Some(place) = &record.session else {
            assert!(open.is_none(), "a deal on its own within a session");
            let deal_start = alone(record, &game);
            let (played, _) = replay(record, &game, deal_start);
            told.push(as_written(Record::of(&played, InSession::default()), record));
            continue;
        };
        let mut session = match open.take() {
            None => first_deal(&game, record.dealer),
            Some((session, same_rules, players)) => {
                assert_eq!(
                    (same_rules, players),
                    (rules.clone(), game.players()),
                    "a session's rules"
                );
                session
            }
        };
        let number = session.deal_number();
        assert_eq!(place.deal, number, "a session's deals follow on each other");
        let (played, mut state) = replay(record, &game, *session.deal_start());
        let rebuys = bought(session.rebuys());
        let mut leftover = Vec::new();
        for gift in session.close(&game, &mut state) {
            let pile = gift.cell.map_or(Pile::Kitty, Pile::Cell);
            leftover.push((pile, gift.seat, gift.chips));
        }
        if rules.session.leftover == Leftover::Lot {
            drawn(&mut leftover, record, session.deal_start());
        }
        let extra = InSession { deal: Some(number), rebuys: &rebuys, leftover: &leftover };
        told.push(as_written(Record::of(&played, extra), record));
        open = (!session.is_over()).then_some((session, rules, record.players));
    }
    told
}

/// Who bought chips.
pub(crate) fn bought(rebuys: &[i32; 8]) -> Vec<(usize, i32)> {
    rebuys.iter().copied().enumerate().filter(|&(_, chips)| chips > 0).collect()
}

/// How the table stands before a deal on its own.
fn alone(record: &Record, game: &Game) -> DealStart {
    let mut deal_start = DealStart::fresh(game.players(), record.dealer);
    deal_start.stacks[..game.players()].copy_from_slice(&record.stacks_before);
    deal_start.layout[..game.cells()].copy_from_slice(&record.layout_before);
    deal_start.kitty = record.kitty_before;
    deal_start
}

/// A session in which this seat deals first.
fn first_deal(game: &Game, dealer: usize) -> Session {
    let mut sessions = (0..2_000).map(|seed| Session::new(game, Seed::new(seed)));
    let found = sessions.find(|session| session.deal_start().dealer == dealer);
    found.unwrap_or_else(|| panic!("seat {dealer} cannot deal first"))
}

/// Takes the seats that a record has drawn: any seat that is in can have been.
fn drawn(leftover: &mut [(Pile, usize, i32)], record: &Record, deal_start: &DealStart) {
    let seats = record.events.iter().filter_map(|event| match event {
        Event::Leftover { seat, .. } => Some(*seat),
        _ => None,
    });
    for (gift, seat) in leftover.iter_mut().zip(seats) {
        assert!(deal_start.seats_in.contains(seat), "seat {seat} is not in, and gets chips");
        gift.1 = seat;
    }
}

/// One and the same rules can be written in several ways.
fn as_written(mut told: Record, record: &Record) -> Record {
    told.rules.clone_from(&record.rules);
    told.overrides.clone_from(&record.overrides);
    told
}

/// Plays the decisions of a record, in both.
fn replay<'g>(record: &Record, game: &'g Game, deal_start: DealStart) -> (Referee<'g>, State) {
    let aces = game.rules().aces;
    let pack: Vec<Card> = record.pack.iter().map(|name| name.card(aces)).collect();
    let skipped = record.events.iter().filter(|event| matches!(event, Event::Rebuy { .. })).count();
    let mut state = State::new(game, &deal_start);
    let deal = |state: &mut State| {
        if state.phase() == Phase::Deal {
            state.deal(game, &game.deal(&pack, deal_start.dealer, deal_start.seats_in));
        }
    };
    // Of one event that takes several decisions: which event, and how many were taken.
    let mut within = (usize::MAX, 0);
    let played = Referee::play(game, deal_start, &pack, |so_far, _, legal| {
        let next = skipped + so_far.events().len();
        within = if within.0 == next { (next, within.1 + 1) } else { (next, 0) };
        let event = record.events.get(next).ok_or("the events end too early")?;
        let action = decision(event, within.1, legal, game).ok_or("no decision")?;
        deal(&mut state);
        state.apply(game, action).map_err(|_| "the engine refuses it")?;
        Ok::<_, &str>(action)
    });
    let played = played.unwrap_or_else(|error| panic!("{error}"));
    deal(&mut state);
    let outcome = played.winner().map_or(Outcome::NoWinner, Outcome::Out);
    assert_eq!(outcome, state.outcome());
    (played, state)
}

/// The decision that an event tells of; of an ante or of five cards, the one of this number.
fn decision(event: &Event, number: usize, legal: ActionMask, game: &Game) -> Option<Action> {
    Some(match event {
        Event::Ante { layout, .. } => {
            let chips = layout.iter().enumerate();
            let mut cells = chips.flat_map(|(cell, &chips)| (0..chips).map(move |_| cell));
            Action::chip(cells.nth(number)?)
        }
        Event::SetApart { cards, .. } => Action::pick(cards.get(number)?.card(game.rules().aces)),
        Event::Keep { .. } => Action::KEEP,
        Event::Auction { .. } => Action::AUCTION,
        Event::Exchange { .. } => Action::EXCHANGE,
        Event::Bid { .. } => Action::BID,
        Event::Pass { .. } => Action::PASS,
        Event::Check { .. } => Action::CHECK,
        Event::Bet { .. } => Action::BET,
        Event::Call { .. } => Action::CALL,
        Event::Raise { .. } => Action::RAISE,
        Event::Fold { .. } => Action::FOLD,
        Event::Lead { card, .. } => Action::lead(card.suit()),
        _ => return legal.is_forced().then(|| legal.first())?,
    })
}
