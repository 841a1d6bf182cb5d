//! What every tip makes of a hand, and what is measured of it.

use std::sync::Arc;

use newmarket_agents::heuristic::stakes::{self, Ante};
use newmarket_agents::heuristic::{Heuristic, STOPPER, Style};
use newmarket_agents::paired::{Estimate, Mean};
use newmarket_agents::{Player, Table};
use newmarket_env::{
    Aces, Action, Card, CardSet, DealStart, Exchange, Game, Hands, Phase, Rules, Seed, State, Suit,
    View,
};

use super::catalogue::{Change, Claim, Stakes, TIPS, Tip};
use super::lineup::Lineup;
use super::trials::Trials;
use super::{Company, DEALS, Finding, Findings, Verdict, overview, run};
use crate::study::payoff::{Ledger, Payoff};
use crate::study::{ReportCell, Setting, Sizes};

/// Tips tested in the company of a field; whoever chooses plays on as this player.
fn among(
    [field, player]: [&str; 2],
    game: &Arc<Game>,
    tips: &[Tip],
    payoff: Payoff,
    (deals, seed): (u64, u64),
) -> Findings {
    let [field, player] =
        [field, player].map(|name| Player::from(Heuristic::named(name).expect("a heuristic")));
    let (game, reference) = (game.clone(), &field);
    let setting = Setting { game, field: &field, player: &player, reference, deals, seed, payoff };
    run(&setting, tips, &|_| ()).expect("they see their own cards")
}

/// The same in the companies of heuristics.
fn find(game: &Arc<Game>, tips: &[Tip], payoff: Payoff, deals: u64, seed: u64) -> Findings {
    among(["stopper"; 2], game, tips, payoff, (deals, seed))
}

fn game(text: &str, players: usize) -> Game {
    Game::new(Rules::from_toml(text, "test").expect("valid rules"), players).expect("they fit")
}

fn named(name: &str, players: usize) -> Arc<Game> {
    Arc::new(Game::new(Rules::named(name).expect("a named game"), players).expect("it seats them"))
}

fn cards(text: &str) -> CardSet {
    text.split_whitespace().map(|card| Card::parse(card, Aces::Low).expect("a card")).collect()
}

/// A deal with these hands and all other cards dead, seat 0 dealing and antes split evenly. A
/// dealer takes the dead hand or not.
fn dealt(game: &Game, hands: &[&str], exchange: bool) -> State {
    let mut all = Hands::default();
    for (seat, text) in all.seats.iter_mut().zip(hands) {
        *seat = cards(text);
    }
    all.dead = all.seats.iter().fold(game.pack(), |left, &hand| left - hand);
    let mut state = State::new(game, &DealStart::fresh(game.players(), 0));
    loop {
        let Some(seat) = state.actor() else {
            state.deal(game, &all);
            continue;
        };
        let view = state.view(game, seat);
        let action = match view.phase() {
            Phase::Ante => Ante::EVEN.chip(&view),
            Phase::DeadHand if exchange => Action::EXCHANGE,
            Phase::DeadHand => Action::KEEP,
            _ => return state,
        };
        state.apply(game, action).expect("it is legal");
    }
}

/// The suits that a style leads, drawn often enough to see them all.
fn leads(style: &Style, view: &View) -> String {
    let mut rng = Seed::new(7).rng();
    let led: Vec<Suit> = (0..200).filter_map(|_| style.choose(view, &mut rng).suit()).collect();
    Suit::ALL.into_iter().filter(|suit| led.contains(suit)).map(Suit::letter).collect()
}

/// The cells on which a style puts its chips, from the first seat that is asked.
fn split(style: &Style, state: &State, game: &Game) -> [i32; 4] {
    let (mut state, mut rng) = (*state, Seed::new(7).rng());
    let seat = state.actor().expect("an ante is due");
    while state.phase() == Phase::Ante && state.actor() == Some(seat) {
        let chip = style.choose(&state.view(game, seat), &mut rng);
        state.apply(game, chip).expect("it is legal");
    }
    std::array::from_fn(|cell| state.view(game, seat).staked(seat, cell))
}

fn styles(tip: &str, company: Company) -> [Style; 2] {
    let tip = Tip::named(tip).expect("a tip");
    // AS is claimed least often, KH most often.
    tip.change.styles(company, &[0, 2, 3, 1]).expect("it says something there")
}

