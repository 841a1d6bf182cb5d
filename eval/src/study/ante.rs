//! Where to put the chips of a free ante.
//!
//! Before the deal every split is played out: a chip on a cell does not change the cards, but it does
//! change what players think a suit is worth. After a look ways to stake by one's hand are compared.

mod after_look;
pub(super) mod splits;

use newmarket_agents::paired::Estimate;
use newmarket_env::rules::{LayoutAnte, Timing};
use newmarket_env::{Game, Seed};

use super::measure::Measurement;
use super::payoff::Ledger;
use super::report::{ReportCell, ReportTable, Section};
use super::setting::{NothingToStudy, Setting};
use super::tally::Tally;
use splits::{Split, SplitTable};

/// More splits than this are too many to try.
const MOST_SPLITS: usize = 500;

/// The child of the seed for the deals on which the best splits are measured again.
const FRESH: u64 = 1;

/// Deals to come for which it is told what a chip is worth that stays on a cell.
const TO_COME: [usize; 3] = [1, 4, 9];

/// Whether the game has an ante to be split.
pub(super) fn fits(game: &Game) -> Result<(), NothingToStudy> {
    let rules = game.rules();
    let title = rules.title();
    let LayoutAnte::Free { chips, .. } = rules.layout_ante else {
        return Err(NothingToStudy(format!(
            "nothing to study: the antes of {title} are fixed; take a game with a free ante, as \
             newmarket"
        )));
    };
    let no = |why: &str| Err(NothingToStudy(format!("nothing to study: in {title} {why}")));
    if chips < 1 || game.cells() < 2 {
        return no("there is nothing to split");
    }
    if rules.cell_cap.is_some() {
        return no("a cap on the cells decides which splits are allowed");
    }
    if game.rules().cells.iter().any(|cell| cell.claiming_card().is_none()) {
        return no("some cells are not claimed by one card");
    }
    let count = Split::count(chips as usize, game.cells());
    if is_before_deal(game) && count > MOST_SPLITS as f64 {
        return no(&format!("there are {count} splits, of which at most {MOST_SPLITS} are played"));
    }
    Ok(())
}

/// Whether antes are placed before anybody sees a card.
pub(super) fn is_before_deal(game: &Game) -> bool {
    game.rules().timing == Timing::BeforeDeal
}

/// Deals that are told of while it runs.
pub(super) fn work(game: &Game, deals: u64) -> u64 {
    if is_before_deal(game) { 2 * deals } else { deals }
}

/// What every split gains over the even one, in this order: over all seats, and by seat.
struct Tried {
    splits: Vec<Split>,
    overall: Vec<Estimate>,
    /// By seat from eldest on.
    seats: Vec<Vec<Estimate>>,
}

impl Tried {
    fn measure(
        setting: &Setting,
        ledger: &Ledger,
        splits: Vec<Split>,
        seed: Seed,
        done: &(dyn Fn(u64) + Sync),
    ) -> Self {
        let (count, roles) = (splits.len(), SplitTable::roles(&setting.game));
        let measurement =
            Measurement { deals: setting.deals, seed, tallies: count * (roles + 1), features: 0 };
        let measured = measurement.run(
            || SplitTable::new(ledger, setting),
            |player, deal| {
                player.begin(deal.number, deal.seed);
                let mut sums = vec![[0.0; 2]; count];
                for role in 0..roles {
                    let even = player.play(role, None);
                    for (at, split) in splits.iter().enumerate() {
                        let gain = player.play(role, Some(split)) - even;
                        let luck = player.luck(role, split);
                        deal.add(count * (role + 1) + at, gain, luck);
                        sums[at][0] += gain / roles as f64;
                        sums[at][1] += luck / roles as f64;
                    }
                }
                for (at, [gain, luck]) in sums.into_iter().enumerate() {
                    deal.add(at, gain, luck);
                }
            },
            done,
        );
        let block = |nth: usize| measured.tallies[count * nth..count * (nth + 1)].iter();
        Self {
            overall: block(0).map(Tally::controlled).collect(),
            seats: (1..=roles).map(|n| block(n).map(Tally::controlled).collect()).collect(),
            splits,
        }
    }

    /// The best split by these figures.
    fn best(&self, figures: &[Estimate]) -> usize {
        let by_mean = |&a: &usize, &b: &usize| figures[a].mean.total_cmp(&figures[b].mean);
        (0..self.splits.len()).max_by(by_mean).expect("there are splits")
    }
}

