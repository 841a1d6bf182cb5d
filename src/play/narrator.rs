//! Tells the events of a deal in sentences.
//!
//! Both displays tell a deal in these sentences: the plain terminal prints them, the full screen
//! keeps them in its log. A sentence grows event by event where several seats do the same in turn, as
//! in `Ann leads 3♣ · Ben 4♣ 5♣ — 6♣ is dead`.

use std::mem::discriminant;

use newmarket_env::rules::{ChangeSuit, LayoutAnte};
use newmarket_env::text::listed;
use newmarket_env::{Card, Event, Payee};

use super::session::Opening;
use super::table_view::TableView;
use crate::wording::Wording;

/// A sentence, or more of the last one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Sentence {
    pub(super) text: String,
    /// Whether the text goes on where the last sentence ended.
    pub(super) continues: bool,
}

/// What the last sentence is about, if another event can add to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Topic {
    FixedAntes,
    Spill,
    /// Bids, or bets.
    Turns,
    /// The seat that collected last.
    Collect(usize),
    /// Cards set apart that the reader does not see.
    SetApart,
    /// The seat that played last.
    Sequence(usize),
    PassedLeads,
    Leftovers,
}

/// Tells the events of a deal in their order.
#[derive(Clone, Debug, Default)]
pub(super) struct Narrator {
    topic: Option<Topic>,
}

/// What separates seats within a sentence.
const DOT: &str = " · ";

impl Narrator {
    /// Whether another event can add to the last sentence.
    pub(super) fn may_continue(&self) -> bool {
        self.topic.is_some()
    }

    /// The sentences of an event; `table` is the table after the event. `why` says why a strategy decided so:
    /// it stands in parentheses, as in `Ann leads 3♣ (run stops)`.
    pub(super) fn tell(
        &mut self,
        wording: &Wording,
        table: &TableView,
        event: &Event,
        why: Option<&str>,
    ) -> Vec<Sentence> {
        if let Event::Showdown { paid, .. } = event {
            self.topic = None;
            return showdown(wording, table, paid);
        }
        let Some((text, topic)) = self.sentence(wording, table, event) else { return Vec::new() };
        let continues = match event {
            Event::Lead { .. } => false,
            Event::Stop { .. } | Event::Out { .. } => true,
            _ => {
                topic.is_some()
                    && self.topic.as_ref().map(discriminant) == topic.as_ref().map(discriminant)
            }
        };
        self.topic = topic;
        let text = match why {
            Some(why) => match text.strip_suffix('.') {
                Some(text) => format!("{text} ({why})."),
                None => format!("{text} ({why})"),
            },
            None => text,
        };
        vec![Sentence { text, continues }]
    }

