//! Three in One, told event by event: pay cards, poker, and what it changes in the play.

use newmarket_env::trace::{InSession, check};
use newmarket_env::{
    Action, ActionMask, Card, CardSet, DealStart, Event, Game, Record, Referee, Rules,
};
use serde_json::{Value, json};

struct Table {
    game: Game,
    deal_start: DealStart,
    pack: Vec<Card>,
}

/// A table of Three in One with a pack of just these hands, by seat; one hand more than `n` is
/// the dead hand. Nobody antes, and the layout has `chips`. The last seat deals unless `dealer`
/// says otherwise.
fn table(hands: &[&str], chips: [i32; 8], changes: Value) -> Table {
    let Value::Object(mut changes) = changes else { panic!("changes are a table") };
    let players = changes.remove("n").map_or(hands.len(), |n| n.as_u64().unwrap() as usize);
    let dealer = changes.remove("dealer").map_or(players - 1, |n| n.as_u64().unwrap() as usize);
    let aces = Rules::named("three-in-one").unwrap().aces;
    let hands: Vec<Vec<Card>> = hands
        .iter()
        .map(|hand| hand.split_whitespace().map(|name| Card::parse(name, aces).unwrap()).collect())
        .collect();
    let in_play: CardSet = hands.iter().flatten().copied().collect();
    // Round the table from eldest; the dead hand comes after the dealer.
    let mut round: Vec<usize> = (1..=players).map(|step| (dealer + step) % players).collect();
    if hands.len() > players {
        round.push(players);
    }
    let mut pack = Vec::new();
    for place in 0..hands[round[0]].len() {
        pack.extend(round.iter().filter_map(|&hand| hands[hand].get(place)));
    }
    let position = if hands.len() > players { "last" } else { "none" };
    for (key, value) in [
        ("players", json!([2, players])),
        ("removed", json!((!in_play).notation(aces))),
        ("dead_hand", json!({ "position": position })),
        ("exchange", json!("none")),
        ("kitty_ante", json!(0)),
        ("layout_ante", json!({ "fixed": { "each": 0, "dealer": 0 } })),
    ] {
        changes.entry(key).or_insert(value);
    }
    let rules = Rules::from_overrides("three-in-one", &changes).unwrap();
    let mut deal_start = DealStart::fresh(players, dealer);
    deal_start.layout = chips;
    Table { game: Game::new(rules, players).unwrap(), deal_start, pack }
}

impl Table {
    /// Plays a deal. Decisions are actions in words (a card to be set apart by its name); the
    /// forced ones are taken unasked, and when there are no more, the first legal action.
    fn tries(&self, decisions: &[&str]) -> Result<Referee<'_>, String> {
        let aces = self.game.rules().aces;
        let mut decisions = decisions.iter();
        let decide = |_: &Referee<'_>, _: usize, legal: ActionMask| {
            let first = legal.first().unwrap();
            if legal.is_forced() {
                return Ok(first);
            }
            let Some(word) = decisions.next() else { return Ok(first) };
            let word_of = |action: Action| {
                action.card().map_or(action.to_string(), |card| card.notation(aces))
            };
            let words: Vec<String> = legal.iter().map(word_of).collect();
            legal
                .iter()
                .find(|&action| word_of(action) == *word)
                .ok_or(format!("{word}: {}", words.join(", ")))
        };
        let played = Referee::play(&self.game, self.deal_start, &self.pack, decide)
            .map_err(|error| error.to_string())?;
        assert_eq!(decisions.next(), None, "a decision is left");
        let before: i32 = self.deal_start.stacks.iter().chain(&self.deal_start.layout).sum();
        let after: i32 = played.stacks().iter().chain(played.layout()).sum();
        assert_eq!(before, after + played.kitty(), "chips are conserved");
        if self.deal_start.credit {
            check(line(&played).as_bytes()).unwrap();
        }
        Ok(played)
    }

    fn plays(&self, decisions: &[&str]) -> Referee<'_> {
        self.tries(decisions).unwrap()
    }
}

fn line(played: &Referee<'_>) -> String {
    Record::of(played, InSession::default()).to_line()
}

