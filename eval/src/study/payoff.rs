//! What a deal pays: its chips, and what the chips that stay on the table are worth later.
//!
//! A chip that lies on a pile (a cell, or the kitty) when a deal begins is taken by a seat in this deal, or it
//! stays and is there in the next one. With `take[r][p]` for the share of it that the seat of role `r` takes
//! (role 0 is eldest, the last is the dealer), and `stay[p][q]` for the share that is on pile `q` afterwards,
//! a chip on pile `p` is worth to a seat, with `n` deals after this one,
//!
//! ```text
//! V[n][r][p] = take[r][p] + Σ_q stay[p][q] · V[n − 1][r − 1][q]
//! ```
//!
//! since the seat that is eldest now deals next. After the last deal it is worth what the rules say of
//! leftovers. Shares are measured: the same deal is played with more chips on a pile and without, so they
//! include what players do differently for them. That `V` does not depend on the number of chips is an
//! approximation; whole sessions check it (`study tips --payoff session --sessions N`).

use std::sync::Arc;

use newmarket_agents::strategy::Strategy;
use newmarket_agents::{Player, Table};
use newmarket_env::rules::{Bankroll, Leftover};
use newmarket_env::{DealStart, DealStarts, Game, Seed};

use super::measure::Measurement;

/// What a study counts as the payoff of a deal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Payoff {
    /// Deals of a session: chips are carried into them, and those that stay on the table are worth what
    /// they will bring. The number of deals that are left is as in a session, each equally likely.
    #[default]
    Session,
    /// A deal on its own: nothing on the table before, and what stays there is lost.
    Deal,
}

impl Payoff {
    /// Both, the usual one first.
    pub const ALL: [Self; 2] = [Self::Session, Self::Deal];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Deal => "deal",
        }
    }

    /// What it counts, for a report.
    pub(super) const fn about(self) -> &'static str {
        match self {
            Self::Session => {
                "Payoff: deals begin with the chips that sessions of the field (of stopper, if it sees all \
                 cards) carry into them, with any number of deals left. A deal pays its chips and what those that stay on the \
                 table are worth later to a seat, by pile, by its role in the next deal, and by \
                 the deals left; that was measured by putting more chips on each pile. After the \
                 last deal leftovers are worth what the rules say."
            }
            Self::Deal => {
                "Payoff: deals on their own, with nothing on the table before. Chips that stay there \
                 are lost."
            }
        }
    }

    /// The payoff that can be counted in a game: with chips that run out, and where a session has one deal, the
    /// deal's own.
    #[must_use]
    pub fn in_game(self, game: &Game) -> Self {
        let session = game.rules().session;
        if session.bankroll == Bankroll::Credit && session.deals > 1 { self } else { Self::Deal }
    }
}

/// Ranges of deals that are left after a deal, for figures by them: the least of each, and its name.
pub(super) const LEFT_GROUPS: [(usize, &str); 4] =
    [(0, "the last deal"), (1, "1 to come"), (2, "2 to 4"), (5, "5 or more")];

/// The range of so many deals left.
pub(super) fn left_group(left: usize) -> usize {
    LEFT_GROUPS.iter().rposition(|(least, _)| *least <= left).expect("the first begins at 0")
}

/// Sessions from which deals are begun.
const SESSIONS: usize = 64;
/// Of a longer session, its deals are these and as many as are left.
const MOST_DEALS: u32 = 50;
/// Deals by which it is measured what becomes of chips: as many as a study has, within these.
const LEAST_MEASURED: u64 = 2000;
const MOST_MEASURED: u64 = 20_000;
/// Children of the seed: for the sessions, and for these deals.
const STARTS: u64 = 0;
const SHARES: u64 = 1;

/// Where the deals of a study begin, and what they pay.
#[derive(Clone, Debug)]
pub(super) struct Ledger {
    game: Arc<Game>,
    /// By deals left: where deals begin, nothing for deals on their own.
    starts: Vec<Arc<DealStarts>>,
    /// What a chip is worth that stays, by deals left, the seat's role in the next deal, and pile.
    worth: Vec<Vec<Vec<f64>>>,
}

