//! The unit of a table, in which differences between choices are alike in all games.

use newmarket_env::Game;

/// How much an ante of one chip counts beside a card left of one chip, both squared.
const ANTES: f32 = 0.003;

/// The unit of a table, in chips: 1 in `newmarket` with four players, and elsewhere about as much more or less
/// as the gains of leads spread. With n players, a chip for each card left, c, and the ante of a seat that does
/// not deal, a, it is in proportion to n √(c² + 0.003 a²). The form and its constant were fitted to playouts in
/// 140 houses, whose spreads it meets with a root mean square error of a third (`train/NOTEBOOK.md`, 101).
pub fn table_unit(game: &Game) -> f32 {
    let rules = game.rules();
    let stakes = |per_card: f32, ante: f32| per_card * per_card + ANTES * ante * ante;
    let stakes_here = stakes(rules.per_card as f32, rules.full_ante(false).max(1) as f32);
    game.players() as f32 / 4.0 * libm::sqrtf(stakes_here / stakes(1.0, 5.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use newmarket_env::Rules;

    fn unit(rules: &str, players: usize) -> f32 {
        let rules = Rules::named(rules).expect("a named game");
        table_unit(&Game::new(rules, players).expect("it seats them"))
    }

    #[test]
    fn it_follows_players_and_stakes() {
        assert!((unit("newmarket", 4) - 1.0).abs() < 1e-6);
        assert!((unit("newmarket", 6) - 1.5).abs() < 1e-6);
        // Cards left cost nothing: an ante of five chips is all that is left of the stakes.
        assert!((unit("newmarket-2011", 4) - 0.264).abs() < 0.02, "{}", unit("newmarket-2011", 4));
    }
}
