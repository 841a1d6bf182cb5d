//! The dead hand, taken and left on the same deal.

use std::sync::{Arc, Mutex};

use newmarket_agents::paired::Estimate;
use newmarket_agents::{OpenView, Player, Table};
use newmarket_env::{Action, Exchange, Game, Phase, Rng, Seed, View};

use super::card::Sample;
use super::features::{FEATURES, Values};
use crate::study::least_squares::{Fit, NormalEquations};
use crate::study::measure::Measurement;
use crate::study::payoff::Ledger;
use crate::study::setting::Setting;
use crate::study::tally::Tally;

/// The game as it is, and with a free exchange.
pub(super) struct Fees {
    /// What the first who is asked pays.
    pub(super) charged: i32,
    /// The games that are played: with the fee, if there is one; then free.
    games: Vec<Arc<Game>>,
}

impl Fees {
    pub(super) fn of(game: &Arc<Game>) -> Self {
        let rules = game.rules();
        let Exchange::Dealer { fee: charged @ 1.. } = rules.exchange else {
            return Self { charged: 0, games: vec![game.clone()] };
        };
        let mut spec = (**rules).clone();
        spec.exchange = Exchange::Dealer { fee: 0 };
        let free = spec.validate().expect("a fee of 0 is no fault");
        let free = Game::new(free, game.players()).expect("the table is the same");
        Self { charged, games: vec![game.clone(), free.into()] }
    }

    /// How many games are played.
    pub(super) fn count(&self) -> usize {
        self.games.len()
    }
}

/// Hands of so many deals are kept for the card.
const MOST_HANDS: u64 = 500_000;

/// An offer of the dead hand, and what comes of it.
pub(super) struct Offer<'a> {
    ledger: &'a Ledger,
    /// For each game where its deals begin, by deals left.
    starts: Vec<Vec<Table>>,
    /// Deals left after this one.
    left: usize,
    /// A table for each game, standing where somebody is asked.
    tables: Vec<Table>,
    field: Player,
    /// How whoever is asked plays on.
    player: Player,
}

/// What taking the dead hand gains over leaving it.
pub(super) struct Gain {
    /// In each of the games.
    pub(super) gains: Vec<f64>,
    /// Whether who took it went out first.
    pub(super) won: bool,
}

impl<'a> Offer<'a> {
    pub(super) fn new(setting: &Setting, ledger: &'a Ledger, fees: &Fees) -> Self {
        let starts: Vec<Vec<Table>> =
            fees.games.iter().map(|game| ledger.tables_of(game)).collect();
        let tables = starts.iter().map(|tables| tables[0].clone()).collect();
        let (field, player) = (setting.field.another(), setting.player.another());
        Self { ledger, starts, left: 0, tables, field, player }
    }

    /// The deal of this number, up to where the dead hand is offered; whether it is.
    pub(super) fn begin(&mut self, number: u64, seed: Seed) -> bool {
        self.left = self.ledger.left(number);
        let field = &mut self.field;
        for (table, starts) in self.tables.iter_mut().zip(&self.starts) {
            table.clone_from(&starts[self.left]);
            table.begin(seed);
            while !table.is_over() && table.view().phase() != Phase::DeadHand {
                if table.view().phase() != Phase::Ante {
                    return false;
                }
                table.decide(|table, rng| field.act(table, rng));
            }
        }
        !self.tables[0].is_over()
    }

    /// What whoever is asked may see.
    pub(super) fn view(&self) -> View<'_> {
        self.view_in(0)
    }

    /// The same in one of the games.
    pub(super) fn view_in(&self, game: usize) -> View<'_> {
        self.tables[game].view()
    }

    /// What the free game has paid a seat at this table.
    pub(super) fn paid(&self, table: &Table, seat: usize) -> f64 {
        self.ledger.paid(self.left, table, seat)
    }

    /// The table of the free game, after the dead hand has been taken.
    pub(super) fn taken(&self) -> Table {
        let mut table = self.tables[self.tables.len() - 1].clone();
        table.take(Action::EXCHANGE);
        table
    }

    /// Plays the deal with the dead hand taken and with it left.
    pub(super) fn play(&mut self) -> Gain {
        let seat = self.tables[0].seat();
        let Self { ledger, left, tables, field, player, .. } = self;
        let mut after = |table: &Table, action| {
            let mut table = table.clone();
            table.take(action);
            let act = |table: &OpenView, rng: &mut Rng| {
                if table.seat() == seat { &mut *player } else { &mut *field }.act(table, rng)
            };
            let winner = table.play_on(act).winner;
            (ledger.paid(*left, &table, seat), winner)
        };
        // What is not taken costs nothing, so that one game is enough.
        let (kept, _) = after(&tables[0], Action::KEEP);
        let mut won = false;
        let gains = (tables.iter())
            .map(|table| {
                let (taken, winner) = after(table, Action::EXCHANGE);
                won = winner == Some(seat);
                taken - kept
            })
            .collect();
        Gain { gains, won }
    }
}

/// Hands of which a feature is in one range.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub(super) share: Estimate,
    pub(super) gains: Vec<Estimate>,
}

/// What taking the dead hand gains, by the hand that is given for it.
pub(super) struct Offers {
    pub(super) all: Vec<Estimate>,
    /// Indexed by feature, then by range.
    pub(super) levels: Vec<Vec<Level>>,
    /// How often who took it went out first.
    won: Estimate,
    /// The free gain by a constant and the fitted features.
    pub(super) fit: Option<Fit>,
    /// Features that differ between hands.
    pub(super) used: Vec<usize>,
    /// The hands, in their order, and what they gain in each game.
    hands: Vec<(Values, Vec<f64>)>,
    /// Those that are fitted, and their means.
    pub(super) fitted: Vec<usize>,
    pub(super) means: Vec<f64>,
}