/// The cards in the middle of a deal, after two sequences: 2C 3C, and 4C is dead; 5H 6H, and 7H is
/// dead. The viewer is to lead.
const MIDDLE: [&str; 3] = ["TC JC QC", "2C 5C 3D 5D 7D 9D JD 2H 3H 4H 6H QS KS", "3C 5H 9H TH"];

#[test]
fn every_tip_about_leads_leads_as_it_says() {
    let free = "base = \"newmarket-buy\"\nchange_suit = \"free\"\n";
    let game = game(free, 3);
    let mut kept = dealt(&game, &MIDDLE, false);
    let bought = dealt(&game, &["TC JC QC", "5C 2H 3H 4S KS", "6S"], true);
    let first = kept;
    for action in [Action::lead(Suit::Clubs), Action::lead(Suit::Hearts)] {
        kept.apply(&game, action).expect("it is legal");
    }
    let (random, stopper, ties) = (Company::Random, Company::Stopper, Company::StopperTies);
    let table = [
        // Tip, company, at what moment, the suits led with it and without.
        ("longest suit", random, &kept, "D", "CDHS"),
        // Its first question leaves HS, and hearts are longer.
        ("longest suit", stopper, &kept, "D", "H"),
        ("longest suit", ties, &kept, "H", "HS"),
        ("longest run", random, &kept, "H", "CDHS"),
        ("keep control", random, &kept, "HS", "CDHS"),
        ("boodle's suit", random, &kept, "D", "CDHS"),
        ("boodle's suit", stopper, &kept, "D", "H"),
        ("low cards first", random, &kept, "H", "CDHS"),
        ("low cards first", ties, &kept, "H", "HS"),
        ("do not hoard", random, &kept, "CDHS", "S"),
        ("do not hoard", ties, &kept, "HS", "S"),
        ("off-suit", random, &kept, "C", "CDHS"),
        ("off-suit", stopper, &kept, "C", "H"),
        ("unopened suit", random, &kept, "DS", "CDHS"),
        ("unopened suit", random, &first, "CDHS", "CDHS"),
        ("after a purchase", random, &kept, "CDHS", "CDHS"),
        ("after a purchase", random, &bought, "S", "CHS"),
        ("the same unasked", random, &kept, "S", "CDHS"),
        // `stopper` without a first choice between H and S: the twin must ask further.
        ("note the stops", random, &kept, "H", "H"),
        ("remember all cards", random, &kept, "H", "S"),
    ];
    for (tip, company, state, with, without) in table {
        let view = state.view(&game, 1);
        let styles = styles(tip, company);
        let led = [&styles[0], &styles[1]].map(|style| leads(style, &view));
        assert_eq!(led, [with, without], "{tip}, {}", company.name("stopper"));
    }
}

/// 4C has proven dead, so nobody can lead up to the 5: who has not noted the stop cannot tell.
#[test]
fn who_notes_the_stops_knows_what_is_out_of_reach() {
    let game = game("base = \"newmarket\"\nchange_suit = \"free\"\n", 3);
    let own = "2C 5C 3D 5D 7D 9D 2H 3H 6H QS";
    let mut state = dealt(&game, &["TC JC QC", own, "3C 5H 9H TH"], false);
    for action in [Action::lead(Suit::Clubs), Action::lead(Suit::Hearts)] {
        state.apply(&game, action).expect("it is legal");
    }
    let view = state.view(&game, 1);
    let led = styles("note the stops", Company::Stopper).map(|style| leads(&style, &view));
    assert_eq!(led, ["C", "D"]);
}

