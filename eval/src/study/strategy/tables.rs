//! What was found about strategies, as tables and sentences.

use newmarket_agents::paired::{Estimate, widening};
use newmarket_env::Game;
use serde_json::{Map, Value};

use super::{Finding, Found, StrategyStudy};
use crate::study::ante::role_name;
use crate::study::payoff::{LEFT_GROUPS, Payoff};
use crate::study::report::{ReportCell, ReportTable, Section, Sizes};

/// Most findings that are also told in sentences.
const TOLD: usize = 12;

pub(super) fn section(study: &StrategyStudy, found: &Found) -> Section {
    let all = &found.findings;
    let labels = Labels::of("strategy", all);
    let gains = joint(all.iter().map(|it| it.whole.all));
    let mut whole = labels.table("What each strategy gains", &["gain"]);
    for (it, gain) in all.iter().zip(&gains) {
        whole.push(labels.row(it, [(*gain).into()]));
    }
    let is_alone = labels.shown == [true, false, false, false];
    let column = labels.count();
    let whole = if is_alone { whole.drawn(column) } else { whole };
    let told = all.iter().zip(&gains).take(TOLD).map(|(it, gain)| labels.sentence(it, *gain));
    let left_out = found.left_out.iter().map(|(name, game)| {
        format!("“{name}” is not for {}: what it `needs` does not hold there.", place(game))
    });
    Section {
        findings: told.chain(left_out).collect(),
        tables: std::iter::once(whole).chain(details(study, &labels, all)).collect(),
        ..summary(study, found, &gains)
    }
}

/// A section without findings and tables.
pub(in crate::study) fn summary(
    study: &StrategyStudy,
    found: &Found,
    gains: &[Estimate],
) -> Section {
    let all = &found.findings;
    Section {
        study: "strategy".into(),
        title: "What strategies are worth".into(),
        question: "How many chips does a strategy gain over its base?".into(),
        rules: distinct(all.iter().map(|it| it.game.rules().title().to_owned())).join(", "),
        rules_files: files(all),
        players: sizes(all),
        field: distinct(all.iter().map(|it| it.field.to_owned())).join(", "),
        deals: study.deals,
        seed: study.seed,
        method: method(study, found),
        advice: Vec::new(),
        findings: Vec::new(),
        tables: Vec::new(),
        precision: gains.iter().map(|gain| gain.ci95).fold(0.0, f64::max),
    }
}

/// The rules of all games, each once, in the order of the tables.
fn files(all: &[Finding]) -> Vec<Map<String, Value>> {
    let mut files = Vec::new();
    for it in all {
        let file = it.game.rules().to_file();
        if !files.contains(&file) {
            files.push(file);
        }
    }
    files
}

/// The tables after the first one.
pub(in crate::study) fn details(
    study: &StrategyStudy,
    labels: &Labels,
    all: &[Finding],
) -> Vec<ReportTable> {
    let mut tables: Vec<ReportTable> = parts(labels, all).into_iter().collect();
    tables.extend(clauses(labels, all));
    if study.by_seat {
        tables.extend(by_seat(labels, all));
    }
    tables.extend(sessions(labels, all, study.sessions));
    tables
}

/// Intervals that hold together at 95 % (Bonferroni).
pub(in crate::study) fn joint(estimates: impl Iterator<Item = Estimate>) -> Vec<Estimate> {
    let estimates: Vec<Estimate> = estimates.collect();
    let wide = widening(estimates.len() as u64);
    estimates.into_iter().map(|it| Estimate { ci95: it.ci95 * wide, ..it }).collect()
}

/// The columns that say what a row is about. A column that would say the same in all rows is left out.
pub(in crate::study) struct Labels {
    /// The head of the first column.
    what: &'static str,
    /// Whether these columns are shown: over whom, the game, the players, the field.
    shown: [bool; 4],
}

