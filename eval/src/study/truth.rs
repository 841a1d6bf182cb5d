//! Whether what is measured is true: the same players in a game that can be solved, exactly and by play.

use std::collections::BTreeMap;

use newmarket_agents::paired::{Estimate, widening};
use newmarket_agents::strategy::Strategy;
use newmarket_agents::{Agent, Player};
use newmarket_env::rules::Leftover;
use newmarket_env::{Action, Game, Phase, Seed};

use super::ante;
use super::heroes::gains;
use super::payoff::Ledger;
use super::report::{ReportTable, Section};
use super::setting::{NothingToStudy, Setting};
use crate::exact::policy::{ProfileAgent, of_agent};
use crate::exact::{CfrPlus, DealHistory, ExtensiveGame, OneDeal, Profile, Tree};

/// Games with more states are not solved here.
const MOST_STATES: u64 = 5_000_000;
/// Iterations of CFR+.
const ITERATIONS: u64 = 1000;
/// Named strategies that are measured.
const STRATEGIES: [&str; 4] = ["random", "longest", "boodle", "basic"];
/// How often a player is asked that draws random numbers without deal its probabilities.
const DRAWS: u32 = 100;

/// Deals of a small pack are short: so many are played for each that is asked for.
const DEALS_EACH: u64 = 20;

/// Children of the seed: for the deals of players, for those of antes, and for such draws.
const PLAYERS: u64 = 0;
const ANTES: u64 = 1;
const ASKED: u64 = 2;

/// Whether the game can be solved.
pub(super) fn fits(game: &Game) -> Result<(), NothingToStudy> {
    let no = |why: &str| {
        let title = game.rules().title();
        Err(NothingToStudy(format!(
            "nothing to study: {title} {why}; take a rules file with fewer `ranks` or `suits`, as \
             --rules eval/games/two-seats.toml"
        )))
    };
    if OneDeal::count(game) > MOST_STATES as f64 {
        return no("cannot be solved exactly, its pack is too large");
    }
    if game.rules().session.leftover == Leftover::Richest {
        return no("leaves chips to the richest, whom a deal alone does not tell");
    }
    Ok(())
}

/// Deals that are told of while it runs.
pub(super) fn work(game: &Game, deals: u64) -> u64 {
    deals * DEALS_EACH * if has_antes(game) { 2 } else { 1 }
}

/// Whether the antes of the game are a choice before the deal that can be taken apart.
fn has_antes(game: &Game) -> bool {
    ante::fits(game).is_ok() && ante::is_before_deal(game)
}

/// A game that has been walked.
struct Solved {
    deal: OneDeal,
    tree: Tree<DealHistory>,
    /// What the field does.
    field: Profile,
}

impl Solved {
    /// The seat of a role; eldest, after the dealer, is role 0.
    fn seat(&self, role: usize) -> usize {
        (self.deal.dealer() + 1 + role) % self.tree.players()
    }

    /// What a seat gains over what all others do if it behaves by another profile.
    fn gain(&self, all: &Profile, seat: usize, profile: &Profile) -> f64 {
        let infosets = self.tree.infosets();
        let mixed = self.tree.profile(|number, _| {
            let infoset = &infosets[number];
            let own = if infoset.player == seat { profile } else { all };
            own.at(infoset).to_vec()
        });
        self.tree.values(&mixed)[seat] - self.tree.values(all)[seat]
    }

    /// The mean over all seats of what it gains over the field.
    fn mean_gain(&self, profile: &Profile) -> f64 {
        let seats = self.tree.players();
        (0..seats).map(|seat| self.gain(&self.field, seat, profile)).sum::<f64>() / seats as f64
    }

