//! The lists among which one is found, and how one is changed into others.

use newmarket_env::{Exchange, Game};
use serde_json::{Map, Value, json};

use super::MOST_CLAUSES;
use crate::study::ante::splits::{Split, cell_names};

/// Bids up to which a bidder may go, as far as the rules allow, besides the greatest.
pub(in crate::study) const LIMITS: [i32; 7] = [1, 2, 4, 6, 10, 15, 20];

/// What is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// Tests of suits.
    Lead,
    /// Tests of cells, and how chips are spread over those that stay.
    Cells,
    /// The chips of eldest on each cell, and those of the others.
    Seats,
    /// Conditions with answers, and a last answer.
    DeadHand,
    /// The same in an auction.
    Bid,
}

impl Form {
    /// Whether its clauses are conditions with answers.
    const fn is_list_of_answers(self) -> bool {
        matches!(self, Self::DeadHand | Self::Bid)
    }
}

/// A list: its clauses and then one option for each end, by their numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Draft {
    pub(super) clauses: Vec<usize>,
    ends: Vec<usize>,
}

impl Draft {
    /// The list with one clause less.
    pub(super) fn without(&self, nth: usize) -> Self {
        let mut shorter = self.clone();
        shorter.clauses.remove(nth);
        shorter
    }
}

/// All clauses and ends of lists of a form.
pub(super) struct Space {
    form: Form,
    clauses: Vec<String>,
    /// What each end may be. The first option is the first that is tried.
    ends: Vec<Vec<Value>>,
}

impl Space {
    /// Lists of these tests; for the dead hand of these conditions.
    pub(super) fn new(form: Form, game: &Game, tests: Vec<String>) -> Self {
        let words = |words: &[&str]| words.iter().map(|&word| word.into()).collect::<Vec<Value>>();
        let options: Vec<Value> = match form {
            Form::Lead => Vec::new(),
            Form::Cells => words(&["even", "one"]),
            Form::Seats => splits(game),
            Form::DeadHand if matches!(game.rules().exchange, Exchange::DealerOrAuction { .. }) => {
                words(&["keep", "take", "auction"])
            }
            Form::DeadHand => words(&["keep", "take"]),
            Form::Bid => bids(game),
        };
        let clauses = if form.is_list_of_answers() {
            let answered = |test: &String| {
                let answers = options.iter().filter_map(Value::as_str);
                answers.map(|answer| format!("{test}: {answer}")).collect::<Vec<_>>()
            };
            tests.iter().flat_map(answered).collect()
        } else {
            tests
        };
        let ends = match form {
            Form::Lead => Vec::new(),
            Form::Seats => vec![options.clone(), options],
            Form::Cells | Form::DeadHand | Form::Bid => vec![options],
        };
        Self { form, clauses, ends }
    }

    /// The list with which a search begins.
    pub(super) fn first(&self) -> Draft {
        Draft { clauses: Vec::new(), ends: vec![0; self.ends.len()] }
    }

    /// Whether anybody was seen to take such decisions, so that there is something to be found.
    pub(super) fn asks(&self) -> bool {
        self.form == Form::Seats || !self.clauses.is_empty()
    }

    /// The text of a clause.
    pub(super) fn clause(&self, clause: usize) -> &str {
        &self.clauses[clause]
    }

    /// The ends of a list, in words.
    pub(super) fn ends(&self, draft: &Draft) -> Vec<String> {
        let seats = ["eldest", "others"];
        let names = if self.form == Form::Seats { &seats[..] } else { &["otherwise"] };
        let names = if self.form == Form::Cells { &["spread"] } else { names };
        let word = |option: &Value| match option {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let ends =
            self.ends.iter().zip(&draft.ends).map(|(options, &option)| word(&options[option]));
        names.iter().zip(ends).map(|(name, end)| format!("{name}: {end}")).collect()
    }

    /// The keys of a strategy file that say this list.
    pub(super) fn plan(&self, draft: &Draft) -> Map<String, Value> {
        let mut clauses: Vec<Value> =
            draft.clauses.iter().map(|&clause| self.clause(clause).into()).collect();
        let end = |nth: usize| self.ends[nth][draft.ends[nth]].clone();
        let (key, value) = match self.form {
            Form::Lead => ("lead", clauses.into()),
            Form::Cells => {
                ("ante", json!({ "after_look": { "cells": clauses, "spread": end(0) } }))
            }
            Form::Seats => ("ante", json!({ "eldest": end(0), "others": end(1) })),
            Form::DeadHand | Form::Bid => {
                clauses.push(end(0));
                (if self.form == Form::Bid { "bid" } else { "dead_hand" }, clauses.into())
            }
        };
        Map::from_iter([(key.to_owned(), value)])
    }

    /// All lists that one change makes of a list: another end, a clause less, one somewhere else, another one in a
    /// place, or one more. The shorter ones come first: of equals the first is taken.
    pub(super) fn changed(&self, draft: &Draft) -> Vec<Draft> {
        let mut all = Vec::new();
        for (end, options) in self.ends.iter().enumerate() {
            for option in (0..options.len()).filter(|&option| option != draft.ends[end]) {
                let mut changed = draft.clone();
                changed.ends[end] = option;
                all.push(changed);
            }
        }
        let list = &draft.clauses;
        let mut push = |clauses: Vec<usize>| all.push(Draft { clauses, ends: draft.ends.clone() });
        for place in 0..list.len() {
            let mut less = list.clone();
            let taken = less.remove(place);
            push(less.clone());
            for other in (0..list.len()).filter(|&other| other != place) {
                let mut moved = less.clone();
                moved.insert(other, taken);
                push(moved);
            }
            for clause in (0..self.clauses.len()).filter(|&clause| clause != taken) {
                let mut replaced = list.clone();
                replaced[place] = clause;
                push(replaced);
            }
        }
        for place in 0..=list.len() {
            for clause in (0..self.clauses.len()).filter(|_| list.len() < MOST_CLAUSES) {
                let mut longer = list.clone();
                longer.insert(place, clause);
                push(longer);
            }
        }
        all
    }
}

/// The even split, and all others as chips by cell.
fn splits(game: &Game) -> Vec<Value> {
    let names = cell_names(game);
    let chips = |split: &Split| {
        let cells = names.iter().zip(split.chips()).filter(|(_, chips)| **chips > 0);
        Value::Object(cells.map(|(name, &chips)| (name.clone(), chips.into())).collect())
    };
    let even = std::iter::once(Value::from("even"));
    even.chain(Split::all(game).iter().map(chips)).collect()
}

/// The answers of a bidder.
fn bids(game: &Game) -> Vec<Value> {
    let most = match game.rules().exchange {
        Exchange::DealerOrAuction { max_bid } => max_bid,
        _ => 0,
    };
    let limits = LIMITS.into_iter().filter(|&limit| limit < most).chain([most]);
    let limits = limits.map(|limit| format!("up to {limit}").into());
    std::iter::once("pass".into()).chain(limits).collect()
}
