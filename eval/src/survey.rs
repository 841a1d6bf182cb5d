//! One player at many tables, with intervals that hold for all of them together.
//!
//! At every table, and against every field there, the player is measured on duplicate deals. Gains are in antes of a
//! seat that does not deal, because stakes differ between tables. The intervals hold for all rows at once (Bonferroni):
//! of surveys of a player that is level everywhere, about one in twenty calls it behind somewhere. The figure is
//! approximate, because the number of deals depends on the observed spread.

mod tables;

use std::ops::Range;
use std::time::Duration;

pub use tables::{SurveyTable, SurveyTables, TableKind};

use newmarket_agents::Player;
use newmarket_agents::paired::{Estimate, Mean, PairedDuel, run_chunks, widening};
use newmarket_env::Seed;
use newmarket_env::rules::Timing;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Deals before the first estimate of the number of deals that a row needs. A multiple of the size of a chunk.
const AT_FIRST: u64 = 512;

/// A survey to be played.
pub struct Survey<'a> {
    /// The player to measure.
    pub hero: &'a Player,
    /// The players that take all other seats in turn.
    pub fields: &'a [Player],
    /// The tables.
    pub tables: &'a [SurveyTable],
    /// Half the width of an interval, in antes. Intervals hold for all rows at once.
    pub half_width: f64,
    /// A hero that loses at most this many antes is not behind.
    pub margin: f64,
    /// The most deals of a row, each played `players + 1` times.
    pub most_deals: u64,
    /// Fixes the deals and every seat's random numbers.
    pub seed: u64,
}

/// A row of a survey before it is played.
pub struct Pending<'a> {
    survey: &'a Survey<'a>,
    /// The index of the table.
    pub table_nth: usize,
    /// The table.
    pub table: &'a SurveyTable,
    /// The player in all other seats.
    pub field: &'a Player,
    /// The number of rows whose intervals hold together, this row included.
    pub rows: u64,
}

/// The verdict on a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// The interval lies above 0.
    Ahead,
    /// The interval contains 0 or lies below it, but above −margin.
    Level,
    /// The interval contains −margin.
    Open,
    /// The interval lies below −margin.
    Behind,
}

/// One table with one field.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SurveyRow {
    /// The rules as a command takes them.
    pub rules: String,
    /// The rules as a rules file, in JSON.
    pub rules_file: Map<String, Value>,
    /// Seats at the table.
    pub players: usize,
    /// The kind of table.
    pub kind: TableKind,
    /// Whether antes are placed after a look at the hand.
    pub after_look: bool,
    /// The name of the agent in all other seats.
    pub field: String,
    /// Deals, each played `players + 1` times.
    pub deals: u64,
    /// The ante, the unit of gains, in chips.
    pub ante: f64,
    /// What the hero gains over the field in the same seat, in antes a deal.
    pub gain: f64,
    /// Half the width of the interval of `gain`, in antes; 95 % for all rows at once.
    pub ci95: f64,
    /// The verdict.
    pub standing: Standing,
}

/// A summary of the rows of one kind with one field.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SurveySummary {
    /// The rows: those of a kind of table, or those with antes after a look.
    pub tables: String,
    /// The name of the agent in all other seats.
    pub field: String,
    /// Number of rows.
    pub rows: usize,
    /// The hero's mean gain over the rows, in antes a deal.
    pub gain: f64,
    /// Half the width of the 95 % interval of `gain`, for these tables and random deals.
    pub ci95: f64,
    /// Rows with each [`Standing`], in their order.
    pub standings: [usize; 4],
    /// The lowest of the lower ends of the rows' intervals.
    pub lowest: f64,
}

/// The result of a survey, as `newmarket survey --json` prints it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SurveyReport {
    /// The name of the agent that was measured.
    pub hero: String,
    /// The seed of the deals and of all random numbers.
    pub seed: u64,
    /// The margin of [`Survey::margin`], in antes.
    pub margin: f64,
    /// Summaries of groups of rows.
    pub summaries: Vec<SurveySummary>,
    /// Every table with every field.
    pub rows: Vec<SurveyRow>,
    /// Wall-clock time; 0 until [`SurveyReport::took`] sets it.
    pub seconds: f64,
}

impl Survey<'_> {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.tables.len() * self.fields.len()
    }

    /// The rows in order, before they are played.
    pub fn pending(&self) -> impl Iterator<Item = Pending<'_>> {
        let (fields, rows) = (self.fields, self.rows() as u64);
        self.tables.iter().enumerate().flat_map(move |(table_nth, table)| {
            fields.iter().map(move |field| Pending { survey: self, table_nth, table, field, rows })
        })
    }

    /// The report on the played rows.
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
                let group: Vec<&SurveyRow> =
                    rows.iter().filter(|row| belongs(row) && row.field == field.name()).collect();
                if group.is_empty() {
                    continue;
                }
                let count = group.len() as f64;
                let squares: f64 = group.iter().map(|row| (row.ci95 / wider).powi(2)).sum();
                let standings = Standing::ALL
                    .map(|standing| group.iter().filter(|row| row.standing == standing).count());
                summaries.push(SurveySummary {
                    tables: name.into(),
                    field: field.name().into(),
                    rows: group.len(),
                    gain: group.iter().map(|row| row.gain).sum::<f64>() / count,
                    ci95: squares.sqrt() / count,
                    standings,
                    lowest: group.iter().map(|row| row.gain - row.ci95).fold(f64::MAX, f64::min),
                });
            }
        }
        summaries
    }
}

impl Pending<'_> {
    /// Plays the row.
    pub fn play(&self) -> SurveyRow {
        let Self { survey, table, field, .. } = *self;
        // All fields meet the same deals.
        let seed = Seed::new(survey.seed).child(self.table_nth as u64);
        let wider = widening(self.rows);
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
            // Deals that all gave the same gain say nothing about the spread.
            let is_known = wide > 0.0 || survey.hero.name() == field.name();
            if wide <= 1.0 && is_known || until == survey.most_deals {
                break;
            }
            // As many deals as the observed spread needs, and a few more, because it is an estimate.
            let needed = (until as f64 * (wide * wide * 1.05).max(2.0)).ceil();
            let needed = needed.min(survey.most_deals as f64) as u64;
            until = needed.next_multiple_of(AT_FIRST).min(survey.most_deals);
        }
        let Estimate { mean: gain, ci95 } = gains.estimate();
        let ci95 = wider * ci95;
        SurveyRow {
            rules: table.rules.clone(),
            rules_file: game.rules().to_file(),
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

    /// The name of the verdict.
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
    use newmarket_agents::paired::DealGain;
    use newmarket_agents::strategy::Strategy;

    fn player(name: &str) -> Player {
        Strategy::named(name).expect("a heuristic").into()
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
}
