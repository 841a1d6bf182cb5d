//! What must hold whatever the figures are.

use newmarket_agents::strategy::{Content, Strategy};
use newmarket_agents::{Agent, Player, Table};
use newmarket_env::{Action, Phase, Seed};
use newmarket_eval::Duel;
use newmarket_eval::study::{Payoff, ReportCell, Section, Study};

use crate::{figure, game, studies, study, study_of};

const FIELD: &str = "at a table of stopper";

#[test]
fn a_rule_gains_what_a_duel_says() {
    let game = game("newmarket", "", 5);
    let section = study(Study::Lead, &game, 200);
    let [stopper, longest] =
        ["stopper", "longest"].map(|name| Player::from(Strategy::named(name).unwrap()));
    let file = serde_json::json!({ "bases": { "lead": "random" }, "lead": ["run stops"] });
    let content = Content::from_json(&file).unwrap();
    let keeps: Player =
        Strategy::new("keeps", content.into(), &mut |name| Err(name.into())).unwrap().into();
    for (row, hero) in [("keep the lead", &keeps), ("longest", &longest)] {
        let duel = Duel { game: game.clone(), hero, field: &stopper, deals: 200, seed: 5 };
        let duel = duel.run(|_| {});
        let gain = figure(&section, 0, row, FIELD);
        // The same bits: the same deals, taken in in the same order.
        assert_eq!((gain.mean, gain.ci95), (duel.gain, duel.ci95), "{row}");
    }
}

#[test]
fn who_does_the_same_gains_exactly_nothing() {
    let lead = study(Study::Lead, &game("newmarket", "", 4), 128);
    let none = figure(&lead, 0, "stopper", FIELD);
    assert_eq!((none.mean, none.ci95), (0.0, 0.0));
    let ante = study(Study::Ante, &game("newmarket", "", 4), 128);
    let even = figure(&ante, 0, "1·1·1·1", "gain");
    assert_eq!((even.mean, even.ci95), (0.0, 0.0));
    assert_eq!(ante.tables[0].rows.len(), 35);
}

#[test]
fn threads_do_not_matter() {
    for (kind, game) in studies(4) {
        let on = |threads: usize| -> Section {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| study_of(Payoff::Session, kind, &game, 700))
        };
        let (one, three) = (on(1), on(3));
        assert_eq!(one, three, "{}", kind.name());
        assert!(one.precision > 0.0 && one.precision < 5.0, "{}", one.precision);
    }
}

#[test]
fn progress_adds_up_to_the_work() {
    // With more deals there is more to report of antes.
    let more = studies(3).into_iter().filter(|(kind, _)| *kind == Study::Ante);
    let all = studies(3).into_iter().map(|it| (it, 150)).chain(more.map(|it| (it, 700)));
    for ((kind, game), deals) in all {
        let stopper: Player = Strategy::named("stopper").unwrap().into();
        let told = std::sync::atomic::AtomicU64::new(0);
        let setting = newmarket_eval::study::Setting {
            game: game.clone(),
            field: &stopper,
            player: &stopper,
            deals,
            seed: 1,
            payoff: Payoff::Session,
        };
        let done = |played| {
            told.fetch_add(played, std::sync::atomic::Ordering::Relaxed);
        };
        kind.run(&setting, &done).unwrap();
        assert_eq!(told.into_inner(), kind.work(&game, deals), "{}", kind.name());
    }
}

#[test]
fn a_game_without_the_choice_is_refused() {
    for (kind, base, changes, says) in [
        (Study::Ante, "michigan", "", "the antes of michigan are fixed"),
        (Study::Ante, "newmarket", "cell_cap = 9", "a cap on the cells"),
        (Study::Ante, "newmarket", "cell_cap = 9\ntiming = \"after_look\"", "a cap on the cells"),
        (
            Study::Ante,
            "newmarket",
            "cells = [\"AS\"]\ntiming = \"after_look\"",
            "there is nothing to split",
        ),
        (
            Study::Ante,
            "newmarket",
            "layout_ante = { free = { chips = 20, dealer_chips = 20 } }",
            "1771 splits",
        ),
        (Study::DeadHand, "newmarket", "", "in newmarket nobody may take the dead hand"),
    ] {
        let error = kind.fits(&game(base, changes, 4)).unwrap_err().to_string();
        assert!(error.starts_with("nothing to study: ") && error.contains(says), "{error}");
    }
    for base in
        ["newmarket-buy", "michigan-widow", "michigan-auction", "four-horses", "three-in-one"]
    {
        let game = game(base, "", 4);
        Study::DeadHand.fits(&game).unwrap();
        assert!(study(Study::DeadHand, &game, 200).precision.is_finite(), "{base}");
    }
    // A dealer who stakes more tries nothing.
    let section = study(Study::Ante, &game("hoyle-1885", "", 4), 100);
    assert_eq!(section.tables[1].rows.len(), 3);
}

