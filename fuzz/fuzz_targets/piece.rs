//! Any bytes after the head of a piece, with the seal that they should have, are refused in words, or
//! are rows that give their own bytes again.
#![no_main]

use std::sync::{Arc, LazyLock, Mutex};

use newmarket_train::gather::{Gather, Local, PieceForm, Plan};
use newmarket_train::rollout::Rollout;
use newmarket_train::workers::Workers;
use newmarket_train::{Config, Quiet, TrainError, Trainer};

/// What stands before the index of a piece: it names the plan.
const HEAD: usize = 68;

/// The form of the pieces of a run, and the head that they have.
static FORM: LazyLock<(PieceForm, Vec<u8>)> = LazyLock::new(|| {
    let sets = ["run.updates=1", "rollout.deals=2", "network.hidden=[1]", "run.benchmark_every=0"];
    let sets = sets.map(String::from);
    let config = Config::load("quick", None, &sets).expect("a configuration");
    let folder = std::env::temp_dir().join(format!("newmarket-piece-{}", std::process::id()));
    let mut trainer = Trainer::create(config, &folder, 1).expect("begins");
    let keep = Keep::default();
    trainer.gather_with(Box::new(keep.clone()));
    trainer.run(&mut Quiet).expect("runs");
    std::fs::remove_dir_all(folder).expect("was made");
    keep.0.lock().expect("free").take().expect("one update")
});

#[derive(Clone, Default)]
struct Keep(Arc<Mutex<Option<(PieceForm, Vec<u8>)>>>);

impl Gather for Keep {
    fn gather(&mut self, plan: &Plan, workers: &Workers) -> Result<Vec<Rollout>, TrainError> {
        let pieces = Local.gather(plan, workers)?;
        let form = PieceForm::of(plan, &plan.to_bytes()?);
        let mut head = form.write(0, &pieces[0]);
        head.truncate(HEAD);
        *self.0.lock().expect("free") = Some((form, head));
        Ok(pieces)
    }
}

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let (form, head) = &*FORM;
    let message = newmarket_fuzz::resealed(&[head, input, &[0; 32]].concat());
    match form.read(0, &message) {
        Err(error) => newmarket_fuzz::tells(&error),
        Ok(rows) => assert!(form.write(0, &rows) == message),
    }
});
