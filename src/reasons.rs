//! Why a strategy decides as it does, in words and as JSON.

use newmarket_agents::Agent as _;
use newmarket_agents::strategy::{DecisionKind, Reason, Strategy};
use newmarket_engine::Choice;
use newmarket_env::{Action, Game, Phase, State, View};
use serde::Serialize;
use serde::ser::{SerializeMap as _, SerializeSeq as _, Serializer};

/// The steps of a decision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Reasons {
    /// The name of the strategy that decides.
    strategy: String,
    /// At least one, with a clause.
    steps: Vec<Reason>,
    /// Where the strategy puts its ante, in words: a split has no text of its own.
    ante: Option<String>,
}

impl Reasons {
    /// Why a strategy decides as it does here; `None` where no clause leaves fewer choices.
    pub(crate) fn of(strategy: &Strategy, view: &View) -> Option<Self> {
        let steps = strategy.reasons(view);
        let has_clause = steps.iter().any(|step| step.text.is_some());
        let antes = DecisionKind::of(view.phase()) == Some(DecisionKind::Ante);
        let ante = if antes { strategy.rule_in_words(view) } else { None };
        has_clause.then(|| Self { strategy: strategy.name().into(), steps, ante })
    }

    /// The last step.
    pub(crate) fn last(&self) -> &Reason {
        self.steps.last().expect("there is a step with a clause")
    }

    /// `run stops`, `run stops; then stopper: most cards`, `run stops; then net:champion`: clauses as files say
    /// them, and who chooses among what they leave.
    pub(crate) fn words(&self) -> String {
        let steps = self.steps.iter().map(|step| {
            let words = match step.text.as_deref() {
                // The ante of a base.
                Some(_) if step.kind == DecisionKind::Ante => Some("its ante"),
                text => text,
            };
            match words {
                Some(words) if step.by == self.strategy => {
                    self.ante.clone().unwrap_or_else(|| words.to_owned())
                }
                Some(words) => format!("{}: {words}", step.by),
                None => step.by.clone(),
            }
        });
        let steps: Vec<String> = steps.collect();
        steps.join("; then ")
    }
}

/// Why a strategy decides as it does.
#[derive(Serialize)]
pub(crate) struct Why {
    /// Whether the choice that was taken is among those that the strategy leaves.
    pub(crate) agrees: bool,
    pub(crate) reasons: Reasons,
}

impl Why {
    /// Whether the strategy leaves the choice that was taken, and no other.
    pub(crate) fn alone(&self) -> bool {
        self.agrees && self.reasons.last().left.is_forced()
    }

    /// Why a strategy decides as it does here; `None` where no clause leaves fewer choices.
    pub(crate) fn of(
        strategy: &Strategy,
        game: &Game,
        before: &State,
        taken: &Choice,
    ) -> Option<Self> {
        let seat = before.actor()?;
        let view = &before.view(game, seat);
        let reasons = Reasons::of(strategy, view)?;
        let left = reasons.last().left;
        let agrees = match taken {
            // All chips of an ante are one choice, in whatever order they are placed.
            Choice::Ante { .. } if left.is_forced() => {
                let (mut state, mut chips) = (*before, Vec::new());
                while state.actor() == Some(seat)
                    && state.phase() == Phase::Ante
                    && let Some(chip) = next_chip(strategy, &state.view(game, seat))
                {
                    chips.push(chip);
                    state.apply_unchecked(game, chip);
                }
                Choice::of(view, &chips).as_ref() == Some(taken)
            }
            taken => taken.actions(game).first().is_none_or(|&action| left.contains(action)),
        };
        Some(Self { agrees, reasons })
    }
}

/// The next chip of an ante, if a strategy decides it alone.
fn next_chip(strategy: &Strategy, view: &View) -> Option<Action> {
    let left = if view.legal().is_forced() { view.legal() } else { strategy.left(view) };
    left.first().filter(|_| left.is_forced())
}

/// Each step with the player (`by`), its `clause` if it has one, and the number of choices that are left.
impl Serialize for Reasons {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut steps = serializer.serialize_seq(Some(self.steps.len()))?;
        for step in &self.steps {
            steps.serialize_element(&Step(step))?;
        }
        steps.end()
    }
}

struct Step<'r>(&'r Reason);

impl Serialize for Step<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut step = serializer.serialize_map(None)?;
        step.serialize_entry("by", &self.0.by)?;
        if let Some(text) = &self.0.text {
            step.serialize_entry("clause", text)?;
        }
        step.serialize_entry("left", &self.0.left.len())?;
        step.end()
    }
}

#[cfg(test)]
mod tests {
    use newmarket_agents::strategy::Content;
    use newmarket_env::{Card, CardSet, DealStart, Game, Hands, Rules, State};
    use serde_json::json;

    use super::*;

    /// The reasons for the first lead of `michigan`, in words and as JSON.
    fn first_lead(file: &serde_json::Value, hand: &str) -> Option<(String, serde_json::Value)> {
        let game = Game::new(Rules::named("michigan").unwrap(), 3).unwrap();
        let mut state = State::new(&game, &DealStart::fresh(3, 2));
        let set = |text: &str| -> CardSet {
            text.split(' ').map(|card| Card::parse(card, game.rules().aces).unwrap()).collect()
        };
        let mut hands = Hands::default();
        (hands.seats[0], hands.seats[1], hands.seats[2]) = (set(hand), set("6D 2S"), set("4S 9S"));
        hands.dead = hands.seats.iter().fold(game.pack(), |left, &hand| left - hand);
        state.deal(&game, &hands);
        let content = Content::from_json(file).unwrap();
        let mut none = |name: &str| Err(format!("no player {name}"));
        let strategy = Strategy::new("mine", content.into(), &mut none).unwrap();
        let reasons = Reasons::of(&strategy, &state.view(&game, 0))?;
        let json = serde_json::to_value(&reasons).unwrap();
        Some((reasons.words(), json))
    }

    #[test]
    fn a_step_is_told_for_each_strategy_that_leaves_fewer_choices() {
        let hand = "2C 3C KH AH 5S JS 5D 7D";
        let file = json!({ "base": "stopper", "lead": ["cards >= 2", "when cards played >= 9: top card"] });
        // All suits have two cards: the clauses of the file leave all as they are, those of `stopper` decide.
        let (words, json) = first_lead(&file, hand).unwrap();
        assert_eq!(words, "stopper: run stops");
        assert_eq!(json, json!([{ "by": "stopper", "clause": "run stops", "left": 1 }]));
        let file = json!({ "base": "stopper", "lead": ["not top card"] });
        let (words, json) = first_lead(&file, hand).unwrap();
        assert_eq!(words, "not top card; then stopper: most boodle chips");
        assert_eq!(json[0], json!({ "by": "mine", "clause": "not top card", "left": 3 }));
        assert_eq!(json[1], json!({ "by": "stopper", "clause": "most boodle chips", "left": 1 }));
        let file = json!({ "base": "random", "lead": ["not top card"] });
        let (words, json) = first_lead(&file, hand).unwrap();
        assert_eq!(words, "not top card; then random");
        assert_eq!(json[1], json!({ "by": "random", "left": 3 }));
        // Where no clause has a say, there is nothing to tell.
        assert_eq!(first_lead(&json!({ "lead": ["cards >= 2"] }), hand), None);
    }
}
