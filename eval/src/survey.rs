//! One player at many tables, judged at all of them together.
//!
//! At every table, and against every field there, the player is measured on duplicate deals. Gains are
//! in antes of a seat that does not deal, since stakes differ from table to table. The intervals of rows hold
//! for all rows at once (Bonferroni), so a player that is level everywhere is called behind somewhere in about
//! one survey of twenty at most: about, since the number of deals follows the spread that has been seen.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use newmarket_agents::Player;
use newmarket_agents::paired::{Estimate, Mean, PairedDuel, run_chunks, widening};
use newmarket_env::rules::{House, NAMES, Timing};
use newmarket_env::{Game, Rules, Seed};
use serde::{Deserialize, Serialize};

/// Deals after which it is seen how many are needed. A multiple of the chunks that deals are played in.
const AT_FIRST: u64 = 512;

/// Of held out houses one in so many has a held out pair of options.
const PAIRS: u64 = 4;

/// Numbers of houses that one seed has for itself.
const NUMBERS: u64 = 1 << 20;

/// What kind of table it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TableKind {
    /// A named game.
    Named,
    /// House rules that training never sees, by their hash.
    HeldOut,
    /// The same by a pair of options that training never sees together.
    HeldOutPair,
}

/// One table of a survey.
#[derive(Clone, Debug)]
pub struct SurveyTable {
    /// The rules as a command takes them: a name, or `house:N`.
    pub rules: String,
    /// The rules and the number of seats.
    pub game: Arc<Game>,
    /// What kind of table it is.
    pub kind: TableKind,
}

impl SurveyTable {
    /// Every named game at every number of players that it seats.
    pub fn named() -> Vec<Self> {
        let mut tables = Vec::new();
        for name in NAMES {
            let rules = Rules::named(name).expect("a named game");
            for players in rules.players.0..=rules.players.1 {
                let game = Game::new(rules.clone(), players).expect("it seats them");
                let kind = TableKind::Named;
                tables.push(Self { rules: name.into(), game: Arc::new(game), kind });
            }
        }
        tables
    }

    /// So many houses that are never trained on, a fourth of them with a held out pair of options. Each
    /// seed has others.
    pub fn held_out(count: usize, seed: u64) -> Vec<Self> {
        let first = seed.wrapping_mul(NUMBERS);
        let pairs = count / PAIRS as usize;
        let mut left = [count - pairs, pairs];
        let mut tables = Vec::new();
        for number in (0..).map(|nth| first.wrapping_add(nth)) {
            if left == [0, 0] {
                break;
            }
            let house = House::draw(Seed::new(number));
            let pair = house.has_held_out_pair();
            if !house.is_held_out() || left[usize::from(pair)] == 0 {
                continue;
            }
            left[usize::from(pair)] -= 1;
            let name = format!("house:{number}");
            let rules = Rules::load(&name).expect("the rules of a house");
            let game = Game::new(rules, house.players).expect("a house seats its players");
            let kind = if pair { TableKind::HeldOutPair } else { TableKind::HeldOut };
            tables.push(Self { rules: name, game: Arc::new(game), kind });
        }
        tables
    }

    /// What everything is measured in: chips that a seat antes that does not deal, at least 1.
    fn ante(&self) -> f64 {
        f64::from(self.game.rules().full_ante(false).max(1))
    }
}

/// A survey.
pub struct Survey<'a> {
    /// Who is measured.
    pub hero: &'a Player,
    /// Who takes all other seats, in turn.
    pub fields: &'a [Player],
    /// Where.
    pub tables: &'a [SurveyTable],
    /// Half the width that an interval is to have, in antes; it holds for all rows at once.
    pub half_width: f64,
    /// How far behind a hero may be, in antes, before it is called behind.
    pub margin: f64,
    /// Deals of a row at most, each played `players + 1` times.
    pub most_deals: u64,
    /// Fixes the deals and every seat's random numbers.
    pub seed: u64,
}

