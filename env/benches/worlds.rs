//! The speed of inference and of drawing worlds, in the middle of a deal, one thread.
//!
//! Each round goes through the same views of one seed, and its answer is compared with a frozen
//! one: a wrong answer cannot be a fast one.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use newmarket_env::{DealStart, Game, Phase, Rules, Seed, State, Worlds, random};

/// Views of a round.
const VIEWS: usize = 100;
/// Worlds that are drawn for a view, as a search agent of moderate means does.
const WORLDS: usize = 60;

fn main() {
    divan::main();
}

/// A game, its players, and the answers to its benches.
type Case = (&'static str, usize, [u64; 3]);

const CASES: [Case; 3] = [
    (
        "newmarket",
        4,
        [2_844_202_280_127_272_853, 15_124_565_043_719_349_697, 16_883_814_941_998_643_337],
    ),
    (
        "newmarket",
        8,
        [14_026_511_839_617_613_237, 12_821_650_047_612_982_054, 16_551_440_935_434_993_693],
    ),
    (
        "three-in-one",
        4,
        [13_944_957_336_147_983_263, 10_675_780_274_345_672_218, 664_100_914_785_649_682],
    ),
];

/// Deals at the fourth lead.
fn states(case: &Case) -> (Game, Vec<State>) {
    let rules = Rules::named(case.0).expect("a named game");
    let game = Game::new(rules, case.1).expect("it seats them");
    let mut rng = Seed::new(1).rng();
    let mut states = Vec::new();
    while states.len() < VIEWS {
        let mut state = State::new(&game, &DealStart::fresh(case.1, 0));
        let mut leads = 0;
        while !state.is_over() && leads < 4 {
            if state.phase() == Phase::Deal {
                state.deal(&game, &random::hands(&game, 0, state.seats_in(), &mut rng));
                continue;
            }
            leads += u32::from(state.phase() == Phase::Lead);
            if leads == 4 {
                states.push(state);
            } else {
                state.apply_unchecked(&game, random::choice(state.legal(&game), &mut rng));
            }
        }
    }
    (game, states)
}

/// Times rounds over all views; every round's digest must be this one.
fn rounds(
    bencher: Bencher,
    case: &Case,
    (items, digest): (usize, u64),
    each: impl Fn(&newmarket_env::View, u64) -> u64,
) {
    let (game, states) = states(case);
    bencher.counter(ItemsCount::new(items * VIEWS)).bench_local(|| {
        let found = states.iter().enumerate().fold(0_u64, |all, (nth, state)| {
            let view = state.view(&game, state.actor().expect("a lead is due"));
            all.rotate_left(1) ^ each(&view, nth as u64)
        });
        assert_eq!(found, digest, "the answer has changed");
    });
}

/// What is certain.
#[divan::bench(args = CASES.iter().map(Named), sample_size = 1)]
fn infer(bencher: Bencher, Named(case): &Named) {
    rounds(bencher, case, (1, case.2[0]), |view, _| {
        let inference = black_box(view.infer());
        inference.possible.iter().fold(inference.dead.bits(), |all, cards| all ^ cards.bits())
    });
}

/// Worlds, set-up included.
#[divan::bench(args = CASES.iter().map(Named), sample_size = 1)]
fn worlds(bencher: Bencher, Named(case): &Named) {
    rounds(bencher, case, (WORLDS, case.2[1]), |view, nth| {
        let worlds = Worlds::of(view);
        let mut rng = Seed::new(nth).rng();
        (0..WORLDS).fold(0, |all, _| all ^ black_box(worlds.draw(&mut rng)).dead.bits())
    });
}

/// The exact chance of every card in every hand, set-up included.
#[divan::bench(args = CASES.iter().map(Named), sample_size = 1)]
fn chances(bencher: Bencher, Named(case): &Named) {
    rounds(bencher, case, (1, case.2[2]), |view, _| {
        let chances = black_box(Worlds::of(view).chances());
        chances.iter().flatten().map(|chance| (chance * 1e6).round() as u64).sum()
    });
}

/// A case, as it is called in the table of results.
struct Named(&'static Case);

impl std::fmt::Display for Named {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.0.0, self.0.1)
    }
}