    /// The field's profile, but antes are placed by this: the cell of each chip, given the chips of one's
    /// own that lie there.
    fn staking(&self, next: impl Fn(&[i32]) -> usize) -> Profile {
        let cells = self.deal.game().cells();
        self.tree.profile(|number, choices| {
            let infoset = &self.tree.infosets()[number];
            let view = self.deal.view(self.tree.example(number), infoset.player);
            if view.phase() != Phase::Ante {
                return self.field.at(infoset).to_vec();
            }
            let own: Vec<i32> = (0..cells).map(|cell| view.staked(view.seat(), cell)).collect();
            let chip = Action::chip(next(&own));
            let nth = view.legal().iter().position(|action| action == chip);
            let nth = nth.expect("a chip may lie on any cell");
            (0..choices).map(|at| f64::from(u8::from(at == nth))).collect()
        })
    }
}

/// A figure that is known, and what was measured.
struct Pair {
    about: [String; 2],
    exact: f64,
    measured: Estimate,
}

/// Solves the game and measures the same in it.
pub(super) fn run(
    setting: &Setting,
    done: &(dyn Fn(u64) + Sync),
) -> Result<Section, NothingToStudy> {
    let game = &setting.game;
    let no = |why: String| NothingToStudy(format!("nothing to study: {why}"));
    let deal = OneDeal::new(game.clone(), MOST_STATES).map_err(|error| no(error.to_string()))?;
    let tree = Tree::grow(&deal, MOST_STATES).map_err(|error| no(error.to_string()))?;
    let seed = Seed::new(setting.seed);
    let asked = |agent: &mut dyn Agent| of_agent(agent, &tree, &deal, DRAWS, seed.child(ASKED));
    let mut field = setting.field.another().fair().ok_or_else(|| {
        no(format!("{} sees all cards: expected one that sees its own", setting.field.name()))
    })?;
    let field = asked(&mut *field);

    let mut cfr = CfrPlus::new(&tree);
    let nash_conv = cfr.run(ITERATIONS, |_| {}).nash_conv;
    let equilibrium = cfr.average();
    let name = "the equilibrium";
    let by_equilibrium = ProfileAgent::new(name, &tree, &deal, &equilibrium);

    let strategies = STRATEGIES.map(|name| Strategy::named(name).expect("a strategy").into());
    let mut heroes: Vec<Player> = strategies.into_iter().collect();
    let mut profiles: Vec<Profile> = heroes
        .iter()
        .map(|hero| asked(&mut *hero.another().fair().expect("they see their own cards")))
        .collect();
    heroes.push(Player::Events(Box::new(by_equilibrium.clone())));
    profiles.push(equilibrium);
    let solved = Solved { deal, tree: tree.clone(), field };
    let ledger = Ledger::of_one_deal(game);
    let at_field = format!("at a table of {}", setting.field.name());
    let names: Vec<String> = heroes.iter().map(|hero| hero.name().to_owned()).collect();
    let deals = setting.deals * DEALS_EACH;
    let measured = gains(&ledger, setting.field, &heroes, deals, seed.child(PLAYERS), done);
    let mut pairs: Vec<Pair> = names
        .into_iter()
        .zip(&profiles)
        .zip(measured)
        .map(|((name, profile), measured)| Pair {
            about: [name, at_field.clone()],
            exact: solved.mean_gain(profile),
            measured: measured.all,
        })
        .collect();
    let mut tables = Vec::new();
    if has_antes(game) {
        let lowest = |own: &[i32]| (0..own.len()).min_by_key(|&cell| own[cell]);
        let even = solved.staking(|own| lowest(own).expect("a layout has cells"));
        // Whoever tries a split plays on as the field, as in the exact value.
        let Setting { field, seed: number, payoff, .. } = *setting;
        let game = game.clone();
        let alone = Setting { game, field, player: field, deals, seed: number, payoff };
        let antes = ante::alone_by_seat(&alone, &ledger, seed.child(ANTES), done);
        let likely = staked(&solved.deal, &by_equilibrium);
        tables.push(advice(&antes, |it| {
            let place = (solved.seat(it.role), it.split.chips().to_vec());
            likely.get(&place).copied().unwrap_or(0.0)
        }));
        pairs.extend(antes.into_iter().map(|it| {
            let split = it.split.chips();
            let open = |own: &[i32]| (0..own.len()).find(|&cell| own[cell] < split[cell]);
            let staking = solved.staking(|own| open(own).unwrap_or(0));
            let exact = solved.gain(&even, solved.seat(it.role), &staking);
            Pair { about: [it.name(), it.seat], exact, measured: it.gain }
        }));
    }
    tables.insert(0, table(&pairs));
    let precision = pairs.iter().map(|pair| pair.measured.ci95).fold(0.0, f64::max);
    Ok(Section {
        study: "truth".into(),
        title: "The method against the truth".into(),
        question: "Does what is measured agree with what is exactly true?".into(),
        rules: game.rules().title().into(),
        rules_files: vec![game.rules().to_file()],
        players: game.players().into(),
        field: setting.field.name().into(),
        deals: setting.deals,
        seed: setting.seed,
        method: method(nash_conv),
        advice: Vec::new(),
        findings: vec![verdict(&pairs, precision)],
        tables,
        precision,
    })
}

