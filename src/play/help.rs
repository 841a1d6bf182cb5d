//! The rules of a game in short, and how to answer on the plain terminal.

use newmarket_env::rules::{
    Bankroll, Cell, ChangeSuit, DeadHand, Exchange, FirstLead, OnBust, Stage,
};
use newmarket_env::{Aces, Card, CardSet};

use crate::report::counted;
use crate::wording::{Wording, rank};

const POKER: &str = "Poker: everybody sets five cards apart. Then there is one round of bets from the \
                     dealer's left: check or bet 1; after a bet call, raise by 1 (three raises in all) \
                     or fold. A player who folds loses nothing later.";

/// How to answer on the plain terminal, and the rules.
pub(super) fn lines(wording: &Wording) -> Vec<String> {
    let mut lines = vec![
        "  Answer with a number of the menu, or type a card such as 10d or qs.".to_owned(),
        "  h: a hint. v: what each choice is worth. r: the table again, with all cards that were \
         played. u: take your last decision of this deal back. q: leave the table."
            .into(),
        "  Where you have one choice only, it is made for you.".into(),
    ];
    if wording.game.rules().has(Stage::Poker) {
        lines.push("  Type five cards as numbers of the menu (1 3 4 7 9) or as cards.".into());
    }
    lines.push(String::new());
    lines.extend(rules(wording).iter().map(|rule| format!("  - {rule}")));
    lines
}

/// The rules of this game in short, a sentence or two each.
pub(super) fn rules(wording: &Wording) -> Vec<String> {
    let rules = wording.game.rules();
    let aces = if rules.aces == Aces::Low { "low" } else { "high" };
    let removed = if rules.removed.is_empty() {
        String::new()
    } else {
        format!(" Not in the pack: {}.", wording.cards(rules.removed))
    };
    let mut text = vec![
        format!("{}: aces are {aces}.{removed}", rules.title()),
        "You lead the lowest card that you hold of a suit. The player with the next higher card \
         plays it, and so on, until nobody can: that is a stop."
            .into(),
    ];
    if rules.has(Stage::Poker) {
        let leads = rules.first_lead == FirstLead::PokerWinner;
        let leads = if leads { ", and its winner leads first" } else { "" };
        text.push(POKER.into());
        text.push(format!(
            "The best five cards of the players who stay take the pot{leads}. All cards go back to \
             the hands for the play."
        ));
    }
    text.push(next_lead(rules.change_suit).into());
    if let FirstLead::LowestOf(suit) = rules.first_lead {
        text.push(format!("The holder of the lowest card of {suit} leads it first."));
    }
    text.push(claiming(wording));
    text.push("The first player without cards ends the deal.".into());
    text.extend(prize(wording));
    text.extend(dead_hand(wording));
    if let Some(cap) = rules.cell_cap {
        text.push(format!("No boodle may hold more than {cap} chips."));
    }
    text.push(session(wording));
    text
}

fn claiming(wording: &Wording) -> String {
    let rules = wording.game.rules();
    let held = rules.has(Stage::Collect);
    let mut text = match (held, &rules.stages[..]) {
        (true, [Stage::Collect, ..]) => "First, the holder of a boodle".to_owned(),
        (true, _) => "After poker, the holder of a boodle".into(),
        (false, _) => "The player of a boodle".into(),
    };
    text += " takes the chips on it";
    let of_sets = |cell: &&Cell| !cell.is_pot() && cell.claiming_card().is_none();
    for (nth, cell) in rules.cells.iter().filter(of_sets).enumerate() {
        let whose = match (nth, held) {
            (0, true) => " is for",
            (0, false) => " is for the player of",
            (_, true) => " for",
            (_, false) => " for the player of",
        };
        let comma = if nth == 0 { ';' } else { ',' };
        let hand = if held { " in one hand" } else { "" };
        let cards = sets(wording, &cell.claimed_by);
        text = format!("{text}{comma} {}{whose} {cards}{hand}", cell.name);
    }
    if held { text + " (several players share)." } else { text + "." }
}

/// Sets of cards in words: `K♥ Q♥`, `8 9 10 of one suit`, `A♠ K♠ or A♥ K♥`.
fn sets(wording: &Wording, sets: &[CardSet]) -> String {
    let ranks = |&set: &CardSet| set.iter().map(Card::rank).collect::<Vec<_>>();
    let of_one_suit = |set: &CardSet| set.suits().is_power_of_two();
    let alike = sets.windows(2).all(|two| ranks(&two[0]) == ranks(&two[1]));
    if let ([first, _, ..], true) = (sets, alike && sets.iter().all(of_one_suit)) {
        let ranks: Vec<String> = first.iter().map(|card| rank(card, wording.aces())).collect();
        return format!("{} of one suit", ranks.join(" "));
    }
    let sets: Vec<String> = sets.iter().map(|&set| wording.cards(set)).collect();
    sets.join(" or ")
}

const fn next_lead(change: ChangeSuit) -> &'static str {
    match change {
        ChangeSuit::Free => "The player of the last card leads next, any suit.",
        ChangeSuit::ElseSame => {
            "The player of the last card leads next: another suit, if the hand has one."
        }
        ChangeSuit::ElsePass => {
            "The player of the last card leads next, and must change suit, or pass the lead to the \
             left. If nobody can lead, the deal has no winner."
        }
        ChangeSuit::OtherColour => {
            "The player of the last card leads next: the lowest card of the other colour. A player \
             without one passes the lead to the left."
        }
    }
}

fn prize(wording: &Wording) -> Option<String> {
    let rules = wording.game.rules();
    let kitty = rules.kitty_to_winner.then(|| "the kitty".to_string());
    let cards = (rules.per_card > 0)
        .then(|| format!("{} for each card that the others still hold", rules.per_card));
    let prize: Vec<String> = kitty.into_iter().chain(cards).collect();
    (!prize.is_empty()).then(|| format!("That player takes {}.", prize.join(" and ")))
}

fn dead_hand(wording: &Wording) -> Option<String> {
    let rules = wording.game.rules();
    let whole = CardSet::ALL - rules.removed;
    let rule = match rules.exchange {
        _ if rules.dead_hand == DeadHand::None => {
            return (rules.pack() == whole).then(|| "All cards are dealt out.".into());
        }
        Exchange::None => "closed until the end".into(),
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
    Some(format!("A dead hand is dealt, which is out of play: {rule}."))
}

fn session(wording: &Wording) -> String {
    let session = wording.game.rules().session;
    let deals = counted(session.deals.into(), "deal");
    let chips = match session.bankroll {
        Bankroll::Credit => "chips are a score, which may go below zero".into(),
        Bankroll::Chips { start, on_bust } => {
            let bust = match on_bust {
                OnBust::EndSession => "ends the session",
                OnBust::Eliminate => "is out",
                OnBust::Rebuy => "buys new chips",
            };
            format!("everybody starts with {start} chips; a player who cannot pay the stake {bust}")
        }
    };
    format!("A session is {deals}: {chips}. Unclaimed chips stay on the layout.")
}
