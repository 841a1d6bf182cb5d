//! A basic strategy for leads: at most five questions that a person can keep in mind.
//!
//! The questions are found by the chips that they gain, and measured on other deals than those on
//! which they were found. Nothing is imitated.

pub(super) mod search;

use std::sync::Arc;

use newmarket_agents::Player;
use newmarket_agents::basic::{Basic, MOST_QUESTIONS, questions_of};
use newmarket_agents::heuristic::Heuristic;
use newmarket_agents::paired::{Estimate, PairedDuel};
use newmarket_env::{Game, Rules, Seed};

use super::report::{ReportCell, ReportTable, Section};
use super::setting::{OTHER_SIZES, Setting, other_sizes};
use super::whole_sessions;
use search::{List, RACES, Search};

/// Children of the seed: the deals of the search, and those on which its result is measured.
const SEARCH: u64 = 0;
const FRESH: u64 = 1;
/// The child of the seed for whole sessions.
const SESSIONS: u64 = 2;
/// The reference thinks long: it plays one deal for so many of the others.
const REFERENCE_EVERY: u64 = 8;
/// Tables of the strong player think longer than those of heuristics: they play one deal for so many.
const STRONG_EVERY: u64 = 4;
/// The committed list, by which people play, plays so many deals for each of the others.
const COMMITTED: u64 = 4;

/// Deals that are told of while it runs.
pub(super) fn work(game: &Game, deals: u64) -> u64 {
    let questions = 2 * MOST_QUESTIONS as u64;
    let sizes = other_sizes(game).len() as u64 * (deals / OTHER_SIZES);
    let (long, strong) = (deals.div_ceil(REFERENCE_EVERY), deals.div_ceil(STRONG_EVERY));
    (RACES + 1 + questions + 2 + 2 * COMMITTED) * deals + sizes + 2 * long + 2 * strong
}

/// Searches for a list, measures it and reports what was found.
pub(super) fn run(setting: &Setting, done: &(dyn Fn(u64) + Sync)) -> Section {
    let Setting { field, player, reference, deals, .. } = *setting;
    let seed = Seed::new(setting.seed);
    let list = Search { game: &setting.game, field, deals, seed: seed.child(SEARCH) }.run(done);
    let play = |game: &Arc<Game>, hero: &Player, field: &Player, deals: u64| -> Estimate {
        let games = std::slice::from_ref(game);
        PairedDuel { games, hero, field, seed: seed.child(FRESH) }.run(deals, done).chips.estimate()
    };
    let asking = |list: &List| Player::from(Basic::asking(list.clone()));
    let gain = |list: &List| play(&setting.game, &asking(list), field, deals);
    // As many deals are told of for a shorter list.
    done(2 * deals * (MOST_QUESTIONS - list.len()) as u64);

    let (at_field, strong) = (format!("at a table of {}", field.name()), reference.name());
    let mut questions = ReportTable::new(
        format!("The questions in their order, and chips a deal that they gain {at_field}"),
        &["of each suit: the number of", "asked so far", "the list without it"],
    );
    let mut whole = gain(&List::new());
    questions.push(vec!["none: any suit".into(), whole.into(), ReportCell::Empty]);
    for at in 0..list.len() {
        whole = gain(&list[..=at].to_vec());
        let mut others = list.clone();
        others.remove(at);
        questions.push(vec![list[at].to_string().into(), whole.into(), gain(&others).into()]);
    }

    let longest = Heuristic::named("longest").expect("a heuristic").into();
    let mut company = ReportTable::new(
        "Chips a deal gained over the others in the same seat",
        &[
            "player",
            &at_field,
            "at a table of longest",
            &format!("at a table of {}", player.name()),
        ],
    );
    let (long, rare) = (deals.div_ceil(REFERENCE_EVERY), deals.div_ceil(STRONG_EVERY));
    let of = |questions: List, deals: u64| {
        let hero = asking(&questions);
        let [at_field, at_longest] =
            [field, &longest].map(|field| play(&setting.game, &hero, field, deals));
        let at_player = play(&setting.game, &hero, player, rare);
        Played { questions, at_field, at_longest, at_player }
    };
    let found = of(list.clone(), deals);
    let committed = of(questions_of(setting.game.rules()).to_vec(), COMMITTED * deals);
    for (name, it) in [("the questions above", &found), ("the questions of basic", &committed)] {
        let gains = [it.at_field, it.at_longest, it.at_player].map(ReportCell::from);
        company.push(std::iter::once(name.into()).chain(gains).collect());
    }
    // Antes are worth something in deals to come, too.
    let sessions = (COMMITTED * deals / u64::from(setting.game.rules().session.deals)).max(2);
    let basic = Player::from(Basic::new());
    let whole_basic = [field, &longest].map(|field| {
        let seed = seed.child(SESSIONS);
        whole_sessions::chips_a_deal(&setting.game, &basic, field, sessions, seed)
    });
    let name = "basic, with its own antes and dead hand, in whole sessions";
    let [at_stopper, at_longest] = whole_basic.map(ReportCell::from);
    company.push(vec![name.into(), at_stopper, at_longest, ReportCell::Empty]);
    let [at_stopper, at_longest] =
        [field, &longest].map(|field| play(&setting.game, reference, field, long).into());
    company.push(vec![strong.into(), at_stopper, at_longest, ReportCell::Empty]);

    let mut sizes = ReportTable::new(
        format!("Chips a deal that the questions gain {at_field}, by the number of players"),
        &["players", "gain"],
    );
    for game in other_sizes(&setting.game) {
        let gain = play(&game, &asking(&list), field, deals / OTHER_SIZES);
        sizes.push(vec![game.players().to_string().into(), gain.into()]);
    }
    let mut tables = vec![questions, company];
    tables.extend((!sizes.rows.is_empty()).then_some(sizes));

    Section {
        study: "basic".into(),
        title: "A basic strategy".into(),
        question: "Which few questions should a person ask before a lead?".into(),
        rules: setting.game.rules().title().into(),
        players: setting.game.players().into(),
        field: field.name().into(),
        deals,
        seed: setting.seed,
        method: method(setting),
        // A named game has its list already, found on more deals.
        advice: vec![if is_named(&setting.game) { &committed } else { &found }.advice(setting)],
        cards: Vec::new(),
        findings: vec![format!(
            "Who leads by the questions that were found here gains {whole} chips a deal at a table of {0}; \
             by those of `basic` {1}, and {2} at a table of {3}. With its own antes and dead hand, too, \
             `basic` gains {4} a deal in whole sessions at a table of {0}.",
            field.name(),
            committed.at_field,
            committed.at_player,
            player.name(),
            whole_basic[0]
        )],
        tables,
        precision: whole.ci95,
    }
}

