//! The person at the table: asked until there is an answer that the rules allow.

use std::io::Write;

use newmarket_agents::Agent;
use newmarket_env::{Action, Phase, Rng, State, View};

use super::ask::{Input, Stop};
use super::paint::{read_card, say, wrap};
use super::pen::Pen;
use super::split;

/// A person, and whom they may ask for advice.
pub(super) struct Person {
    pub(super) input: Input,
    pub(super) adviser: Box<dyn Agent>,
    pub(super) rng: Rng,
    /// Whether advice is given unasked.
    pub(super) hints: bool,
}

impl Person {
    /// Asks for a decision other than an ante.
    pub(super) fn decide(
        &mut self,
        pen: &Pen,
        out: &mut dyn Write,
        view: &View,
    ) -> Result<Action, Stop> {
        let actions: Vec<Action> = view.legal().iter().collect();
        let label = match view.phase() {
            Phase::Lead => "lead ",
            Phase::Bet => "poker",
            _ => "choose",
        };
        let menu = std::iter::once(format!("{label:<7}")).chain(
            actions
                .iter()
                .enumerate()
                .map(|(nth, &action)| format!("[{}] {}  ", nth + 1, pen.choice(view, action))),
        );
        let menu = wrap(menu, 10).trim_end().to_string();
        writeln!(out, "\n{}\n{menu}", pen.table(view))?;
        let mut advice = None;
        if self.hints {
            advice = Some(self.advise(pen, out, view)?);
        }
        loop {
            let advised = actions.iter().position(|&action| Some(action) == advice);
            let prompt = match advised {
                Some(nth) => format!("  Enter for [{}] > ", nth + 1),
                None => "  > ".into(),
            };
            let answer = self.input.read(out, &prompt)?.to_lowercase();
            match (answer.as_str(), advice) {
                ("", Some(advice)) => return Ok(advice),
                ("h" | "hint", _) => advice = Some(self.advise(pen, out, view)?),
                ("v" | "values", _) => pen.values(out, view)?,
                ("r" | "table", _) => {
                    writeln!(out, "{}\n{}\n{menu}", pen.table(view), pen.record(view))?;
                }
                ("?" | "help", _) => writeln!(out, "{}\n{menu}", pen.help())?,
                (answer, _) => match pick(answer, &actions, pen, view) {
                    Some(action) => return Ok(action),
                    None => writeln!(out, "{}", expected(answer, actions.len(), view.phase()))?,
                },
            }
        }
    }

    fn advise(&mut self, pen: &Pen, out: &mut dyn Write, view: &View) -> Result<Action, Stop> {
        let action = self.adviser.act(view, &mut self.rng);
        writeln!(out, "{}", pen.advice(view, action, self.adviser.name()))?;
        Ok(action)
    }

    /// Asks for a free ante: its chips.
    pub(super) fn stake(
        &mut self,
        pen: &Pen,
        out: &mut dyn Write,
        state: &State,
    ) -> Result<Vec<Action>, Stop> {
        let game = pen.game;
        let seat = state.actor().unwrap_or(0);
        let chips = split::chips_due(game, seat == state.dealer());
        let even = split::even(game.cells_of(state.layout()), game.rules().cell_cap, chips);
        let (what, all) = match chips {
            1 => ("chip", "a card of the layout"),
            _ => ("chips", "one card for all of them"),
        };
        let question = format!(
            "  Your {chips} {what}: as in {}, or {all}; Enter for {}",
            row(&single(&even)),
            row(&even)
        );
        writeln!(out, "{question}")?;
        if self.hints {
            self.advise_stake(pen, out, state)?;
        }
        loop {
            let answer = self.input.read(out, "  > ")?;
            let split = match answer.to_lowercase().as_str() {
                "" => Ok(even.clone()),
                "h" | "hint" => {
                    self.advise_stake(pen, out, state)?;
                    continue;
                }
                "v" | "values" => {
                    pen.values(out, &state.view(game, seat))?;
                    continue;
                }
                "r" | "table" => {
                    writeln!(out, "{}", pen.table(&state.view(game, seat)))?;
                    continue;
                }
                "?" | "help" => {
                    writeln!(out, "{}\n{question}", pen.help())?;
                    continue;
                }
                text => split::parse(text, game, chips),
            };
            let placed = split.and_then(|it| split::place(state, game, &it).map(|_| it));
            match placed {
                Ok(split) => return Ok(split::chips(&split)),
                Err(problem) => writeln!(out, "{}", say(&format!("No: {problem}.")))?,
            }
        }
    }

    fn advise_stake(&mut self, pen: &Pen, out: &mut dyn Write, state: &State) -> Result<(), Stop> {
        let (game, seat) = (pen.game, state.actor().unwrap_or(0));
        let mut after = *state;
        let mut split = vec![0; game.cells()];
        while after.phase() == Phase::Ante && after.actor() == Some(seat) {
            let action = self.adviser.act(&after.view(game, seat), &mut self.rng);
            after.apply(game, action)?;
            if let Some(cell) = action.cell() {
                split[cell] += 1;
            }
        }
        let text = format!("Hint ({}): {}.", self.adviser.name(), row(&split));
        Ok(writeln!(out, "{}", say(&text))?)
    }

    /// Waits for Enter, or any other line.
    pub(super) fn pause(&self, out: &mut dyn Write, pen: &Pen) -> Result<(), Stop> {
        self.input.read(out, &pen.paint.dim("  Enter for the next deal ")).map(drop)
    }
}

pub(super) fn row(split: &[i32]) -> String {
    let numbers: Vec<String> = split.iter().map(ToString::to_string).collect();
    numbers.join(" ")
}

/// All chips on one cell: an example that is not the even split.
fn single(split: &[i32]) -> Vec<i32> {
    let mut all = vec![0; split.len()];
    if let Some(last) = all.last_mut() {
        *last = split.iter().sum();
    }
    all
}

/// The action that an answer names: its number in the menu, its card, or its word.
fn pick(answer: &str, actions: &[Action], pen: &Pen, view: &View) -> Option<Action> {
    if let Ok(number) = answer.parse::<usize>() {
        return actions.get(number.checked_sub(1)?).copied();
    }
    let card = read_card(answer, pen.aces());
    let names_card = |action: Action| {
        let lead = action.suit().and_then(|suit| view.hand().lowest(suit));
        card.is_some() && card == lead
    };
    let mut found = actions.iter().copied();
    found.find(|&action| names_card(action) || action.to_string() == answer)
}

fn expected(answer: &str, choices: usize, phase: Phase) -> String {
    let what =
        if answer.is_empty() { String::new() } else { format!("`{answer}` is not a choice: ") };
    let example = if phase == Phase::Lead { " or its card" } else { "" };
    format!("  {what}a number from 1 to {choices}{example}; h for a hint, v for values, ? for help")
}
