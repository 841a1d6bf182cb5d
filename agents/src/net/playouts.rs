//! Deals played on side by side, so that a network answers for all of them at once.

use newmarket_env::Observation;

use super::{FastNet, Scratch};

/// Plays many deals to their ends by one network or several, a decision of each deal at a time.
#[derive(Clone)]
pub struct Playouts {
    /// By network, in the order in which they are always given.
    questions: Vec<Questions>,
    /// The deals that still go on.
    playing: Vec<usize>,
}

/// What one network is asked at once.
#[derive(Clone)]
struct Questions {
    scratch: Scratch,
    observations: Vec<Observation>,
    /// The deals that the observations are of.
    deals: Vec<usize>,
}

impl Playouts {
    /// Room for playouts by networks of these shapes.
    pub fn new<'a>(nets: impl IntoIterator<Item = &'a FastNet>) -> Self {
        let questions = nets.into_iter().map(|net| Questions {
            scratch: net.scratch(),
            observations: Vec::new(),
            deals: Vec::new(),
        });
        Self { questions: questions.collect(), playing: Vec::new() }
    }

    /// Plays all deals to their ends. `advance` takes a deal to the next decision of a network, and
    /// says whose, as a place in `nets`, and what is seen there, or `None` if there is none any
    /// more; `choose` takes that decision, by logits `[actions]`.
    ///
    /// # Panics
    /// If `nets` are not of the shapes that there is room for.
    pub fn run<D>(
        &mut self,
        nets: &[&FastNet],
        deals: &mut [D],
        mut advance: impl FnMut(&mut D) -> Option<(usize, Observation)>,
        mut choose: impl FnMut(&mut D, &[f32]),
    ) {
        assert_eq!(nets.len(), self.questions.len(), "as many networks as there is room for");
        self.playing.clear();
        self.playing.extend(0..deals.len());
        while !self.playing.is_empty() {
            let questions = &mut self.questions;
            for asked in &mut *questions {
                asked.observations.clear();
                asked.deals.clear();
            }
            self.playing.retain(|&deal| match advance(&mut deals[deal]) {
                Some((net, observation)) => {
                    questions[net].observations.push(observation);
                    questions[net].deals.push(deal);
                    true
                }
                None => false,
            });
            for (net, Questions { scratch, observations, deals: asked }) in
                nets.iter().zip(questions)
            {
                net.forward_each(observations, scratch, |row, logits, _| {
                    choose(&mut deals[asked[row]], logits);
                });
            }
        }
    }
}
