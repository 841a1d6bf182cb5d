//! What must hold of every game at every table, whatever its rules.

use std::sync::Arc;

use newmarket_env::rules::Stage;
use newmarket_env::{
    Action, ActionMask, CardSet, Env, Episode, Game, Hands, IllegalAction, Observation, Outcome,
    Phase, Seats, Seed, Session, State, View,
};

use super::{chips, draw, pick};

/// What a session went through, so that a test can say that it has seen everything.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) deals: u32,
    pub(crate) decisions: u32,
    pub(crate) exchanges: u32,
    pub(crate) no_winner: u32,
    pub(crate) gifts: u32,
    pub(crate) rebuys: u32,
    pub(crate) out_of_it: u32,
}

impl Tally {
    pub(crate) fn add(mut self, other: Self) -> Self {
        self.deals += other.deals;
        self.decisions += other.decisions;
        self.exchanges += other.exchanges;
        self.no_winner += other.no_winner;
        self.gifts += other.gifts;
        self.rebuys += other.rebuys;
        self.out_of_it += other.out_of_it;
        self
    }
}

/// Plays a session at random, with every check at every step.
pub(crate) fn session(game: &Game, seed: Seed, most_deals: u32) -> Tally {
    let mut tally = Tally::default();
    let mut rng = seed.child(99).rng();
    let mut session = Session::new(game, seed);
    let mut total = session.deal_start().stacks.iter().sum::<i32>();
    while tally.deals < most_deals {
        let deal_start = *session.deal_start();
        tally.deals += 1;
        tally.out_of_it += u32::from(deal_start.seats_in.len() < game.players());
        let mut state = State::new(game, &deal_start);
        loop {
            assert_eq!(chips(&state), total, "a chip was made or lost in {state:?}");
            assert!(deal_start.credit || state.stacks().iter().all(|&stack| stack >= 0));
            check_kitty_and_cap(game, &state);
            check_views(game, &state);
            match state.phase() {
                Phase::Over => break,
                Phase::Deal => {
                    check_refusals(game, &state);
                    let pack = session.pack(game);
                    state.deal(game, &game.deal(pack.cards(), state.dealer(), state.seats_in()));
                }
                _ => {
                    tally.decisions += 1;
                    check_refusals(game, &state);
                    let action = pick(state.legal(game), &mut rng);
                    tally.exchanges += u32::from(action == Action::EXCHANGE);
                    state.apply(game, action).expect("it is legal");
                }
            }
        }
        check_end(game, &state);
        tally.no_winner += u32::from(state.outcome() == Outcome::NoWinner);
        tally.gifts += session.close(game, &mut state).len() as u32;
        assert_eq!(chips(&state), total, "what is given away is not lost");
        if session.is_over() {
            break;
        }
        let rebuys: i32 = session.rebuys().iter().sum();
        tally.rebuys += u32::from(rebuys > 0);
        total += rebuys;
        let next = session.deal_start();
        let on_table = next.layout.iter().sum::<i32>() + next.kitty;
        assert_eq!(next.stacks.iter().sum::<i32>() + on_table, total, "carried over");
    }
    tally
}

/// A decision has a choice, every choice can be taken, nothing else can, and the refusal says
/// who, what, and what would have been right.
fn check_refusals(game: &Game, state: &State) {
    let legal = state.legal(game);
    let decision = !matches!(state.phase(), Phase::Deal | Phase::Over);
    assert_eq!(decision, !legal.is_empty(), "a legal action exists unless none is due: {state:?}");
    assert_eq!(decision, state.actor().is_some());
    if let Some(actor) = state.actor() {
        assert!(state.seats_in().contains(actor), "seat {actor} is out");
    }
    for action in Action::ALL {
        let mut after = *state;
        match after.apply(game, action) {
            Ok(()) => {
                assert!(legal.contains(action), "{action} is not in {legal}");
                assert_ne!(after, *state, "{action} did nothing");
            }
            Err(error) => {
                assert!(!legal.contains(action), "{action} was refused: {error}");
                assert_eq!(after, *state, "a refused {action} changed the state");
                let text = error.to_string();
                assert!(text.contains(&action.to_string()), "{text} names {action}");
                if let Some(seat) = state.actor() {
                    assert_eq!(error, IllegalAction::NotAllowed { seat, action, legal });
                    assert!(text.contains(&format!("seat {seat} ")), "{text}");
                    assert!(text.contains(&legal.to_string()), "{text} names {legal}");
                }
            }
        }
    }
    assert_eq!(Action::try_from_index(Action::COUNT), None);
}

