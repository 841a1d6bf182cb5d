//! The result of each deal of every benchmark. Later benchmarks are compared with it.
//!
//! All benchmarks of a run use the same deals. Their difference, deal by deal, has a much narrower
//! interval than each benchmark alone: the luck of the cards is the same in both.

use super::{Benchmark, change};
use crate::TrainError;
use crate::line_log::{LONGEST_LOG, LineLog};
use newmarket_env::Game;
use newmarket_env::files::read_text;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

/// The file of benchmarks in a run folder.
const FILE: &str = "benchmarks.jsonl";

/// One benchmark against one opponent: a line of the file.
#[derive(Serialize, Deserialize)]
struct Line {
    update: u64,
    against: String,
    /// Chips gained in each deal, summed over all seats.
    chips: Vec<i32>,
}

/// The difference of a benchmark and an earlier one on the same deals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BenchmarkChange {
    /// The update of the earlier benchmark.
    pub since: u64,
    /// Chips a deal gained since the earlier benchmark.
    pub gain: f64,
    /// Half the width of the 95 % interval of `gain`, from the spread of differences over deals.
    pub ci95: f64,
}

/// All benchmarks of a run so far.
pub(crate) struct BenchmarkHistory {
    log: LineLog,
    lines: Vec<Line>,
}

impl BenchmarkHistory {
    /// Continues after `update`: later benchmarks are dropped.
    pub(crate) fn resume(folder: &Path, update: u64) -> Result<Self, TrainError> {
        let path = folder.join(FILE);
        let parse = |line: &str| serde_json::from_str::<Line>(line).ok();
        let log =
            LineLog::resume(&path, |line| parse(line).is_some_and(|line| line.update <= update))?;
        let text = read_text(&path, LONGEST_LOG).map_err(TrainError::io("read", &path))?;
        Ok(Self { log, lines: text.lines().filter_map(parse).collect() })
    }

    /// Adds a benchmark, and compares it with the latest one from before the last quarter of the
    /// updates done. This choice does not depend on the results: a comparison with the worst or the
    /// best benchmark would find a change in noise.
    pub(crate) fn add(
        &mut self,
        update: u64,
        now: &Benchmark,
        games: &[Arc<Game>],
    ) -> Result<Option<BenchmarkChange>, TrainError> {
        let earlier = self.lines.iter().rfind(|line| {
            line.against == now.against
                && line.update <= update - update.div_ceil(4)
                && line.chips.len() == now.chips.len()
        });
        let change = earlier.map(|then| {
            let change = change(games, &now.chips, &then.chips);
            BenchmarkChange { since: then.update, gain: change.mean, ci95: change.ci95 }
        });
        let line = Line { update, against: now.against.clone(), chips: now.chips.clone() };
        self.log.push(&serde_json::to_string(&line).expect("numbers and names are JSON"))?;
        self.lines.push(line);
        Ok(change)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use newmarket_env::Rules;

    fn games() -> [Arc<Game>; 2] {
        [3, 4].map(|players| {
            let rules = Rules::named("newmarket").expect("the default game");
            Arc::new(Game::new(rules, players).expect("seats them"))
        })
    }

    fn benchmark(chips: [i32; 4]) -> Benchmark {
        let against = "stopper".into();
        Benchmark { against, gain: 0.0, ci95: 0.0, wins: 0.0, chips: chips.into() }
    }

    #[test]
    fn a_change_is_a_paired_difference_in_the_same_seat() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut history = BenchmarkHistory::resume(dir.path(), 0).expect("writable");
        let mut add =
            |update, chips| history.add(update, &benchmark(chips), &games()).expect("written");
        assert_eq!(add(4, [90, -70, 0, 8]), None, "nothing to compare with");
        // Every deal gains one more chip in each of its three or four seats.
        let change = add(8, [93, -66, 3, 12]).expect("compared");
        assert_eq!(change, BenchmarkChange { since: 4, gain: 1.0, ci95: 0.0 });
        // One deal of four differs: 12 chips over three seats.
        let change = add(12, [93, -66, 15, 12]).expect("compared");
        assert_eq!((change.since, change.gain), (8, 1.0));
        // The 97.5 % point of Student's t with 3 degrees of freedom, from tables.
        assert!(
            (change.ci95 - 3.182_446 * (12.0_f64 / 3.0 / 4.0).sqrt()).abs() < 1e-6,
            "{change:?}"
        );
    }

    #[test]
    fn what_it_is_compared_with_lies_a_quarter_of_the_updates_back() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut history = BenchmarkHistory::resume(dir.path(), 0).expect("writable");
        let since = (1..=9).map(|nth| {
            let change = history.add(25 * nth, &benchmark([0; 4]), &games()).expect("written");
            change.map(|change| change.since / 25)
        });
        let expected =
            [None, Some(1), Some(2), Some(3), Some(3), Some(4), Some(5), Some(6), Some(6)];
        assert_eq!(since.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn going_on_knows_the_measurements_up_to_the_checkpoint() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut history = BenchmarkHistory::resume(dir.path(), 0).expect("writable");
        for update in [2, 4, 6] {
            history.add(update, &benchmark([update as i32; 4]), &games()).expect("written");
        }
        drop(history);
        let mut history = BenchmarkHistory::resume(dir.path(), 4).expect("goes on");
        let change = history.add(8, &benchmark([4; 4]), &games()).expect("written");
        assert_eq!(change, Some(BenchmarkChange { since: 4, gain: 0.0, ci95: 0.0 }));
        let text = std::fs::read_to_string(dir.path().join(FILE)).expect("readable");
        assert_eq!(text.lines().count(), 3);
        std::fs::remove_file(dir.path().join(FILE)).expect("removed");
        BenchmarkHistory::resume(dir.path(), 4).expect("a run without them can go on");
    }
}
