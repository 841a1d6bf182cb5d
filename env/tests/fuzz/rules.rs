//! Any bytes are a rules file: rules that can be played, or faults on clean lines.

use std::sync::{Arc, LazyLock};

use newmarket_env::{Episode, Game, LoadError, Rules, Seed};

use super::actions;
use super::harness::Reached;
use super::tape::Tape;

/// The keys of a rules file. A key in a table has a dot.
static KEYS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let options = Rules::options().into_iter();
    let keys = options.filter_map(|option| option["key"].as_str().map(String::from));
    keys.chain(["base".into(), "name".into()]).collect()
});

/// What the corpus of this target must reach.
pub(crate) const REACHES: &[&str] = &[
    "syntax",
    "fault base",
    "fault players",
    "fault aces",
    "fault ranks",
    "fault suits",
    "fault removed",
    "fault cells",
    "fault kitty_ante",
    "fault layout_ante",
    "fault cell_cap",
    "fault timing",
    "fault dead_hand",
    "fault dead_hand.position",
    "fault dead_hand.remainder",
    "fault exchange",
    "fault first_lead",
    "fault change_suit",
    "fault kitty_to_winner",
    "fault per_card",
    "fault claim_when",
    "fault stages",
    "fault session",
    "fault session.deals",
    "fault session.bankroll",
    "fault session.bankroll.chips.start",
    "fault session.leftover",
    "fault session.first_dealer",
    "no key",
    "no key in a table",
    "ten faults",
    "accepted four changes",
    "accepted ten changes",
    "too small for a table",
];

/// It is refused in one clean line that names ten faults, or can be written, read and played.
pub(crate) fn law(input: &[u8], reached: &mut Reached) {
    let text = String::from_utf8_lossy(input);
    match Rules::from_toml(&text, "rules.toml") {
        Ok(rules) => {
            reads_back(&rules);
            says_what_it_said(&rules, &text, reached);
            plays(&rules, input, reached);
        }
        Err(error) => refused(&error, &text, reached),
    }
}

/// Nothing that breaks the line, or that a terminal would take for an order.
pub(crate) fn clean(message: &str) {
    assert!(!message.contains(char::is_control), "not one clean line: {message:?}");
}

fn refused(error: &LoadError, text: &str, reached: &mut Reached) {
    let message = error.to_string();
    clean(&message);
    assert!(message.starts_with("rules.toml"), "{message}");
    let faults = match error {
        LoadError::Syntax { problem, .. } => {
            assert!(problem.starts_with("line "), "where: {message}");
            reached.insert("syntax".into());
            return;
        }
        LoadError::Faults { faults, .. } => faults,
        other => panic!("a text cannot fail like this: {other:?}"),
    };
    let (count, faults) = (faults.count(), &faults.0);
    assert!(!faults.is_empty(), "refused for nothing");
    // Ten are told, the others counted; a hundred are kept.
    assert_eq!(faults.len() as u64, count.min(100), "{message}");
    let more = format!("; … and {} more", count.saturating_sub(10));
    assert_eq!(message.ends_with(&more), count > 10, "{message}");
    for (nth, fault) in faults.iter().enumerate() {
        let unnamed = fault.key.is_empty() && !text.contains("\"\"") && !text.contains("''");
        assert!(!unnamed && !fault.problem.is_empty() && !fault.expected.is_empty(), "{fault:?}");
        let told = nth >= 10 || message.contains(&fault.to_string());
        assert!(told, "{message} leaves out {fault}");
        let known = KEYS.iter().any(|key| *key == fault.key || key.starts_with(&fault.key));
        if known || fault.key.ends_with("chips.start") {
            reached.insert(format!("fault {}", fault.key));
        }
    }
    if faults.len() >= 10 {
        reached.insert("ten faults".into());
    }
    let table: toml::Table = toml::from_str(text).expect("it is TOML");
    for (key, _) in flat(&table).iter().filter(|(key, _)| !KEYS.contains(key)) {
        let root = key.split('.').next().expect("a word");
        let named = faults.iter().any(|fault| fault.key == *key || fault.key == root);
        assert!(named || count > 100, "{message} does not name {key:?}");
        reached.insert("no key".into());
        if key.contains('.') {
            reached.insert("no key in a table".into());
        }
    }
}

