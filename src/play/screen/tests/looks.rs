//! How the table looks: its stages in several games, at the least size and a larger one.

use newmarket_env::Phase;
use ratatui::style::{Color, Modifier};

use super::super::super::question::Question;
use super::super::state::{Cards, ScreenState, Stage};
use super::harness::{TestTable, game};

/// Both sizes as one text.
fn both(shown: &TestTable) -> String {
    format!("{}\n{}\n{}", shown.text(80, 24), "═".repeat(120), shown.text(120, 40))
}

fn phase(screen: &ScreenState) -> Option<Phase> {
    let view = screen.view().filter(|_| screen.stage == Stage::Asked)?;
    Some(view.phase())
}

/// A session at the first question of this phase.
fn asked(rules: &str, players: usize, seed: u64, phase_is: Phase) -> TestTable {
    let mut shown = TestTable::new(&game(rules, players, 10), seed, Some(0));
    shown.until(|screen| phase(screen) == Some(phase_is));
    assert_eq!(phase(&shown.screen), Some(phase_is), "{rules}: it is never asked");
    shown
}

#[test]
fn an_ante() {
    let mut shown = asked("newmarket", 4, 7, Phase::Ante);
    shown.keys("↓→↑");
    insta::assert_snapshot!("newmarket-ante", both(&shown));
    shown.keys("↑");
    insta::assert_snapshot!("newmarket-ante-refused", shown.text(80, 24));
}

#[test]
fn a_lead() {
    let mut shown = asked("michigan", 5, 3, Phase::Lead);
    insta::assert_snapshot!("michigan-lead", both(&shown));
    shown.keys("h");
    insta::assert_snapshot!("michigan-hint", shown.text(80, 24));
    shown.keys("v");
    insta::assert_snapshot!("michigan-values", shown.text(80, 24));
}

#[test]
fn an_auction() {
    let shown = asked("michigan-auction", 8, 3, Phase::Auction);
    insta::assert_snapshot!("michigan-auction-bid", both(&shown));
}

#[test]
fn an_offer_of_the_dead_hand() {
    let shown = asked("four-horses", 2, 4, Phase::DeadHand);
    insta::assert_snapshot!("four-horses-offer", both(&shown));
}

#[test]
fn poker() {
    let mut shown = asked("three-in-one", 4, 5, Phase::SetApart);
    shown.keys("e→→→ ");
    insta::assert_snapshot!("three-in-one-set-apart", both(&shown));
    let shown = asked("three-in-one", 4, 5, Phase::Bet);
    insta::assert_snapshot!("three-in-one-bet", both(&shown));
}

/// At the widest table with the longest choices, and where there are most choices.
#[test]
fn values_have_room() {
    let poker = asked("three-in-one", 8, 1, Phase::SetApart);
    for mut shown in [poker, asked("newmarket", 4, 1, Phase::Ante)] {
        shown.keys("v");
        let text = shown.text(80, 24);
        let mut rows = text.lines().filter(|line| line.matches('±').count() == 2);
        assert!(rows.clone().count() > 3, "{text}");
        assert!(rows.all(|row| row.contains("behind ") || row.contains("ahead ")), "{text}");
        assert!(text.contains("Enter choose."), "{text}");
    }
}

/// The table stays as it is.
#[test]
fn values_stand_beside_the_table_where_there_is_room() {
    let left = |text: &str| -> Vec<String> {
        text.lines()
            .map(|line| line.chars().take(80).collect::<String>().trim_end().into())
            .collect()
    };
    let mut shown = asked("michigan", 5, 3, Phase::Lead);
    let [narrow, wide] = [(80, 24), (120, 40)].map(|(wide, high)| shown.text(wide, high));
    shown.keys("v");
    insta::assert_snapshot!("michigan-values-beside", shown.text(104, 24));
    assert_eq!(left(&shown.text(104, 24)), left(&narrow));
    let text = shown.text(120, 40);
    assert_eq!(left(&text), left(&wide));
    assert!(text.contains("╭ Values ─") && text.contains("╭ Log ─"), "{text}");
    assert!(text.contains("behind") && text.contains("Enter choose."), "{text}");
}

/// A card that waits for its player.
#[test]
fn an_own_card() {
    let mut shown = TestTable::new(&game("newmarket", 4, 2), 7, Some(0));
    shown.screen.cards = Cards::Wait;
    shown.until(|screen| screen.own().is_some());
    insta::assert_snapshot!("newmarket-own-card", shown.text(80, 24));
}

#[test]
fn the_ends() {
    let mut shown = TestTable::new(&game("south-london", 6, 2), 9, Some(0));
    shown.until(|screen| screen.stage == Stage::DealOver);
    insta::assert_snapshot!("end-of-a-deal", both(&shown));
    shown.until(|_| false);
    insta::assert_snapshot!("end-of-a-session", shown.text(80, 24));
}

