//! Decisions replayed from a view are as they were when they were taken.

mod common;

use common::{all_tables, any_rules, draw, house, pick};
use newmarket_env::encode::SPANS;
use newmarket_env::rules::{House, Stage, Timing};
use newmarket_env::{
    Action, Game, MAX_PLAYERS, Observation, PastDecision, Phase, Rng, Seed, Session, State, View,
    Worlds,
};

/// A decision as it was taken: who took it, what was done, what could have been, what was seen.
type Noted = (usize, Action, usize, Vec<f32>);

/// The slow twin: notes decisions when they are taken, leads without a choice, too.
fn note(game: &Game, state: &State, seat: usize, action: Action, noted: &mut Vec<Noted>) {
    let view = state.view(game, seat);
    let tells = match state.phase() {
        Phase::Lead => true,
        Phase::Ante if game.rules().timing == Timing::BeforeDeal => false,
        Phase::Ante | Phase::DeadHand | Phase::Auction => !view.legal().is_forced(),
        _ => false,
    };
    if tells {
        noted.push((seat, action, view.legal().len(), seen(game, &view)));
    }
}

/// What a seat sees, but for the chips that the others are ahead where these may be off.
fn seen(game: &Game, view: &View) -> Vec<f32> {
    let mut entries = vec![0.0; Observation::LEN];
    Observation::of(view).write(&mut entries);
    if !is_exact(game) {
        let ahead = SPANS.iter().find(|span| span.name == "ahead of the viewer").expect("a span");
        entries[ahead.start..ahead.start + ahead.len].fill(0.0);
    }
    entries
}

fn replayed(view: &View, state: &State) -> Vec<Noted> {
    let mut all = Vec::new();
    view.each_decision_before_play(|past| all.push(noted(view.game(), &past, state)));
    all
}

/// The same with leads.
fn replayed_with_leads(view: &View, state: &State) -> Vec<Noted> {
    let mut all = Vec::new();
    view.each_decision_so_far(&state.hands(), |past| all.push(noted(view.game(), &past, state)));
    all
}

/// In another world that is possible, the same was done, and could have been.
fn in_any_world(view: &View, noted: &[Noted], rng: &mut Rng) {
    let world = Worlds::of(view).draw(rng);
    let mut nth = 0;
    view.each_decision_so_far(&world, |past| {
        assert_eq!((past.seat, past.action), (noted[nth].0, noted[nth].1));
        assert!(past.view_in(&world).legal().contains(past.action));
        nth += 1;
    });
    assert_eq!(nth, noted.len());
}

fn noted(game: &Game, past: &PastDecision, state: &State) -> Noted {
    let seen = seen(game, &past.view_in(&state.hands()));
    (past.seat, past.action, past.view_in(&state.hands()).legal().len(), seen)
}

/// Whether it can be known where all chips came from.
fn is_exact(game: &Game) -> bool {
    let rules = game.rules();
    !rules.has(Stage::Poker) && rules.cells.iter().all(|cell| cell.claimed_by.len() == 1)
}

/// Plays sessions; says how many decisions of each phase were compared.
fn compare(game: &Game, seed: u64, rng: &mut Rng, times: &mut [usize; Phase::COUNT]) {
    let mut session = Session::new(game, Seed::new(seed));
    for _ in 0..3 {
        let mut state = State::new(game, session.deal_start());
        let mut noted = Vec::new();
        while !state.is_over() {
            let Some(seat) = state.actor() else {
                state.deal(game, &session.hands(game));
                continue;
            };
            if state.view(game, seat).is_dealt()
                && (state.view(game, seat).credit() || is_exact(game))
            {
                for viewer in [seat, draw(rng, game.players())] {
                    let view = state.view(game, viewer);
                    let leads = |noted: &&Noted| noted.1.suit().is_some();
                    let before: Vec<_> = noted.iter().filter(|it| !leads(it)).cloned().collect();
                    assert_eq!(replayed(&view, &state), before, "{state:?}");
                    if !game.rules().has(Stage::Poker) {
                        assert_eq!(replayed_with_leads(&view, &state), noted, "{state:?}");
                        in_any_world(&view, &noted, &mut Seed::new(seed).rng());
                    }
                }
                times[state.phase() as usize] += noted.len();
            }
            let action = pick(state.legal(game), rng);
            note(game, &state, seat, action, &mut noted);
            state.apply(game, action).expect("it is legal");
        }
        session.close(game, &mut state);
        if session.is_over() {
            break;
        }
    }
}

#[test]
fn a_view_holds_what_was_said_and_led() {
    let mut rng = Seed::new(1).rng();
    let mut times = [0; Phase::COUNT];
    for game in all_tables() {
        compare(&game, 2, &mut rng, &mut times);
    }
    for seed in 0..300 {
        let drawn = House::draw(Seed::new(seed));
        let game = Game::new(drawn.rules, drawn.players).expect("it seats them");
        compare(&game, seed, &mut rng, &mut times);
    }
    for nth in 0..200 {
        compare(&any_rules::game(&mut rng).0, nth, &mut rng, &mut times);
    }
    for phase in [Phase::Ante, Phase::DeadHand, Phase::Auction, Phase::Lead] {
        assert!(times[phase as usize] > 1000, "{phase:?}: {times:?}");
    }
}

#[test]
fn an_auction_is_told_as_far_as_it_is_recorded() {
    let changes = "exchange = { dealer_exchange_or_auction = { max_bid = 100 } }";
    let game = house("michigan-auction", changes, 3);
    let session = Session::new(&game, Seed::new(3));
    let mut state = State::new(&game, session.deal_start());
    while state.phase() != Phase::DeadHand {
        match state.actor() {
            Some(_) => {
                let chip = state.legal(&game).first().expect("a choice");
                state.apply(&game, chip).expect("it is legal");
            }
            None => state.deal(&game, &session.hands(&game)),
        }
    }
    state.apply(&game, Action::AUCTION).expect("the dealer's choice");
    for bids in 0..100 {
        let seat = state.actor().expect("a bid is due");
        let mut answers = 0;
        state.view(&game, seat).each_decision_before_play(|past| {
            answers += usize::from(past.phase() == Phase::Auction);
            assert!(past.seat < MAX_PLAYERS);
        });
        assert_eq!(answers, if bids <= 63 { bids } else { 0 });
        state.apply(&game, Action::BID).expect("nobody has bid the most");
    }
    assert_ne!(state.phase(), Phase::Auction, "the most ends it");
    assert!(state.view(&game, 0).exchanger().is_some());
}
