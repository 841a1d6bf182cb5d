//! The dead hand, taken and left on the same deal.

use newmarket_agents::{OpenView, Player, Table};
use newmarket_env::{Action, Phase, Rng, Seed, View};

use super::auction::Auction;
use super::scene::{Asked, Does, Scene};
use crate::study::payoff::Ledger;
use crate::study::setting::Setting;

/// An offer of the dead hand, and what comes of it.
pub(super) struct Offer<'a> {
    ledger: &'a Ledger,
    scene: &'a Scene,
    /// For each game where its deals begin, by deals left.
    starts: Vec<Vec<Table>>,
    /// Deals left after this one.
    left: usize,
    /// A table for each game, standing where the seat is asked.
    tables: Vec<Table>,
    /// The auction, if the seat bids in one.
    auction: Option<Auction>,
    field: Player,
    /// How whoever is asked plays on.
    player: Player,
}

/// What acting gains over declining.
pub(super) struct Gain {
    /// By each of the scene's choices.
    pub(super) gains: Vec<f64>,
    /// Whether the seat went out first after the first choice.
    pub(super) won: bool,
}

impl<'a> Offer<'a> {
    pub(super) fn new(setting: &Setting, ledger: &'a Ledger, scene: &'a Scene) -> Self {
        let starts: Vec<Vec<Table>> =
            scene.games.iter().map(|game| ledger.tables_of(game)).collect();
        let tables = starts.iter().map(|tables| tables[0].clone()).collect();
        let (field, player) = (setting.field.another(), setting.player.another());
        Self { ledger, scene, starts, left: 0, tables, auction: None, field, player }
    }

    /// The deal of this number, up to where the seat is asked; whether it is. Seats that may be asked take
    /// turns.
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
            if table.is_over() {
                return false;
            }
        }
        let table = &mut self.tables[0];
        let (players, eldest) = (table.view().game().players(), table.view().eldest());
        let nth = (number % (players as u64 - 1)) as usize;
        match self.scene.asked {
            Asked::First => {}
            Asked::Later => {
                let asked = (eldest + 1 + nth) % players;
                while !table.is_over()
                    && table.view().phase() == Phase::DeadHand
                    && table.seat() != asked
                {
                    table.decide(|table, rng| field.act(table, rng));
                }
                if table.is_over() || table.view().phase() != Phase::DeadHand {
                    return false;
                }
            }
            Asked::Bidder => {
                table.decide(|table, rng| field.act(table, rng));
                if table.is_over() || table.view().phase() != Phase::Auction {
                    return false;
                }
                let bidder = (eldest + nth) % players;
                self.auction = Auction::of(table.clone(), bidder, field);
                let Some(auction) = &self.auction else { return false };
                table.clone_from(auction.turn());
                return true;
            }
        }
        let can_pay = |table: &Table| table.view().legal().contains(Action::EXCHANGE);
        self.tables.iter().all(can_pay)
    }

    /// What whoever is asked may see.
    pub(super) fn view(&self) -> View<'_> {
        self.tables[0].view()
    }

    /// Plays the deal with every choice, and with none.
    pub(super) fn play(&mut self) -> Gain {
        let Self { ledger, scene, left, tables, auction, field, player, .. } = self;
        let seat = tables[0].seat();
        let mut won = None;
        let mut paid = |mut table: Table, field: &mut Player| {
            let act = |table: &OpenView, rng: &mut Rng| {
                if table.seat() == seat { &mut *player } else { &mut *field }.act(table, rng)
            };
            let winner = table.play_on(act).winner;
            // The first choice is played first.
            won.get_or_insert(winner == Some(seat));
            ledger.paid(*left, &table, seat)
        };
        let gains = if let Some(auction) = auction {
            auction.gains(&scene.choices, field, &mut paid)
        } else {
            let mut after = |table: &Table, action: Action| {
                let mut table = table.clone();
                table.take(action);
                paid(table, field)
            };
            let choices = scene.choices.iter();
            let mut gains: Vec<f64> = choices
                .map(|choice| match choice.does {
                    Does::Act { game, action } => after(&tables[game], action),
                    _ => unreachable!("bids are made in an auction"),
                })
                .collect();
            // What is not taken costs nothing, so that one game is enough.
            let kept = after(&tables[0], Action::KEEP);
            for gain in &mut gains {
                *gain -= kept;
            }
            gains
        };
        Gain { gains, won: won.expect("a deal was played") }
    }
}
