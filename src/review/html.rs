//! A review as one page.

use newmarket_engine::Choice;
use newmarket_env::{Name, Suit};

use super::judge::Decision;
use super::report::Report;
use super::text::{self, WORDS, notes, place, shown, summary, title, worst};
use super::words;
use crate::report::page::{escaped, paragraphs, table, with_head};
use crate::report::plot::{self, Bar};

/// Choices of a mistake whose values are drawn.
const DRAWN: usize = 6;
/// Longer reviews have no list of every decision: it is in the JSON.
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
    body.extend(worst(report).enumerate().map(|(nth, it)| mistake(nth + 1, it)));
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

/// Chips that each seat lost a decision, where there are intervals to draw.
fn losses(report: &Report) -> String {
    let seats = report.summary.iter().filter(|it| it.kind.is_none() && it.cost.ci95.is_finite());
    let bars: Vec<Bar> = seats
        .filter_map(|it| {
            let (mean, ci95) = (it.cost.mean, it.cost.ci95);
            let name = format!("seat {}", it.seat?);
            Some(Bar { name, mean, low: mean - ci95, high: mean + ci95 })
        })
        .collect();
    if bars.is_empty() {
        return String::new();
    }
    let what = "Chips lost a decision by seat, with 95 % intervals";
    plot::intervals(what, "chips lost a decision", &bars)
}

fn mistake(number: usize, it: &Decision) -> String {
    let (taken, best) = text::instead(it);
    let (kind, cost) = (it.kind.name(), text::cost(it));
    let mut seen = vec![piles(it)];
    if !it.position.hand.is_empty() {
        seen.push(hand(it));
    }
    seen.push(seats(it));
    seen.extend(gone("Played", it.position.played.iter().flatten().copied().collect(), it));
    seen.extend(gone("Known to be dead", it.position.dead.clone(), it));
    format!(
        "<article class=\"mistake\">\n<h3>{number}. {} costs {cost} chips</h3>\n<p class=\"where\">{}</p>\n\
         <div class=\"sides\">\n<div>{}</div>\n<div>\n<p class=\"verdict\">Taken: <b class=\"bad\">{}</b><br>\
         Better: <b class=\"good\">{}</b></p>\n{}\n</div>\n</div>\n</article>",
        capital(kind),
        escaped(&capital(&place(it))),
        seen.join("\n"),
        escaped(&taken),
        escaped(&best),
        values(it)
    )
}

/// A card; marked if it is one of the two choices.
fn card(name: Name, mark: &str) -> String {
    let suit = name.suit();
    format!(
        "<span class=\"card {} {mark}\">{}<i>{}</i></span>",
        suit.letter(),
        words::rank(name),
        suit.symbol()
    )
}

fn hand(it: &Decision) -> String {
    let in_choice = |choice: &Choice, name: &Name| match choice {
        Choice::Lead { card } => card == name,
        Choice::SetApart { cards } => cards.contains(name),
        _ => false,
    };
    let suits = Suit::ALL.into_iter().filter_map(|suit| {
        let cards = it.position.hand.iter().filter(|name| name.suit() == suit);
        let cards: Vec<String> = cards
            .map(|name| match (in_choice(&it.taken, name), in_choice(&it.best, name)) {
                (true, false) => card(*name, "taken"),
                (false, true) => card(*name, "best"),
                _ => card(*name, ""),
            })
            .collect();
        (!cards.is_empty()).then(|| format!("<span class=\"suit\">{}</span>", cards.concat()))
    });
    format!("<h4>Hand of seat {}</h4>\n<div>{}</div>", it.seat, suits.collect::<String>())
}

/// The layout and the kitty, with their chips.
fn piles(it: &Decision) -> String {
    let pile = |top: String, chips: i32| {
        let none = if chips == 0 { " none" } else { "" };
        format!("<div class=\"pile\">{top}<span class=\"chips{none}\">{chips}</span></div>")
    };
    let plain = |name: &str| format!("<span class=\"card\">{}</span>", escaped(name));
    let cells = it.game.rules().cells.iter().map(|cell| match Name::try_from(cell.name.clone()) {
        Ok(name) => card(name, ""),
        Err(_) => plain(&cell.name),
    });
    let mut piles: Vec<String> =
        cells.zip(&it.position.layout).map(|(top, &chips)| pile(top, chips)).collect();
    if it.game.rules().has_kitty() {
        piles.push(pile(plain("kitty"), it.position.kitty));
    }
    format!("<h4>Layout</h4>\n<div class=\"piles\">{}</div>", piles.concat())
}

fn seats(it: &Decision) -> String {
    let position = &it.position;
    let seats = position.cards.iter().zip(&position.stacks).enumerate();
    let seats = seats.map(|(seat, (cards, chips))| {
        let own = if seat == it.seat { " self" } else { "" };
        let deals = if seat == position.dealer { ", dealer" } else { "" };
        let cards =
            if position.hand.is_empty() { String::new() } else { format!("{cards} cards, ") };
        format!("<span class=\"seat{own}\">seat {seat}{deals}: {cards}{chips} chips</span>")
    });
    format!("<h4>Seats</h4>\n<div class=\"seats\">{}</div>", seats.collect::<String>())
}

/// Cards that are out of play, small.
fn gone(what: &str, mut names: Vec<Name>, it: &Decision) -> Option<String> {
    let aces = it.game.rules().aces;
    names.sort_unstable_by_key(|name| name.card(aces));
    let suits = Suit::ALL.into_iter().filter_map(|suit| {
        let ranks: Vec<String> =
            names.iter().filter(|it| it.suit() == suit).map(|&it| words::rank(it)).collect();
        let ranks = (!ranks.is_empty()).then(|| ranks.join(" "))?;
        Some(format!("<span class=\"{}\">{} {ranks}</span>", suit.letter(), suit.symbol()))
    });
    let suits: Vec<String> = suits.collect();
    let line = || format!("<h4>{what}</h4>\n<div class=\"gone\">{}</div>", suits.join(" &emsp; "));
    (!suits.is_empty()).then(line)
}

/// What the choices were worth: the best ones, and the one taken.
fn values(it: &Decision) -> String {
    let few = it.judged.iter().enumerate();
    let few = few.filter(|(nth, judged)| *nth < DRAWN || judged.choice == it.taken);
    let bars: Vec<Bar> = few
        .map(|(_, judged)| Bar {
            name: words::choice(&it.game, &judged.choice),
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

/// All decisions of a deal, folded up.
fn deal(decisions: &[Decision]) -> String {
    let heads = ["seat", "kind", "taken", "best", "cost"].map(|head| {
        let class = if head == "cost" || head == "seat" { "" } else { " class=\"words short\"" };
        format!("<th{class}>{head}</th>")
    });
    let rows = decisions.iter().map(|it| {
        let (taken, best) = text::instead(it);
        let same = it.taken == it.best;
        let best = if same { "the same".to_owned() } else { escaped(&best) };
        let cost = if same { "–".to_owned() } else { text::cost(it) };
        let class = if it.error { " class=\"bad\"" } else { "" };
        format!(
            "<tr><td>{}</td><td class=\"words short\">{}</td><td class=\"words short\">{}</td>\
             <td class=\"words short\">{best}</td><td{class}>{cost}</td></tr>",
            it.seat,
            it.kind.name(),
            escaped(&taken)
        )
    });
    let errors = decisions.iter().filter(|it| it.error).count();
    let first = decisions.first().map_or(String::new(), |it| match it.deal {
        Some(deal) => format!("Session {}, deal {deal}", it.session),
        None => format!("Line {}", it.line),
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
