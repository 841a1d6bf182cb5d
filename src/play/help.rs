//! The rules in short, as the person at the table needs them.

use newmarket_env::rules::{Bankroll, Cell, ChangeSuit, Exchange, FirstLead, OnBust, Stage};
use newmarket_env::{Aces, Card, CardSet};

use super::paint::say;
use super::pen::Pen;
use crate::report::counted;

/// What can be typed at any question.
pub(super) const KEYS: &str = "h hint   v values   r table   ? help   q quit";

const POKER: &str = "Poker: everybody sets five cards apart. Then one round of bets, eldest first: \
                     check or bet 1; after a bet call, raise by 1 (three raises in all) or fold. \
                     Folding costs nothing later.";

impl Pen<'_> {
    /// How to answer, and the rules of this game.
    pub(super) fn help(&self) -> String {
        let mut lines = vec![
            say("Answer with a number of the menu, or type a card such as 10d or qs."),
            say("h: a hint. v: what each choice is worth. r: the table again, with all that was \
                 played. q: leave the table."),
        ];
        if self.game.rules().has(Stage::Poker) {
            lines.push(say("Five cards are typed as numbers of the menu (1 3 4 7 9) or as cards."));
        }
        lines.push(String::new());
        lines.extend(self.rules().iter().map(|rule| say(&format!("- {rule}"))));
        lines.join("\n")
    }

    /// The rules of this game in short.
    pub(super) fn rules(&self) -> Vec<String> {
        let rules = self.game.rules();
        let mut text = Vec::new();
        let aces = if rules.aces == Aces::Low { "low" } else { "high" };
        let removed = if rules.removed.is_empty() {
            String::new()
        } else {
            format!(" Not in the pack: {}.", self.paint.cards(rules.removed, rules.aces))
        };
        text.push(format!("{}: aces are {aces}.{removed}", rules.title()));
        text.push(
            "A lead is always the lowest card that the leader holds of a suit. Whoever holds the \
             next higher card plays it, and so on, until nobody can: that is a stop."
                .into(),
        );
        if rules.has(Stage::Poker) {
            text.push(POKER.into());
            let leads = rules.first_lead == FirstLead::PokerWinner;
            let leads = if leads { ", and its winner leads first" } else { "" };
            text.push(format!(
                "The best five of those who stay take the pot{leads}. All cards go back to the \
                 hands for the play."
            ));
        }
        text.push(self.next_lead());
        if let FirstLead::LowestOf(suit) = rules.first_lead {
            text.push(format!("Whoever holds the lowest of {suit} opens with it."));
        }
        text.push(self.claiming());
        text.push("The first to play their last card ends the deal.".into());
        text.extend(self.prize());
        text.extend(self.dead_hand());
        if let Some(cap) = rules.cell_cap {
            text.push(format!("No cell may hold more than {cap} chips."));
        }
        text.push(self.session());
        text
    }

    fn claiming(&self) -> String {
        let rules = self.game.rules();
        let held = rules.has(Stage::Collect);
        let mut text = if held {
            let when = if rules.stages[0] == Stage::Collect { "First" } else { "After poker" };
            format!("{when}, whoever holds a card of the layout takes the chips on it")
        } else {
            "Whoever plays a card of the layout takes the chips on it".to_string()
        };
        let of_sets = |cell: &&Cell| !cell.is_pot() && cell.claiming_card().is_none();
        for (nth, cell) in rules.cells.iter().filter(of_sets).enumerate() {
            let whose = match (nth, held) {
                (0, true) => " is",
                (0, false) => " goes to who plays",
                (_, true) => "",
                (_, false) => " to who plays",
            };
            let comma = if nth == 0 { ';' } else { ',' };
            let hand = if held { " in one hand" } else { "" };
            let cards = self.sets(&cell.claimed_by);
            text = format!("{text}{comma} {}{whose} {cards}{hand}", cell.name);
        }
        if held { text + " (several share)." } else { text + "." }
    }

    /// Sets of cards in words: `K♥ Q♥`, `8 9 10 of one suit`, `A♠ K♠ or A♥ K♥`.
    fn sets(&self, sets: &[CardSet]) -> String {
        let ranks = |&set: &CardSet| set.iter().map(Card::rank).collect::<Vec<_>>();
        let of_one_suit = |set: &CardSet| set.suits().is_power_of_two();
        let alike = sets.windows(2).all(|two| ranks(&two[0]) == ranks(&two[1]));
        let aces = self.aces();
        if let ([first, _, ..], true) = (sets, alike && sets.iter().all(of_one_suit)) {
            let rank = |card: Card| match aces.letter(card.rank()) {
                'T' => "10".to_string(),
                letter => letter.to_string(),
            };
            let ranks: Vec<String> = first.iter().map(rank).collect();
            return format!("{} of one suit", ranks.join(" "));
        }
        let sets: Vec<String> = sets.iter().map(|&set| self.paint.cards(set, aces)).collect();
        sets.join(" or ")
    }

    fn next_lead(&self) -> String {
        match self.game.rules().change_suit {
            ChangeSuit::Free => "Whoever played the last card leads next, any suit.",
            ChangeSuit::ElseSame => {
                "Whoever played the last card leads next: another suit, if they hold one."
            }
            ChangeSuit::ElsePass => {
                "Whoever played the last card leads next, and must change suit; who cannot passes \
                 the lead to the left. If nobody can, the deal has no winner."
            }
            ChangeSuit::OtherColour => {
                "Whoever played the last card leads next: their lowest card of the other colour; \
                 who holds none passes the lead to the left."
            }
        }
        .into()
    }

    fn prize(&self) -> Option<String> {
        let rules = self.game.rules();
        let kitty = rules.kitty_to_winner.then(|| "the kitty".to_string());
        let cards = (rules.per_card > 0)
            .then(|| format!("{} for each card that the others still hold", rules.per_card));
        let prize: Vec<String> = kitty.into_iter().chain(cards).collect();
        (!prize.is_empty()).then(|| format!("That player takes {}.", prize.join(" and ")))
    }

    fn dead_hand(&self) -> Option<String> {
        let rules = self.game.rules();
        let whole = CardSet::ALL - rules.removed;
        let rule = match rules.exchange {
            _ if rules.dead_hand == newmarket_env::rules::DeadHand::None => {
                return (rules.pack() == whole).then(|| "All cards are dealt out.".into());
            }
            Exchange::None => "nobody ever sees it".into(),
            Exchange::Dealer { fee: 0 } => "the dealer may exchange hands with it".into(),
            Exchange::Dealer { fee } => {
                format!("the dealer may exchange hands with it, for {fee} chips")
            }
            Exchange::DealerOrAuction { max_bid } => format!(
                "the dealer may exchange hands with it, or sell it to the highest bidder (at most \
                 {max_bid})"
            ),
            Exchange::OfferChain { price } => format!(
                "it is offered round: free to the player on the dealer's left, then for {price}"
            ),
        };
        Some(format!("A dead hand is dealt, whose cards are out of play: {rule}."))
    }

    fn session(&self) -> String {
        let session = self.game.rules().session;
        let deals = counted(session.deals.into(), "deal");
        let chips = match session.bankroll {
            Bankroll::Credit => "chips are a score, which may go below zero".into(),
            Bankroll::Chips { start, on_bust } => {
                let bust = match on_bust {
                    OnBust::EndSession => "ends it",
                    OnBust::Eliminate => "is out",
                    OnBust::Rebuy => "buys new chips",
                };
                format!("everybody starts with {start} chips; who cannot pay the ante {bust}")
            }
        };
        format!("A session is {deals}: {chips}. Unclaimed chips stay on the layout.")
    }
}
