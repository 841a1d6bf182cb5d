//! A batch does, table by table, what single environments do.

mod common;

use std::sync::Arc;

use common::buffers::Owned;
use common::{all_tables, any_rules, draw, house};
use newmarket_env::{
    Action, ActionMask, Autoreset, BatchEnv, BatchError, DealStarts, Env, Episode, Game,
    MAX_PLAYERS, Observation, PlainObservations, PlainRewards, PlainRows, Seed,
};

const MODES: [Autoreset; 3] = [Autoreset::NextStep, Autoreset::SameStep, Autoreset::Disabled];

type Table = (Arc<Game>, Episode);

/// Every named game at every number of players, each with every kind of episode.
fn mixed() -> Vec<Table> {
    let kinds = |game: Game| {
        let game = Arc::new(game);
        let deal_starts = Arc::new(DealStarts::random(&game, 3, Seed::new(4)));
        [Episode::Deal, Episode::Carried(deal_starts), Episode::Session]
            .map(|episode| (game.clone(), episode))
    };
    all_tables().into_iter().flat_map(kinds).collect()
}

fn game(name: &str, players: usize) -> Arc<Game> {
    Arc::new(common::table(name, players))
}

/// Deals that are decided by the cards alone, most of them: two suits and nothing to stake.
fn hardly_a_choice() -> Arc<Game> {
    let changes = "cells = [\"AC\"]\nranks = 4\nsuits = 2\nplayers = [2, 4]\n\
                   layout_ante = { fixed = { each = 1, dealer = 1 } }\n";
    Arc::new(house("newmarket", changes, 4))
}

/// The table's choice at a step: any function of both will do.
fn pick(legal: ActionMask, table: usize, step: usize) -> Action {
    let mut rng = Seed::new(step as u64).child(table as u64).rng();
    legal.nth(draw(&mut rng, legal.len().max(1))).unwrap_or(Action::KEEP)
}

fn picks(owned: &Owned, step: usize) -> Vec<Action> {
    owned.legal.iter().enumerate().map(|(table, &legal)| pick(legal, table, step)).collect()
}

/// One table of a batch, as it should be.
struct Single {
    env: Env,
    seed: Seed,
    episode: u64,
    /// Rewards of an episode that was over when it began, and that no step has reported.
    due: bool,
    /// How the last episode ended, under [`Autoreset::SameStep`].
    end: Option<Env>,
}

impl Single {
    fn new((game, episode): &Table, seed: Seed) -> Self {
        let env = Env::new(game.clone(), episode.clone());
        let mut single = Self { env, seed, episode: 0, due: false, end: None };
        single.env.reset(seed.child(0));
        single.due = single.env.is_over();
        single
    }

    fn next(&mut self) {
        self.episode += 1;
        self.env.reset(self.seed.child(self.episode));
        self.due = self.env.is_over();
    }

    /// The rewards of a step, and whether it ended an episode.
    fn step(&mut self, action: Action, autoreset: Autoreset) -> ([i32; MAX_PLAYERS], bool) {
        let mut rewards = [0; MAX_PLAYERS];
        let stepped = !self.env.is_over();
        if stepped {
            self.env.step(action).expect("it is legal");
        } else if autoreset == Autoreset::NextStep && !self.due {
            self.next();
        }
        if stepped || self.due {
            rewards[..self.env.rewards().len()].copy_from_slice(self.env.rewards());
            self.due = false;
        }
        let over = self.env.is_over();
        if over && autoreset == Autoreset::SameStep {
            self.end = Some(self.env.clone());
            self.next();
        }
        (rewards, over)
    }
}

/// How many episodes ended.
fn equals_single(tables: &[Table], autoreset: Autoreset, steps: usize) -> usize {
    let seed = Seed::new(3);
    let mut batch = BatchEnv::new(tables.iter().cloned(), autoreset, seed);
    let mut singles: Vec<Single> =
        tables.iter().zip(0..).map(|(table, t)| Single::new(table, seed.child(t))).collect();
    let mut owned = Owned::new(tables.len());
    batch.observe_all(&mut owned.buffers()).unwrap();
    assert!(owned.rewards.iter().all(|rewards| *rewards == [0; MAX_PLAYERS]));
    let mut ends = 0;
    for step in 0..steps {
        for (table, Single { env, end, .. }) in singles.iter().enumerate() {
            assert_eq!(owned.seats[table] as usize, env.seat());
            assert_eq!(owned.legal[table], env.legal());
            assert_eq!(batch.legal(table), env.legal());
            assert_eq!(owned.observations[table], Observation::of(&env.observe(env.seat())));
            let here = env.is_over().then_some(env);
            let end = if autoreset == Autoreset::SameStep { end.as_ref() } else { here };
            let last = end.map(|env| env.observe(1));
            assert_eq!(batch.observe_final(table, 1), last, "step {step} table {table}");
        }
        let actions = picks(&owned, step);
        batch.step(&actions, &mut owned.buffers()).unwrap();
        for (table, single) in singles.iter_mut().enumerate() {
            let (rewards, over) = single.step(actions[table], autoreset);
            ends += usize::from(over);
            assert_eq!(owned.over[table], over, "step {step} table {table}");
            assert_eq!(owned.rewards[table], rewards, "step {step} table {table}");
            if autoreset == Autoreset::Disabled && over && step % 3 == 0 {
                single.next();
                batch.reset_table(table);
            }
        }
        if autoreset == Autoreset::Disabled {
            let rewards = owned.rewards.clone();
            batch.observe_all(&mut owned.buffers()).unwrap();
            owned.rewards = rewards;
        }
    }
    ends
}