impl Offers {
    pub(super) fn measure(
        setting: &Setting,
        ledger: &Ledger,
        fees: &Fees,
        seed: Seed,
        done: &(dyn Fn(u64) + Sync),
    ) -> Self {
        let games = fees.count();
        let starts: Vec<usize> = (FEATURES.iter())
            .scan(games + 1, |at, feature| {
                let start = *at;
                *at += feature.levels() * (games + 1);
                Some(start)
            })
            .collect();
        let values =
            starts[FEATURES.len() - 1] + FEATURES[FEATURES.len() - 1].levels() * (games + 1);
        let measurement = Measurement {
            deals: setting.deals,
            seed,
            tallies: values + FEATURES.len(),
            features: FEATURES.len() + 1,
        };
        let hands = Mutex::new(Vec::new());
        let measured = measurement.run(
            || Offer::new(setting, ledger, fees),
            |offer, deal| {
                if !offer.begin(deal.number, deal.seed) {
                    return;
                }
                let Gain { gains, won } = offer.play();
                for (game, &gain) in gains.iter().enumerate() {
                    deal.add(game, gain, 0.0);
                }
                deal.add(games, f64::from(u8::from(won)), 0.0);
                let hand = offer.view();
                let hand_values = FEATURES.each_ref().map(|feature| (feature.of)(&hand));
                for (at, (feature, start)) in FEATURES.iter().zip(&starts).enumerate() {
                    let value = hand_values[at];
                    deal.add(values + at, value, 0.0);
                    for level in 0..feature.levels() {
                        let start = start + level * (games + 1);
                        let holds = feature.level(value) == level;
                        deal.add(start + games, f64::from(u8::from(holds)), 0.0);
                        for (game, &gain) in gains.iter().enumerate().filter(|_| holds) {
                            deal.add(start + game, gain, 0.0);
                        }
                    }
                }
                let row: Vec<f64> = std::iter::once(1.0).chain(hand_values).collect();
                deal.observe(&row, gains[games - 1]);
                let mut hands = hands.lock().expect("nobody panics with it");
                if deal.number < MOST_HANDS {
                    hands.push((deal.number, (hand_values, gains)));
                }
            },
            done,
        );
        // In the order of the deals, whichever thread played them.
        let mut hands = hands.into_inner().expect("nobody panics with it");
        hands.sort_by_key(|(number, _)| *number);
        let tallies = &measured.tallies;
        let level = |start: usize| Level {
            share: tallies[start + games].mean(),
            gains: tallies[start..start + games].iter().map(Tally::mean).collect(),
        };
        let used: Vec<usize> =
            (0..FEATURES.len()).filter(|&at| tallies[values + at].varies()).collect();
        let fit = |fitted: &[usize]| -> Option<Fit> {
            let columns: Vec<usize> =
                std::iter::once(0).chain(fitted.iter().map(|at| at + 1)).collect();
            let normals: Vec<NormalEquations> =
                measured.normals.iter().map(|normal| normal.of(&columns)).collect();
            Fit::of(&normals)
        };
        // Those that follow from others are left out: on an empty layout the chips on own boodles are as
        // many for each of them.
        let mut fitted: Vec<usize> = Vec::new();
        for &at in used.iter().filter(|&&at| FEATURES[at].fitted) {
            fitted.push(at);
            if fit(&fitted).is_none() {
                fitted.pop();
            }
        }
        Self {
            all: tallies[..games].iter().map(Tally::mean).collect(),
            won: tallies[games].mean(),
            levels: (FEATURES.iter().zip(&starts))
                .map(|(feature, start)| {
                    (0..feature.levels()).map(|nth| level(start + nth * (games + 1))).collect()
                })
                .collect(),
            fit: fit(&fitted),
            means: fitted.iter().map(|&at| tallies[values + at].mean().mean).collect(),
            hands: hands.into_iter().map(|(_, hand)| hand).collect(),
            used,
            fitted,
        }
    }

    /// The hands that were offered the dead hand, with what taking it gains in one of the games.
    pub(super) fn samples(&self, game: usize) -> Vec<Sample> {
        let of =
            |(values, gains): &(Values, Vec<f64>)| Sample { values: *values, gain: gains[game] };
        self.hands.iter().map(of).collect()
    }

    /// What the free gain should be, by the hand alone.
    pub(super) fn predictor(&self) -> impl Fn(&View) -> f64 + Sync {
        |view| {
            let Some(fit) = &self.fit else { return self.all[self.all.len() - 1].mean };
            let own = self.fitted.iter().map(|&at| (FEATURES[at].of)(view));
            let row: Vec<f64> = std::iter::once(1.0).chain(own).collect();
            fit.predict(&row)
        }
    }

    pub(super) fn precision(&self) -> f64 {
        self.all.iter().map(|it| it.ci95).fold(0.0, f64::max)
    }

    pub(super) fn finding(&self, fees: &Fees) -> String {
        let free = self.all[self.all.len() - 1];
        let at_fee = if fees.charged > 0 {
            format!("{} chips at the fee of {}, {free} if it were free", self.all[0], fees.charged)
        } else {
            format!("{free} chips")
        };
        format!(
            "Taking the dead hand whatever one holds gains {at_fee}; who takes it goes out first \
             in {:.1} ± {:.1} % of deals.",
            100.0 * self.won.mean,
            100.0 * self.won.ci95
        )
    }
}
