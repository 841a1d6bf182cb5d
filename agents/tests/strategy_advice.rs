//! `docs/strategy.md` teaches what `basic` plays: its lists are those of the file, and its worked hands are deals that
//! `basic` leads in so.

use std::fmt::Write as _;
use std::sync::Arc;

use newmarket_agents::strategy::{Content, Memory, Notes, Scope, Strategy, fact};
use newmarket_agents::{Agent, Table};
use newmarket_env::{Action, Card, CardSet, Game, Rules, Seed, Suit, View};

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/strategy.md");

/// `Q♣`.
fn card(card: Card, view: &View) -> String {
    format!("{}{}", rank(card, view), card.suit().symbol())
}

fn rank(card: Card, view: &View) -> String {
    match view.game().rules().aces.letter(card.rank()) {
        'T' => "10".into(),
        letter => letter.to_string(),
    }
}

/// `♣ 3 8 Q   ♦ 2 5`.
fn by_suit(cards: CardSet, view: &View) -> String {
    let suits = Suit::ALL.into_iter().filter(|&suit| cards.lane(suit) != 0);
    let suit = |suit: Suit| {
        let ranks: Vec<String> =
            (cards & CardSet::suit(suit)).iter().map(|card| rank(card, view)).collect();
        format!("{} {}", suit.symbol(), ranks.join(" "))
    };
    suits.map(suit).collect::<Vec<_>>().join("   ")
}

/// A lead with all that `basic` looks at, question by question.
fn worked(view: &View, basic: &Strategy) -> String {
    let content = basic.content();
    let sections = content.in_words();
    let questions = &sections.iter().find(|part| part.heading == "A lead").expect("leads").steps;
    let clauses = content.lead(view.game().rules().base);
    let suits: Vec<Suit> = view.legal().iter().filter_map(Action::suit).collect();
    let cells: Vec<String> = (0..view.game().cells())
        .map(|cell| {
            let boodle = view.claims().card_of(cell).expect("a card");
            format!("{} {}", card(boodle, view), view.layout()[cell])
        })
        .collect();
    let gone = view.gone() & view.game().pack();
    let gone = if gone.is_empty() { "nothing yet".into() } else { by_suit(gone, view) };
    let mut text = String::new();
    writeln!(text, "```text\nyour hand     {}", by_suit(view.hand(), view)).expect("a text");
    writeln!(text, "on the table  {}\ngone          {gone}\n```\n", cells.join("   "))
        .expect("a text");
    let symbols: Vec<String> = suits.iter().map(|suit| suit.symbol().to_string()).collect();
    writeln!(text, "| question | {} |", symbols.join(" | ")).expect("a text");
    writeln!(text, "| --- |{}", " ---: |".repeat(suits.len())).expect("a text");
    let notes = Notes::new(view, Memory::ALL);
    let mut left = suits.clone();
    for (nth, (clause, question)) in clauses.iter().zip(questions).enumerate() {
        let (name, bound) = clause.text().split_once(['<', '>']).expect("a comparison");
        let counted = fact(Scope::Suit, name.trim()).expect("a fact");
        let bound: i32 = bound.trim_start_matches('=').trim().parse().expect("a number");
        let value = |suit: Suit| counted.of_suit(&notes, suit) as i32;
        let yes = |suit: Suit| {
            if clause.text().contains(">=") { value(suit) >= bound } else { value(suit) <= bound }
        };
        let any = left.iter().any(|suit| yes(*suit));
        let cell = |suit: &Suit| match (left.contains(suit), yes(*suit)) {
            (false, _) => String::new(),
            (true, true) => format!("{}, yes", value(*suit)),
            (true, false) => format!("{}, no", value(*suit)),
        };
        let row: Vec<String> = suits.iter().map(cell).collect();
        writeln!(text, "| {}. {question} | {} |", nth + 1, row.join(" | ")).expect("a text");
        if any {
            left.retain(|suit| yes(*suit));
        }
        if left.len() == 1 {
            break;
        }
    }
    let lowest = view.hand().lowest(left[0]).expect("a card to lead");
    let others = if left.len() > 1 { " (the suits that are left are as good)" } else { "" };
    write!(text, "\nLead the **{}**{others}.\n\n", card(lowest, view)).expect("a text");
    assert_eq!(
        basic.left(view).first(),
        Some(Action::lead(left[0])),
        "the document and the player differ"
    );
    text
}

