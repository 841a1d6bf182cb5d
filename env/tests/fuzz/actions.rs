//! Any bytes are a game at a table, how it stands, and what is decided there.
//!
//! Bytes: the game (1), players (1; of random rules the seed, 2), what is played (1: a deal of an
//! environment, a session, or a deal at any table), the seed of the cards (1), the seed of the
//! decisions after the last byte (1); then, at any table, dealer and chips; then decisions.

use std::sync::Arc;

use newmarket_env::rules::Stage;
use newmarket_env::trace::{InSession, Pile, check, lines};
use newmarket_env::{Episode, Event, Game, Record, Referee, Seed, Session, State};

use super::course::{self, Deal};
use super::follow::Follow;
use super::games;
use super::harness::Reached;
use super::tables::Tables;
use super::tape::Tape;
use super::truth::bought;

/// So many deals of a session are played.
const DEALS: usize = 8;

/// What the corpus of this target must reach.
pub(crate) const REACHES: &[&str] = &[
    "newmarket",
    "newmarket-buy",
    "hoyle-1885",
    "bazaar-1875",
    "newmarket-2011",
    "south-london",
    "michigan",
    "michigan-free-stakes",
    "michigan-widow",
    "michigan-auction",
    "michigan-one-suit",
    "four-horses",
    "saratoga",
    "chicago",
    "three-in-one",
    "any",
    "any table",
    "a seat is out at any table",
    "a session to its end",
    "a seat is out",
    "rebuy",
    "leftover",
    "spill",
    "spill to the kitty",
    "exchange for nothing",
    "exchange to kitty",
    "exchange to layout",
    "exchange to seat",
    "an auction without a bid",
    "an auction of three bids",
    "a chain of three offers",
    "collect KQ",
    "collect RUN",
    "claim KQ",
    "claim RUN",
    "collect MARRIAGE",
    "collect LADDER",
    "claim TWINS",
    "claim ACES",
    "three raises",
    "fold",
    "a checked round",
    "several win the pot",
    "an odd chip past the lowest seat",
    "nobody shows",
    "pass_lead",
    "no_winner",
    "stop top",
    "stop dead",
    "stop removed",
    "stop played",
    "no decision",
];

/// Engine, environment, batches, referee and the judge of traces agree on it, whatever it is.
pub(crate) fn law(input: &[u8], reached: &mut Reached) {
    let mut tape = Tape::new(input);
    let (game, title) = games::game(&mut tape);
    let kind = tape.below(3);
    let seed = Seed::new(u64::from(tape.byte()));
    tape.seed_rest();
    let mut told = Reached::new();
    match kind {
        0 => followed(&game, &Episode::Deal, seed, 1, &mut tape, &mut told),
        1 => followed(&game, &Episode::Session, seed, DEALS, &mut tape, &mut told),
        _ => any_table(&game, seed, &mut tape, &mut told),
    }
    // Where something was reached is worth as much as that it was.
    reached.extend(told.iter().map(|what| format!("{what} in {title}")));
    reached.extend(told);
    reached.insert(title);
}

/// A deal in the middle of whatever went before.
fn any_table(game: &Game, seed: Seed, tape: &mut Tape, reached: &mut Reached) {
    let deal_start = games::deal_start(game, tape);
    let pack = game.shuffle(&mut seed.rng());
    let deal = course::play(game, &deal_start, pack.cards(), tape, None);
    tell(&deal, &deal.refereed(), reached);
    reached.insert("any table".into());
    if deal_start.seats_in.len() < game.players() {
        reached.insert("a seat is out at any table".into());
    }
}

/// An episode with everybody following, and its trace.
pub(crate) fn followed(
    game: &Arc<Game>,
    kind: &Episode,
    root: Seed,
    deals: usize,
    tape: &mut Tape,
    reached: &mut Reached,
) {
    let mut follow = Follow::new(game, kind, root);
    let seed = Tables::seed(root, 0);
    let (records, end) = episode(game, kind, seed, deals, tape, Some(&mut follow), reached);
    if let Some(end) = end {
        follow.end_at(&end);
    }
    judge(&records);
}

