//! Lists of clauses that are found, against duels that are played deal by deal.

use std::sync::Arc;

use newmarket_agents::paired::{Estimate, PairedDuel};
use newmarket_agents::strategy::{self, Content, Strategy};
use newmarket_agents::{Agent, Player};
use newmarket_env::{Action, Game, Rng, Seed, View};
use newmarket_eval::study::Payoff;
use newmarket_eval::study::learn::{Learn, Learnt, Part};
use serde_json::{Value, json};

use crate::game as small;

/// The child of the seed for the deals that judge a list.
const FRESH: u64 = 1;

/// A pack of nine cards for two, six of which are dealt.
const SMALL: &str = "players = [2, 2]\nranks = 3\nsuits = 3\nremoved = []\ncells = [\"3C\", \"3D\"]\n\
    dead_hand = { position = \"last\", remainder = \"rotation\" }\nsession = { deals = 1 }\n";

fn player(json: &Value) -> Strategy {
    let content = Content::from_json(json).expect("no faults");
    let mut none = |name: &str| Err(format!("no player {name}"));
    Strategy::new("it", content.into(), &mut none).expect("its base is named")
}

fn learn(part: Part, game: &Arc<Game>, base: &str, deals: u64) -> Learnt {
    let base_player = player(&json!({ "base": base }));
    let field = Player::from(Strategy::named("stopper").expect("a strategy"));
    let learn = Learn {
        part,
        game: game.clone(),
        base: &base_player,
        base_in_file: base.into(),
        field: &field,
        without: &[],
        payoff: Payoff::Deal,
        deals,
        seed: 3,
    };
    let told = std::sync::atomic::AtomicU64::new(0);
    let done = |deals| {
        told.fetch_add(deals, std::sync::atomic::Ordering::Relaxed);
    };
    let learnt = learn.run(&done).expect("there is something to be learnt");
    assert_eq!(told.into_inner(), learn.work());
    learnt
}

/// What a player gains over another in the same seat, in chips a deal, played deal by deal.
fn duel(game: &Arc<Game>, hero: &Value, base: &str, deals: u64, seed: Seed) -> Estimate {
    let [hero, base] = [hero, &json!({ "base": base })].map(|json| Player::from(player(json)));
    let field = Player::from(Strategy::named("stopper").expect("a strategy"));
    let duel = PairedDuel { games: std::slice::from_ref(game), hero: &hero, field: &field, seed };
    duel.run_over(&base, deals, |_| {}).chips.estimate()
}

#[test]
fn gains_are_those_of_deals_played_one_by_one() {
    let fresh = Seed::new(3).child(FRESH);
    for (part, game, base) in [
        (Part::Lead, small("newmarket", "", 4), "usual"),
        // Draws a random number wherever two suits are left.
        (Part::Lead, small("michigan", "", 3), "random"),
        (Part::Ante, small("newmarket", "timing = \"after_look\"", 3), "stopper"),
        (Part::Ante, small("newmarket", "", 3), "stopper"),
        (Part::DeadHand, small("michigan-auction", "", 4), "basic"),
        (Part::DeadHand, small("four-horses", "", 4), "basic"),
    ] {
        let learnt = learn(part, &game, base, 200);
        let slowly = duel(&game, &learnt.file, base, 200, fresh);
        let (mean, ci95) = (learnt.gain.mean, learnt.gain.ci95);
        assert!((mean - slowly.mean).abs() < 1e-9, "{part:?} {base}: {mean} {slowly}");
        assert!((ci95 - slowly.ci95).abs() < 1e-9, "{part:?} {base}: {mean} {slowly}");
        // After a look, own boodles are the best cells, and `stopper` stakes on them.
        assert!(ci95 > 0.0 || part == Part::Ante, "{learnt:?}");
    }
}

