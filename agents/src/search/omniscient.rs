//! experimental
use super::{Playout, Solver};
use crate::agent::Agent;
use crate::thumb;
use newmarket_env::*;
use std::collections::HashMap;

pub struct Omniscient {
    mode: u32,
    pub solver: Solver,
    limit: usize,
}
impl Omniscient {
    pub fn new() -> Self {
        let mode = std::env::var("OMODE").ok().and_then(|x| x.parse().ok()).unwrap_or(0);
        let limit = std::env::var("OLIMIT").ok().and_then(|x| x.parse().ok()).unwrap_or(1_000_000);
        Self { mode, solver: Solver::default(), limit }
    }
}
fn reply(
    open: &OpenPlay,
    at: &Position,
    me: usize,
    rule: Playout,
    rng: &mut Rng,
    memo: &mut HashMap<(CardSet, usize, u8), i32>,
) -> i32 {
    if at.leader() != me {
        let suit = rule.suit(open, at, rng);
        return match open.lead(at, suit) {
            Next::Lead(n) => reply(open, &n, me, rule, rng, memo),
            Next::Over(e) => open.gain(&e, me),
        };
    }
    let key = (at.live(), at.leader(), at.may_lead());
    if let Some(&v) = memo.get(&key) {
        return v;
    }
    let v = at
        .suits()
        .map(|s| match open.lead(at, s) {
            Next::Lead(n) => reply(open, &n, me, rule, rng, memo),
            Next::Over(e) => open.gain(&e, me),
        })
        .max()
        .unwrap();
    memo.insert(key, v);
    v
}
impl Agent for Omniscient {
    fn name(&self) -> &str {
        "omniscient"
    }
    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        match view.phase() {
            Phase::Lead => random::choice(view.legal(), rng),
            _ => thumb::before_play(view),
        }
    }
    fn act_open(&mut self, table: &crate::agent::OpenTable, rng: &mut Rng) -> Action {
        let (game, state) = (table.game(), table.state());
        let me = state.actor().unwrap();
        if state.phase() != Phase::Lead {
            return self.act(&state.view(game, me), rng);
        }
        let (open, at) = OpenPlay::new(game, state);
        if self.mode == 3 {
            self.solver.clear();
            let r = self.solver.best(&open, &at, self.limit);
            if std::env::var("OSTAT").is_ok() {
                eprintln!("{} {} {}", at.live().len(), self.solver.positions(), r.is_some());
            }
            if let Some((suit, _)) = r {
                return Action::lead(suit);
            }
        }
        let rule = match self.mode {
            0 | 4 => Playout::Longest,
            _ => Playout::Stopper,
        };
        let mut memo = HashMap::new();
        let mut best = (i32::MIN, Suit::Clubs);
        for s in at.suits() {
            let v = match open.lead(&at, s) {
                Next::Lead(n) => {
                    if self.mode >= 4 {
                        open.gain(&rule.play_out(&open, n, rng), me)
                    } else {
                        reply(&open, &n, me, rule, rng, &mut memo)
                    }
                }
                Next::Over(e) => open.gain(&e, me),
            };
            if v > best.0 {
                best = (v, s);
            }
        }
        Action::lead(best.1)
    }
    fn another(&self) -> Box<dyn Agent> {
        Box::new(Self::new())
    }
}