#[test]
fn every_tip_about_antes_stakes_as_it_says() {
    let before = named("newmarket", 3);
    let undealt = State::new(&before, &DealStart::fresh(3, 0));
    let after = game("base = \"newmarket\"\ntiming = \"after_look\"\n", 3);
    let looked = |hand: &str| {
        let mut state = State::new(&after, &DealStart::fresh(3, 0));
        let mut hands = Hands::default();
        hands.seats[1] = cards(hand);
        hands.dead = after.pack() - hands.seats[1];
        state.deal(&after, &hands);
        state
    };
    // Cells: AS KH QC JD.
    let poor = looked("2C 3C 4C 2H 3H");
    let rich = looked("2C 3C 4C 2H KH JD");
    let table = [
        ("skip the seldom played", &undealt, [0, 2, 1, 1], [1, 1, 1, 1]),
        ("stake on the most played", &undealt, [0, 4, 0, 0], [1, 1, 1, 1]),
        ("nothing to know", &undealt, [0, 4, 0, 0], [4, 0, 0, 0]),
        ("stake on your own", &rich, [0, 2, 0, 2], [1, 1, 1, 1]),
        ("stake on your own", &poor, [1, 1, 1, 1], [1, 1, 1, 1]),
        ("stake on what you can start", &rich, [0, 0, 4, 0], [1, 1, 1, 1]),
        ("stake on what you can start", &poor, [0, 0, 4, 0], [1, 1, 1, 1]),
        ("of your own, those you can start", &rich, [0, 4, 0, 0], [0, 2, 0, 2]),
    ];
    for (tip, state, with, without) in table {
        let game = if state.phase() == undealt.phase() && !state.view(&after, 1).is_dealt() {
            &*before
        } else {
            &after
        };
        for company in [Company::Random, Company::Stopper] {
            let split = styles(tip, company).map(|style| split(&style, state, game));
            assert_eq!(split, [with, without], "{tip}");
        }
    }
}

#[test]
fn every_tip_about_the_dead_hand_does_as_it_says() {
    let game = named("newmarket-buy", 3);
    let dealer = |hand: &str| {
        let mut state = State::new(&game, &DealStart::fresh(3, 0));
        let mut hands = Hands::default();
        hands.seats = [cards(hand), cards("2C 3C"), cards("4C 5C"), hands.dead, hands.dead]
            .into_iter()
            .chain([CardSet::EMPTY; 3])
            .collect::<Vec<_>>()
            .try_into()
            .expect("eight seats");
        hands.dead = hands.seats.iter().fold(game.pack(), |left, &hand| left - hand);
        while let Some(seat) = state.actor() {
            let chip = Ante::EVEN.chip(&state.view(&game, seat));
            state.apply(&game, chip).expect("it is legal");
        }
        state.deal(&game, &hands);
        state
    };
    let (poor, rich) = (dealer("2H 3H 9S"), dealer("2H 3H JD"));
    for (tip, state, with, without) in [
        ("change a poor hand", &poor, Action::EXCHANGE, Action::KEEP),
        ("change a poor hand", &rich, Action::KEEP, Action::KEEP),
        ("change only a poor hand", &poor, Action::EXCHANGE, Action::EXCHANGE),
        ("change only a poor hand", &rich, Action::KEEP, Action::EXCHANGE),
    ] {
        let view = state.view(&game, 0);
        let mut rng = Seed::new(1).rng();
        let done = styles(tip, Company::Random).map(|style| style.choose(&view, &mut rng));
        assert_eq!(done, [with, without], "{tip}");
    }
}

#[test]
fn every_tip_is_in_a_table_above() {
    let source = include_str!("tests.rs");
    for tip in TIPS {
        assert!(source.contains(&format!("(\"{}\", ", tip.name)), "{} is not tried", tip.name);
        assert_eq!(TIPS.iter().filter(|it| it.name == tip.name).count(), 1, "{}", tip.name);
    }
}

#[test]
fn what_changes_nothing_gains_exactly_nothing() {
    let held = Stakes::Picked(stakes::held);
    let changes = [
        Change::Lead(|_, _| 0),
        Change::Unlead(|_, _| 7),
        Change::LeadWhereBought(|_, _| 0),
        Change::Memory(&STOPPER),
        Change::Ante([Stakes::Even, Stakes::Even]),
        Change::AnteAfterLook([held, held]),
        Change::DeadHand([stakes::keep, stakes::keep]),
    ];
    let tip = |change| Tip { name: "nothing", says: "", modelled: "", claim: Claim::Gains, change };
    let found = find(&named("newmarket-buy", 3), &changes.map(tip), Payoff::Session, 60, 5);
    assert_eq!(found.findings.len(), 3 * 3 + 4 * 2);
    let nothing = Estimate { mean: 0.0, ci95: 0.0 };
    for it in &found.findings {
        assert_eq!((it.gain, it.gain_in_deal, it.own_cards), (nothing, nothing, nothing));
        assert_eq!((it.others_cards, it.leads, it.out), (nothing, nothing, nothing));
        assert_eq!(it.verdict, Verdict::ChangesNothing);
    }
}

