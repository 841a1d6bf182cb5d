//! Players that follow the events of a deal: the events tell all that their seat may know,
//! and no more.

use std::sync::{Arc, Mutex};

use newmarket_agents::strategy::Strategy;
use newmarket_agents::{DealEvents, Deals, EventAgent, Player, Replay, Table, record};
use newmarket_env::rules::NAMES;
use newmarket_env::{
    Action, DealStart, Event, Game, MAX_PLAYERS, Observation, Rng, Rules, Seed, Seen, seed,
};

/// Builds its knowledge from events alone, and plays at random.
#[derive(Default)]
struct Listener {
    seats: [Option<(Replay, Seen)>; MAX_PLAYERS],
    ends: Arc<Mutex<Ends>>,
}

/// How each deal ended for a seat that was asked: its last event, and which deal it was.
type Ends = Vec<(Event, Option<u32>)>;

impl Listener {
    fn listen(&mut self, deal: &DealEvents) -> Vec<Event> {
        let (replay, seen) = self.seats[deal.seat()].get_or_insert_with(|| {
            let start: &DealStart = deal.deal_start();
            let game = Arc::new(deal.game().clone());
            (Replay::default(), Seen::new(game, deal.seat(), start).unwrap())
        });
        let news = deal.since(replay);
        seen.tell(&news).unwrap();
        assert!(deal.since(replay).is_empty(), "nothing is told twice");
        news
    }
}

impl EventAgent for Listener {
    fn name(&self) -> &'static str {
        "listener"
    }

    fn act(&mut self, deal: &DealEvents, rng: &mut Rng) -> Action {
        let first = self.seats[deal.seat()].is_none();
        let news = self.listen(deal);
        let view = deal.view();
        let (_, seen) = self.seats[deal.seat()].as_mut().unwrap();
        // The chips of an ante, and five cards, are told with the last of them.
        if first || !news.is_empty() {
            let told = seen.asked().unwrap();
            assert_eq!(told.legal(), view.legal());
            let (told, shown) = (Observation::of(&told), Observation::of(&view));
            assert!(told.as_bytes() == shown.as_bytes(), "{view:?}");
        }
        view.legal().nth(seed::below(rng, view.legal().len() as u32) as usize).unwrap()
    }

    fn over(&mut self, deal: &DealEvents) {
        if self.seats[deal.seat()].is_some() {
            let news = self.listen(deal);
            let last = news.last().unwrap().clone();
            self.ends.lock().unwrap().push((last, deal.session().map(|place| place.deal)));
            self.seats[deal.seat()] = None;
        }
    }

    fn another(&self) -> Box<dyn EventAgent> {
        Box::new(Self { seats: Default::default(), ends: self.ends.clone() })
    }
}

fn games() -> impl Iterator<Item = Game> {
    NAMES.into_iter().flat_map(|name| {
        let rules = Rules::named(name).unwrap();
        let (min, max) = rules.players;
        [min, max].map(|players| Game::new(rules.clone(), players).unwrap())
    })
}

fn is_end(event: &Event) -> bool {
    matches!(event, Event::Settle { .. } | Event::NoWinner {} | Event::Spill { .. })
}

#[test]
fn a_table_tells_all_that_a_seat_sees() {
    for game in games() {
        let (game, ends) = (Arc::new(game), Arc::default());
        let listener = Listener { seats: Default::default(), ends: Arc::clone(&ends) };
        let stopper: Player = Strategy::named("stopper").unwrap().into();
        let mut hero = Player::Events(listener.another());
        let (mut field, mut table) = (stopper.another(), Table::new(game.clone()));
        for deal in 0..20 {
            table.duel(Seed::new(deal), &mut hero, &mut field, |_| ());
            table.duel(Seed::new(deal), &mut field, &mut hero, |_| ());
            let mut players = [Player::Events(listener.another()), stopper.another()];
            table.play_seated(Seed::new(deal), &mut players, |seat| seat % 2);
        }
        let ends = ends.lock().unwrap();
        assert!(!ends.is_empty() && ends.iter().all(|end| is_end(&end.0) && end.1.is_none()));
    }
}

#[test]
fn deals_of_sessions_are_told_as_such() {
    for game in games() {
        let ends = Arc::default();
        let listener = Listener { seats: Default::default(), ends: Arc::clone(&ends) };
        let mut agents: Vec<Player> =
            (0..game.players()).map(|_| Player::Events(listener.another())).collect();
        record(&game, &mut agents, (12, Deals::InSessions), 5, |_| {
            Ok::<(), newmarket_agents::Disagreement>(())
        })
        .unwrap();
        let ends = ends.lock().unwrap();
        assert!(ends.iter().all(|end| is_end(&end.0)), "{ends:?}");
        assert!(ends.iter().any(|end| end.1 == Some(1)) && ends.iter().any(|end| end.1 > Some(1)));
    }
}

#[test]
fn a_table_that_nobody_listens_at_is_as_before() {
    // The same players with and without somebody who only listens in another seat.
    let game = Arc::new(Game::new(Rules::named("newmarket").unwrap(), 4).unwrap());
    let stopper: Player = Strategy::named("stopper").unwrap().into();
    let mut alone = [stopper.another(), Player::Events(Box::new(Listener::default()))];
    let (mut one, mut other) = (Table::new(game.clone()), Table::new(game));
    for deal in 0..50 {
        let with = one.play_seated(Seed::new(deal), &mut alone, |_| 0);
        let without = other.play_seated(Seed::new(deal), &mut [stopper.another()], |_| 0);
        assert_eq!(with, without);
    }
}
