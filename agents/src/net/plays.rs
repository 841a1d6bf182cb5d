//! How a network chooses, kind of decision by kind: its likeliest action, or one that it draws.
//!
//! Where an action shows what a seat holds, an equilibrium mixes: an ante after a look, a bid. There a
//! network draws its action. Elsewhere a draw only adds mistakes, and it takes its likeliest action.

use newmarket_env::{Action, ActionMask, Phase, Rng, View, seed};
use newmarket_net::{argmax, sample};

use super::agent::tempered;

/// A kind of decision for which a network chooses in one way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayKind {
    /// A chip of an ante before the cards are seen.
    Ante,
    /// A chip of an ante after the look at one's hand.
    AnteAfterLook,
    /// Whether to take the dead hand, or to put it up for auction.
    DeadHand,
    /// A bid for the dead hand, or a pass.
    Auction,
    /// Poker.
    Bet,
    /// A lead.
    Lead,
}

impl PlayKind {
    /// The number of kinds; `kind as usize` is below it.
    pub const COUNT: usize = 6;
    /// All kinds, in order.
    pub const ALL: [Self; Self::COUNT] =
        [Self::Ante, Self::AnteAfterLook, Self::DeadHand, Self::Auction, Self::Bet, Self::Lead];
    /// Their names in files, in order.
    pub const NAMES: [&'static str; Self::COUNT] =
        ["ante", "ante_after_look", "dead_hand", "auction", "bet", "lead"];

    /// The kind of a decision in this phase, with the cards dealt or not. Five cards for poker are set
    /// apart by rule and have no kind; they count as leads.
    pub const fn of(phase: Phase, is_dealt: bool) -> Self {
        match phase {
            Phase::Ante if is_dealt => Self::AnteAfterLook,
            Phase::Ante => Self::Ante,
            Phase::DeadHand => Self::DeadHand,
            Phase::Auction => Self::Auction,
            Phase::Bet => Self::Bet,
            _ => Self::Lead,
        }
    }

    /// The kind of the decision that is due.
    pub const fn due(view: &View) -> Self {
        Self::of(view.phase(), view.is_dealt())
    }
}

/// By kind of decision, whether a network takes its likeliest action, or at which temperature it draws.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Plays {
    /// 0: the likeliest action.
    temperatures: [f32; PlayKind::COUNT],
}

impl Plays {
    /// The likeliest action of every kind.
    pub const LIKELIEST: Self = Self { temperatures: [0.0; PlayKind::COUNT] };
    /// The least temperature. With a smaller one, probabilities may not be finite.
    pub const LEAST: f32 = 0.001;
    /// The greatest temperature. With a greater one, all actions are equally likely.
    pub const MOST: f32 = 1e6;

    /// The same, but decisions of this kind are drawn from the softmax of the logits divided by this
    /// temperature, [`Plays::LEAST`] to [`Plays::MOST`], or with `None` are the likeliest.
    #[must_use]
    pub fn with(mut self, kind: PlayKind, temperature: Option<f32>) -> Self {
        debug_assert!(temperature.is_none_or(|by| (Self::LEAST..=Self::MOST).contains(&by)));
        self.temperatures[kind as usize] = temperature.unwrap_or(0.0);
        self
    }

    /// The temperature at which decisions of this kind are drawn; `None`: the likeliest action is taken.
    pub fn temperature(&self, kind: PlayKind) -> Option<f32> {
        let by = self.temperatures[kind as usize];
        (by > 0.0).then_some(by)
    }

    /// The action of the decision that is due, by logits `[actions]`. Only a draw takes a random number.
    pub fn choose(&self, view: &View, legal: ActionMask, logits: &[f32], rng: &mut Rng) -> Action {
        let temperature = self.temperature(PlayKind::due(view));
        Action::from_index(pick(logits, legal.bits(), temperature, rng))
    }

    /// Whether any kind is drawn.
    pub fn draw(&self) -> bool {
        *self != Self::LIKELIEST
    }
}

/// The index of a legal action by logits `[actions]`: the likeliest, the first among equals, or at a
/// temperature one that is drawn.
pub(super) fn pick(logits: &[f32], legal: u128, temperature: Option<f32>, rng: &mut Rng) -> usize {
    match temperature {
        None => argmax(logits, legal),
        Some(by) => sample(&tempered(logits, by), legal, seed::unit(rng)).0,
    }
}

#[cfg(test)]
mod tests {
    use newmarket_env::{Action, Seed};

    use super::*;

    #[test]
    fn kinds_stand_in_the_order_of_their_names() {
        for (nth, kind) in PlayKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, nth);
        }
        let ante = |dealt| PlayKind::of(Phase::Ante, dealt);
        assert_eq!([false, true].map(ante), [PlayKind::Ante, PlayKind::AnteAfterLook]);
        assert_eq!(PlayKind::of(Phase::Auction, true), PlayKind::Auction);
    }

    #[test]
    fn a_kind_is_drawn_as_often_as_its_temperature_says() {
        let plays = Plays::LIKELIEST.with(PlayKind::Auction, Some(0.5));
        assert!(plays.draw() && !Plays::LIKELIEST.draw());
        assert_eq!(plays.with(PlayKind::Auction, None), Plays::LIKELIEST);
        let mut logits = [0.0; Action::COUNT];
        logits[..3].copy_from_slice(&[1.0, 9.0, 1.5]);
        let mut rng = Seed::new(3).rng();
        let before = rng.clone();
        let lead = pick(&logits, 0b101, plays.temperature(PlayKind::Lead), &mut rng);
        assert_eq!((lead, rng == before), (2, true), "no random number for the likeliest");
        let auction = plays.temperature(PlayKind::Auction);
        let count =
            (0..10_000).filter(|_| pick(&logits, 0b101, auction, &mut rng) == 2).count() as f64;
        // Half a logit at half the temperature: e to one.
        let expected = 10_000.0 / (1.0 + (-1.0_f64).exp());
        assert!((count - expected).abs() < 200.0, "{count}, {expected}");
    }
}
