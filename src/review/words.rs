//! Cards and choices in words.

use newmarket_engine::Choice;
use newmarket_env::{Game, Name, Suit};

/// A card as people write it: `10♦`.
pub(super) fn card(name: Name) -> String {
    format!("{}{}", rank(name), name.suit().symbol())
}

/// The rank of a card: `10`.
pub(super) fn rank(name: Name) -> String {
    let text = name.to_string();
    match &text[..1] {
        "T" => "10".into(),
        rank => rank.into(),
    }
}

/// Cards by suit: `♣ 2 10   ♦ 9`.
pub(super) fn cards(cards: &[Name]) -> String {
    let suits = Suit::ALL.into_iter().filter_map(|suit| {
        let ranks: Vec<String> =
            cards.iter().filter(|it| it.suit() == suit).map(|&it| rank(it)).collect();
        (!ranks.is_empty()).then(|| format!("{} {}", suit.symbol(), ranks.join(" ")))
    });
    suits.collect::<Vec<_>>().join("   ")
}

/// The name of each cell, that of a card with its symbol.
pub(super) fn cells(game: &Game) -> Vec<String> {
    let names = game
        .rules()
        .cells
        .iter()
        .map(|cell| Name::try_from(cell.name.clone()).map_or_else(|_| cell.name.clone(), card));
    names.collect()
}

/// A choice: `lead 10♦`, `ante A♠ 2, K♥ 2`.
pub(super) fn choice(game: &Game, choice: &Choice) -> String {
    let single = match choice {
        Choice::Ante { layout } => {
            let cells = cells(game);
            let piles = cells.iter().zip(layout).filter(|(_, chips)| **chips > 0);
            let piles: Vec<String> = piles.map(|(cell, chips)| format!("{cell} {chips}")).collect();
            return format!("ante {}", piles.join(", "));
        }
        Choice::SetApart { cards } => {
            let cards: Vec<String> = cards.iter().map(|&it| card(it)).collect();
            return format!("set apart {}", cards.join(" "));
        }
        Choice::Lead { card: name } => return format!("lead {}", card(*name)),
        Choice::Keep {} => "keep the hand",
        Choice::Exchange {} => "take the dead hand",
        Choice::Auction {} => "auction the dead hand",
        Choice::Bid {} => "bid",
        Choice::Pass {} => "pass",
        Choice::Check {} => "check",
        Choice::Bet {} => "bet",
        Choice::Call {} => "call",
        Choice::Raise {} => "raise",
        Choice::Fold {} => "fold",
    };
    single.into()
}

#[cfg(test)]
mod tests {
    use newmarket_env::Rules;

    use super::*;

    #[test]
    fn cards_and_choices_read_well() {
        let names = |text: &str| -> Vec<Name> {
            text.split(' ').map(|name| Name::try_from(name.to_owned()).expect("a card")).collect()
        };
        assert_eq!(cards(&names("2C TC 9D AS")), "♣ 2 10   ♦ 9   ♠ A");
        let game = Game::new(Rules::named("newmarket").expect("a game"), 4).expect("four");
        let ante = Choice::Ante { layout: vec![0, 1, 0, 3] };
        assert_eq!(choice(&game, &ante), "ante K♥ 1, J♦ 3");
        assert_eq!(choice(&game, &Choice::Lead { card: names("TD")[0] }), "lead 10♦");
    }
}
