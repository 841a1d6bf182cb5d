//! Two tables of a run's report: gains by game, and the quality of decisions by kind.

use newmarket_train::metrics::MetricsRow;

use crate::report::{counted, page};

/// The number of latest updates in a mean.
const UPDATES: usize = 10;

/// Kinds of decisions: the names in the record, and words.
const KINDS: [(&str, &str); 5] = [
    ("lead", "leads"),
    ("ante", "chips of the ante"),
    ("dead_hand", "the dead hand"),
    ("auction", "bids"),
    ("bet", "bets"),
];

/// Gains by game at the latest benchmark, with a column for each opponent; `None` for a single game.
pub(super) fn gains_by_game(rows: &[MetricsRow]) -> Option<String> {
    let parted = |name: &str| {
        let (opponent, game) = name.strip_prefix("gains over ")?.split_once('/')?;
        Some((opponent.to_owned(), game.to_owned()))
    };
    let latest = rows.iter().rfind(|row| row.values.iter().any(|(name, _)| parted(name).is_some()));
    let row = latest?;
    let cells: Vec<_> = row.values.iter().filter_map(|(name, _)| parted(name)).collect();
    let mut opponents: Vec<&str> = cells.iter().map(|(opponent, _)| &**opponent).collect();
    opponents.dedup();
    let mut games: Vec<&str> = cells.iter().map(|(_, game)| &**game).collect();
    games.sort_unstable();
    games.dedup();
    let mut table = vec![vec![format!("update {}", row.update)]];
    table[0].extend(opponents.iter().map(|opponent| format!("over {opponent}")));
    for game in games {
        let gain = |opponent: &&str| {
            let gain = row.get(&format!("gains over {opponent}/{game}"));
            gain.map_or_else(String::new, |gain| format!("{gain:+.2}"))
        };
        let mut cells = vec![game.to_owned()];
        cells.extend(opponents.iter().map(gain));
        table.push(cells);
    }
    Some(format!(
        "<details>\n<summary>By game</summary>\n{}\n<p>Chips as above. Few rounds are of one game: intervals are \
         several times as wide as those of all games.</p></details>",
        page::table(&table, 1)
    ))
}

/// The quality of the policy's decisions before it learnt from them, by kind; `None` if no estimator tried all
/// actions.
pub(super) fn what_it_knows(rows: &[MetricsRow]) -> Option<String> {
    let latest = &rows[rows.len().saturating_sub(UPDATES)..];
    let mean = |name: &str| {
        let values: Vec<f64> = latest.iter().filter_map(|row| row.get(name)).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    };
    let heads = ["decision", "agrees", "gains", "loses", "explained"];
    let mut table = vec![heads.map(str::to_owned).to_vec()];
    for (kind, words) in KINDS {
        let value = |what: &str| mean(&format!("quality/{kind}_{what}"));
        let Some(agreement) = value("agreement") else { continue };
        let chips = |what| value(what).map_or_else(String::new, |chips| format!("{chips:.2}"));
        let percent = |share: f64| format!("{:.0} %", 100.0 * share);
        table.push(vec![
            words.to_owned(),
            percent(agreement),
            chips("gain"),
            chips("loss"),
            value("explained").map_or_else(String::new, percent),
        ]);
    }
    (table.len() > 1).then(|| {
        format!(
            "<h3>Quality of decisions</h3>\n{}\n<p>Means of the latest {}, on deals that the policy \
             had not learnt from. Agrees: the likeliest action had the best result when all actions were tried. \
             Gains: the result of that action less the mean of all, in chips. Loses: the best result less that of \
             the action. Explained: the share of the variance of the results that the logits predict. Results are \
             noisy, so even perfect play does not always agree.</p>",
            page::table(&table, 1),
            counted(latest.len() as u64, "update")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(update: u64, values: &[(&str, f64)]) -> MetricsRow {
        let mut row = MetricsRow::new(update);
        for &(name, value) in values {
            row.push(name, value);
        }
        row
    }

    #[test]
    fn the_latest_benchmark_is_shown_by_game() {
        let gains = |at: f64| {
            [
                ("gains over longest/michigan", at),
                ("gains over longest/houses", -0.5),
                ("gains over pimc:60/michigan", 0.25),
            ]
        };
        let rows = [row(1, &gains(0.1)), row(2, &gains(1.5)), row(3, &[("loss/policy", 1.0)])];
        let page = gains_by_game(&rows).expect("several games");
        for words in ["update 2", "over longest", "over pimc:60", "+1.50", "-0.50", "+0.25"] {
            assert!(page.contains(words), "{words}: {page}");
        }
        assert!(page.find("houses") < page.find("michigan"));
        assert_eq!(gains_by_game(&rows[2..]), None);
    }

    #[test]
    fn kinds_that_occur_have_a_line_of_means() {
        let of = |agreement, explained| {
            [
                ("quality/lead_agreement", agreement),
                ("quality/lead_gain", 1.25),
                ("quality/lead_loss", 0.5),
                ("quality/lead_explained", explained),
            ]
        };
        let page = what_it_knows(&[row(1, &of(0.5, 0.2)), row(2, &of(0.7, 0.4))]).expect("leads");
        for words in ["leads", "60 %", "1.25", "0.50", "30 %", "latest 2 updates"] {
            assert!(page.contains(words), "{words}: {page}");
        }
        assert!(!page.contains("bets"));
        assert_eq!(what_it_knows(&[row(1, &[("loss/policy", 1.0)])]), None);
        assert_eq!(what_it_knows(&[]), None);
    }
}
