//! Views of all named games at all numbers of players, and what a network answers: what other
//! implementations are compared with.
//!
//! `cargo run --release -p newmarket-checkpoints --example views -- PLAYER COUNT > rows` writes a row of
//! little-endian f32 a view: the observation, the legal actions (0 or 1), the logits, the policy, the value and the
//! action, all computed in f32; then the logits of legal actions (−∞ for others), the value and the action in whole
//! numbers, by which the player plays here. A third of the decisions are the network's, a third
//! drawn from its policy, a third at random, so that all kinds of views come up.

use std::error::Error;
use std::io::{BufWriter, Write, stdout};
use std::path::Path;

use newmarket_agents::net::{ActionSelection, PlayKind};
use newmarket_checkpoints::roster::net_player;
use newmarket_env::rules::NAMES;
use newmarket_env::{
    Action, DealDriver, DealStart, Game, Observation, Rules, Seats, Seed, State, random, seed,
};
use newmarket_net::{FastNet, QuantisedNet, argmax, masked_softmax, sample};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [player, count] = &args[..] else { return Err("expected PLAYER COUNT".into()) };
    let (player, mut left): (_, u64) = (net_player(Path::new(player))?, count.parse()?);
    let net = FastNet::new(&player.checkpoint.weights);
    let mut scratch = net.scratch();
    let as_played = QuantisedNet::new(&player.checkpoint.weights);
    let mut whole = as_played.scratch();
    let mut games = Vec::new();
    for name in NAMES {
        let (least, most) = Rules::named(name).ok_or("a named game")?.players;
        for players in least..=most {
            games.push(Game::new(Rules::named(name).ok_or("a named game")?, players)?);
        }
    }
    let mut rng = Seed::new(20_261_122).rng();
    let mut out = BufWriter::new(stdout().lock());
    for deal in 0.. {
        let (game, dealer) = (&games[deal % games.len()], deal / games.len());
        let (players, dealer) = (game.players(), dealer % game.players());
        let mut state = State::new(game, &DealStart::fresh(players, dealer));
        let cards = game.shuffle_and_deal(&mut rng, dealer, Seats::first(players));
        while let Some(decision) = DealDriver::CHOICES.next(game, &mut state, || cards) {
            let view = state.view(game, decision.seat);
            let legal = decision.legal.bits();
            let mut observation = [0.0; Observation::LEN];
            Observation::of(&view).write(&mut observation);
            let (logits, value) = net.forward(&observation[..], &mut scratch);
            let best = argmax(logits, legal);
            let temperature = match player.choice {
                ActionSelection::Tempered(by) => Some(by),
                ActionSelection::ByKind(plays) => plays.temperature(PlayKind::due(&view)),
                _ => Some(1.0),
            };
            let mut policy = [0.0; Action::COUNT];
            if let Some(by) = temperature {
                let weighed: Vec<f32> = logits.iter().map(|logit| logit / by).collect();
                masked_softmax(&weighed, legal, &mut policy);
            } else {
                policy[best] = 1.0;
            }

            let mask = Action::ALL.map(|it| f32::from(u8::from(decision.legal.contains(it))));
            let row = observation.iter().chain(&mask).chain(logits).chain(&policy);
            let mut row: Vec<f32> = row.chain(&[value, best as f32]).copied().collect();
            as_played.forward_each(
                &observation,
                |_| legal,
                &mut whole,
                |_, logits, value| {
                    row.extend(logits);
                    row.extend([value, argmax(logits, legal) as f32]);
                },
            );
            for number in row {
                out.write_all(&number.to_le_bytes())?;
            }
            left -= 1;
            if left == 0 {
                return Ok(out.flush()?);
            }
            let action = match seed::below(&mut rng, 3) {
                0 => Action::from_index(best),
                1 => Action::from_index(sample(logits, legal, seed::unit(&mut rng)).0),
                _ => random::choice(decision.legal, &mut rng),
            };
            state.apply(game, action)?;
        }
    }
    Ok(())
}
