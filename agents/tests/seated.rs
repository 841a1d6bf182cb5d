//! Many tables with a hero, against one table at a time and by hand.

mod one_by_one;

use std::sync::Arc;

use newmarket_agents::net::{NetAgent, PlayKind, Plays};
use newmarket_agents::strategy::Strategy;
use newmarket_agents::{
    Agent, DecideMany, HeroSeat, OpenView, OpponentSeats, Player, Seated, Setup,
};
use newmarket_env::{
    Action, ActionMask, Autoreset, Buffers, Env, Episode, Game, Observation, Phase, Rng, Rules,
    Seed, View, random,
};
use newmarket_net::{NetConfig, QuantisedNet, Weights};
use one_by_one::OneByOne;

const TABLES: usize = 30;

fn setup(autoreset: Autoreset, hero: HeroSeat) -> Setup {
    let game = Arc::new(Game::new(Rules::named("newmarket-buy").unwrap(), 4).unwrap());
    let players = ["random", "stopper"].map(|name| Strategy::named(name).unwrap().into()).into();
    let seating = OpponentSeats::Fixed(vec![0, 1, 0, 1]);
    Setup { game, episode: Episode::Deal, players, seating, hero, autoreset }
}

/// A player whose leads are asked for at many tables at once; every other one it leaves to the player at the table.
struct Together(Box<dyn Agent>);

impl Agent for Together {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        assert_ne!(view.phase(), Phase::Lead, "asked for together");
        self.0.act(view, rng)
    }

    fn many(&self) -> Option<Box<dyn DecideMany>> {
        Some(Box::new(Self(self.0.another())))
    }

    fn act_undecided(&mut self, view: &View, rng: &mut Rng) -> Action {
        self.0.act(view, rng)
    }

    fn another(&self) -> Box<dyn Agent> {
        Box::new(Self(self.0.another()))
    }
}

impl DecideMany for Together {
    fn decides(&self, phase: Phase) -> bool {
        phase == Phase::Lead
    }

    fn act(&mut self, views: &[View], rngs: &mut [&mut Rng]) -> Vec<Option<Action>> {
        assert!(!views.is_empty(), "asked for nothing");
        let seen = views.iter().zip(rngs).enumerate();
        seen.map(|(nth, (view, rng))| (nth % 2 == 0).then(|| self.0.act(view, rng))).collect()
    }
}

/// The same setup with players that are asked together.
fn together(setup: Setup) -> Setup {
    let players = setup.players.into_iter();
    let players = players.map(|player| Together(player.fair().expect("a fair player")).into());
    Setup { players: players.collect(), ..setup }
}

struct Arrays {
    observations: Vec<Observation>,
    legal: Vec<ActionMask>,
    seats: Vec<u8>,
    rewards: Vec<[i32; 8]>,
    over: Vec<bool>,
}

impl Arrays {
    fn new() -> Self {
        Self {
            observations: vec![Observation::BLANK; TABLES],
            legal: vec![ActionMask::NONE; TABLES],
            seats: vec![0; TABLES],
            rewards: vec![[0; 8]; TABLES],
            over: vec![false; TABLES],
        }
    }

    fn buffers(&mut self) -> Buffers<'_> {
        Buffers {
            observations: &mut self.observations,
            legal: &mut self.legal,
            seats: &mut self.seats,
            rewards: &mut self.rewards,
            over: &mut self.over,
        }
    }
}

/// One table, slowly.
struct Single {
    env: Env,
    players: [Player; 4],
    rngs: [newmarket_env::Rng; 4],
    hero: usize,
    seed: Seed,
    episode: u64,
    gained: i32,
}

impl Single {
    fn new(seed: Seed, hero: Option<usize>) -> Self {
        let it = setup(Autoreset::SameStep, HeroSeat::Drawn);
        let mut players = it.players.into_iter();
        let (random, stopper) = (players.next().unwrap(), players.next().unwrap());
        let players = [random.another(), stopper.another(), random, stopper];
        let mut single = Self {
            env: Env::new(it.game, Episode::Deal),
            players,
            rngs: std::array::from_fn(|_| seed.rng()),
            hero: 0,
            seed,
            episode: 0,
            gained: 0,
        };
        single.begin(hero);
        single
    }

    fn begin(&mut self, hero: Option<usize>) {
        loop {
            let seed = self.seed.child(self.episode);
            let drawn = || newmarket_env::seed::below(&mut seed.child(101).rng(), 4) as usize;
            self.hero = hero.unwrap_or_else(drawn);
            self.rngs = std::array::from_fn(|seat| seed.child(100).child(seat as u64).rng());
            self.env.reset(seed);
            self.gained = 0;
            self.go_on();
            if !self.env.is_over() {
                return;
            }
            self.episode += 1;
        }
    }

