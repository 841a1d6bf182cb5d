//! A strategy in one game as a card to print.

use newmarket_agents::strategy::Content;

use super::of_game;
use crate::report::page::{escaped, with_head};

/// One page of paper of the size A6.
const STYLE: &str = "<style>\n\
@page{size:A6;margin:8mm}\n\
html body{max-width:24rem}.card{border:2px solid var(--ink);border-radius:.7rem;padding:.6rem 1rem}\n\
.card h1{font-size:1.3rem;margin:0}.card h2{font-size:1rem;margin:.6rem 0 .1rem;border:0;padding:0}\n\
p{margin:.2rem 0}ol{margin:.2rem 0;padding-left:1.4rem}li{margin:.1rem 0}.how{font-size:.9em}\n\
@media print{html body{font-size:8pt;line-height:1.25}.card{border:0;padding:0}.card h1{font-size:12pt}.card h2{font-size:9.5pt;margin:.4rem 0 0}}\n\
</style>\n";

/// The card as a page of HTML.
pub(super) fn page(name: &str, content: &Content, game: &str) -> String {
    let says = content.says.iter().map(|says| format!("<p>“{}”</p>\n", escaped(says)));
    let parts = of_game(content, Some(game)).into_iter().map(|part| {
        let steps = part.steps.iter().map(|step| format!("<li>{}</li>", escaped(step)));
        let (heading, steps, reading) = (part.heading, steps.collect::<String>(), part.reading);
        format!("<h2>{heading}</h2>\n<ol>{steps}</ol>\n<p class=\"how\">{reading}</p>\n")
    });
    let body = format!(
        "<h1>{} in {}</h1>\n{}<p class=\"how\">{}</p>",
        escaped(name),
        escaped(game),
        says.chain(parts).collect::<String>(),
        escaped(&content.rest_in_words())
    );
    let title = format!("{name} in {game}");
    with_head(&title, STYLE, &format!("<div class=\"card\">\n{body}\n</div>"))
}
