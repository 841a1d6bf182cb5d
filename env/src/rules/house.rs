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

use serde_json::{Value, json};

use super::file::{NAMES, Table};
use super::words::{CHANGE_SUIT, LEFTOVER, ON_BUST};
use super::{ChangeSuit, DeadHand, Exchange, LayoutAnte, Rules, Timing};
use crate::card::{Aces, Rank};
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
        let players = from_to(&mut rng, least as i32, most as i32) as usize;
        loop {
            let changes = Draft::of(&named, &mut rng);
            if let Ok(rules) = Rules::from_overrides(base, &changes)
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
    let hands = players + usize::from(rules.dead_hand != DeadHand::None);
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

/// A number from the first to the last.
fn from_to(rng: &mut Rng, first: i32, last: i32) -> i32 {
    first + below(rng, (last - first + 1) as u32) as i32
}

/// What a house does otherwise than its base, as it is being drawn.
struct Draft<'a> {
    base: &'a Rules,
    rng: &'a mut Rng,
    changes: Table,
}

impl Draft<'_> {
    fn of(base: &Rules, rng: &mut Rng) -> Table {
        let mut draft = Draft { base, rng, changes: Table::new() };
        draft.pack();
        let ante = draft.antes();
        draft.dead_hand(ante);
        draft.play();
        draft.session(ante);
        draft.changes
    }

    /// Whether an option is drawn.
    fn draws(&mut self) -> bool {
        below(self.rng, 10) >= KEPT
    }

    fn put(&mut self, key: &str, value: Value) {
        self.changes.insert(key.into(), value);
    }

    fn has_stages(&self) -> bool {
        !self.base.stages.is_empty()
    }

    /// Aces, cards taken out, the size of the pack, cells.
    fn pack(&mut self) {
        let mut aces = self.base.aces;
        if self.draws() {
            aces = one_of(self.rng, &[Aces::Low, Aces::High]);
            self.put("aces", json!(if aces == Aces::Low { "low" } else { "high" }));
        }
        let (mut ranks, mut suits) = (13, 4);
        let scaled = below(self.rng, SCALED) == 0;
        if scaled {
            (ranks, suits) = (from_to(self.rng, 3, 12) as usize, from_to(self.rng, 3, 4) as usize);
            self.put("ranks", json!(ranks));
            self.put("suits", json!(suits));
        }
        if self.draws() {
            let removed: [&[&str]; 4] =
                [&[], &["8D"], &["2C", "2D", "2H", "2S"], &["KC", "KD", "KH", "KS"]];
            let removed = one_of(self.rng, &removed);
            self.put("removed", json!(removed));
        }
        // The cells of the base need not be in a scaled pack: it has some of its highest ranks.
        if !self.has_stages() && (self.draws() || scaled) {
            let letters: Vec<char> =
                (0..ranks as u8).map(|rank| aces.letter(Rank::from_index(rank.into()))).collect();
            let highest = letters[ranks.saturating_sub(HIGH.len())..].to_vec();
            let high = if scaled { highest } else { HIGH.chars().collect() };
            let mut cards: Vec<String> = (high.iter())
                .flat_map(|rank| "CDHS"[..suits].chars().map(move |suit| format!("{rank}{suit}")))
                .collect();
            let cells = from_to(self.rng, 1, cards.len().min(8) as i32) as usize;
            for nth in 0..cells {
                let other = from_to(self.rng, nth as i32, cards.len() as i32 - 1) as usize;
                cards.swap(nth, other);
            }
            cards.truncate(cells);
            self.put("cells", json!(cards));
        }
    }

    /// Kitty, stakes on the layout, cap, and when they are placed; returns the full ante of a player who
    /// does not deal.
    fn antes(&mut self) -> i32 {
        let mut kitty = self.base.kitty_ante;
        if self.draws() {
            kitty = from_to(self.rng, 0, 2);
            self.put("kitty_ante", json!(kitty));
        }
        let mut ante = self.base.layout_ante;
        if self.draws() {
            let double = from_to(self.rng, 1, 2);
            // A pot does not go with free antes.
            ante = if self.has_stages() || one_of(self.rng, &[true, false]) {
                let each = from_to(self.rng, 1, 3);
                LayoutAnte::Fixed { each, dealer: each * double }
            } else {
                let chips = from_to(self.rng, 1, 12);
                LayoutAnte::Free { chips, dealer_chips: chips * double }
            };
            self.put("layout_ante", ante.value());
        }
        if !self.has_stages() && self.draws() {
            let cap = one_of(self.rng, &[None, Some(10), Some(20), Some(40)]);
            if let Some(cap) = cap {
                self.put("cell_cap", json!(cap));
            }
        }
        let cells = match self.changes.get("cells") {
            Some(Value::Array(cells)) => cells.len(),
            _ => self.base.cells.len(),
        };
        kitty
            + match ante {
                LayoutAnte::Fixed { each, .. } => each * cells as i32,
                LayoutAnte::Free { chips, .. } => {
                    let timing = one_of(self.rng, &["before_deal", "after_look"]);
                    self.put("timing", json!(timing));
                    chips
                }
            }
    }

    /// Where the dead hand is dealt, and who may take it for how much.
    fn dead_hand(&mut self, ante: i32) {
        let mut dead_hand = Table::new();
        if self.draws() {
            let place = one_of(self.rng, &["none", "first", "before_dealer", "last"]);
            dead_hand.insert("position".into(), json!(place));
        }
        if self.draws() {
            let remainder = one_of(self.rng, &["rotation", "dead_hand"]);
            dead_hand.insert("remainder".into(), json!(remainder));
        }
        self.put("dead_hand", Value::Object(dead_hand));
        if self.draws() {
            let cost = from_to(self.rng, 0, 2 * ante);
            let max_bid = from_to(self.rng, 5, 40);
            let exchange = one_of(
                self.rng,
                &[
                    json!("none"),
                    json!({ "dealer_exchange": { "fee": cost } }),
                    json!({ "dealer_exchange_or_auction": { "max_bid": max_bid } }),
                    json!({ "offer_chain": { "price": cost } }),
                ],
            );
            self.put("exchange", exchange);
        }
    }

    /// Leads, claims, and what the winner gets.
    fn play(&mut self) {
        if self.draws() {
            let suits = ["clubs", "diamonds", "hearts", "spades"];
            let lowest = json!({ "lowest_of": one_of(self.rng, &suits) });
            let mut leads = Vec::from([json!("eldest"), lowest]);
            if self.has_stages() {
                leads.push(json!("poker_winner"));
            }
            let lead = one_of(self.rng, &leads);
            self.put("first_lead", lead);
        }
        if self.draws() {
            let words = CHANGE_SUIT.map(|word| word.0);
            let change = one_of(self.rng, &words);
            self.put("change_suit", json!(change));
        }
        if self.draws() {
            let takes = one_of(self.rng, &[true, false]);
            self.put("kitty_to_winner", json!(takes));
        }
        if self.draws() {
            let chips = from_to(self.rng, 0, 2);
            self.put("per_card", json!(chips));
        }
        if self.has_stages() && self.draws() {
            let when = one_of(self.rng, &["held", "played"]);
            self.put("claim_when", json!(when));
        }
    }

    /// Deals, bankroll, what is left at the end, who deals first.
    fn session(&mut self, ante: i32) {
        let mut session = Table::new();
        let mut put = |key: &str, value: Value| session.insert(key.into(), value);
        if self.draws() {
            put("deals", json!(one_of(self.rng, &[1, 5, 10, 20])));
        }
        if self.draws() {
            let start = ante.max(1) * from_to(self.rng, 5, 20);
            let on_bust = one_of(self.rng, &ON_BUST.map(|word| word.0));
            let chips = json!({ "chips": { "start": start, "on_bust": on_bust } });
            put("bankroll", one_of(self.rng, &[json!("credit"), chips]));
        }
        if self.draws() {
            put("leftover", json!(one_of(self.rng, &LEFTOVER.map(|word| word.0))));
        }
        if self.draws() {
            put("first_dealer", json!(one_of(self.rng, &["cut", "first_jack"])));
        }
        self.put("session", Value::Object(session));
    }
}
