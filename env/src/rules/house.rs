//! House rules at random: what training draws its tables from, and what it is judged by.
//!
//! Base and number of players are uniform. Then most options that apply keep the value of the base with
//! probability 0.7, and are drawn otherwise, which may give the same value. With free antes their timing is always
//! drawn. One house in ten has a smaller pack; its cells are always drawn, except in games with stages. Draws that
//! cannot be played are drawn again.
//!
//! Some houses are never trained on ([`House::is_held_out`]): play in them says how well what was
//! learnt carries over.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::Value;

use super::cells::{base_cells, base_removed};
use super::file::NAMES;
use super::options::{Kind, RuleOption};
use super::{
    Bankroll, Cell, ChangeSuit, Exchange, FirstDealer, FirstLead, LayoutAnte, OnBust, Rules, Spec,
    Stage, Timing,
};
use crate::card::{Card, Rank, Suit};
use crate::card_set::CardSet;
use crate::seed::{Rng, Seed, below};

/// Of ten options, so many keep the value of the base.
const KEPT: u32 = 7;
/// One of so many houses has a scaled pack.
const SCALED: u32 = 10;
/// The least hand of a scaled pack, in cards.
const LEAST_HAND: usize = 3;
/// One of so many houses is held out by its hash.
const HELD_OUT: u64 = 8;
/// The ranks of cells in a whole pack.
const HIGH: &str = "TJQKA";

/// Rules that somebody may play at home, and how many play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct House {
    /// The rules.
    pub rules: Rules,
    /// Players at the table.
    pub players: usize,
}

impl House {
    /// The house of this seed.
    pub fn draw(seed: Seed) -> Self {
        let mut rng = seed.rng();
        let base = one_of(&mut rng, &NAMES);
        let named = Rules::named(base).expect("a named game");
        let (least, most) = named.players;
        let players = least + below(&mut rng, (most - least + 1) as u32) as usize;
        loop {
            if let Ok(rules) = Draft::of(&named, &mut rng).validate()
                && has_hands(&rules, players)
            {
                return Self { rules, players };
            }
        }
    }

    /// Whether training never sees it: an eighth of all by their hash, and those of
    /// [a held out pair](Self::has_held_out_pair).
    pub fn is_held_out(&self) -> bool {
        self.hash().is_multiple_of(HELD_OUT) || self.has_held_out_pair()
    }

    /// Whether it has two options that training never sees together: antes after the look and an
    /// exchange, or leads of the other colour and free antes.
    pub fn has_held_out_pair(&self) -> bool {
        let rules = &self.rules;
        let free = matches!(rules.layout_ante, LayoutAnte::Free { .. });
        let exchanged_after_look =
            rules.timing == Timing::AfterLook && rules.exchange != Exchange::None;
        exchanged_after_look || free && rules.change_suit == ChangeSuit::OtherColour
    }

    /// A hash of what is played: FNV-1a over the number of players and the complete rules as JSON with
    /// sorted keys. Base and name of the rules are not among them.
    pub fn hash(&self) -> u64 {
        let mut text = format!("{} ", self.players);
        write_sorted(&Value::Object(self.rules.table()), &mut text);
        text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    }
}

/// Whether everybody gets at least [`LEAST_HAND`] cards, the dead hand included.
fn has_hands(rules: &Rules, players: usize) -> bool {
    let hands = players + usize::from(rules.has_dead_hand());
    rules.pack().len() >= LEAST_HAND * hands
}

/// JSON in which the keys of objects ascend, whatever order they are kept in.
fn write_sorted(value: &Value, text: &mut String) {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_unstable_by_key(|field| field.0);
            for (key, value) in fields {
                text.push('{');
                text.push_str(key);
                text.push(':');
                write_sorted(value, text);
                text.push('}');
            }
        }
        Value::Array(items) => {
            text.push('[');
            for item in items {
                write_sorted(item, text);
                text.push(',');
            }
            text.push(']');
        }
        single => text.push_str(&single.to_string()),
    }
}

fn one_of<T: Clone>(rng: &mut Rng, of: &[T]) -> T {
    of[below(rng, of.len() as u32) as usize].clone()
}

/// The rules of a house while they are drawn. They begin as those of the base.
struct Draft<'a> {
    spec: Spec,
    rng: &'a mut Rng,
}

