//! House rules at random, for training and for evaluation.
//!
//! Base and number of players are uniform. Most options that apply keep the value of the base with
//! probability 0.7. Otherwise the value is drawn, and may be the same. The timing of free antes is always drawn. One
//! house in ten has a smaller pack. Its cells are always drawn, except in games with stages. Rules that cannot be
//! played are drawn again.
//!
//! Training never sees some houses ([`House::is_held_out`]). Play in them measures how well the training
//! generalises.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::Value;

use super::cells::{base_cells, base_removed};
use super::named::NAMES;
use super::options::{Kind, RuleOption};
use super::{
    Bankroll, Cell, ChangeSuit, Exchange, FirstDealer, FirstLead, LayoutAnte, OnBust, Rules, Spec,
    Stage, Timing,
};
use crate::card::{Card, Rank, Suit};
use crate::card_set::CardSet;
use crate::seed::{Rng, Seed, below};

/// How many of ten options keep the value of the base.
const KEPT: u32 = 7;
/// One of this many houses has a smaller pack.
const SMALLER: u32 = 10;
/// The least number of cards in a hand.
const LEAST_HAND: usize = 3;
/// One of this many houses is held out by its hash.
const HELD_OUT: u64 = 8;
/// The ranks of drawn cells in a whole pack.
const HIGH: &str = "TJQKA";

/// House rules, and the number of players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct House {
    /// The rules.
    pub rules: Rules,
    /// The number of players.
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

    /// Whether training never sees the house: an eighth of all houses, by their hash.
    pub fn is_held_out(&self) -> bool {
        self.hash().is_multiple_of(HELD_OUT)
    }

    /// Whether the house has two options that the champion of version 0.1 never saw together, in an experiment on
    /// how well training generalises: antes after the look and an exchange, or leads of the other colour and free
    /// antes.
    pub fn has_excluded_pair(&self) -> bool {
        let rules = &self.rules;
        let free = matches!(rules.layout_ante, LayoutAnte::Free { .. });
        let exchanged_after_look =
            rules.timing == Timing::AfterLook && rules.exchange != Exchange::None;
        exchanged_after_look || free && rules.change_suit == ChangeSuit::OtherColour
    }

    /// A hash of the house: FNV-1a over the number of players and the complete rules as JSON with sorted
    /// keys. Base and name of the rules do not count.
    pub fn hash(&self) -> u64 {
        let mut text = format!("{} ", self.players);
        write_sorted(&Value::Object(self.rules.table()), &mut text);
        text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    }
}

/// Whether every hand, the dead hand included, gets at least [`LEAST_HAND`] cards.
fn has_hands(rules: &Rules, players: usize) -> bool {
    let hands = players + usize::from(rules.has_dead_hand());
    rules.pack().len() >= LEAST_HAND * hands
}

/// Writes a text of JSON in which the keys of objects are sorted.
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

    /// Draws whether an option is drawn.
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

    /// Draws the aces, the cards taken out, the size of the pack, and the cells.
    fn pack(&mut self) {
        self.form("aces");
        let Spec { base, aces, .. } = self.spec;
        // The base names these cards by letters, whose ranks depend on the aces.
        let cards = |letters: &[&str]| -> CardSet {
            letters.iter().filter_map(|card| Card::parse(card, aces)).collect()
        };
        self.spec.removed = base_removed(base, aces);
        self.spec.cells = base_cells(base, aces);
        let smaller = below(self.rng, SMALLER) == 0;
        if smaller {
            self.spec.ranks = self.number(3, 12) as usize;
            self.spec.suits = self.number(3, 4) as usize;
        }
        if self.draws() {
            let removed: [&[&str]; 4] =
                [&[], &["8D"], &["2C", "2D", "2H", "2S"], &["KC", "KD", "KH", "KS"]];
            self.spec.removed = cards(self.one_of(&removed));
        }
        // A smaller pack may lack the cells of the base, so its cells are of its own highest ranks.
        if !self.has_stages() && (self.draws() || smaller) {
            let Spec { ranks, suits, .. } = self.spec;
            let high: Vec<Rank> = if smaller {
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

    /// Draws the kitty, the stakes on the layout, the cap, and the timing.
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

    /// Draws the place of the dead hand, and the exchange.
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

    /// Draws the leads, the gains of the winner, and the stages.
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

    /// Draws the options of the session.
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
