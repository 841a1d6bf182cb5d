//! What a network sees of a view, held against a naive twin and against a file.
//!
//! `encoding.golden` has the entries of some views under the version that wrote them. A network
//! is only as good as the encoding that it was trained on, so whoever changes what any of them
//! means raises `VERSION` in `env/src/encode/spans.rs`, and only then writes the file anew:
//!
//! ```sh
//! NEWMARKET_GOLDEN=write cargo test --release -p newmarket-env --test encoding
//! ```

mod common;

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use common::{about, all_tables, any_rules, house, naive, pick, table};
use newmarket_env::encode::{SPANS, VERSION, fingerprint, permute_suits};
use newmarket_env::rules::Bankroll;
use newmarket_env::{
    Action, Card, CardSet, DealStart, Env, Episode, Game, Hands, Observation, Phase, Seed, State,
    View,
};
use rayon::prelude::*;

/// Checks all seats' observations at every decision of an episode, and at its end.
fn check(game: &Arc<Game>, episode: Episode, seed: Seed) {
    let mut env = Env::new(game.clone(), episode).show_forced(true);
    env.reset(seed);
    let mut rng = seed.child(9).rng();
    let mut flat = vec![f32::NAN; Observation::LEN];
    loop {
        for seat in 0..game.players() {
            let view = env.observe(seat);
            Observation::of(&view).write(&mut flat);
            let slow = naive::encode(&view);
            for span in SPANS {
                let entries = span.start..span.start + span.len;
                // Means are sums in another order.
                let equal =
                    |(one, two): (&f32, &f32)| (one - two).abs() < 1e-5 * two.abs().max(1.0);
                let pairs = flat[entries.clone()].iter().zip(&slow[entries.clone()]);
                assert!(
                    pairs.clone().all(equal),
                    "{} in {view:?}: {:?}, not {:?}",
                    span.name,
                    &flat[entries.clone()],
                    &slow[entries]
                );
            }
        }
        if env.is_over() {
            return;
        }
        env.step(pick(env.legal(), &mut rng)).expect("it is legal");
    }
}

#[test]
fn an_observation_is_its_naive_twin() {
    all_tables().into_par_iter().for_each(|game| {
        let label = format!("{} with {} players", game.rules().title(), game.players());
        let game = Arc::new(game);
        about(&label, || {
            for seed in 0..6 {
                check(&game, Episode::Deal, Seed::new(seed));
            }
            check(&game, Episode::Session, Seed::new(7));
        });
    });
}

#[test]
fn so_it_is_under_any_rules() {
    (0..200_u64).into_par_iter().for_each(|number| {
        let seed = Seed::new(number);
        let mut rng = seed.rng();
        let (game, text) = any_rules::game(&mut rng);
        about(&text, || check(&Arc::new(game), Episode::Session, seed));
    });
}

/// A view that is worth keeping: after so many decisions of this phase in a deal, as the seat so
/// many to the left of whoever is to act sees it.
struct Kept {
    game: Game,
    phase: Phase,
    decisions: usize,
    seat: usize,
    seed: u64,
}

fn kept() -> Vec<Kept> {
    let view = |game, phase, decisions, seat, seed| Kept { game, phase, decisions, seat, seed };
    let named = table;
    let played = house("three-in-one", "claim_when = \"played\"\n", 3);
    let look = house("newmarket", "timing = \"after_look\"\n", 4);
    vec![
        view(named("newmarket", 4), Phase::Ante, 6, 0, 1),
        view(look, Phase::Ante, 5, 0, 2),
        view(named("newmarket", 4), Phase::Lead, 0, 0, 1),
        view(named("newmarket", 3), Phase::Lead, 6, 0, 3),
        view(named("newmarket", 8), Phase::Lead, 3, 5, 4),
        view(named("newmarket-buy", 5), Phase::DeadHand, 0, 0, 5),
        view(named("south-london", 4), Phase::Lead, 4, 0, 6),
        view(named("hoyle-1885", 6), Phase::Over, 0, 2, 7),
        view(named("michigan-auction", 4), Phase::Auction, 2, 1, 8),
        view(named("michigan-widow", 3), Phase::Lead, 5, 0, 15),
        view(named("four-horses", 2), Phase::Lead, 9, 1, 9),
        view(named("three-in-one", 4), Phase::SetApart, 7, 0, 10),
        view(named("three-in-one", 6), Phase::Bet, 4, 0, 11),
        view(named("three-in-one", 4), Phase::Lead, 3, 3, 12),
        view(played, Phase::Lead, 2, 0, 13),
    ]
}

/// Numbers that no change of the project's own generator moves.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % n
    }
}