/// What every seat is shown is true, adds up, rules out no truth, and can be encoded.
pub(crate) fn check_views(game: &Game, state: &State) {
    let truth = state.hands();
    let pack = game.pack();
    let cards_out = truth.seats.iter().fold(truth.dead, |all, &hand| all | hand);
    let mut in_hands = 0;
    for seat in 0..game.players() {
        in_hands += truth.seats[seat].len();
    }
    for seat in game.players()..truth.seats.len() {
        assert!(truth.seats[seat].is_empty(), "there is no seat {seat}");
    }
    for seat in 0..game.players() {
        let view = state.view(game, seat);
        let hand = view.hand();
        assert_eq!((view.seat(), hand), (seat, truth.seats[seat]));
        assert!(pack.is_superset(hand | view.played() | view.known_dead()));
        assert!(truth.dead.is_superset(view.known_dead()), "seat {seat} is told a lie: {view:?}");
        for (a, b) in [
            (hand, view.played()),
            (hand, view.known_dead()),
            (view.played(), view.known_dead()),
            (view.played(), cards_out),
        ] {
            assert!((a & b).is_empty(), "{a:?} and {b:?} overlap");
        }
        if !cards_out.is_empty() {
            assert_eq!(cards_out | view.played(), pack, "every card is somewhere");
            assert_eq!(in_hands + truth.dead.len() + view.played().len(), pack.len());
        }
        let mut played = CardSet::EMPTY;
        for other in 0..game.players() {
            assert_eq!(view.hand_size(other), truth.seats[other].len());
            assert!((played & view.played_by(other)).is_empty(), "one card played twice");
            played |= view.played_by(other);
            assert!(
                view.possible(other).is_superset(truth.seats[other]),
                "seat {seat} holds the hand of {other} for impossible: {:?} in {:?}",
                truth.seats[other],
                view.possible(other)
            );
            if other != seat {
                assert!((view.hidden() | view.shown(other)).is_superset(view.possible(other)));
                assert!((view.hidden() & view.shown(other)).is_empty());
            }
            assert!(truth.seats[other].is_superset(view.shown(other)), "shown and not held");
            if !state.seats_in().contains(other) {
                assert_eq!(view.hand_size(other), 0);
                assert!((0..game.cells()).all(|cell| view.staked(other, cell) == 0));
            }
        }
        if state.actor().is_none_or(|actor| actor == seat) {
            check_inference(&truth, &view);
        }
        assert_eq!(played, view.played());
        check_poker(state, &view);
        let acts = state.actor() == Some(seat);
        assert_eq!(view.legal(), if acts { state.legal(game) } else { ActionMask::NONE });
        assert_eq!(view.layout(), &state.layout()[..game.cells()]);
        assert_eq!(view.kitty(), state.kitty());
        assert_eq!(view.stack(seat), state.stacks()[seat]);
        check_observation(&Observation::of(&view));
    }
}

/// What is certain is true.
fn check_inference(truth: &Hands, view: &View) {
    let inference = view.infer();
    for other in 0..view.game().players() {
        let held = truth.seats[other];
        assert!(inference.possible[other].is_superset(held) || !view.is_dealt());
        assert!(held.is_superset(inference.certain[other]), "seat {other}: {inference:?}");
    }
    assert!(inference.may_be_dead.is_superset(truth.dead), "{inference:?}");
    assert!(truth.dead.is_superset(inference.dead), "{inference:?}");
}