impl Ledger {
    /// The ledger of a table of this field, for a study of so many deals.
    pub(super) fn new(
        payoff: Payoff,
        game: &Arc<Game>,
        field: &Player,
        deals: u64,
        seed: Seed,
    ) -> Self {
        match payoff.in_game(game) {
            Payoff::Deal => Self { game: game.clone(), starts: Vec::new(), worth: Vec::new() },
            Payoff::Session => Self::of_sessions(game, field, deals, seed),
        }
    }

    /// The ledger of a session of one deal.
    pub(super) fn of_one_deal(game: &Arc<Game>) -> Self {
        let piles = game.cells() + usize::from(game.rules().has_kitty());
        let worth = vec![left_over(game, piles)];
        Self { game: game.clone(), starts: Vec::new(), worth }
    }

    fn of_sessions(game: &Arc<Game>, field: &Player, studied: u64, seed: Seed) -> Self {
        // Sessions are played by views: for a field that sees all cards, `stopper` plays them.
        let stopper = || Strategy::named("stopper").expect("a strategy");
        let mut player = field.another().fair().unwrap_or_else(|| Box::new(stopper()));
        let short = of_deals(game, MOST_DEALS);
        let all = DealStarts::play(&short, SESSIONS, seed.child(STARTS), |view, rng| {
            player.act(view, rng)
        });
        let deals = short.rules().session.deals as usize;
        let checked = |entries: Vec<DealStart>| {
            Arc::new(DealStarts::of(game, entries).expect("they are of this game"))
        };
        // A session on credit has all its deals.
        let of_deal = |deal: usize| all.iter().skip(deal).step_by(deals).copied().collect();
        let starts: Vec<Arc<DealStarts>> =
            (0..deals).rev().map(|deal| checked(of_deal(deal))).collect();
        let ledger = Self { game: game.clone(), starts, worth: Vec::new() };
        let shares = Shares::measure(
            &all,
            ledger.ante_of_table(),
            field,
            studied.clamp(LEAST_MEASURED, MOST_MEASURED),
            seed.child(SHARES),
            &checked,
        );
        Self { worth: shares.worth(game, deals), ..ledger }
    }

    /// The rules and the number of seats.
    pub(super) fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// How many deals of a session differ: all of them, or one.
    pub(super) fn deals(&self) -> usize {
        self.starts.len().max(1)
    }

    /// Deals left after the deal of this number of a study.
    /// Numbers of deals are scattered, so that nothing else that goes by them goes together with it.
    pub(super) fn left(&self, number: u64) -> usize {
        let scattered = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        (scattered % self.deals() as u64) as usize
    }

    /// Tables to begin deals at, by deals left.
    pub(super) fn tables(&self) -> Vec<Table> {
        self.tables_of(&self.game)
    }

    /// The same for a game with other rules for the dead hand.
    pub(super) fn tables_of(&self, game: &Arc<Game>) -> Vec<Table> {
        if self.starts.is_empty() {
            return vec![Table::new(game.clone())];
        }
        let of = |starts: &Arc<DealStarts>| {
            if Arc::ptr_eq(game, starts.game()) {
                return Table::carried(starts.clone());
            }
            let entries = starts.iter().copied().collect();
            let starts = DealStarts::of(game, entries).expect("the layout is the same");
            Table::carried(Arc::new(starts))
        };
        self.starts.iter().map(of).collect()
    }

    /// What a deal that is over has paid a seat, with so many deals left.
    pub(super) fn paid(&self, left: usize, table: &Table, seat: usize) -> f64 {
        f64::from(table.result().payoffs[seat]) + self.later(left, table, seat)
    }

    /// What the chips that stay are worth to a seat.
    pub(super) fn later(&self, left: usize, table: &Table, seat: usize) -> f64 {
        let Some(worth) = self.worth.get(left) else { return 0.0 };
        let players = self.game.players();
        // The dealer's left deals next.
        let role = (seat + 2 * players - table.dealer() - 2) % players;
        let view = table.view();
        let piles = view.layout().iter().copied().chain([view.kitty()]);
        piles.zip(&worth[role]).map(|(chips, worth)| f64::from(chips) * worth).sum()
    }

