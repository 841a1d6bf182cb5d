//! Best responses, compared with an oracle without sequences: it tries every pure strategy of a player by walking the
//! game.

use std::collections::HashMap;
use std::hash::Hash;

use newmarket_env::{Seed, seed};
use newmarket_eval::exact::{CfrPlus, ExtensiveGame, Node, OneDeal, Profile, Tree};

use crate::kuhn::Kuhn;
use crate::{FIVE_CARDS, FOUR_CARDS, THREE_CARDS, game};

type Behaviour<K> = HashMap<(usize, K), Vec<f64>>;

/// The payoff of each player, by walking the game.
fn play<G: ExtensiveGame>(
    game: &G,
    state: &G::State,
    behaviour: &Behaviour<G::InfoState>,
) -> Vec<f64> {
    let chances = match game.node(state) {
        Node::Terminal(payoffs) => return payoffs,
        Node::Chance(outcomes) => outcomes,
        Node::Decision { player, info_state, .. } => behaviour[&(player, info_state)].clone(),
    };
    let mut values = vec![0.0; game.players()];
    for (nth, chance) in chances.into_iter().enumerate().filter(|outcome| outcome.1 > 0.0) {
        for (value, after) in values.iter_mut().zip(play(game, &game.after(state, nth), behaviour))
        {
            *value += chance * after;
        }
    }
    values
}

/// A profile by information state.
fn by_knowledge<G: ExtensiveGame>(
    game: &G,
    tree: &Tree<G::State>,
    profile: &Profile,
) -> Behaviour<G::InfoState>
where
    G::InfoState: Clone + Eq + Hash,
{
    let infosets = tree.infosets().iter().enumerate();
    infosets
        .map(|(number, infoset)| match game.node(tree.example(number)) {
            Node::Decision { player, info_state, .. } => {
                ((player, info_state), profile.at(infoset).to_vec())
            }
            _ => unreachable!("an information set is of decisions"),
        })
        .collect()
}

/// The highest payoff of a player by any pure strategy against a profile.
fn best_pure<G: ExtensiveGame>(
    game: &G,
    tree: &Tree<G::State>,
    profile: &Profile,
    player: usize,
) -> f64
where
    G::InfoState: Clone + Eq + Hash,
{
    let mut behaviour = by_knowledge(game, tree, profile);
    let own: Vec<(usize, G::InfoState)> = (0..tree.infosets().len())
        .filter(|&number| tree.infosets()[number].player == player)
        .map(|number| match game.node(tree.example(number)) {
            Node::Decision { player, info_state, .. } => (player, info_state),
            _ => unreachable!("an information set is of decisions"),
        })
        .collect();
    let sizes: Vec<usize> = own.iter().map(|key| behaviour[key].len()).collect();
    let strategies: usize = sizes.iter().product();
    assert!(strategies <= 5000, "{strategies}");
    let mut best = f64::NEG_INFINITY;
    for mut strategy in 0..strategies {
        for (key, size) in own.iter().zip(&sizes) {
            let chances = behaviour.get_mut(key).unwrap();
            chances.fill(0.0);
            chances[strategy % size] = 1.0;
            strategy /= size;
        }
        best = best.max(play(game, &game.start(), &behaviour)[player]);
    }
    best
}

/// A random profile.
fn any_profile<S>(tree: &Tree<S>, seed: u64) -> Profile {
    let mut rng = Seed::new(seed).rng();
    tree.profile(|_, choices| {
        let weights: Vec<f64> = (0..choices).map(|_| seed::unit(&mut rng).powi(3)).collect();
        let total: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / total).collect()
    })
}

fn check<G: ExtensiveGame>(game: &G)
where
    G::InfoState: Clone + Eq + Hash,
{
    let tree = Tree::grow(game, 100_000).unwrap();
    let mut solver = CfrPlus::new(&tree);
    solver.run(200, |_| {});
    let profiles = [any_profile(&tree, 1), any_profile(&tree, 2), tree.uniform(), solver.average()];
    for (nth, profile) in profiles.iter().enumerate() {
        let found = tree.exploitability(profile);
        let walked = play(game, &game.start(), &by_knowledge(game, &tree, profile));
        for (player, walked) in walked.into_iter().enumerate() {
            let close = |a: f64, b: f64, what: &str| {
                assert!((a - b).abs() < 1e-12, "{nth}, player {player}, {what}: {a}, {b}");
            };
            close(found.values[player], walked, "value");
            let best = best_pure(game, &tree, profile, player);
            close(found.best_responses[player], best, "best response");
            // The best response gets the reported payoff.
            let response = tree.best_response(profile, player);
            let behaviour = by_knowledge(game, &tree, &response.profile);
            close(play(game, &game.start(), &behaviour)[player], best, "the response itself");
            assert!(found.gains[player] > -1e-12);
        }
    }
}

#[test]
fn in_kuhn_poker() {
    check(&Kuhn);
}

#[test]
fn with_four_cards() {
    check(&OneDeal::new(game("bazaar-1875", FOUR_CARDS, 2), 1000).unwrap());
}

#[test]
fn with_a_dead_hand_to_buy() {
    check(&OneDeal::new(game("newmarket-buy", FIVE_CARDS, 2), 1000).unwrap());
}

#[test]
fn with_antes_to_place() {
    check(&OneDeal::new(game("bazaar-1875", THREE_CARDS, 2), 1000).unwrap());
}
