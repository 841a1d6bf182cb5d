//! Hostile inputs, in one list. The campaign draws from it, `tests/hostile.rs` tries it one by one, and `.ci/fuzz`
//! makes the dictionary of libFuzzer from it. The words of rules files and traces are those of `env/tests/fuzz`.

use crate::words::{RULES, TRACES};

/// Lines, clauses and words of strategy files, right and wrong ones.
pub const STRATEGIES: &[&str] = &[
    "base = \"stopper\"\n",
    "base = \"strategy:mine.toml\"\n",
    "base = \"net:hard\"\n",
    "base = \"exec:true\"\n",
    "base = \"pimc:2\"\n",
    "base = { base = { base = \"first\" } }\n",
    "bases = { lead = \"longest\", poker = \"random\" }\n",
    "over = \"basic\"\n",
    "remember = [\"played\"]\n",
    "remember = []\n",
    "when = \"players >= 4\"\n",
    "lead = [\"run stops\", \"most chips\"]\n",
    "lead = [\"most chips - 2 * cards\"]\n",
    "lead = []\n",
    "dead_hand = [\"worth of the dead hand > price: take\", \"keep\"]\n",
    "bid = [\"up to below worth of the dead hand\"]\n",
    "ante = \"even\"\n",
    "ante = { eldest = { AS = 4 }, others = { QC = 1000 } }\n",
    "ante = { after_look = { cells = [\"mine\"], spread = \"one\" } }\n",
    "claimed = { AS = 0.5, KH = 2.0 }\n",
    "[games.newmarket-buy]\n",
    "[games.\"\\u001b\"]\n",
    "format = 1\n",
    "format = 18446744073709551616\n",
    "\"when not eldest: fewest cards of others above\", ",
    "\"all but most cards\", ",
    "not ",
    " and ",
    " or ",
    "((",
    "))",
    " >= ",
    "999999999999",
    "1e308",
    "1.2.3",
    "\\u202e",
    "é",
];

/// Numbers at the ends of ranges, and words that are almost numbers.
pub const NUMBERS: [&str; 34] = [
    "0",
    "1",
    "2",
    "-1",
    "-3",
    "8",
    "9",
    "64",
    "65",
    "255",
    "256",
    "65536",
    "1000000",
    "200000000",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "10000000000",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999999999999999999999999",
    "0.5",
    "1e-320",
    "1e308",
    "-1e308",
    "1e309",
    "nan",
    "inf",
    "-inf",
    "-0.0",
];

/// Words that are empty, not text, orders to a terminal, or of other alphabets.
pub const WORDS: [&str; 18] = [
    "",
    " ",
    "\u{1b}[31mred\u{1b}[0m",
    "\u{1b}]0;title\u{7}",
    "\u{9b}31m",
    "\r\n",
    "a\nb",
    "\t",
    "é́́́",
    "\u{202e}desrever",
    "𝟙",
    "٣",
    "%s%n",
    "../../../../etc/passwd",
    "--",
    "-",
    "--help",
    "=",
];

/// Parts of names that order a terminal, cannot be seen, or have a meaning in JSON or TOML.
pub const NAME_PARTS: &[&str] = &[
    "\0",
    "\u{1}",
    "\u{7f}",
    "\u{85}",
    "\u{9b}",
    "\u{ad}",
    "\u{61c}",
    "\u{200b}",
    "\u{200c}",
    "\u{200d}",
    "\u{200e}",
    "\u{200f}",
    "\u{2028}",
    "\u{2029}",
    "\u{202a}",
    "\u{202e}",
    "\u{2060}",
    "\u{2066}",
    "\u{2069}",
    "\u{feff}",
    "\u{fff9}",
    "\u{e0001}",
    "\u{1f469}\u{200d}\u{1f680}",
    "بازی\u{200c}ها",
    "\\",
    "\"",
    "'",
    "'''",
    "\"\"\"",
    "\\u200c",
    "#",
    "]",
];

/// Paths that are not files to read or write.
pub const PATHS: [&str; 8] = [
    ".",
    "/",
    "/dev/zero",
    "/dev/null",
    "/dev/full",
    "/no/such/folder/file",
    "/dev/stdin",
    "net:/dev/zero",
];

/// Names of agents, right and wrong.
pub const AGENTS: [&str; 10] = [
    "stopper",
    "net:champion",
    "net:champion+search:60",
    "pimc:60",
    "pimc:5ms",
    "ismcts:200",
    "pimc:60,playout=random",
    "omniscient",
    "net:easy",
    "ismcts:18446744073709551616,playout=net:hard",
];

