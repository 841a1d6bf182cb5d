//! Duels ask the field for no decision twice; all deals come out as if they did.

use std::sync::Arc;

use newmarket_agents::paired::{DealGain, PairedDuel};
use newmarket_agents::strategy::Strategy;
use newmarket_agents::{Player, Table, search};
use newmarket_env::rules::{House, NAMES};
use newmarket_env::{Game, Rules, Seed};

fn player(name: &str) -> Player {
    match search::named(name, None).expect("a name that can be read") {
        Some(found) => found,
        None => Strategy::named(name).expect("a heuristic").into(),
    }
}

/// What the hero gains over the field, by deals that are all played from their beginning.
fn plain(game: &Arc<Game>, seed: Seed, hero: &Player, field: &Player) -> DealGain {
    let mut table = Table::new(game.clone());
    let mut players = [hero.another(), field.another()];
    let base = table.play_seated(seed, &mut players, |_| 1);
    let mut gain = DealGain { chips: 0, wins: 0, players: game.players() };
    for seat in 0..game.players() {
        let result = table.play_seated(seed, &mut players, |at| usize::from(at != seat));
        gain.chips += result.payoffs[seat] - base.payoffs[seat];
        gain.wins += u32::from(result.winner == Some(seat));
    }
    gain
}

/// All named games, and house rules: antes after a look, caps, exchanges of every kind.
fn games() -> Vec<Arc<Game>> {
    let named = NAMES.into_iter().flat_map(|name| {
        let rules = Rules::named(name).expect("a named game");
        let players = [rules.players.0, rules.players.1.min(5)];
        players.map(|players| (rules.clone(), players))
    });
    let houses = (0..24).map(|number| {
        let house = House::draw(Seed::new(number));
        (house.rules, house.players)
    });
    let game = |(rules, players)| Arc::new(Game::new(rules, players).expect("it seats them"));
    named.chain(houses).map(game).collect()
}

#[test]
fn what_is_not_asked_twice_is_done_again() {
    // Heroes that often do as the field does, and fields that draw random numbers.
    let pairs = [
        ("longest", "stopper", "boodle"),
        ("stopper", "pimc:6", "pimc:4"),
        ("pimc:6", "random", "stopper"),
        ("random", "random", "pimc:3"),
        ("omniscient", "ismcts:8", "longest"),
    ];
    let seed = Seed::new(41);
    let mut differ = 0;
    for game in games() {
        let (title, games) = (game.rules().title(), [game.clone()]);
        for (hero, field, other) in pairs {
            let (hero, field, other) = (player(hero), player(field), player(other));
            let duel = PairedDuel { games: &games, hero: &hero, field: &field, seed };
            let over = duel.play_over(&other, 0..4);
            for (deal, (gain, over)) in duel.play(0..4).into_iter().zip(over).enumerate() {
                let seed = seed.child(deal as u64);
                let slow = plain(&game, seed, &hero, &field);
                assert_eq!(gain, slow, "{title}, {} at a table of {}", hero.name(), field.name());
                let chips = slow.chips - plain(&game, seed, &other, &field).chips;
                assert_eq!(over, DealGain { chips, ..slow }, "{title}, over {}", other.name());
                differ += i32::from(chips != 0);
            }
        }
    }
    assert!(differ > 200, "{differ} deals say something");
}
