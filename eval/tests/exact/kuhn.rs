//! Kuhn poker (1950): three cards, one of them to each of two players, an ante of one chip and one
//! bet of one chip. Its equilibria are known: the first player loses 1/18 of a chip a game, bets
//! the jack with some probability `a` of at most 1/3 and the king with `3 a`.

use newmarket_eval::exact::{CfrPlus, ExtensiveGame, Infoset, Node, Profile, Tree};

/// The game.
pub(crate) struct Kuhn;

/// Cards 0 (jack) to 2 (king), and what was done: `p` pass, `b` bet.
#[derive(Clone)]
pub(crate) struct Table {
    cards: Vec<u8>,
    done: String,
}

impl ExtensiveGame for Kuhn {
    type State = Table;
    type InfoState = (u8, String);

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Table {
        Table { cards: Vec::new(), done: String::new() }
    }

    fn node(&self, table: &Table) -> Node<(u8, String)> {
        let [first, second] = table.cards[..] else {
            return Node::Chance(vec![1.0 / (3 - table.cards.len()) as f64; 3 - table.cards.len()]);
        };
        let showdown = |chips: f64| if first > second { chips } else { -chips };
        let payoff = match table.done.as_str() {
            "pp" => showdown(1.0),
            "bb" | "pbb" => showdown(2.0),
            "bp" => 1.0,
            "pbp" => -1.0,
            done => {
                let player = done.len() % 2;
                let info_state = (table.cards[player], done.to_owned());
                return Node::Decision { player, info_state, choices: 2 };
            }
        };
        Node::Terminal(vec![payoff, -payoff])
    }

    fn after(&self, table: &Table, nth: usize) -> Table {
        let mut next = table.clone();
        if table.cards.len() < 2 {
            let rest = (0..3).filter(|card| !table.cards.contains(card));
            next.cards.extend(rest.skip(nth).take(1));
        } else {
            next.done.push(if nth == 0 { 'p' } else { 'b' });
        }
        next
    }
}

/// The information set of a card after these actions.
fn find(tree: &Tree<Table>, card: u8, done: &str) -> Infoset {
    let is_it = |&number: &usize| {
        let table = tree.example(number);
        table.done == done && table.cards[done.len() % 2] == card
    };
    tree.infosets()[(0..tree.infosets().len()).find(is_it).unwrap()]
}

#[test]
fn its_size_is_known() {
    let tree = Tree::grow(&Kuhn, 1000).unwrap();
    assert_eq!((tree.states(), tree.infosets().len()), (1 + 3 + 6 + 6 * 8, 12));
}

#[test]
fn cfr_plus_finds_the_known_equilibrium() {
    let tree = Tree::grow(&Kuhn, 1000).unwrap();
    let mut solver = CfrPlus::new(&tree);
    let result = solver.run(10_000, |_| {});
    assert!(result.nash_conv < 1e-4, "{}", result.nash_conv);
    assert!((result.values[0] + 1.0 / 18.0).abs() < 1e-4, "{:?}", result.values);
    assert!((result.values[0] + result.values[1]).abs() < 1e-12);
    let profile = solver.average();
    let bets = |card, done| profile.at(&find(&tree, card, done))[1];
    let [jack, queen, king] = [0, 1, 2];
    let a = bets(jack, "");
    assert!((-1e-3..1.0 / 3.0 + 1e-3).contains(&a), "{a}");
    let known = [
        (bets(king, ""), 3.0 * a),
        (bets(queen, ""), 0.0),
        (bets(queen, "pb"), a + 1.0 / 3.0),
        (bets(jack, "pb"), 0.0),
        (bets(king, "pb"), 1.0),
        (bets(jack, "p"), 1.0 / 3.0),
        (bets(queen, "b"), 1.0 / 3.0),
        (bets(king, "b"), 1.0),
    ];
    for (nth, (found, expected)) in known.into_iter().enumerate() {
        assert!((found - expected).abs() < 5e-3, "{nth}: {found}, {expected}");
    }
}

/// Playing the average is the same as drawing an iteration, iteration `t` with weight `t`, and playing its strategy.
#[test]
fn the_average_is_of_whole_strategies() {
    let tree = Tree::grow(&Kuhn, 1000).unwrap();
    let even = tree.uniform();
    for player in 0..2 {
        let value = |profile: &Profile| {
            let against_even = tree.profile(|number, _| {
                let infoset = &tree.infosets()[number];
                let of = if infoset.player == player { profile } else { &even };
                of.at(infoset).to_vec()
            });
            tree.exploitability(&against_even).values[player]
        };
        let mut solver = CfrPlus::new(&tree);
        let (mut values, mut weights) = (0.0, 0.0);
        for t in 1..=12 {
            values += f64::from(t) * value(solver.current());
            weights += f64::from(t);
            solver.step();
        }
        let (average, expected) = (value(&solver.average()), values / weights);
        assert!((average - expected).abs() < 1e-12, "{player}: {average}, {expected}");
    }
}

#[test]
fn it_gets_there_soon_and_steadily() {
    let tree = Tree::grow(&Kuhn, 1000).unwrap();
    let conv = |iterations| CfrPlus::new(&tree).run(iterations, |_| {}).nash_conv;
    assert!(conv(500) < 1e-3, "{}", conv(500));
    assert!(conv(4000) < conv(500) / 4.0);
}

#[test]
fn the_uniform_player_is_as_exploitable_as_known() {
    // OpenSpiel's `exploitability` of the uniform policy, the mean of the two gains: 0.458333.
    let tree = Tree::grow(&Kuhn, 1000).unwrap();
    let result = tree.exploitability(&tree.uniform());
    assert!((result.nash_conv / 2.0 - 11.0 / 24.0).abs() < 1e-12, "{}", result.nash_conv);
    assert!((result.values[0] - 0.125).abs() < 1e-12);
}
