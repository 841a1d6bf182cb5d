//! What each rule for a lead is worth.
//!
//! Three questions: what a player gains who follows a rule all deal long; what one lead of a kind
//! is worth over a random one at the same moment; and what each property of a lead is worth when
//! the others are equal.

mod moments;
mod rules;

use newmarket_agents::Player;
use newmarket_agents::paired::Estimate;
use newmarket_agents::strategy::Strategy;
use newmarket_env::Seed;

use super::heroes::gains;
use super::payoff::Ledger;
use super::report::{ReportTable, Section};
use super::setting::Setting;
use rules::{LeadRule, RULES};

/// The child of the seed, which no deal has, for deals on which a rule is measured that was chosen on others.
const FRESH: u64 = u64::MAX - 1;

/// Deals that are told of while it runs.
pub(super) const fn work(deals: u64) -> u64 {
    4 * deals
}

/// Plays the deals of the study and reports what was found.
pub(super) fn run(setting: &Setting, ledger: &Ledger, done: &(dyn Fn(u64) + Sync)) -> Section {
    let (game, deals, seed) = (&setting.game, setting.deals, Seed::new(setting.seed));
    let random: Player = Strategy::named("random").expect("a named strategy").into();
    let of_random = setting.ledger(game, &random);
    let measured = |ledger: &Ledger, field: &Player, rules: &[LeadRule], seed: Seed| {
        let heroes: Vec<Player> = rules.iter().map(|rule| rule.agent().into()).collect();
        let gains = gains(ledger, field, &heroes, deals, seed, done);
        gains.into_iter().map(|gain| gain.all).collect::<Vec<Estimate>>()
    };
    let at_field = measured(ledger, setting.field, &RULES, seed);
    let at_random = measured(&of_random, &random, &RULES, seed);
    let moments = moments::Moments::measure(setting, ledger, done);

    let field = setting.field.name();
    let heads: [&str; 3] = ["rule", &format!("at a table of {field}"), "at a table of random"];
    let caption = "Chips a deal gained by leading by a rule, over the field in the same seat";
    let mut worth = ReportTable::new(caption, &heads).drawn(1);
    let mut order: Vec<usize> = (0..RULES.len()).collect();
    order.sort_by(|&a, &b| at_field[b].mean.total_cmp(&at_field[a].mean));
    for &rule in &order {
        worth.push(vec![RULES[rule].name.into(), at_field[rule].into(), at_random[rule].into()]);
    }
    let precision = at_field.iter().map(|it| it.ci95).fold(0.0, f64::max);

    let singles = (0..RULES.len()).filter(|&rule| RULES[rule].single);
    let by_mean = |&a: &usize, &b: &usize| at_random[a].mean.total_cmp(&at_random[b].mean);
    let single = RULES[singles.max_by(by_mean).expect("some rules ask one question")];
    let again = measured(&of_random, &random, &[single], seed.child(FRESH))[0];
    let findings = vec![
        best(&order, &at_field, field),
        format!(
            "If you ask one question only before a lead: {}. Of the rules of one question it gains most among \
             players who lead at random, {again} chips a deal (chosen on other deals).",
            single.about
        ),
        moments.finding(setting),
    ];
    Section {
        study: "lead".into(),
        title: "What a lead is worth".into(),
        question: "Which suit should be led, and how many chips is it worth to ask which?".into(),
        rules: game.rules().title().into(),
        rules_files: vec![game.rules().to_file()],
        players: game.players().into(),
        field: field.into(),
        deals,
        seed: setting.seed,
        method: method(setting),
        advice: Vec::new(),
        findings,
        tables: std::iter::once(worth).chain(moments.tables(setting)).collect(),
        precision,
    }
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
    let field = setting.field.name();
    let rules = RULES.iter().map(|rule| format!("{}: {}", rule.name, rule.about));
    vec![
        format!("What the rules lead: {}.", rules.collect::<Vec<_>>().join("; ")),
        format!(
            "Each rule sits in every seat in turn, all others are {field} (or random), and the \
             deal is also played by the field alone: the gain is the difference in the same seat, \
             on the same cards and random numbers. Rules differ in their leads alone; antes and \
             the dead hand are those of the heuristics. Among equal leads, rules of one \
             question choose at random. `newmarket study strategy` tells such gains by seat, by \
             deals left, by number of players and in whole sessions."
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
    ]
}