    fn go_on(&mut self) {
        while !self.env.is_over() && self.env.seat() != self.hero {
            let seat = self.env.seat();
            let action = self.players[seat]
                .act(&OpenView::new(self.env.game(), self.env.state(), seat), &mut self.rngs[seat]);
            self.step(action);
        }
    }

    fn step(&mut self, action: Action) {
        self.env.step(action).unwrap();
        self.gained += self.env.rewards()[self.hero];
    }
}

#[test]
fn every_table_is_as_if_alone() {
    for (hero, threads, asked) in [
        (None, 1, false),
        (None, 3, false),
        (Some(2), 2, false),
        (None, 1, true),
        (Some(2), 3, true),
    ] {
        let seat = hero.map_or(HeroSeat::Drawn, HeroSeat::Fixed);
        let seeds: Vec<Seed> = (0..TABLES as u64).map(|table| Seed::new(3).child(table)).collect();
        let setup = setup(Autoreset::SameStep, seat);
        let setup = if asked { together(setup) } else { setup };
        let mut many = Seated::new(setup, &seeds, threads);
        let mut singles: Vec<Single> = seeds.iter().map(|&seed| Single::new(seed, hero)).collect();
        let mut arrays = Arrays::new();
        many.observe_all(&mut arrays.buffers()).unwrap();
        let (mut rng, mut ended) = (Seed::new(9).rng(), 0);
        for _ in 0..150 {
            let mut actions = Vec::new();
            for (table, single) in singles.iter().enumerate() {
                let view = single.env.observe(single.hero);
                assert_eq!(usize::from(arrays.seats[table]), single.hero);
                assert_eq!(arrays.observations[table], Observation::of(&view));
                assert_eq!(arrays.legal[table], single.env.legal());
                actions.push(random::choice(single.env.legal(), &mut rng));
            }
            many.step(&actions, &mut arrays.buffers()).unwrap();
            for (table, single) in singles.iter_mut().enumerate() {
                single.step(actions[table]);
                single.go_on();
                let over = single.env.is_over();
                assert_eq!(arrays.over[table], over);
                let seat = usize::from(arrays.seats[table]);
                assert_eq!(arrays.rewards[table][seat], single.gained);
                single.gained = 0;
                if over {
                    ended += 1;
                    let seen = many.observe_final(table).map(|view| Observation::of(&view));
                    assert_eq!(seen, Some(Observation::of(&single.env.observe(single.hero))));
                    single.episode += 1;
                    single.begin(hero);
                    assert_eq!(many.episode(table), single.episode);
                }
            }
        }
        assert!(ended > 100, "{ended}");
    }
}

/// Networks that draw some kinds of decision play side by side as they would one by one.
#[test]
fn drawing_networks_play_alike_in_batches_and_alone() {
    let shape = NetConfig { inputs: Observation::LEN, hidden: vec![8], actions: Action::COUNT };
    let net = Arc::new(QuantisedNet::new(&Weights::init(&shape, 3)));
    let draws = |kinds: &[PlayKind]| {
        kinds.iter().fold(Plays::LIKELIEST, |plays, &kind| plays.with(kind, Some(0.5)))
    };
    let play = |plays: Plays, alone: bool| {
        let player = NetAgent::new("net", net.clone(), plays.into());
        let player: Player = if alone { OneByOne(player).into() } else { player.into() };
        let seating = OpponentSeats::Fixed(vec![0; 4]);
        let setup = setup(Autoreset::SameStep, HeroSeat::Drawn);
        let setup = Setup { players: vec![player], seating, ..setup };
        let seeds: Vec<Seed> = (0..TABLES as u64).map(Seed::new).collect();
        let mut many = Seated::new(setup, &seeds, 2);
        let (mut arrays, mut seen) = (Arrays::new(), Vec::new());
        let mut rng = Seed::new(4).rng();
        many.observe_all(&mut arrays.buffers()).unwrap();
        for _ in 0..60 {
            seen.extend_from_slice(&arrays.observations);
            let legal = arrays.legal.iter();
            let actions: Vec<_> = legal.map(|&legal| random::choice(legal, &mut rng)).collect();
            many.step(&actions, &mut arrays.buffers()).unwrap();
        }
        seen
    };
    let likeliest = play(Plays::LIKELIEST, false);
    for kinds in [&[PlayKind::Ante][..], &[PlayKind::DeadHand, PlayKind::Lead]] {
        let plays = draws(kinds);
        let together = play(plays, false);
        assert!(together == play(plays, true), "{kinds:?}");
        assert!(together != likeliest, "{kinds:?}");
    }
    assert!(likeliest == play(Plays::LIKELIEST, true));
}

