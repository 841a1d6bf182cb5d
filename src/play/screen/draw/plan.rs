//! The places of all parts of the screen, for sizes from 80 × 24 on.

use ratatui::layout::Rect;

/// Least and most columns beside the table for a log.
const LOG: (u16, u16) = (36, 64);
/// Least columns beside the table for values.
const VALUES: u16 = 20;
/// Columns of a table with something beside it.
const TABLE: u16 = 80;
/// Columns of the seats at the sides.
const SIDE: u16 = 14;

/// Places on the screen.
pub(super) struct Plan {
    pub(super) title: Rect,
    /// Everything but what is beside it.
    pub(super) table: Rect,
    pub(super) board: Rect,
    pub(super) cells: Rect,
    pub(super) suits: Rect,
    pub(super) dead: Rect,
    /// The places of the seats, the person's first.
    pub(super) seats: Vec<Rect>,
    pub(super) hand: Rect,
    pub(super) run: Rect,
    pub(super) prompt: Rect,
    pub(super) message: Rect,
    pub(super) keys: Rect,
    /// Beside the table, a column over all rows: values while they are shown, above the log if there is room for one.
    pub(super) beside: Option<Rect>,
}

/// Rows that are left over. One part after the other takes some of them.
struct Spare(u16);

impl Spare {
    fn take(&mut self, most: u16) -> u16 {
        let rows = self.0.min(most);
        self.0 -= rows;
        rows
    }

    fn all_or_none(&mut self, rows: u16) -> u16 {
        if self.0 >= rows { self.take(rows) } else { 0 }
    }
}

/// How many other players sit at the left, at the top and at the right.
const fn around(others: usize) -> (usize, usize, usize) {
    match others {
        0 => (0, 0, 0),
        1 => (0, 1, 0),
        2 => (1, 0, 1),
        3 => (1, 1, 1),
        4 => (1, 2, 1),
        5 => (1, 3, 1),
        6 => (2, 2, 2),
        _ => (2, 3, 2),
    }
}

impl Plan {
    /// The places for this many players; `open` if all hands are shown, `values` if the values of choices are.
    pub(super) fn new(area: Rect, players: usize, open: bool, values: bool) -> Self {
        let room = area.width.saturating_sub(TABLE);
        let least = if values && room < LOG.0 { VALUES } else { LOG.0 };
        let beside = (room >= least).then(|| room.min(LOG.1).min(area.width / 3).max(least));
        let width = area.width - beside.unwrap_or(0);
        let table = Rect { width, ..area };
        let beside = beside.map(|wide| Rect { x: area.x + width, width: wide, ..area });
        let row = |y: u16, height: u16| Rect { y, height, ..table };
        let hands = if open { players as u16 + 1 } else { 4 };
        let top = if open { 0 } else { 3 };
        // Title, seats, board, sequence, the person's line, hand, question, messages, keys.
        let messages = if open { 1 } else { 2 };
        let least = 1 + top + 10 + 1 + u16::from(!open) + hands + u16::from(!open) + messages + 1;
        let mut spare = Spare(area.height.saturating_sub(least));
        let gap_hand = spare.take(1);
        let gap_board = spare.take(1);
        let runs = 1 + spare.take(1);
        let gap_top = spare.take(1);
        let seat_rows = if open { 0 } else { spare.take(1) };
        let gap_run = spare.take(1);
        let tall_cells = spare.take(1);
        let tall_hand = if open { 0 } else { spare.take(1) };
        let gap_suits = spare.all_or_none(3);
        let gap_prompt = spare.take(1);
        let messages = messages + spare.take(1);
        let more_runs = if beside.is_some() { 0 } else { spare.take(3) };
        let tall_hand = tall_hand + if open { 0 } else { spare.take(1) };
        let (tall_cells, gap_board) = (tall_cells + spare.take(1), gap_board + spare.take(1));
        let (gap_run, gap_hand) = (gap_run + spare.take(1), gap_hand + spare.take(1));
        let before = spare.0 / 2;
        let board_rows = 10 + gap_board + tall_cells + gap_suits;

        let mut y = area.y + 1 + gap_top + before;
        let top_seats = row(y, top + seat_rows);
        y += top + seat_rows;
        let side = if open { 0 } else { SIDE + (width - TABLE).min(8) / 2 };
        let board = row(y, board_rows);
        let (left, top_count, right) = if open { (0, 0, 0) } else { around(players - 1) };
        let wide = (width - 2 * side - 2).min(96);
        let board = Rect { x: table.x + (width - wide) / 2, width: wide, ..board };
        y += board_rows + gap_run;
        let run = row(y, runs + more_runs);
        y += runs + more_runs + gap_hand;
        let you = row(y, u16::from(!open));
        y += u16::from(!open);
        let hand = row(y, hands + tall_hand);
        y += hands + tall_hand + gap_prompt;
        let prompt = row(y, u16::from(!open));
        y += u16::from(!open);
        let message = row(y, messages);

        let inner = Rect { x: board.x + 1, width: board.width - 2, ..board };
        let cells = Rect { y: board.y + 1, height: 3 + tall_cells, ..inner };
        let suits = Rect { y: cells.bottom() + gap_board, height: 4 + gap_suits, ..inner };
        let dead = Rect { y: suits.bottom(), height: 1, ..inner };

        let mut seats = vec![you];
        let rows = 3 + seat_rows;
        // The seats at the sides have one row more.
        let side_rows = 4;
        let at_side = |count: usize, nth: usize| {
            // From the bottom up.
            let place = (count - 1 - nth) as u16;
            let each = board.height / count as u16;
            board.y + place * each + each.saturating_sub(side_rows).div_ceil(2)
        };
        for nth in 0..left {
            seats.push(Rect::new(table.x + 1, at_side(left, nth), side - 1, side_rows));
        }
        for nth in 0..top_count {
            let each = (width - 2) / top_count as u16;
            let wide = each.min(20);
            let x = table.x + 1 + nth as u16 * each + (each - wide) / 2;
            seats.push(Rect::new(x, top_seats.y, wide, rows));
        }
        for nth in (0..right).rev() {
            seats.push(Rect::new(table.x + width - side, at_side(right, nth), side - 1, side_rows));
        }
        Self {
            title: row(area.y, 1),
            keys: row(area.bottom() - 1, 1),
            table,
            board,
            cells,
            suits,
            dead,
            seats,
            hand,
            run,
            prompt,
            message,
            beside,
        }
    }

    /// Whether what is beside the table is wide enough for a log.
    pub(super) fn has_log(&self) -> bool {
        self.beside.is_some_and(|beside| beside.width >= LOG.0)
    }

    /// The part of the table above the person's hand.
    pub(super) fn above_hand(&self) -> Rect {
        let height = self.seats[0].y.saturating_sub(self.table.y + 1);
        Rect { y: self.table.y + 1, height, ..self.table }
    }
}
