//! Deals played on side by side, so that the network answers for all of them at once.

use newmarket_env::Observation;

use super::{FastNet, Scratch};

/// Plays many deals to their ends by one network, a decision of each at a time.
#[derive(Clone)]
pub struct Playouts {
    scratch: Scratch,
    observations: Vec<Observation>,
    /// The deals that the observations are of.
    asked: Vec<usize>,
}

impl Playouts {
    /// Room for playouts by a network of this shape.
    pub fn new(net: &FastNet) -> Self {
        Self { scratch: net.scratch(), observations: Vec::new(), asked: Vec::new() }
    }

    /// Plays all deals to their ends. `advance` takes a deal to the network's next decision, and says
    /// what is seen there, or `None` if there is none any more; `choose` takes that decision, by
    /// logits `[actions]`.
    pub fn run<D>(
        &mut self,
        net: &FastNet,
        deals: &mut [D],
        mut advance: impl FnMut(&mut D) -> Option<Observation>,
        mut choose: impl FnMut(&mut D, &[f32]),
    ) {
        self.asked.clear();
        self.asked.extend(0..deals.len());
        loop {
            self.observations.clear();
            let observations = &mut self.observations;
            self.asked.retain(|&deal| match advance(&mut deals[deal]) {
                Some(observation) => {
                    observations.push(observation);
                    true
                }
                None => false,
            });
            if self.asked.is_empty() {
                return;
            }
            let asked = &self.asked;
            net.forward_each(&self.observations, &mut self.scratch, |row, logits, _| {
                choose(&mut deals[asked[row]], logits);
            });
        }
    }
}
