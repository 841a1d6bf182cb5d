//! What the lists of `basic` gain for a reader who plays by them: all of them, and those of each decision.
//!
//! Each part is measured as `basic` over `basic` without that part, so that a reader of all lists sees what each one
//! adds.

use std::sync::Arc;

use newmarket_agents::paired::Estimate;
use newmarket_agents::strategy::{AFTER_LOOK_TOML, Base, Content, named_content};
use newmarket_env::rules::{NAMES, Timing};
use serde_json::Value;

use super::report::{Advice, ReportCell, ReportTable, Section};
use super::setting::NothingToStudy;
use super::strategy::{Candidate, Finding, StrategyStudy, joint, summary};

/// The strategy whose lists are measured.
const STRATEGY: &str = "basic";
/// The file for antes after a look at the hand, and the heading of its advice.
const AFTER_LOOK_TITLE: &str = "Antes after a look at the hand";
const AFTER_LOOK: &str = "agents/strategies/advice/after-a-look-the-lowest.toml";
/// The file for antes after a look at the hand, by its path in the repository and in TOML.
pub const AFTER_LOOK_FILE: (&str, &str) = (AFTER_LOOK, AFTER_LOOK_TOML);

/// A part of the lists.
struct Part {
    /// The head of its column.
    head: &'static str,
    /// The heading of its advice; empty for all lists together.
    title: &'static str,
    /// Headings of the lists in words.
    lists: &'static [&'static str],
    /// What it is measured over, in words, and as a strategy.
    over: &'static str,
    without: &'static str,
    /// At which tables.
    needs: &'static str,
}

const PARTS: [Part; 5] = [
    Part {
        head: "all lists",
        title: "",
        lists: &[],
        over: "over stopper",
        without: r#"{ "base": "stopper" }"#,
        needs: "",
    },
    Part {
        head: "leads",
        title: "What to lead",
        lists: &["A lead"],
        over: "over the leads of stopper",
        without: r#"{ "base": "basic", "bases": { "lead": "stopper" } }"#,
        needs: "",
    },
    Part {
        head: "antes",
        title: "Where to ante",
        lists: &["The free ante"],
        over: "over an even ante",
        without: r#"{ "base": "basic", "ante": "even" }"#,
        needs: "free stake > 0 and cells > 1 and not ante after a look",
    },
    Part {
        head: "antes",
        title: AFTER_LOOK_TITLE,
        lists: &["The free ante"],
        over: "over an even ante",
        without: r#"{ "base": "basic", "ante": "even" }"#,
        needs: "free stake > 0 and cells > 1 and ante after a look",
    },
    Part {
        head: "dead hand",
        title: "The dead hand",
        lists: &["The dead hand", "A bid"],
        over: "over keeping",
        without: r#"{ "base": "basic", "dead_hand": ["keep"], "bid": ["pass"] }"#,
        needs: "dead hand on offer",
    },
];

/// What the file for antes after a look says.
const AFTER_LOOK_STEPS: [&str; 2] = [
    "with a boodle in hand: all chips on the lowest of your own",
    "without one: evenly over all boodles",
];

/// The parts and games of which a report of many games gives advice.
const FIRST: [(&str, &str); 5] = [
    ("What to lead", "newmarket"),
    ("Where to ante", "newmarket"),
    (AFTER_LOOK_TITLE, "newmarket-after-look"),
    ("The dead hand", "newmarket-buy"),
    ("The dead hand", "michigan-widow"),
];

/// The games in which the lists are measured unless others are named: all named ones, and antes after a look.
pub fn games() -> Vec<&'static str> {
    NAMES.into_iter().chain(["newmarket-after-look"]).collect()
}

/// The strategy that is measured, and the parts of it, each over the strategy without it. `after_look` is what
/// [`AFTER_LOOK_FILE`] says.
///
/// # Panics
/// If the program has no strategy `basic`.
pub fn candidates(after_look: &Arc<Content>) -> Vec<Candidate> {
    let basic = named_content(STRATEGY).expect("a named strategy").json().clone();
    let content = |file: &Value| Arc::new(Content::from_json(file).expect("a strategy"));
    let candidate = |part: &Part| {
        let measured = if part.title == AFTER_LOOK_TITLE {
            after_look.clone()
        } else {
            let mut file = basic.clone();
            if !part.needs.is_empty() {
                file["needs"] = part.needs.into();
            }
            content(&file)
        };
        let without: Value = serde_json::from_str(part.without).expect("JSON");
        let over = Base::Strategy(content(&without));
        Candidate {
            name: part.head.into(),
            content: measured,
            over: Some((part.over.into(), over)),
        }
    };
    PARTS.iter().map(candidate).collect()
}