#[test]
fn what_lies_over_the_table() {
    let mut shown = asked("hoyle-1885", 4, 2, Phase::Lead);
    for (name, key) in [("help", "?"), ("log", "l"), ("leave", "q")] {
        shown.keys(key);
        insta::assert_snapshot!(name, shown.text(80, 24));
        shown.press(super::super::press::Press::Esc);
    }
}

#[test]
fn looking_on() {
    let mut shown = TestTable::new(&game("chicago", 8, 2), 6, None);
    for _ in 0..4 {
        if let Some(order) = shown.tick() {
            shown.order(order);
        }
    }
    shown.screen.catch_up();
    insta::assert_snapshot!("watch", both(&shown));
}

#[test]
fn too_little_room() {
    let shown = asked("newmarket", 4, 7, Phase::Ante);
    for (wide, high) in [(79, 24), (80, 23), (10, 3), (1, 1)] {
        let text = shown.text(wide, high);
        assert!(wide < 40 || text.contains("enlarge it to 80 × 24"), "{wide} × {high}: {text}");
    }
}

/// A layout of a rules file whose cells have long names.
const LONG_NAMES: &str = "base = \"newmarket\"\ncells = [\
    { name = \"LOWEST-CLUBS\", claimed_by = [\"2C\", \"3C\", \"4C\"] }, \
    { name = \"LOW-DIAMONDS\", claimed_by = [\"2D\", \"3D\", \"4D\"] }, \
    { name = \"THREE-HEARTS\", claimed_by = [\"2H\", \"3H\", \"4H\"] }, \
    { name = \"THREE-SPADES\", claimed_by = [\"2S\", \"3S\", \"4S\"] }]";

/// Nothing is drawn outside the screen, at any size.
#[test]
fn every_size_has_room() {
    let open = |rules, players| {
        let mut shown = TestTable::new(&game(rules, players, 2), 8, None);
        for _ in 0..30 {
            if let Some(order) = shown.tick() {
                shown.order(order);
            }
        }
        shown
    };
    let all = vec![
        asked("newmarket", 8, 7, Phase::Ante),
        asked("four-horses", 2, 4, Phase::Lead),
        asked("three-in-one", 4, 5, Phase::Bet),
        open("three-in-one", 8),
        open("newmarket", 3),
        asked(LONG_NAMES, 4, 1, Phase::Ante),
    ];
    for mut shown in all {
        for keys in ["", "?", "lv", "v"] {
            shown.keys(keys);
            for high in 24..70 {
                for wide in [80, 97, 100, 115, 116, 120, 171, 230] {
                    let (_, targets) = shown.buffer(wide, high, true);
                    let inside = |area: &ratatui::layout::Rect| {
                        area.right() <= wide && area.bottom() <= high
                    };
                    assert!(targets.iter().all(|(area, _)| inside(area)), "{wide} × {high}");
                }
            }
        }
    }
}

#[test]
fn four_suits_have_four_colours_and_none_without_colour() {
    let shown = asked("newmarket", 4, 7, Phase::Lead);
    let colours = |colour: bool| -> Vec<Color> {
        let (buffer, _) = shown.buffer(80, 24, colour);
        let cells = buffer.content().iter();
        let suits = |symbol| cells.clone().find(|cell| cell.symbol() == symbol).unwrap().fg;
        ["♣", "♦", "♥", "♠"].map(suits).to_vec()
    };
    assert_eq!(colours(true), [Color::Green, Color::Cyan, Color::Red, Color::Reset]);
    assert_eq!(colours(false), [Color::Reset; 4]);
    // The name of a boodle stands on the edge of its cell, which is dim.
    let (drawn, _) = shown.buffer(80, 24, true);
    let names = drawn.content().iter().take(80 * 8).filter(|cell| "AKQJ".contains(cell.symbol()));
    assert!(
        names.clone().count() >= 4
            && names.clone().all(|cell| !cell.modifier.contains(Modifier::DIM))
    );
    let (plain, _) = shown.buffer(80, 24, false);
    assert!(plain.content().iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset));
}

#[test]
fn all_cards_of_a_hand_can_be_told_apart() {
    // The largest hands: three players and no dead hand.
    let shown = asked("bazaar-1875", 3, 4, Phase::Lead);
    let hand = shown.screen.table.hands[0];
    let screen = shown.text(80, 24);
    assert!(hand.len() > 12, "{}", hand.len());
    let rows: Vec<&str> = screen.lines().skip(16).take(4).collect();
    let symbols = rows.concat().chars().filter(|c| "♣♦♥♠".contains(*c)).count();
    assert_eq!(symbols, hand.len());
    assert!(matches!(shown.screen.question, Some(Question::Pick { .. })));
}