impl Labels {
    const HEADS: [&'static str; 4] = ["over", "game", "players", "field"];

    pub(in crate::study) fn of(what: &'static str, all: &[Finding]) -> Self {
        let differ = |nth: usize| {
            let first = all.first().map(|it| Self::all(it)[nth].clone());
            all.iter().any(|it| Some(&Self::all(it)[nth]) != first.as_ref())
        };
        Self { what, shown: [true, differ(1), differ(2), differ(3)] }
    }

    fn all(it: &Finding) -> [String; 4] {
        let Finding { game, over, field, .. } = it;
        let rules = game.rules().title().to_owned();
        [over.clone(), rules, game.players().to_string(), (*field).to_owned()]
    }

    fn count(&self) -> usize {
        1 + self.shown.iter().filter(|shown| **shown).count()
    }

    fn heads(&self) -> Vec<&'static str> {
        let shown = Self::HEADS.into_iter().zip(self.shown);
        std::iter::once(self.what)
            .chain(shown.filter(|(_, shown)| *shown).map(|(head, _)| head))
            .collect()
    }

    /// A table with these heads after the labels.
    pub(in crate::study) fn table(&self, what: &str, heads: &[&str]) -> ReportTable {
        let caption =
            format!("{what}, chips a deal; all intervals of this table hold together at 95 %");
        ReportTable::new(caption, &[&self.heads()[..], heads].concat())
    }

    pub(in crate::study) fn row(
        &self,
        it: &Finding,
        cells: impl IntoIterator<Item = ReportCell>,
    ) -> Vec<ReportCell> {
        let shown = Self::all(it).into_iter().zip(self.shown).filter(|(_, shown)| *shown);
        std::iter::once(it.candidate.name.clone())
            .chain(shown.map(|(label, _)| label))
            .map(ReportCell::from)
            .chain(cells)
            .collect()
    }

    fn sentence(&self, it: &Finding, gain: Estimate) -> String {
        let [_, _, _, fields] = self.shown;
        let among = if fields { format!(", among {}", it.field) } else { String::new() };
        let (name, over) = (&it.candidate.name, &it.over);
        if gain == (Estimate { mean: 0.0, ci95: 0.0 }) {
            return format!("“{name}” plays as {over} in {}{among}.", place(&it.game));
        }
        format!("“{name}” gains {gain} chips a deal over {over} in {}{among}.", place(&it.game))
    }
}

fn place(game: &Game) -> String {
    format!("{}, {} players", game.rules().title(), game.players())
}

fn sizes(all: &[Finding]) -> Sizes {
    let mut sizes: Vec<usize> = all.iter().map(|it| it.game.players()).collect();
    sizes.sort_unstable();
    sizes.dedup();
    if let [one] = sizes[..] { Sizes::One(one) } else { Sizes::Many(sizes) }
}

/// Each text once, in the order of their first places.
fn distinct(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut all = Vec::new();
    for text in texts {
        if !all.contains(&text) {
            all.push(text);
        }
    }
    all
}

fn parts(labels: &Labels, all: &[Finding]) -> Option<ReportTable> {
    let rows = || all.iter().flat_map(|it| it.parts.iter().map(move |part| (it, part)));
    let mut table = labels.table("What parts of each strategy gain alone", &["part", "gain"]);
    for ((it, (part, _)), gain) in rows().zip(joint(rows().map(|(_, part)| part.1))) {
        table.push(labels.row(it, [(*part).into(), gain.into()]));
    }
    (!table.rows.is_empty()).then_some(table)
}

fn clauses(labels: &Labels, all: &[Finding]) -> Option<ReportTable> {
    let rows = || all.iter().flat_map(|it| it.clauses.iter().map(move |clause| (it, clause)));
    let caption = "What each clause adds: what the whole gains over the strategy without it";
    let mut table = labels.table(caption, &["clause", "gain"]);
    for ((it, (list, nth, text, _)), gain) in rows().zip(joint(rows().map(|(_, clause)| clause.3)))
    {
        let clause = format!("{}[{}] {text}", list.key(), nth + 1);
        table.push(labels.row(it, [clause.into(), gain.into()]));
    }
    (!table.rows.is_empty()).then_some(table)
}

