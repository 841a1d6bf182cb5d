//! Keys and the mouse.

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use newmarket_engine::Choice;
use newmarket_env::Phase;

use super::super::pace::Pace;
use super::super::press::{Press, Target, press};
use super::super::question::Question;
use super::super::show::{Flow, Overlay, Stage, Wish};
use super::super::worker::Order;
use super::desk::{Desk, game};

fn desk(rules: &str, phase: Phase) -> Desk {
    let mut desk = Desk::new(&game(rules, 4, 10), 5, Some(0));
    desk.until(|show| {
        show.stage == Stage::Asked && show.view().is_some_and(|view| view.phase() == phase)
    });
    desk
}

/// A click in the middle of what is drawn for a target.
fn click(desk: &mut Desk, on: Target, button: MouseButton) -> Option<Wish> {
    let (_, targets) = desk.buffer(80, 24, true);
    let area = targets.iter().rev().find(|(_, target)| *target == on).unwrap().0;
    let (column, row) = (area.x + 1, area.y + area.height / 2);
    let kind = MouseEventKind::Down(button);
    let event = Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE });
    let press = press(&event, &targets).expect("it is something");
    assert_eq!(press, Press::Click { on, less: button == MouseButton::Right });
    desk.press(press)
}

fn split(desk: &Desk) -> Vec<i32> {
    match &desk.show.question {
        Some(Question::Stake { split, .. }) => split.clone(),
        _ => Vec::new(),
    }
}

#[test]
fn chips_are_put_by_keys() {
    let mut desk = desk("newmarket", Phase::Ante);
    assert_eq!(split(&desk), [1, 1, 1, 1]);
    desk.keys("↑");
    assert!(desk.show.message.starts_with("You have 4 chips"), "{}", desk.show.message);
    desk.keys("0→0→0→4");
    assert_eq!(split(&desk), [0, 0, 0, 4]);
    desk.keys("↓⏎");
    assert!(desk.show.message.starts_with("1 chip is still to be placed"));
    assert_eq!(desk.show.stage, Stage::Asked);
    desk.keys("e");
    assert_eq!(split(&desk), [1, 1, 1, 1]);
    desk.keys("→↓→↑");
    assert_eq!(split(&desk), [0, 2, 1, 1]);
    let before = desk.show.felt.layout.clone();
    desk.keys("⏎");
    assert!(split(&desk).is_empty());
    assert_eq!(desk.sitting.state().view(&desk.show.game, 0).staked(0, 1), 2);
    assert_ne!(desk.show.felt.layout, before);
}

#[test]
fn chips_are_put_by_mouse() {
    let mut desk = desk("newmarket", Phase::Ante);
    click(&mut desk, Target::Place(3), MouseButton::Right);
    click(&mut desk, Target::Place(0), MouseButton::Left);
    assert_eq!(split(&desk), [2, 1, 1, 0]);
    click(&mut desk, Target::Enter, MouseButton::Left);
    assert_eq!(desk.sitting.state().view(&desk.show.game, 0).staked(0, 0), 2);
}

#[test]
fn a_lead_is_clicked_and_another_card_refused() {
    let mut desk = desk("newmarket", Phase::Lead);
    click(&mut desk, Target::Refused, MouseButton::Left);
    assert_eq!(desk.show.message, "A lead is the lowest card that you hold of its suit.");
    let card = desk.show.question.as_ref().unwrap().cards(&desk.show.view().unwrap())[1];
    click(&mut desk, Target::Place(1), MouseButton::Left);
    assert!(desk.sitting.state().view(&desk.show.game, 0).played_by(0).contains(card));
}

#[test]
fn a_number_goes_to_a_choice_and_enter_takes_it() {
    let mut desk = desk("michigan-auction", Phase::DeadHand);
    desk.keys("9");
    assert_eq!(desk.show.message, "There are 3 choices.");
    desk.keys("3");
    let wish = desk.show.press(Press::Enter);
    assert_eq!(wish, Some(Wish::Order(Order::Decide(Choice::Auction {}))));
}

#[test]
fn five_cards_are_set_apart() {
    let mut desk = desk("three-in-one", Phase::SetApart);
    desk.keys("⏎");
    assert!(desk.show.message.starts_with("That is 0 of five cards"));
    desk.keys(" → → → → → ");
    assert_eq!(desk.show.message, "Five cards are set apart: take one back first.");
    desk.keys("1 ");
    click(&mut desk, Target::Place(5), MouseButton::Left);
    desk.keys("⏎");
    assert_eq!(desk.sitting.state().view(&desk.show.game, 0).apart().len(), 5);
}

#[test]
fn leaving_is_asked_for() {
    let mut desk = desk("newmarket", Phase::Ante);
    assert_eq!(desk.show.press(Press::Key('q')), None);
    assert_eq!(desk.show.overlay, Some(Overlay::Leave));
    assert_eq!(desk.show.press(Press::Esc), None);
    assert_eq!(desk.show.overlay, None);
    desk.keys("q");
    assert_eq!(desk.show.press(Press::Enter), Some(Wish::Leave));
    assert_eq!(desk.show.press(Press::Interrupt), Some(Wish::Leave), "Ctrl-C does not ask");
}

#[test]
fn the_pace_changes_by_keys() {
    let mut desk = desk("newmarket", Phase::Ante);
    desk.show.pace = Pace::of_millis(200);
    desk.keys("<<");
    assert_eq!(desk.show.pace, Pace::of_millis(800));
    desk.keys("<<<<<");
    assert_eq!(desk.show.pace, Pace::of_millis(1600));
    desk.keys(">>>>>>>>>");
    assert!(desk.show.pace.is_instant());
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
    let mut desk = desk("newmarket", Phase::Lead);
    desk.show.pace = Pace::of_millis(200);
    let Some(Wish::Order(order)) = desk.show.press(Press::Enter) else { panic!("a lead") };
    desk.order(order);
    let shown = |desk: &Desk| desk.show.felt.all_played().len();
    let all = desk.sitting.state().view(&desk.show.game, 0).played().len();
    let before = shown(&desk);
    desk.tick();
    assert_eq!(shown(&desk), before + 1, "one card at a time");
    desk.show.press(Press::Space);
    desk.tick();
    assert!(shown(&desk) >= all, "Space shows the rest");
}

#[test]
fn those_who_look_on_pause_and_step() {
    let mut desk = Desk::new(&game("michigan", 4, 2), 5, None);
    desk.show.pace = Pace::of_millis(200);
    desk.show.press(Press::Space);
    assert_eq!(desk.show.flow, Flow::Paused);
    assert_eq!(desk.tick(), None, "nothing happens");
    let mut steps = 0;
    while desk.show.stage == Stage::Running {
        desk.press(Press::Right);
        steps += 1;
    }
    assert!(steps > 30, "a deal has more events: {steps}");
}