/// A list of questions, and what it gains in chips a deal.
struct Played {
    questions: List,
    at_field: Estimate,
    at_longest: Estimate,
    at_player: Estimate,
}

impl Played {
    fn advice(&self, setting: &Setting) -> String {
        let questions = self.questions.iter().enumerate();
        let questions: Vec<String> =
            questions.map(|(at, question)| format!("({}) {question}", at + 1)).collect();
        format!(
            "Before a lead, ask of each suit that you may lead for the number of {} Suits with a yes stay, \
             unless there are none; lead any that is left. That gains {} chips a deal at a table of {}, {} \
             at a table of longest, and {} at a table of {}.",
            questions.join(" "),
            self.at_field,
            setting.field.name(),
            self.at_longest,
            self.at_player,
            setting.player.name()
        )
    }
}

/// Whether the rules are those of a named game, as they are.
fn is_named(game: &Game) -> bool {
    let rules = game.rules();
    Rules::named(rules.base).is_some_and(|named| named == *rules)
}

fn method(setting: &Setting) -> Vec<String> {
    let (field, strong) = (setting.field.name(), setting.reference.name());
    vec![
        "A question compares a number with a constant. Suits of which the answer is yes stay, \
         unless there are none; then the next question is asked of those that stay. The row is \
         your cards that follow each other from your lowest one up. A player needs to know its \
         hand, the chips on the layout, and which cards were played or noted at a stop."
            .into(),
        format!(
            "The list was put together question by question, then changed one question at a time, \
             up to {RACES} steps in all. In each step all lists that one step makes play the same \
             deals, and by four rounds of halving the best of them is found; it is taken if it is \
             separated above the list before it, on as many deals as are measured here. Antes, \
             the dead hand and poker are those of the heuristics."
        ),
        format!(
            "The gain is measured on deals that chose nothing: the player sits in each seat in \
             turn, all others are {field}, and the difference is to {field} in the same seat on \
             the same deals. {strong} plays one deal in {REFERENCE_EVERY}, tables of {} one in \
             {STRONG_EVERY}, tables of other sizes one in {OTHER_SIZES}; basic plays {COMMITTED} deals for \
             each.",
            setting.player.name()
        ),
        "Intervals are 95 % each, not all together.".into(),
    ]
}
