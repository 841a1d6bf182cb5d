//! Where to put the chips of a free ante that is placed after a look at one's hand.
//!
//! Two companies: others who stake evenly, and others who stake by their hands. A seat tries all
//! ways to stake in both, on the same cards.

mod counts;
mod questions;
mod search;
mod table;
mod trial;
mod ways;

use newmarket_agents::basic::MOST_QUESTIONS;
use newmarket_agents::paired::Estimate;
use newmarket_env::Seed;

use super::role_name;
use crate::study::payoff::Ledger;
use crate::study::report::{ReportCell, ReportTable, Section};
use crate::study::setting::Setting;
use questions::List;
use search::Turns;
use table::Company;
use trial::{Chooser, Gains};
use ways::Way;

/// Children of the seed: the deals on which questions are chosen, and those on which all is
/// measured.
const CHOSEN: u64 = 0;
const FRESH: u64 = 1;

/// Deals that are told of while it runs.
pub(super) fn work(deals: u64) -> u64 {
    search::work(deals) + deals
}

/// What was chosen for one company, and what it gains.
struct Found {
    company: Company,
    list: List,
    way: Way,
    gains: Gains,
}

/// The choosers of a company in their order: the player, the field, the simple ways, the best of
/// these, and the list from no question on.
const PLAYER: usize = 0;
const FIELD: usize = 1;
const WAYS: usize = 2;

impl Found {
    fn choosers(list: &List, way: Way) -> Vec<Chooser> {
        let lists = (0..=list.len()).map(|len| Chooser::List(list[..len].to_vec()));
        [Chooser::Player, Chooser::Field]
            .into_iter()
            .chain(Way::single().chain([way]).map(Chooser::Way))
            .chain(lists)
            .collect()
    }

    /// Where the best of the simple ways is among the choosers.
    fn way_at() -> usize {
        WAYS + Way::single().count()
    }

    /// Where an even split is, which is no question at all; the questions asked so far follow.
    fn even_at() -> usize {
        Self::way_at() + 1
    }

    /// Where the whole list is.
    fn list_at(&self) -> usize {
        Self::even_at() + self.list.len()
    }

    fn gain(&self, at: usize) -> Estimate {
        self.gains.overall[at]
    }

    /// The company as the beginning of a sentence.
    fn company(&self, field: &str) -> String {
        match self.company {
            Company::Blind => format!("If only you look, among {field} who stake evenly"),
            Company::Looking => format!("If all look, among {field}"),
        }
    }

    fn questions(&self) -> String {
        let questions = self.list.iter().enumerate();
        let questions: Vec<String> =
            questions.map(|(at, question)| format!("({}) {question}", at + 1)).collect();
        questions.join(" ")
    }

    fn advice(&self, field: &str, player: &str) -> Vec<String> {
        let company = self.company(field);
        let pays = |at: usize| self.gain(at).mean > self.gain(at).ci95;
        let list = if self.list.is_empty() || !pays(self.list_at()) {
            format!("{company}: no question was found that gains over an even split.")
        } else {
            format!(
                "{company}: ask of each boodle: {} Boodles with a yes stay, unless there are none; \
                 split the ante evenly over those that are left. That gains {} chips a deal over \
                 an even split, where the stakes of {player} gain {}.",
                self.questions(),
                self.gain(self.list_at()),
                self.gain(PLAYER)
            )
        };
        let simple = pays(Self::way_at()).then(|| {
            format!(
                "{company}, in short: {}. That gains {} chips a deal over an even split.",
                self.way.sentence(),
                self.gain(Self::way_at())
            )
        });
        std::iter::once(list).chain(simple).collect()
    }

    fn findings(&self, field: &str, player: &str) -> String {
        let less = |at: usize| self.gains.less_player[at];
        let others = if field == player {
            String::new()
        } else {
            format!(" the stakes of {field} {},", less(FIELD))
        };
        format!(
            "{}: over the stakes of {player}, the questions gain {} chips a deal, the best of the \
             simple ways {},{others} an even split {}.",
            self.company(field),
            less(self.list_at()),
            less(Self::way_at()),
            less(Self::even_at())
        )
    }

    fn by_question(&self, field: &str) -> ReportTable {
        let caption = format!(
            "{}: the questions of each boodle in their order, and chips a deal gained over the even \
             split by those asked so far",
            self.company(field)
        );
        let mut table = ReportTable::new(caption, &["question", "gain"]);
        table.push(vec!["none: evenly".into(), self.gain(Self::even_at()).into()]);
        for (at, question) in self.list.iter().enumerate() {
            table.push(vec![
                question.to_string().into(),
                self.gain(Self::even_at() + 1 + at).into(),
            ]);
        }
        table
    }
}

