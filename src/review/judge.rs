//! Judges the decisions of recorded deals, each by what its seat knew.

use std::sync::Arc;

use newmarket_agents::net::PolicyTrials;
use newmarket_agents::search::Playout;
use newmarket_agents::strategy::Strategy;
use newmarket_agents::trials::PlanTrials;
use newmarket_agents::{Agent, Player};
use newmarket_engine::{Analysis, Choice, Trials};
use newmarket_env::{Action, Game, Name, Phase, Seed, State, Suit, View};
use serde::Serialize;

use super::Recorded;
use crate::failure::{Failure, Result};
use crate::reasons::Why;
use crate::wording::Wording;

/// Choices that a network compares in all sampled deals. With more choices there are rounds of this many
/// sampled deals first.
const COMPARED: usize = 8;
const ROUND: u32 = 8;

/// How decisions are judged.
pub(crate) struct Judge {
    pub(crate) by: By,
    /// Sampled deals for a decision.
    pub(crate) worlds: u32,
    pub(crate) seed: Seed,
    /// By seat, the strategy that played there, as far as that is known.
    pub(crate) strategies: Vec<Option<Strategy>>,
}

/// Who plays after a choice in the sampled deals.
pub(crate) enum By {
    Rule(Playout),
    /// A fair player.
    Player(Box<dyn Agent>),
}

impl By {
    /// A player that sees what each seat could see.
    pub(crate) fn player(player: Player) -> Result<Self> {
        let unfair =
            || Failure::user("expected a player that sees no hidden cards, as net:champion");
        player.fair().map(Self::Player).ok_or_else(unfair)
    }
}

/// The kind of a decision.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    Ante,
    DeadHand,
    Auction,
    SetApart,
    Poker,
    Lead,
}

impl Kind {
    fn of(phase: Phase) -> Self {
        match phase {
            Phase::Ante => Self::Ante,
            Phase::DeadHand => Self::DeadHand,
            Phase::Auction => Self::Auction,
            Phase::SetApart => Self::SetApart,
            Phase::Bet => Self::Poker,
            Phase::Lead | Phase::Deal | Phase::Over => Self::Lead,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Ante => "ante",
            Self::DeadHand => "dead hand",
            Self::Auction => "auction",
            Self::SetApart => "set apart",
            Self::Poker => "poker",
            Self::Lead => "lead",
        }
    }
}

/// A decision with more than one choice, and the value of each choice.
#[derive(Serialize)]
pub(crate) struct Decision {
    /// The line of the trace, from 1.
    pub(crate) line: usize,
    pub(crate) session: usize,
    pub(crate) deal: Option<u32>,
    pub(crate) seat: usize,
    pub(crate) kind: Kind,
    pub(crate) position: Position,
    pub(crate) taken: Choice,
    pub(crate) best: Choice,
    /// Chips by which the choice taken is behind the best, and half of the 95 % interval.
    pub(crate) cost: f64,
    pub(crate) ci95: f64,
    /// Whether the interval of the cost lies above 0.
    pub(crate) error: bool,
    /// Why the strategy that played the seat decides as it does here, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) strategy: Option<Why>,
    /// The number of choices, and whether all of them were tried.
    pub(crate) choices: usize,
    pub(crate) all: bool,
    /// The best choice first. Of very many choices, the best and the one taken.
    pub(crate) judged: Vec<Judged>,
    #[serde(skip)]
    pub(crate) game: Arc<Game>,
    /// The deal before the decision.
    #[serde(skip)]
    pub(crate) state: State,
}

impl Decision {
    /// What the seat knew.
    pub(super) fn view(&self) -> View<'_> {
        self.state.view(&self.game, self.seat)
    }

    pub(super) fn wording(&self) -> Wording<'_> {
        Wording { game: &self.game, person: None }
    }
}

/// The value of a choice, with the keys of the engine protocol.
#[derive(Serialize)]
pub(crate) struct Judged {
    #[serde(rename = "do")]
    pub(crate) choice: Choice,
    pub(crate) chips: f64,
    pub(crate) ci95: f64,
    pub(crate) behind: f64,
    pub(crate) behind_ci95: f64,
}

/// What the seat knew.
#[derive(Serialize)]
pub(crate) struct Position {
    pub(crate) dealer: usize,
    pub(crate) hand: Vec<Name>,
    pub(crate) layout: Vec<i32>,
    pub(crate) kitty: i32,
    pub(crate) stacks: Vec<i32>,
    /// Cards in each hand.
    pub(crate) cards: Vec<usize>,
    /// The cards that each seat has played.
    pub(crate) played: Vec<Vec<Name>>,
    /// Cards that the seat knows to be dead.
    pub(crate) dead: Vec<Name>,
    /// The suit that stopped last.
    pub(crate) stopped: Option<char>,
}

