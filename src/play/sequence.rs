//! A sequence, worked out from what everybody sees: the table before the lead and after it.

use newmarket_env::{Card, CardSet, Outcome, View};

use super::paint::wrap;
use super::pen::Pen;

/// A card of a sequence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Played {
    pub(super) card: Card,
    pub(super) seat: usize,
    /// Chips that the card took from the layout.
    pub(super) claimed: i32,
}

/// Why it went no further.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    Top,
    Removed(Card),
    Played(Card),
    Dead(Card),
    Out(usize),
}

/// A lead and all that followed it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Sequence {
    pub(super) plays: Vec<Played>,
    pub(super) end: End,
}

/// The card that would have to follow, and why it cannot: `None` above the top card.
pub(super) fn stop_after(card: Card, view: &View) -> End {
    let rules = view.game().rules();
    let Some(next) = card.above().filter(|next| next.rank().index() < rules.ranks) else {
        return End::Top;
    };
    if !rules.pack().contains(next) {
        End::Removed(next)
    } else if view.played().contains(next) {
        End::Played(next)
    } else {
        End::Dead(next)
    }
}

impl Sequence {
    /// What was played between two views of one seat; `None` if nothing was.
    pub(super) fn between(before: &View, after: &View) -> Option<Self> {
        let run = after.played() - before.played();
        let players = before.game().players();
        let mut plays = Vec::new();
        for card in run {
            let seat = (0..players).find(|&seat| after.played_by(seat).contains(card))?;
            plays.push(Played { card, seat, claimed: claimed(before, after, card, seat) });
        }
        let last = plays.last()?;
        let end = match after.outcome() {
            Outcome::Out(seat) => End::Out(seat),
            Outcome::Playing | Outcome::NoWinner => stop_after(last.card, after),
        };
        Some(Self { plays, end })
    }

    /// Who played the last card.
    pub(super) fn stopper(&self) -> usize {
        self.plays.last().map_or(0, |last| last.seat)
    }

    /// The sequence on a line: `Ann leads 3♣ · You 4♣ 5♣ +4 · Ben 6♣ — 7♣ is dead`.
    pub(super) fn line(&self, pen: &Pen, must: bool) -> String {
        let mut pieces: Vec<String> = Vec::new();
        for group in self.plays.chunk_by(|a, b| a.seat == b.seat) {
            let seat = group[0].seat;
            let lead = if must { "must lead" } else { "lead" };
            let mut text = match pieces.len() {
                0 => pen.does(seat, lead, "leads"),
                _ => format!("· {}", pen.name(seat)),
            };
            for play in group {
                // A long run of one player may be broken between its cards.
                let columns = super::paint::width(&text);
                if columns > 40 {
                    pieces.push(std::mem::take(&mut text));
                } else {
                    text.push(' ');
                }
                text.push_str(&pen.card(play.card));
                if play.claimed > 0 {
                    text.push_str(&pen.paint.gain(&format!(" +{}", play.claimed)));
                }
            }
            pieces.push(text);
        }
        pieces.push(format!("— {}", self.end.words(pen)));
        wrap(pieces, 6)
    }
}

impl End {
    pub(super) fn words(self, pen: &Pen) -> String {
        match self {
            End::Top => "top card".into(),
            End::Removed(next) => format!("{} is not in the pack", pen.card(next)),
            End::Played(next) => format!("{} was played", pen.card(next)),
            End::Dead(next) => format!("{} is dead", pen.card(next)),
            End::Out(seat) => format!("{} out", pen.does(seat, "are", "is")),
        }
    }
}

/// Chips that a card took: of the cells that were emptied, those whose set it completed.
fn claimed(before: &View, after: &View, card: Card, seat: usize) -> i32 {
    let own = after.played_by(seat);
    let later = |set: CardSet| (set - before.played()).iter().any(|other| other > card);
    let cells = before.layout().iter().zip(after.layout()).enumerate();
    cells
        .filter(|(_, (had, has))| has < had)
        .filter(|&(cell, _)| {
            let sets = &mut before.claims().of_cell(cell).iter();
            sets.any(|&set| set.contains(card) && own.is_superset(set) && !later(set))
        })
        .map(|(_, (had, _))| had)
        .sum()
}