/// In the company of the field whoever minds what decides nothing plays as the others do; the rest of the
/// rows have been tried among heuristics.
#[test]
fn who_minds_nothing_plays_on_as_before() {
    let held = Stakes::Picked(stakes::held);
    let changes = [
        Change::Lead(|_, _| 0),
        Change::Unlead(|_, _| 7),
        Change::Ante([held, held]),
        Change::DeadHand([stakes::keep, stakes::keep]),
    ];
    let tip = |change| Tip { name: "nothing", says: "", modelled: "", claim: Claim::Gains, change };
    let game = named("newmarket-buy", 3);
    for players in [["boodle", "boodle"], ["longest", "boodle"]] {
        let found = among(players, &game, &changes.map(tip), Payoff::Session, (60, 5));
        assert_eq!(found.findings.len(), changes.len());
        for it in &found.findings {
            assert_eq!(
                (it.company, it.verdict),
                (Company::Field, Verdict::ChangesNothing),
                "{players:?}"
            );
        }
    }
    // What it remembers is its own affair.
    let memory = [Tip::named("note the stops").expect("a tip")];
    assert!(among(["boodle"; 2], &game, &memory, Payoff::Deal, (60, 5)).findings.is_empty());
}

/// Who leads by length first and as `boodle` in ties, among `longest`: a style made of both.
#[test]
fn who_minds_a_tip_leads_by_it_and_then_as_before() {
    let game = named("michigan", 4);
    let tips = [Tip::named("boodle's suit").expect("a tip")];
    let found = among(["longest"; 2], &game, &tips, Payoff::Deal, (400, 3));
    // `boodle` asks for boodles first, then leads as `longest` does.
    let [mut hero, mut field] =
        ["boodle", "longest"].map(|name| Player::from(Heuristic::named(name).expect("one")));
    let (mut table, mut gain) = (Table::new(game), 0);
    for deal in 0..400 {
        let seed = Seed::new(3).child(4).child(DEALS).child(deal);
        table.duel(seed, &mut hero, &mut field, |it| gain += it.gain());
    }
    let it = found.at("boodle's suit", Company::Field).expect("it was tried");
    assert!(gain != 0);
    // `longest` does not tell what it likes: where several suits have the richest boodle, they may differ.
    assert!((it.gain.mean - f64::from(gain) / 1600.0).abs() < 0.02, "{} {gain}", it.gain);
}

/// Figures by role are the figure over all seats taken apart, and those by deals left too.
#[test]
fn roles_and_deals_left_add_up() {
    let tips = [Tip::named("longest suit").expect("a tip")];
    let found = find(&named("newmarket", 4), &tips, Payoff::Session, 2000, 3);
    for it in &found.findings {
        let mean = it.by_role.iter().map(|it| it.mean).sum::<f64>() / 4.0;
        assert!((mean - it.gain.mean).abs() < 1e-9, "{mean} {}", it.gain);
        // Of ten deals one is the last, one the last but one, three and five come before.
        let shares = [0.1, 0.1, 0.3, 0.5].iter().zip(&it.by_left);
        let mean: f64 = shares.map(|(share, it)| share * it.mean).sum();
        assert!((mean - it.gain.mean).abs() < 0.3 * it.gain.ci95, "{mean} {}", it.gain);
    }
}

#[test]
fn a_verdict_follows_from_the_interval() {
    let verdict = |claim, mean, ci95| Verdict::of(claim, Estimate { mean, ci95 }, 1);
    let (gains, same) = (Claim::Gains, Claim::MakesNoDifference);
    assert_eq!(verdict(gains, 0.2, 0.1), Verdict::Holds);
    assert_eq!(verdict(gains, 0.2, 0.2), Verdict::DoesNotHold);
    assert_eq!(verdict(gains, -0.1, 0.2), Verdict::DoesNotHold);
    assert_eq!(verdict(gains, -0.3, 0.2), Verdict::Harmful);
    assert_eq!(verdict(gains, 0.0, 0.0), Verdict::ChangesNothing);
    // Among a hundred verdicts the same figure says less: 1.96 standard errors are 3.48.
    let of_many = |mean| Verdict::of(gains, Estimate { mean, ci95: 0.1 }, 100);
    assert_eq!([0.17, 0.18].map(of_many), [Verdict::DoesNotHold, Verdict::Holds]);
    assert_eq!(verdict(same, 0.1, 0.2), Verdict::Holds);
    assert_eq!(verdict(same, -0.3, 0.2), Verdict::DoesNotHold);
    assert_eq!(verdict(same, 0.3, 0.2), Verdict::DoesNotHold);
}

