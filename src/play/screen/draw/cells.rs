//! The cells of the layout with their chips, and the kitty.

use newmarket_env::CardSet;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Block, BorderType, Widget};

use super::super::super::question::Question;
use super::super::super::table_view::claims;
use super::super::press::Target;
use super::super::state::ScreenState;
use super::super::theme::Theme;
use super::Canvas;

/// How a pile is drawn.
struct Pile {
    label: String,
    chips: i32,
    /// Chips of the ante that the person is making.
    put: i32,
    taken: Option<String>,
    /// Whether the person can take it.
    claimable: bool,
}

fn piles(screen: &ScreenState) -> Vec<Pile> {
    let (wording, table) = (screen.wording(), &screen.table);
    let claims = screen.view().map(|view| claims(&view)).unwrap_or_default();
    let split = match &screen.question {
        Some(Question::Ante { split, .. }) => split.clone(),
        _ => vec![0; table.layout.len()],
    };
    let rules = screen.game.rules();
    let mut piles: Vec<Pile> = Vec::new();
    for (nth, cell) in rules.cells.iter().enumerate() {
        piles.push(Pile {
            label: wording.cell(cell),
            chips: table.layout[nth],
            put: split[nth],
            taken: table.taken[nth].map(|(seat, chips)| format!("{}+{chips}", wording.name(seat))),
            claimable: claims.get(nth).is_some_and(|set: &CardSet| !set.is_empty()),
        });
    }
    if rules.has_kitty() {
        let kitty = table.kitty;
        let winner = table.settled.as_ref().filter(|settled| settled.kitty > 0);
        let taken =
            winner.and_then(|won| Some(format!("{}+{}", wording.name(won.winner?), won.kitty)));
        piles.push(Pile { label: "kitty".into(), chips: kitty, put: 0, taken, claimable: false });
    }
    piles
}

/// Draws the piles side by side in the middle.
pub(super) fn draw(screen: &ScreenState, canvas: &mut Canvas, area: Rect) {
    let mut piles = piles(screen);
    // A rules file may give cells long names.
    let most = (usize::from(area.width) / piles.len()).saturating_sub(2);
    let all: usize = piles.iter().map(|pile| pile.label.chars().count().max(3) + 2).sum();
    if all > usize::from(area.width) {
        for pile in &mut piles {
            pile.label = pile.label.chars().take(most).collect();
        }
    }
    let least: Vec<u16> =
        piles.iter().map(|pile| (pile.label.chars().count() as u16 + 2).max(5)).collect();
    let spare = area.width.saturating_sub(least.iter().sum());
    let each = (spare / piles.len() as u16).min(7);
    let gap = u16::from(each > 2);
    let widths: Vec<u16> = least.iter().map(|wide| wide + each - gap).collect();
    let all: u16 = widths.iter().sum::<u16>() + gap * (piles.len() as u16 - 1);
    let mut x = area.x + area.width.saturating_sub(all) / 2;
    let cursor = match &screen.question {
        Some(Question::Ante { cursor, .. }) => Some(*cursor),
        _ => None,
    };
    for (nth, (pile, &wide)) in piles.iter().zip(&widths).enumerate() {
        let place = Rect { x, width: wide, ..area };
        draw_pile(canvas, place, pile, cursor == Some(nth), cursor.is_some());
        if cursor.is_some() && nth < screen.table.layout.len() {
            canvas.click(place, Target::Place(nth));
        }
        x += wide + gap;
    }
}

fn draw_pile(canvas: &mut Canvas, area: Rect, pile: &Pile, cursor: bool, asked: bool) {
    let theme = canvas.theme;
    let style = match (cursor, &pile.taken) {
        (true, _) => theme.cursor(),
        (_, Some(_)) => theme.gain(),
        (_, None) if pile.claimable => theme.choice(),
        _ => theme.dim(),
    };
    let border = if cursor { BorderType::Thick } else { BorderType::Rounded };
    Block::bordered().border_type(border).border_style(style).render(area, canvas.buffer);
    let label = theme.rich(&pile.label).style(Theme::strong());
    let wide = pile.label.chars().count() as u16;
    canvas.line(area.x + (area.width - wide) / 2, area.y, wide, &label);
    let inner = Rect { x: area.x + 1, width: area.width - 2, ..area };
    let row = area.y + (area.height - 1).div_ceil(2);
    match &pile.taken {
        Some(taken) if pile.chips == 0 => canvas.middle(inner, row, taken, theme.gain()),
        _ if asked => {
            let text = match (pile.chips, pile.put) {
                (0, 0) => "–".into(),
                (chips, 0) => chips.to_string(),
                (0, put) => format!("+{put}"),
                (chips, put) => format!("{chips}+{put}"),
            };
            let style = if pile.put > 0 { theme.choice() } else { theme.dim() };
            canvas.middle(inner, row, &text, style);
        }
        _ if pile.chips == 0 => canvas.middle(inner, row, "–", theme.dim()),
        _ => {
            let star = if pile.claimable { "*" } else { "" };
            let style = if pile.claimable { theme.cursor() } else { Style::new() };
            canvas.middle(inner, row, &format!("{}{star}", pile.chips), style);
        }
    }
}
