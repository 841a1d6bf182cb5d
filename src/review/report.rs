//! The result of a review.

use serde::Serialize;
use serde_json::{Map, Value};

use super::judge::Judge;
use super::judge::{Decision, Kind};
use super::tally::Tally;
use super::{Asked, Recorded};
use crate::table_args::quoted;

/// With fewer sessions than this, deals are taken as independent: a few sessions show too little of how
/// sessions differ.
const FEWEST_SESSIONS: usize = 10;

/// A review. Serialized, it is what `--json` prints.
#[derive(Serialize)]
pub(crate) struct Report {
    pub(crate) trace: String,
    /// The games of the trace, each once.
    pub(crate) games: Vec<String>,
    /// The rules of each of them as a rules file, in JSON.
    pub(crate) rules_files: Vec<Map<String, Value>>,
    /// The numbers of seats at the tables, in rising order.
    pub(crate) players: Vec<usize>,
    pub(crate) deals: usize,
    pub(crate) sessions: usize,
    pub(crate) by: String,
    /// Sampled deals for a decision.
    pub(crate) worlds: u32,
    pub(crate) seed: u64,
    /// The independent unit of the intervals: `session` or `deal`.
    pub(crate) unit: &'static str,
    /// By seat, each seat's kinds of decision after the seat.
    pub(crate) summary: Vec<Tally>,
    /// The worst mistakes, as indices in `decisions`.
    pub(crate) worst: Vec<usize>,
    pub(crate) decisions: Vec<Decision>,
    #[serde(skip)]
    pub(crate) command: String,
}

impl Report {
    pub(super) fn new(
        asked: Asked,
        judge: &Judge,
        deals: &[Recorded],
        decisions: Vec<Decision>,
    ) -> Self {
        let sessions = deals.last().map_or(0, |last| last.session);
        let by_session = sessions >= FEWEST_SESSIONS;
        let (mut games, mut rules_files): (Vec<String>, Vec<_>) = (Vec::new(), Vec::new());
        let mut players: Vec<usize> = deals.iter().map(|deal| deal.game.players()).collect();
        players.sort_unstable();
        players.dedup();
        for recorded in deals {
            let title = recorded.game.rules().title();
            if !games.iter().any(|game| game == title) {
                games.push(title.to_owned());
                rules_files.push(recorded.game.rules().to_file());
            }
        }
        let mut worst: Vec<usize> =
            (0..decisions.len()).filter(|&nth| decisions[nth].error).collect();
        worst.sort_by(|&a, &b| decisions[b].cost.total_cmp(&decisions[a].cost).then(a.cmp(&b)));
        worst.truncate(asked.worst);
        Self {
            command: command(&asked, judge.worlds),
            trace: asked.trace,
            games,
            rules_files,
            players,
            deals: deals.len(),
            sessions,
            by: asked.by,
            worlds: judge.worlds,
            seed: asked.seed,
            unit: if by_session { "session" } else { "deal" },
            summary: summary(&decisions, by_session),
            worst,
            decisions,
        }
    }
}

fn summary(decisions: &[Decision], by_session: bool) -> Vec<Tally> {
    let unit = |decision: &Decision| if by_session { decision.session } else { decision.line };
    let mut seats: Vec<usize> = decisions.iter().map(|decision| decision.seat).collect();
    seats.sort_unstable();
    seats.dedup();
    let mut kinds: Vec<Kind> = decisions.iter().map(|decision| decision.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let rows = |seat: Option<usize>| {
        // With one kind, the row of all kinds says the same.
        let kinds = if kinds.len() > 1 { &kinds[..] } else { &[] };
        let kinds = std::iter::once(None).chain(kinds.iter().copied().map(Some));
        let tallies = kinds.filter_map(|kind| Tally::of((seat, kind), decisions.iter(), unit));
        tallies.collect::<Vec<_>>()
    };
    let mut summary: Vec<Tally> = seats.iter().flat_map(|&seat| rows(Some(seat))).collect();
    if seats.len() > 1 {
        summary.extend(rows(None));
    }
    summary
}

/// The command that gives this review again.
fn command(asked: &Asked, sampled: u32) -> String {
    let mut words = vec!["newmarket review".to_owned(), quoted(&asked.trace)];
    words.extend(asked.seat.map(|seat| format!("--seat {seat}")));
    words.extend(asked.agents.as_ref().map(|agents| format!("--agents {}", quoted(agents))));
    words.push(format!("--by {} --worlds {} --seed {}", quoted(&asked.by), sampled, asked.seed));
    words.join(" ")
}
