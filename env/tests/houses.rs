//! Houses at random: valid, spread as they should be, the same everywhere.

use std::collections::{BTreeMap, BTreeSet};

use newmarket_env::rules::{ChangeSuit, DeadHand, Exchange, House, LayoutAnte, NAMES, Timing};
use newmarket_env::{Game, Rules, Seed};

const HOUSES: u64 = 4_000;

fn houses() -> impl Iterator<Item = House> {
    (0..HOUSES).map(|nth| House::draw(Seed::new(5).child(nth)))
}

/// The share of the houses of which this holds.
fn share(holds: impl Fn(&House) -> bool) -> f64 {
    houses().filter(|house| holds(house)).count() as f64 / HOUSES as f64
}

fn base(house: &House) -> Rules {
    Rules::named(house.rules.base).expect("a named game")
}

/// Every house can be set up and written to a file that says the same; hands have three cards.
#[test]
fn houses_can_be_played() {
    for house in houses() {
        let game = Game::new(house.rules.clone(), house.players).expect("a table");
        let text = house.rules.to_toml();
        assert_eq!(Rules::from_toml(&text, "house").expect("valid"), house.rules);
        let hands = house.players + usize::from(house.rules.dead_hand != DeadHand::None);
        assert!(game.pack().len() / hands >= 3, "{text}");
    }
}

#[test]
fn bases_and_players_are_uniform() {
    let mut counts = BTreeMap::new();
    for house in houses() {
        *counts.entry((house.rules.base, house.players)).or_insert(0.0) += 1.0;
    }
    for name in NAMES {
        let (least, most) = Rules::named(name).expect("a named game").players;
        let due = HOUSES as f64 / NAMES.len() as f64 / (most - least + 1) as f64;
        for players in least..=most {
            // Five standard deviations of a Poisson distribution.
            let count: f64 = counts.remove(&(name, players)).unwrap_or(0.0);
            assert!(
                (count - due).abs() < 5.0 * due.sqrt(),
                "{name}, {players}: {count}, not {due}"
            );
        }
    }
    assert!(counts.is_empty(), "{counts:?}");
}

/// An option keeps its value with probability 0.7, or is drawn, when it may come out the same.
#[test]
fn options_are_kept_or_drawn() {
    let near = |found: f64, due: f64, what: &str| {
        assert!((found - due).abs() < 0.04, "{what}: {found}, not {due}");
    };
    near(share(|it| it.rules.per_card == base(it).per_card), 0.7 + 0.3 / 3.0, "per card");
    near(share(|it| it.rules.aces == base(it).aces), 0.7 + 0.3 / 2.0, "aces");
    near(share(|it| it.rules.kitty_ante == base(it).kitty_ante), 0.7 + 0.3 / 3.0, "kitty");
    let deals = share(|it| it.rules.session.deals == base(it).session.deals);
    near(deals, 0.7 + 0.3 / 4.0, "deals");
    near(share(|it| it.rules.ranks < 13 || it.rules.suits < 4), 0.1, "scaled packs");
    let free = |it: &House| matches!(it.rules.layout_ante, LayoutAnte::Free { .. });
    let look = |it: &House| it.rules.timing == Timing::AfterLook;
    near(share(|it| free(it) && look(it)) / share(free), 0.5, "antes after the look");
    assert!(houses().all(|it| free(&it) || !look(&it)), "there is nothing to look for");
    let cells: BTreeSet<usize> = houses().map(|house| house.rules.cells.len()).collect();
    assert_eq!(cells, (1..=8).collect());
}

#[test]
fn some_are_never_trained_on() {
    let pair = |it: &House| {
        let free = matches!(it.rules.layout_ante, LayoutAnte::Free { .. });
        it.rules.timing == Timing::AfterLook && it.rules.exchange != Exchange::None
            || it.rules.change_suit == ChangeSuit::OtherColour && free
    };
    assert!(houses().all(|it| it.has_excluded_pair() == pair(&it)));
    assert!(houses().all(|it| it.is_held_out() == (it.hash() % 8 == 0)));
    let by_hash = share(|it| it.hash() % 8 == 0);
    assert!((by_hash - 0.125).abs() < 0.03, "{by_hash}");
    assert!(share(pair) > 0.05);
    // Neither base nor name is played.
    let mut house = houses().next().expect("a house");
    let hash = house.hash();
    let named = format!("name = \"ours\"\n{}", house.rules.to_toml());
    house.rules = Rules::from_toml(&named, "house").expect("valid");
    assert_eq!(house.hash(), hash);
    house.players += 1;
    assert_ne!(house.hash(), hash);
}

/// Frozen: champions are judged in houses by their seeds and hashes.
#[test]
fn houses_are_stable() {
    let all = houses().fold(0_u64, |all, house| all.rotate_left(5) ^ house.hash());
    assert_eq!(all, 1_201_217_331_303_551_381);
}

#[test]
fn a_house_has_a_name() {
    let drawn = House::draw(Seed::new(17)).rules;
    let loaded = Rules::load("house:17").expect("a house");
    assert_eq!((loaded.title(), loaded.overrides()), ("house:17", drawn.overrides()));
    for name in ["house:", "house:x", "house:-1", "house:18446744073709551616"] {
        let error = Rules::load(name).expect_err("no number").to_string();
        assert_eq!(
            error,
            format!("unknown house `{name}`: expected house:N with a whole number of 64 bits")
        );
    }
}