    /// Chips that the whole table puts on the layout before a deal.
    pub(super) fn ante_of_table(&self) -> i32 {
        let (rules, players) = (self.game.rules(), self.game.players() as i32);
        rules.layout_stake(false) * (players - 1) + rules.layout_stake(true)
    }

    /// What a chip that stays is worth, with so many deals left: by the seat's role in the next deal, then by
    /// cell, the kitty last; nothing in deals on their own.
    pub(super) fn worth(&self, left: usize) -> Option<&[Vec<f64>]> {
        self.worth.get(left).map(Vec::as_slice)
    }
}

/// What a chip is worth that is left over at the end of a session: by role and pile.
fn left_over(game: &Game, piles: usize) -> Vec<Vec<f64>> {
    let worth = match game.rules().session.leftover {
        Leftover::Stay => 0.0,
        // Before stacks are known, anybody may turn out the richest.
        Leftover::Lot | Leftover::Richest => 1.0 / game.players() as f64,
    };
    vec![vec![worth; piles]; game.players()]
}

/// The same game with at most so many deals in a session.
fn of_deals(game: &Arc<Game>, most: u32) -> Arc<Game> {
    if game.rules().session.deals <= most {
        return game.clone();
    }
    let mut spec = (**game.rules()).clone();
    spec.session.deals = most;
    let rules = spec.validate().expect("fewer deals are no fault");
    Arc::new(Game::new(rules, game.players()).expect("the table is the same"))
}

/// What becomes of a chip that lies on a pile when a deal begins.
struct Shares {
    /// By pile, then role.
    take: Vec<Vec<f64>>,
    /// By pile, then pile.
    stay: Vec<Vec<f64>>,
}

impl Shares {
    fn measure(
        all: &DealStarts,
        ante: i32,
        field: &Player,
        deals: u64,
        seed: Seed,
        checked: &dyn Fn(Vec<DealStart>) -> Arc<DealStarts>,
    ) -> Self {
        let game = all.game();
        let (players, cells) = (game.players(), game.cells());
        // As many more chips as a deal brings.
        let more = (ante / cells.max(1) as i32).max(1);
        let with_more = |pile: usize| {
            let add = |start: &DealStart| {
                let mut start = *start;
                *start.layout.get_mut(pile).filter(|_| pile < cells).unwrap_or(&mut start.kitty) +=
                    more;
                start
            };
            checked(all.iter().map(add).collect())
        };
        let piles = cells + usize::from(game.rules().has_kitty());
        let variants: Vec<Arc<DealStarts>> =
            std::iter::once(Arc::new(all.clone())).chain((0..piles).map(with_more)).collect();
        let figures = players + piles;
        let measurement = Measurement { deals, seed, tallies: piles * figures, features: 0 };
        let worker = || {
            let tables: Vec<Table> = variants.iter().cloned().map(Table::carried).collect();
            (tables, field.another())
        };
        let measured = measurement.run(
            worker,
            |(tables, field), deal| {
                let seed = deal.seed;
                let mut ends = tables.iter_mut().map(|table| {
                    table.begin(seed);
                    let payoffs = table.play_on(|table, rng| field.act(table, rng)).payoffs;
                    let dealer = table.dealer();
                    let by_role = (0..players).map(|role| payoffs[(dealer + 1 + role) % players]);
                    let view = table.view();
                    let left = view.layout().iter().copied().chain([view.kitty()]);
                    by_role.chain(left.take(piles)).map(f64::from).collect::<Vec<f64>>()
                });
                let base = ends.next().expect("the deal as it is");
                for (pile, end) in ends.enumerate() {
                    for (at, (with, without)) in end.iter().zip(&base).enumerate() {
                        deal.add(pile * figures + at, (with - without) / f64::from(more), 0.0);
                    }
                }
            },
            &|_| {},
        );
        let means: Vec<f64> = measured.tallies.iter().map(|tally| tally.mean().mean).collect();
        let rows = || means.chunks(figures);
        Self {
            take: rows().map(|row| row[..players].to_vec()).collect(),
            stay: rows().map(|row| row[players..].to_vec()).collect(),
        }
    }

