//! What the facts count, card by card.

use std::collections::{BTreeMap, BTreeSet};

use newmarket_agents::strategy::{Memory, Notes, Scope, facts};
use newmarket_env::rules::LayoutAnte;
use newmarket_env::{Action, Card, CardSet, Exchange, Phase, Suit, View};

use crate::at_decisions;

/// The cards of a suit, from the lowest.
fn suit_cards(suit: Suit) -> Vec<Card> {
    CardSet::suit(suit).iter().collect()
}

/// The chips of cells that these cards would help to claim, once for each set of cards that `can` play.
fn chips_for(view: &View, cards: &[Card], can: &dyn Fn(Card) -> bool) -> i32 {
    let mut chips = 0;
    for cell in 0..view.game().cells() {
        for &set in view.claims().of_cell(cell) {
            let left = set - view.played_by(view.seat());
            if left.iter().any(|card| cards.contains(&card)) && left.iter().all(can) {
                chips += view.layout()[cell];
            }
        }
    }
    chips
}

/// The slow twin of the facts of a suit: card by card, from the view.
fn of_suit(name: &str, view: &View, suit: Suit) -> i32 {
    let own = |card: &Card| view.hand().contains(*card);
    let other = |card: &Card| !own(card) && !view.gone().contains(*card);
    let gone = |card: Card| view.gone().contains(card);
    let held: Vec<Card> = suit_cards(suit).into_iter().filter(own).collect();
    let (lowest, highest) = (held[0], held[held.len() - 1]);
    let mut row = vec![lowest];
    while let Some(next) = row.last().unwrap().above().filter(own) {
        row.push(next);
    }
    let last = row[row.len() - 1];
    let others: Vec<Card> = suit_cards(suit).into_iter().filter(other).collect();
    let between = |from: usize, to: usize| {
        others.iter().filter(|card| from < card.rank().index() && card.rank().index() < to).count()
            as i32
    };
    let own_chips = |cards: &[Card]| chips_for(view, cards, &|card| own(&card));
    let (low, high) = (lowest.rank().index(), highest.rank().index());
    match name {
        "cards" => held.len() as i32,
        "card" => low as i32 + 1,
        "run" => row.len() as i32,
        "run stops" => i32::from(last.above().is_none_or(gone)),
        "gap" => {
            let mut above = std::iter::successors(last.above(), |card| card.above());
            above.position(|card| !other(&card)).unwrap_or(12 - last.rank().index()) as i32
        }
        "nobody below" => i32::from(lowest.below().is_none_or(gone)),
        "cards of others below" => {
            others.iter().filter(|card| card.rank() < lowest.rank()).count() as i32
        }
        "cards of others between" => between(low, high),
        "cards of others above" => between(high, 99),
        "cards of others before my first boodle" => {
            let first = held.iter().find(|&&card| own_chips(&[card]) > 0);
            first.map_or(99, |first| between(low, first.rank().index()))
        }
        "later" => (held.len() - row.len()) as i32,
        "stops" => {
            let stops = |card: &&Card| card.above().is_none_or(|next| !own(&next) && !other(&next));
            held.iter().filter(stops).count() as i32
        }
        "top card" => {
            let live = suit_cards(suit).into_iter().rfind(|card| !gone(*card));
            i32::from(live.is_some_and(|card| own(&card)))
        }
        "unopened" => i32::from(suit_cards(suit).iter().all(|&card| !view.played().contains(card))),
        "chips" => own_chips(&held),
        "run chips" => own_chips(&row),
        "boodle chips" => {
            // Each cell once: a card that takes it alone, or a set that own cards, played or held, complete.
            let played = |card: Card| view.played_by(view.seat()).contains(card);
            let taken = |cell: usize| {
                let single =
                    held.iter().any(|&card| view.claims().cell_claimed_by(card) == Some(cell));
                let set = view.claims().sets().any(|(of, set)| {
                    of == cell
                        && set.iter().any(|card| held.contains(&card))
                        && set.iter().all(|card| held.contains(&card) || played(card))
                });
                single || set
            };
            (0..view.game().cells())
                .filter(|&cell| taken(cell))
                .map(|cell| view.layout()[cell])
                .sum()
        }
        "chips of others" => {
            let above: Vec<Card> =
                others.iter().copied().filter(|card| card.rank() > lowest.rank()).collect();
            chips_for(view, &above, &|_| true)
        }
        _ => panic!("no twin of {name}"),
    }
}