impl Draft<'_> {
    /// The order of the draws is frozen: it decides which rules a seed has.
    fn of(base: &Rules, rng: &mut Rng) -> Spec {
        let mut draft = Draft { spec: Spec::clone(base), rng };
        draft.pack();
        draft.antes();
        draft.dead_hand();
        draft.play();
        draft.session();
        draft.spec
    }

    /// Whether an option is drawn.
    fn draws(&mut self) -> bool {
        below(self.rng, 10) >= KEPT
    }

    /// Draws a number from the first to the last.
    fn number(&mut self, first: i32, last: i32) -> i32 {
        first + below(self.rng, (last - first + 1) as u32) as i32
    }

    fn one_of<T: Clone>(&mut self, of: &[T]) -> T {
        one_of(self.rng, of)
    }

    /// Draws whether an option is drawn, and then one of its forms.
    fn form(&mut self, key: &str) {
        if self.draws() {
            let Kind::Forms { forms, set, .. } = RuleOption::of(key).kind else {
                unreachable!("{key} has forms")
            };
            let form = below(self.rng, forms.len() as u32) as i32;
            set(&mut self.spec, [form, 0, 0]);
        }
    }

    fn has_stages(&self) -> bool {
        !self.spec.stages.is_empty()
    }

    /// Aces, cards taken out, the size of the pack, cells.
    fn pack(&mut self) {
        self.form("aces");
        let Spec { base, aces, .. } = self.spec;
        // The base says these as letters, whose ranks depend on the aces.
        let cards = |letters: &[&str]| -> CardSet {
            letters.iter().filter_map(|card| Card::parse(card, aces)).collect()
        };
        self.spec.removed = base_removed(base, aces);
        self.spec.cells = base_cells(base, aces);
        let scaled = below(self.rng, SCALED) == 0;
        if scaled {
            self.spec.ranks = self.number(3, 12) as usize;
            self.spec.suits = self.number(3, 4) as usize;
        }
        if self.draws() {
            let removed: [&[&str]; 4] =
                [&[], &["8D"], &["2C", "2D", "2H", "2S"], &["KC", "KD", "KH", "KS"]];
            self.spec.removed = cards(self.one_of(&removed));
        }
        // The cells of the base need not be in a scaled pack. That has some of its highest ranks.
        if !self.has_stages() && (self.draws() || scaled) {
            let Spec { ranks, suits, .. } = self.spec;
            let high: Vec<Rank> = if scaled {
                (ranks.saturating_sub(HIGH.len())..ranks).map(Rank::from_index).collect()
            } else {
                HIGH.chars().filter_map(|letter| aces.rank(letter)).collect()
            };
            let in_suits = |rank| Suit::ALL[..suits].iter().map(move |&suit| Card::new(suit, rank));
            let mut cards: Vec<Card> = high.into_iter().flat_map(in_suits).collect();
            let cells = self.number(1, cards.len().min(8) as i32) as usize;
            for nth in 0..cells {
                let other = self.number(nth as i32, cards.len() as i32 - 1) as usize;
                cards.swap(nth, other);
            }
            self.spec.cells = cards[..cells].iter().map(|&card| Cell::of(card, aces)).collect();
        }
    }

    /// Kitty, stakes on the layout, cap, and when the antes are placed.
    fn antes(&mut self) {
        if self.draws() {
            self.spec.kitty_ante = self.number(0, 2);
        }
        if self.draws() {
            let double = self.number(1, 2);
            // A pot does not go with free antes.
            self.spec.layout_ante = if self.has_stages() || self.one_of(&[true, false]) {
                let each = self.number(1, 3);
                LayoutAnte::Fixed { each, dealer: each * double }
            } else {
                let chips = self.number(1, 12);
                LayoutAnte::Free { chips, dealer_chips: chips * double }
            };
        }
        if !self.has_stages() && self.draws() {
            self.spec.cell_cap = self.one_of(&[None, Some(10), Some(20), Some(40)]);
        }
        if self.spec.has_free_ante() {
            self.spec.timing = self.one_of(&[Timing::BeforeDeal, Timing::AfterLook]);
        }
    }

    /// Where the dead hand is dealt, and who may take it for how much.
    fn dead_hand(&mut self) {
        self.form("dead_hand.position");
        self.form("dead_hand.remainder");
        if self.draws() {
            let cost = self.number(0, 2 * self.spec.full_ante(false));
            let max_bid = self.number(5, 40);
            self.spec.exchange = self.one_of(&[
                Exchange::None,
                Exchange::Dealer { fee: cost },
                Exchange::DealerOrAuction { max_bid },
                Exchange::OfferChain { price: cost },
            ]);
        }
    }

    /// Leads, claims, and what the winner gets.
    fn play(&mut self) {
        if self.draws() {
            let lowest = FirstLead::LowestOf(self.one_of(&Suit::ALL));
            let leads = [FirstLead::Eldest, lowest, FirstLead::PokerWinner];
            let most = if self.has_stages() { 3 } else { 2 };
            self.spec.first_lead = self.one_of(&leads[..most]);
        }
        self.form("change_suit");
        self.form("kitty_to_winner");
        if self.draws() {
            self.spec.per_card = self.number(0, 2);
        }
        // Games with stages begin with both.
        if self.has_stages() && self.draws() && self.one_of(&[false, true]) {
            self.spec.stages.retain(|&stage| stage != Stage::Collect);
        }
    }

    /// Deals, bankroll, what is left at the end, who deals first.
    fn session(&mut self) {
        if self.draws() {
            self.spec.session.deals = self.one_of(&[1, 5, 10, 20]);
        }
        if self.draws() {
            let start = self.spec.full_ante(false).max(1) * self.number(5, 20);
            let on_bust = self.one_of(&[OnBust::EndSession, OnBust::Eliminate, OnBust::Rebuy]);
            let chips = Bankroll::Chips { start, on_bust };
            self.spec.session.bankroll = self.one_of(&[Bankroll::Credit, chips]);
        }
        self.form("session.leftover");
        if self.draws() {
            self.spec.session.first_dealer =
                self.one_of(&[FirstDealer::Cut, FirstDealer::FirstJack]);
        }
    }
}
