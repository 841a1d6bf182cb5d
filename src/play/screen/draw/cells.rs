//! The cells of the layout with their chips, and the kitty.

use newmarket_env::{CardSet, Phase};
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Block, BorderType, Widget};

use super::super::press::Target;
use super::super::question::Question;
use super::super::show::Show;
use super::super::theme::Theme;
use super::Sheet;

/// What is drawn of a pile.
struct Pile {
    label: String,
    chips: i32,
    /// Chips that the person is about to put there.
    put: i32,
    taken: Option<String>,
    /// Whether the person holds what takes it.
    own: bool,
}

/// The cards of the person that take chips as things stand.
fn claims(show: &Show) -> CardSet {
    let view = show.view().filter(|view| view.is_dealt() && view.phase() != Phase::Over);
    view.map_or(CardSet::EMPTY, |view| show.pen().claims(&view))
}

fn piles(show: &Show) -> Vec<Pile> {
    let (pen, felt) = (show.pen(), &show.felt);
    let held = claims(show);
    let split = match &show.question {
        Some(Question::Stake { split, .. }) => split.clone(),
        _ => vec![0; felt.layout.len()],
    };
    let rules = show.game.rules();
    let mut piles: Vec<Pile> = Vec::new();
    for (nth, cell) in rules.cells.iter().enumerate() {
        let takes = |set: &CardSet| !set.is_empty() && held.is_superset(*set);
        let sets = show.view().map(|view| view.claims().of_cell(nth).to_vec());
        piles.push(Pile {
            label: pen.cell(cell),
            chips: felt.layout[nth],
            put: split[nth],
            taken: felt.taken[nth].map(|(seat, chips)| format!("{}+{chips}", pen.name(seat))),
            own: felt.layout[nth] > 0 && sets.is_some_and(|sets| sets.iter().any(takes)),
        });
    }
    if rules.has_kitty() {
        let kitty = felt.kitty;
        let winner = felt.settled.as_ref().filter(|it| it.kitty > 0);
        let taken = winner.and_then(|it| Some(format!("{}+{}", pen.name(it.winner?), it.kitty)));
        piles.push(Pile { label: "kitty".into(), chips: kitty, put: 0, taken, own: false });
    }
    piles
}

/// Draws them side by side in the middle.
pub(super) fn draw(show: &Show, sheet: &mut Sheet, area: Rect) {
    let mut piles = piles(show);
    // A rules file may give cells any name.
    let most = (usize::from(area.width) / piles.len()).saturating_sub(2);
    let all: usize = piles.iter().map(|it| it.label.chars().count().max(3) + 2).sum();
    if all > usize::from(area.width) {
        for it in &mut piles {
            it.label = it.label.chars().take(most).collect();
        }
    }
    let least: Vec<u16> =
        piles.iter().map(|it| (it.label.chars().count() as u16 + 2).max(5)).collect();
    let spare = area.width.saturating_sub(least.iter().sum());
    let each = (spare / piles.len() as u16).min(7);
    let gap = u16::from(each > 2);
    let widths: Vec<u16> = least.iter().map(|wide| wide + each - gap).collect();
    let all: u16 = widths.iter().sum::<u16>() + gap * (piles.len() as u16 - 1);
    let mut x = area.x + area.width.saturating_sub(all) / 2;
    let cursor = match &show.question {
        Some(Question::Stake { at, .. }) => Some(*at),
        _ => None,
    };
    for (nth, (pile, &wide)) in piles.iter().zip(&widths).enumerate() {
        let place = Rect { x, width: wide, ..area };
        draw_pile(sheet, place, pile, cursor == Some(nth), cursor.is_some());
        if cursor.is_some() && nth < show.felt.layout.len() {
            sheet.click(place, Target::Place(nth));
        }
        x += wide + gap;
    }
}

fn draw_pile(sheet: &mut Sheet, area: Rect, pile: &Pile, cursor: bool, asked: bool) {
    let theme = sheet.theme;
    let style = match (cursor, &pile.taken) {
        (true, _) => theme.cursor(),
        (_, Some(_)) => theme.gain(),
        (_, None) if pile.own => theme.choice(),
        _ => theme.dim(),
    };
    let border = if cursor { BorderType::Thick } else { BorderType::Rounded };
    Block::bordered().border_type(border).border_style(style).render(area, sheet.buffer);
    let label = theme.rich(&pile.label).style(Theme::strong());
    let wide = pile.label.chars().count() as u16;
    sheet.line(area.x + (area.width - wide) / 2, area.y, wide, &label);
    let inner = Rect { x: area.x + 1, width: area.width - 2, ..area };
    let row = area.y + (area.height - 1).div_ceil(2);
    match &pile.taken {
        Some(taken) if pile.chips == 0 => sheet.middle(inner, row, taken, theme.gain()),
        _ if asked => {
            let text = match (pile.chips, pile.put) {
                (0, 0) => "–".into(),
                (chips, 0) => chips.to_string(),
                (0, put) => format!("+{put}"),
                (chips, put) => format!("{chips}+{put}"),
            };
            let style = if pile.put > 0 { theme.choice() } else { theme.dim() };
            sheet.middle(inner, row, &text, style);
        }
        _ if pile.chips == 0 => sheet.middle(inner, row, "–", theme.dim()),
        _ => {
            let star = if pile.own { "*" } else { "" };
            let style = if pile.own { theme.cursor() } else { Style::new() };
            sheet.middle(inner, row, &format!("{}{star}", pile.chips), style);
        }
    }
}