/// The gain is what a duel of the same players finds on the same deals.
#[test]
fn a_gain_is_a_duel() {
    let game = named("michigan", 5);
    for tip in ["longest suit", "boodle's suit", "low cards first"] {
        let found = find(&game, &[Tip::named(tip).expect("a tip")], Payoff::Deal, 50, 3);
        for company in [Company::Random, Company::Stopper] {
            let [mut hero, mut field] = styles(tip, company).map(Player::from);
            let (mut table, mut gain) = (Table::new(game.clone()), 0);
            let root = Seed::new(3).child(5).child(DEALS);
            for deal in 0..50 {
                table.duel(root.child(deal), &mut hero, &mut field, |it| gain += it.gain());
            }
            let expected = f64::from(gain) / 250.0;
            let it = found.at(tip, company).expect("it was tried");
            assert!((it.gain.mean - expected).abs() < 1e-9, "{tip}: {} {expected}", it.gain);
        }
    }
}

/// Where stakes decide nothing else, what they gain in the deal they lose in the next.
#[test]
fn an_ante_before_the_deal_only_moves_chips_between_deals() {
    let found = find(&named("newmarket", 4), &TIPS, Payoff::Session, 2000, 1);
    for tip in ["skip the seldom played", "stake on the most played", "nothing to know"] {
        let it = found.at(tip, Company::Random).expect("it was tried");
        assert!(it.gain.mean.abs() < 0.03 && it.gain.ci95 > 0.0, "{tip}: {}", it.gain);
    }
    let it = found.at("stake on the most played", Company::Stopper).expect("it was tried");
    let (session, deal) = (it.gain, it.gain_in_deal);
    assert!(deal.mean - deal.ci95 > session.mean + session.ci95, "{deal} {session}");
}

/// Whole sessions know nothing of what chips that stay are said to be worth.
#[test]
fn whole_sessions_give_the_same_gains() {
    let tips = ["longest suit", "boodle's suit", "stake on the most played"];
    let tips = tips.map(|tip| Tip::named(tip).expect("a tip"));
    let found = find(&named("newmarket", 4), &tips, Payoff::Session, 10_000, 3);
    assert_eq!(found.sessions.len(), 6);
    for check in &found.sessions {
        let off = check.difference();
        assert!(off.mean.abs() < 1.6 * off.ci95, "{check:?}");
    }
    // A gain that leaves chips out is told apart: the test can fail.
    let stakes = found.at("stake on the most played", Company::Stopper).expect("it was tried");
    let sessions = found
        .sessions
        .iter()
        .find(|check| (check.tip, check.company) == ("stake on the most played", Company::Stopper));
    let sessions = sessions.expect("it was played through").in_sessions;
    let off = stakes.gain_in_deal.mean - sessions.mean;
    assert!(off > 1.6 * stakes.gain_in_deal.ci95.hypot(sessions.ci95), "{stakes:?} {sessions}");
}

#[test]
fn what_is_claimed_often_is_found_out() {
    let found = find(&named("newmarket", 4), &TIPS, Payoff::Deal, 400, 1);
    for company in [Company::Random, Company::Stopper] {
        let it = found.at("nothing to know", company).expect("it was tried");
        assert!(it.gain.mean > 0.02, "{}", it.gain);
    }
}

#[test]
fn luck_has_no_mean() {
    let game = named("newmarket", 4);
    let tips = ["skip the seldom played", "nothing to know"].map(|it| Tip::named(it).expect("one"));
    let stopper = &Heuristic::named("stopper").expect("a heuristic").into();
    let setting = Setting {
        game: game.clone(),
        field: stopper,
        player: stopper,
        reference: stopper,
        deals: 100,
        seed: 1,
        payoff: Payoff::Deal,
    };
    let trials = Trials::of(&setting, &tips, Seed::new(1)).expect("it sees its own cards");
    let mut table = Table::new(game);
    for trial in &trials.all {
        let mut lucks = Mean::default();
        for deal in 0..4000 {
            table.begin(Seed::new(2).child(deal));
            lucks.add(trials.luck(trial, &table.dealt()));
        }
        let mean = lucks.estimate();
        assert!(mean.ci95 > 0.0 && mean.mean.abs() < 2.0 * mean.ci95, "{mean}");
    }
}