/// Compares the events from the first of the first one's kind on.
fn tells(played: &Referee<'_>, expected: &str) {
    let events: Vec<String> =
        played.events().iter().map(|event| serde_json::to_string(event).unwrap()).collect();
    let expected: Vec<&str> =
        expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let kind = expected[0].split(',').next().unwrap();
    let from = events.iter().position(|event| event.starts_with(kind)).unwrap_or(0);
    let to = events.len().min(from + expected.len());
    assert_eq!(events[from..to], expected, "{events:#?}");
}

fn holds(played: &Referee<'_>, kind: &str) -> bool {
    line(played).contains(&format!(r#""e":"{kind}""#))
}

const NOTHING: [i32; 8] = [0; 8];
/// A pair each, the higher the seat the better, and nothing to choose in setting five apart.
const PAIRS: [&str; 3] = ["TH JH 2C 2D 7S", "QH KH 3C 3D 8C", "AH 9C TC 4S 4C"];

#[test]
fn a_whole_deal() {
    let hands = ["8H 9H TH 2C 3D", "JH QH KH 2D 4C", "AH 2H 3H 4H 6S", "5C 5D 5H 5S 6C"];
    let table = table(
        &hands,
        NOTHING,
        json!({ "n": 3, "kitty_ante": 1,
        "layout_ante": { "fixed": { "each": 1, "dealer": 2 } },
        "exchange": { "dealer_exchange_or_auction": { "max_bid": 20 } } }),
    );
    let decisions = ["auction", "pass", "bid", "check", "bet", "raise", "fold", "call"];
    let played = table.plays(&[&decisions[..], &["lead diamonds", "lead clubs"]].concat());
    tells(
        &played,
        r#"
        {"e":"ante","seat":0,"kitty":1,"layout":[1,1,1,1,1,1,1,1]}
        {"e":"ante","seat":1,"kitty":1,"layout":[1,1,1,1,1,1,1,1]}
        {"e":"ante","seat":2,"kitty":1,"layout":[2,2,2,2,2,2,2,2]}
        {"e":"deal","hands":[["2C","3D","8H","9H","TH"],["4C","2D","JH","QH","KH"],["2H","3H","4H","AH","6S"]],"dead":["5C","6C","5D","5H","5S"]}
        {"e":"auction","seat":2}
        {"e":"pass","seat":0}
        {"e":"bid","seat":1,"chips":1}
        {"e":"exchange","seat":1,"paid":1,"to":"seat:2","dead":["4C","2D","JH","QH","KH"]}
        {"e":"collect","seat":0,"cell":"TH","chips":4}
        {"e":"collect","seat":2,"cell":"AH","chips":4}
        {"e":"collect","seat":0,"cell":"RUN","chips":4}
        {"e":"set_apart","seat":0,"cards":["2C","3D","8H","9H","TH"]}
        {"e":"set_apart","seat":1,"cards":["5C","6C","5D","5H","5S"]}
        {"e":"set_apart","seat":2,"cards":["2H","3H","4H","AH","6S"]}
        {"e":"check","seat":0,"chips":0}
        {"e":"bet","seat":1,"chips":1}
        {"e":"raise","seat":2,"chips":2}
        {"e":"fold","seat":0,"chips":0}
        {"e":"call","seat":1,"chips":1}
        {"e":"showdown","winners":[1],"hands":{"1":"four of a kind","2":"high card"},"paid":[0,8,0]}
        {"e":"lead","seat":1,"card":"5D"}
        {"e":"stop","seat":1,"card":"5D","why":"removed"}
        {"e":"lead","seat":1,"card":"5C"}
        {"e":"play","seat":1,"card":"6C"}
        {"e":"stop","seat":1,"card":"6C","why":"removed"}
        {"e":"lead","seat":1,"card":"5H"}
        {"e":"stop","seat":1,"card":"5H","why":"removed"}
        {"e":"lead","seat":1,"card":"5S"}
        {"e":"out","seat":1}
        {"e":"settle","winner":1,"kitty":3,"cards":[5,0,5],"paid":[5,0,5]}
        "#,
    );
    // Ante 9, 9 and 18; the bets 2 each.
    assert_eq!(played.stacks(), [-9 + 8 - 5, -9 - 1 - 2 + 8 + 3 + 10, -17 + 1 + 4 - 2 - 5]);
    assert_eq!(played.layout(), [0, 4, 4, 4, 0, 4, 0, 0]);
}

#[test]
fn king_and_queen_of_hearts_take_three_spaces() {
    let hands = ["QH KH 2C 3C 4C 9H", "TH JH AH 5C 6C 8H"];
    let table = table(&hands, [1, 2, 3, 4, 5, 6, 7, 0], json!({}));
    let played = table.plays(&[]);
    tells(
        &played,
        r#"
        {"e":"collect","seat":1,"cell":"TH","chips":1}
        {"e":"collect","seat":1,"cell":"JH","chips":2}
        {"e":"collect","seat":0,"cell":"QH","chips":3}
        {"e":"collect","seat":0,"cell":"KH","chips":4}
        {"e":"collect","seat":1,"cell":"AH","chips":5}
        {"e":"collect","seat":0,"cell":"KQ","chips":6}
        {"e":"set_apart","seat":0,"cards":["2C","3C","4C","9H","QH"]}
        "#,
    );
    // Nobody has 8-9-10: its chips stay, and nothing is claimed later.
    assert_eq!(played.layout(), [0, 0, 0, 0, 0, 0, 7, 0]);
    assert!(!holds(&played, "claim"));
}

#[test]
fn several_runs_share_and_the_rest_stays() {
    // Seat 0 has two of them and counts once.
    let hands = ["8C 9C TC 8S 9S TS QH", "JH KH AH 2D 3D 4D 5D", "8D 9D TD TH 6D 7D 2C"];
    let run = |chips: i32, dealer: usize| {
        let layout = [0, 0, 0, 0, 0, 0, chips, 0];
        let table = table(&hands, layout, json!({ "dealer": dealer }));
        let played = table.plays(&[]);
        let collected: Vec<(usize, i32)> = played
            .events()
            .iter()
            .filter_map(|event| match event {
                Event::Collect { seat, chips, .. } => Some((*seat, *chips)),
                _ => None,
            })
            .collect();
        (collected, played.layout()[6])
    };
    assert_eq!(run(5, 2), (vec![(0, 2), (2, 2)], 1));
    // From eldest on.
    assert_eq!(run(4, 1), (vec![(2, 2), (0, 2)], 0));
    // Not a chip for each.
    assert_eq!(run(1, 2), (vec![], 1));
}

#[test]
fn five_cards_are_set_apart_in_the_order_of_a_hand() {
    let hands = ["2C 3C 4C QH KH 9H 8H", "TH JH AH 5C 6C 7C 9C"];
    let table = table(&hands, NOTHING, json!({}));
    let refused = |picks: &[&str]| table.tries(picks).unwrap_err();
    assert_eq!(refused(&["8H"]), "8H: 2C, 3C, 4C");
    assert_eq!(refused(&["3C", "2C"]), "2C: 4C, 8H");
    assert_eq!(refused(&["2C", "9H"]), "9H: 3C, 4C, 8H");
    // The last four are forced.
    let played = table.plays(&["4C", "5C", "9C"]);
    tells(
        &played,
        r#"
        {"e":"set_apart","seat":0,"cards":["4C","8H","9H","QH","KH"]}
        {"e":"set_apart","seat":1,"cards":["5C","9C","TH","JH","AH"]}
        "#,
    );
    assert_eq!(played.apart(0).len(), 5);
}

#[test]
fn a_forced_hand_is_asked_card_by_card() {
    let table = table(&PAIRS, NOTHING, json!({}));
    let mut picks = Vec::new();
    let decide = |_: &Referee<'_>, seat: usize, legal: ActionMask| {
        let action = legal.first().unwrap();
        if action.card().is_some() {
            picks.push((seat, legal.len()));
        }
        Ok::<_, String>(action)
    };
    Referee::play(&table.game, table.deal_start, &table.pack, decide).unwrap();
    assert_eq!(picks, [[(0, 1); 5], [(1, 1); 5], [(2, 1); 5]].concat());
}

#[test]
fn who_folds_is_not_shown_and_keeps_its_hand() {
    let table = table(&PAIRS, NOTHING, json!({}));
    let played = table.plays(&["bet", "fold", "raise", "call"]);
    tells(
        &played,
        r#"
        {"e":"bet","seat":0,"chips":1}
        {"e":"fold","seat":1,"chips":0}
        {"e":"raise","seat":2,"chips":2}
        {"e":"call","seat":0,"chips":1}
        {"e":"showdown","winners":[2],"hands":{"0":"one pair","2":"one pair"},"paid":[0,0,4]}
        "#,
    );
    assert_eq!(played.poker_winner(), Some(2));
    let Some(Event::Settle { cards, .. }) = played.events().last() else { panic!("a winner") };
    assert_eq!(*cards, [5, 5, 0]);
}

#[test]
fn three_raises_in_all() {
    let bets = ["check", "bet", "raise", "raise", "raise"];
    let table = table(&PAIRS, NOTHING, json!({}));
    let fourth = table.tries(&[&bets[..], &["raise"]].concat());
    assert_eq!(fourth.unwrap_err(), "raise: call, fold");
    tells(
        &table.plays(&[&bets[..], &["call", "call"]].concat()),
        r#"
        {"e":"check","seat":0,"chips":0}
        {"e":"bet","seat":1,"chips":1}
        {"e":"raise","seat":2,"chips":2}
        {"e":"raise","seat":0,"chips":3}
        {"e":"raise","seat":1,"chips":3}
        {"e":"call","seat":2,"chips":2}
        {"e":"call","seat":0,"chips":1}
        {"e":"showdown","winners":[2],"hands":{"0":"one pair","1":"one pair","2":"one pair"},"paid":[0,0,12]}
        "#,
    );
}

#[test]
fn when_all_check_the_hands_are_shown_for_what_lies_there() {
    let pot = |chips| [0, 0, 0, 0, 0, 0, 0, chips];
    for (chips, paid) in [(0, "[0,0,0]"), (7, "[0,0,7]")] {
        let table = table(&PAIRS, pot(chips), json!({}));
        let played = table.plays(&["check", "check", "check"]);
        let hands = r#"{"0":"one pair","1":"one pair","2":"one pair"}"#;
        tells(
            &played,
            &format!(r#"{{"e":"showdown","winners":[2],"hands":{hands},"paid":{paid}}}"#),
        );
    }
}

#[test]
fn equal_hands_share_and_odd_chips_go_from_eldest_on() {
    // Seats 0 and 1 set 9-7-5-3-2 apart.
    let hands = ["2C 3D 5H 7S 9C QH", "2D 3C 5S 7H 9D KH", "TH JH AH 8S 9S TS"];
    let shown = |dealer: usize, decisions: &[&str]| {
        let table = table(&hands, [0, 0, 0, 0, 0, 0, 0, 1], json!({ "dealer": dealer }));
        let played = table.plays(decisions);
        let events: Vec<String> =
            played.events().iter().map(|event| serde_json::to_string(event).unwrap()).collect();
        let at = events.iter().position(|event| event.contains("showdown")).unwrap();
        (events[at].clone(), events[at + 1].clone())
    };
    // Hands in order: 2C 9C 3D 5H QH 7S, 3C 2D 9D 7H KH 5S, TH JH AH 8S 9S TS.
    let zero = ["2C", "9C", "3D", "5H", "7S"];
    let one = ["3C", "2D", "9D", "7H", "5S"];
    // One card left out, the rest is forced.
    let two = ["JH"];
    let (showdown, lead) = shown(2, &[&zero[..], &one, &two, &["bet", "call", "fold"]].concat());
    assert_eq!(
        showdown,
        r#"{"e":"showdown","winners":[0,1],"hands":{"0":"high card","1":"high card"},"paid":[2,1,0]}"#
    );
    assert!(lead.starts_with(r#"{"e":"lead","seat":0"#), "{lead}");
    let (showdown, lead) = shown(0, &[&one[..], &two, &zero, &["bet", "fold", "call"]].concat());
    assert_eq!(
        showdown,
        r#"{"e":"showdown","winners":[1,0],"hands":{"0":"high card","1":"high card"},"paid":[1,2,0]}"#
    );
    assert!(lead.starts_with(r#"{"e":"lead","seat":1"#), "{lead}");
}

#[test]
fn the_last_who_stays_wins_unseen() {
    tells(
        &table(&PAIRS, NOTHING, json!({})).plays(&["bet", "fold", "fold"]),
        r#"
        {"e":"bet","seat":0,"chips":1}
        {"e":"fold","seat":1,"chips":0}
        {"e":"fold","seat":2,"chips":0}
        {"e":"showdown","winners":[0],"paid":[1,0,0]}
        "#,
    );
    // At once, though seat 0 has checked and not answered the bet of seat 1: all others folded.
    tells(
        &table(&PAIRS, NOTHING, json!({})).plays(&["check", "bet", "fold", "fold"]),
        r#"
        {"e":"check","seat":0,"chips":0}
        {"e":"bet","seat":1,"chips":1}
        {"e":"fold","seat":2,"chips":0}
        {"e":"fold","seat":0,"chips":0}
        {"e":"showdown","winners":[1],"paid":[0,1,0]}
        "#,
    );
}

#[test]
fn chips_that_a_seat_does_not_have_are_not_bet() {
    let mut table = table(&PAIRS, NOTHING, json!({}));
    table.deal_start.credit = false;
    // Seat 0 cannot bet, seat 1 cannot raise the raise and then not even call it.
    table.deal_start.stacks[..3].copy_from_slice(&[0, 1, 9]);
    tells(
        &table.plays(&["bet", "raise"]),
        r#"
        {"e":"check","seat":0,"chips":0}
        {"e":"bet","seat":1,"chips":1}
        {"e":"raise","seat":2,"chips":2}
        {"e":"fold","seat":0,"chips":0}
        {"e":"fold","seat":1,"chips":0}
        {"e":"showdown","winners":[2],"paid":[0,0,3]}
        "#,
    );
    table.deal_start.stacks[..3].copy_from_slice(&[1, 1, 1]);
    let refused = table.tries(&["bet", "raise"]).unwrap_err();
    assert_eq!(refused, "raise: call, fold");
    tells(
        &table.plays(&["bet", "call", "call"]),
        r#"
        {"e":"bet","seat":0,"chips":1}
        {"e":"call","seat":1,"chips":1}
        {"e":"call","seat":2,"chips":1}
        {"e":"showdown","winners":[2],"hands":{"0":"one pair","1":"one pair","2":"one pair"},"paid":[0,0,3]}
        "#,
    );
}

#[test]
fn spaces_taken_in_the_play() {
    let hands = ["8H 9H TH QH KH 2C", "JH AH 3C 4C 5C 7C"];
    let rules = json!({ "claim_when": "played", "first_lead": "eldest" });
    let told = table(&hands, [1, 2, 3, 4, 5, 6, 7, 0], rules.clone());
    let played = told.plays(&["8H", "4C", "check", "check", "lead hearts"]);
    assert!(!holds(&played, "collect"));
    tells(
        &played,
        r#"
        {"e":"lead","seat":0,"card":"8H"}
        {"e":"play","seat":0,"card":"9H"}
        {"e":"play","seat":0,"card":"TH"}
        {"e":"claim","seat":0,"cell":"TH","chips":1}
        {"e":"claim","seat":0,"cell":"RUN","chips":7}
        {"e":"play","seat":1,"card":"JH"}
        {"e":"claim","seat":1,"cell":"JH","chips":2}
        {"e":"play","seat":0,"card":"QH"}
        {"e":"claim","seat":0,"cell":"QH","chips":3}
        {"e":"play","seat":0,"card":"KH"}
        {"e":"claim","seat":0,"cell":"KH","chips":4}
        {"e":"claim","seat":0,"cell":"KQ","chips":6}
        {"e":"play","seat":1,"card":"AH"}
        {"e":"claim","seat":1,"cell":"AH","chips":5}
        {"e":"stop","seat":1,"card":"AH","why":"top"}
        "#,
    );
    // Played by two, the king and queen take nothing, nor does the run.
    let hands = ["8H TH QH 2C 3C 4C", "9H JH KH AH 5C 7C"];
    let split = table(&hands, [0, 0, 0, 0, 0, 6, 7, 0], rules);
    let played = split.plays(&["3C", "7C", "check", "check"]);
    assert!(!holds(&played, "claim"), "{}", line(&played));
    assert_eq!(played.layout()[5..], [6, 7, 0]);
}

#[test]
fn who_leads_first() {
    for (first, leader) in [("eldest", 0), ("poker_winner", 2)] {
        let table = table(&PAIRS, NOTHING, json!({ "first_lead": first }));
        let played = table.plays(&["check", "check", "check"]);
        let lead = played.events().iter().find_map(|event| match event {
            Event::Lead { seat, .. } => Some(*seat),
            _ => None,
        });
        assert_eq!(lead, Some(leader), "{first}");
    }
}

#[test]
fn a_fee_without_a_kitty_reaches_the_pot() {
    let hands = ["8H 9H TH 2C 3D", "JH QH KH 2D 4C", "AH 2H 3H 4H 6S"];
    let table = table(
        &hands,
        NOTHING,
        json!({ "n": 2, "kitty_to_winner": false,
        "exchange": { "dealer_exchange": { "fee": 9 } } }),
    );
    let played = table.plays(&["exchange", "check", "check"]);
    tells(
        &played,
        r#"
        {"e":"exchange","seat":1,"paid":9,"to":"layout","dead":["4C","2D","JH","QH","KH"]}
        {"e":"collect","seat":0,"cell":"TH","chips":2}
        {"e":"collect","seat":1,"cell":"AH","chips":1}
        {"e":"collect","seat":0,"cell":"RUN","chips":1}
        "#,
    );
    tells(
        &played,
        r#"{"e":"showdown","winners":[1],"hands":{"0":"high card","1":"high card"},"paid":[0,1]}"#,
    );
}

#[test]
fn the_judge_says_what_was_due() {
    let hands = ["2C 3C 4C QH KH 9H", "TH JH AH 5C 6C 8H"];
    let game = table(&hands, NOTHING, json!({}));
    let text = line(&game.plays(&["2C", "3C", "4C", "9H", "QH", "6C"]));
    let fault = |from: &str, to: &str| {
        assert!(text.contains(from), "{from} in {text}");
        check(text.replacen(from, to, 1).as_bytes()).unwrap_err().problem
    };
    let apart = r#""cards":["2C","3C","4C","9H","QH"]"#;
    for (cards, problem) in [
        (
            r#""cards":["2C","5C","4C","9H","QH"]"#,
            "seat 0 cannot set 5C apart (it does not hold it): due was set 3C apart or set 4C apart",
        ),
        (
            r#""cards":["2C","4C","3C","9H","QH"]"#,
            "seat 0 cannot set 3C apart (five cards in the order of a hand): due was set 9H apart",
        ),
        (
            r#""cards":["9H"]"#,
            "seat 0 cannot set 9H apart (five cards are to be set apart): due was set 2C apart or set 3C apart",
        ),
        (r#""cards":["2C"]"#, "due was seat 0: set 3C apart or set 4C apart"),
        (
            r#""cards":["2C","3C","4C","9H","QH","KH"]"#,
            r#"due was {"e":"set_apart","seat":0,"cards":["2C","3C","4C","9H","QH"]}"#,
        ),
    ] {
        assert_eq!(fault(apart, cards), problem);
    }
    assert_eq!(
        fault(r#""e":"check","seat":1,"chips":0"#, r#""e":"call","seat":1,"chips":0"#),
        "due was seat 1: check or bet"
    );
    assert_eq!(
        fault(r#""e":"check","seat":1,"chips":0"#, r#""e":"check","seat":1,"chips":1"#),
        r#"due was {"e":"check","seat":1,"chips":0}"#
    );
    fault(r#""hands":{"0":"high card""#, r#""hands":{"0":"nothing""#);
    let twice = fault(r#""hands":{"0""#, r#""hands":{"0":"flush","0""#);
    assert!(twice.starts_with("seat 0 shows twice"), "{twice}");
    fault(r#""hands":{"0":"high card","1":"high card"},"#, r#""hands":null,"#);
}
