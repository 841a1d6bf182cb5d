//! Keys and the mouse.

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use newmarket_engine::Choice;
use newmarket_env::{Event as TableEvent, Phase};

use super::super::super::question::Question;
use super::super::pace::Pace;
use super::super::press::{Press, Target, press};
use super::super::state::{Cards, Flow, Overlay, Request, Stage};
use super::super::worker::Order;
use super::harness::{TestTable, game};

fn test(rules: &str, phase: Phase) -> TestTable {
    let mut test = TestTable::new(&game(rules, 4, 10), 5, Some(0));
    test.until(|screen| {
        screen.stage == Stage::Asked && screen.view().is_some_and(|view| view.phase() == phase)
    });
    test
}

/// A click in the middle of what is drawn for a target.
fn click(test: &mut TestTable, on: Target, button: MouseButton) -> Option<Request> {
    let (_, targets) = test.buffer(80, 24, true);
    let area = targets.iter().rev().find(|(_, target)| *target == on).unwrap().0;
    let (column, row) = (area.x + 1, area.y + area.height / 2);
    let kind = MouseEventKind::Down(button);
    let event = Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE });
    let press = press(&event, &targets).expect("it is something");
    assert_eq!(press, Press::Click { on, less: button == MouseButton::Right });
    test.press(press)
}

fn split(test: &TestTable) -> Vec<i32> {
    match &test.screen.question {
        Some(Question::Ante { split, .. }) => split.clone(),
        _ => Vec::new(),
    }
}

#[test]
fn chips_are_put_by_keys() {
    let mut test = test("newmarket", Phase::Ante);
    assert_eq!(split(&test), [1, 1, 1, 1]);
    test.keys("↑");
    assert!(test.screen.message.starts_with("You have 4 chips"), "{}", test.screen.message);
    test.keys("0→0→0→4");
    assert_eq!(split(&test), [0, 0, 0, 4]);
    test.keys("↓⏎");
    assert!(test.screen.message.starts_with("1 chip is still to be placed"));
    assert_eq!(test.screen.stage, Stage::Asked);
    test.keys("e");
    assert_eq!(split(&test), [1, 1, 1, 1]);
    test.keys("→↓→↑");
    assert_eq!(split(&test), [0, 2, 1, 1]);
    let before = test.screen.table.layout.clone();
    test.keys("⏎");
    assert!(split(&test).is_empty());
    assert_eq!(test.session.state().view(&test.screen.game, 0).staked(0, 1), 2);
    assert_ne!(test.screen.table.layout, before);
}

#[test]
fn chips_are_put_by_mouse() {
    let mut test = test("newmarket", Phase::Ante);
    click(&mut test, Target::Place(3), MouseButton::Right);
    click(&mut test, Target::Place(0), MouseButton::Left);
    assert_eq!(split(&test), [2, 1, 1, 0]);
    click(&mut test, Target::Enter, MouseButton::Left);
    assert_eq!(test.session.state().view(&test.screen.game, 0).staked(0, 0), 2);
}

#[test]
fn a_lead_is_clicked_and_another_card_refused() {
    let mut test = test("newmarket", Phase::Lead);
    click(&mut test, Target::Refused, MouseButton::Left);
    assert_eq!(test.screen.message, "A lead is the lowest card that you hold of its suit.");
    let card = test.screen.question.as_ref().unwrap().cards(&test.screen.view().unwrap())[1];
    click(&mut test, Target::Place(1), MouseButton::Left);
    assert!(test.session.state().view(&test.screen.game, 0).played_by(0).contains(card));
}

#[test]
fn a_number_goes_to_a_choice_and_enter_takes_it() {
    let mut test = test("michigan-auction", Phase::DeadHand);
    test.keys("9");
    assert_eq!(test.screen.message, "There are 3 choices.");
    test.keys("3");
    let request = test.screen.press(Press::Enter);
    assert_eq!(request, Some(Request::Order(Order::Decide(Choice::Auction {}))));
}

#[test]
fn five_cards_are_set_apart() {
    let mut test = test("three-in-one", Phase::SetApart);
    test.keys("⏎");
    assert!(test.screen.message.starts_with("That is 0 of five cards"));
    test.keys(" → → → → → ");
    assert_eq!(test.screen.message, "Five cards are set apart: take one back first.");
    test.keys("1 ");
    click(&mut test, Target::Place(5), MouseButton::Left);
    test.keys("⏎");
    assert_eq!(test.session.state().view(&test.screen.game, 0).apart().len(), 5);
}

