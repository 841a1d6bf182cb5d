//! A host: deals at many tables at once, all seats played by a program on a pipe.
//!
//! `cargo run --release -p newmarket-engine --example pipe -- 2000 michigan 4 net:champion
//! target/release/newmarket engine` plays 2,000 deals and says how many answers a second came.

use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use newmarket_engine::{Choice, SessionTable};
use newmarket_env::{Game, Rules, Seed};
use serde_json::{Value, json};

/// Deals in progress at the same time.
const TABLES: usize = 32;

/// A deal, and how many events each seat has been told.
struct Deal {
    table: SessionTable,
    told: Vec<Option<usize>>,
}

#[expect(clippy::print_stdout, reason = "what it is for")]
fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [deals, game, players, player, program, rest @ ..] = &args[..] else {
        return Err("expected DEALS GAME PLAYERS PLAYER PROGRAM [ARGUMENTS]".into());
    };
    let deals: u64 = deals.parse()?;
    let game = Arc::new(Game::new(Rules::named(game).ok_or("no such game")?, players.parse()?)?);
    let mut engine =
        Command::new(program).args(rest).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut to = engine.stdin.take().ok_or("no input")?;
    let mut from = BufReader::new(engine.stdout.take().ok_or("no output")?);
    let mut line = String::new();
    writeln!(to, "{}", json!({"type":"hello","versions":[1]}))?;
    from.read_line(&mut line)?;

    let begun = Instant::now();
    let (mut begins, mut answers, mut chips) = (0, 0_u64, 0_i64);
    let mut open: Vec<Option<Deal>> = (0..TABLES).map(|_| None).collect();
    let mut asked = 0;
    let mut out = String::new();
    for slot in 0..TABLES {
        asked += go_on(&mut open, slot, &game, deals, &mut begins, player, &mut out)?;
    }
    to.write_all(out.as_bytes())?;
    while asked > 0 {
        line.clear();
        if from.read_line(&mut line)? == 0 {
            return Err("the program has ended".into());
        }
        let answer: Value = serde_json::from_str(&line)?;
        let slot = answer["id"].as_str().and_then(|id| id.parse::<usize>().ok());
        let Some((slot, choice)) = slot.zip(answer.get("do")) else {
            return Err(format!("the program says {line}").into());
        };
        let choice: Choice = serde_json::from_value(choice.clone())?;
        let deal = open[slot].as_mut().ok_or("nothing was asked")?;
        deal.table.answer(&choice)?;
        answers += 1;
        if deal.table.state().is_over() {
            chips += i64::from(deal.table.state().stacks()[0]);
            open[slot] = None;
        }
        asked -= 1;
        out.clear();
        asked += go_on(&mut open, slot, &game, deals, &mut begins, player, &mut out)?;
        to.write_all(out.as_bytes())?;
    }
    let seconds = begun.elapsed().as_secs_f64();
    writeln!(to, "{}", json!({"type":"quit"}))?;
    drop(to);
    engine.wait()?;
    println!(
        "{answers} answers in {seconds:.2} s: {:.0} a second; seat 0 gained {chips} chips",
        answers as f64 / seconds
    );
    Ok(())
}

/// Asks the seat that is to act, at a new deal if there is none; how many were asked.
fn go_on(
    open: &mut [Option<Deal>],
    slot: usize,
    game: &Arc<Game>,
    deals: u64,
    begins: &mut u64,
    player: &str,
    out: &mut String,
) -> Result<usize, Box<dyn Error>> {
    if open[slot].is_none() {
        if *begins == deals {
            return Ok(0);
        }
        let table = SessionTable::open(game.clone(), Seed::new(*begins));
        *begins += 1;
        open[slot] = Some(Deal { table, told: vec![None; game.players()] });
    }
    let Some(Deal { table, told }) = &mut open[slot] else { return Ok(0) };
    let seat = table.state().actor().ok_or("nobody is to act")?;
    let name = format!("{slot}.{seat}");
    let mut say = |message: Value| {
        out.push_str(&message.to_string());
        out.push('\n');
    };
    let from = told[seat].unwrap_or_else(|| {
        let dealer = table.session().deal_start().dealer;
        say(json!({"type":"deal","table":name,"seat":seat,"player":player,
            "rules":{"base":game.rules().base},"players":game.players(),"dealer":dealer}));
        0
    });
    let events = table.told(seat);
    say(json!({"type":"event","table":name,"at":from,"events":events[from..]}));
    say(json!({"type":"ask","id":slot.to_string(),"table":name,"at":events.len()}));
    told[seat] = Some(events.len());
    Ok(1)
}