/// Measures the [`candidates`] and says what to do. `done` is told of deals, from any thread.
///
/// # Errors
/// The same as [`StrategyStudy::run`].
pub fn run(study: &StrategyStudy, done: &(dyn Fn(u64) + Sync)) -> Result<Section, NothingToStudy> {
    let found = study.measure(done)?;
    let all = &found.findings;
    let gains = joint(all.iter().map(|it| it.whole.all));
    let of = |part: &Part, table: &Finding| {
        let is = |it: &Finding| {
            it.candidate.name == part.head
                && it.field == table.field
                && Arc::ptr_eq(&it.game, &table.game)
        };
        let at = all.iter().position(is)?;
        // A list that plays as what it is measured over is none.
        Some(gains[at]).filter(|gain| *gain != Estimate { mean: 0.0, ci95: 0.0 })
    };
    // All lists together are measured at every table.
    let tables: Vec<&Finding> =
        all.iter().filter(|it| it.candidate.name == PARTS[0].head).collect();
    let many =
        |differ: fn(&Finding, &Finding) -> bool| tables.iter().any(|it| differ(it, tables[0]));
    let sizes = many(|one, other| one.game.players() != other.game.players());
    let fields = many(|one, other| one.field != other.field);
    // Antes are before the deal or after a look: one column.
    let mut shown: Vec<&Part> =
        PARTS.iter().filter(|part| tables.iter().any(|table| of(part, table).is_some())).collect();
    shown.dedup_by_key(|part| part.head);
    let heads: Vec<String> =
        shown.iter().map(|part| format!("{}, {}", part.head, part.over)).collect();
    let labels =
        ["game"].into_iter().chain(sizes.then_some("players")).chain(fields.then_some("among"));
    let heads: Vec<&str> = labels.chain(heads.iter().map(String::as_str)).collect();
    let caption = format!(
        "What the lists of {STRATEGY} gain, chips a deal among {}; all intervals of this table hold together at 95 %",
        study.all_fields().join(", ")
    );
    let mut table = ReportTable::new(caption, &heads).drawn(heads.len() - shown.len());
    for it in &tables {
        let players = sizes.then(|| it.game.players().to_string().into());
        let field = fields.then(|| it.field.into());
        let cells =
            shown.iter().map(|part| of(part, it).map_or(ReportCell::Empty, ReportCell::from));
        let name = ReportCell::from(it.game.rules().title());
        table.push(std::iter::once(name).chain(players).chain(field).chain(cells).collect());
    }
    let alone = tables.len() == 1;
    let advised = |part: &Part, it: &Finding| {
        let game = it.game.rules().title();
        let after_look = it.game.rules().timing == Timing::AfterLook;
        if part.head == "antes" && after_look != (part.title == AFTER_LOOK_TITLE) {
            return false;
        }
        !part.title.is_empty() && (alone || !fields && FIRST.contains(&(part.title, game)))
    };
    let pairs = PARTS.iter().flat_map(|part| tables.iter().map(move |it| (part, it)));
    let advice = pairs
        .filter(|(part, it)| advised(part, it))
        .filter_map(|(part, it)| Some(advice(part, it, of(part, it)?)))
        .collect();
    Ok(Section {
        study: "advice".into(),
        title: "What the lists gain".into(),
        question: "What does a reader gain who plays by the lists of basic?".into(),
        advice,
        tables: vec![table],
        ..summary(study, &found, &gains)
    })
}

/// What a part of the lists says for a game.
fn advice(part: &Part, it: &Finding, gain: Estimate) -> Advice {
    let (rules, over) = (it.game.rules(), part.over.into());
    let among = it.field.into();
    if part.title == AFTER_LOOK_TITLE {
        let steps = AFTER_LOOK_STEPS.map(str::to_owned).to_vec();
        let (title, strategy) = (part.title.into(), AFTER_LOOK.into());
        return Advice { title, steps, gain, over, among, strategy };
    }
    let words = named_content(STRATEGY).expect("a named strategy").in_words();
    let mut steps = Vec::new();
    for heading in part.lists {
        let of_game = |game: Option<&str>| {
            words.iter().find(|list| list.heading == *heading && list.game == game)
        };
        let Some(list) = of_game(Some(rules.base)).or_else(|| of_game(None)) else { continue };
        // Where the list does not apply, it is not this table's.
        let says = |step: &&String| {
            !step.starts_with("only where") && !step.ends_with("do as the base does")
        };
        let bid = if *heading == "A bid" { "in an auction, " } else { "" };
        steps.extend(list.steps.iter().filter(says).map(|step| format!("{bid}{step}")));
    }
    let title = format!("{} in {}", part.title, rules.title());
    Advice { title, steps, gain, over, among, strategy: STRATEGY.into() }
}