#[test]
fn equals_single_environments_whatever_is_played_where() {
    let tables = mixed();
    for autoreset in MODES {
        let ends = equals_single(&tables, autoreset, 250);
        assert!(ends > 2 * tables.len(), "{autoreset:?}: {ends} episodes ended");
    }
}

#[test]
fn episodes_without_a_decision_are_not_lost() {
    for episode in [Episode::Deal, Episode::Session] {
        let tables = vec![(hardly_a_choice(), episode); 40];
        let decided = |seed| {
            let mut env = Env::new(hardly_a_choice(), Episode::Deal);
            env.reset(Seed::new(seed));
            env.is_over()
        };
        assert!((0..40).any(decided), "some deals are over at once");
        for autoreset in MODES {
            assert!(equals_single(&tables, autoreset, 60) > 40);
        }
    }
}

#[test]
fn threads_make_no_difference() {
    let tables = mixed();
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut batch =
                BatchEnv::new(tables.iter().cloned(), Autoreset::SameStep, Seed::new(9));
            let mut owned = Owned::new(tables.len());
            batch.observe_all(&mut owned.buffers()).unwrap();
            let mut seen = Vec::new();
            for step in 0..100 {
                batch.step(&picks(&owned, step), &mut owned.buffers()).unwrap();
                seen.push(owned.clone());
            }
            seen
        })
    };
    let one = run(1);
    assert!(one == run(2) && one == run(3));
}

/// Plain numbers side by side say the same as packed buffers, in both forms, in one thread and in two.
#[test]
fn plain_rows_say_the_same() {
    let kinds = mixed();
    let tables: Vec<_> = kinds.iter().cycle().take(300).cloned().collect();
    let count = tables.len();
    let mut batch = BatchEnv::new(tables, Autoreset::SameStep, Seed::new(6)).single_threaded();
    let (mut packed_twin, mut vector_twin) = (batch.clone(), batch.clone());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let mut pooled_twin =
        BatchEnv::new(kinds.iter().cycle().take(300).cloned(), Autoreset::SameStep, Seed::new(6));
    let mut owned = Owned::new(count);
    let mut packed = vec![[7; Observation::BYTES]; count];
    let mut vectors = vec![[f32::NAN; Observation::LEN]; count];
    let mut masks = [vec![[9; Action::COUNT]; count], vec![[9; Action::COUNT]; count]];
    let mut seats = [vec![9; count], vec![9; count]];
    let (mut all, mut of_actor) = (vec![[0.5; MAX_PLAYERS]; count], vec![0.5; count]);
    let mut over = [vec![true; count], vec![true; count]];
    for step in 0..60 {
        let [first, second] = &mut masks;
        let ([seats_1, seats_2], [over_1, over_2]) = (&mut seats, &mut over);
        let mut rows = PlainRows {
            observations: PlainObservations::Packed(&mut packed),
            mask: first,
            seats: seats_1,
            rewards: PlainRewards::Seats(&mut all),
            over: over_1,
        };
        let mut others = PlainRows {
            observations: PlainObservations::F32(&mut vectors),
            mask: second,
            seats: seats_2,
            rewards: PlainRewards::Actor(&mut of_actor),
            over: over_2,
        };
        if step == 0 {
            batch.observe_all(&mut owned.buffers()).unwrap();
            packed_twin.observe_all(&mut rows).unwrap();
            vector_twin.observe_all(&mut others).unwrap();
        } else {
            let actions = picks(&owned, step);
            batch.step(&actions, &mut owned.buffers()).unwrap();
            if step % 2 == 0 {
                packed_twin.step(&actions, &mut rows).unwrap();
                pooled_twin.step(&actions, &mut Owned::new(count).buffers()).unwrap();
            } else {
                pool.install(|| pooled_twin.step(&actions, &mut rows)).unwrap();
                packed_twin.step(&actions, &mut Owned::new(count).buffers()).unwrap();
            }
            vector_twin.step(&actions, &mut others).unwrap();
        }
        let mut flat = vec![0.0; Observation::LEN];
        for table in 0..count {
            assert_eq!(&packed[table], owned.observations[table].as_bytes());
            owned.observations[table].write(&mut flat);
            assert_eq!(vectors[table][..], flat);
            let legal = Action::ALL.map(|action| i8::from(owned.legal[table].contains(action)));
            assert_eq!([masks[0][table], masks[1][table]], [legal; 2]);
            let seat = owned.seats[table];
            assert_eq!([seats[0][table], seats[1][table]], [seat; 2]);
            let rewards = owned.rewards[table].map(|chips| chips as f32);
            assert_eq!((all[table], of_actor[table]), (rewards, rewards[usize::from(seat)]));
            assert_eq!([over[0][table], over[1][table]], [owned.over[table]; 2]);
        }
    }
}