#[cfg(test)]
mod tests {
    use newmarket_env::{Action, DealStart, Game, Hands, Rules, State, Suit};

    use super::super::paint::Paint;
    use super::*;

    /// A table at the first lead, everybody's chips placed evenly, seat 0 to lead.
    fn table(rules: &str, hands: &[&str], dead: &str) -> (Game, State) {
        let rules = Rules::from_toml(rules, "test").unwrap();
        let game = Game::new(rules, hands.len()).unwrap();
        let mut state = State::new(&game, &DealStart::fresh(hands.len(), hands.len() - 1));
        while let Some(chip) = state.legal(&game).first() {
            state.apply(&game, chip).unwrap();
        }
        let set = |text: &str| -> CardSet {
            let cards = text.split_whitespace();
            cards.map(|card| Card::parse(card, game.rules().aces).unwrap()).collect()
        };
        let mut dealt = Hands { dead: set(dead), ..Hands::default() };
        for (seat, hand) in hands.iter().enumerate() {
            dealt.seats[seat] = set(hand);
        }
        state.deal(&game, &dealt);
        (game, state)
    }

    fn line(game: &Game, state: &mut State, suit: Suit) -> String {
        let before = *state;
        state.apply(game, Action::lead(suit)).unwrap();
        let sequence = Sequence::between(&before.view(game, 0), &state.view(game, 0)).unwrap();
        sequence.line(&Pen { game, paint: Paint::PLAIN, person: Some(0) }, false)
    }

    #[test]
    fn a_sequence_says_who_played_what_and_why_it_stopped() {
        let hands = ["3C TH QC 2S", "4C 5C JH QH KH", "6C 9C TC JC 3S 8S"];
        let (game, mut state) = table("base = \"newmarket\"", &hands, "7C");
        assert_eq!(
            line(&game, &mut state, Suit::Clubs),
            "  You lead 3♣ · Ann 4♣ 5♣ · Ben 6♣ — 7♣ is dead"
        );
        assert_eq!(line(&game, &mut state, Suit::Spades), "  Ben leads 3♠ — 4♠ is dead");
        assert_eq!(
            line(&game, &mut state, Suit::Clubs),
            "  Ben leads 9♣ 10♣ J♣ · You Q♣ — K♣ is dead"
        );
        assert_eq!(line(&game, &mut state, Suit::Spades), "  You lead 2♠ — 3♠ was played");
        assert_eq!(line(&game, &mut state, Suit::Hearts), "  You lead 10♥ — You are out");
    }

    #[test]
    fn claims_stand_with_their_cards() {
        let hands = ["TH 2S", "JH QH 5D", "KH 4C 6C"];
        let (game, mut state) = table("base = \"michigan\"", &hands, "");
        assert_eq!(
            line(&game, &mut state, Suit::Hearts),
            "  You lead 10♥ · Ann J♥ Q♥ · Ben K♥ — A♥ is dead"
        );
        assert_eq!(line(&game, &mut state, Suit::Clubs), "  Ben leads 4♣ — 5♣ is dead");
        let hands = ["TH 2S", "JH QH 5D", "KH AH 6C"];
        let (game, mut state) = table("base = \"michigan\"", &hands, "");
        assert_eq!(
            line(&game, &mut state, Suit::Hearts),
            "  You lead 10♥ · Ann J♥ Q♥ · Ben K♥ A♥ +4 — top card"
        );
    }

    #[test]
    fn a_removed_card_stops() {
        let hands = ["QH 2S", "JH 5D", "4C 6C"];
        let (game, mut state) = table("base = \"south-london\"", &hands, "");
        let line = line(&game, &mut state, Suit::Hearts);
        assert_eq!(line, "  You lead Q♥ — K♥ is not in the pack");
    }
}
