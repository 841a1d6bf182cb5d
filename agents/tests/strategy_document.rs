//! `docs/STRATEGIES.md` lists the facts that there are.

use newmarket_agents::strategy::{BASES, Content, Fact, FileNode, NAMES, Scope, Strategy, facts};

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/STRATEGIES.md");

fn table(title: &str, scope: Scope) -> String {
    let row = |fact: &Fact| {
        let (unit, range) = (fact.unit.name(), fact.range_in_words());
        format!("| `{}` | {unit} | {range} | {} |\n", fact.name, fact.about)
    };
    let rows: String = facts(scope).iter().map(row).collect();
    format!("**{title}**\n\n| fact | unit | range | meaning |\n| --- | --- | --- | --- |\n{rows}\n")
}

/// `UPDATE_STRATEGIES=1` writes the tables.
#[test]
fn the_document_lists_all_facts() {
    let text = std::fs::read_to_string(DOCUMENT).expect("the document");
    let (begin, rest) = text.split_once("<!-- facts -->\n").expect("where the tables begin");
    let (_, end) = rest.split_once("<!-- end -->").expect("where they end");
    let tables = [
        table("Of a suit, in `lead`", Scope::Suit),
        table("Of a cell, in the `cells` of an ante", Scope::Cell),
        table("Of your hand and the table, everywhere", Scope::Table),
    ];
    let wanted = format!("{begin}<!-- facts -->\n{}<!-- end -->{end}", tables.concat());
    if std::env::var_os("UPDATE_STRATEGIES").is_some() {
        std::fs::write(DOCUMENT, &wanted).expect("written");
    }
    assert!(
        text == wanted,
        "UPDATE_STRATEGIES=1 cargo test writes the tables of docs/STRATEGIES.md"
    );
}

/// The example of the document is a strategy, and the document names what there is.
#[test]
fn the_example_is_a_strategy() {
    let text = std::fs::read_to_string(DOCUMENT).expect("the document");
    let (_, rest) = text.split_once("```toml\n").expect("an example");
    let (example, _) = rest.split_once("```").expect("its end");
    let file: serde_json::Value = toml::from_str(example).expect("TOML");
    let content =
        Content::read(&FileNode::from(&file), &mut |name| panic!("{name}")).expect("no fault");
    Strategy::new("example", content.into(), &mut |name| panic!("{name}")).expect("a player");
    for name in NAMES.into_iter().chain(BASES.map(|(name, _)| name)) {
        assert!(text.contains(&format!("`{name}`")), "{name}");
    }
}