/// An episode in the engine and by the referee: its trace, and how it ends if it was not left.
pub(crate) fn episode(
    game: &Game,
    episode: &Episode,
    seed: Seed,
    deals: usize,
    tape: &mut Tape,
    mut follow: Option<&mut Follow>,
    reached: &mut Reached,
) -> (Vec<Record>, Option<State>) {
    let mut session = match episode {
        Episode::Deal => Session::single_deal(game, seed),
        Episode::Carried(deal_starts) => Session::carried(deal_starts, seed),
        Episode::Given(session) => Session::clone(session),
        Episode::Session => Session::new(game, seed),
    };
    let mut records = Vec::new();
    let end = loop {
        let deal_start = *session.deal_start();
        let pack = session.pack(game);
        let deal = course::play(game, &deal_start, pack.cards(), tape, follow.as_deref_mut());
        let played = deal.refereed();
        tell(&deal, &played, reached);
        let mut end = deal.end;
        if *episode != Episode::Session {
            records.push(Record::of(&played, InSession::default()));
            break Some(end);
        }
        if deal_start.seats_in.len() < game.players() {
            reached.insert("a seat is out".into());
        }
        let number = session.deal_number();
        let rebuys = bought(session.rebuys());
        let before = *end.stacks();
        let gifts = session.close(game, &mut end);
        if let Some(follow) = &mut follow {
            follow.gain(&before, end.stacks());
        }
        let leftover: Vec<_> = gifts
            .iter()
            .map(|gift| (gift.cell.map_or(Pile::Kitty, Pile::Cell), gift.seat, gift.chips))
            .collect();
        let extra = InSession { deal: Some(number), rebuys: &rebuys, leftover: &leftover };
        let record = Record::of(&played, extra);
        let carried = session.deal_start();
        if !session.is_over() {
            let rebuys = session.rebuys();
            assert!((0..8).all(|seat| carried.stacks[seat] == end.stacks()[seat] + rebuys[seat]));
            assert_eq!((&carried.layout, carried.kitty), (end.layout(), end.kitty()));
        }
        kinds(&record.events, reached);
        records.push(record);
        if session.is_over() {
            reached.insert("a session to its end".into());
            break Some(end);
        }
        if records.len() == deals {
            break None;
        }
    };
    (records, end)
}

/// The judge passes what was played, and it reads back as it was written.
fn judge(records: &[Record]) {
    let text: String = records.iter().map(|record| record.to_line() + "\n").collect();
    let summary = check(text.as_bytes()).unwrap_or_else(|fault| panic!("{fault}\n{text}"));
    assert_eq!(summary.deals, records.len());
    let read: Vec<Record> = lines(text.as_bytes()).map(|line| line.expect("read").1).collect();
    assert_eq!(read, records);
}

/// What happened in a deal.
fn tell(deal: &Deal, played: &Referee, reached: &mut Reached) {
    let events = played.events();
    kinds(events, reached);
    let count = |is: &dyn Fn(&Event) -> bool| events.iter().filter(|event| is(event)).count();
    let bids = count(&|event| matches!(event, Event::Bid { .. }));
    let keeps = count(&|event| matches!(event, Event::Keep { .. }));
    let raises = count(&|event| matches!(event, Event::Raise { .. }));
    let bets = count(&|event| matches!(event, Event::Bet { .. }));
    let mut saw = |what: &str, happened: bool| {
        if happened {
            reached.insert(what.into());
        }
    };
    let auction = events.iter().any(|event| matches!(event, Event::Auction { .. }));
    saw("an auction without a bid", auction && bids == 0);
    saw("an auction of three bids", bids >= 3);
    saw("a chain of three offers", keeps >= 3);
    saw("three raises", raises == 3);
    saw("a checked round", played.game().rules().has(Stage::Poker) && bets == 0);
    saw("no decision", deal.is_forced());
}

/// The kinds of events, with what distinguishes those of one kind.
fn kinds(events: &[Event], reached: &mut Reached) {
    for event in events {
        let more = match event {
            Event::Spill { to, .. } if to == "kitty" => " to the kitty".into(),
            Event::Exchange { to: None, .. } => " for nothing".into(),
            Event::Exchange { to: Some(to), .. } => {
                format!(" to {}", String::from(*to).split(':').next().expect("a word"))
            }
            Event::Collect { cell, .. } | Event::Claim { cell, .. } => format!(" {cell}"),
            Event::Stop { why, .. } => format!(" {why:?}").to_lowercase(),
            Event::Showdown { winners, hands, paid, .. } => {
                let odd = winners.iter().any(|&seat| paid[seat] != paid[winners[0]]);
                if odd && !winners.is_sorted() {
                    reached.insert("an odd chip past the lowest seat".into());
                }
                if winners.len() > 1 {
                    reached.insert("several win the pot".into());
                }
                if hands.is_none() {
                    reached.insert("nobody shows".into());
                }
                String::new()
            }
            _ => String::new(),
        };
        let event = serde_json::to_value(event).expect("an event is JSON");
        let kind = event["e"].as_str().expect("a kind");
        reached.insert(format!("{kind}{more}"));
        reached.insert(kind.into());
    }
}