#[test]
fn autoreset_modes_play_the_same_episodes() {
    let seeds: Vec<Seed> = (0..TABLES as u64).map(Seed::new).collect();
    let modes = [Autoreset::NextStep, Autoreset::Disabled];
    for mode in modes {
        let mut many = Seated::new(setup(mode, HeroSeat::Drawn), &seeds, 1);
        let mut arrays = Arrays::new();
        let first = |legal: &ActionMask| legal.first().unwrap_or(Action::KEEP);
        for _ in 0..60 {
            let before: Vec<u64> = (0..TABLES).map(|table| many.episode(table)).collect();
            let open: Vec<bool> = (0..TABLES).map(|table| !many.legal(table).is_empty()).collect();
            let actions: Vec<Action> = (0..TABLES).map(|table| first(&many.legal(table))).collect();
            many.step(&actions, &mut arrays.buffers()).unwrap();
            for table in 0..TABLES {
                let next = mode == Autoreset::NextStep && !open[table];
                assert_eq!(many.episode(table) > before[table], next);
                if next || !open[table] {
                    assert_eq!(arrays.rewards[table], [0; 8]);
                }
                assert_eq!(arrays.over[table], many.legal(table).is_empty());
            }
        }
    }
}

#[test]
fn an_illegal_action_changes_nothing() {
    let seeds = [Seed::new(1), Seed::new(2)];
    let mut many = Seated::new(setup(Autoreset::SameStep, HeroSeat::Fixed(0)), &seeds, 1);
    let before = many.legal(0);
    let illegal = Action::ALL.into_iter().find(|&action| !many.legal(1).contains(action)).unwrap();
    let error = many.step_table(1, illegal).unwrap_err();
    assert!(error.to_string().starts_with("table 1: seat 0 may not"), "{error}");
    assert_eq!(many.legal(0), before);
}

/// A pack of six cards, in which a seat often has nothing to decide.
fn small() -> Arc<Game> {
    let changes = serde_json::json!({ "players": [2, 2], "ranks": 3, "suits": 2, "cells": ["2C"] });
    let rules = Rules::from_overrides("michigan", changes.as_object().unwrap()).unwrap();
    Arc::new(Game::new(rules, 2).unwrap())
}

#[test]
fn rewards_and_what_is_passed_over_are_all_chips() {
    let stopper = || Player::from(Strategy::named("stopper").unwrap());
    let first = |legal: &ActionMask| legal.first().unwrap_or(Action::KEEP);
    for (episode, autoreset) in [
        (Episode::Deal, Autoreset::SameStep),
        (Episode::Deal, Autoreset::NextStep),
        (Episode::Session, Autoreset::SameStep),
    ] {
        let is_session = episode == Episode::Session;
        let setup = Setup {
            game: small(),
            episode: episode.clone(),
            players: vec![stopper()],
            seating: OpponentSeats::Fixed(vec![0, 0]),
            hero: HeroSeat::Fixed(1),
            autoreset,
        };
        let seeds: Vec<Seed> = (0..TABLES as u64).map(Seed::new).collect();
        let mut many = Seated::new(setup, &seeds, 1);
        let mut arrays = Arrays::new();
        let (mut open, mut told) = ([0; TABLES], [0; TABLES]);
        for _ in 0..40 {
            let actions: Vec<Action> = (0..TABLES).map(|table| first(&many.legal(table))).collect();
            many.step(&actions, &mut arrays.buffers()).unwrap();
            for table in 0..TABLES {
                open[table] += i64::from(arrays.rewards[table][1]);
                if arrays.over[table] {
                    told[table] += std::mem::take(&mut open[table]);
                }
            }
        }
        let (mut skipped, mut env) = (0, Env::new(small(), episode));
        for (table, seed) in seeds.into_iter().enumerate() {
            let over = arrays.over[table] && autoreset == Autoreset::NextStep;
            let mut due = 0;
            for number in 0..many.episode(table) + u64::from(over) {
                env.reset(seed.child(number));
                due += i64::from(env.rewards()[1]);
                let mut stopper = stopper();
                while !env.is_over() {
                    let action = match env.seat() {
                        1 => first(&env.legal()),
                        seat => {
                            let view = OpenView::new(env.game(), env.state(), seat);
                            stopper.act(&view, &mut seed.rng())
                        }
                    };
                    env.step(action).unwrap();
                    due += i64::from(env.rewards()[1]);
                }
            }
            let passed = many.skipped(table);
            assert_eq!(told[table] + passed.gain, due, "table {table}, {autoreset:?}");
            skipped += passed.episodes;
        }
        assert!(skipped > 0 || is_session);
    }
}

#[test]
fn a_table_passes_over_as_long_as_it_is_played() {
    let setup = Setup {
        game: small(),
        episode: Episode::Deal,
        players: vec![Strategy::named("random").unwrap().into()],
        seating: OpponentSeats::Fixed(vec![0, 0]),
        hero: HeroSeat::Fixed(0),
        autoreset: Autoreset::SameStep,
    };
    let mut one = Seated::new(setup, &[Seed::new(1)], 1);
    // More than may be passed over in a row.
    while one.skipped(0).episodes <= 10_001 {
        one.step_table(0, one.legal(0).first().expect("the hero has a decision")).unwrap();
    }
}
