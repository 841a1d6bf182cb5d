//! `basic`: what it counts, card by card; that it plays everywhere; and that its lists pay.

#[path = "../../env/tests/common/mod.rs"]
mod common;

use std::sync::Arc;

use common::{all_tables, house, table};
use newmarket_agents::basic::{Basic, Bound, Count, HandCount, HandNotes};
use newmarket_agents::basic::{MOST_QUESTIONS, Notes, Question, questions_of, suit_to_lead};
use newmarket_agents::heuristic::Heuristic;
use newmarket_agents::paired::PairedDuel;
use newmarket_agents::{Agent, Player, Table};
use newmarket_env::{Action, Card, Phase, Rules, Seed, Suit, View};

/// The cards of a suit, from the lowest.
fn suit_cards(suit: Suit) -> impl DoubleEndedIterator<Item = Card> {
    newmarket_env::CardSet::suit(suit).iter().collect::<Vec<_>>().into_iter()
}

/// The slow twin of [`Count::of`]: card by card, from the view.
fn counted(count: Count, view: &View, suit: Suit) -> i32 {
    let own = |card: &Card| view.hand().contains(*card);
    let other = |card: &Card| !own(card) && !view.gone().contains(*card);
    let held: Vec<Card> = suit_cards(suit).filter(own).collect();
    let (Some(&lowest), Some(&highest)) = (held.first(), held.last()) else { return 0 };
    let mut row = vec![lowest];
    while let Some(next) = row.last().unwrap().above().filter(own) {
        row.push(next);
    }
    let others: Vec<Card> = suit_cards(suit).filter(other).collect();
    let number = |cards: &mut dyn Iterator<Item = Card>| cards.count() as i32;
    let all_but = |set: newmarket_env::CardSet| set - view.played_by(view.seat());
    // Chips of the cells that a card of these would help to claim, by who could.
    let chips = |cards: &[Card], can: &dyn Fn(Card) -> bool| -> i32 {
        (0..view.game().cells())
            .flat_map(|cell| {
                let sets = view.claims().of_cell(cell).iter().map(|&set| all_but(set));
                let paid = sets.filter(|set| {
                    set.iter().any(|card| cards.contains(&card)) && set.iter().all(can)
                });
                paid.map(move |_| view.layout()[cell])
            })
            .sum()
    };
    let own_chips = |cards: &[Card]| chips(cards, &|card| own(&card));
    match count {
        Count::Held => held.len() as i32,
        Count::Row => row.len() as i32,
        Count::Gap => {
            let mut gap = 0;
            let mut at = *row.last().unwrap();
            while let Some(next) = at.above().filter(other) {
                (gap, at) = (gap + 1, next);
            }
            gap
        }
        Count::Chips => own_chips(&held),
        Count::RowChips => own_chips(&row),
        Count::OthersChips => {
            let above: Vec<Card> =
                others.into_iter().filter(|card| card.rank() > lowest.rank()).collect();
            chips(&above, &|_| true)
        }
        Count::Below => number(&mut others.into_iter().filter(|card| card.rank() < lowest.rank())),
        Count::Between => number(
            &mut others
                .into_iter()
                .filter(|card| card.rank() > lowest.rank() && card.rank() < highest.rank()),
        ),
        Count::Above => number(&mut others.into_iter().filter(|card| card.rank() > highest.rank())),
        Count::BelowChips => match held.iter().find(|&&card| own_chips(&[card]) > 0) {
            Some(first) => number(
                &mut others
                    .into_iter()
                    .filter(|card| card.rank() > lowest.rank() && card.rank() < first.rank()),
            ),
            None => 99,
        },
        Count::Later => (held.len() - row.len()) as i32,
        Count::Stops => number(
            &mut held
                .into_iter()
                .filter(|card| card.above().is_none_or(|next| !own(&next) && !other(&next))),
        ),
        Count::Place => suit_cards(suit).position(|card| card == lowest).unwrap() as i32 + 1,
    }
}

/// Calls `each` at every lead of a deal of `random` at every table.
fn at_leads(deals: u64, mut each: impl FnMut(&View)) {
    for game in all_tables() {
        let (mut table, mut random) =
            (Table::new(Arc::new(game)), Heuristic::named("random").unwrap());
        for deal in 0..deals {
            table.play(Seed::new(3).child(deal), |_, view, rng| {
                if view.phase() == Phase::Lead {
                    each(view);
                }
                random.act(view, rng)
            });
        }
    }
}

#[test]
fn counts_are_those_of_somebody_who_counts() {
    let (mut seen, mut positive) = (0, [0; Count::ALL.len()]);
    at_leads(6, |view| {
        let notes = Notes::of(view);
        for suit in view.legal().iter().filter_map(Action::suit) {
            for (at, count) in Count::ALL.into_iter().enumerate() {
                let number = count.of(&notes, suit);
                assert_eq!(number, counted(count, view, suit), "{count:?} {suit:?}");
                positive[at] += i32::from(number > 0);
            }
            seen += 1;
        }
    });
    assert!(seen > 5000 && positive.iter().all(|&times| times > 100), "{seen} {positive:?}");
}