#[test]
fn every_card_that_is_played_is_played_to_a_sequence() {
    for name in ["newmarket-buy", "four-horses", "michigan-widow"] {
        let (game, others) = (named(name, 4), Player::from(Company::Random.plain()));
        let ledger = Arc::new(Ledger::new(Payoff::Deal, &game, &others, 100, Seed::new(1)));
        let lined_up = |player| {
            let (game, ledger, others) = (game.clone(), ledger.clone(), others.another());
            Lineup { game, ledger, others, player }
        };
        let [alone, turns] = [None, Some(others.another())].map(lined_up);
        let (mut alone, mut turns) = (alone.seated(), turns.seated());
        for deal in 0..50 {
            let seed = Seed::new(4).child(deal);
            let outcomes = alone.play(deal, seed);
            let cards: f64 = outcomes.iter().map(|it| it.own + it.others).sum();
            assert_eq!(cards as usize, alone.table(deal).view().played().len());
            let begun: f64 = outcomes.iter().map(|it| it.leads).sum();
            assert!(begun >= 1.0);
            // A seat plays a card at least to each sequence that it chose to begin.
            assert!(outcomes.iter().all(|it| it.own >= it.leads && it.others >= 0.0));
            assert!(outcomes[..4].iter().all(|it| (it.sequences - begun).abs() < 0.5));
            assert!(outcomes.iter().map(|it| it.out).sum::<f64>() <= 1.0);
            // A player like all others changes nothing in any seat.
            assert_eq!(outcomes, turns.play(deal, seed));
        }
    }
}

#[test]
fn an_overview_takes_the_mean_over_tables() {
    let zero = Estimate { mean: 0.0, ci95: 0.0 };
    let table = |rules: &str, players, mean, ci95| Findings {
        rules: rules.into(),
        players,
        field: "stopper".into(),
        player: "stopper".into(),
        deals: 100,
        seed: 1,
        findings: vec![Finding {
            tip: "longest suit",
            company: Company::Stopper,
            gain: Estimate { mean, ci95 },
            gain_in_deal: zero,
            own_cards: zero,
            others_cards: zero,
            leads: zero,
            sequences: zero,
            out: zero,
            by_role: vec![Estimate { mean, ci95 }; players],
            by_left: Vec::new(),
            verdict: Verdict::Holds,
        }],
        sessions: Vec::new(),
    };
    let section = overview(&[
        table("here", 3, 0.1, 0.3),
        table("here", 5, 0.5, 0.4),
        table("there", 3, -0.2, 0.1),
    ]);
    let figure = |mean, ci95| ReportCell::Estimate(Estimate { mean, ci95 });
    let [means, full] = &section.tables[..] else { panic!("two tables") };
    let words: [ReportCell; 3] =
        ["longest suit", "stopper", "holds / harmful"].map(ReportCell::from);
    assert_eq!(means.rows, [[&words[..], &[figure(0.3, 0.25), figure(-0.2, 0.1)]].concat()]);
    assert_eq!(full.rows.len(), 2);
    assert_eq!(full.rows[1][2..], [ReportCell::Count(5), figure(0.5, 0.4), ReportCell::Empty]);
    assert!((section.precision - 0.4).abs() < 1e-9);
    assert_eq!(section.players, Sizes::Many(vec![3, 5]));
    assert!(section.findings[0].contains("of 2 games and companies it holds in 1"));
}

#[test]
fn threads_do_not_matter() {
    let game = named("newmarket-buy", 3);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| find(&game, &TIPS, Payoff::Session, 200, 9))
    };
    assert_eq!(on(1), on(2));
}

#[test]
fn only_tips_about_choices_that_a_game_has() {
    let tried = |name: &str| -> Vec<&str> {
        let game = named(name, 4);
        TIPS.iter().filter(|tip| tip.applies(&game)).map(|tip| tip.name).collect()
    };
    assert_eq!(tried("newmarket-buy").len(), TIPS.len());
    assert_eq!(tried("newmarket").len(), TIPS.len() - 4);
    assert_eq!(tried("michigan").len(), TIPS.len() - 4 - 6);
    assert!(tried("michigan-widow").contains(&"change a poor hand"));
    assert_eq!(named("michigan", 4).rules().exchange, Exchange::None);
}
