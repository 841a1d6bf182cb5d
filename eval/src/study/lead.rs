//! What each rule for a lead is worth.
//!
//! Three questions: what a player gains who follows a rule all deal long; what one lead of a kind
//! is worth over a random one at the same moment; and what each property of a lead is worth when
//! the others are equal.

mod moments;
mod rules;

use newmarket_agents::paired::Estimate;
use newmarket_agents::strategy::Strategy;
use newmarket_env::{Game, Seed};

use super::ante::role_name;
use super::heroes::{Gain, Hero, gains};
use super::payoff::{LEFT_GROUPS, Ledger};
use super::report::{ReportCell, ReportTable, Section};
use super::setting::{OTHER_SIZES, Setting, USUAL_FIELD, other_sizes};
use super::whole_sessions;
use rules::{REFERENCE_EVERY, RULES};

/// Children of the seed that no deal has: for whole sessions, and for deals on which a rule is measured that was
/// chosen on others.
const SESSIONS: u64 = u64::MAX;
const FRESH: u64 = u64::MAX - 1;

/// Deals that are told of while it runs.
pub(super) fn work(game: &Game, deals: u64) -> u64 {
    4 * deals + other_sizes(game).len() as u64 * (deals / OTHER_SIZES)
}

/// Plays the deals of the study and reports what was found.
pub(super) fn run(setting: &Setting, ledger: &Ledger, done: &(dyn Fn(u64) + Sync)) -> Section {
    let random = Strategy::named("random").expect("a named strategy");
    let seed = Seed::new(setting.seed);
    let (game, deals) = (&setting.game, setting.deals);
    let random = random.into();
    let mut heroes = rules();
    heroes.push(Hero { player: setting.reference.another(), every: REFERENCE_EVERY });
    let mut gained = gains(ledger, setting.field, &heroes, deals, seed, done);
    let of_reference = gained.pop().expect("the reference's").all;
    let at_field: Vec<Estimate> = gained.iter().map(|gain| gain.all).collect();
    let of_random = setting.ledger(game, &random);
    let at_random = gains(&of_random, &random, &rules(), deals, seed, done);
    let moments = moments::Moments::measure(setting, ledger, done);

    let field = setting.field.name();
    let strong = setting.reference.name();
    let mut worth = ReportTable::new(
        "Chips a deal gained by leading by a rule, over the field in the same seat",
        &[
            "rule",
            &format!("at a table of {field}"),
            "at a table of random",
            &format!("agrees with {strong}"),
        ],
    )
    .drawn(1);
    let mut order: Vec<usize> = (0..RULES.len()).collect();
    order.sort_by(|&a, &b| at_field[b].mean.total_cmp(&at_field[a].mean));
    for &rule in &order {
        worth.push(vec![
            RULES[rule].name.into(),
            at_field[rule].into(),
            at_random[rule].all.into(),
            ReportCell::share(moments.agreement[rule]),
        ]);
    }
    let reference = format!("{strong}, the reference").into();
    let row = vec![reference, of_reference.into(), ReportCell::Empty, ReportCell::Empty];
    worth.rows.insert(0, row);
    let precision = at_field.iter().map(|it| it.ci95).fold(0.0, f64::max);
    let mut tables = vec![worth, by_seat_and_left(setting, ledger, &order, &gained)];
    tables.extend(moments.tables(strong, setting));
    tables.extend(by_size(setting, &order, &at_field, done));
    let followers = order.iter().map(|&rule| (RULES[rule].name.into(), RULES[rule].agent().into()));
    tables.extend(whole_sessions::table(setting, None, followers.collect(), seed.child(SESSIONS)));

    let mut findings = vec![best(&order, &at_field, field)];
    let mut advice = Vec::new();
    if let Some(&single) = order.iter().find(|&&rule| RULES[rule].single) {
        findings.push(format!(
            "Of the rules that ask a single question, “{}” is the best: {} chips a deal at a \
             table of {field}, {} at a table of random.",
            RULES[single].name, at_field[single], at_random[single].all
        ));
    }
    let singles = (0..RULES.len()).filter(|&rule| RULES[rule].single);
    let by_mean = |&a: &usize, &b: &usize| at_random[a].all.mean.total_cmp(&at_random[b].all.mean);
    let single = singles.max_by(by_mean).expect("some rules ask one question");
    let again = [Hero::from(RULES[single].agent())];
    let again = &gains(&of_random, &random, &again, deals, seed.child(FRESH), done)[0];
    let one = format!(
        "If you ask one question only before a lead: {}. Of the rules of one question it gains most among \
         players who lead at random, {} chips a deal (chosen on other deals).",
        RULES[single].about, again.all
    );
    // The same in every report on the game.
    if field == USUAL_FIELD {
        advice.push(one.clone());
    }
    findings.push(one);
    let of_moments = moments.findings(setting);
    advice.extend(of_moments.first().cloned());
    findings.extend(of_moments);
    Section {
        study: "lead".into(),
        title: "What a lead is worth".into(),
        question: "Which suit should be led, and how many chips is it worth to ask which?".into(),
        rules: game.rules().title().into(),
        players: game.players().into(),
        field: field.into(),
        deals,
        seed: setting.seed,
        method: method(setting),
        advice,
        findings,
        tables,
        precision,
    }
}

