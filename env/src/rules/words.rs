//! The rules in words, for people who know no card game of the family.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{
    Bankroll, Cell, ChangeSuit, DeadHand, Exchange, FirstLead, LayoutAnte, Leftover, OnBust, Rules,
    Stage, Timing,
};
use crate::card::{Aces, Card};
use crate::card_set::CardSet;
use crate::text::{Joined as _, listed};

const POKER: &str = "Poker: everybody sets five cards apart. Then there is one round of bets from the dealer's left: \
                     check or bet 1; after a bet call, raise by 1 (three raises in all) or fold. A player who folds \
                     loses nothing later.";
const LEADING: &str = "You lead the lowest card that you hold of a suit. The player with the next higher card plays it, \
                       and so on, until nobody can: that is a stop.";

impl Rules {
    /// The rules in short, in the order of a deal: each text is a sentence or a few about one thing. They are made from
    /// the options alone, so that house rules are told truly. Cards are written as `10♦`.
    pub fn in_words(&self) -> Vec<String> {
        let mut said = Vec::from([players_and_pack(self)]);
        said.extend(stakes(self));
        said.push(dead_hand(self));
        let (held, first) = (self.has(Stage::Collect), self.stages.first());
        if held && first == Some(&Stage::Collect) {
            said.push(claiming(self, "First, the holder"));
        }
        if self.has(Stage::Poker) {
            let leads = self.first_lead == FirstLead::PokerWinner;
            let leads = if leads { ", and its winner leads first" } else { "" };
            said.push(POKER.into());
            said.push(format!(
                "The best five cards of the players who stay take the pot{leads}. All cards go back to the hands \
                 for the play."
            ));
        }
        if held && first != Some(&Stage::Collect) {
            said.push(claiming(self, "After poker, the holder"));
        }
        said.push(LEADING.into());
        match self.first_lead {
            FirstLead::Eldest => said.push("The player on the dealer's left leads first.".into()),
            FirstLead::LowestOf(suit) => {
                said.push(format!("The holder of the lowest card of {suit} leads it first."));
            }
            FirstLead::PokerWinner => {}
        }
        said.push(next_lead(self.change_suit).into());
        if !held {
            said.push(claiming(self, "The player"));
        }
        said.push(prize(self));
        said.push(session(self));
        said
    }
}

fn players_and_pack(rules: &Rules) -> String {
    let players = match rules.players {
        (least, most) if least == most => format!("{least}"),
        (least, most) => format!("{least} to {most}"),
    };
    let aces = if rules.aces == Aces::Low { "low" } else { "high" };
    let mut said = Vec::from([format!("For {players} players. Aces are {aces}.")]);
    if rules.ranks < 13 || rules.suits < 4 {
        let suits = counted(rules.suits, "suit");
        said.push(format!("The pack has the lowest {} ranks of {suits}.", rules.ranks));
    }
    if !rules.removed.is_empty() {
        let removed = listed(&signs(rules.removed, rules.aces));
        said.push(format!("Not in the pack: {removed}."));
    }
    said.joined(" ")
}

fn stakes(rules: &Rules) -> Vec<String> {
    let mut said = Vec::new();
    let when = match rules.timing {
        Timing::AfterLook => "After a look at their hand",
        Timing::BeforeDeal => "Before the deal",
    };
    let (each, dealer, where_to) = match rules.layout_ante {
        LayoutAnte::Free { chips, dealer_chips } => {
            (chips, dealer_chips, "the boodles as they like")
        }
        LayoutAnte::Fixed { each, dealer } => (each, dealer, "each boodle"),
    };
    if each + dealer > 0 {
        let pot = rules.pot().is_some() && !rules.has_free_ante();
        let pot = if pot { " (the pot too)" } else { "" };
        let more = if dealer == each { String::new() } else { format!(", the dealer {dealer}") };
        said.push(format!("{when} everybody stakes {} on {where_to}{pot}{more}.", chips(each)));
    }
    if rules.kitty_ante > 0 {
        said.push(format!("Everybody pays {} into the kitty.", chips(rules.kitty_ante)));
    } else if !rules.kitty_to_winner {
        said.push("There is no kitty.".into());
    }
    if let Some(cap) = rules.cell_cap {
        said.push(format!("No boodle may hold more than {}.", chips(cap)));
    }
    said
}

