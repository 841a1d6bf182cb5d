//! Chips that are carried into a deal on its own are those that play leaves.

mod common;

use std::sync::Arc;

use common::{all_tables, draw, house, table};
use newmarket_env::{DealStart, DealStarts, Env, Episode, Game, Seats, Seed};

fn random(game: &Arc<Game>, sessions: usize) -> DealStarts {
    DealStarts::random(game, sessions, Seed::new(8))
}

/// What a deal of a session leaves is what the next entry has, and the first has nothing.
#[test]
fn each_deal_begins_with_what_the_last_one_left() {
    let game = Arc::new(table("newmarket", 4));
    let deal_starts = random(&game, 40);
    let deals: Vec<&DealStart> = deal_starts.iter().collect();
    assert_eq!((deals.len(), deal_starts.len()), (400, 400), "ten deals each");
    let chips = |s: &DealStart| s.layout.iter().sum::<i32>() + s.kitty;
    for session in deals.chunks(10) {
        assert_eq!(chips(session[0]), 0);
        for (before, after) in session.iter().zip(&session[1..]) {
            assert_eq!(after.dealer, (before.dealer + 1) % 4, "the deal passes to the left");
            assert!(chips(after) <= chips(before) + 4 * 5, "an ante is five chips");
            assert!(after.kitty <= before.kitty + 4);
        }
    }
    for s in &deals {
        assert_eq!((s.stacks, s.credit, s.seats_in), ([0; 8], true, Seats::first(4)));
    }
    let later: i32 = deals.iter().skip(5).step_by(10).map(|s| chips(s)).sum();
    assert!(later > 40 * 3, "some cells go unclaimed: {later}");
}

/// The n-th deal of a session, counted from the first, is drawn as often as any other.
#[test]
fn deals_are_drawn_uniformly_by_the_seed() {
    let game = Arc::new(table("newmarket", 3));
    let deal_starts = random(&game, 4);
    let all: Vec<*const DealStart> = deal_starts.iter().map(std::ptr::from_ref).collect();
    let mut counts = vec![0_u32; all.len()];
    for seed in 0..40_000 {
        let drawn = std::ptr::from_ref(deal_starts.draw(Seed::new(seed)));
        counts[all.iter().position(|&entry| entry == drawn).expect("one of them")] += 1;
    }
    let chi2: f64 = counts.iter().map(|&c| (f64::from(c) - 1000.0).powi(2) / 1000.0).sum();
    // 39 degrees of freedom: the 99.99 % point is 81.
    assert!(chi2 < 81.0, "{chi2}");
    assert_eq!(deal_starts, random(&game, 4), "the same seed, the same play");
    assert_ne!(deal_starts, DealStarts::random(&game, 4, Seed::new(9)));
}

/// An episode begins with the chips and the dealer that its seed draws, on credit.
#[test]
fn an_episode_begins_where_its_seed_says() {
    for game in all_tables().into_iter().map(Arc::new) {
        let deal_starts = Arc::new(random(&game, 5));
        let mut env = Env::new(game.clone(), Episode::Carried(deal_starts.clone()));
        let mut carried = 0;
        for number in 0..30 {
            let seed = Seed::new(number);
            env.reset(seed);
            let deal_start = *env.session().deal_start();
            carried += deal_start.layout.iter().sum::<i32>();
            assert!(deal_starts.iter().any(|entry| *entry == deal_start));
            assert_eq!(env.state().dealer(), deal_start.dealer);
            let mut sums = [0; 8];
            let mut rng = seed.rng();
            while !env.is_over() {
                let legal = env.legal();
                env.step(legal.nth(draw(&mut rng, legal.len())).expect("a choice")).expect("legal");
                sums.iter_mut().zip(env.rewards()).for_each(|(sum, reward)| *sum += reward);
            }
            assert_eq!(sums, *env.state().stacks());
            let table = env.state().layout().iter().sum::<i32>() + env.state().kitty();
            let before = deal_start.layout.iter().sum::<i32>() + deal_start.kitty;
            assert_eq!(sums.iter().sum::<i32>() + table, before, "no chip is made or lost");
        }
        assert!(carried > 0, "{}", game.rules().title());
    }
}

/// Players decide, not chance: whoever stakes all chips on one cell leaves them there.
#[test]
fn another_policy_leaves_other_chips() {
    let game = Arc::new(table("newmarket", 4));
    let first = |view: &newmarket_env::View, _: &mut _| view.legal().first().expect("a choice");
    let deal_starts = DealStarts::play(&game, 20, Seed::new(1), first);
    let mut layout = [0; 4];
    for deal_start in deal_starts.iter() {
        layout.iter_mut().zip(deal_start.layout).for_each(|(sum, chips)| *sum += chips);
    }
    assert!(layout[0] > 0 && layout[1..] == [0; 3], "{layout:?}");
}

/// Where busts cut sessions short, only deals that were played are drawn.
#[test]
fn short_sessions_have_few_deals() {
    let bankroll = "[session]\nbankroll = { chips = { start = 10, on_bust = \"end_session\" } }\n";
    let game = Arc::new(house("newmarket", bankroll, 4));
    let deal_starts = random(&game, 100);
    assert!((100..600).contains(&deal_starts.len()), "{}", deal_starts.len());
}

/// Deal starts of one's own are checked: there must be one, and a deal of the game begins like each.
#[test]
fn own_deal_starts_are_checked() {
    let game = Arc::new(table("newmarket", 3));
    let of = |entries: Vec<DealStart>| DealStarts::of(&game, entries);
    let four = DealStart::fresh(4, 0);
    let below = DealStart { kitty: -1, ..DealStart::fresh(3, 0) };
    for wrong in [vec![], vec![four], vec![DealStart::fresh(3, 0), below]] {
        assert!(of(wrong.clone()).is_err(), "{wrong:?}");
    }
    let played = random(&game, 2);
    assert_eq!(of(played.iter().copied().collect()), Ok(played));
}
