//! Information-set Monte Carlo tree search.
//!
//! One tree is grown over many worlds: each iteration draws a fresh one, walks down the tree
//! along leads that are legal in it, adds a node, and plays the rest out by a heuristic. The
//! leader at a node chooses by UCB the lead that has paid it best so far, among those that are legal in
//! this world. This is the single-observer search of Cowling, Powley and Whitehouse (2012), *Information
//! Set Monte Carlo Tree Search*, with one change. The cards of a sequence differ in nearly every world,
//! so a node stands for the suits that were led and the seats that stopped them, not for the cards.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use newmarket_env::{Action, Next, OpenPlay, Phase, Position, Rng, Suit, View, Worlds};

use super::chunks::chunks;
use super::leaf::LeafEvaluator;
use super::plans::{Ante, first_best, plans, totals};
use super::{Budget, Gains, Playout};
use crate::player::Agent;

/// UCB's exploration constant, in standard deviations of the player's gains (`decisions/0001-search.md`).
const UCB_CONSTANT: f64 = 2.0;

/// Iterations of one tree. More are given to several trees, which grow side by side and vote by
/// their visits (root parallelisation, Chaslot, Winands and van den Herik 2008).
const ITERATIONS_PER_TREE: u32 = 2000;

/// A player that grows a tree over sampled determinizations.
pub struct Ismcts {
    name: String,
    iterations: u32,
    playout: Playout,
    ante: Ante,
}

impl Ismcts {
    /// A player of this name with this budget of iterations a decision, and this playout.
    pub fn new(name: &str, iterations: u32, playout: Playout) -> Self {
        Self { name: name.into(), iterations, playout, ante: Ante::default() }
    }

    fn lead(&mut self, view: &View, rng: &mut Rng) -> Action {
        let worlds = Worlds::of(view);
        let trees =
            chunks(Budget::Count(self.iterations), ITERATIONS_PER_TREE, rng, |iterations, rng| {
                let (mut tree, mut leaf) =
                    (Tree::new(view.seat()), LeafEvaluator::new(self.playout));
                for _ in 0..iterations {
                    let state = view.determinize(&worlds.draw(rng));
                    let (open, at) = OpenPlay::new(view.game(), &state);
                    tree.iterate(&open, at, &mut leaf, rng);
                }
                tree.visits()
            });
        let visits: [i64; 4] =
            core::array::from_fn(|suit| trees.iter().map(|visits| visits[suit]).sum());
        Action::lead(Suit::from_index(first_best(&visits)))
    }

    /// Before the play no tree is grown: every plan is tried in the same worlds.
    fn before_play(&mut self, view: &View, rng: &mut Rng) -> Action {
        let plans = plans(view);
        let worlds = Budget::Count(self.iterations / plans.len() as u32);
        let totals = totals(view, &plans, worlds, self.playout, rng);
        self.ante.plan(view, plans, first_best(&totals))
    }
}

impl Agent for Ismcts {
    fn name(&self) -> &str {
        &self.name
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        if let Some(chip) = self.ante.planned(view) {
            return chip;
        }
        match view.phase() {
            Phase::Lead => self.lead(view, rng),
            Phase::SetApart => view.pick_of_best_five(),
            _ => self.before_play(view, rng),
        }
    }

    fn another(&self) -> Box<dyn Agent> {
        Box::new(Self::new(&self.name, self.iterations, self.playout))
    }
}

/// A lead that is due, in all worlds in which the same suits were led and stopped by the same
/// seats.
#[derive(Default)]
struct Node {
    leader: usize,
    suits: [Branch; 4],
    /// The next nodes: the suit led, the seat that stopped it, the node's number.
    children: Vec<(Suit, usize, usize)>,
}

/// The statistics of a choice.
#[derive(Clone, Copy, Default)]
struct Branch {
    /// How often the suit was led.
    visits: u32,
    /// How often the suit could be led.
    chances: u32,
    /// Chips that the leader gained after this lead, summed.
    total: f64,
}

impl Branch {
    /// The upper confidence bound of the lead's value.
    fn bound(&self, spread: f64) -> f64 {
        if self.visits == 0 {
            return f64::INFINITY;
        }
        let visits = f64::from(self.visits);
        let exploration = libm::sqrt(libm::log(f64::from(self.chances)) / visits);
        self.total / visits + UCB_CONSTANT * spread * exploration
    }
}

/// The tree of one decision; the root is the first node.
struct Tree {
    nodes: Vec<Node>,
    seat: usize,
    /// The number of the player's gains, their sum, and the sum of their squares.
    gains: (f64, f64, f64),
}

impl Tree {
    fn new(seat: usize) -> Self {
        let root = Node { leader: seat, ..Node::default() };
        Self { nodes: vec![root], seat, gains: (0.0, 0.0, 0.0) }
    }

    /// How often each suit was led at the root.
    fn visits(&self) -> [i64; 4] {
        self.nodes[0].suits.map(|branch| i64::from(branch.visits))
    }

    /// The standard deviation of the player's gains, at least one chip.
    fn spread(&self) -> f64 {
        let (count, sum, squares) = self.gains;
        let mean = sum / count.max(1.0);
        libm::sqrt((squares / count.max(1.0) - mean * mean).max(1.0))
    }

    /// Walks down the tree in one world, adds a node, and updates the nodes on the path.
    fn iterate(
        &mut self,
        open: &OpenPlay,
        start: Position,
        leaf: &mut LeafEvaluator,
        rng: &mut Rng,
    ) {
        let mut path: Vec<(usize, Position, Suit)> = Vec::with_capacity(16);
        let (mut position, mut node) = (start, 0);
        let gains = loop {
            let suit = self.choose(node, &position);
            path.push((node, position, suit));
            match open.lead(&position, suit) {
                Next::Over(end) => break open.gains(&end),
                Next::Lead(next) => position = next,
            }
            let leader = position.leader();
            let children = &self.nodes[node].children;
            let Some(child) = children.iter().find(|child| (child.0, child.1) == (suit, leader))
            else {
                let new = self.nodes.len();
                self.nodes[node].children.push((suit, leader, new));
                self.nodes.push(Node { leader, ..Node::default() });
                break leaf.gains(open, position, rng);
            };
            node = child.2;
        };
        self.learn(&path, &gains);
    }

    /// The most promising suit that may be led, the first among equals.
    fn choose(&self, node: usize, position: &Position) -> Suit {
        let spread = self.spread();
        let bound = |suit: Suit| self.nodes[node].suits[suit.index()].bound(spread);
        let better = |best: Suit, suit| if bound(suit) > bound(best) { suit } else { best };
        position.suits().reduce(better).expect("a leader has a choice")
    }

    fn learn(&mut self, path: &[(usize, Position, Suit)], gains: &Gains) {
        for (node, position, suit) in path {
            let node = &mut self.nodes[*node];
            for suit in position.suits() {
                node.suits[suit.index()].chances += 1;
            }
            let branch = &mut node.suits[suit.index()];
            branch.visits += 1;
            branch.total += f64::from(gains[node.leader]);
        }
        let gain = f64::from(gains[self.seat]);
        let (count, sum, squares) = self.gains;
        self.gains = (count + 1.0, sum + gain, squares + gain * gain);
    }
}
