//! x
use newmarket_env::*;
use std::hint::black_box;
use std::time::Instant;
fn main() {
  for name in rules::NAMES { for players in [3,4,5,6,7,8] {
        let Ok(game) = Game::new(Rules::named(name).unwrap(), players) else { continue };
        let mut worst = (0.0f64,0,0); let mut sum = 0.0; let mut n = 0;
            for seed in 0..60u64 {
                let mut rng = Seed::new(seed).rng();
                let mut state = State::new(&game, &Standing::fresh(players, 0));
                let mut leads = 0;
                loop {
                    match state.phase() {
                        Phase::Over => break,
                        Phase::Deal => { let pack = game.shuffle(&mut rng); let h = game.deal(pack.cards(), 0, state.seats_in()); state.deal(&game, &h); }
                        _ => {
                            if state.phase() == Phase::Lead { leads += 1;
                            let v = state.view(&game, state.actor().unwrap());
                            let t = Instant::now(); black_box(Worlds::of(&v)); let e = t.elapsed().as_secs_f64()*1e6;
                            if e > worst.0 { worst = (e, leads, seed) }; sum += e; n += 1;
                            }
                            let legal = state.legal(&game);
                            let n = seed::below(&mut rng, legal.len() as u32) as usize;
                            state.apply_unchecked(&game, legal.nth(n).unwrap());
                        }
                    }
                }
            }
        println!("{name} {players}: mean {:.0} us worst {worst:.0?} us", sum / n as f64);
    }}
}
