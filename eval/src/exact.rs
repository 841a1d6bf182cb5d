//! Small games, solved exactly: equilibria, best responses, and how exploitable a player is.
//!
//! ```text
//! ExtensiveGame -> Tree -> Profile -> Exploitability
//! (rules)          (once)   ^  agents, or CFR+
//! ```
//!
//! [`ExtensiveGame`] is any game with chance moves and hidden information; [`OneDeal`] is a deal of this family with a
//! small pack. [`Tree::grow`] walks it once and keeps its *sequence form* (Romanovskii 1962; Koller, Megiddo and von
//! Stengel 1996): all information sets, and for every end of the game the payoffs and the last choice of each player. A
//! [`Profile`] has the strategies of all players; [`CfrPlus`] finds one near an equilibrium, and [`policy::of_agent`]
//! reads the strategy of an agent. [`Exploitability`] is exact: the gain of each player by the best response to the
//! others.
//!
//! Sources: Zinkevich, Johanson, Bowling and Piccione 2007, *Regret Minimization in Games with
//! Incomplete Information* (counterfactual regret); Tammelin 2014, *Solving Large Imperfect
//! Information Games Using CFR+* (regret matching+, alternating updates, linear averaging);
//! Johanson, Waugh, Bowling and Zinkevich 2011, *Accelerating Best Response Calculation in Large
//! Extensive Games* (a best response by whole information sets rather than by states; here the
//! sequence form does that); Lanctot and others 2017, *A Unified Game-Theoretic Approach to
//! Multiagent Reinforcement Learning* (`NashConv`).
//!
//! **Convergence of CFR+.** With two players and payoffs that sum to a constant, its average converges to a Nash
//! equilibrium. Otherwise (three players; chips that stay on the table) only the average *joint* play converges, to a
//! coarse correlated equilibrium, and the profile of averages need not be an equilibrium. Therefore the exact `NashConv`
//! of the result is computed and reported. It is 0 for a Nash equilibrium of any number of players, and bounds the gain
//! of any deviation.
//!
//! All computation is single-threaded `f64` in a fixed order, so each run gives the same bits.

mod cfr;
mod exploit;
mod game;
mod newmarket;
pub mod policy;
mod report;
mod tree;

pub use cfr::CfrPlus;
pub use exploit::{BestResponse, Exploitability};
pub use game::{ExtensiveGame, Node};
pub use newmarket::{DealHistory, DealInfoState, OneDeal};
pub use report::ExactReport;
pub use tree::{Infoset, Profile, Tree, TreeError};
