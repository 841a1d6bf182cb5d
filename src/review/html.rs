//! A review as one page.

use newmarket_agents::paired::Estimate;
use newmarket_engine::Choice;
use newmarket_env::{Aces, Card, CardSet, Suit};

use super::judge::Decision;
use super::report::Report;
use super::text::{self, WORDS, notes, place, shown, summary, title, worst};
use crate::report::page::{escaped, paragraphs, table, with_head};
use crate::report::plot::{self, Bar};

/// Most choices of a mistake whose values are drawn, besides the choice taken.
const DRAWN: usize = 6;
/// Most decisions of a review that lists every decision. A longer list is in the JSON alone.
const LISTED: usize = 1_000;

const STYLE: &str = "<style>
:root{--card:#fff;--rim:#b9c0c8;--spade:#1b1f24;--heart:#c8102e;--diamond:#0b62b8;--club:#1a7a3c;\
--felt:#eef4ef;--good:#1a7a3c;--bad:#c8102e;--chip:#c98a00}
@media (prefers-color-scheme:dark){:root{--card:#23282f;--rim:#525c68;--spade:#e6e9ed;--heart:#ff7a85;\
--diamond:#7cbcff;--club:#6fd58f;--felt:#19211c;--good:#6fd58f;--bad:#ff7a85;--chip:#e5b84a}}
.mistake{background:var(--felt);border:1px solid var(--soft);border-radius:.8rem;padding:.2rem 1.2rem 1rem;\
margin:1.2rem 0;break-inside:avoid}
.mistake h3{margin:.8rem 0 0;font-size:1.1rem}.where{margin:.1rem 0 .8rem;opacity:.75;font-size:.9rem}
.mistake h4{margin:1rem 0 .3rem;font-size:.85rem;font-weight:600;opacity:.75}
.card{display:inline-flex;flex-direction:column;align-items:center;justify-content:center;width:2.5rem;\
height:3.4rem;border:1px solid var(--rim);border-radius:.4rem;background:var(--card);font-weight:600;\
font-size:1.15rem;line-height:1.15;box-shadow:0 1px 2px #0003}
.card i{font-style:normal;font-size:1.1rem}
.C{color:var(--club)}.D{color:var(--diamond)}.H{color:var(--heart)}.S{color:var(--spade)}
.suit{display:inline-flex;margin:0 1rem .4rem 0}.suit .card+.card{margin-left:-.35rem}
.taken{outline:3px solid var(--bad)}.best{outline:3px solid var(--good)}.taken,.best{z-index:1;position:relative}
.piles,.seats{display:flex;flex-wrap:wrap;gap:.5rem .8rem}
.pile{text-align:center}.pile .card{width:auto;min-width:2.5rem;padding:0 .35rem;box-sizing:border-box}
.chips{display:block;margin-top:.2rem;font-weight:600;color:var(--chip)}.none{opacity:.45;font-weight:400}
.seat{border:1px solid var(--soft);border-radius:.4rem;padding:.15rem .6rem;font-size:.9rem}
.self{border-color:var(--mark);border-width:2px}
.gone{font-size:.95rem}.gone b{font-weight:600}
.verdict{margin:1rem 0 0}.verdict b.bad{color:var(--bad)}.verdict b.good{color:var(--good)}
details{border-bottom:1px solid var(--soft);padding:.35rem 0}summary{cursor:pointer}
td.bad{color:var(--bad);font-weight:600}
@media (min-width:48rem){.sides{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1.05fr);gap:0 1.5rem;\
align-items:start}}
@media print{.mistake{background:none}}
</style>
";

/// The review as a page of HTML.
pub(super) fn page(report: &Report) -> String {
    let mut body = vec![
        "<h1>Review of play</h1>".to_owned(),
        paragraphs(&[title(report) + "."]),
        losses(report),
        table(&summary(report), WORDS),
        format!("<h2>{}</h2>", escaped(&shown(report))),
    ];
    body.extend(worst(report).enumerate().map(|(nth, decision)| mistake(nth + 1, decision)));
    if report.decisions.len() <= LISTED {
        body.push("<h2>Every decision</h2>".into());
        body.extend(report.decisions.chunk_by(|a, b| a.line == b.line).map(deal));
    }
    body.push(format!(
        "<div class=\"aside\">\n<h3>How it was judged</h3>\n{}\n<p>Reproduced by <code>{}</code></p>\n</div>",
        paragraphs(&notes(report)),
        escaped(&report.command)
    ));
    with_head("Newmarket: review of play", STYLE, &body.join("\n"))
}

/// A plot of the chips that each seat lost a decision; empty without intervals.
fn losses(report: &Report) -> String {
    let tallies = report.summary.iter().filter(|tally| tally.kind.is_none());
    let bars: Vec<Bar> = tallies
        .filter_map(|tally| {
            let Estimate { mean, ci95 } = tally.cost;
            let name = format!("seat {}", tally.seat?);
            ci95.is_finite().then_some(Bar { name, mean, low: mean - ci95, high: mean + ci95 })
        })
        .collect();
    if bars.is_empty() {
        return String::new();
    }
    let what = "Chips lost a decision by seat, with 95 % intervals";
    plot::intervals(what, "chips lost a decision", &bars)
}

fn mistake(number: usize, decision: &Decision) -> String {
    let (_, best) = text::instead(decision);
    let taken = text::taken(decision);
    let against = text::against(decision)
        .map(|clauses| format!("<br>\nAgainst: {}", escaped(&clauses)))
        .unwrap_or_default();
    let view = decision.view();
    let mut seen = vec![piles(decision)];
    if !view.hand().is_empty() {
        seen.push(hand(decision));
    }
    seen.push(seats(decision));
    seen.extend(gone("Played", view.played(), decision));
    seen.extend(gone("Known to be dead", view.known_dead(), decision));
    format!(
        "<article class=\"mistake\">\n<h3>{number}. {} costs {} chips</h3>\n<p class=\"where\">{}</p>\n\
         <div class=\"sides\">\n<div>{}</div>\n<div>\n<p class=\"verdict\">Taken: <b class=\"bad\">{}</b>{against}<br>\
         Better: <b class=\"good\">{}</b></p>\n{}\n</div>\n</div>\n</article>",
        capital(decision.kind.name()),
        text::cost(decision),
        escaped(&capital(&place(decision))),
        seen.join("\n"),
        escaped(&taken),
        escaped(&best),
        values(decision)
    )
}

/// A card with a mark: the name of a class, or nothing.
fn card(card: Card, aces: Aces, mark: &str) -> String {
    let suit = card.suit();
    format!(
        "<span class=\"card {} {mark}\">{}<i>{}</i></span>",
        suit.letter(),
        aces.sign(card.rank()),
        suit.symbol()
    )
}

/// The hand, with marks at the cards of the choice taken and of the best one.
fn hand(decision: &Decision) -> String {
    let aces = decision.game.rules().aces;
    let cards_of = |choice: &Choice| match choice {
        Choice::Lead { card } => CardSet::of(card.card(aces)),
        Choice::SetApart { cards } => cards.iter().map(|name| name.card(aces)).collect(),
        _ => CardSet::EMPTY,
    };
    let (taken, best) = (cards_of(&decision.taken), cards_of(&decision.best));
    let suits = Suit::ALL.into_iter().filter_map(|suit| {
        let cards = decision.view().hand() & CardSet::suit(suit);
        let drawn = cards.iter().map(|held| match (taken.contains(held), best.contains(held)) {
            (true, false) => card(held, aces, "taken"),
            (false, true) => card(held, aces, "best"),
            _ => card(held, aces, ""),
        });
        let drawn: String = drawn.collect();
        (!drawn.is_empty()).then(|| format!("<span class=\"suit\">{drawn}</span>"))
    });
    format!("<h4>Hand of seat {}</h4>\n<div>{}</div>", decision.seat, suits.collect::<String>())
}

/// The layout and the kitty, with their chips.
fn piles(decision: &Decision) -> String {
    let (view, rules) = (decision.view(), decision.game.rules());
    let pile = |top: String, chips: i32| {
        let none = if chips == 0 { " none" } else { "" };
        format!("<div class=\"pile\">{top}<span class=\"chips{none}\">{chips}</span></div>")
    };
    let plain = |name: &str| format!("<span class=\"card\">{}</span>", escaped(name));
    let cells = rules.cells.iter().map(|cell| match Card::parse(&cell.name, rules.aces) {
        Some(named) => card(named, rules.aces, ""),
        None => plain(&cell.name),
    });
    let mut piles: Vec<String> =
        cells.zip(view.layout()).map(|(top, &chips)| pile(top, chips)).collect();
    if rules.has_kitty() {
        piles.push(pile(plain("kitty"), view.kitty()));
    }
    format!("<h4>Layout</h4>\n<div class=\"piles\">{}</div>", piles.concat())
}

fn seats(decision: &Decision) -> String {
    let view = decision.view();
    let seats = (0..decision.game.players()).map(|seat| {
        let own = if seat == decision.seat { " self" } else { "" };
        let deals = if seat == view.dealer() { ", dealer" } else { "" };
        let cards = match view.hand_size(seat) {
            _ if view.hand().is_empty() => String::new(),
            cards => format!("{cards} cards, "),
        };
        let chips = view.stack(seat);
        format!("<span class=\"seat{own}\">seat {seat}{deals}: {cards}{chips} chips</span>")
    });
    format!("<h4>Seats</h4>\n<div class=\"seats\">{}</div>", seats.collect::<String>())
}

/// Cards that are out of play, in one line.
fn gone(title: &str, cards: CardSet, decision: &Decision) -> Option<String> {
    let texts = decision.wording().suits(cards, CardSet::EMPTY);
    let suits = Suit::ALL.into_iter().filter(|&suit| cards.lowest(suit).is_some());
    let suits: Vec<String> = (suits.zip(&texts))
        .map(|(suit, text)| format!("<span class=\"{}\">{text}</span>", suit.letter()))
        .collect();
    let line = || format!("<h4>{title}</h4>\n<div class=\"gone\">{}</div>", suits.join(" &emsp; "));
    (!suits.is_empty()).then(line)
}

/// The values of the best choices and of the choice taken.
fn values(decision: &Decision) -> String {
    let (view, wording) = (decision.view(), decision.wording());
    let few = decision.judged.iter().enumerate();
    let few = few.filter(|(nth, judged)| *nth < DRAWN || judged.choice == decision.taken);
    let bars: Vec<Bar> = few
        .map(|(_, judged)| Bar {
            name: wording.choice(&view, &judged.choice),
            mean: judged.chips,
            low: judged.chips - judged.ci95,
            high: judged.chips + judged.ci95,
        })
        .collect();
    plot::intervals(
        "What the choices were worth",
        "chips gained from here to the end of the deal",
        &bars,
    )
}

/// All decisions of a deal, in a part of the page that opens by a click.
fn deal(decisions: &[Decision]) -> String {
    let heads = ["seat", "kind", "taken", "best", "cost"].map(|head| {
        let class = if head == "cost" || head == "seat" { "" } else { " class=\"words short\"" };
        format!("<th{class}>{head}</th>")
    });
    let rows = decisions.iter().map(|decision| {
        let (taken, best) = (text::taken(decision), text::instead(decision).1);
        let same = decision.taken == decision.best;
        let best = if same { "the same".to_owned() } else { escaped(&best) };
        let cost = if same { "–".to_owned() } else { text::cost(decision) };
        let class = if decision.error { " class=\"bad\"" } else { "" };
        format!(
            "<tr><td>{}</td><td class=\"words short\">{}</td><td class=\"words short\">{}</td>\
             <td class=\"words short\">{best}</td><td{class}>{cost}</td></tr>",
            decision.seat,
            decision.kind.name(),
            escaped(&taken)
        )
    });
    let errors = decisions.iter().filter(|decision| decision.error).count();
    let first = decisions.first().map_or(String::new(), |first| match first.deal {
        Some(deal) => format!("Session {}, deal {deal}", first.session),
        None => format!("Line {}", first.line),
    });
    let counted = match errors {
        0 => "no error".to_owned(),
        1 => "1 error".to_owned(),
        more => format!("{more} errors"),
    };
    format!(
        "<details><summary>{first}: {} decisions, {counted}</summary>\n<div class=\"wide\"><table>\n<tr>{}</tr>\n\
         {}</table></div></details>",
        decisions.len(),
        heads.concat(),
        rows.collect::<Vec<_>>().join("\n")
    )
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