    /// The text of an event and its topic; `None` if there is nothing to say.
    fn sentence(
        &self,
        wording: &Wording,
        table: &TableView,
        event: &Event,
    ) -> Option<(String, Option<Topic>)> {
        let dot = |topic: Topic| if self.topic == Some(topic) { DOT } else { "" };
        Some(match event {
            Event::Ante { seat, kitty, layout } => match wording.game.rules().layout_ante {
                LayoutAnte::Fixed { .. } if self.topic == Some(Topic::FixedAntes) => return None,
                LayoutAnte::Fixed { each, dealer } => {
                    (fixed_antes(wording, each, dealer), Some(Topic::FixedAntes))
                }
                LayoutAnte::Free { .. } => (ante(wording, *seat, *kitty, layout), None),
            },
            Event::Bid { .. }
            | Event::Pass { .. }
            | Event::Check { .. }
            | Event::Bet { .. }
            | Event::Call { .. }
            | Event::Raise { .. }
            | Event::Fold { .. } => {
                let text = turn(wording, table, event);
                (format!("{}{text}", dot(Topic::Turns)), Some(Topic::Turns))
            }
            Event::Spill { from, to, chips } => {
                let cap = wording.game.rules().cell_cap.unwrap_or_default();
                let begins = match self.topic {
                    Some(Topic::Spill) => DOT.into(),
                    _ => format!("Above the cap of {cap}: "),
                };
                let (from, to) = (wording.pile(from), wording.pile(to));
                (format!("{begins}{chips} from {from} to {to}"), Some(Topic::Spill))
            }
            Event::Collect { seat, cell, chips } => {
                let collects = match self.topic {
                    Some(Topic::Collect(last)) if last == *seat => ",".into(),
                    Some(Topic::Collect(_)) => format!("{DOT}{}", wording.name(*seat)),
                    _ => wording.does(*seat, "collect", "collects"),
                };
                let cell = wording.pile(cell);
                (format!("{collects} {chips} from {cell}"), Some(Topic::Collect(*seat)))
            }
            Event::SetApart { seat, cards } if cards.is_empty() => {
                let text = match self.topic {
                    Some(Topic::SetApart) => format!("{DOT}{} too", wording.name(*seat)),
                    _ => wording.does(*seat, "set five cards apart", "sets five cards apart"),
                };
                (text, Some(Topic::SetApart))
            }
            Event::Lead { seat, card } => {
                let card = wording.card(card.card(wording.aces()));
                let leads = wording.does(*seat, "lead", "leads");
                (format!("{leads} {card}"), Some(Topic::Sequence(*seat)))
            }
            Event::Play { seat, card } => {
                let card = wording.card(card.card(wording.aces()));
                let text = match self.topic {
                    Some(Topic::Sequence(last)) if last == *seat => format!(" {card}"),
                    _ => format!("{DOT}{} {card}", wording.name(*seat)),
                };
                (text, Some(Topic::Sequence(*seat)))
            }
            Event::Claim { seat, cell, chips } => {
                // A cell of one card is named by the card before it; a cell of several cards is not.
                let is_card = Card::parse(cell, wording.aces()).is_some();
                let cell = if is_card { String::new() } else { format!(" for {cell}") };
                (format!(" +{chips}{cell}"), Some(Topic::Sequence(*seat)))
            }
            Event::Stop { card, why, .. } => {
                (format!(" — {}", why.in_words(card.card(wording.aces()), wording.aces())), None)
            }
            Event::Out { seat } => (format!(" — {} out", wording.does(*seat, "are", "is")), None),
            Event::PassLead { seat } => {
                let change = match wording.game.rules().change_suit {
                    ChangeSuit::OtherColour => "colour",
                    _ => "suit",
                };
                let [you, others] = ["pass", "passes"]
                    .map(|pass| format!("cannot change {change} and {pass} the lead"));
                let text = match self.topic {
                    Some(Topic::PassedLeads) => {
                        format!("{DOT}{}", wording.does(*seat, "pass", "passes"))
                    }
                    _ => wording.does(*seat, &you, &others),
                };
                (text, Some(Topic::PassedLeads))
            }
            Event::Leftover { from, seat, chips } => {
                let begins = match self.topic {
                    Some(Topic::Leftovers) => DOT,
                    _ => "Left on the table: ",
                };
                let (from, name) = (wording.pile(from), wording.name(*seat));
                (format!("{begins}{from} ({chips}) to {name}"), Some(Topic::Leftovers))
            }
            event => (format!("{}.", alone(wording, event)?), None),
        })
    }
}

/// What an own card or own chips wait for: `Enter plays 7♣`.
pub(super) fn waits(wording: &Wording, event: &Event) -> String {
    match event {
        Event::Lead { card, .. } => {
            format!("Enter leads {}", wording.card(card.card(wording.aces())))
        }
        Event::Play { card, .. } => {
            format!("Enter plays {}", wording.card(card.card(wording.aces())))
        }
        Event::Collect { cell, chips, .. } => {
            format!("Enter takes {chips} from {}", wording.pile(cell))
        }
        _ => "Enter goes on".into(),
    }
}

/// The head of a deal: `Deal 2 of 10 · Ann deals`.
pub(super) fn title(wording: &Wording, opening: &Opening) -> String {
    let dealer = wording.does(opening.start.dealer, "deal", "deals");
    let deals = wording.game.rules().session.deals;
    format!("Deal {} of {deals} · {dealer}", opening.number)
}

/// What changed at the table since the deal before.
pub(super) fn changes(wording: &Wording, opening: &Opening) -> Vec<String> {
    let rebuys = opening
        .rebuys
        .iter()
        .map(|&(seat, chips)| format!("{} {chips} chips.", wording.does(seat, "buy", "buys")));
    let out = opening.eliminated.iter().map(|&seat| {
        let cannot =
            wording.does(seat, "cannot pay the stake and are", "cannot pay the stake and is");
        format!("{cannot} out of the game.")
    });
    rebuys.chain(out).collect()
}

/// Antes that the rules fix, for all seats at once.
fn fixed_antes(wording: &Wording, each: i32, dealer: i32) -> String {
    let rules = wording.game.rules();
    let boodle = if rules.pot().is_some() { "boodle (the pot too)" } else { "boodle" };
    let kitty = match rules.kitty_ante {
        0 => String::new(),
        chips => format!(" and {chips} into the kitty"),
    };
    let more = match dealer {
        _ if dealer == each => String::new(),
        _ => format!("; the dealer puts {dealer} on each"),
    };
    format!("Everybody puts {each} on each {boodle}{kitty}{more}.")
}