/// A row of a survey that is not played yet.
pub struct Pending<'a> {
    survey: &'a Survey<'a>,
    /// Which of the tables it is.
    pub table_nth: usize,
    /// Where it is played.
    pub table: &'a SurveyTable,
    /// Who takes all other seats.
    pub field: &'a Player,
    /// How many rows its interval holds together with, itself included.
    pub of: u64,
}

/// What is said of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// The interval lies above 0.
    Ahead,
    /// It does not, but lies above −margin.
    Level,
    /// It contains −margin.
    Open,
    /// It lies below −margin.
    Behind,
}

/// One table with one field.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SurveyRow {
    /// The rules as a command takes them.
    pub rules: String,
    /// Seats at the table.
    pub players: usize,
    /// What kind of table it is.
    pub kind: TableKind,
    /// Whether antes are free and placed after a look at the hand.
    pub after_look: bool,
    /// The name of the agent in all other seats.
    pub field: String,
    /// Deals, each played `players + 1` times.
    pub deals: u64,
    /// The ante that gains are measured in, in chips.
    pub ante: f64,
    /// What the hero gains over the field in the same seat, in antes a deal.
    pub gain: f64,
    /// Half the width of the interval of `gain`, in antes; 95 % for all rows at once.
    pub ci95: f64,
    /// What is said of it.
    pub standing: Standing,
}

/// Rows of one kind with one field.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SurveySummary {
    /// What rows are summed up: a kind of table, or those with antes after a look.
    pub tables: String,
    /// The name of the agent in all other seats.
    pub field: String,
    /// How many rows.
    pub rows: usize,
    /// What the hero gains in the mean over the rows, in antes a deal.
    pub gain: f64,
    /// Half the width of its 95 % interval by the luck of the deals; the tables are what they are.
    pub ci95: f64,
    /// Rows with each [`Standing`], in their order.
    pub standings: [usize; 4],
    /// The lowest lower end of their intervals.
    pub lowest: f64,
}

/// The result of a survey, as `newmarket survey --json` prints it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SurveyReport {
    /// The name of the agent that was measured.
    pub hero: String,
    /// Fixes the deals and all random numbers.
    pub seed: u64,
    /// How far behind is behind, in antes.
    pub margin: f64,
    /// Rows in groups.
    pub summaries: Vec<SurveySummary>,
    /// Every table with every field.
    pub rows: Vec<SurveyRow>,
    /// Wall-clock time; 0 until [`SurveyReport::took`] sets it.
    pub seconds: f64,
}

impl Survey<'_> {
    /// Rows that it has.
    pub fn rows(&self) -> usize {
        self.tables.len() * self.fields.len()
    }

    /// Its rows, in their order, none of them played yet.
    pub fn pending(&self) -> impl Iterator<Item = Pending<'_>> {
        let (fields, of) = (self.fields, self.rows() as u64);
        self.tables.iter().enumerate().flat_map(move |(table_nth, table)| {
            fields.iter().map(move |field| Pending { survey: self, table_nth, table, field, of })
        })
    }

    /// What its rows come to.
    pub fn report(&self, rows: Vec<SurveyRow>) -> SurveyReport {
        SurveyReport {
            hero: self.hero.name().into(),
            seed: self.seed,
            margin: self.margin,
            summaries: self.summaries(&rows, widening(self.rows() as u64)),
            rows,
            seconds: 0.0,
        }
    }

    fn summaries(&self, rows: &[SurveyRow], wider: f64) -> Vec<SurveySummary> {
        type Group = (&'static str, fn(&SurveyRow) -> bool);
        let groups: [Group; 4] = [
            ("named games", |row| row.kind == TableKind::Named),
            ("held out houses", |row| row.kind == TableKind::HeldOut),
            ("excluded pairs", |row| row.kind == TableKind::HeldOutPair),
            ("antes after a look", |row| row.after_look),
        ];
        let mut summaries = Vec::new();
        for (name, belongs) in groups {
            for field in self.fields {
                let of: Vec<&SurveyRow> =
                    rows.iter().filter(|row| belongs(row) && row.field == field.name()).collect();
                if of.is_empty() {
                    continue;
                }
                let count = of.len() as f64;
                let squares: f64 = of.iter().map(|row| (row.ci95 / wider).powi(2)).sum();
                let standings = Standing::ALL
                    .map(|standing| of.iter().filter(|row| row.standing == standing).count());
                summaries.push(SurveySummary {
                    tables: name.into(),
                    field: field.name().into(),
                    rows: of.len(),
                    gain: of.iter().map(|row| row.gain).sum::<f64>() / count,
                    ci95: squares.sqrt() / count,
                    standings,
                    lowest: of.iter().map(|row| row.gain - row.ci95).fold(f64::MAX, f64::min),
                });
            }
        }
        summaries
    }
}