impl Position {
    fn of(view: &View) -> Self {
        let (players, aces) = (view.game().players(), view.game().rules().aces);
        let names = |cards: newmarket_env::CardSet| -> Vec<Name> {
            cards.iter().map(|card| Name::of(card, aces)).collect()
        };
        Self {
            dealer: view.dealer(),
            hand: names(view.hand()),
            layout: view.layout().to_vec(),
            kitty: view.kitty(),
            stacks: (0..players).map(|seat| view.stack(seat)).collect(),
            cards: (0..players).map(|seat| view.hand_size(seat)).collect(),
            played: (0..players).map(|seat| names(view.played_by(seat))).collect(),
            dead: names(view.known_dead()),
            stopped: view.stopped().map(Suit::letter),
        }
    }
}

impl Judge {
    /// The decisions of a deal that had more than one choice, by one seat or by all.
    pub(super) fn deal(&self, recorded: &Recorded, seat: Option<usize>) -> Vec<Decision> {
        let Recorded { deal, game, .. } = recorded;
        let stream = self.seed.child(deal.line as u64);
        let mut state = State::new(game, &deal.start);
        let mut actions = deal.actions.iter().copied().peekable();
        let (mut decisions, mut asked) = (Vec::new(), vec![0; game.players()]);
        while actions.peek().is_some() {
            let Some(actor) = state.actor() else {
                state.deal(game, &deal.hands);
                continue;
            };
            let before = state;
            let (mut taken, mut chosen) = (Vec::new(), false);
            // All chips of an ante and all five cards are one decision.
            while state.actor() == Some(actor)
                && state.phase() == before.phase()
                && (taken.is_empty() || matches!(before.phase(), Phase::Ante | Phase::SetApart))
                && let Some(action) = actions.next()
            {
                chosen |= !state.legal(game).is_forced();
                taken.push(action);
                state.apply_unchecked(game, action);
            }
            if chosen && seat.is_none_or(|seat| seat == actor) {
                // The stream depends only on what the seat knows.
                let stream = stream.child(actor as u64).child(asked[actor]);
                decisions.push(self.decision(recorded, &before, &taken, stream));
            }
            asked[actor] += 1;
        }
        decisions
    }

    /// Judges one decision by what the seat knows.
    fn decision(
        &self,
        recorded: &Recorded,
        state: &State,
        taken: &[Action],
        stream: Seed,
    ) -> Decision {
        let seat = state.actor().expect("a seat is to act");
        let view = &state.view(&recorded.game, seat);
        let mut analysis = Analysis::by(view, stream, self.trials(), taken);
        // A network is slow: the better half of many choices goes on to the next round.
        while matches!(self.by, By::Player(_)) && analysis.compared() > COMPARED {
            analysis.add(view, ROUND);
            analysis.narrow((analysis.compared() / 2).max(COMPARED));
        }
        analysis.add(view, self.worlds.saturating_sub(analysis.worlds()));
        let judged: Vec<Judged> = analysis
            .judged(view)
            .into_iter()
            .map(|judged| Judged {
                choice: judged.choice,
                chips: rounded(judged.chips),
                ci95: rounded(judged.ci95),
                behind: rounded(judged.behind),
                behind_ci95: rounded(judged.behind_ci95),
            })
            .collect();
        let taken = Choice::of(view, taken).expect("a decision has an action");
        let own = judged.iter().find(|judged| judged.choice == taken);
        let strategy = self
            .strategies
            .get(seat)
            .and_then(Option::as_ref)
            .and_then(|strategy| Why::of(strategy, &recorded.game, state, &taken));
        let (best, own) = judged.first().zip(own).expect("the choice taken is compared at length");
        Decision {
            line: recorded.deal.line,
            session: recorded.session,
            deal: recorded.deal.deal,
            seat,
            kind: Kind::of(view.phase()),
            position: Position::of(view),
            best: best.choice.clone(),
            cost: own.behind,
            ci95: own.behind_ci95,
            error: own.behind > own.behind_ci95,
            strategy,
            choices: analysis.choices(),
            all: analysis.all_tried(),
            taken,
            judged,
            game: recorded.game.clone(),
            state: *state,
        }
    }

    fn trials(&self) -> Trials {
        match &self.by {
            By::Rule(rule) => Trials::Rule(*rule),
            By::Player(player) => match player.batch() {
                Some(policy) => Trials::Policy(PolicyTrials::new(policy)),
                None => Trials::Agent(PlanTrials::new(player.another())),
            },
        }
    }
}

/// A thousandth of a chip is far below what sampling leaves open.
fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}