fn dead_hand(rules: &Rules) -> String {
    if rules.dead_hand == DeadHand::None {
        return "All cards are dealt to the players: there is no dead hand.".into();
    }
    let may = match rules.exchange {
        Exchange::None => "nobody sees it before the deal is over".into(),
        Exchange::Dealer { fee } => {
            format!("the dealer may exchange hands with it, unseen, {}", price(fee))
        }
        Exchange::DealerOrAuction { max_bid } => format!(
            "the dealer may exchange hands with it, unseen, or sell it to the highest bidder (at most {max_bid})"
        ),
        Exchange::OfferChain { price: fee } => format!(
            "it is offered round, unseen, free to the player on the dealer's left, then {}",
            price(fee)
        ),
    };
    format!("A dead hand is dealt, which is out of play: {may}.")
}

fn price(fee: i32) -> String {
    if fee == 0 { "free".into() } else { format!("for {}", chips(fee)) }
}

const fn next_lead(change: ChangeSuit) -> &'static str {
    match change {
        ChangeSuit::Free => "The player of the last card leads next, any suit.",
        ChangeSuit::ElseSame => {
            "The player of the last card leads next: another suit, if the hand has one."
        }
        ChangeSuit::ElsePass => {
            "The player of the last card leads next, and must change suit, or pass the lead to the left. If nobody \
             can lead, the deal has no winner."
        }
        ChangeSuit::OtherColour => {
            "The player of the last card leads next: the lowest card of the other colour. A player without one \
             passes the lead to the left."
        }
    }
}

/// Who takes the chips of which cell.
fn claiming(rules: &Rules, who: &str) -> String {
    let held = rules.has(Stage::Collect);
    let cells = rules.cells.iter().filter(|cell| !cell.is_pot());
    let plain: Vec<String> =
        cells.clone().filter_map(|cell| plain_cell(cell, rules.aces)).collect();
    let plain = if plain.is_empty() { String::new() } else { format!(": {}", listed(&plain)) };
    let mut said = Vec::from([format!("{who} of a boodle takes the chips on it{plain}.")]);
    let holder = if held { "the holder" } else { "the player" };
    for cell in cells.filter(|cell| cell.claiming_card().is_none()) {
        let sets = sets(&cell.claimed_by, rules.aces);
        said.push(format!("{} is for {holder} of {sets}.", cell.name));
    }
    if held && rules.cells.iter().any(|cell| cell.claimed_by.len() > 1) {
        said.push("Several holders share.".into());
    }
    said.joined(" ")
}

/// A cell of one card: `K♥`; `K♠ (Q♠)` if another card claims it, `MONEY (K♥)` if it is named after no card.
fn plain_cell(cell: &Cell, aces: Aces) -> Option<String> {
    let claims = cell.claiming_card()?;
    let claimed_by = claims.sign(aces);
    Some(match Card::parse(&cell.name, aces) {
        Some(card) if card == claims => claimed_by,
        Some(card) => format!("{} ({claimed_by})", card.sign(aces)),
        None => format!("{} ({claimed_by})", cell.name),
    })
}

/// Sets of cards in words: `K♥ and Q♥`, `8 9 10 of one suit`, `A♠ and K♠, or A♥ and K♥`.
fn sets(sets: &[CardSet], aces: Aces) -> String {
    let ranks = |&set: &CardSet| set.iter().map(Card::rank).collect::<Vec<_>>();
    let of_one_suit = |set: &CardSet| set.suits().is_power_of_two();
    let alike = sets.windows(2).all(|two| ranks(&two[0]) == ranks(&two[1]));
    if let ([first, _, ..], true) = (sets, alike && sets.iter().all(of_one_suit)) {
        let ranks: Vec<&str> = ranks(first).into_iter().map(|rank| aces.sign(rank)).collect();
        return format!("{} of one suit", ranks.joined(" "));
    }
    let sets: Vec<String> = sets.iter().map(|&set| listed(&signs(set, aces))).collect();
    sets.joined(", or ")
}

fn prize(rules: &Rules) -> String {
    let mut parts = Vec::new();
    if rules.kitty_to_winner {
        parts.push("the kitty".into());
    }
    let mut free = "";
    if rules.per_card > 0 {
        let each = chips(rules.per_card);
        parts.push(format!("{each} from each of the others for each card that they still hold"));
    } else {
        free = "; nobody pays for cards that are left";
    }
    if parts.is_empty() {
        parts.push("nothing".into());
    }
    format!("The first player without cards ends the deal and takes {}{free}.", listed(&parts))
}

