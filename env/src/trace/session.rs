//! Checks how the deals of a session follow each other in a trace (`docs/RULES.md`, section 7).

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::Record;
use crate::deal_start::DealStart;
use crate::game::Game;
use crate::referee::{Event, Referee};
use crate::rules::{Bankroll, FirstDealer, Leftover, MAX_CELLS, MAX_CHIPS, MAX_PLAYERS, OnBust};
use crate::seats::Seats;

/// A session that has not ended yet.
pub(super) struct Open {
    rules: crate::Rules,
    players: usize,
    /// The number of the last deal.
    deal: u32,
    /// The table before the next deal, before any rebuys.
    next: DealStart,
}

/// The table before a record's deal, the rebuys before it, and the deal's number in its session, if any.
pub(super) struct Start {
    /// After the rebuys.
    pub(super) table: DealStart,
    pub(super) rebuys: Vec<Event>,
    pub(super) deal: Option<u32>,
}

/// Reads the table before the deal from the record and compares it with the session so far.
pub(super) fn start(record: &Record, game: &Game, open: Option<&Open>) -> Result<Start, String> {
    let deal_start = read_standing(record, game)?;
    let Some(place) = &record.session else {
        if let Some(open) = open {
            return Err(format!(
                "no `session`: due was deal {} of the session of the line before",
                open.deal + 1
            ));
        }
        if record.seats_in.is_some() {
            return Err("`seats_in` without `session`: seats are out only in a session".into());
        }
        return Ok(Start { table: deal_start, rebuys: Vec::new(), deal: None });
    };
    let session = &game.rules().session;
    due("session.of", &place.of, &session.deals, "the `session.deals` of the rules")?;
    let bankroll = session.bankroll.value();
    if place.bankroll != bankroll {
        return Err(format!(
            "session.bankroll is {}: due was {bankroll}, the `session.bankroll` of the rules",
            place.bankroll
        ));
    }
    let (deal, next) = match open {
        None => (1, first_standing(game, deal_start.dealer)?),
        Some(open) if open.rules == *game.rules() && open.players == game.players() => {
            (open.deal + 1, open.next)
        }
        Some(open) => {
            return Err(format!(
                "other rules or players than on the line before: due was deal {} of its session",
                open.deal + 1
            ));
        }
    };
    due("session.deal", &place.deal, &deal, "one more than on the line before, from 1")?;
    let (players, cells) = (game.players(), game.cells());
    let carried = "carried over from the deal before";
    due("seats_in", &deal_start.seats_in, &next.seats_in, "the seats that can cover the ante")?;
    due("dealer", &deal_start.dealer, &next.dealer, "the next seat in to the left")?;
    due("stacks_before", &&deal_start.stacks[..players], &&next.stacks[..players], carried)?;
    due("layout_before", &&deal_start.layout[..cells], &&next.layout[..cells], carried)?;
    due("kitty_before", &deal_start.kitty, &next.kitty, carried)?;
    let mut start = Start { table: deal_start, rebuys: Vec::new(), deal: Some(deal) };
    start.table.credit = session.bankroll == Bankroll::Credit;
    start.table.deals_left = Some(session.deals - deal);
    if let Bankroll::Chips { start: chips, on_bust: OnBust::Rebuy } = session.bankroll {
        for seat in 0..players {
            let stack = &mut start.table.stacks[seat];
            if *stack < game.rules().full_ante(seat == deal_start.dealer) {
                start.rebuys.push(Event::Rebuy { seat, chips: chips - *stack });
                *stack = chips;
            }
        }
    }
    Ok(start)
}

fn due<T: PartialEq + core::fmt::Debug>(
    key: &str,
    found: &T,
    due: &T,
    why: &str,
) -> Result<(), String> {
    if found == due {
        return Ok(());
    }
    Err(format!("`{key}` is {found:?}: due was {due:?}, {why}"))
}

/// The table before the first deal of a session.
fn first_standing(game: &Game, dealer: usize) -> Result<DealStart, String> {
    let mut deal_start = DealStart::fresh(game.players(), dealer);
    if let Bankroll::Chips { start, .. } = game.rules().session.bankroll {
        deal_start.stacks[..game.players()].fill(start);
    }
    if let FirstDealer::Seat(seat) = game.rules().session.first_dealer {
        due("dealer", &dealer, &seat, "the `session.first_dealer` of the rules")?;
    }
    Ok(deal_start)
}

