//! Whole decisions: those that are listed can be taken, and nothing else can.

use std::sync::Arc;

use newmarket_agents::search::Playout;
use newmarket_engine::{Analysis, Choice, Judged, SessionTable, Trials};
use newmarket_env::poker::Strength;
use newmarket_env::rules::NAMES;
use newmarket_env::{CardSet, Event, Game, Name, Phase, Rules, Seed, seed};

/// The same decision as a program might spoil it.
fn spoilt(choice: &Choice) -> Vec<Choice> {
    match choice {
        Choice::Ante { layout } => {
            let with = |change: &dyn Fn(&mut Vec<i32>)| {
                let mut layout = layout.clone();
                change(&mut layout);
                Choice::Ante { layout }
            };
            vec![
                with(&|layout| layout[0] += 1),
                with(&|layout| *layout.iter_mut().max().unwrap() -= 1),
                with(&|layout| layout.fill(0)),
                with(&|layout| layout.fill(i32::MAX)),
                with(&|layout| layout[0] = i32::MIN),
                with(&Vec::clear),
            ]
        }
        Choice::SetApart { cards } => {
            let twice = [&cards[..4], &cards[..1]].concat();
            let few = cards[1..].to_vec();
            [twice, few, Vec::new()].map(|cards| Choice::SetApart { cards }).into()
        }
        Choice::Lead { card } => {
            // Another card of the suit is not the one that is led.
            let other =
                "23456789TJQKA".chars().map(|rank| format!("{rank}{}", card.suit().letter()));
            let other = other.map(|name| Name::try_from(name).unwrap()).filter(|name| name != card);
            other.map(|card| Choice::Lead { card }).collect()
        }
        _ => Vec::new(),
    }
}

