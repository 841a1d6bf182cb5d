//! What it is worth to know the discard.

use newmarket_agents::paired::Estimate;
use newmarket_agents::{OpenView, Player, Table};
use newmarket_env::{Action, Rng, Seed};

use super::features::values;
use super::offer::Offer;
use super::offers::Offers;
use super::scene::Scene;
use crate::study::measure::Measurement;
use crate::study::payoff::Ledger;
use crate::study::report::ReportTable;
use crate::study::setting::Setting;

/// Chips that knowing the discard gains over having forgotten it.
pub(super) struct Discard {
    /// Over all hands, of the reference and of the field.
    all: [Estimate; 2],
    /// Over the hands that should be exchanged.
    wise: [Estimate; 2],
}

impl Discard {
    pub(super) fn measure(
        setting: &Setting,
        ledger: &Ledger,
        scene: &Scene,
        offers: &Offers,
        seed: Seed,
        deals: u64,
        done: &(dyn Fn(u64) + Sync),
    ) -> Self {
        let taken = scene.taken();
        let measurement = Measurement { deals, seed, tallies: 4, features: 0 };
        let worker = || Worker {
            offer: Offer::new(setting, ledger, scene),
            field: setting.field.another(),
            owners: [setting.reference.another(), setting.field.another()],
        };
        let measured = measurement.run(
            worker,
            |worker, deal| {
                if !worker.offer.begin(deal.number, deal.seed) {
                    return;
                }
                let wise = offers.expected(&values(&worker.offer.view()), taken) > 0.0;
                for owner in 0..2 {
                    let gain = worker.play(owner, true) - worker.play(owner, false);
                    deal.add(owner, gain, 0.0);
                    if wise {
                        deal.add(2 + owner, gain, 0.0);
                    }
                }
            },
            done,
        );
        let figure = |at: usize| measured.tallies[at].mean();
        Self { all: [figure(0), figure(1)], wise: [figure(2), figure(3)] }
    }

    pub(super) fn table(&self, setting: &Setting) -> ReportTable {
        let caption = "Chips an exchange that knowing the discard gains over having forgotten it";
        let mut table = ReportTable::new(caption, &["who, which hands", "gain"]).drawn(1);
        for (at, owner) in [setting.reference, setting.field].into_iter().enumerate() {
            let name = owner.name();
            table.push(vec![format!("{name}, any").into(), self.all[at].into()]);
            table.push(vec![format!("{name}, to be exchanged").into(), self.wise[at].into()]);
        }
        table
    }

    pub(super) fn finding(&self, setting: &Setting) -> String {
        format!(
            "To know what one discarded is worth {} chips an exchange to {}, {} to {}.",
            self.all[0],
            setting.reference.name(),
            self.all[1],
            setting.field.name()
        )
    }
}

struct Worker<'a> {
    offer: Offer<'a>,
    field: Player,
    owners: [Player; 2],
}

impl Worker<'_> {
    /// What the owner of the new hand gets.
    fn play(&mut self, owner: usize, knows: bool) -> f64 {
        let mut table: Table = self.offer.taken();
        let seat = self.offer.view().seat();
        let (owner, field) = (&mut self.owners[owner], &mut self.field);
        let mut act = |table: &OpenView, rng: &mut Rng| -> Action {
            match &mut *owner {
                _ if table.seat() != seat => field.act(table, rng),
                Player::Fair(owner) if !knows => {
                    table.view().without_discard(|view| owner.act(view, rng))
                }
                owner => owner.act(table, rng),
            }
        };
        table.play_on(&mut act);
        self.offer.paid(&table, seat)
    }
}