/// The slow twin of the facts of a cell.
fn of_cell(name: &str, view: &View, cell: usize) -> i32 {
    let boodle = view.claims().card_of(cell).expect("a card");
    let place = |card: &Card| card.rank().index() as i32 + 1;
    let mine: Vec<i32> = suit_cards(boodle.suit())
        .iter()
        .filter(|card| view.hand().contains(**card))
        .map(place)
        .collect();
    let others: Vec<i32> = suit_cards(boodle.suit())
        .iter()
        .filter(|card| view.hidden().contains(**card))
        .map(place)
        .collect();
    let own_place = place(&boodle);
    let many = |all: &[i32], from: i32, to: i32| {
        all.iter().filter(|&&place| from <= place && place < to).count() as i32
    };
    let low = mine.first().copied();
    let seats = 0..view.game().players();
    match name {
        "mine" => many(&mine, own_place, own_place + 1),
        "card" => own_place,
        "cards" => mine.len() as i32,
        "cards below" => many(&mine, 0, own_place),
        "cards above" => many(&mine, own_place + 1, 99),
        "cards of others between" => {
            low.filter(|&low| low <= own_place).map_or(99, |low| many(&others, low, own_place))
        }
        "cards of others right below" => {
            (1..own_place).rev().take_while(|place| others.contains(place)).count() as i32
        }
        "cards of others below" => many(&others, 0, own_place),
        "cards of others below mine" => many(&others, 0, low.unwrap_or(99)),
        "chips" => view.layout()[cell] - view.staked(view.seat(), cell),
        "chips of others" => {
            seats.filter(|&seat| seat != view.seat()).map(|seat| view.staked(seat, cell)).sum()
        }
        _ => panic!("no twin of {name}"),
    }
}