/// The keys and values of a file, those of its two tables with a dot.
fn flat(table: &toml::Table) -> Vec<(String, &toml::Value)> {
    let mut all = Vec::new();
    for (key, value) in table {
        match value {
            toml::Value::Table(inner) if ["dead_hand", "session"].contains(&key.as_str()) => {
                all.extend(inner.iter().map(|(field, value)| (format!("{key}.{field}"), value)));
            }
            _ => all.push((key.clone(), value)),
        }
    }
    all
}

/// The rules survive their own file, and the overrides of a trace.
fn reads_back(rules: &Rules) {
    let text = rules.to_toml();
    let again = Rules::from_toml(&text, "again").unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(again, *rules, "{text}");
    assert_eq!(newmarket_env::text::toml::plain_toml(&text), text, "an order for a terminal");
    let overrides = rules.overrides();
    let again = Rules::from_overrides(rules.base, &overrides)
        .unwrap_or_else(|faults| panic!("{faults}\n{overrides:?}"));
    let mut nameless = (**rules).clone();
    nameless.name = None;
    assert_eq!(*again, nameless, "{overrides:?}");
    assert_eq!(again.overrides(), overrides);
}

/// No key of the file was lost, and none changed on the way.
fn says_what_it_said(rules: &Rules, text: &str, reached: &mut Reached) {
    let said: toml::Table = toml::from_str(text).expect("it is TOML");
    let says: toml::Table = toml::from_str(&rules.to_toml()).expect("it is TOML");
    let (said, says) = (flat(&said), flat(&says));
    for (key, value) in &said {
        assert!(KEYS.contains(key), "{key:?} is no key, and passes");
        if key == "stages" {
            // They are written as `claim_when` where it can tell them, and not at all if none are.
            let stages = value.as_array().expect("a list");
            let words = rules.stages.iter().map(|stage| format!("{stage:?}").to_lowercase());
            assert!(words.eq(stages.iter().filter_map(toml::Value::as_str)), "{stages:?}");
            continue;
        }
        let found = says.iter().find(|(other, _)| other == key);
        let (_, found) = found.unwrap_or_else(|| panic!("{key} is lost"));
        // Lists and tables may be written in another way.
        if !value.is_array() && !value.is_table() && key != "base" {
            assert_eq!(found, value, "{key}");
        }
    }
    for (count, what) in [(4, "accepted four changes"), (10, "accepted ten changes")] {
        if said.len() > count {
            reached.insert(what.into());
        }
    }
    for (key, value) in said.iter().filter(|(key, _)| key != "name") {
        let letters = value.to_string();
        let letters: String = letters.chars().filter(char::is_ascii_alphabetic).collect();
        reached.insert(format!("accepted {key} {letters} on {}", rules.base));
    }
}

/// A deal and some of a session at a table of a size that the bytes choose.
fn plays(rules: &Rules, input: &[u8], reached: &mut Reached) {
    /// Chips are placed one by one: more than these take long, and come to nothing new.
    const MOST_CHIPS: i32 = 200;
    let chosen = input.iter().fold(0_usize, |sum, &byte| sum.wrapping_mul(31) + usize::from(byte));
    let (least, most) = rules.players;
    let players = least + chosen % (most - least + 1);
    let game = match Game::new(rules.clone(), players) {
        Ok(game) => Arc::new(game),
        Err(error) => {
            clean(&error.to_string());
            let seat = matches!(error, LoadError::Dealer { .. });
            assert!(seat || players > least, "rules that cannot be played: {error}");
            reached.insert("too small for a table".into());
            return;
        }
    };
    let stake = rules.full_ante(true).max(rules.full_ante(false));
    if stake * players as i32 > MOST_CHIPS {
        return;
    }
    let bytes = [&[chosen as u8 | 1][..], input].concat();
    for (kind, deals) in [(Episode::Deal, 1), (Episode::Session, 2)] {
        let mut tape = Tape::new(&bytes);
        tape.seed_rest();
        let seed = Seed::new(chosen as u64);
        let mut told = Reached::new();
        actions::followed(&game, &kind, seed, deals, &mut tape, &mut told);
        reached.extend(told.iter().map(|what| format!("{what} on {}", rules.base)));
    }
}