/// The poker of Three in One: each seat knows its own five, and before they are shown no other
/// seat's view has a trace of them (that it does not depend on them is for `hidden.rs`); bets are
/// the same for all.
fn check_poker(state: &State, view: &View) {
    let apart = view.apart();
    assert!((view.hand() | view.played_by(view.seat())).is_superset(apart), "{apart:?} is not own");
    if !view.game().rules().has(Stage::Poker) {
        return assert!(apart.is_empty() && view.bet() == 0 && view.folded().is_empty());
    }
    let five = match state.phase() {
        Phase::SetApart => apart.is_empty() || state.actor() == Some(view.seat()),
        Phase::Bet | Phase::Lead | Phase::Over => true,
        _ => apart.is_empty(),
    };
    assert!(apart.len() <= 5 && (five || apart.len() == 5), "{apart:?}");
    let in_play = matches!(state.phase(), Phase::Lead | Phase::Over);
    if in_play || state.phase() == Phase::Bet {
        assert_eq!(apart.len(), if state.seats_in().contains(view.seat()) { 5 } else { 0 });
    }
    let mut staying = state.seats_in() - view.folded();
    if !in_play {
        staying = Seats::default();
    }
    for other in state.seats_in().iter().filter(|&other| other != view.seat()) {
        assert!((0..=view.bet()).contains(&view.put(other)));
        let five = state.view(view.game(), other).apart() - view.played();
        if staying.len() > 1 && staying.contains(other) {
            assert!(view.shown(other).is_superset(five), "{other} has shown {five:?}");
        } else if !view.game().rules().has(Stage::Collect) {
            assert!(view.shown(other).is_empty(), "{other} has shown nothing");
        }
        if staying.contains(other) {
            assert_eq!(view.put(other), view.bet(), "who stays has matched the bet");
        }
    }
    assert!(view.raises() <= 3 && view.bet() <= 4);
}

/// An observation is finite, of one length, and its two ways of being written agree.
fn check_observation(observation: &Observation) {
    let mut dense = [f32::NAN; Observation::LEN];
    observation.write(&mut dense);
    assert!(dense.iter().all(|value| value.is_finite() && value.abs() < 1e5));
    let mut next = 0;
    observation.for_each_nonzero(|index, value| {
        assert!(index >= next, "indices go up");
        assert!(dense[next..index].iter().all(|&zero| zero == 0.0), "one left out before {index}");
        assert!(value != 0.0 && dense[index].to_bits() == value.to_bits());
        next = index + 1;
    });
    assert!(dense[next..].iter().all(|&zero| zero == 0.0));
}

/// Where the rules have no kitty it is 0; the layout has no cells but the rules' own; after the
/// antes and at the end, no cell stands above the cap unless all are full and there is no kitty.
pub(crate) fn check_kitty_and_cap(game: &Game, state: &State) {
    let rules = game.rules();
    assert!(state.kitty() >= 0 && (rules.has_kitty() || state.kitty() == 0));
    let (cells, beyond) = state.layout().split_at(game.cells());
    assert!(beyond.iter().all(|&chips| chips == 0) && cells.iter().all(|&chips| chips >= 0));
    if let (Some(cap), Phase::Over) = (rules.cell_cap, state.phase())
        && cells.iter().any(|&chips| chips > cap)
    {
        assert!(!rules.has_kitty(), "the kitty takes what no cell can");
        assert!(cells.iter().all(|&chips| chips >= cap), "{cells:?} above the cap of {cap}");
    }
}

