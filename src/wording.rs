//! How seats, cards, cells and decisions are named, wherever the program speaks to people.

use newmarket_engine::Choice;
use newmarket_env::poker::Strength;
use newmarket_env::rules::Cell;
use newmarket_env::text::listed;
use newmarket_env::{Aces, Action, Card, CardSet, Game, Suit, View};

const NAMES: [&str; 8] = ["Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal"];

/// Names for one table and one reader.
#[derive(Clone, Copy)]
pub(crate) struct Wording<'g> {
    pub(crate) game: &'g Game,
    /// The reader's seat, if the reader plays.
    pub(crate) person: Option<usize>,
}

impl Wording<'_> {
    pub(crate) fn aces(&self) -> Aces {
        self.game.rules().aces
    }

    /// The name of a seat: `You`, `Ann`. Names go clockwise from the reader's left.
    pub(crate) fn name(&self, seat: usize) -> &'static str {
        let players = self.game.players();
        match self.person {
            Some(person) if person == seat => "You",
            Some(person) => NAMES[(seat + players - person - 1) % players],
            None => NAMES[seat],
        }
    }

    /// A seat with its verb: `You lead`, `Ann leads`.
    pub(crate) fn does(&self, seat: usize, you: &str, others: &str) -> String {
        let verb = if self.person == Some(seat) { you } else { others };
        format!("{} {verb}", self.name(seat))
    }

    /// Several seats: `You, Ann and Ben`.
    pub(crate) fn all(&self, seats: &[usize]) -> String {
        let names: Vec<&str> = seats.iter().map(|&seat| self.name(seat)).collect();
        listed(&names)
    }

    /// A card: `10♦`.
    pub(crate) fn card(&self, card: Card) -> String {
        card.sign(self.aces())
    }

    /// Cards in a row: `9♦ 10♦`.
    pub(crate) fn cards(&self, cards: CardSet) -> String {
        let cards: Vec<String> = cards.iter().map(|card| self.card(card)).collect();
        cards.join(" ")
    }

    /// Cards by suit, one text for each suit: `♣ 3 7`, `♦ 9 10* K`. The cards of `marked` have a star.
    pub(crate) fn suits(&self, cards: CardSet, marked: CardSet) -> Vec<String> {
        let suits = Suit::ALL.into_iter().filter(|&suit| cards.lowest(suit).is_some());
        suits
            .map(|suit| {
                let mut text = suit.symbol().to_string();
                for card in cards & CardSet::suit(suit) {
                    let star = if marked.contains(card) { "*" } else { "" };
                    text = format!("{text} {}{star}", self.aces().sign(card.rank()));
                }
                text
            })
            .collect()
    }

    /// Five cards and their poker hand: `8♠ 9♣ 9♥ K♣ K♥ (two pair)`.
    pub(crate) fn five(&self, five: CardSet) -> String {
        format!("{} ({})", self.cards(five), self.poker_hand(five))
    }

    /// What five cards are called: `two pair`.
    pub(crate) fn poker_hand(&self, five: CardSet) -> &'static str {
        Strength::of(five, self.aces()).class().word()
    }

    /// A cell: `K♥`, `K♠(Q♠)` if another card claims it, `RUN` if it is named after no card.
    pub(crate) fn cell(&self, cell: &Cell) -> String {
        cell.sign(self.aces())
    }

    /// All cells, in the order of the rules.
    pub(crate) fn cells(&self) -> impl Iterator<Item = String> {
        self.game.rules().cells.iter().map(|cell| self.cell(cell))
    }

    /// A cell or the kitty, by its name in events.
    pub(crate) fn pile(&self, name: &str) -> String {
        let found = self.game.rules().cells.iter().find(|cell| cell.name == name);
        found.map_or_else(|| format!("the {name}"), |cell| self.cell(cell))
    }

    /// An action of the seat that is to act, as a menu names it: `10♦`, `bid 3`.
    pub(crate) fn action(&self, view: &View, action: Action) -> String {
        let lead = action.suit().and_then(|suit| view.hand().lowest(suit));
        if let Some(card) = lead {
            return self.card(card);
        }
        match action {
            Action::KEEP => "keep the hand".into(),
            Action::EXCHANGE => {
                let cost = match view.price() {
                    0 => "free".into(),
                    1 => "1 chip".into(),
                    chips => format!("{chips} chips"),
                };
                format!("take the dead hand ({} cards, {cost})", view.dead_size())
            }
            Action::AUCTION => "auction the dead hand".into(),
            Action::BID => format!("bid {}", view.bid() + 1),
            Action::BET => "bet 1".into(),
            Action::CALL => format!("call ({})", view.bet() - view.put(view.seat())),
            Action::RAISE => {
                let chips = view.bet() + 1 - view.put(view.seat());
                format!("raise to {} ({chips})", view.bet() + 1)
            }
            other => other.to_string(),
        }
    }

    /// A whole decision of the seat that is to act: `1 1 0 2`, `8♠ 9♣ 9♥ K♣ K♥ (two pair)`, `10♦`.
    pub(crate) fn choice(&self, view: &View, choice: &Choice) -> String {
        match choice {
            Choice::Ante { layout } => spaced(layout),
            Choice::SetApart { cards } => {
                self.five(cards.iter().map(|name| name.card(self.aces())).collect())
            }
            single => {
                let actions = single.actions(self.game);
                actions.first().map_or(String::new(), |&action| self.action(view, action))
            }
        }
    }
}

/// Chips of a seat. A score has a sign.
pub(crate) fn chips(credit: bool, chips: i32) -> String {
    if credit && chips != 0 { format!("{chips:+}") } else { chips.to_string() }
}

/// Numbers with spaces between them.
pub(crate) fn spaced(numbers: &[i32]) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    numbers.join(" ")
}

#[cfg(test)]
mod tests {
    use newmarket_env::Rules;

    use super::*;

    #[test]
    fn seats_are_named_from_the_reader_on() {
        let game = Game::new(Rules::named("newmarket").unwrap(), 4).unwrap();
        let wording = Wording { game: &game, person: Some(0) };
        assert_eq!(wording.does(0, "lead", "leads"), "You lead");
        assert_eq!(wording.does(3, "lead", "leads"), "Cat leads");
        assert_eq!(wording.all(&[0, 2, 3]), "You, Ben and Cat");
        let open = Wording { person: None, ..wording };
        assert_eq!(open.all(&[0]), "Ann");
    }

    #[test]
    fn a_hand_is_sorted_by_suit_and_rank() {
        let game = Game::new(Rules::named("newmarket").unwrap(), 4).unwrap();
        let wording = Wording { game: &game, person: None };
        let hand: CardSet = ["KH", "2C", "AS", "TC", "AH", "9D"]
            .into_iter()
            .map(|card| Card::parse(card, wording.aces()).unwrap())
            .collect();
        let marked = CardSet::of(Card::parse("KH", wording.aces()).unwrap());
        assert_eq!(wording.suits(hand, marked), ["♣ 2 10", "♦ 9", "♥ A K*", "♠ A"]);
        assert_eq!(wording.cards(CardSet::suit(Suit::Clubs) & hand), "2♣ 10♣");
    }
}