/// Parts of a configuration of training.
pub const CONFIGURATION: &[&str] = &[
    "learner.epochs=4",
    "network.hidden=[256, 256]",
    "phases.0.estimator.worlds=3",
    "opponents.agents=[{agent=\"pimc:5\", share=0.1}]",
    "tables=[{rules=\"all\", players=\"all\", share=1.0, episode=\"deal\"}]",
    "seed = 18446744073709551615\n",
    "[run]\n",
    "[[tables]]\n",
    "[[phases]]\n",
    "rules = \"all\"\n",
    "players = 9\n",
    "share = nan\n",
    "hidden = [16384, 16384, 16384]\n",
    "hidden = []\n",
    "hidden = [0]\n",
    "estimator = { kind = \"gae\", lambda = 1e308 }\n",
    "agents = [{ agent = \"stopper\", share = 1.0 }]\n",
    "agents = [{ agent = \"net:/dev/zero\", share = 0.5 }]\n",
    "learning_rate = { linear = { from = nan, to = inf } }\n",
    "minutes = 1e308\n",
    "\u{1b}[31m",
    "\"\"\"",
];

/// Parts of a line of the engine's protocol.
pub const PROTOCOL: &[&str] = &[
    "\"type\":\"",
    "\"at\":18446744073709551615",
    "\"worlds\":18446744073709551615",
    "\"ms\":1e308",
    "\"budget\":{}",
    "\"events\":[]",
    "\"player\":\"net:/dev/zero\"",
    "\"overrides\":{\"ranks\":3}",
    "null",
    "-1",
    "\"\\u0000\"",
    "\u{1b}[31m",
    "\n",
    "\u{feff}",
    "\"table\":\"a\\u00011\"",
    "\"table\":\"\u{200c}\u{7f}\"",
    "\"id\":\"\u{202e}\u{2028}\"",
];

/// Commands that read a file `@`.
pub const READERS: [&[&str]; 11] = [
    &["rules", "@"],
    &["duel", "random", "longest", "--deals", "1", "--rules", "@"],
    &["train", "--config", "@", "--out", "run"],
    &["train", "--rules", "@", "--out", "run"],
    &["trace", "--check", "@"],
    &["perft", "@"],
    &["review", "@"],
    &["checkpoint", "show", "@"],
    &["checkpoint", "verify", "@"],
    &["duel", "net:@", "random", "--deals", "1"],
    &["resume", "@"],
];

/// A file with very many faults, or with one that is very long.
#[derive(Clone, Copy)]
pub struct Flood {
    /// Commands that read the file `@`.
    pub reader: &'static [&'static str],
    /// The text of the file, from its size in bytes.
    pub text: fn(usize) -> String,
}

/// Floods of each kind of text file. No reader takes one.
pub const FLOODS: [Flood; 12] = [
    Flood { reader: &["rules", "@"], text: keys },
    Flood { reader: &["rules", "@"], text: |size| list("cells", "\"2C\",", size) },
    Flood { reader: &["rules", "@"], text: |size| list("cells", "\"?\",", size) },
    Flood { reader: &["rules", "@"], text: |size| list("removed", "\"?\",", size) },
    Flood { reader: &["rules", "@"], text: |size| list("stages", "\"poker\",", size) },
    Flood { reader: &["rules", "@"], text: |size| format!("x = {}", "[".repeat(size)) },
    Flood { reader: &["rules", "@"], text: |size| format!("base = \"{}\"", "n".repeat(size)) },
    Flood { reader: &["rules", "@"], text: |size| format!("{NEWMARKET}{} = 1", "k".repeat(size)) },
    Flood { reader: &["rules", "@"], text: |size| format!("{NEWMARKET}{}", keys(size)) },
    Flood { reader: &["train", "--config", "@", "--out", "run"], text: keys },
    Flood {
        reader: &["train", "--config", "@", "--out", "run"],
        text: |size| format!("[run]\n{} = 1", "k".repeat(size)),
    },
    Flood {
        reader: &["trace", "--check", "@"],
        text: |size| format!("{{\"schema\":\"newmarket.trace/1\",\"{}\":1}}", "k".repeat(size)),
    },
];

const NEWMARKET: &str = "base = \"newmarket\"\n";

fn keys(size: usize) -> String {
    let length = "key10000 = 1\n".len();
    let lines: Vec<String> = (0..size / length).map(|key| format!("key{key} = 1")).collect();
    lines.join("\n")
}

fn list(key: &str, item: &str, size: usize) -> String {
    format!("{NEWMARKET}{key} = [{}]", item.repeat(size / item.len()))
}

/// All words of the lists, and those of rules files, as libFuzzer reads a dictionary.
pub fn dictionary() -> String {
    let lists = [
        &NUMBERS[..],
        &WORDS,
        NAME_PARTS,
        &AGENTS,
        CONFIGURATION,
        PROTOCOL,
        STRATEGIES,
        TRACES,
        RULES,
    ];
    let entry = |word: &str| format!("\"{}\"\n", word.bytes().map(escaped).collect::<String>());
    lists.concat().into_iter().filter(|word| !word.is_empty()).map(entry).collect()
}

fn escaped(byte: u8) -> String {
    match byte {
        b'"' | b'\\' => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).into(),
        _ => format!("\\x{byte:02x}"),
    }
}