/// The winner has no card and everybody else has; without a winner, nobody has played out.
pub(crate) fn check_end(game: &Game, state: &State) {
    let hands = state.hands().seats;
    let empty: Vec<usize> =
        state.seats_in().iter().filter(|&seat| hands[seat].is_empty()).collect();
    match state.outcome() {
        Outcome::Out(winner) => assert_eq!(empty, [winner]),
        Outcome::NoWinner => assert!(empty.is_empty()),
        Outcome::Playing => panic!("over, and still playing"),
    }
    assert!(state.legal(game).is_empty() && state.is_over() && state.actor().is_none());
    if let Outcome::Out(_) = state.outcome()
        && game.rules().kitty_to_winner
        && game.rules().cell_cap.is_none()
    {
        assert_eq!(state.kitty(), 0, "the winner takes the kitty");
    }
    for action in Action::ALL {
        let mut after = *state;
        let error = after.apply(game, action).expect_err("the deal is over");
        assert_eq!(error.to_string(), format!("nobody may {action}: the deal is over"));
        assert_eq!(after, *state);
    }
}

/// The environment takes the same course whether forced decisions are shown or hidden, its
/// rewards add up to the payoffs, and the seed alone decides.
pub(crate) fn environment(game: &Arc<Game>, episode: &Episode, seed: Seed) {
    let mut hidden = Env::new(game.clone(), episode.clone());
    let mut shown = Env::new(game.clone(), episode.clone()).show_forced(true);
    // What was played before a reset leaves no trace.
    hidden.reset(seed.child(1));
    hidden.reset(seed);
    shown.reset(seed);
    // By now, deals without a decision may be over.
    let first = match episode {
        Episode::Deal => Session::single_deal(game, seed),
        Episode::Carried(deal_starts) => Session::carried(deal_starts, seed),
        Episode::Given(session) => Session::clone(session),
        Episode::Session => Session::new(game, seed),
    };
    let before = *first.deal_start();
    let mut again = hidden.clone();
    let mut rng = seed.child(2).rng();
    let mut sums = [[0; 8]; 2];
    let mut collect = |env: &Env, which: usize| {
        for (sum, reward) in sums[which].iter_mut().zip(env.rewards()) {
            *sum += reward;
        }
    };
    collect(&hidden, 0);
    collect(&shown, 1);
    let mut course = Vec::new();
    while !hidden.is_over() {
        while shown.legal().is_forced() {
            let only = shown.legal().first().expect("one");
            shown.step(only).expect("it is legal");
            collect(&shown, 1);
        }
        assert_eq!(hidden.state(), shown.state());
        assert_eq!(hidden.seat(), shown.seat());
        assert!(hidden.legal().len() >= 2, "a decision is a choice");
        assert_eq!(hidden.observe(hidden.seat()).legal(), hidden.legal());
        let wrong = Action::from_index(draw(&mut rng, Action::COUNT));
        if !hidden.legal().contains(wrong) {
            let (state, rewards) = (*hidden.state(), hidden.rewards().to_vec());
            hidden.step(wrong).expect_err("it is not legal");
            assert_eq!((*hidden.state(), hidden.rewards().to_vec()), (state, rewards));
        }
        let action = pick(hidden.legal(), &mut rng);
        course.push(action);
        hidden.step(action).expect("it is legal");
        shown.step(action).expect("it is legal");
        collect(&hidden, 0);
        collect(&shown, 1);
    }
    while !shown.is_over() {
        let only = shown.legal().first().expect("one");
        assert!(shown.legal().is_forced());
        shown.step(only).expect("it is legal");
        collect(&shown, 1);
    }
    assert_eq!(hidden.state(), shown.state());
    assert_eq!(sums[0], sums[1], "rewards do not depend on what is shown");
    let bought = hidden.session().bought();
    for seat in 0..game.players() {
        let gained = hidden.state().stacks()[seat] - before.stacks[seat] - bought[seat];
        assert_eq!(sums[0][seat], gained, "rewards of seat {seat} sum to the payoff");
    }
    for action in course {
        again.step(action).expect("the same seed, the same game");
    }
    assert_eq!(again.state(), hidden.state());
    assert_eq!(before.seats_in, Seats::first(game.players()));
}