/// The slow twin of the facts of the table; `None` for those that a view tells directly.
fn of_table(name: &str, view: &View) -> Option<f64> {
    let held: Vec<Card> = view.hand().iter().collect();
    let has = |card: Card| held.contains(&card);
    let cells = || 0..view.game().cells();
    let is_own = |cell: usize| view.claims().of_cell(cell).iter().any(|set| set.iter().all(has));
    let of_cards = |is: &dyn Fn(Card) -> bool| held.iter().filter(|&&card| is(card)).count();
    let chips = |own| -> i32 {
        cells().filter(|&cell| is_own(cell) == own).map(|cell| view.layout()[cell]).sum()
    };
    let yes = |holds: bool| Some(f64::from(u8::from(holds)));
    let number = |number: usize| Some(number as f64);
    let players = view.game().players();
    let other_hands =
        || (0..players).filter(|&seat| seat != view.seat() && view.seats_in().contains(seat));
    match name {
        "boodles" => number(cells().filter(|&cell| is_own(cell)).count()),
        "boodle cards" => {
            number(cells().filter(|&cell| view.claims().card_of(cell).is_some_and(has)).count())
        }
        "stops" => number(of_cards(&|card| {
            !card.above().is_some_and(|next| view.game().pack().contains(next))
        })),
        "low cards" => number(of_cards(&|card| card.rank().index() < 2)),
        "joined cards" => number(of_cards(&|card| card.above().is_some_and(has))),
        "cards" => number(held.len()),
        "chips on my boodles" => Some(chips(true).into()),
        "chips on other cells" => Some(chips(false).into()),
        "chips on the layout" => Some(view.layout().iter().sum::<i32>().into()),
        "fewest cards of others" => {
            number(other_hands().map(|seat| view.hand_size(seat)).min().unwrap())
        }
        "cards played" => number(view.played().len()),
        "after a stop" => yes(view.stopped().is_some()),
        "seats before me" => {
            let mut seats =
                std::iter::successors(Some(view.eldest()), |seat| Some((seat + 1) % players));
            number(seats.position(|seat| seat == view.seat()).unwrap())
        }
        "eldest" => yes((view.dealer() + 1) % players == view.seat()),
        "dealer" => yes(view.dealer() == view.seat()),
        "others took the dead hand" => {
            yes(view.exchanger().is_some() && view.exchanger() != Some(view.seat()))
        }
        "i took the dead hand" => yes(view.exchanger() == Some(view.seat())),
        "cards of the dead hand" => number(view.dead_size()),
        "free stake" => Some(match view.game().rules().layout_ante {
            LayoutAnte::Free { dealer_chips, .. } if view.dealer() == view.seat() => {
                dealer_chips.into()
            }
            LayoutAnte::Free { chips, .. } => chips.into(),
            LayoutAnte::Fixed { .. } => 0.0,
        }),
        "dead hand on offer" => yes(!matches!(view.game().rules().exchange, Exchange::None)),
        "offered in turn" => {
            yes(matches!(view.game().rules().exchange, Exchange::OfferChain { .. }))
        }
        "auctioned" => {
            yes(matches!(view.game().rules().exchange, Exchange::DealerOrAuction { .. }))
        }
        "price" if view.phase() == Phase::Auction => Some(f64::from(view.bid()) + 1.0),
        "price" => Some(match view.game().rules().exchange {
            _ if view.phase() != Phase::DeadHand => 0.0,
            Exchange::Dealer { fee } => fee.into(),
            Exchange::OfferChain { price }
                if view.seat() != view.seats_in().left_of(view.dealer()) =>
            {
                price.into()
            }
            _ => 0.0,
        }),
        _ => None,
    }
}

#[test]
fn facts_are_those_of_somebody_who_counts() {
    let mut seen: BTreeMap<(&str, &str), BTreeSet<i64>> = BTreeMap::new();
    at_decisions(6, |view| {
        let notes = Notes::new(view, Memory::ALL);
        if view.phase() == Phase::Lead {
            for suit in view.legal().iter().filter_map(Action::suit) {
                for fact in facts(Scope::Suit) {
                    let value = fact.of_suit(&notes, suit) as i32;
                    assert_eq!(value, of_suit(fact.name, view, suit), "{} of {suit:?}", fact.name);
                    seen.entry(("suit", fact.name)).or_default().insert(value.into());
                }
            }
        }
        if view.phase() == Phase::Ante {
            for cell in 0..view.game().cells() {
                for fact in facts(Scope::Cell).iter().filter(|fact| fact.name != "claimed") {
                    let value = fact.of_cell(&notes, cell, &[]) as i32;
                    assert_eq!(value, of_cell(fact.name, view, cell), "{} of {cell}", fact.name);
                    seen.entry(("cell", fact.name)).or_default().insert(value.into());
                }
            }
        }
        for fact in facts(Scope::Table) {
            let value = fact.of_table(&notes);
            if let Some(counted) = of_table(fact.name, view) {
                assert_eq!(value.to_bits(), counted.to_bits(), "{}: {value}", fact.name);
            }
            seen.entry(("table", fact.name)).or_default().insert(value as i64);
            let (least, most) = fact.range;
            assert!(value >= f64::from(least), "{}: {value}", fact.name);
            assert!(most.is_none_or(|most| value <= f64::from(most)), "{}: {value}", fact.name);
        }
    });
    // Single deals have none that follow.
    let constant: Vec<_> =
        seen.iter().filter(|(_, values)| values.len() < 2).map(|(name, _)| name).collect();
    assert_eq!(constant, [&("table", "deals left")]);
}
