//! Where antes go when chips have piled up on one cell.

use newmarket_agents::paired::Estimate;
use newmarket_env::Game;

use crate::study::ante::role_name;
use crate::study::ante::splits::cell_names;
use crate::study::report::{ReportCell, ReportTable};
use crate::study::setting::Setting;

/// Antes of the whole table for one cell that a pile has more than the usual layout.
pub(super) const ANTES: i32 = 3;

/// The usual layout with a pile on one cell, where the whole table antes so many chips.
pub(super) fn layout(usual: &[i32], cell: usize, ante: i32) -> Vec<i32> {
    let mut layout = usual.to_vec();
    layout[cell] += ANTES * (ante / usual.len() as i32).max(1);
    layout
}

/// What was found where one cell has a pile.
pub(super) struct Piled {
    pub(super) cell: usize,
    /// Chips that all seats of the solution stake there.
    pub(super) staked: i32,
    /// The same where the layout is usual.
    pub(super) usually: i32,
    /// By role: chips a deal gained by all chips there rather than on another cell, in the mean over
    /// the others.
    pub(super) gains: Vec<Estimate>,
}

/// The means over all piles.
pub(super) struct Piles<'a> {
    all: &'a [Piled],
    setting: &'a Setting<'a>,
    left: usize,
}

impl<'a> Piles<'a> {
    /// What these piles say, with so many deals left; nothing without piles.
    pub(super) fn of(all: &'a [Piled], setting: &'a Setting, left: usize) -> Option<Self> {
        (!all.is_empty()).then_some(Self { all, setting, left })
    }

    fn game(&self) -> &Game {
        &self.setting.game
    }

    /// By role, in the mean over all piles, each measured on deals of its own. What a cell is worth more than the
    /// others without a pile cancels out.
    fn gain(&self, role: usize) -> Estimate {
        let (count, all) = (self.all.len() as f64, self.all.iter().map(|it| it.gains[role]));
        let squares: f64 = all.clone().map(|gain| gain.ci95.powi(2)).sum();
        Estimate {
            mean: all.map(|gain| gain.mean).sum::<f64>() / count,
            ci95: squares.sqrt() / count,
        }
    }

    /// The roles that stake something.
    fn roles(&self) -> Vec<usize> {
        let players = 0..self.game().players();
        players.filter(|&role| self.gain(role).ci95.is_finite()).collect()
    }

    /// A row for each pile, a column for each role.
    pub(super) fn table(&self) -> ReportTable {
        let roles: Vec<String> =
            self.roles().into_iter().map(|role| role_name(role, self.game())).collect();
        let heads: Vec<&str> =
            std::iter::once("pile on").chain(roles.iter().map(String::as_str)).collect();
        let caption = format!(
            "Chips a deal gained by all chips on a pile rather than on another cell, by seat: the \
             usual layout with {} deals left, and {ANTES} antes of the table for one cell more on one \
             cell; the seats that stake later answer as the solution does",
            self.left
        );
        let mut table = ReportTable::new(caption, &heads);
        let names = cell_names(self.game());
        for pile in self.all {
            let gains = self.roles().into_iter().map(|role| ReportCell::from(pile.gains[role]));
            table.push(std::iter::once(names[pile.cell].clone().into()).chain(gains).collect());
        }
        let all = self.roles().into_iter().map(|role| ReportCell::from(self.gain(role)));
        table.push(std::iter::once("in the mean".into()).chain(all).collect());
        table
    }

    /// Which seats should stake on a pile.
    pub(super) fn advice(&self) -> String {
        let gains: Vec<(usize, Estimate)> =
            self.roles().into_iter().map(|role| (role, self.gain(role))).collect();
        let seats = |wanted: &dyn Fn(Estimate) -> bool| -> Option<String> {
            let seats = gains.iter().filter(|(_, gain)| wanted(*gain));
            let told =
                seats.map(|(role, gain)| format!("{} {gain}", role_name(*role, self.game())));
            let told: Vec<String> = told.collect();
            (!told.is_empty()).then(|| told.join(", "))
        };
        let most = gains.iter().map(|(_, gain)| gain.mean.abs() + gain.ci95).fold(0.0, f64::max);
        let even = self.even_seats().map(|seats| format!("no difference is separated for {seats}"));
        let told: Vec<String> = [
            seats(&|gain| gain.mean > gain.ci95).map(|seats| format!("ante on the pile, {seats}")),
            seats(&|gain| gain.mean < -gain.ci95)
                .map(|seats| format!("ante away from the pile, {seats}")),
            even,
        ]
        .into_iter()
        .flatten()
        .collect();
        format!(
            "Where a boodle has piled up, {ANTES} antes of the table for one cell more than usual, \
             among {}: {} (all chips there rather than on another boodle; at most {most:.3} chips a \
             deal either way).",
            self.setting.field.name(),
            told.join("; ")
        )
    }

    /// The seats for which a pile makes no difference that is separated.
    fn even_seats(&self) -> Option<String> {
        let roles = self.roles();
        let even = roles.iter().filter(|&&role| !self.gain(role).separated());
        let names: Vec<String> = even.map(|&role| role_name(role, self.game())).collect();
        match names.len() {
            0 => None,
            count if count == roles.len() => Some("any seat".into()),
            _ => Some(names.join(", ")),
        }
    }

    /// How the solution answers piles.
    pub(super) fn findings(&self) -> String {
        let mean = |chips: fn(&Piled) -> i32| {
            self.all.iter().map(|pile| f64::from(chips(pile))).sum::<f64>() / self.all.len() as f64
        };
        let (there, usually) = (mean(|pile| pile.staked), mean(|pile| pile.usually));
        let rules = self.game().rules();
        let all = rules.layout_stake(false) * (self.game().players() as i32 - 1)
            + rules.layout_stake(true);
        format!(
            "With {} deals left and a pile on one cell, all seats of the solution together stake \
             {there:.1} of {all} chips on it in the mean over the cells, where they stake {usually:.1} on \
             the same cell with the usual layout.",
            self.left
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pile_is_three_antes_of_the_table_for_a_cell() {
        assert_eq!(layout(&[1, 2, 3, 4], 2, 16), [1, 2, 15, 4]);
        assert_eq!(layout(&[0, 0], 0, 1), [3, 0], "at least a chip each");
    }
}