/// A free ante: `Ann puts 3 on A♠, 1 on J♦ and 1 into the kitty.`
fn ante(wording: &Wording, seat: usize, kitty: i32, layout: &[i32]) -> String {
    let mut piles: Vec<String> = if layout.windows(2).all(|two| two[0] == two[1]) {
        vec![format!("{} on each boodle", layout[0])]
    } else {
        let chips = wording.cells().zip(layout).filter(|(_, chips)| **chips > 0);
        chips.map(|(cell, chips)| format!("{chips} on {cell}")).collect()
    };
    piles.extend((kitty > 0).then(|| format!("{kitty} into the kitty")));
    format!("{} {}.", wording.does(seat, "put", "puts"), listed(&piles))
}

/// A bid, or a bet.
fn turn(wording: &Wording, table: &TableView, event: &Event) -> String {
    match event {
        Event::Bid { seat, chips } => format!("{} {chips}", wording.does(*seat, "bid", "bids")),
        Event::Pass { seat } => wording.does(*seat, "pass", "passes"),
        Event::Check { seat, .. } => wording.does(*seat, "check", "checks"),
        Event::Bet { seat, chips } => format!("{} {chips}", wording.does(*seat, "bet", "bets")),
        Event::Call { seat, chips } => format!("{} {chips}", wording.does(*seat, "call", "calls")),
        Event::Raise { seat, .. } => {
            format!("{} to {}", wording.does(*seat, "raise", "raises"), table.bets[*seat])
        }
        Event::Fold { seat, .. } => wording.does(*seat, "fold", "folds"),
        _ => String::new(),
    }
}

/// The hands that were shown, and who takes the pot.
fn showdown(wording: &Wording, table: &TableView, paid: &[i32]) -> Vec<Sentence> {
    let stay = table.start.seats_in - table.folded;
    let mut lines = Vec::new();
    if stay.len() > 1 {
        for seat in stay.from_left_of(table.start.dealer) {
            let five = wording.five(table.apart[seat]);
            lines.push(format!("{} {five}.", wording.does(seat, "show", "shows")));
        }
    }
    let winners: Vec<usize> = (0..paid.len()).filter(|&seat| paid[seat] > 0).collect();
    let pot: i32 = paid.iter().sum();
    lines.push(match winners[..] {
        [] => "The pot is empty.".into(),
        [winner] => {
            let unseen = if stay.len() == 1 { ", unseen" } else { "" };
            format!("{} the pot of {pot}{unseen}.", wording.does(winner, "take", "takes"))
        }
        _ => {
            let shares: Vec<String> = winners.iter().map(|&seat| paid[seat].to_string()).collect();
            let who = wording.all(&winners);
            format!("{who} share the pot of {pot}: {}.", listed(&shares))
        }
    });
    lines.into_iter().map(|text| Sentence { text, continues: false }).collect()
}

