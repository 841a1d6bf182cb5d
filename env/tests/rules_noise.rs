//! Noise in the place of a rules file: an error in one line, or rules that survive their own file.

use newmarket_env::Rules;
use proptest::prelude::*;

/// Lines that look like a rules file.
fn toml_ish() -> impl Strategy<Value = String> {
    let keys = "(base|name|players|aces|ranks|suits|removed|cells|kitty_ante|layout_ante|cell_cap\
                |timing|dead_hand|exchange|first_lead|change_suit|kitty_to_winner|per_card\
                |claim_when|stages|session|deals|bankroll|leftover|first_dealer|x)";
    let value = prop_oneof![
        "-?[0-9]{1,20}",
        "[0-9]\\.[0-9]",
        "(true|false)",
        "\"(newmarket|michigan|low|high|AS|KH|8D|none|last|first|free|cut|credit|é♠|)\"",
        "\\[(\"AS\"|\"ZZ\"|3|8)?(, ?(\"AS\"|\"KH\"|-1|9))?\\]",
        "\\[\"(collect|poker|x)\"(, ?\"(collect|poker)\")?\\]",
        "\\[(\"AS\", )?\\{ name = \"(pot|pair|)\", claimed_by = \\[(\"KH\"(, \"QH\")?|\\[\"KH\"\\])?\\] \\}\\]",
        "\\{ (fixed|free|card|dealer_exchange|offer_chain|chips|position|lowest_of) = (1|\"AS\"|\\{ (each|fee|price|start|chips) = [0-9]{1,4} \\}) \\}",
    ];
    let line = (keys, value).prop_map(|(key, value)| format!("{key} = {value}"));
    let line = prop_oneof![8 => line, 1 => Just("[session]".to_string()), 1 => "[ -~]{0,20}"];
    proptest::collection::vec(line, 0..8).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_that_looks_like_rules_panics(text in toml_ish()) {
        for text in [text.clone(), format!("base = \"newmarket\"\n{text}")] {
            match Rules::from_toml(&text, "x") {
                Ok(rules) => {
                    prop_assert_eq!(Rules::from_toml(&rules.to_toml(), "x").ok(), Some(rules));
                }
                Err(error) => prop_assert!(!error.to_string().contains('\n'), "{}", error),
            }
        }
    }

    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        let text = String::from_utf8_lossy(&bytes);
        prop_assert!(Rules::from_toml(&text, "x").is_err());
    }
}
