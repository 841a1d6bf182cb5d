//! What the native player sees and answers, in a file, for programs that play the same deals through
//! the library: `cargo run --release -p newmarket-c --example native_views -- PLAYER VIEWS FILE`.
//!
//! The file has records of a byte for the kind and four for the length, lowest first:
//!
//! - `S`: a line to be sent;
//! - `E`: a line to be sent, a line feed, and the line that is answered;
//! - `V`: a decision of a network, as [`View`] is written.
//!
//! All games, all numbers of players, two deals of a session each. A quarter of the actions are
//! drawn, so that tables come about at which the player would not find itself.

use std::error::Error;
use std::io::{BufWriter, Write};
use std::sync::Arc;
use std::time::Duration;

use newmarket_agents::net::{self, Plays};
use newmarket_agents::{Agent, Player, search};
use newmarket_checkpoints::NetPlayer;
use newmarket_engine::{Choice, Engine, SessionTable, Tables};
use newmarket_env::rules::NAMES;
use newmarket_env::{
    Action, ActionMask, Game, Observation, Phase, Rng, Rules, Seed, State, random, seed,
};
use newmarket_net::{QuantisedNet, QuantisedScratch, argmax, masked_softmax};
use serde_json::json;

/// Deals of a session that are played.
const DEALS: u32 = 2;
/// Decisions between two that are searched and analysed.
const BETWEEN: u64 = 997;
/// Players of those that search.
const SEARCHING: [&str; 3] = ["net:player+search:32", "pimc:16", "ismcts:32"];
/// The player that is asked for each lead that is a choice.
const AT_LEADS: &str = "net:player+pimc:64";

