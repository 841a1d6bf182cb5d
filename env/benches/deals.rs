//! The speed of a deal and of its parts: `newmarket`, four players, one thread.
//!
//! Each round goes through the same deals of one seed, and its answer is compared with a frozen
//! one: a wrong answer cannot be a fast one. A change of those numbers is a change of what a seed
//! plays. Look at the fastest round: other programs on the machine only ever slow it down.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use newmarket_env::perft::perft;
use newmarket_env::random::{self, Sampler, choice};
use newmarket_env::{DealStart, Game, Hands, Phase, Rng, Rules, Seats, Seed, Session, State};

/// Deals of a round.
const DEALS: usize = 1000;

fn main() {
    divan::main();
}

fn game() -> Game {
    Game::new(Rules::named("newmarket").expect("a named game"), 4).expect("it seats four")
}

/// Times rounds of so many `items`; every round's digest must be this one.
fn rounds(bencher: Bencher, items: usize, digest: u64, mut round: impl FnMut(&mut Rng) -> u64) {
    bencher.counter(ItemsCount::new(items)).bench_local(|| {
        let found = round(&mut Seed::new(1).rng());
        assert_eq!(found, digest, "the answer has changed");
    });
}

fn of_hands(hands: &Hands) -> u64 {
    hands.seats[0].bits() ^ hands.seats[3].bits().rotate_left(7) ^ hands.dead.bits()
}

fn of_state(state: &State) -> u64 {
    let chips = state.stacks().iter().fold(0, |all, &chips| 31 * all + i64::from(chips));
    chips as u64 ^ of_hands(&state.hands())
}

/// The floor under a deal.
#[divan::bench(sample_size = 1)]
fn shuffle(bencher: Bencher) {
    let game = game();
    rounds(bencher, DEALS, 25_504, |rng| {
        (0..DEALS).fold(0, |all, _| all + black_box(game.shuffle(rng)).cards()[17].index() as u64)
    });
}

#[divan::bench(sample_size = 1)]
fn shuffle_then_deal(bencher: Bencher) {
    let game = game();
    rounds(bencher, DEALS, 13_428_971_967_066_966_195, |rng| {
        (0..DEALS).fold(0, |all, _| {
            let pack = game.shuffle(rng);
            all ^ of_hands(&game.deal(pack.cards(), 0, Seats::first(4)))
        })
    });
}

/// The same hands in one pass.
#[divan::bench(sample_size = 1)]
fn shuffle_and_deal(bencher: Bencher) {
    let game = game();
    rounds(bencher, DEALS, 13_428_971_967_066_966_195, |rng| {
        (0..DEALS).fold(0, |all, _| all ^ of_hands(&game.shuffle_and_deal(rng, 0, Seats::first(4))))
    });
}

#[divan::bench(sample_size = 1)]
fn random_hands(bencher: Bencher) {
    let game = game();
    rounds(bencher, DEALS, 8_508_034_443_449_761_773, |rng| {
        let sampler = Sampler::new(&game, 0, Seats::first(4));
        (0..DEALS).fold(0, |all, _| all ^ of_hands(&sampler.hands(rng)))
    });
}

/// Decisions through the general engine: what is legal, one of it, apply. Those with a single
/// choice are taken but not counted.
#[divan::bench(sample_size = 1)]
fn random_decisions(bencher: Bencher) {
    const DECISIONS: usize = 17_720;
    let (game, deal_start) = (game(), DealStart::fresh(4, 0));
    let sampler = Sampler::new(&game, 0, Seats::first(4));
    rounds(bencher, DECISIONS, 10_904_081_053_992_730_053, |rng| {
        let (mut all, mut decisions) = (0, 0);
        for _ in 0..DEALS {
            let mut state = State::new(&game, &deal_start);
            while !state.is_over() {
                if state.phase() == Phase::Deal {
                    state.deal(&game, &sampler.hands(rng));
                } else {
                    let legal = state.legal(&game);
                    decisions += usize::from(!legal.is_forced());
                    state.apply_unchecked(&game, choice(legal, rng));
                }
            }
            all ^= of_state(&state);
        }
        assert_eq!(decisions, DECISIONS);
        all
    });
}

#[divan::bench(sample_size = 1)]
fn state_new(bencher: Bencher) {
    let (game, deal_start) = (game(), DealStart::fresh(4, 0));
    let kitty: u64 = DEALS as u64;
    rounds(bencher, DEALS, kitty, |_| {
        (0..DEALS).fold(0, |all, _| {
            let state = State::new(black_box(&game), black_box(&deal_start));
            all + black_box(&state).kitty() as u64
        })
    });
}

#[divan::bench(sample_size = 1)]
fn state_copy(bencher: Bencher) {
    let game = game();
    let dealt = dealt(&game);
    rounds(bencher, DEALS, 4 * DEALS as u64, |_| {
        dealt.iter().fold(0, |all, state| {
            let copy = *black_box(state);
            all + black_box(&copy).kitty() as u64
        })
    });
}

/// All lines of play of one deal, counted; `tests/perft/newmarket.perft` has the same row.
#[divan::bench(sample_size = 1)]
fn perft_of_a_deal(bencher: Bencher) {
    let game = game();
    let session = Session::single_deal(&game, Seed::new(3));
    let (dealer, seats) = (session.deal_start().dealer, Seats::first(4));
    let hands = game.deal(session.pack(&game).cards(), dealer, seats);
    rounds(bencher, 1, 24_321, |_| perft(&game, dealer, seats, &hands, None) as u64);
}

/// Deals that wait for their first lead.
fn dealt(game: &Game) -> Vec<State> {
    let mut rng = Seed::new(2).rng();
    (0..DEALS)
        .map(|_| {
            let mut state = State::new(game, &DealStart::fresh(4, 0));
            while state.phase() != Phase::Lead {
                if state.phase() == Phase::Deal {
                    state.deal(game, &random::hands(game, 0, Seats::first(4), &mut rng));
                } else {
                    state.apply_unchecked(game, choice(state.legal(game), &mut rng));
                }
            }
            state
        })
        .collect()
}
