//! Shell scripts that play, for tests.
#![allow(dead_code, reason = "no test file uses all of them")]

use serde_json::json;

/// The name of a shell script as a program.
pub(crate) fn script(text: &str) -> String {
    format!("exec:{}", json!(["sh", "-c", text]))
}

/// A bot that says hello and runs `answer` for each question. `$id` is the id of the question, `$first` the first legal
/// decision.
pub(crate) fn bot(asked: &str) -> String {
    noting(asked, ":")
}

/// The same; it runs `dealt` for each deal, whose line is `$l`.
pub(crate) fn noting(asked: &str, dealt: &str) -> String {
    script(&format!(
        r#"while read -r l; do case $l in
        *'"type":"hello"'*) echo '{{"type":"hello","version":1,"players":["it"],"more":[1]}}';;
        *'"type":"deal"'*) {dealt};;
        *'"type":"ask"'*) id=${{l#*'"id":"'}}; id=${{id%%'"'*}}
            first=${{l#*'"legal":['}}; first=${{first%%\}}*}}\}}; {asked};;
        esac; done"#
    ))
}

/// The answer of a bot that takes the first legal decision.
pub(crate) const FIRST: &str = r#"echo "{\"type\":\"answer\",\"id\":\"$id\",\"do\":$first}""#;