impl Pending<'_> {
    /// Plays it.
    pub fn play(&self) -> SurveyRow {
        let Self { survey, table, field, .. } = *self;
        // Every field meets the same deals.
        let seed = Seed::new(survey.seed).child(self.table_nth as u64);
        let wider = widening(self.of);
        let game = &table.game;
        let games = std::slice::from_ref(game);
        let (ante, players) = (table.ante(), game.players());
        let duel = PairedDuel { games, hero: survey.hero, field, seed };
        let mut gains = Mean::default();
        let play = |deals: Range<u64>, gains: &mut Mean| {
            let chunk = |deals| -> Mean {
                duel.play(deals).iter().map(|gain| gain.chips_a_seat() / ante).collect()
            };
            run_chunks(deals, chunk, |chunk| gains.join(&chunk));
        };
        let mut until = AT_FIRST.min(survey.most_deals);
        loop {
            play(gains.count()..until, &mut gains);
            let wide = wider * gains.estimate().ci95 / survey.half_width;
            // Nothing is known of a spread that has not been seen yet.
            let is_known = wide > 0.0 || survey.hero.name() == field.name();
            if wide <= 1.0 && is_known || until == survey.most_deals {
                break;
            }
            // As many as the spread so far asks for, and a little more: what it is, is not known well.
            let needed = (until as f64 * (wide * wide * 1.05).max(2.0)).ceil();
            let needed = needed.min(survey.most_deals as f64) as u64;
            until = needed.next_multiple_of(AT_FIRST).min(survey.most_deals);
        }
        let Estimate { mean: gain, ci95 } = gains.estimate();
        let ci95 = wider * ci95;
        SurveyRow {
            rules: table.rules.clone(),
            players,
            kind: table.kind,
            after_look: game.rules().timing == Timing::AfterLook,
            field: field.name().into(),
            deals: gains.count(),
            ante,
            gain,
            ci95,
            standing: Standing::of(gain, ci95, survey.margin),
        }
    }
}

impl Standing {
    /// All, from the best.
    pub const ALL: [Self; 4] = [Self::Ahead, Self::Level, Self::Open, Self::Behind];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ahead => "ahead",
            Self::Level => "level",
            Self::Open => "open",
            Self::Behind => "behind",
        }
    }

    fn of(gain: f64, ci95: f64, margin: f64) -> Self {
        match () {
            () if gain - ci95 > 0.0 => Self::Ahead,
            () if gain - ci95 > -margin => Self::Level,
            () if gain + ci95 < -margin => Self::Behind,
            () => Self::Open,
        }
    }
}

impl SurveyReport {
    /// Sets the wall-clock time.
    #[must_use]
    pub fn took(mut self, time: Duration) -> Self {
        self.seconds = time.as_secs_f64();
        self
    }

