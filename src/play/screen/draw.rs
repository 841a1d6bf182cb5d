//! Draws the screen from its state and its size.

mod cells;
mod hand;
mod hands;
mod panel;
mod plan;
mod seats;
mod suits;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Block, BorderType, Widget};

use super::super::narrator;
use super::super::question::Question;
use super::press::Target;
use super::state::{Flow, Overlay, ScreenState, Stage};
use super::theme::Theme;
use plan::Plan;

/// The least columns and rows.
pub(super) const LEAST: (u16, u16) = (80, 24);

/// The buffer to draw on, and the areas that can be clicked.
pub(super) struct Canvas<'a> {
    pub(super) buffer: &'a mut Buffer,
    pub(super) theme: Theme,
    pub(super) targets: Vec<(Rect, Target)>,
}

impl Canvas<'_> {
    /// Writes text, cut off after `room` columns. Returns the column after it.
    pub(super) fn put(&mut self, x: u16, y: u16, room: u16, text: &str, style: Style) -> u16 {
        let inside = self.buffer.area;
        if y >= inside.bottom() || x >= inside.right() {
            return x;
        }
        self.buffer.set_stringn(x, y, text, usize::from(room), style).0
    }

    /// Writes text with its cards in colour. Returns the column after it.
    pub(super) fn rich(&mut self, x: u16, y: u16, room: u16, text: &str) -> u16 {
        let line = self.theme.rich(text);
        self.line(x, y, room, &line)
    }

    pub(super) fn line(&mut self, x: u16, y: u16, room: u16, line: &Line) -> u16 {
        let inside = self.buffer.area;
        if y >= inside.bottom() || x >= inside.right() {
            return x;
        }
        self.buffer.set_line(x, y, line, room).0
    }

    /// Writes text in the middle of an area.
    pub(super) fn middle(&mut self, area: Rect, y: u16, text: &str, style: Style) {
        let wide = (text.chars().count() as u16).min(area.width);
        self.put(area.x + (area.width - wide) / 2, y, wide, text, style);
    }

    pub(super) fn click(&mut self, area: Rect, on: Target) {
        self.targets.push((area, on));
    }
}

/// Draws the screen. Returns the areas that can be clicked.
pub(super) fn draw(
    screen: &ScreenState,
    theme: Theme,
    area: Rect,
    buffer: &mut Buffer,
) -> Vec<(Rect, Target)> {
    let mut canvas = Canvas { buffer, theme, targets: Vec::new() };
    if area.width < LEAST.0 || area.height < LEAST.1 {
        let (wide, high) = LEAST;
        let text = format!("This window is {} × {}:", area.width, area.height);
        let middle = area.y + area.height / 2;
        canvas.middle(area, middle.saturating_sub(1), &text, Style::new());
        canvas.middle(area, middle, &format!("enlarge it to {wide} × {high}."), Theme::strong());
        return canvas.targets;
    }
    let values = screen.overlay == Some(Overlay::Values);
    let plan = Plan::new(area, screen.game.players(), screen.viewer.is_none(), values);
    title(screen, &mut canvas, plan.title);
    let edge = Block::bordered().border_type(BorderType::Rounded).border_style(theme.edge());
    edge.render(plan.board, canvas.buffer);
    cells::draw(screen, &mut canvas, plan.cells);
    suits::draw(screen, &mut canvas, plan.suits);
    seats::dead_hand(screen, &mut canvas, plan.dead);
    if screen.viewer.is_some() {
        seats::draw(screen, &mut canvas, &plan.seats);
        hand::draw(screen, &mut canvas, plan.hand);
    } else {
        hands::draw(screen, &mut canvas, plan.hand);
    }
    run(screen, &mut canvas, plan.run);
    let below = prompt(screen, &mut canvas, plan.prompt, plan.message);
    message(screen, &mut canvas, below);
    keys(screen, &mut canvas, plan.keys);
    if let Some(mut beside) = plan.beside {
        if values {
            let used = panel::values_beside(screen, &mut canvas, beside);
            beside = Rect { y: beside.y + used, height: beside.height - used, ..beside };
        }
        if plan.has_log() {
            panel::side_log(screen, &mut canvas, beside);
        }
    }
    match screen.overlay {
        Some(Overlay::Help(line)) => panel::help(screen, &mut canvas, plan.table, line),
        Some(Overlay::Log(line)) => panel::log(screen, &mut canvas, plan.table, line),
        Some(Overlay::Values) if plan.beside.is_none() => {
            panel::values(screen, &mut canvas, plan.above_hand());
        }
        Some(Overlay::Leave) => panel::leave(screen, &mut canvas, plan.table),
        None if matches!(screen.stage, Stage::DealOver | Stage::SessionOver) => {
            panel::result(screen, &mut canvas, plan.above_hand());
        }
        Some(Overlay::Values) | None => {}
    }
    canvas.targets
}