/// Leads in `newmarket` that the first, the second and the third question decide: the first such deals in which three
/// suits can be led, later in the deal from hand to hand.
fn hands() -> String {
    let game = Game::new(Rules::named("newmarket").expect("a game"), 4).expect("seats four");
    let game = Arc::new(game);
    let basic = Strategy::named("basic").expect("a named strategy");
    let mut text = String::new();
    for (nth, (title, gone)) in
        [("your first lead", 0..1), ("after some stops", 8..20), ("late in the deal", 16..30)]
            .into_iter()
            .enumerate()
    {
        let found = (0..5_000).find_map(|seed| {
            let (mut table, mut players) = (Table::new(game.clone()), basic.clone());
            let mut shown = None;
            table.play(Seed::new(seed), |_, view, rng| {
                let decides = || {
                    let reason = basic.reasons(view).into_iter().next()?;
                    (reason.left.is_forced()
                        && reason.text.as_deref()
                            == Some(basic.content().lead("newmarket")[nth].text()))
                    .then_some(())
                };
                let suits = view.legal().iter().filter_map(Action::suit).count();
                let seen = (view.gone() & view.game().pack()).len();
                if shown.is_none() && suits >= 3 && gone.contains(&seen) && decides().is_some() {
                    shown = Some(worked(view, &basic));
                }
                players.act(view, rng)
            });
            shown
        });
        write!(
            text,
            "**Hand {}: {title}.**\n\n{}",
            nth + 1,
            found.unwrap_or_else(|| panic!("no such deal: {title}"))
        )
        .expect("a text");
    }
    text
}

/// The lists of all games.
fn lists() -> String {
    let basic = Strategy::named("basic").expect("a named strategy");
    let mut text = String::new();
    for part in basic.content().in_words() {
        let place = match (part.game, part.heading) {
            (None, _) => "`newmarket`, `newmarket-buy`".to_string(),
            (Some(game), _) => format!("`{game}`"),
        };
        let steps = part.steps.iter().enumerate();
        let steps: Vec<String> = steps.map(|(nth, step)| format!("{}. {step}", nth + 1)).collect();
        writeln!(text, "| {place} | {} | {} |", part.heading.to_lowercase(), steps.join(" · "))
            .expect("a text");
    }
    format!("| game | decision | step by step |\n| --- | --- | --- |\n{text}")
}

/// The cards of `agents/strategies/advice`, as `strategy show` prints them.
fn cards() -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/strategies/advice");
    let entries = std::fs::read_dir(folder).expect("the folder");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    let mut text = "| card | step by step | over |\n| --- | --- | --- |\n".to_string();
    for path in paths {
        let file = std::fs::read_to_string(&path).expect("a text");
        let file: serde_json::Value = toml::from_str(&file).expect("TOML");
        let content = Content::from_json(&file).unwrap_or_else(|faults| panic!("{faults}"));
        let steps: Vec<String> =
            content.in_words().into_iter().flat_map(|part| part.steps).collect();
        let steps = if steps.is_empty() { content.about.clone() } else { steps.join(" · ") };
        let over = [&file["over"], &file["base"]].into_iter().find_map(|it| it["name"].as_str());
        let over = over.expect("whom a card is measured over");
        let name = path.file_stem().expect("a name").to_string_lossy();
        let link = format!("[`{name}`](../agents/strategies/advice/{name}.toml)");
        writeln!(text, "| {link} | {steps} | {over} |").expect("a text");
    }
    text
}

/// `UPDATE_STRATEGIES=1` writes the lists, the cards and the hands.
#[test]
fn the_document_teaches_what_basic_plays() {
    let text = std::fs::read_to_string(DOCUMENT).expect("the document");
    let mut wanted = text.clone();
    for (name, block) in [("hands", hands()), ("cards", cards()), ("lists", lists())] {
        let (begin, rest) =
            wanted.split_once(&format!("<!-- {name} -->\n")).expect("where the block begins");
        let (_, end) = rest.split_once(&format!("<!-- end of {name} -->")).expect("where it ends");
        wanted = format!("{begin}<!-- {name} -->\n{block}<!-- end of {name} -->{end}");
    }
    if std::env::var_os("UPDATE_STRATEGIES").is_some() {
        std::fs::write(DOCUMENT, &wanted).expect("written");
    }
    assert!(
        text == wanted,
        "UPDATE_STRATEGIES=1 cargo test writes the lists, cards and hands of docs/strategy.md"
    );
}