/// Plays the deals of the study and reports what was found.
pub(super) fn run(setting: &Setting, ledger: &Ledger, done: &(dyn Fn(u64) + Sync)) -> Section {
    let (game, seed) = (&setting.game, Seed::new(setting.seed));
    let turns = Turns::play(setting, ledger, seed.child(CHOSEN), done);
    let chosen = turns.map(|turns| (turns.list(), turns.way()));
    let choosers = [0, 1].map(|nth: usize| Found::choosers(&chosen[nth].0, chosen[nth].1));
    let gains = trial::measure(setting, ledger, &choosers, seed.child(FRESH), done);
    let mut found = Vec::new();
    for ((company, (list, way)), gains) in Company::ALL.into_iter().zip(chosen).zip(gains) {
        found.push(Found { company, list, way, gains });
    }
    let (field, player) = (setting.field.name(), setting.player.name());
    let mut tables = vec![all_ways(&found, setting), by_seat(&found, setting)];
    tables.extend(found.iter().map(|found| found.by_question(field)));
    Section {
        study: "ante".into(),
        title: "Where to ante after a look".into(),
        question: "How should the chips of the ante be split over the cells, by one's hand?".into(),
        rules: game.rules().title().into(),
        players: game.players().into(),
        field: field.into(),
        deals: setting.deals,
        seed: setting.seed,
        method: method(setting),
        advice: found.iter().flat_map(|found| found.advice(field, player)).collect(),
        cards: Vec::new(),
        findings: found.iter().map(|found| found.findings(field, player)).collect(),
        precision: (found.iter().flat_map(|found| &found.gains.overall))
            .map(|gain| gain.ci95)
            .fold(0.0, f64::max),
        tables,
    }
}

/// A row for every way to stake, a column for each company.
fn all_ways(found: &[Found], setting: &Setting) -> ReportTable {
    let mut heads = vec!["stakes"];
    heads.extend(found.iter().map(|found| found.company.name()));
    let caption = format!(
        "Chips a deal gained over the even split; the others stake evenly (only you look) or as {} \
         (all look)",
        setting.field.name()
    );
    let mut table = ReportTable::new(caption, &heads).drawn(1);
    let mut row = |name: String, at: &dyn Fn(&Found) -> usize| {
        let gains = found.iter().map(|found| ReportCell::from(found.gain(at(found))));
        table.push(std::iter::once(name.into()).chain(gains).collect());
    };
    row("the questions".into(), &Found::list_at);
    row("the best simple way".into(), &|_| Found::way_at());
    row(format!("as {}", setting.player.name()), &|_| PLAYER);
    if setting.field.name() != setting.player.name() {
        row(format!("as {} (the field)", setting.field.name()), &|_| FIELD);
    }
    row(Way::EVEN.name(), &|_| Found::even_at());
    for (at, way) in Way::single().enumerate() {
        row(way.name(), &move |_| WAYS + at);
    }
    table
}

fn by_seat(found: &[Found], setting: &Setting) -> ReportTable {
    let mut heads = vec!["seat".to_owned()];
    for found in found {
        let company = found.company.name();
        heads.push(format!("{company}: the questions"));
        heads.push(format!("{company}: the simple way"));
        heads.push(format!("{company}: as {}", setting.player.name()));
    }
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let caption = "Chips a deal gained over the even split, by seat";
    let mut table = ReportTable::new(caption, &heads);
    for role in 0..table::roles(&setting.game) {
        let mut row: Vec<ReportCell> = vec![role_name(role, &setting.game).into()];
        for found in found {
            let places = [found.list_at(), Found::way_at(), PLAYER];
            row.extend(places.map(|at| ReportCell::from(found.gains.seats[role][at])));
        }
        table.push(row);
    }
    table
}

fn method(setting: &Setting) -> Vec<String> {
    let (field, player) = (setting.field.name(), setting.player.name());
    vec![
        format!(
            "One seat tries all ways to stake and plays on as {player}; each seat in turn, on the \
             same cards and random numbers. The gain is the difference to the even split in the \
             same seat and company. If only you look, the others stake evenly over all cells; if \
             all look, they stake as {field}. They play on as {field} in both."
        ),
        "Chips on several cells are split evenly, the first cells getting what does not divide. \
         Where a way to stake finds cells equal, it stakes on all of them. A way for hands with a \
         boodle stakes evenly with other hands, and the other way round, so what they gain adds \
         up. Cards that others may hold are all but the own ones, the dead hand included."
            .into(),
        format!(
            "Questions, at most {MOST_QUESTIONS}, and the best of the simple ways are chosen on {} \
             other deals, where {field} plays on in every seat and chips on several cells are \
             worth what they are one by one. A list is changed one question at a time: the best \
             change on half of these deals is taken if it is separated above the list on the other \
             half. A simple way must be separated above the even split there. All figures are of \
             fresh deals, on which all ways are played.",
            search::work(setting.deals)
        ),
        "Intervals are 95 % each, not all together.".into(),
    ]
}