#[test]
fn the_first_question_that_divides_decides() {
    let mut divided = 0;
    at_leads(2, |view| {
        let notes = Notes::of(view);
        let suits: Vec<Suit> = view.legal().iter().filter_map(Action::suit).collect();
        let bits = suits.iter().fold(0, |all, suit| all | 1 << suit.index());
        let longer = Question { count: Count::Held, bound: Bound::AtLeast(3) };
        let never = Question { count: Count::Held, bound: Bound::AtLeast(14) };
        let low = Question { count: Count::Place, bound: Bound::AtMost(2) };
        let wanted = suits.iter().filter(|suit| counted(Count::Held, view, **suit) >= 3);
        let wanted: Vec<Suit> = wanted.copied().collect();
        let left = if wanted.is_empty() { suits.clone() } else { wanted.clone() };
        let lowest = left.iter().copied().find(|suit| counted(Count::Place, view, *suit) <= 2);
        let led = suit_to_lead(&[never, longer, low], &notes, bits);
        assert_eq!(led, lowest.or(left.first().copied()));
        divided += i32::from(!wanted.is_empty() && wanted.len() < suits.len());
    });
    assert!(divided > 100, "{divided}");
}

/// The slow twin of [`HandCount::of`]: card by card and cell by cell.
fn counted_in_hand(count: HandCount, view: &View) -> i32 {
    let held: Vec<Card> = view.hand().iter().collect();
    let has = |card: Card| held.contains(&card);
    let cells = || 0..view.game().cells();
    let is_own = |cell: usize| view.claims().of_cell(cell).iter().any(|set| set.iter().all(has));
    let of_cards = |is: &dyn Fn(Card) -> bool| held.iter().filter(|&&card| is(card)).count() as i32;
    let boodles = cells().filter(|&cell| is_own(cell)).count() as i32;
    let in_pack = |card: Card| view.game().pack().iter().any(|other| other == card);
    let stops = of_cards(&|card| !card.above().is_some_and(in_pack));
    let chips =
        |own| cells().filter(|&cell| is_own(cell) == own).map(|cell| view.layout()[cell]).sum();
    match count {
        HandCount::Boodles => boodles,
        HandCount::Stops => stops,
        HandCount::BoodlesAndStops => boodles + stops,
        HandCount::LowCards => of_cards(&|card| card.rank().index() < 2),
        HandCount::Joined => of_cards(&|card| card.above().is_some_and(has)),
        HandCount::Cards => held.len() as i32,
        HandCount::OwnChips => chips(true),
        HandCount::OtherChips => chips(false),
    }
}

#[test]
fn what_is_counted_of_a_hand_is_there() {
    let all = [
        HandCount::Boodles,
        HandCount::Stops,
        HandCount::BoodlesAndStops,
        HandCount::LowCards,
        HandCount::Joined,
        HandCount::Cards,
        HandCount::OwnChips,
        HandCount::OtherChips,
    ];
    let mut positive = [0; 8];
    at_leads(3, |view| {
        for (at, count) in all.into_iter().enumerate() {
            let number = count.of(&HandNotes::of(view));
            assert_eq!(number, counted_in_hand(count, view), "{count:?}");
            positive[at] += i32::from(number > 0);
        }
    });
    assert!(positive.iter().all(|&times| times > 100), "{positive:?}");
}

/// What each seat has staked when the first card may be played, from eldest on.
fn staked(game: newmarket_env::Game) -> Vec<Vec<i32>> {
    let (cells, players) = (game.cells(), game.players());
    let (mut table, mut basic, mut all) = (Table::new(Arc::new(game)), Basic::new(), Vec::new());
    table.play(Seed::new(4), |_, view, rng| {
        if view.phase() == Phase::Lead && all.is_empty() {
            let roles = (0..players).map(|role| (view.eldest() + role) % players);
            let of = |seat| (0..cells).map(|cell| view.staked(seat, cell)).collect();
            all = roles.map(of).collect();
        }
        basic.act(view, rng)
    });
    all
}