struct Writer<W> {
    out: W,
    /// The same tables here, for questions that take worlds.
    tables: Tables,
    net: Arc<QuantisedNet>,
    scratch: QuantisedScratch,
    views: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [player, views, path] = &args[..] else { return Err("expected PLAYER VIEWS FILE".into()) };
    let views: u64 = views.parse()?;
    let player = NetPlayer::from_bytes(&std::fs::read(player)?)?;
    let net = Arc::new(QuantisedNet::new(&player.checkpoint.weights));
    let out = BufWriter::new(std::fs::File::create(path)?);
    let scratch = net.scratch();
    let searching = net.clone();
    let players = move |name: &str| searcher(name, &searching);
    // Nobody looks at a clock.
    let tables = Tables::new(Engine::new(Box::new(players), &[], || Duration::ZERO));
    let mut writer = Writer { out, tables, net, scratch, views: 0 };
    for seed in 0.. {
        for name in NAMES {
            let (least, most) = Rules::named(name).ok_or("no game")?.players;
            for players in least..=most {
                let rules = Rules::named(name).ok_or("no game")?;
                writer.session(Arc::new(Game::new(rules, players)?), seed)?;
                if writer.views >= views {
                    writer.out.flush()?;
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// The question what this player would do.
fn asked(player: &str) -> serde_json::Value {
    json!({"type":"ask","id":"1","table":"a","player":player})
}

/// The player of a name.
fn searcher(name: &str, network: &Arc<QuantisedNet>) -> Result<Box<dyn Agent>, String> {
    if let Some((_, Some((how, worlds)))) = net::parts(name) {
        return Ok(how.player(
            name,
            network.clone(),
            net::worlds(worlds).ok_or("no number")?,
            Plays::LIKELIEST,
        ));
    }
    let found = search::named(name, None).map_err(|error| error.to_string())?;
    found.and_then(Player::fair).ok_or("no player".into())
}

impl<W: Write> Writer<W> {
    fn session(&mut self, game: Arc<Game>, seed: u64) -> Result<(), Box<dyn Error>> {
        let rules = json!({"base":game.rules().base});
        self.send(&json!({"type":"open","table":"a","rules":rules,"players":game.players(),
            "seed":seed.to_string()}))?;
        let mut rng = Seed::new(seed).child(77).rng();
        let mut table = SessionTable::open(game, Seed::new(seed));
        for deal in 1..=DEALS {
            while !table.state().is_over() {
                let choice = self.decision(&table, &mut rng)?;
                table.answer(&choice)?;
            }
            if deal == DEALS || !table.next_deal() {
                break;
            }
            self.send(&json!({"type":"next","table":"a"}))?;
        }
        Ok(())
    }

    /// A whole decision, action by action, those left out that are forced.
    fn decision(&mut self, table: &SessionTable, rng: &mut Rng) -> Result<Choice, Box<dyn Error>> {
        let game = table.game();
        let mut state = *table.state();
        let (seat, phase) = (state.actor().ok_or("nobody is to act")?, state.phase());
        let (mut actions, mut views) = (Vec::new(), Vec::new());
        loop {
            let view = state.view(game, seat);
            let legal = match phase {
                Phase::SetApart => ActionMask::only(view.pick_of_best_five()),
                _ => view.legal(),
            };
            let forced = view.legal().is_forced();
            let action = if seed::below(rng, 4) == 0 {
                random::choice(legal, rng)
            } else {
                self.choose(&state, game, legal)
            };
            if !forced {
                views.push((state, legal, action));
            }
            actions.push(action);
            state.apply(game, action)?;
            let several = matches!(phase, Phase::Ante | Phase::SetApart);
            if !several || state.phase() != phase || state.actor() != Some(seat) {
                break;
            }
        }
        let choice = Choice::of(&table.state().view(game, seat), &actions).ok_or("none")?;
        if phase == Phase::Lead && !views.is_empty() {
            self.question(&asked(AT_LEADS))?;
        }
        if self.views % BETWEEN < views.len() as u64 {
            self.search()?;
        }
        let answer = json!({"type":"answer","table":"a","do":choice}).to_string();
        self.say(&answer)?;
        if views.is_empty() {
            self.record(b'S', answer.as_bytes())?;
        }
        for (nth, (state, legal, action)) in views.iter().enumerate() {
            let more = nth + 1 < views.len();
            self.view(state, game, *legal, *action, more)?;
        }
        Ok(choice)
    }

    fn choose(&mut self, state: &State, game: &Game, legal: ActionMask) -> Action {
        let seat = state.actor().expect("somebody is to act");
        let observation = Observation::of(&state.view(game, seat));
        Action::from_index(argmax(self.net.logits(&observation, &mut self.scratch), legal.bits()))
    }

    /// A view, in numbers of four bytes, lowest first: a hash of the row, the seat, the network's
    /// action, the action that is taken, whether the decision takes more of them, the value, a hash of
    /// the policy, `[actions]` logits, and `[actions]` bytes of legal actions with two more.
    fn view(
        &mut self,
        state: &State,
        game: &Game,
        legal: ActionMask,
        taken: Action,
        more: bool,
    ) -> Result<(), Box<dyn Error>> {
        let seat = state.actor().ok_or("nobody is to act")?;
        let observation = Observation::of(&state.view(game, seat));
        let mut row = vec![0.0; Observation::LEN];
        observation.write(&mut row);
        let (mut logits, mut value) = (Vec::new(), 0.0);
        let asked = |_| legal.bits();
        self.net.forward_each(&row, asked, &mut self.scratch, |_, found, worth| {
            (logits, value) = (found.to_vec(), worth);
        });
        let mut policy = [0.0; Action::COUNT];
        masked_softmax(&logits, legal.bits(), &mut policy);
        let best = argmax(&logits, legal.bits());
        let numbers = [
            hash(&row),
            seat as u32,
            best as u32,
            taken.index() as u32,
            u32::from(more),
            value.to_bits(),
            hash(&policy),
        ];
        let mut bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        bytes.extend(logits.iter().flat_map(|logit| logit.to_bits().to_le_bytes()));
        bytes.extend(Action::ALL.map(|action| u8::from(legal.contains(action))));
        bytes.extend([0; 2]);
        self.views += 1;
        self.record(b'V', &bytes)
    }

    /// Questions that take worlds, and their answers.
    fn search(&mut self) -> Result<(), Box<dyn Error>> {
        for player in SEARCHING {
            self.question(&asked(player))?;
        }
        self.question(&json!({"type":"analyse","id":"1","table":"a","budget":{"worlds":12}}))
    }

    fn question(&mut self, question: &serde_json::Value) -> Result<(), Box<dyn Error>> {
        let line = question.to_string();
        let reply = self.say(&line)?;
        self.record(b'E', format!("{line}\n{reply}").as_bytes())
    }

    fn send(&mut self, line: &serde_json::Value) -> Result<(), Box<dyn Error>> {
        let line = line.to_string();
        self.say(&line)?;
        self.record(b'S', line.as_bytes())
    }

    /// The one reply to a line.
    fn say(&mut self, line: &str) -> Result<String, Box<dyn Error>> {
        let mut replies = self.tables.receive(line.as_bytes());
        while self.tables.is_busy() {
            replies.extend(self.tables.work());
        }
        match (replies.pop(), replies.pop()) {
            (Some(reply), None) if !reply.starts_with(r#"{"type":"error""#) => Ok(reply),
            other => Err(format!("{line}: {other:?}").into()),
        }
    }

    fn record(&mut self, kind: u8, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
        self.out.write_all(&[kind])?;
        self.out.write_all(&(bytes.len() as u32).to_le_bytes())?;
        Ok(self.out.write_all(bytes)?)
    }
}

/// FNV-1a over the bits of numbers, four bytes at a time.
fn hash(numbers: &[f32]) -> u32 {
    let mix = |hash: u32, number: &f32| (hash ^ number.to_bits()).wrapping_mul(0x0100_0193);
    numbers.iter().fold(0x811c_9dc5, mix)
}
