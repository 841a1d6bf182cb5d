//! Returns of episodes that are whole sessions.

use super::*;
use newmarket_agents::play_session;

/// How many deals are to come in its session, by row, in the unit of the observation.
fn deals_left(rows: &RolloutRows<Observation>) -> Vec<f32> {
    let span = SPANS.iter().find(|s| s.name == "deals left").expect("a span");
    let mut flat = vec![0.0; Observation::LEN];
    let mut left = |observation: &Observation| {
        observation.write(&mut flat);
        flat[span.start]
    };
    rows.observations.iter().map(&mut left).collect()
}

/// The policy always takes the action of the lowest id, so an agent plays the same session again. The
/// return of a seat's first decision is what the session brings it, but for the kitty's chip, which is gone.
#[test]
fn returns_of_a_session_end_with_the_session() {
    let dir = tempfile::tempdir().expect("a folder");
    let chips = |on_bust: &str| {
        let path = dir.path().join(format!("{on_bust}.toml"));
        let text = format!(
            "base = \"newmarket\"\n[session]\ndeals = 20\n\
             bankroll = {{ chips = {{ start = 40, on_bust = \"{on_bust}\" }} }}\n"
        );
        std::fs::write(&path, text).expect("written");
        path.to_str().expect("a path").to_owned()
    };
    for (rules, prize) in [
        ("newmarket".into(), None),
        ("four-horses".into(), Some(48.0)),
        (chips("eliminate"), Some(160.0)),
        (chips("rebuy"), Some(160.0)),
    ] {
        let mix = table(&rules, EpisodeKind::Session);
        let game = Game::new(Rules::load(&rules).expect("a game"), PLAYERS).expect("four play it");
        let policy = Arc::new(QuantisedNet::new(&decided()));
        let mut players = [NetAgent::new("decided", policy, ActionSelection::Greedy).into()];
        let result = play_session(&game, Seed::new(9).child(0).child(0), &mut players, |_| 0);
        let played = play(&mix, &decided(), &OUTCOMES, 10, &[]);
        assert_eq!(played.deals, u64::from(result.deals), "{rules}");
        assert!(result.deals > 2, "{rules}: {}", result.deals);
        // The rows of a seat stand together, in their order.
        let (rows, left) = (&played.targets.rows, deals_left(&played.targets.rows));
        let first = (0..rows.len()).filter(|&row| row == 0 || left[row] > left[row - 1]);
        let got: Vec<f64> = first.map(|row| f64::from(rows.targets[row])).collect();
        let brings = |seat: usize| match prize {
            None => f64::from(result.payoffs[seat] + 1),
            Some(prize) => prize * result.share(seat),
        };
        assert_eq!(got.len(), PLAYERS, "{rules}: {got:?}");
        for (seat, got) in got.into_iter().enumerate() {
            assert!((got - brings(seat)).abs() < 1e-3, "{rules}, {seat}: {got}, {}", brings(seat));
        }
    }
}

/// Rollouts end with the seat's first decision of the next deal, where the value head speaks: here it says the
/// same of everything. In `newmarket` that decision is the ante, before which the kitty has its chip.
#[test]
fn rollouts_of_a_session_end_where_the_value_head_speaks() {
    let policy = net(|array| {
        array.data.fill(0.0);
        if array.name == "policy.bias" {
            array.data.iter_mut().enumerate().for_each(|(id, logit)| *logit = -100.0 * id as f32);
        } else if array.name == "value.bias" {
            array.data.fill(2.0);
        }
    });
    let said = SCALE.chips(2.0);
    let dir = tempfile::tempdir().expect("a folder");
    let richest = dir.path().join("richest.toml");
    let text = "base = \"newmarket\"\n[session]\nleftover = \"richest\"\n";
    std::fs::write(&richest, text).expect("written");
    let richest = richest.to_str().expect("a path");
    let targets = |rules, episode| {
        let rows = play(&table(rules, episode), &policy, &true_state(), 40, &[]).targets.rows;
        (deals_left(&rows), rows.targets.clone())
    };
    let (left, deal) = targets(richest, EpisodeKind::CarriedDeal);
    let (same, session) = targets(richest, EpisodeKind::Session);
    assert_eq!(left, same);
    let (mut later, mut given) = (0, 0);
    for ((left, deal), session) in left.into_iter().zip(deal).zip(session) {
        let more = session - deal;
        if left > 0.0 {
            later += 1;
            assert!((more - (said - 1.0)).abs() < 1e-3, "{more}");
        } else {
            // What is left on the table is given away.
            assert!(more > -1e-3, "{more}");
            given += usize::from(more > 0.5);
        }
    }
    assert!(later > 500 && given > 10, "{later} {given}");
    // Whoever is ahead at the end has the 48 chips that all began with, or an equal part of them.
    let (_, session) = targets("four-horses", EpisodeKind::Session);
    let shares = [0.0, said, 48.0, 24.0, 16.0, 12.0];
    let near = |target: f32| shares.iter().position(|share| (share - target).abs() < 1e-3);
    let met: BTreeSet<Option<usize>> = session.iter().map(|&target| near(target)).collect();
    assert!((0..3).all(|nth| met.contains(&Some(nth))) && !met.contains(&None), "{session:?}");
}