    /// Rows that are not known to be level or better, the worst first.
    pub fn not_held(&self) -> Vec<&SurveyRow> {
        let held = |row: &&SurveyRow| matches!(row.standing, Standing::Ahead | Standing::Level);
        let mut rows: Vec<&SurveyRow> = self.rows.iter().filter(|row| !held(row)).collect();
        rows.sort_by(|a, b| (a.gain - a.ci95).total_cmp(&(b.gain - b.ci95)));
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use newmarket_agents::heuristic::Heuristic;
    use newmarket_agents::paired::DealGain;

    fn player(name: &str) -> Player {
        Heuristic::named(name).expect("a heuristic").into()
    }

    #[test]
    fn a_row_is_a_duel_in_antes_whose_interval_is_as_narrow_as_asked() {
        let tables: Vec<SurveyTable> =
            SurveyTable::named().into_iter().filter(|table| table.rules == "michigan").collect();
        let fields = ["longest", "stopper"].map(player);
        let hero = player("stopper");
        let survey = Survey {
            hero: &hero,
            fields: &fields,
            tables: &tables[..2],
            half_width: 0.1,
            margin: 0.05,
            most_deals: 20_000,
            seed: 5,
        };
        let report = survey.report(survey.pending().map(|row| row.play()).collect());
        assert_eq!(report.rows.len(), 4);
        for (nth, row) in report.rows.iter().enumerate() {
            assert!(row.ci95 <= 0.1 && row.deals < 20_000, "{row:?}");
            let table = &tables[nth / 2];
            // The same deals by the slow way: one after the other, the seed of the row's table.
            let seed = Seed::new(5).child((nth / 2) as u64);
            let games = [table.game.clone()];
            let plain = PairedDuel { games: &games, hero: &hero, field: &fields[nth % 2], seed };
            let gains = plain.play(0..row.deals);
            let mean = gains.iter().map(DealGain::chips_a_seat).sum::<f64>()
                / row.deals as f64
                / f64::from(table.game.rules().full_ante(false));
            assert!((mean - row.gain).abs() < 1e-9, "{mean} {row:?}");
            let same = row.field == "stopper";
            assert_eq!(row.standing == Standing::Level, same, "{row:?}");
        }
        assert!(report.not_held().is_empty());
        let [first, second] = &report.summaries[..] else { panic!("two fields") };
        assert_eq!((first.standings, second.standings), ([2, 0, 0, 0], [0, 2, 0, 0]));
    }

    #[test]
    fn an_interval_that_cannot_be_had_ends_with_the_deals() {
        let tables = &SurveyTable::named()[..1];
        let (hero, fields) = (player("longest"), ["stopper", "longest"].map(player));
        for half_width in [1e-300, 1e-9] {
            let survey = Survey {
                hero: &hero,
                fields: &fields,
                tables,
                half_width,
                margin: 0.05,
                most_deals: 1_100,
                seed: 1,
            };
            let deals: Vec<u64> = survey.pending().map(|row| row.play().deals).collect();
            // Who plays itself gains 0 in every deal.
            assert_eq!(deals, [1_100, 512]);
        }
    }

    #[test]
    fn who_is_behind_is_called_so() {
        let of = |gain, ci95| Standing::of(gain, ci95, 0.05);
        assert_eq!(of(0.2, 0.1), Standing::Ahead);
        assert_eq!(of(0.05, 0.06), Standing::Level);
        assert_eq!(of(0.0, 0.06), Standing::Open);
        assert_eq!(of(-0.04, 0.02), Standing::Open);
        assert_eq!(of(-0.2, 0.1), Standing::Behind);
    }

    #[test]
    fn houses_of_a_survey_are_never_trained_on() {
        let tables = SurveyTable::held_out(40, 9);
        let pairs = tables.iter().filter(|table| table.kind == TableKind::HeldOutPair).count();
        assert_eq!((tables.len(), pairs), (40, 10));
        for table in &tables {
            let loaded = Rules::load(&table.rules).expect("a house");
            assert_eq!(&loaded, table.game.rules());
            let house = House { rules: loaded, players: table.game.players() };
            assert!(house.is_held_out());
            assert_eq!(house.has_held_out_pair(), table.kind == TableKind::HeldOutPair);
        }
        assert_ne!(SurveyTable::held_out(1, 10)[0].rules, tables[0].rules);
    }
}