    /// What a chip is worth by deals left, role and pile.
    fn worth(&self, game: &Game, deals: usize) -> Vec<Vec<Vec<f64>>> {
        let (players, piles) = (game.players(), self.take.len());
        let mut all = vec![left_over(game, piles)];
        while all.len() < deals {
            let before = &all[all.len() - 1];
            let worth = |role: usize, pile: usize| {
                let next = &before[(role + players - 1) % players];
                let later: f64 =
                    self.stay[pile].iter().zip(next).map(|(stay, worth)| stay * worth).sum();
                self.take[pile][role] + later
            };
            let of = |role: usize| (0..piles).map(|pile| worth(role, pile)).collect();
            all.push((0..players).map(of).collect());
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use newmarket_env::Rules;

    fn ledger(text: &str, payoff: Payoff) -> Ledger {
        let rules = Rules::from_toml(text, "test").expect("valid rules");
        let game = Arc::new(Game::new(rules, 4).expect("it seats four"));
        let field = Strategy::named("stopper").expect("a strategy").into();
        Ledger::new(payoff, &game, &field, 20_000, Seed::new(1))
    }

    /// Chips do not vanish: where leftovers are given away, all seats together get every chip.
    #[test]
    fn a_chip_is_worth_a_chip_to_all_together() {
        let lot = "base = \"newmarket\"\nsession = { leftover = \"lot\" }\n";
        for text in [lot, "base = \"michigan-free-stakes\"\nsession = { leftover = \"lot\" }\n"] {
            let ledger = ledger(text, Payoff::Session);
            for left in 0..ledger.deals() {
                let worth = ledger.worth(left).expect("deals of a session");
                for pile in 0..worth[0].len() {
                    let all: f64 = worth.iter().map(|piles| piles[pile]).sum();
                    assert!((all - 1.0).abs() < 1e-9, "{left} {pile}: {all}");
                }
            }
        }
    }

    /// Where they stay, the last deal makes nothing of them, and many deals nearly all.
    #[test]
    fn a_chip_is_worth_more_the_more_deals_are_left() {
        let ledger = ledger("base = \"newmarket\"\n", Payoff::Session);
        let all = |left: usize| -> f64 {
            ledger.worth(left).expect("deals of a session").iter().map(|piles| piles[0]).sum()
        };
        assert!(all(0).abs() < 1e-12);
        for left in 1..ledger.deals() {
            assert!(all(left) > all(left - 1), "{left}");
        }
        assert!(all(1) > 0.4 && all(1) < 0.8 && all(9) > 0.99, "{} {}", all(1), all(9));
        // Who leads takes most of the ace of spades, which nobody can lead up to.
        let worth = &ledger.worth(1).expect("deals of a session");
        assert!((1..4).all(|role| worth[0][0] > worth[role][0] + 0.02), "{worth:?}");
    }

    #[test]
    fn deals_on_their_own_count_nothing_else() {
        for (text, payoff) in [
            ("base = \"newmarket\"\n", Payoff::Deal),
            // Chips that run out, and a session of one deal.
            ("base = \"four-horses\"\n", Payoff::Session),
            ("base = \"newmarket\"\nsession = { deals = 1 }\n", Payoff::Session),
        ] {
            let ledger = ledger(text, payoff);
            assert_eq!((ledger.deals(), ledger.tables().len()), (1, 1), "{text}");
            assert!(ledger.worth(0).is_none(), "{text}");
        }
    }

    /// No cell at all, a kitty or none, and more deals than anybody plays.
    #[test]
    fn unusual_sessions_are_counted() {
        let bare = "base = \"michigan\"\ncells = []\n\
                    layout_ante = { fixed = { each = 0, dealer = 0 } }\n";
        for text in [
            bare.to_owned(),
            format!("{bare}kitty_ante = 0\nkitty_to_winner = false\n"),
            "base = \"newmarket\"\nsession = { deals = 1000000 }\n".into(),
            "base = \"newmarket\"\ncell_cap = 9\n".into(),
        ] {
            let ledger = ledger(&text, Payoff::Session);
            assert!(ledger.deals() > 1 && ledger.deals() <= MOST_DEALS as usize, "{text}");
            let seen: std::collections::BTreeSet<usize> =
                (0..2000).map(|number| ledger.left(number)).collect();
            assert_eq!(seen.len(), ledger.deals(), "{text}");
        }
    }
}
