//! What the engine answers.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use crate::analysis::{Analysis, Judged};
use crate::decision::Choice;
use crate::fields::Refusal;
use newmarket_env::View;
use newmarket_env::text::plain_json;

/// One line of an answer.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Reply<'a> {
    Hello {
        version: u64,
        name: &'a str,
        players: &'a [String],
        /// Version and fingerprint of what networks are shown.
        encoding: (u32, String),
    },
    Answer {
        id: &'a str,
        #[serde(rename = "do")]
        choice: Choice,
        spent_ms: u64,
    },
    Analysis {
        id: &'a str,
        r#final: bool,
        worlds: u32,
        choices: usize,
        all: bool,
        actions: Vec<Action>,
    },
    Error {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        code: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        field: Option<String>,
        message: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        at: Option<usize>,
    },
}

/// A decision of an analysis.
#[derive(Serialize)]
pub(crate) struct Action {
    #[serde(rename = "do")]
    choice: Choice,
    chips: f64,
    ci95: f64,
    behind: f64,
    behind_ci95: f64,
}

impl Reply<'_> {
    pub(crate) fn line(&self) -> String {
        plain_json(&serde_json::to_string(self).expect("a reply is JSON")).into_owned()
    }

    pub(crate) fn error(id: Option<String>, refusal: Refusal) -> String {
        let Refusal { code, field, message, at } = refusal;
        Reply::Error { id, code, field, message, at }.line()
    }

    pub(crate) fn analysis(id: &str, analysis: &Analysis, view: &View, last: bool) -> String {
        // A thousandth of a chip is far below what sampling leaves open.
        let round = |value: f64| libm::round(value * 1000.0) / 1000.0;
        let action = |judged: Judged| Action {
            choice: judged.choice,
            chips: round(judged.chips),
            ci95: round(judged.ci95),
            behind: round(judged.behind),
            behind_ci95: round(judged.behind_ci95),
        };
        Reply::Analysis {
            id,
            r#final: last,
            worlds: analysis.worlds(),
            choices: analysis.choices(),
            all: analysis.all_tried(),
            actions: analysis.judged(view).into_iter().map(action).collect(),
        }
        .line()
    }
}
