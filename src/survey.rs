//! `newmarket survey`.

use std::path::PathBuf;
use std::time::Instant;

use newmarket_agents::Player;
use newmarket_eval::survey::{Pending, Standing, Survey, SurveyReport, SurveyRow, SurveyTables};

use crate::external::WithPrograms;
use crate::failure::{Failure, Result};
use crate::kept::Kept;
use crate::numbers::whole;
use crate::report::rows::aligned;
use crate::report::{NOT_SEPARATED, counted, figure};
use crate::table_args::{ProgramArgs, player, split_names, stoppable, with_players};
use crate::terminal;

/// Measure one player at many tables, and list where it is behind.
///
/// The tables are all named games with all numbers of players, or house rules that are held out from all training. At
/// each table HERO meets each of FIELDS on the same deals, as many as the half-width of the interval needs. Gains are
/// in antes of a seat that does not deal. The intervals of all rows hold together with 95 % probability; the interval
/// of a group of rows holds by itself.
#[derive(clap::Args)]
#[command(after_help = with_players("Example:\n  newmarket survey net:champion stopper,pimc:60\n  \
                        newmarket survey net:champion stopper,pimc:60 --tables held-out:200 --seed 7"))]
pub(crate) struct SurveyArgs {
    /// The agent to measure.
    hero: String,
    /// The agents that take all other seats in turn, separated by commas.
    #[arg(value_name = "FIELDS")]
    fields: String,
    /// `named`: every named game with every number of players. `held-out:K`: K house rules that are held out from
    /// training, other ones for each seed. `unpaid:K`: the same, where cards left cost nothing.
    #[arg(long, value_name = "T", default_value = "named")]
    tables: SurveyTables,
    /// Half the width of each interval, in antes.
    #[arg(long, value_name = "W", default_value_t = 0.03, value_parser = antes)]
    half_width: f64,
    /// A hero is behind if it loses more than this, in antes.
    #[arg(long, value_name = "M", default_value_t = 0.05, value_parser = antes)]
    margin: f64,
    /// The most deals of a row, each played in every seating.
    #[arg(long, value_name = "K", default_value_t = 40_000, value_parser = whole::<u64>(64..=10_000_000))]
    deals: u64,
    /// Seed of the house rules, the deals and all random numbers.
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Keep each finished row in this folder, so that a stopped survey can continue. Networks and programs in files
    /// must stay the same.
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    #[command(flatten)]
    programs: ProgramArgs,
    /// Print one JSON object, with every row.
    #[arg(long)]
    json: bool,
}

fn antes(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|antes: &f64| *antes > 0.0 && antes.is_finite());
    number.ok_or_else(|| "expected a positive number of antes, as 0.03".into())
}

impl SurveyArgs {
    pub(crate) fn run(self) -> Result {
        let mut programs = self.programs.programs();
        let hero = player(&self.hero, &mut programs)?;
        let names = split_names(&self.fields);
        if let Some(twice) = names
            .iter()
            .enumerate()
            .find(|(at, name)| !name.is_empty() && names[..*at].contains(name))
        {
            return Err(Failure::user(format!("agent `{}` is named twice", twice.1)));
        }
        let fields = names.iter().map(|name| player(name, &mut programs));
        let fields: Vec<Player> = fields.collect::<Result<_>>()?;
        let tables = self.tables.of_seed(self.seed);
        let survey = Survey {
            hero: &hero,
            fields: &fields,
            tables: &tables,
            half_width: self.half_width,
            margin: self.margin,
            most_deals: self.deals,
            seed: self.seed,
        };
        let kept = Kept::in_folder(self.keep.as_deref())?;
        let bar = terminal::progress(survey.rows() as u64, "rows");
        let start = Instant::now();
        let rows = stoppable(|| {
            let rows = survey.pending().map(|row| {
                let row = kept.or("row", || self.depends_on(&row), || Ok(row.play()))?;
                bar.inc(1);
                row
            });
            rows.collect::<Result<_>>()
        });
        bar.finish_and_clear();
        let report = survey.report(rows??).took(start.elapsed());
        let outcome = WithPrograms { result: report, programs: programs.reports() };
        if self.json {
            return terminal::print_json(&outcome);
        }
        terminal::print(text(&outcome.result))?;
        outcome.programs.iter().try_for_each(|program| terminal::print(program.sentence()))
    }
}

impl SurveyArgs {
    /// Everything that a row depends on.
    fn depends_on(&self, row: &Pending) -> Vec<String> {
        let Self { hero, half_width, margin, deals, seed, .. } = self;
        let (game, field, nth, rows) = (&row.table.game, row.field.name(), row.table_nth, row.rows);
        let numbers =
            format!("{nth} {rows} {half_width} {margin} {deals} {seed} {}", game.players());
        vec![hero.clone(), field.into(), numbers, game.rules().to_toml()]
    }
}

fn text(report: &SurveyReport) -> String {
    let SurveyReport { hero, seed, margin, rows, seconds, .. } = report;
    let deals: u64 = rows.iter().map(|row| row.deals).sum();
    let mut lines = vec![
        format!(
            "{hero} in {} (a table with a field), {} in every seating, seed {seed}; {seconds:.0} s",
            counted(rows.len() as u64, "row"),
            counted(deals, "deal")
        ),
        String::new(),
    ];
    let heads = ["tables", "field", "rows", "gain in antes a deal"].into_iter();
    let heads = heads.chain(Standing::ALL.map(Standing::name)).chain(["lowest end"]);
    let mut table = vec![heads.map(str::to_owned).collect::<Vec<_>>()];
    for summary in &report.summaries {
        let mut row = vec![
            summary.tables.clone(),
            summary.field.clone(),
            summary.rows.to_string(),
            figure(summary.gain, summary.ci95),
        ];
        row.extend(summary.standings.map(|count| count.to_string()));
        row.push(format!("{:+.3}", summary.lowest));
        table.push(row);
    }
    lines.extend(aligned(&table, 2));
    lines.push(String::new());
    lines.push(format!(
        "Ahead: the interval lies above 0; level: above -{margin}; open: it contains -{margin}; behind: it \
         lies below -{margin}. The intervals of all rows hold together with 95 % probability, that of each \
         group by itself; {NOT_SEPARATED}: the interval contains 0."
    ));
    let not_held = report.not_held();
    if not_held.is_empty() {
        lines.push("No row is open or behind.".into());
        return lines.join("\n");
    }
    lines.push(String::new());
    let heads = ["rules", "field", "players", "deals", "ante", "gain in antes a deal", ""];
    let mut table = vec![heads.map(str::to_owned).to_vec()];
    table.extend(not_held.into_iter().map(row_of));
    lines.extend(aligned(&table, 2));
    lines.join("\n")
}

fn row_of(row: &SurveyRow) -> Vec<String> {
    vec![
        row.rules.clone(),
        row.field.clone(),
        row.players.to_string(),
        row.deals.to_string(),
        row.ante.to_string(),
        figure(row.gain, row.ci95),
        row.standing.name().into(),
    ]
}