/// The players that are measured, one for each rule.
fn rules() -> Vec<Hero> {
    RULES.iter().map(|rule| rule.agent().into()).collect()
}

/// Which rule is the best, among those that are not the field itself.
fn best(order: &[usize], worth: &[Estimate], field: &str) -> String {
    let other = order.iter().find(|&&rule| RULES[rule].name != field).expect("there are others");
    let gain = worth[*other];
    let name = RULES[*other].name;
    if gain.mean > 0.0 {
        format!("At a table of {field}, the best rule is “{name}”: {gain} chips a deal.")
    } else {
        format!(
            "No rule gains anything at a table of {field}; the best other is “{name}”: {gain} chips a deal."
        )
    }
}

fn method(setting: &Setting) -> Vec<String> {
    let (field, strong) = (setting.field.name(), setting.reference.name());
    let rules = RULES.iter().map(|rule| format!("{}: {}", rule.name, rule.about));
    let mut method = vec![
        format!("What the rules lead: {}.", rules.collect::<Vec<_>>().join("; ")),
        format!(
            "Each rule sits in every seat in turn, all others are {field} (or random), and the \
             deal is also played by the field alone: the gain is the difference in the same seat, \
             on the same cards and random numbers. Rules differ in their leads alone; antes and \
             the dead hand are those of the heuristics. Among equal leads, rules of one \
             question choose at random. {strong} plays one deal in {REFERENCE_EVERY}."
        ),
        format!(
            "One lead: {field} plays in all seats. Wherever a leader has a choice, every lead is \
             tried and the deal played on with the same random numbers, by {field} and, in the \
             leader's seat, by {}. Worth is what \
             leads of a kind gain the leader over the mean of all leads that could be made at the \
             same moment, over the moments at which some lead is of the kind and some is not. \
             The deal is the unit of all intervals.",
            setting.player.name()
        ),
        "All else equal: least squares of a lead's gain on its properties, both less their means \
         over the leads of the same moment; intervals by the sandwich estimator, clustered."
            .into(),
        "Intervals are 95 % each, not all together.".into(),
    ];
    method.extend(whole_sessions::about(setting, "each rule leads in every deal"));
    method
}

/// The same by the seat that leads by a rule, and by the deals that are left in the session.
fn by_seat_and_left(
    setting: &Setting,
    ledger: &Ledger,
    order: &[usize],
    gained: &[Gain],
) -> ReportTable {
    let game = &setting.game;
    let lefts = if ledger.deals() > 1 { &LEFT_GROUPS[..] } else { &[] };
    let heads: Vec<String> = std::iter::once("rule".to_owned())
        .chain((0..game.players()).map(|role| role_name(role, game)))
        .chain(lefts.iter().map(|(_, name)| (*name).to_owned()))
        .collect();
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let left = if lefts.is_empty() { "" } else { ", and by the deals that are left after it" };
    let caption =
        format!("Chips a deal gained at a table of {}, by seat{left}", setting.field.name());
    let mut table = ReportTable::new(caption, &heads);
    for &rule in order {
        let Gain { by_role, by_left, .. } = &gained[rule];
        let cells = by_role.iter().chain(by_left.iter().take(lefts.len()));
        let cells = cells.map(|&gain| ReportCell::from(gain));
        table.push(std::iter::once(RULES[rule].name.into()).chain(cells).collect());
    }
    table
}

/// The same at tables of other sizes.
fn by_size(
    setting: &Setting,
    order: &[usize],
    own: &[Estimate],
    done: &(dyn Fn(u64) + Sync),
) -> Option<ReportTable> {
    let others = other_sizes(&setting.game);
    let deals = setting.deals / OTHER_SIZES;
    if others.is_empty() || deals < 2 {
        return None;
    }
    let mut columns: Vec<(usize, Vec<Estimate>)> = vec![(setting.game.players(), own.to_vec())];
    for game in others {
        let seed = Seed::new(setting.seed);
        let ledger = setting.ledger(&game, setting.field);
        let worth = gains(&ledger, setting.field, &rules(), deals, seed, done);
        columns.push((game.players(), worth.into_iter().map(|gain| gain.all).collect()));
    }
    columns.sort_by_key(|column| column.0);
    let heads: Vec<String> = std::iter::once("rule".to_owned())
        .chain(columns.iter().map(|(players, _)| format!("{players} players")))
        .collect();
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let caption = format!(
        "Chips a deal gained at a table of {} by the number of players ({deals} deals; {} at the \
         main table)",
        setting.field.name(),
        setting.deals
    );
    let mut table = ReportTable::new(caption, &heads);
    for &rule in order {
        let cells = columns.iter().map(|(_, worth)| worth[rule].into());
        table.push(std::iter::once(RULES[rule].name.into()).chain(cells).collect());
    }
    Some(table)
}