fn session(rules: &Rules) -> String {
    let session = rules.session;
    let money = match session.bankroll {
        Bankroll::Credit => "chips are a score, which may go below zero".into(),
        Bankroll::Chips { start, on_bust } => {
            let bust = match on_bust {
                OnBust::EndSession => "ends the session",
                OnBust::Eliminate => "is out",
                OnBust::Rebuy => "buys new chips",
            };
            let start = chips(start);
            format!("everybody starts with {start}; a player who cannot pay the stake {bust}")
        }
    };
    let leftover = match session.leftover {
        Leftover::Stay => "stay on the table",
        Leftover::Lot => "are drawn by lot",
        Leftover::Richest => "go to whoever has the most",
    };
    let deals = counted(session.deals as usize, "deal");
    format!(
        "A session is {deals}: {money}. Chips that nobody claims stay for the next deal; after the last one they \
         {leftover}."
    )
}

fn chips(count: i32) -> String {
    counted(count as usize, "chip")
}

fn counted(count: usize, one: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {one}{plural}")
}

fn signs(cards: CardSet, aces: Aces) -> Vec<String> {
    cards.iter().map(|card| card.sign(aces)).collect()
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;
    use std::prelude::rust_2024::*;

    use super::*;
    use crate::rules::NAMES;

    fn words(toml: &str) -> Vec<String> {
        Rules::from_toml(toml, "test").unwrap().in_words()
    }

    #[test]
    fn each_named_game_is_told_in_sentences_of_its_own() {
        let mut all = BTreeSet::new();
        for name in NAMES {
            let said = words(&format!("base = \"{name}\""));
            for text in &said {
                assert!(text.starts_with(char::is_uppercase) && text.ends_with('.'), "{text}");
            }
            all.insert(said.concat());
        }
        assert_eq!(all.len(), NAMES.len());
    }

    #[test]
    fn the_order_is_that_of_a_deal() {
        let said = words("base = \"three-in-one\"").concat();
        let at = |text: &str| said.find(text).unwrap_or_else(|| panic!("{text} is not in {said}"));
        let order = ["stakes 1 chip", "A dead hand", "First, the holder", "Poker:", "You lead"];
        let order = order.iter().map(|text| at(text));
        assert!(order.is_sorted(), "{said}");
        let other = words("base = \"three-in-one\"\nstages = [\"poker\", \"collect\"]").concat();
        assert!(other.find("Poker:") < other.find("After poker, the holder"), "{other}");
    }

    #[test]
    fn house_rules_differ_where_their_options_do() {
        let newmarket = words("base = \"newmarket\"");
        let told = |changes: &str| -> Vec<String> {
            let said = words(&format!("base = \"newmarket\"\n{changes}"));
            said.into_iter().filter(|text| !newmarket.contains(text)).collect()
        };
        assert_eq!(
            told("per_card = 0\nlayout_ante = { free = { chips = 6, dealer_chips = 1 } }"),
            [
                "Before the deal everybody stakes 6 chips on the boodles as they like, the dealer 1.",
                "The first player without cards ends the deal and takes the kitty; nobody pays for cards that are left.",
            ]
        );
        assert_eq!(
            told(
                "kitty_ante = 0\nkitty_to_winner = false\nremoved = [\"8D\"]\ntiming = \"after_look\""
            ),
            [
                "For 3 to 8 players. Aces are low. Not in the pack: 8♦.",
                "After a look at their hand everybody stakes 4 chips on the boodles as they like.",
                "There is no kitty.",
                "The first player without cards ends the deal and takes 1 chip from each of the others for each card that \
                 they still hold.",
            ]
        );
        assert_eq!(
            told(
                "cells = [\"AS\", { card = \"KH\", claimed_by = \"QH\" }, { name = \"MONEY\", claimed_by = \"JD\" }, \
                  { name = \"LOW\", claimed_by = [[\"2C\", \"3C\"], [\"2D\", \"3D\"]] }]"
            ),
            [
                "The player of a boodle takes the chips on it: A♠, K♥ (Q♥) and MONEY (J♦). LOW is for the player of 2 3 of one suit."
            ]
        );
    }
}