/// All chips of a seat's ante on one cell, and what that gains over the even split.
pub(super) struct SeatSplit {
    /// The seat's place from eldest on, and what it is called.
    pub(super) role: usize,
    pub(super) seat: String,
    pub(super) split: Split,
    cells: String,
    pub(super) gain: Estimate,
}

impl SeatSplit {
    pub(super) fn name(&self) -> String {
        format!("{} on {}", self.split, self.cells)
    }
}

/// What it gains each seat to put all its chips on one cell.
pub(super) fn alone_by_seat(
    setting: &Setting,
    ledger: &Ledger,
    seed: Seed,
    done: &(dyn Fn(u64) + Sync),
) -> Vec<SeatSplit> {
    let game = &setting.game;
    let (cells, chips) = (game.cells(), game.rules().layout_stake(false));
    let splits = (0..cells).map(|cell| Split::alone(cell, chips, cells)).collect();
    let tried = Tried::measure(setting, ledger, splits, seed, done);
    let of_seat = |(role, gains): (usize, &Vec<Estimate>)| {
        let all = tried.splits.iter().zip(gains);
        let of = |(split, gain): (&Split, &Estimate)| SeatSplit {
            role,
            seat: role_name(role, game),
            split: split.clone(),
            cells: splits::cell_names(game).join("·"),
            gain: *gain,
        };
        all.map(of).collect::<Vec<_>>()
    };
    tried.seats.iter().enumerate().flat_map(of_seat).collect()
}

/// Plays the deals of the study and reports what was found.
pub(super) fn run(setting: &Setting, ledger: &Ledger, done: &(dyn Fn(u64) + Sync)) -> Section {
    if is_before_deal(&setting.game) {
        before_deal(setting, ledger, done)
    } else {
        after_look::run(setting, ledger, done)
    }
}

fn before_deal(setting: &Setting, ledger: &Ledger, done: &(dyn Fn(u64) + Sync)) -> Section {
    let (game, seed) = (&setting.game, Seed::new(setting.seed));
    let tried = Tried::measure(setting, ledger, Split::all(game), seed, done);
    let best: Vec<usize> = std::iter::once(&tried.overall)
        .chain(&tried.seats)
        .map(|figures| tried.best(figures))
        .collect();
    let mut again: Vec<usize> = best.clone();
    again.sort_unstable();
    again.dedup();
    let fresh = again.iter().map(|&at| tried.splits[at].clone()).collect();
    let fresh = Tried::measure(setting, ledger, fresh, seed.child(FRESH), done);
    let again = |at: usize| again.iter().position(|&it| it == best[at]).expect("it was measured");
    let names = splits::cell_names(game);
    let roles = SplitTable::roles(game);
    let mut tables = vec![all_splits(&tried, &names), by_seat(&tried, &fresh, &best, &again, game)];
    tables.extend(what_stays(ledger));
    let precision = tried.overall.iter().map(|it| it.ci95).fold(0.0, f64::max);
    let response = fresh.overall[again(0)];
    let mut findings = vec![format!(
        "Best split, whatever the seat: {} on {}, worth {response} chips a deal over the even split \
         (chosen on other deals than those on which it was measured).",
        tried.splits[best[0]],
        names.join("·"),
    )];
    let of_seats: Vec<String> = (0..roles)
        .map(|role| {
            let split = &tried.splits[best[role + 1]];
            format!("{} {split} ({})", role_name(role, game), fresh.seats[role][again(role + 1)])
        })
        .collect();
    findings.push(format!("Best split by seat: {}.", of_seats.join(", ")));
    findings.extend(separated(&tried, &fresh, &best, &again, setting));
    Section {
        study: "ante".into(),
        title: "Where to ante".into(),
        question: "How should the chips of the ante be split over the cells?".into(),
        rules: game.rules().title().into(),
        rules_files: vec![game.rules().to_file()],
        players: game.players().into(),
        field: setting.field.name().into(),
        deals: setting.deals,
        seed: setting.seed,
        method: method(setting),
        advice: Vec::new(),
        findings,
        tables,
        precision,
    }
}

fn method(setting: &Setting) -> Vec<String> {
    let field = setting.field.name();
    let mut method = vec![
        format!(
            "{field} plays in all seats, and everybody antes evenly but one seat, which tries \
             every split and plays on as {}; each seat in turn, on the same cards and random \
             numbers. The gain is the difference to the even split in the same seat. Every split \
             is played out, since {field} may play for chips that lie somewhere else.",
            setting.player.name()
        ),
        "Control variate: the chips that a split moves to cells whose card the seat was dealt. \
         Its mean is 0, since any card is as likely."
            .into(),
        "A best response that is chosen by its figures looks better than it is. So the best \
         splits are played again on fresh deals, and those figures are the ones reported."
            .into(),
        "Intervals are 95 % each, not all together.".into(),
    ];
    if SplitTable::roles(&setting.game) < setting.game.players() {
        method.push("The dealer stakes another number of chips, evenly; it tries nothing.".into());
    }
    method
}