impl Kept {
    /// Calls `act` with the view.
    fn reach(&self, act: impl FnOnce(&View)) {
        let game = &self.game;
        let mut dice = Dice(self.seed);
        let mut deal_start = DealStart::fresh(game.players(), dice.below(game.players()));
        let cells = &mut deal_start.layout[..game.cells()];
        for chips in cells {
            *chips = dice.below(4) as i32;
        }
        if let Bankroll::Chips { start, .. } = game.rules().session.bankroll {
            deal_start.credit = false;
            deal_start.stacks[..game.players()].fill(start);
        }
        let mut state = State::new(game, &deal_start);
        let mut decisions = self.decisions;
        loop {
            if state.phase() == self.phase {
                if decisions == 0 {
                    let seat = state.actor().unwrap_or(0) + self.seat;
                    return act(&state.view(game, seat % game.players()));
                }
                decisions -= 1;
            }
            if state.phase() == Phase::Deal {
                let mut pack: Vec<Card> = game.pack().iter().collect();
                for last in (1..pack.len()).rev() {
                    pack.swap(last, dice.below(last + 1));
                }
                state.deal(game, &game.deal(&pack, deal_start.dealer, deal_start.seats_in));
                continue;
            }
            if state.is_over() {
                // Another deal, then.
                (state, decisions) = (State::new(game, &deal_start), self.decisions);
                continue;
            }
            let legal = state.legal(game);
            let action = legal.nth(dice.below(legal.len())).expect("a choice");
            state.apply(game, action).expect("it is legal");
        }
    }
}

/// The entries that are not 0, a line a span.
fn entries(view: &View, text: &mut String) {
    let mut last = "";
    Observation::of(view).for_each_nonzero(|index, value| {
        let span = SPANS.iter().rfind(|span| span.start <= index).expect("spans begin at 0");
        if span.name != last {
            write!(text, "\n{}:", span.name).expect("a string");
            last = span.name;
        }
        write!(text, " {}={value}", index - span.start).expect("a string");
    });
}

fn golden() -> String {
    let mut text = String::new();
    for kept in kept() {
        let (title, players) = (kept.game.rules().title(), kept.game.players());
        kept.reach(|view| {
            let (phase, seat) = (view.phase(), view.seat());
            write!(text, "\n# {title}, {players} players, {phase:?}, seat {seat}")
                .expect("a string");
            entries(view, &mut text);
            text.push('\n');
        });
    }
    text
}

#[test]
fn no_entry_changes_its_meaning_within_a_version() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/encoding.golden");
    let head = |version| format!("version {version}\nfingerprint {:016x}\n", fingerprint());
    let now = golden();
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    if text.starts_with(&format!("version {VERSION}\n")) {
        let same = text == head(VERSION) + &now;
        let changed = now.lines().zip(text.lines().skip(2)).find(|(now, then)| now != then);
        assert!(
            same,
            "the encoding changed, its version did not: raise VERSION in \
             env/src/encode/spans.rs, then see the head of this test. First change: {changed:?}"
        );
    } else if std::env::var_os("NEWMARKET_GOLDEN").is_some() {
        std::fs::write(&path, head(VERSION) + &now).expect("the file can be written");
    } else {
        panic!("the file is of another version: the head of this test says how to write it anew");
    }
}

/// A layout whose suits are these instead of clubs, diamonds, hearts and spades.
fn dressed(suits: [usize; 4], base: &str, players: usize) -> Game {
    let card = |rank: char, suit: usize| format!("\"{rank}{}\"", ['C', 'D', 'H', 'S'][suits[suit]]);
    let cells = [card('A', 0), card('K', 1), card('Q', 2), card('9', 0)].join(", ");
    house(base, &format!("cells = [{cells}]\nfirst_lead = \"eldest\"\n"), players)
}

fn redressed(cards: CardSet, suits: [usize; 4]) -> CardSet {
    cards.iter().filter_map(|card| Action::pick(card).permute_suits(suits).card()).collect()
}

/// A deal and the same deal in other suits, decision by decision.
#[test]
fn suits_change_places_in_an_observation_as_they_do_in_a_deal() {
    let same = [0, 1, 2, 3];
    for (base, suits) in [
        ("newmarket", [1, 2, 3, 0]),
        ("newmarket-buy", [3, 1, 2, 0]),
        ("michigan-auction", [2, 3, 1, 0]),
        ("four-horses", [3, 2, 1, 0]),
        ("four-horses", [1, 0, 3, 2]),
    ] {
        let (plain, other) = (dressed(same, base, 4), dressed(suits, base, 4));
        let places = permute_suits(suits);
        let (mut one, mut two) = (vec![0.0; Observation::LEN], vec![0.0; Observation::LEN]);
        for seed in 0..40 {
            let mut rng = Seed::new(seed).rng();
            let deal_start = DealStart::fresh(4, seed as usize % 4);
            let hands = plain.shuffle_and_deal(&mut rng, deal_start.dealer, deal_start.seats_in);
            let permuted_hands = Hands {
                seats: hands.seats.map(|cards| redressed(cards, suits)),
                dead: redressed(hands.dead, suits),
            };
            let (mut left, mut right) =
                (State::new(&plain, &deal_start), State::new(&other, &deal_start));
            while !left.is_over() {
                if left.phase() == Phase::Deal {
                    left.deal(&plain, &hands);
                    right.deal(&other, &permuted_hands);
                    continue;
                }
                for seat in 0..4 {
                    Observation::of(&left.view(&plain, seat)).write(&mut one);
                    Observation::of(&right.view(&other, seat)).write(&mut two);
                    let back: Vec<f32> = places.iter().map(|&place| two[place]).collect();
                    assert_eq!(one, back, "{base} {suits:?}");
                }
                let action = pick(left.legal(&plain), &mut rng);
                left.apply(&plain, action).expect("legal");
                right.apply(&other, action.permute_suits(suits)).expect("legal there, too");
            }
        }
    }
}