#[test]
fn leaving_is_asked_for() {
    let mut test = test("newmarket", Phase::Ante);
    assert_eq!(test.screen.press(Press::Key('q')), None);
    assert_eq!(test.screen.overlay, Some(Overlay::Leave));
    assert_eq!(test.screen.press(Press::Esc), None);
    assert_eq!(test.screen.overlay, None);
    test.keys("q");
    assert_eq!(test.screen.press(Press::Enter), Some(Request::Leave));
    assert_eq!(test.screen.press(Press::Interrupt), Some(Request::Leave), "Ctrl-C does not ask");
}

#[test]
fn the_pace_changes_by_keys() {
    let mut test = test("newmarket", Phase::Ante);
    test.screen.pace = Pace::of_millis(200);
    test.keys("<<");
    assert_eq!(test.screen.pace, Pace::of_millis(800));
    test.keys("<<<<<");
    assert_eq!(test.screen.pace, Pace::of_millis(1600));
    test.keys(">>>>>>>>>");
    assert!(test.screen.pace.is_instant());
}

#[test]
fn keys_of_the_terminal_are_understood() {
    let key = |code, modifiers| press(&Event::Key(KeyEvent::new(code, modifiers)), &[]);
    assert_eq!(key(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Press::Interrupt));
    assert_eq!(key(KeyCode::Char('z'), KeyModifiers::CONTROL), Some(Press::Suspend));
    assert_eq!(key(KeyCode::Char('H'), KeyModifiers::SHIFT), Some(Press::Key('h')));
    assert_eq!(key(KeyCode::BackTab, KeyModifiers::SHIFT), Some(Press::Left));
    assert_eq!(key(KeyCode::F(5), KeyModifiers::NONE), None);
    assert_eq!(press(&Event::Resize(80, 24), &[]), None);
}

#[test]
fn events_are_seen_one_by_one() {
    let mut test = test("newmarket", Phase::Lead);
    test.screen.pace = Pace::of_millis(200);
    let Some(Request::Order(order)) = test.screen.press(Press::Enter) else { panic!("a lead") };
    test.order(order);
    let shown = |test: &TestTable| test.screen.table.all_played().len();
    let all = test.session.state().view(&test.screen.game, 0).played().len();
    let before = shown(&test);
    test.tick();
    assert_eq!(shown(&test), before + 1, "one card at a time");
    test.screen.press(Press::Space);
    test.tick();
    assert!(shown(&test) >= all, "Space shows the rest");
}

#[test]
fn own_cards_wait_and_a_lead_that_was_chosen_does_not() {
    let mut test = TestTable::new(&game("newmarket", 4, 2), 5, Some(0));
    test.screen.cards = Cards::Wait;
    let (mut touches, mut leads) = (0, 0);
    loop {
        test.until(|screen| screen.own().is_some() || screen.stage != Stage::Running);
        let mine = test.screen.table.played[0];
        if let Some(TableEvent::Lead { card, .. } | TableEvent::Play { card, .. }) =
            test.screen.own()
        {
            let card = card.card(test.screen.game.rules().aces);
            assert!(
                test.screen.table.hands[0].contains(card) && test.text(80, 24).contains("Mine!")
            );
            // Nothing else plays it, and time does not.
            test.keys("→5v");
            assert_eq!(test.screen.table.played[0], mine);
            if touches % 2 == 0 {
                test.enter();
            } else {
                click(&mut test, Target::Enter, MouseButton::Left);
            }
            assert!(test.screen.table.played[0].contains(card));
            touches += 1;
        } else if test.screen.stage == Stage::Asked {
            let view = test.screen.view().unwrap();
            let cards = test.screen.question.as_ref().unwrap().cards(&view);
            let lead = cards.first().copied();
            test.enter();
            if let Some(card) = lead {
                assert!(test.screen.table.played[0].contains(card));
                leads += 1;
            }
        } else {
            break;
        }
    }
    assert!(touches > 2 && leads > 0, "{touches} cards, {leads} leads");
}

#[test]
fn those_who_look_on_pause_and_step() {
    let mut test = TestTable::new(&game("michigan", 4, 2), 5, None);
    test.screen.pace = Pace::of_millis(200);
    test.screen.press(Press::Space);
    assert_eq!(test.screen.flow, Flow::Paused);
    assert_eq!(test.tick(), None, "nothing happens");
    let mut steps = 0;
    while test.screen.stage == Stage::Running {
        test.press(Press::Right);
        steps += 1;
    }
    assert!(steps > 30, "a deal has more events: {steps}");
}
