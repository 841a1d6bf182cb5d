//! Tips: what descriptions of the game advise, put to the test.
//!
//! A tip is a strategy file with its claim. The wording is ours. Where a tip can be read in two ways, each
//! reading is a file.

use std::sync::Arc;

use newmarket_agents::paired::Estimate;
use newmarket_agents::strategy::{Base, ClaimedGain, Content};

use super::report::{ReportCell, Section};
use super::setting::NothingToStudy;
use super::strategy::{Finding, Labels, StrategyStudy, details, joint, summary};

/// The games in which tips are tested unless another one is named.
pub const GAMES: [&str; 4] = ["newmarket", "michigan", "newmarket-buy", "newmarket-after-look"];

/// The tips that come with the program, in the order of a report: names, and files in TOML.
pub const FILES: [(&str, &str); 20] = [
    ("longest-suit", include_str!("../../tips/longest-suit.toml")),
    ("longest-run", include_str!("../../tips/longest-run.toml")),
    ("keep-control", include_str!("../../tips/keep-control.toml")),
    ("boodles-suit", include_str!("../../tips/boodles-suit.toml")),
    ("low-cards-first", include_str!("../../tips/low-cards-first.toml")),
    ("do-not-hoard", include_str!("../../tips/do-not-hoard.toml")),
    ("off-suit", include_str!("../../tips/off-suit.toml")),
    ("unopened-suit", include_str!("../../tips/unopened-suit.toml")),
    ("after-a-purchase", include_str!("../../tips/after-a-purchase.toml")),
    ("the-same-unasked", include_str!("../../tips/the-same-unasked.toml")),
    ("note-the-stops", include_str!("../../tips/note-the-stops.toml")),
    ("remember-all-cards", include_str!("../../tips/remember-all-cards.toml")),
    ("skip-the-seldom-played", include_str!("../../tips/skip-the-seldom-played.toml")),
    ("stake-on-the-most-played", include_str!("../../tips/stake-on-the-most-played.toml")),
    ("nothing-to-know", include_str!("../../tips/nothing-to-know.toml")),
    ("stake-on-your-own", include_str!("../../tips/stake-on-your-own.toml")),
    ("stake-on-what-you-can-start", include_str!("../../tips/stake-on-what-you-can-start.toml")),
    (
        "of-your-own-those-you-can-start",
        include_str!("../../tips/of-your-own-those-you-can-start.toml"),
    ),
    ("change-a-poor-hand", include_str!("../../tips/change-a-poor-hand.toml")),
    ("change-only-a-poor-hand", include_str!("../../tips/change-only-a-poor-hand.toml")),
];

/// Other advice of books, and why it is not tested.
const NOT_TESTED: [(&str, &str); 4] = [
    (
        "Five or six players (or three to five, or six to eight) are best.",
        "it says what is fun, not how to play, and the descriptions contradict each other",
    ),
    ("Lead the lowest card.", "a rule, not a choice: a lead is always the lowest card of its suit"),
    (
        "Sort the hand by suit and rank, so that no card is missed.",
        "programs do not overlook cards",
    ),
    ("The game is mostly luck.", "not advice; the ladder says how far skill goes"),
];

/// What was found about a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    /// It gains as claimed, or makes no difference as claimed.
    Holds,
    /// It loses where a gain is claimed, or makes a difference where none is.
    Refuted,
    /// The interval of the gain that is claimed contains 0.
    NotSeparated,
    /// No decision, or none that mattered, was another one.
    ChangesNothing,
    /// Nothing is claimed.
    NoClaim,
}

impl Verdict {
    /// By what is claimed and what is gained, with an interval as wide as all verdicts together need it.
    fn of(claim: Option<ClaimedGain>, gain: Estimate) -> Self {
        if gain == (Estimate { mean: 0.0, ci95: 0.0 }) {
            return Self::ChangesNothing;
        }
        match (claim, gain.separated()) {
            (None, _) => Self::NoClaim,
            (Some(ClaimedGain::Gains), true) if gain.mean > 0.0 => Self::Holds,
            (Some(_), true) => Self::Refuted,
            (Some(ClaimedGain::Gains), false) => Self::NotSeparated,
            (Some(ClaimedGain::MakesNoDifference), false) => Self::Holds,
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Refuted => "refuted",
            Self::NotSeparated => "not separated",
            Self::ChangesNothing => "changes nothing",
            Self::NoClaim => "no claim",
        }
    }
}