#[test]
fn antes_go_where_they_gain() {
    let (eldest, others) = (vec![4, 0, 0, 0], vec![1, 0, 3, 0]);
    let all = [eldest, others.clone(), others.clone(), others];
    assert_eq!(staked(table("newmarket", 4)), all);
    assert_eq!(staked(table("newmarket-buy", 4)), all);
    // The dealer stakes eight, of which no card speaks.
    let [.., dealer] = &staked(table("bazaar-1875", 4))[..] else { panic!("seats") };
    assert_eq!(dealer, &[2, 2, 2, 2]);
    // Another number of chips, another number of cells, and a cap that a pile would break.
    for changes in [
        "layout_ante = { free = { chips = 8, dealer_chips = 8 } }",
        "cells = [\"AS\", \"KH\"]",
        "cells = [\"2S\", \"KH\", \"QC\", \"JD\"]",
        "aces = \"high\"",
        "removed = [\"2C\", \"2D\", \"2H\", \"2S\"]",
    ] {
        let even = staked(house("newmarket", changes, 4));
        assert!(even.iter().all(|split| split.iter().all(|&it| it == split[0])), "{even:?}");
    }
    let capped = staked(house("newmarket", "cell_cap = 5", 4));
    assert!(capped.iter().all(|split| split.iter().sum::<i32>() == 4), "{capped:?}");
}

/// The card of `newmarket-buy` takes the dead hand for one with neither boodle nor stop.
#[test]
fn the_dead_hand_is_taken_by_the_card() {
    let mut answers = [0; 2];
    let (mut random, mut basic) = (Heuristic::named("random").unwrap(), Basic::new());
    let mut table = Table::new(Arc::new(table("newmarket-buy", 4)));
    for deal in 0..400 {
        table.play(Seed::new(5).child(deal), |_, view, rng| {
            if view.phase() != Phase::DeadHand {
                return random.act(view, rng);
            }
            let takes = counted_in_hand(HandCount::BoodlesAndStops, view) == 0;
            answers[usize::from(takes)] += 1;
            let action = basic.act(view, rng);
            assert_eq!(action, if takes { Action::EXCHANGE } else { Action::KEEP });
            action
        });
    }
    assert!(answers.iter().all(|&times| times > 40), "{answers:?}");
}

/// A bidder stays below its limit and passes with a boodle in hand.
#[test]
fn bids_end_at_the_limit() {
    #[derive(Clone)]
    struct Bids;
    impl Agent for Bids {
        fn name(&self) -> &'static str {
            "bids"
        }
        fn act(&mut self, view: &View, rng: &mut newmarket_env::Rng) -> Action {
            match view.phase() {
                Phase::DeadHand => Action::AUCTION,
                Phase::Auction if view.legal().contains(Action::BID) => Action::BID,
                _ => Basic::new().act(view, rng),
            }
        }
        fn another(&self) -> Box<dyn Agent> {
            Box::new(Self)
        }
    }
    let (mut others, mut basic) = (Bids, Basic::new());
    let mut table = Table::new(Arc::new(table("michigan-auction", 4)));
    let (mut bids, mut passes) = (0, 0);
    for deal in 0..200 {
        table.play(Seed::new(6).child(deal), |seat, view, rng| {
            let own = seat == 1 && view.phase() == Phase::Auction;
            if !own {
                return others.act(view, rng);
            }
            let action = basic.act(view, rng);
            if action == Action::BID {
                assert!(view.bid() < 6 && counted_in_hand(HandCount::Boodles, view) == 0);
            }
            *if action == Action::BID { &mut bids } else { &mut passes } += 1;
            action
        });
    }
    assert!(bids > 20 && passes > 20, "{bids} {passes}");
}

#[test]
fn it_plays_every_game() {
    for game in all_tables() {
        let (mut table, mut basic) = (Table::new(Arc::new(game)), Basic::new());
        for deal in 0..3 {
            // The table refuses what is not legal.
            table.play(Seed::new(4).child(deal), |_, view, rng| basic.act(view, rng));
        }
    }
}

#[test]
fn lists_can_be_kept_in_mind() {
    for name in newmarket_env::rules::NAMES {
        let list = questions_of(&Rules::named(name).unwrap());
        assert!(!list.is_empty() && list.len() <= MOST_QUESTIONS, "{name}");
        let spoken: Vec<String> = list.iter().map(ToString::to_string).collect();
        assert!(spoken.iter().all(|text| text.ends_with('?')), "{spoken:?}");
        for (at, question) in list.iter().enumerate() {
            assert!(!list[..at].contains(question), "{name} asks twice: {question}");
        }
    }
}

#[test]
fn it_gains_over_stopper() {
    let [basic, stopper]: [Player; 2] =
        [Basic::new().into(), Heuristic::named("stopper").unwrap().into()];
    for (name, least) in [
        ("newmarket", 0.15),
        ("newmarket-buy", 0.0),
        ("michigan", 0.0),
        ("michigan-auction", 0.0),
        ("three-in-one", 0.0),
    ] {
        let games = [Arc::new(table(name, 4))];
        let duel =
            PairedDuel { games: &games, hero: &basic, field: &stopper, seed: Seed::new(2211) };
        let gain = duel.run(20_000, |_| {}).chips.estimate();
        assert!(gain.mean - gain.ci95 > least, "{name}: {gain}");
    }
}
