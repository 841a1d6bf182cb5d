//! A game that only a rules file defines: the stages of Three in One on other cells.

mod common;

use common::{about, battery, marriage};
use newmarket_env::rules::Stage;
use newmarket_env::trace::{self, InSession};
use newmarket_env::{
    Action, ActionMask, Card, DealStart, Record, Referee, Seats, Seed, Session, perft,
};
use rayon::prelude::*;

/// The stages in every order, and each without the other.
const STAGES: [&str; 5] = [
    "",
    "stages = [\"poker\", \"collect\"]",
    "stages = [\"poker\"]",
    "stages = [\"collect\"]\nfirst_lead = \"eldest\"\n\
     cells = [\"AS\", { name = \"MARRIAGE\", claimed_by = [\"KC\", \"QC\"] }]",
    "stages = []\nfirst_lead = \"eldest\"\nlayout_ante = { free = { chips = 3, dealer_chips = 4 } }\n\
     cells = [{ name = \"MARRIAGE\", claimed_by = [\"KC\", \"QC\"] }, \
     { name = \"ACES\", claimed_by = [[\"AS\"], [\"AH\"]] }]",
];

#[test]
fn the_file_says_what_it_is_meant_to() {
    let game = marriage("", 4);
    let names: Vec<&str> = game.rules().cells.iter().map(|cell| cell.name.as_str()).collect();
    assert_eq!(names, ["AS", "KD", "MARRIAGE", "pool", "LADDER", "JC"]);
    assert_eq!(game.rules().stages, [Stage::Collect, Stage::Poker]);
    assert_eq!(game.rules().pot(), Some(3));
}

/// The deal that a seed gives, from the first lead without an exchange, the pot won by eldest.
fn lines_of_play(players: usize, seed: u64) -> u128 {
    let game = marriage("", players);
    let session = Session::single_deal(&game, Seed::new(seed));
    let dealer = session.deal_start().dealer;
    let seats = Seats::first(players);
    let hands = game.deal(session.pack(&game).cards(), dealer, seats);
    perft::perft(&game, dealer, seats, &hands, Some(seats.left_of(dealer)))
}

#[test]
fn it_has_the_lines_of_play_that_it_always_had() {
    let counts: Vec<[u128; 3]> =
        (2..=7).map(|players| [1, 2, 3].map(|seed| lines_of_play(players, seed))).collect();
    assert_eq!(counts, PERFT);
}

/// Frozen: by players from two, and seeds 1 to 3.
const PERFT: [[u128; 3]; 6] = [
    [29_882, 1_529_613, 48_689],
    [10_309, 16_819, 10_619],
    [3_537, 56_312, 53_100],
    [6_826, 68, 13_157],
    [96, 857, 480],
    [73, 38, 1_138],
];

#[test]
fn it_passes_the_battery_with_every_choice_of_stages() {
    let ways: Vec<(usize, &str)> =
        (2..=7).flat_map(|players| STAGES.map(|stages| (players, stages))).collect();
    ways.into_par_iter().for_each(|(players, stages)| {
        let game = marriage(stages, players);
        about(&format!("{players} players\n{stages}"), || {
            for seed in 0..3 {
                battery::session(&game, Seed::new(seed), 4);
            }
        });
    });
}

/// A deal at random.
fn deal<'g>(game: &'g newmarket_env::Game, seed: u64) -> Referee<'g> {
    let mut rng = Seed::new(seed).rng();
    let mut pack: Vec<Card> = game.pack().iter().collect();
    newmarket_env::seed::shuffle(&mut pack, &mut rng);
    let dealer = seed as usize % game.players();
    let decide = |_: &Referee<'_>, _: usize, legal: ActionMask| {
        Ok::<Action, String>(common::pick(legal, &mut rng))
    };
    Referee::play(game, DealStart::fresh(game.players(), dealer), &pack, decide).expect("legal")
}

#[test]
fn its_traces_are_read_and_played_again() {
    let mut all = String::new();
    for stages in STAGES {
        for players in 2..=7 {
            let game = marriage(stages, players);
            let mut lines = String::new();
            for seed in 0..20 {
                let record = Record::of(&deal(&game, seed), InSession::default());
                let line = record.to_line();
                assert_eq!(Record::parse(&line, 1), Ok(record));
                lines += &line;
                lines += "\n";
            }
            let summary = trace::check(lines.as_bytes()).unwrap_or_else(|fault| panic!("{fault}"));
            assert_eq!(summary.deals, 20);
            all += &lines;
        }
    }
    for event in [
        r#""e":"collect","seat":0,"cell":"MARRIAGE""#,
        r#""e":"collect","seat":1,"cell":"LADDER""#,
        r#""e":"claim","seat":0,"cell":"MARRIAGE""#,
        r#""e":"claim","seat":1,"cell":"LADDER""#,
        r#""e":"claim","seat":0,"cell":"ACES""#,
        r#""e":"showdown""#,
    ] {
        assert!(all.contains(event), "{event} is not among what happened");
    }
    // A share that is not due is a fault.
    let (good, bad) = (r#""cell":"LADDER","chips":"#, r#""cell":"LADDER","chips":9"#);
    let wrong =
        all.lines().find(|line| line.contains(good)).expect("seen above").replace(good, bad);
    let fault = trace::check(wrong.as_bytes()).expect_err("too many chips");
    assert!(fault.to_string().contains("due was"), "{fault}");
}