/// Of all tests alone none is better than the list that was found, and some are worse.
#[test]
fn the_best_of_a_small_game_is_found() {
    let game = small("newmarket", SMALL, 2);
    let learnt = learn(Part::Lead, &game, "lowest", 2000);
    let facts = strategy::facts(strategy::Scope::Suit).iter();
    let tests: Vec<String> = facts
        .flat_map(|fact| (1..3).map(move |least| format!("{} >= {least}", fact.name)))
        .collect();
    let gain = |file: &Value| duel(&game, file, "lowest", 4000, Seed::new(9));
    let found = gain(&learnt.file);
    let mut worse = 0;
    for test in &tests {
        let alone = gain(&json!({ "base": "lowest", "lead": [test] }));
        assert!(found.mean > alone.mean - alone.ci95, "{test}: {alone}, {learnt:?}: {found}");
        worse += usize::from(found.mean > alone.mean + alone.ci95);
    }
    assert!(worse * 2 > tests.len(), "{worse} of {}", tests.len());
}

/// Whoever has taken the dead hand pays for one card instead of two, three chips each; it costs one. Eldest pays
/// nothing, and goes out at once either way.
#[test]
fn an_answer_that_always_pays_is_found() {
    let game = small(
        "newmarket",
        "players = [3, 3]\nranks = 5\nsuits = 3\ncells = []\nper_card = 3\nkitty_ante = 0\n\
         kitty_to_winner = true\nexchange = { offer_chain = { price = 1 } }\n\
         removed = [\"2C\", \"4C\", \"2D\", \"4D\", \"2H\", \"4H\", \"3H\", \"5H\"]\n\
         layout_ante = { fixed = { each = 0, dealer = 0 } }\n\
         dead_hand = { position = \"last\", remainder = \"rotation\" }\nsession = { deals = 1 }\n",
        3,
    );
    let base_player = player(&json!({ "base": "usual", "dead_hand": ["keep"] }));
    let keeps = Player::Fair(base_player.another());
    let learn = Learn {
        part: Part::DeadHand,
        game,
        base: &base_player,
        base_in_file: json!({ "base": "usual", "dead_hand": ["keep"] }),
        field: &keeps,
        without: &[],
        payoff: Payoff::Deal,
        deals: 400,
        seed: 1,
    };
    let learnt = learn.run(&|_| {}).expect("a dead hand");
    assert_eq!(learnt.ends, ["otherwise: take"]);
    assert_eq!(learnt.clauses, []);
    assert!((learnt.gain.mean - 4.0 / 3.0).abs() < 1e-9, "{learnt:?}");
    assert_eq!(learnt.file["dead_hand"], json!(["take"]));
}

#[test]
fn threads_do_not_matter() {
    for (part, game) in [
        (Part::Lead, small("newmarket", "", 4)),
        (Part::DeadHand, small("michigan-auction", "", 4)),
    ] {
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| learn(part, &game, "basic", 300))
        };
        assert_eq!(on(1), on(3), "{part:?}");
    }
}

/// A player that cannot choose among some of its choices.
struct Silent;
impl Agent for Silent {
    fn name(&self) -> &'static str {
        "silent"
    }
    fn act(&mut self, view: &View, _: &mut Rng) -> Action {
        view.legal().first().unwrap()
    }
    fn another(&self) -> Box<dyn Agent> {
        Box::new(Self)
    }
}

#[test]
fn what_cannot_be_learnt_is_refused() {
    let base = player(&json!({ "base": "stopper" }));
    let field = Player::Fair(base.another());
    let without = ["stps".to_owned()];
    let mut learn = Learn {
        part: Part::Ante,
        game: small("michigan", "", 4),
        base: &base,
        base_in_file: "stopper".into(),
        field: &field,
        without: &without,
        payoff: Payoff::Deal,
        deals: 100,
        seed: 1,
    };
    let told = |learn: &Learn| learn.run(&|_| {}).expect_err("it cannot be learnt").to_string();
    assert!(told(&learn).contains("the antes of michigan are fixed"), "{}", told(&learn));
    learn.part = Part::DeadHand;
    assert!(told(&learn).contains("nobody may take the dead hand"), "{}", told(&learn));
    learn.part = Part::Lead;
    assert!(
        told(&learn).contains("`stps` is no fact of a clause on `lead`: expected one of cards")
    );
    learn.base = &Silent;
    assert!(told(&learn).starts_with("`silent` cannot choose among what clauses leave"));
}
