//! Duels ask the field for no decision twice; all deals come out as if they did.

use std::sync::Arc;

use newmarket_agents::paired::{DealGain, PairedDuel};
use newmarket_agents::strategy::{DecisionKind, Strategy};
use newmarket_agents::{Mixed, Player, Table, search};
use newmarket_env::rules::{House, NAMES};
use newmarket_env::{Game, MAX_PLAYERS, Rules, Seed};

fn player(name: &str) -> Player {
    match search::named(name, None).expect("a name that can be read") {
        Some(found) => found,
        None => Strategy::named(name).expect("a heuristic").into(),
    }
}

/// What the hero gains over the field, by deals that are all played from their beginning.
fn plain(game: &Arc<Game>, seed: Seed, hero: &Player, field: &Player) -> DealGain {
    let mut table = Table::new(game.clone());
    let mut agents = [hero.another(), field.another()];
    let base = table.play_seated(seed, &mut agents, |_| 1);
    let players = game.players();
    let mut gain = DealGain { chips: 0, by_role: [0; MAX_PLAYERS], wins: 0, players };
    // The seat at the left of the dealer is eldest.
    let role = |seat: usize| (seat + players - 1 - table.dealer()) % players;
    let roles: Vec<usize> = (0..players).map(role).collect();
    for (seat, role) in roles.into_iter().enumerate() {
        let result = table.play_seated(seed, &mut agents, |at| usize::from(at != seat));
        let chips = result.payoffs[seat] - base.payoffs[seat];
        gain.chips += chips;
        gain.by_role[role] = chips;
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
                let others = plain(&game, seed, &other, &field);
                let chips = slow.chips - others.chips;
                let by_role = std::array::from_fn(|role| slow.by_role[role] - others.by_role[role]);
                let slow = DealGain { chips, by_role, ..slow };
                assert_eq!(over, slow, "{title}, over {}", other.name());
                assert_eq!(by_role.iter().sum::<i32>(), chips);
                differ += i32::from(chips != 0);
            }
        }
    }
    assert!(differ > 200, "{differ} deals say something");
}

/// Each kind of decision by itself: the hero at these decisions, the field at all others.
#[test]
fn a_mixed_player_takes_its_kind_of_decision_as_one_and_all_others_as_another() {
    let field = player("stopper");
    for (hero, kind) in [("longest", DecisionKind::Lead), ("random", DecisionKind::Ante)] {
        let hero = player(hero);
        let mixed = Mixed::player(kind, &hero, &field).expect("both are fair");
        for game in games() {
            let mut table = Table::new(game.clone());
            for deal in 0..3 {
                let seed = Seed::new(5).child(deal);
                let by_mixed = table.play_seated(seed, &mut [mixed.another()], |_| 0);
                let (mut hero, mut field) = (hero.another(), field.another());
                table.begin(seed);
                let by_hand = table.play_on(|view, rng| {
                    let own = DecisionKind::of(view.view().phase()) == Some(kind);
                    if own { hero.act(view, rng) } else { field.act(view, rng) }
                });
                assert_eq!(by_mixed, by_hand, "{}", game.rules().title());
            }
        }
    }
    assert!(Mixed::player(DecisionKind::Lead, &player("omniscient"), &field).is_none());
    assert_eq!(mixed_name(&field), "leads of longest, else stopper");
}

fn mixed_name(field: &Player) -> String {
    let longest = player("longest");
    Mixed::player(DecisionKind::Lead, &longest, field).expect("both are fair").name().to_owned()
}