#[test]
fn what_is_listed_can_be_taken_and_nothing_else() {
    let (mut tried, mut full) = (0, 0);
    // Cells that are soon full: then the order of an ante's chips matters.
    let capped = serde_json::from_str(r#"{"cell_cap":5}"#).unwrap();
    let capped = Rules::from_overrides("newmarket", &capped).unwrap();
    let named = NAMES.into_iter().map(|name| Rules::named(name).unwrap());
    for rules in named.chain([capped]) {
        let game = Arc::new(Game::new(rules.clone(), rules.players.0.max(3)).unwrap());
        let mut rng = Seed::new(3).rng();
        let mut table = SessionTable::open(game.clone(), Seed::new(8));
        for _ in 0..150 {
            if table.state().is_over() && !table.next_deal() {
                table = SessionTable::open(
                    game.clone(),
                    Seed::new(u64::from(seed::below(&mut rng, 99))),
                );
            }
            let Some(seat) = table.state().actor() else { continue };
            let view = table.state().view(&game, seat);
            let listed = Choice::some(&view, 40);
            assert!(listed.len() >= view.legal().len() && listed.len() <= 40 + view.legal().len());
            for choice in &listed {
                let taken = choice.taken(&view).unwrap_or_else(|| panic!("{choice:?} at {view:?}"));
                let mut state = *table.state();
                for action in taken {
                    state.apply(&game, action).unwrap();
                }
                let whole = state.phase() != view.phase() || state.actor() != Some(seat);
                assert!(
                    whole || matches!(choice, Choice::Lead { .. } | Choice::Pass {}),
                    "{choice:?}"
                );
                for other in spoilt(choice) {
                    assert_eq!(other.taken(&view), None, "{other:?} at {view:?}");
                    tried += 1;
                }
            }
            for never in [Choice::Fold {}, Choice::Bid {}, Choice::Exchange {}, Choice::Raise {}] {
                let listed = listed.contains(&never);
                assert_eq!(never.taken(&view).is_some(), listed, "{never:?} at {view:?}");
            }
            let cap = game.rules().cell_cap.unwrap_or(i32::MAX);
            full += usize::from(view.layout().iter().any(|&chips| chips >= cap));
            let choice = &listed[seed::below(&mut rng, listed.len() as u32) as usize];
            if table.answer(choice).is_err() {
                // In layout order the chips of this ante do not fit: another one.
                let even =
                    listed.iter().find(|choice| table.clone().answer(choice).is_ok()).unwrap();
                table.answer(even).unwrap();
            }
            assert!(!matches!(table.told(seat).last(), None | Some(Event::Rebuy { .. })));
        }
    }
    assert!(tried > 10_000 && full > 0, "{tried}, {full} with a full cell");
}

#[test]
fn five_cards_may_come_in_any_order() {
    let game = Arc::new(Game::new(Rules::named("three-in-one").unwrap(), 4).unwrap());
    let mut table = SessionTable::open(game.clone(), Seed::new(1));
    loop {
        let seat = table.state().actor().unwrap();
        let view = table.state().view(&game, seat);
        let choice = Choice::some(&view, 4).remove(0);
        if let Choice::SetApart { mut cards } = choice.clone() {
            cards.reverse();
            assert_eq!(Choice::SetApart { cards }.taken(&view), choice.taken(&view));
            return;
        }
        table.answer(&choice).unwrap();
    }
}

#[test]
fn of_very_many_the_best_five_is_not_lost() {
    let game = Arc::new(Game::new(Rules::named("three-in-one").expect("a game"), 4).expect("4"));
    let aces = game.rules().aces;
    let mut tried = 0;
    for seed in 0..10 {
        let mut table = SessionTable::open(game.clone(), Seed::new(seed));
        while table.state().phase() != Phase::SetApart {
            let seat = table.state().actor().expect("a decision");
            let choice = Choice::some(&table.state().view(&game, seat), 8).swap_remove(0);
            table.answer(&choice).expect("it is legal");
        }
        let seat = table.state().actor().expect("a decision");
        let view = table.state().view(&game, seat);
        let (best, _) = Strength::best_five(view.hand(), aces);
        let mut analysis = Analysis::new(&view, Seed::new(seed));
        analysis.add(&view, 512);
        assert!(analysis.choices() > 400);
        let judged = analysis.judged(&view);
        let five = |choice: &Choice| match choice {
            Choice::SetApart { cards } => cards.iter().map(|name| name.card(aces)).collect(),
            other => panic!("{other:?}"),
        };
        let found = judged.iter().find(|it| -> bool {
            let cards: CardSet = five(&it.choice);
            cards == best
        });
        let found = found.unwrap_or_else(|| panic!("seed {seed}: {best:?} is not told of"));
        assert!(
            judged[0].chips > found.chips - found.behind_ci95 - 0.1,
            "seed {seed}: {:?} {found:?}",
            judged[0]
        );
        tried += 1;
    }
    assert_eq!(tried, 10);
}

/// What was taken is compared to the end, however bad it is; what is no longer compared changes
/// nothing for the others.
#[test]
fn what_was_taken_is_not_lost_and_narrowing_changes_no_value() {
    let game = Arc::new(Game::new(Rules::named("newmarket").expect("a game"), 4).expect("4"));
    let table = SessionTable::open(game.clone(), Seed::new(2));
    let seat = table.state().actor().expect("an ante");
    let view = table.state().view(&game, seat);
    let all = Choice::some(&view, 100);
    assert_eq!(all.len(), 35);
    for taken in &all {
        let actions = taken.taken(&view).expect("it is listed");
        let rule = Trials::Rule(Playout::Stopper);
        let mut analysis = Analysis::by(&view, Seed::new(1), rule, &actions);
        assert_eq!((analysis.choices(), analysis.compared()), (35, 32));
        analysis.add(&view, 41);
        let wide = analysis.judged(&view);
        analysis.narrow(4);
        let narrow = analysis.judged(&view);
        assert_eq!((narrow.len(), analysis.worlds()), (4, 41));
        assert!(narrow.iter().any(|it| it.choice == *taken), "{taken:?}");
        assert_eq!(narrow[0], wide[0], "the one that was chosen");
        let known = |it: &Judged| wide.contains(it);
        assert!(narrow.iter().all(known), "{narrow:?}");
        analysis.add(&view, 9);
        assert_eq!((analysis.judged(&view).len(), analysis.worlds()), (4, 50));
    }
}