/// What a chip is worth that stays is told for each cell and three numbers of deals to come. Findings on seats name
/// the company.
#[test]
fn what_stays_is_told_where_chips_are_carried() {
    let game = game("newmarket", "", 3);
    for (payoff, rows) in [(Payoff::Session, 3 * 4), (Payoff::Deal, 0)] {
        let section = study_of(payoff, Study::Ante, &game, 200);
        let stays = section.tables.iter().find(|it| it.caption.contains("a chip left on a cell"));
        assert_eq!(stays.map_or(0, |table| table.rows.len()), rows, "{payoff:?}");
        let of_seats = section.findings.iter().filter(|it| it.starts_with("Ante, "));
        assert!(
            of_seats.clone().count() > 0 && of_seats.clone().all(|it| it.contains("among stopper"))
        );
    }
}

/// A copy of a table plays on like the table itself.
#[test]
fn a_table_can_be_copied() {
    let mut random = Strategy::named("random").unwrap();
    let mut table = Table::new(game("newmarket-buy", "", 4));
    for deal in 0..50 {
        table.begin(Seed::new(deal));
        for _ in 0..deal % 30 {
            if !table.is_over() {
                table.decide(|table, rng| random.act(&table.view(), rng));
            }
        }
        let mut copy = table.clone();
        let first = table.play_on(|table, rng| random.act(&table.view(), rng));
        assert_eq!(copy.play_on(|table, rng| random.act(&table.view(), rng)), first);
        let again = table.play(Seed::new(deal), |_, view, rng| random.act(view, rng));
        assert_eq!(again, first);
    }
}

/// Who has forgotten the discard holds it for possible that others have it.
#[test]
fn a_discard_can_be_forgotten() {
    let mut table = Table::new(game("newmarket-buy", "", 4));
    let mut random = Strategy::named("random").unwrap();
    for deal in 0..50 {
        table.begin(Seed::new(deal));
        while table.view().phase() != Phase::DeadHand {
            table.decide(|table, rng| random.act(&table.view(), rng));
        }
        let (dealer, discard) = (table.seat(), table.view().hand());
        table.take(Action::EXCHANGE);
        while !table.is_over() {
            let view = table.view();
            if table.seat() == dealer {
                let hidden = view.without_discard(|view| (view.hidden(), view.hand()));
                assert!(view.known_dead().is_superset(discard));
                // What the play has proven stays known.
                let forgotten = discard - view.record().dead;
                assert_eq!(hidden, (view.hidden() | forgotten, view.hand()));
            } else {
                view.without_discard(|forgetful| assert_eq!(*forgetful, view));
            }
            table.decide(|table, rng| random.act(&table.view(), rng));
        }
    }
}

/// Four cards of two suits for three players, all dealt. What is left at the end goes by lot.
const ALL_DEALT: &str = "\
    players = [3, 3]\nranks = 2\nsuits = 2\ncells = [\"AC\", \"2C\"]\n\
    layout_ante = { free = { chips = 2, dealer_chips = 2 } }\n\
    dead_hand = { position = \"none\", remainder = \"rotation\" }\n\
    session = { leftover = \"lot\", deals = 5 }\n";

/// The second seat follows a lead rather than leads itself: in the deal the deuce pays it, and the ace
/// does not. But an ace that stays is there when it leads.
#[test]
fn a_deal_alone_and_a_session_give_opposite_verdicts() {
    let game = game("newmarket", ALL_DEALT, 3);
    let of =
        |payoff| figure(&study_of(payoff, Study::Ante, &game, 20_000), 1, "seat 2", "all on AC");
    let (deal, session) = (of(Payoff::Deal), of(Payoff::Session));
    assert!(deal.mean + deal.ci95 < 0.0, "{deal}");
    assert!(session.mean - session.ci95 > 0.0, "{session}");
}

#[test]
fn what_is_measured_is_true() {
    let after_look = format!("{}timing = \"after_look\"\n", crate::exactly::SMALL);
    for (changes, players, rows) in
        [(crate::exactly::SMALL, 2, 9), (ALL_DEALT, 3, 5 + 6), (&after_look, 2, 5)]
    {
        // Whoever would play on otherwise is not asked: the exact values know only the field.
        let [field, player] =
            ["stopper", "longest"].map(|name| Player::from(Strategy::named(name).unwrap()));
        let setting = newmarket_eval::study::Setting {
            game: game("newmarket", changes, players),
            field: &field,
            player: &player,
            deals: 20_000,
            seed: 5,
            payoff: Payoff::Session,
        };
        let section = Study::Truth.run(&setting, &|_| {}).unwrap();
        let table = &section.tables[0];
        assert_eq!(table.rows.len(), rows, "{table:?}");
        for row in &table.rows {
            let ReportCell::Estimate(off) = row[4] else { panic!("{row:?}") };
            assert!(off.mean.abs() < 1.6 * off.ci95 + 1e-9 && off.ci95 < 0.05, "{row:?}");
        }
        assert!(section.findings[0].contains("exactly 0 are off"), "{:?}", section.findings);
    }
}