/// An event that is a sentence of its own, without its full stop; `None` if there is nothing to say.
fn alone(wording: &Wording, event: &Event) -> Option<String> {
    Some(match event {
        Event::Deal { .. } => "The cards are dealt".into(),
        Event::Keep { seat } => wording.does(*seat, "keep your hand", "keeps the hand as dealt"),
        Event::Exchange { seat, paid, to, .. } => match to {
            None => wording.does(*seat, "take the dead hand", "takes the dead hand"),
            Some(Payee::Seat(dealer)) => {
                let buys = wording.does(*seat, "buy", "buys");
                format!("{buys} the dead hand for {paid} from {}", wording.name(*dealer))
            }
            Some(payee) => {
                let pays = wording.does(
                    *seat,
                    "take the dead hand and pay",
                    "takes the dead hand and pays",
                );
                let kitty = *payee == Payee::Kitty;
                format!("{pays} {paid} {}", if kitty { "into the kitty" } else { "to the layout" })
            }
        },
        Event::Auction { seat } => wording.does(
            *seat,
            "put the dead hand up for auction",
            "puts the dead hand up for auction",
        ),
        Event::SetApart { seat, cards } => {
            let five = cards.iter().map(|name| name.card(wording.aces())).collect();
            format!("{} {}", wording.does(*seat, "set apart", "sets apart"), wording.five(five))
        }
        Event::NoWinner {} => "Nobody can lead: the deal has no winner".into(),
        Event::Settle { winner, kitty, paid, .. } => {
            let mut takes = Vec::new();
            takes.extend((*kitty > 0).then(|| format!("the kitty of {kitty}")));
            let cards: i32 = paid.iter().sum();
            takes
                .extend((cards > 0).then(|| format!("{cards} for the cards that the others hold")));
            if takes.is_empty() {
                return None;
            }
            format!("{} {}", wording.does(*winner, "take", "takes"), listed(&takes))
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use newmarket_env::{Action, CardSet, DealStart, Game, Hands, Rules, State, Suit, narrate};

    use super::*;

    /// A deal that is told to seat 0.
    struct TestDeal {
        game: Arc<Game>,
        state: State,
        table: TableView,
        narrator: Narrator,
    }

    impl TestDeal {
        /// Before the first lead: the antes are placed, seat 0 leads, all other cards are dead.
        fn new(rules: &str, hands: &[&str]) -> Self {
            let rules = Rules::from_toml(rules, "test").unwrap();
            let game = Arc::new(Game::new(rules, hands.len()).unwrap());
            let start = DealStart::fresh(hands.len(), hands.len() - 1);
            let mut state = State::new(&game, &start);
            while let Some(chip) = state.legal(&game).first() {
                state.apply(&game, chip).unwrap();
            }
            let set = |text: &str| -> CardSet {
                let cards = text.split_whitespace();
                cards.map(|card| Card::parse(card, game.rules().aces).unwrap()).collect()
            };
            let mut dealt = Hands { dead: game.pack(), ..Hands::default() };
            for (seat, hand) in hands.iter().enumerate() {
                dealt.seats[seat] = set(hand);
                dealt.dead -= set(hand);
            }
            state.deal(&game, &dealt);
            let table = TableView::new(game.clone(), &Opening::of_deal(1, start));
            Self { game, state, table, narrator: Narrator::default() }
        }

        /// A lead and what follows on it.
        fn lead(&mut self, suit: Suit) -> String {
            let (before, action) = (self.state, Action::lead(suit));
            self.state.apply(&self.game, action).unwrap();
            let wording = Wording { game: &self.game, person: Some(0) };
            let mut text = String::new();
            for event in narrate(&self.game, &before, Some(action), &self.state, Some(0)) {
                self.table.apply(&event);
                for sentence in self.narrator.tell(&wording, &self.table, &event, None) {
                    text += if sentence.continues || text.is_empty() { "" } else { "\n" };
                    text += &sentence.text;
                }
            }
            text
        }
    }

    #[test]
    fn a_sequence_says_who_played_what_and_why_it_stopped() {
        let hands = ["3C TH QC 2S", "4C 5C JH QH KH", "6C 9C TC JC 3S 8S"];
        let mut deal = TestDeal::new("base = \"newmarket\"", &hands);
        assert_eq!(deal.lead(Suit::Clubs), "You lead 3♣ · Ann 4♣ 5♣ · Ben 6♣ — 7♣ is dead");
        assert_eq!(deal.lead(Suit::Spades), "Ben leads 3♠ — 4♠ is dead");
        assert_eq!(deal.lead(Suit::Clubs), "Ben leads 9♣ 10♣ J♣ · You Q♣ — K♣ is dead");
        assert_eq!(deal.lead(Suit::Spades), "You lead 2♠ — 3♠ was played");
        assert_eq!(
            deal.lead(Suit::Hearts),
            "You lead 10♥ — You are out\n\
             You take the kitty of 3 and 4 for the cards that the others hold."
        );
    }

    #[test]
    fn claims_stand_with_their_cards() {
        let hands = ["TH 2S", "JH QH 5D", "KH 4C 6C"];
        let mut deal = TestDeal::new("base = \"michigan\"", &hands);
        assert_eq!(deal.lead(Suit::Hearts), "You lead 10♥ · Ann J♥ Q♥ · Ben K♥ — A♥ is dead");
        assert_eq!(deal.lead(Suit::Clubs), "Ben leads 4♣ — 5♣ is dead");
        let hands = ["TH 2S", "JH QH 5D", "KH AH 6C"];
        let mut deal = TestDeal::new("base = \"michigan\"", &hands);
        assert_eq!(deal.lead(Suit::Hearts), "You lead 10♥ · Ann J♥ Q♥ · Ben K♥ A♥ +4 — top card");
    }

    #[test]
    fn a_removed_card_stops() {
        let hands = ["QH 2S", "JH 5D", "4C 6C"];
        let mut deal = TestDeal::new("base = \"south-london\"", &hands);
        assert_eq!(deal.lead(Suit::Hearts), "You lead Q♥ — K♥ is not in the pack");
    }
}