/// The table before the deal as the record says it, every number within bounds; stacks are a score, as in
/// a single deal.
fn read_standing(record: &Record, game: &Game) -> Result<DealStart, String> {
    let (players, cells) = (game.players(), game.cells());
    let mut deal_start = DealStart::fresh(players, record.dealer);
    if record.dealer >= players {
        return Err(format!(
            "`dealer` is {}: expected a seat, 0 to {}",
            record.dealer,
            players - 1
        ));
    }
    let length = |key: &str, found: usize, expected: usize, of: &str| {
        if found == expected {
            return Ok(());
        }
        Err(format!("`{key}` has {found} numbers: expected {expected}, one for each {of}"))
    };
    length("stacks_before", record.stacks_before.len(), players, "seat")?;
    length("layout_before", record.layout_before.len(), cells, "cell")?;
    if let Some(seats_in) = &record.seats_in {
        length("seats_in", seats_in.len(), players, "seat")?;
        if seats_in.iter().all(|&is_in| is_in) {
            return Err("`seats_in` says that all are in: it is left out then".into());
        }
        deal_start.seats_in = Seats::default();
        for seat in (0..players).filter(|&seat| seats_in[seat]) {
            deal_start.seats_in.insert(seat);
        }
    }
    let piles = record.layout_before.iter().chain([&record.kitty_before]);
    if piles.clone().any(|&chips| chips < 0) {
        return Err("`layout_before` or `kitty_before` is below 0: expected chips".into());
    }
    let all = record.stacks_before.iter().chain(piles);
    if all.map(|&chips| i64::from(chips).abs()).sum::<i64>() > MAX_CHIPS {
        return Err(format!("more than {MAX_CHIPS} chips: expected a table below that"));
    }
    let mut stacks = [0; MAX_PLAYERS];
    stacks[..players].copy_from_slice(&record.stacks_before);
    let mut layout = [0; MAX_CELLS];
    layout[..cells].copy_from_slice(&record.layout_before);
    Ok(DealStart { stacks, layout, kitty: record.kitty_before, ..deal_start })
}

/// The table before the next deal of a session, before chips are given away; `None` if there is no next
/// deal.
pub(super) fn next_standing(played: &Referee<'_>, deal: u32) -> Option<DealStart> {
    let (game, before) = (played.game(), played.before());
    let rules = game.rules();
    if deal >= rules.session.deals {
        return None;
    }
    let mut next = *before;
    next.stacks[..game.players()].copy_from_slice(played.stacks());
    next.layout[..game.cells()].copy_from_slice(played.layout());
    next.kitty = played.kitty();
    next.dealer = before.seats_in.left_of(before.dealer);
    let is_bust =
        |next: &DealStart, seat: usize| next.stacks[seat] < rules.full_ante(seat == next.dealer);
    match rules.session.bankroll {
        Bankroll::Credit | Bankroll::Chips { on_bust: OnBust::Rebuy, .. } => {}
        Bankroll::Chips { on_bust: OnBust::EndSession, .. } => {
            if next.seats_in.iter().any(|seat| is_bust(&next, seat)) {
                return None;
            }
        }
        Bankroll::Chips { on_bust: OnBust::Eliminate, .. } => {
            while is_bust(&next, next.dealer) {
                next.seats_in.remove(next.dealer);
                if next.seats_in.is_empty() {
                    return None;
                }
                next.dealer = next.seats_in.left_of(next.dealer);
            }
            for seat in before.seats_in.iter() {
                if is_bust(&next, seat) {
                    next.seats_in.remove(seat);
                }
            }
            if next.seats_in.len() < rules.players.0 {
                return None;
            }
        }
    }
    Some(next)
}

/// The session after a deal, with the chips at the end of the record.
pub(super) fn after(played: &Referee<'_>, deal: u32) -> Option<Open> {
    let next = next_standing(played, deal)?;
    let game = played.game();
    Some(Open { rules: game.rules().clone(), players: game.players(), deal, next })
}

/// The gifts after a session's last deal (`docs/RULES.md`, section 7). If seats are drawn by lot, it takes
/// the recorded seats, provided that they can have been drawn. `recorded` are the events from there on.
pub(super) fn leftover(played: &Referee<'_>, recorded: &[Event]) -> Vec<Event> {
    let rules = played.game().rules();
    let seats_in = played.before().seats_in;
    let mut piles: Vec<(String, i32)> = Vec::new();
    for (cell, &chips) in rules.cells.iter().zip(played.layout()) {
        piles.push((cell.name.clone(), chips));
    }
    piles.push(("kitty".into(), played.kitty()));
    piles.retain(|&(_, chips)| chips > 0);
    let lowest = seats_in.iter().next().expect("somebody is in");
    let richest = seats_in.iter().fold(lowest, |best, seat| {
        if played.stacks()[seat] > played.stacks()[best] { seat } else { best }
    });
    let drawn = |index: usize| match recorded.get(index) {
        Some(&Event::Leftover { seat, .. }) if seats_in.contains(seat) => seat,
        _ => lowest,
    };
    let gift = |(index, (from, chips)): (usize, (String, i32))| match rules.session.leftover {
        Leftover::Stay => None,
        Leftover::Lot => Some(Event::Leftover { from, seat: drawn(index), chips }),
        Leftover::Richest => Some(Event::Leftover { from, seat: richest, chips }),
    };
    piles.into_iter().enumerate().filter_map(gift).collect()
}
