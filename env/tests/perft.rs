//! Perft against the referee playing every line to its end.

mod random;

use newmarket_env::seed::shuffle;
use newmarket_env::trace::InSession;
use newmarket_env::{Action, ActionMask, Card, DealStart, Game, Record, Referee, Seed, perft};

/// Plays the deal with these leads and the first legal action everywhere else; the numbers of
/// choices at each lead.
fn play<'g>(
    game: &'g Game,
    deal_start: DealStart,
    pack: &[Card],
    leads: &[usize],
) -> (Referee<'g>, Vec<usize>) {
    let mut widths = Vec::new();
    let decide = |_: &Referee<'_>, _, legal: ActionMask| {
        let mut choice = 0;
        if legal.first().is_some_and(|action: Action| action.suit().is_some()) {
            choice = leads.get(widths.len()).copied().unwrap_or(0);
            widths.push(legal.len());
        }
        Ok::<_, std::convert::Infallible>(legal.nth(choice).unwrap())
    };
    let played = Referee::play(game, deal_start, pack, decide).unwrap();
    (played, widths)
}

/// Every line, one after the other: like an odometer of leads. `None` above a limit.
fn count(game: &Game, deal_start: DealStart, pack: &[Card]) -> Option<u128> {
    let mut leads = Vec::new();
    for lines in 1..4000 {
        let (_, widths) = play(game, deal_start, pack, &leads);
        leads.resize(widths.len(), 0);
        loop {
            match leads.pop() {
                None => return Some(lines),
                Some(choice) if choice + 1 < widths[leads.len()] => {
                    leads.push(choice + 1);
                    break;
                }
                Some(_) => {}
            }
        }
    }
    None
}

#[test]
fn equal_to_playing_every_line() {
    let mut compared = 0;
    let mut branching = 0;
    let mut poker = 0;
    for index in 0..400 {
        let mut rng = Seed::new(11).child(index).rng();
        let game = random::any_game(&mut rng);
        let deal_start = DealStart::fresh(game.players(), index as usize % game.players());
        let mut pack: Vec<Card> = game.pack().iter().collect();
        shuffle(&mut pack, &mut rng);
        let (played, _) = play(&game, deal_start, &pack, &[]);
        let (dealer, seats_in) = (deal_start.dealer, deal_start.seats_in);
        let winner = played.poker_winner();
        let counted = perft::perft(&game, dealer, seats_in, played.opening(), winner);
        let record = Record::of(&played, InSession::default());
        assert_eq!(perft::of_record(&record, 1), Ok(counted));
        if counted < 1000 {
            assert_eq!(count(&game, deal_start, &pack), Some(counted), "{}", record.to_line());
            compared += 1;
            branching += u32::from(counted > 20);
            poker += u32::from(played.poker_winner().is_some());
        }
    }
    assert!(compared > 150 && branching > 60 && poker > 6, "{compared} {branching} {poker}");
}

#[test]
fn a_record_without_hands_is_an_error() {
    let mut rng = Seed::new(3).rng();
    let game = random::any_game(&mut rng);
    let good = random::single(&game, &mut rng);
    let mut record = good.clone();
    record.events.retain(|event| !matches!(event, newmarket_env::Event::Deal { .. }));
    let fault = perft::of_record(&record, 7).unwrap_err();
    assert!(fault.to_string().starts_with("line 7: "), "{fault}");
    let mut record = good.clone();
    record.dealer = 99;
    assert!(perft::of_record(&record, 1).is_err());
    let mut record = good;
    for event in &mut record.events {
        if let newmarket_env::Event::Deal { hands, .. } = event {
            hands[0].pop();
        }
    }
    assert!(perft::of_record(&record, 1).is_err());
}

#[test]
fn where_the_pot_gives_the_lead_it_must_be_won() {
    let rules = newmarket_env::Rules::named("three-in-one").unwrap();
    let game = Game::new(rules, 8).unwrap();
    let mut record = random::single(&game, &mut Seed::new(3).rng());
    perft::of_record(&record, 1).unwrap();
    for event in &mut record.events {
        if let newmarket_env::Event::Showdown { winners, .. } = event {
            winners[0] = 1001;
        }
    }
    perft::of_record(&record, 1).unwrap_err();
    record.events.retain(|event| !matches!(event, newmarket_env::Event::Showdown { .. }));
    let fault = perft::of_record(&record, 1).unwrap_err();
    assert!(fault.to_string().contains("`showdown`"), "{fault}");
}