fn all_splits(tried: &Tried, names: &[String]) -> ReportTable {
    let caption = format!("Chips a deal gained over the even split; chips on {}", names.join("·"));
    let mut table = ReportTable::new(caption, &["split", "gain"]).drawn(1).detail();
    let mut order: Vec<usize> = (0..tried.splits.len()).collect();
    order.sort_by(|&a, &b| tried.overall[b].mean.total_cmp(&tried.overall[a].mean));
    for at in order {
        table.push(vec![tried.splits[at].to_string().into(), tried.overall[at].into()]);
    }
    table
}

fn by_seat(
    tried: &Tried,
    fresh: &Tried,
    best: &[usize],
    again: &dyn Fn(usize) -> usize,
    game: &Game,
) -> ReportTable {
    let names = splits::cell_names(game);
    let alone: Vec<String> = names.iter().map(|name| format!("all on {name}")).collect();
    let heads: Vec<&str> = std::iter::once("seat")
        .chain(alone.iter().map(String::as_str))
        .chain(["best split", "gain, on fresh deals"])
        .collect();
    let mut table = ReportTable::new("Chips a deal gained over the even split, by seat", &heads)
        .drawn(heads.len() - 1);
    for (role, figures) in tried.seats.iter().enumerate() {
        let mut row: Vec<ReportCell> = vec![role_name(role, game).into()];
        for cell in 0..game.cells() {
            let at = tried.splits.iter().position(|split| split.all_on() == Some(cell));
            row.push(at.map_or(ReportCell::Empty, |at| figures[at].into()));
        }
        row.push(tried.splits[best[role + 1]].to_string().into());
        row.push(fresh.seats[role][again(role + 1)].into());
        table.push(row);
    }
    table
}

/// What a chip is worth that a deal leaves on a cell; nothing where it is lost.
fn what_stays(ledger: &Ledger) -> Option<ReportTable> {
    let game = ledger.game();
    let heads: Vec<String> = ["deals to come".to_owned(), "cell".to_owned()]
        .into_iter()
        .chain((0..game.players()).map(|role| role_name(role, game)))
        .collect();
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let mut table = ReportTable::new(
        "Chips that a chip left on a cell is worth to a seat, by what it is in the next deal",
        &heads,
    )
    .detail();
    for left in TO_COME.into_iter().filter(|&left| left < ledger.deals()) {
        let worth = ledger.worth(left)?;
        for (cell, name) in splits::cell_names(game).into_iter().enumerate() {
            let by_role = worth.iter().map(|piles| format!("{:.3}", piles[cell]).into());
            let row = [left.to_string().into(), name.into()];
            table.push(row.into_iter().chain(by_role).collect());
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

/// What the seats should stake for which a split is separated above the even one on fresh deals.
fn separated(
    tried: &Tried,
    fresh: &Tried,
    best: &[usize],
    again: &dyn Fn(usize) -> usize,
    setting: &Setting,
) -> Vec<String> {
    let (game, field) = (&setting.game, setting.field.name());
    let names = splits::cell_names(game).join("·");
    let gain = |role: usize| fresh.seats[role][again(role + 1)];
    let (paid, even): (Vec<usize>, Vec<usize>) =
        (0..tried.seats.len()).partition(|&role| gain(role).mean > gain(role).ci95);
    let mut told: Vec<String> = paid
        .into_iter()
        .map(|role| {
            let split = &tried.splits[best[role + 1]];
            let seat = role_name(role, game);
            format!(
                "Ante, {seat}, among {field}: {split} on {names} gains {} chips a deal over an even \
                 split.",
                gain(role)
            )
        })
        .collect();
    let even: Vec<String> = even.into_iter().map(|role| role_name(role, game)).collect();
    if !even.is_empty() {
        told.push(format!(
            "Ante, {}, among {field}: no split is separated above the even one.",
            even.join(", ")
        ));
    }
    told
}

/// What a seat is called, from eldest on.
pub(super) fn role_name(role: usize, game: &Game) -> String {
    match role {
        0 => "eldest".into(),
        _ if role + 1 == game.players() => "dealer".into(),
        _ => format!("seat {}", role + 1),
    }
}