const fn claimed(claim: Option<ClaimedGain>) -> &'static str {
    match claim {
        Some(ClaimedGain::Gains) => "gains",
        Some(ClaimedGain::MakesNoDifference) => "makes no difference",
        None => "",
    }
}

/// The tip for somebody who plays on as another player: its base, and that of the strategy that it is measured
/// over, is replaced. `None` if the two differ in more than what they decide themselves, as in what they remember.
pub fn over_base(tip: &Content, base: &Base) -> Option<Content> {
    let mut other = tip.over_base(base);
    other.over = match &tip.over {
        None => None,
        Some(over) if tip.single_base() == Some(over) => Some(base.clone()),
        Some(Base::Strategy(over)) if over.single_base() == tip.single_base() => {
            Some(Base::Strategy(Arc::new(over.over_base(base))))
        }
        Some(_) => return None,
    };
    Some(other)
}

/// Measures tips, and judges their claims. `ours`: they are [`FILES`], which are the advice of books. `done` is told of
/// deals and sessions, from any thread.
///
/// # Errors
/// The same as [`StrategyStudy::run`].
pub fn run(
    study: &StrategyStudy,
    ours: bool,
    done: &(dyn Fn(u64) + Sync),
) -> Result<Section, NothingToStudy> {
    let mut found = study.measure(done)?;
    let place = |it: &Finding| {
        study.candidates.iter().position(|candidate| std::ptr::eq(candidate, it.candidate))
    };
    found.findings.sort_by_key(place);
    let all = &found.findings;
    let gains = joint(all.iter().map(|it| it.whole.all));
    let verdicts: Vec<Verdict> = all
        .iter()
        .zip(&gains)
        .map(|(it, gain)| Verdict::of(it.candidate.content.claim, *gain))
        .collect();
    let labels = Labels::of("tip", all);
    let mut table = labels.table("What each tip gains", &["claim", "verdict", "gain"]);
    for ((it, gain), verdict) in all.iter().zip(&gains).zip(&verdicts) {
        let words = [claimed(it.candidate.content.claim), verdict.words()];
        let cells = words.map(ReportCell::from).into_iter().chain([(*gain).into()]);
        table.push(labels.row(it, cells));
    }
    let always = |wanted: Verdict, words: &str| {
        let is = |name: &&str| {
            let here = all.iter().zip(&verdicts).filter(|(it, _)| it.candidate.name == **name);
            let mut here = here.map(|(_, verdict)| *verdict).peekable();
            here.peek().is_some() && here.all(|verdict| verdict == wanted)
        };
        let names: Vec<&str> =
            study.candidates.iter().map(|it| &*it.name).filter(|name| is(name)).collect();
        let told = format!("At every table {words}: “{}”.", names.join("”, “"));
        (!names.is_empty()).then_some(told)
    };
    let mut section = summary(study, &found, &gains);
    section.study = "tips".into();
    let (title, question) = if ours {
        ("What the books advise", "Which tips are worth following, and how much?")
    } else {
        ("What files claim", "Which claims of the files hold, and what does each file gain?")
    };
    (section.title, section.question) = (title.into(), question.into());
    section.findings = [
        always(Verdict::Holds, "the claim holds"),
        always(Verdict::Refuted, "the claim is refuted"),
        always(Verdict::ChangesNothing, "nothing changes"),
    ]
    .into_iter()
    .flatten()
    .collect();
    section.tables = std::iter::once(table).chain(details(study, &labels, all)).collect();
    section.method.push(
        "A tip that claims a gain holds if its whole interval is above 0 and is refuted if it is below. One that \
         claims to make no difference is refuted if its interval does not contain 0."
            .into(),
    );
    section.method.extend(study.candidates.iter().filter_map(|it| {
        it.content.says.as_ref().map(|says| format!("“{}” says: {says}", it.name))
    }));
    let not = |(says, why): (&str, &str)| format!("Not put to the test: “{says}”, for {why}.");
    section.method.extend(NOT_TESTED.into_iter().filter(|_| ours).map(not));
    Ok(section)
}