fn table(pairs: &[Pair]) -> ReportTable {
    let mut table = ReportTable::new(
        "Chips a deal gained over the field in the same seat: exactly, and as measured",
        &["who or what", "where", "exactly", "measured", "difference"],
    );
    for Pair { about, exact, measured } in pairs {
        let [who, place] = about.clone();
        let off = Estimate { mean: measured.mean - exact, ..*measured };
        let exact = format!("{exact:+.4}");
        table.push(vec![who.into(), place.into(), exact.into(), (*measured).into(), off.into()]);
    }
    table
}

/// How many figures are off, all together.
fn verdict(pairs: &[Pair], precision: f64) -> String {
    let wide = widening(pairs.len() as u64);
    let off =
        |pair: &&Pair| (pair.measured.mean - pair.exact).abs() > wide * pair.measured.ci95 + 1e-9;
    format!(
        "Of {} figures that are known exactly {} are off by more than their interval, all together at \
         95 %; the widest interval is ± {precision:.4}.",
        pairs.len(),
        pairs.iter().filter(off).count()
    )
}

/// What the equilibrium stakes, beside what was measured.
fn advice(antes: &[ante::SeatSplit], chance: impl Fn(&ante::SeatSplit) -> f64) -> ReportTable {
    let mut table = ReportTable::new(
        "How often each split of the ante is what the equilibrium stakes, and what it gains",
        &["seat", "split", "equilibrium stakes it", "gain over even, measured"],
    );
    for it in antes {
        let chance = format!("{:.1} %", 100.0 * chance(it));
        table.push(vec![it.seat.clone().into(), it.name().into(), chance.into(), it.gain.into()]);
    }
    table
}

/// How likely each seat is to end the antes with which chips on the cells, if all play like this.
fn staked(deal: &OneDeal, agent: &ProfileAgent) -> BTreeMap<(usize, Vec<i32>), f64> {
    let mut all = BTreeMap::new();
    let mut open = vec![(deal.start(), 1.0)];
    while let Some((position, chance)) = open.pop() {
        let view = deal.view(&position, deal.to_act(&position).unwrap_or(0));
        if view.phase() == Phase::Ante {
            let next = agent.at(deal, &position).iter().enumerate();
            open.extend(next.map(|(nth, likely)| (deal.after(&position, nth), chance * likely)));
            continue;
        }
        for seat in 0..deal.game().players() {
            let cells = 0..deal.game().cells();
            let split = cells.map(|cell| view.staked(seat, cell)).collect();
            *all.entry((seat, split)).or_default() += chance;
        }
    }
    all
}

fn method(nash_conv: f64) -> Vec<String> {
    vec![format!(
        "A deal is a whole session: what is left goes by the rule for leftovers. Every player is asked at \
         each information set of the game, and values follow exactly (sequence form); the \
         equilibrium is the average of {ITERATIONS} iterations of CFR+, with a NashConv of {nash_conv:.5} \
         chips. The same players sit at tables in play, each in every seat in turn, as in all other \
         studies, and splits of the ante are tried by each seat. Deals are short here: {DEALS_EACH} are \
         played for each of the study."
    )]
}