/// A table for each number of players.
fn by_seat(labels: &Labels, all: &[Finding]) -> Vec<ReportTable> {
    let sizes = match sizes(all) {
        Sizes::One(one) => vec![one],
        Sizes::Many(many) => many,
    };
    sizes.into_iter().map(|players| by_seat_of(labels, all, players)).collect()
}

fn by_seat_of(labels: &Labels, all: &[Finding], players: usize) -> ReportTable {
    let here: Vec<&Finding> = all.iter().filter(|it| it.game.players() == players).collect();
    let roles = here.first().map_or_else(Vec::new, |it| {
        (0..players).map(|role| role_name(role, &it.game)).collect::<Vec<_>>()
    });
    let figures = |it: &Finding| -> Vec<Estimate> {
        it.whole.by_role.iter().chain(&it.whole.by_left).copied().collect()
    };
    // Where deals are on their own, no deals are left.
    let known = |nth: usize| here.iter().any(|it| figures(it)[nth].ci95.is_finite());
    let with_left = (players + 1..players + LEFT_GROUPS.len()).any(known);
    let lefts = LEFT_GROUPS.iter().filter(|_| with_left).map(|(_, name)| *name);
    let heads: Vec<&str> = roles.iter().map(String::as_str).chain(lefts).collect();
    let shown = heads.len();
    let what = if with_left { "by seat, and by deals left after it" } else { "by seat" };
    let mut table = labels.table(&format!("What each strategy gains {what}"), &heads);
    let wide = widening((here.len() * shown) as u64);
    for it in here {
        let cells = figures(it).into_iter().take(shown);
        let cells = cells.map(|gain| Estimate { ci95: gain.ci95 * wide, ..gain }.into());
        table.push(labels.row(it, cells));
    }
    table
}

fn sessions(labels: &Labels, all: &[Finding], sessions: u64) -> Option<ReportTable> {
    let figures = || all.iter().filter_map(|it| Some((it, it.sessions?)));
    let wide = widening(2 * figures().count() as u64);
    let caption = format!(
        "Whole sessions: what each strategy gains, chips a session, and how much more often it wins one ({sessions} \
         sessions); all intervals of this table hold together at 95 %"
    );
    let heads = [&labels.heads()[..], &["chips", "sessions won"]].concat();
    let mut table = ReportTable::new(caption, &heads);
    for (it, gains) in figures() {
        let [chips, won] = gains.map(|gain| Estimate { ci95: gain.ci95 * wide, ..gain });
        table.push(labels.row(it, [chips.into(), ReportCell::share(won)]));
    }
    (!table.rows.is_empty()).then_some(table)
}

/// How it is measured, a paragraph each.
fn method(study: &StrategyStudy, found: &Found) -> Vec<String> {
    let mut method = vec![
        "Each strategy sits in each seat in turn, with the field in all other seats, and so does the \
         player that it is measured over, on the same deals and with the same random numbers for every \
         seat. The gain is the difference in the same seat in chips a deal, its mean over the seats. The \
         deal is the unit of the interval."
            .to_owned(),
    ];
    if study.parts {
        method.push(
            "A part alone: the strategy decides leads, antes or the dead hand, and its base decides all \
             else. A clause: the strategy and the strategy without the clause play the same deals."
                .into(),
        );
    }
    if study.sessions > 0 {
        method.push(
            "Whole sessions: the strategy plays all deals, in each seat in turn, on the same packs.".into(),
        );
    }
    for candidate in study.candidates.iter().filter(|it| !it.content.about.is_empty()) {
        method.push(format!("“{}”: {}.", candidate.name, candidate.content.about));
    }
    method.extend(found.claims.iter().map(|(_, field, claims)| claims.about(field)));
    let payoffs = found.findings.iter().map(|it| study.payoff.in_game(&it.game));
    let counted = |payoff: &Payoff| payoffs.clone().any(|it| it == *payoff);
    method.extend(Payoff::ALL.into_iter().filter(counted).map(|it| it.about().to_owned()));
    method
}
