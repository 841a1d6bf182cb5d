//! `report.html` of a run, written when the run ends, stops or fails: how far it came, what it has
//! learnt, and whether it was still improving.

mod decisions;

use std::path::{Path, PathBuf};

use newmarket_checkpoints::write_whole;
use newmarket_train::config::{EpisodeKind, OpponentConfig, TableMix};
use newmarket_train::metrics::{self, MetricsRow};
use newmarket_train::{Config, Trainer};

use super::curves::{self, Curves};
use super::learning::{self, Change, Trend};
use super::pace::{self, Left, exactly, used};
use super::trial::{Trial, Unit};
use crate::failure::Result;
use crate::report::curve::{Curve, Size};
use crate::report::page::{self, escaped, facts, paragraphs};
use crate::report::{figure, grouped, now};

const FILE: &str = "report.html";
const LARGE: Size = Size { width: 440.0, height: 240.0 };
const SMALL: Size = Size { width: 300.0, height: 170.0 };

/// The state of a run in its report.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum State<'a> {
    /// All planned updates are done. The duels on fresh deals are added when they are played.
    Finished(&'a [Trial]),
    /// The user stopped it.
    Stopped,
    /// It could not go on.
    Failed(&'a str),
}

/// The report of a run.
pub(crate) struct Page {
    folder: PathBuf,
    config: Config,
}

impl Page {
    /// The report of this run.
    pub(crate) fn of(trainer: &Trainer) -> Self {
        Self { folder: trainer.folder().into(), config: trainer.config().clone() }
    }

    /// The path of the file.
    pub(crate) fn path(&self) -> PathBuf {
        self.folder.join(FILE)
    }

    /// Writes the report, and replaces an old one.
    pub(crate) fn write(&self, state: State<'_>) -> Result {
        let rows = metrics::read(&self.folder)?;
        let html = html(&self.folder, &self.config, &rows, state);
        Ok(write_whole(&self.path(), html.as_bytes())?)
    }
}

fn html(folder: &Path, config: &Config, rows: &[MetricsRow], state: State<'_>) -> String {
    let Curves { gains, signs } = curves::of(rows, config);
    let name = folder.file_name().map_or_else(|| "run".into(), |name| name.to_string_lossy());
    let title = format!("Training run {name}");
    let mut body = vec![
        format!("<h1>{}</h1>", escaped(&title)),
        standing(folder, config, rows, state),
        "<h2>Was it still improving?</h2>".into(),
        improving(config, rows, &gains),
    ];
    let best = learning::best(rows);
    body.extend(gains.iter().map(|curve| gain_curve(curve, best)));
    if !gains.is_empty() {
        body.push(format!("<div class=\"aside\">{}</div>", paragraphs(&how_to_read(config))));
        body.push(measurements(rows, &gains, best));
        body.extend(decisions::gains_by_game(rows));
    }
    body.extend(decisions::what_it_knows(rows));
    if let State::Finished(duels @ [_, ..]) = state {
        body.push("<h2>How good it is</h2>".into());
        body.push(fresh(duels));
    }
    if rows.len() > 1 {
        body.push("<h2>Signs of trouble</h2>".into());
        body.push(sign_curves(config, rows, &signs));
    }
    body.push("<h2>What is trained</h2>".into());
    body.push(facts(&essentials(config)));
    page::page(&title, &body.join("\n"))
}

/// The progress of the run.
fn standing(folder: &Path, config: &Config, rows: &[MetricsRow], state: State<'_>) -> String {
    let (done, planned) = (rows.last().map_or(0, |row| row.update), config.run.updates);
    let latest = |name: &str| rows.last().and_then(|row| row.get(name)).unwrap_or(0.0);
    let left = Left::after(rows, config);
    let going_on = matches!(state, State::Stopped) && done < planned;
    let (word, left) = match state {
        State::Failed(reason) => ("failed", format!("it cannot go on: {reason}")),
        _ if !going_on => ("finished", "none".into()),
        _ => ("stopped", format!("once it goes on: {}", left.words())),
    };
    let mut known = vec![
        ("State", format!("{word}, as of {}", now())),
        ("Updates", format!("{} of {}", grouped(done), grouped(planned))),
        ("Time left", left),
        ("Time used", exactly(used(rows))),
        ("Deals played", grouped(latest("run/deals") as u64)),
        ("Decisions learnt from", grouped(latest("run/rows") as u64)),
    ];
    if going_on {
        known.push(("Go on with", format!("newmarket resume {}", folder.display())));
    }
    format!(
        "<progress value=\"{done}\" max=\"{planned}\">{done} of {planned}</progress>\n{}",
        facts(&known)
    )
}

/// The verdict on the latest changes, and the changes.
fn improving(config: &Config, rows: &[MetricsRow], gains: &[Curve]) -> String {
    if learning::looks(config) == 0 {
        return paragraphs(&[
            "There are no benchmarks: run.benchmark_every is 0 or run.benchmark_opponents empty.",
        ]);
    }
    let change = |curve: &Curve| {
        let change = learning::change(rows, config, &curve.name)?;
        Some((curve.name.clone(), change))
    };
    let changes: Vec<(String, Change)> = gains.iter().filter_map(change).collect();
    let any = |trend| changes.iter().any(|(_, change)| change.trend() == trend);
    // All opponents have benchmarks after the same updates.
    let since = changes.first().map_or(0, |(_, change)| change.since);
    let verdict = match (any(Trend::Better), any(Trend::Worse)) {
        _ if changes.is_empty() => "Too early to tell: it takes two measurements, the earlier one \
             before the last quarter of the updates done."
            .into(),
        (true, false) => format!("Yes: better since update {since}."),
        (false, true) => format!("No: worse since update {since}. The best checkpoint is kept."),
        (true, true) => format!("Better at one table since update {since}, worse at another."),
        (false, false) => {
            format!("No improvement that can be told from chance since update {since}.")
        }
    };
    let round = Unit::of(config).one;
    let items = changes.iter().map(|(against, change)| {
        let words = match change.trend() {
            Trend::Better => "better by",
            Trend::Worse => "worse by",
            Trend::Unclear => "not separated from chance,",
        };
        let Change { since, update, gain } = change;
        let mean = match change.trend() {
            Trend::Unclear => format!("{:+.3}", gain.mean),
            _ => format!("{:.3}", gain.mean.abs()),
        };
        format!(
            "<li>At a table of <code>{}</code>: {words} {mean} ± {:.3} chips a {round} from update \
             {since} to {update}.</li>",
            escaped(against),
            gain.ci95
        )
    });
    format!("<p><strong>{verdict}</strong></p>\n<ul>{}</ul>", items.collect::<String>())
}

fn gain_curve(curve: &Curve, best: Option<u64>) -> String {
    let Curve { name: against, unit, .. } = curve;
    let what = format!("Gain over {against} in {unit}, by update, with 95 % intervals");
    format!(
        "<h3>Gain over <code>{}</code>, {unit}</h3>\n<figure>{}</figure>",
        escaped(against),
        curve.svg(&what, LARGE, best.map(|best| (best, "best")))
    )
}

fn how_to_read(config: &Config) -> [String; 2] {
    let (deals, looks) = (grouped(config.run.benchmark_deals), learning::looks(config));
    let (by, sessions) = (Unit::of(config), config.counts_sessions());
    let Unit { one, many, .. } = by;
    let deals = if sessions {
        format!("sessions, of up to {deals} deals together")
    } else {
        format!("{deals} deals")
    };
    let prize = if sessions {
        " Where chips can run out, the winner of a session gets the chips that all seats began with."
    } else {
        ""
    };
    [
        format!(
            "The player takes each seat in turn at a table of one opponent. The opponent also plays the \
             same {many} in all seats. The gain is the difference between both in the same seat; 0 is as \
             good as the opponent. The band is the 95 % interval over {deals}.{prize}"
        ),
        format!(
            "All benchmarks of a run use the same {many}. The latest benchmark is compared {one} by \
             {one} with the last one from before the latest quarter of the updates done. This finds \
             smaller differences than a comparison of two bands. The intervals are wider than for a \
             single comparison: all {looks} intervals of the planned run hold together in 95 % of runs. \
             An interval that holds 0 does not prove that the run learns no more; the change may be \
             anywhere in the interval."
        ),
    ]
}

/// The table of all benchmarks.
fn measurements(rows: &[MetricsRow], gains: &[Curve], best: Option<u64>) -> String {
    let mut table = vec![vec!["update".to_owned(), "time".into(), "deals played".into()]];
    table[0].extend(gains.iter().map(|curve| format!("over {}", curve.name)));
    for (nth, row) in rows.iter().enumerate() {
        let gain = |curve: &Curve| {
            let point = learning::gain(row, &curve.name)?;
            Some(figure(point.y, point.ci95.unwrap_or(f64::INFINITY)))
        };
        let gained: Vec<Option<String>> = gains.iter().map(gain).collect();
        if gained.iter().any(Option::is_some) {
            let mark = if best == Some(row.update) { " (best)" } else { "" };
            let mut cells = vec![
                format!("{}{mark}", row.update),
                exactly(used(&rows[..=nth])),
                grouped(row.get("run/deals").unwrap_or(0.0) as u64),
            ];
            cells.extend(gained.into_iter().map(Option::unwrap_or_default));
            table.push(cells);
        }
    }
    format!(
        "<details>\n<summary>All measurements</summary>\n{}\n<p>~: the interval holds 0.</p></details>",
        page::table(&table, 0)
    )
}

/// The duels on deals that were used for neither training nor selection.
fn fresh(duels: &[Trial]) -> String {
    let same =
        |one: &Trial, other: &Trial| (&one.rules, one.players) == (&other.rules, other.players);
    let tables = duels.chunk_by(same).map(|duels| {
        let (first, Unit { one, many, wins, .. }) = (&duels[0], duels[0].by);
        let heads = ["at a table of".to_owned(), format!("chips a {one}"), wins.into()].to_vec();
        let rows = duels.iter().map(|duel| {
            let wins = (100.0 * duel.wins, 100.0 * duel.wins_ci95);
            let wins = format!("{:.1} ± {:.1} %", wins.0, wins.1);
            vec![duel.field.clone(), figure(duel.gain, duel.ci95), wins]
        });
        let rows: Vec<Vec<String>> = std::iter::once(heads).chain(rows).collect();
        let rounds = grouped(first.rounds);
        let title = format!("{}, {} players, {rounds} {many}", first.rules, first.players);
        format!("<h3>{}</h3>\n{}\n", escaped(&title), page::table(&rows, 1))
    });
    let tables: String = tables.collect();
    let note = "Neither training nor selection used these deals. 95 % intervals; ~: not separated. Where chips \
                can run out, the winner of a session gets the chips that all seats began with.";
    tables + &paragraphs(&[note])
}

fn sign_curves(config: &Config, rows: &[MetricsRow], signs: &[Curve]) -> String {
    let figures = signs.iter().map(|curve| {
        let title = curve.title();
        format!(
            "<figure><h3>{}</h3>\n{}<figcaption>{}</figcaption></figure>",
            escaped(&title),
            curve.svg(&format!("{title}, by update"), SMALL, None),
            escaped(curve.about)
        )
    });
    let figures = figures.collect::<Vec<_>>().join("\n");
    let phase = |row: &MetricsRow| pace::phase(config, row.update);
    let note = rows.windows(2).rfind(|pair| phase(&pair[0]) != phase(&pair[1])).map(|pair| {
        format!(
            "Since update {} targets are estimated in another way: losses, gradients and explained \
             variance before and after that are not comparable.",
            pair[1].update
        )
    });
    format!("{}\n<div class=\"small\">\n{figures}\n</div>", paragraphs(note.as_slice()))
}

/// The main values of the configuration.
fn essentials(config: &Config) -> Vec<(&'static str, String)> {
    let Config { network, rollout, learner, opponents, run, .. } = config;
    let whole: f64 = config.tables.iter().map(|table| table.share).sum();
    let tables: Vec<String> = config.tables.iter().map(|entry| table(entry, whole)).collect();
    let hidden: Vec<String> = network.hidden.iter().map(ToString::to_string).collect();
    let start = match network.start.as_str() {
        "" => "random weights".to_owned(),
        start => format!("the weights of {start}"),
    };
    let shape = format!("hidden layers of {} units, from {start}", hidden.join(", "));
    let mut start = 0.0;
    let phases: Vec<String> = config
        .phases
        .iter()
        .map(|phase| {
            let from = std::mem::replace(&mut start, phase.until);
            match 100.0 * (phase.until - from) {
                whole if whole > 99.9 => phase.about(),
                part => format!("{} ({part:.0} %)", phase.about()),
            }
        })
        .collect();
    let part = |opponent: &OpponentConfig| {
        format!("{} in {:.0} % of deals", opponent.agent, 100.0 * opponent.share)
    };
    let opponents = match &opponents.agents[..] {
        [] => "itself alone".to_owned(),
        agents => agents.iter().map(part).collect::<Vec<_>>().join("; "),
    };
    vec![
        ("Tables", tables.join("; ")),
        ("Network", shape),
        (
            "An update",
            format!("{} deals, {} passes over them", grouped(rollout.deals as u64), learner.epochs),
        ),
        ("Phases", phases.join("; then ")),
        ("Opponents", opponents),
        ("Planned", format!("{} updates", grouped(run.updates))),
        ("Seed", config.seed.to_string()),
        ("In full", "config.toml in the run's folder".into()),
    ]
}

fn table(table: &TableMix, whole: f64) -> String {
    let title = match (&*table.rules, table.load()) {
        (TableMix::ALL, _) => "all named games".to_owned(),
        (TableMix::HOUSES, _) => "house rules at random".to_owned(),
        (_, Ok(rules)) => rules.title().to_owned(),
        (path, Err(_)) => path.to_owned(),
    };
    let share = match 100.0 * table.share / whole {
        all if all > 99.9 => String::new(),
        share => format!(" ({share:.0} %)"),
    };
    let chips = match table.episode {
        EpisodeKind::Deal => "",
        EpisodeKind::CarriedDeal => ", chips carried over",
        EpisodeKind::Session => ", whole sessions",
    };
    format!("{title}, {} players{chips}{share}", table.players)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::quick;

    /// One kind of update from the first to the last.
    fn config() -> Config {
        let mut config = quick();
        config.phases[0].until = 1.0;
        config.phases.truncate(1);
        config
    }

    fn rows(updates: u64, change: f64) -> Vec<MetricsRow> {
        let row = |update: u64| {
            let mut row = MetricsRow::new(update);
            row.push("run/deals", 1536.0 * update as f64);
            row.push("policy/entropy", 1.0 / update as f64);
            row.push("time/update_seconds", 2.0);
            if update.is_multiple_of(25) {
                row.push("benchmark/<b>", 0.5);
                row.push("benchmark/<b>_ci95", 0.1);
                row.push("benchmark/<b>_wins", 0.3);
                row.push("time/measurement_seconds", 1.0);
                if update > 25 {
                    row.push("benchmark/<b>_change", change);
                    row.push("benchmark/<b>_change_ci95", 0.1);
                    row.push("benchmark/<b>_change_since", update as f64 - 25.0);
                }
            }
            row
        };
        (1..=updates).map(row).collect()
    }

    fn shown(rows: &[MetricsRow], state: State<'_>) -> String {
        html(Path::new("runs/mine"), &config(), rows, state)
    }

    #[test]
    fn the_verdict_is_that_of_the_interval() {
        let says = |change, words| shown(&rows(60, change), State::Stopped).contains(words);
        assert!(says(0.3, "Yes: better since update 25"));
        assert!(says(0.3, "better by 0.300 ± 0.143 chips a deal from update 25 to 50"));
        assert!(says(0.12, "No improvement that can be told from chance since update 25"));
        assert!(says(-0.3, "No: worse since update 25") && says(-0.3, "worse by 0.300 ± 0.143"));
        let early = shown(&rows(30, 0.0), State::Stopped);
        assert!(early.contains("Too early to tell"));
    }

    #[test]
    fn how_it_stands_is_said_in_every_state() {
        let page = |state| shown(&rows(60, 0.0), state);
        let stopped = page(State::Stopped);
        assert!(stopped.contains("60 of 120") && stopped.contains("2 min 02 s"), "{stopped}");
        assert!(stopped.contains("once it goes on: about 2 min"), "{stopped}");
        assert!(stopped.contains("newmarket resume runs/mine"), "{stopped}");
        let failed = page(State::Failed("x < y"));
        assert!(
            failed.contains("cannot go on: x &lt; y") && !failed.contains("resume"),
            "{failed}"
        );
        assert!(shown(&[], State::Stopped).contains("not known before the next update"));
    }

    #[test]
    fn another_phase_is_no_trouble() {
        let says = |until: f64| {
            let mut config = quick();
            config.phases[0].until = until;
            let page = html(Path::new("x"), &config, &rows(60, 0.0), State::Stopped);
            page.contains("Since update 49 targets are estimated in another way")
        };
        assert!(says(0.4) && !says(0.5) && !says(1.0));
    }

    #[test]
    fn names_from_outside_are_text() {
        let page = shown(&rows(60, 0.0), State::Stopped);
        assert!(page.contains("&lt;b&gt;") && !page.contains("<b>"));
    }
}