fn title(screen: &ScreenState, canvas: &mut Canvas, area: Rect) {
    let wording = screen.wording();
    let rules = screen.game.rules();
    let name = newmarket_env::text::plain(rules.title());
    let x = canvas.put(area.x + 1, area.y, area.width, &name, Theme::strong());
    let dealer = wording.does(screen.table.start.dealer, "deal", "deals");
    let text = format!(" · deal {} of {} · {dealer}", screen.table.number, rules.session.deals);
    let room = area.width.saturating_sub(x - area.x);
    let x = canvas.put(x, area.y, room, &text, Style::new());
    let paused = if screen.flow == Flow::Paused { "paused · " } else { "" };
    let right = format!("{paused}{} · pace {} ", screen.footer, screen.pace.words());
    let wide = right.chars().count() as u16;
    if x + wide < area.right() {
        canvas.put(area.right() - wide, area.y, wide, &right, canvas.theme.dim());
    }
}

/// The last sentences of the log.
fn run(screen: &ScreenState, canvas: &mut Canvas, area: Rect) {
    let lines = screen.log.latest(usize::from(area.height));
    for (row, text) in (area.y..area.bottom()).zip(lines) {
        // The end of a long sentence is the news.
        let (room, long) = (usize::from(area.width) - 2, text.chars().count());
        let cut = match long.saturating_sub(room) {
            0 => text.clone(),
            over => {
                let rest: String = text.chars().skip(over + 2).collect();
                let word = rest.find(' ').map_or(0, |space| space + 1);
                format!("… {}", &rest[word..])
            }
        };
        canvas.rich(area.x + 1, row, area.width - 1, &cut);
    }
}

/// Draws the question with its buttons. Returns the rows that are left for messages.
fn prompt(screen: &ScreenState, canvas: &mut Canvas, area: Rect, below: Rect) -> Rect {
    let (theme, wording) = (canvas.theme, screen.wording());
    let (Some(question), Some(view)) = (&screen.question, screen.view()) else {
        if let Some(event) = screen.own() {
            let mine = canvas.put(area.x + 1, area.y, area.width, "▸ Mine! ", theme.cursor());
            let label = format!(" {} ", narrator::waits(&wording, event));
            canvas.put(mine, area.y, area.right().saturating_sub(mine), &label, theme.shout());
            canvas.click(Rect::new(mine, area.y, label.chars().count() as u16, 1), Target::Enter);
            return below;
        }
        let text = match screen.table.turn.filter(|_| screen.stage == Stage::Running) {
            Some(seat) if screen.viewer.is_some() => {
                format!("{} …", wording.does(seat, "are asked", "is to act"))
            }
            _ => String::new(),
        };
        canvas.put(area.x + 1, area.y, area.width, &text, theme.dim());
        return below;
    };
    let mark = canvas.put(area.x + 1, area.y, 2, "▸ ", theme.cursor());
    let text = theme.rich(&question.prompt(&wording, &view)).style(Theme::strong());
    let (mut x, mut y) = (canvas.line(mark, area.y, area.width, &text) + 2, area.y);
    let buttons = question.buttons(&wording, &view);
    let mut buttons: Vec<(String, Style, Target)> = buttons
        .iter()
        .enumerate()
        .map(|(nth, text)| {
            let style = if question.cursor() == nth { theme.shout() } else { theme.choice() };
            (format!(" {} {text} ", nth + 1), style, Target::Place(nth))
        })
        .collect();
    let style = if question.choice(&view).is_ok() { theme.shout() } else { theme.dim() };
    match question {
        Question::Ante { .. } => buttons.push((" Enter pays ".into(), style, Target::Enter)),
        Question::Five { .. } => buttons.push((" Enter sets apart ".into(), style, Target::Enter)),
        Question::Pick { .. } => {}
    }
    for (label, style, target) in buttons {
        let wide = label.chars().count() as u16;
        if x + wide > area.right() {
            (x, y) = (mark, y + 1);
        }
        canvas.put(x, y, area.right().saturating_sub(x), &label, style);
        canvas.click(Rect::new(x, y, wide, 1), target);
        x += wide + 1;
    }
    let rows = (y - area.y).min(below.height);
    Rect { y: below.y + rows, height: below.height - rows, ..below }
}