/// Rows and masks in place are those that are written whole: in every game, under any rules, over the ends of
/// deals and episodes, in the threads of a pool, and where tables were stepped or reset by themselves meanwhile.
#[test]
fn rows_in_place_are_whole_rows() {
    let of_any_rules = (0..100).map(|seed| {
        let game = any_rules::game(&mut Seed::new(seed).rng()).0;
        let episode = if seed % 2 == 0 { Episode::Deal } else { Episode::Session };
        (Arc::new(game), episode)
    });
    let tables: Vec<_> = mixed().into_iter().chain(of_any_rules).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    for autoreset in MODES {
        let mut twin = BatchEnv::new(tables.iter().cloned(), autoreset, Seed::new(8));
        let mut batch = twin.clone().single_threaded();
        let mut owned = Owned::new(tables.len());
        let mut in_place = vec![[7; Observation::BYTES]; tables.len()];
        let mut rest = Owned::new(tables.len());
        let mut mask = vec![[0; Action::COUNT]; tables.len()];
        let mut rewards = vec![0.0; tables.len()];
        batch.observe_all(&mut owned.buffers()).unwrap();
        // The twin has written nothing yet: its first step writes whole rows.
        for step in 1..200 {
            let actions = picks(&owned, step);
            batch.step(&actions, &mut owned.buffers()).unwrap();
            let mut rows = PlainRows {
                observations: PlainObservations::PackedInPlace(&mut in_place),
                mask: &mut mask,
                seats: &mut rest.seats,
                rewards: PlainRewards::Actor(&mut rewards),
                over: &mut rest.over,
            };
            if step % 3 == 0 {
                twin.step(&actions, &mut rows).unwrap();
            } else {
                pool.install(|| twin.step(&actions, &mut rows)).unwrap();
            }
            assert_eq!((&rest.seats, &rest.over), (&owned.seats, &owned.over), "step {step}");
            for (table, observation) in owned.observations.iter().enumerate() {
                let bytes = observation.as_bytes();
                assert_eq!(bytes, &in_place[table], "{autoreset:?}, step {step}, table {table}");
                let legal = Action::ALL.map(|action| i8::from(owned.legal[table].contains(action)));
                assert_eq!(mask[table], legal, "{autoreset:?}, step {step}, table {table}");
                let reward = owned.rewards[table][usize::from(owned.seats[table])];
                assert_eq!(rewards[table] as i32, reward, "{autoreset:?}, {step}, table {table}");
            }
            if step % 100 == 60 {
                // A copy has written nothing either.
                twin = twin.clone();
                in_place.fill([0; Observation::BYTES]);
            }
            if step % 50 == 20 {
                for batch in [&mut batch, &mut twin] {
                    batch.reset_table(3);
                    batch.step_table(5, pick(batch.legal(5), 5, step)).unwrap();
                    batch.reset_table_to(7, Seed::new(step as u64), 9);
                }
                // The choices are others now; the rows are old until the next step.
                owned.legal = (0..tables.len()).map(|table| batch.legal(table)).collect();
            }
        }
    }
}

#[test]
fn a_refused_step_changes_nothing() {
    let tables = vec![(game("newmarket", 4), Episode::Deal); 150];
    let mut batch = BatchEnv::new(tables, Autoreset::NextStep, Seed::new(1));
    let mut owned = Owned::new(150);
    batch.observe_all(&mut owned.buffers()).unwrap();
    let before = owned.clone();
    let mut actions = vec![Action::chip(2); 150];
    actions[70] = Action::BID;
    actions[99] = Action::BID;
    let error = batch.step(&actions, &mut owned.buffers()).unwrap_err();
    assert!(matches!(error, BatchError::Illegal { table: 70, .. }), "{error}");
    assert!(error.to_string().starts_with("table 70: seat "), "{error}");
    let short = batch.step(&actions[1..], &mut owned.buffers()).unwrap_err();
    assert_eq!(short.to_string(), "actions has 149 entries, expected 150");
    let short = batch.observe_all(&mut Owned::new(151).buffers()).unwrap_err();
    assert_eq!(short.to_string(), "observations has 151 entries, expected 150");
    batch.observe_all(&mut owned.buffers()).unwrap();
    assert_eq!(owned, before);
}

#[test]
#[should_panic(expected = "carried over from another game")]
fn chips_of_another_game_are_refused() {
    let deal_starts = DealStarts::random(&game("michigan", 4), 1, Seed::new(1));
    let table = (game("michigan", 5), Episode::Carried(Arc::new(deal_starts)));
    BatchEnv::new([table], Autoreset::NextStep, Seed::new(1));
}