/// The message: a hint, a refusal, or a line of a program.
fn message(screen: &ScreenState, canvas: &mut Canvas, area: Rect) {
    let room = usize::from(area.width) - 4;
    let lines = panel::folded(&screen.message, room);
    let most = usize::from(area.height);
    for (nth, text) in lines.iter().take(most).enumerate() {
        let more = nth + 1 == most && lines.len() > most;
        let text = if more { format!("{text} … (l)") } else { text.clone() };
        canvas.rich(area.x + 3, area.y + nth as u16, area.width - 3, &text);
    }
}

/// The keys that work now.
fn keys(screen: &ScreenState, canvas: &mut Canvas, area: Rect) {
    let theme = canvas.theme;
    let asked = match (&screen.question, screen.stage) {
        (Some(Question::Pick { .. }), Stage::Asked) => {
            &[("←→", "choose", None), ("Enter", "play", Some(Target::Enter))][..]
        }
        (Some(Question::Ante { .. }), Stage::Asked) => &[
            ("←↑↓→", "chips", None),
            ("e", "even", Some(Target::Key('e'))),
            ("Enter", "pay", Some(Target::Enter)),
        ],
        (Some(Question::Five { .. }), Stage::Asked) => {
            &[("←→", "card", None), ("Space", "take", None), ("e", "best", Some(Target::Key('e')))]
        }
        (_, Stage::DealOver) => &[("Enter", "next deal", Some(Target::Enter))],
        (_, Stage::SessionOver) => &[("q", "leave", Some(Target::Key('q')))],
        _ if screen.own().is_some() => &[("Enter", "do it", Some(Target::Enter))],
        _ if screen.viewer.is_none() => &[
            ("Space", "pause", Some(Target::Key('p'))),
            ("→", "step", Some(Target::Key('s'))),
            ("n", "end of deal", Some(Target::Key('n'))),
        ],
        _ => &[("Space", "skip", None)],
    };
    let key =
        |key: &'static str, does| (key, does, Some(Target::Key(key.chars().next().unwrap_or(' '))));
    let mut all = asked.to_vec();
    if screen.stage == Stage::Asked {
        all.extend([key("h", "hint"), key("v", "values")]);
    }
    if screen.viewer.is_some() && screen.stage != Stage::SessionOver {
        all.push(key("u", "undo"));
    }
    all.extend([key("l", "log"), key("?", "help")]);
    if screen.stage != Stage::SessionOver {
        all.extend([key("q", "leave"), ("<>", "pace", None)]);
    }
    let mut x = area.x + 1;
    for (key, does, target) in all {
        let wide = (key.chars().count() + does.chars().count()) as u16 + 1;
        if x + wide > area.right() {
            break;
        }
        let behind = canvas.put(x, area.y, wide, key, theme.choice());
        canvas.put(behind + 1, area.y, wide, does, theme.dim());
        if let Some(target) = target {
            canvas.click(Rect::new(x, area.y, wide, 1), target);
        }
        x += wide + 2;
    }
}
