//! Any bytes after the head of a shard, with a right seal, are refused with an error, or are rows that give
//! the same bytes when written.
#![no_main]

use std::sync::{Arc, LazyLock, Mutex};

use newmarket_train::gather::{Gather, Local, ShardForm, Plan};
use newmarket_train::rollout::Rollout;
use newmarket_train::workers::Workers;
use newmarket_train::{Config, Quiet, TrainError, Trainer};

/// Bytes before the index of a shard; they name the plan.
const HEAD: usize = 68;

/// The form of the shards of a run, and their head.
static FORM: LazyLock<(ShardForm, Vec<u8>)> = LazyLock::new(|| {
    let sets = ["run.updates=1", "rollout.deals=2", "network.hidden=[1]", "run.benchmark_every=0"];
    let sets = sets.map(String::from);
    let config = Config::load("quick", None, &sets).expect("a configuration");
    let folder = std::env::temp_dir().join(format!("newmarket-shard-{}", std::process::id()));
    let mut trainer = Trainer::create(config, &folder, 1).expect("begins");
    let keep = Keep::default();
    trainer.gather_with(Box::new(keep.clone()));
    trainer.run(&mut Quiet).expect("runs");
    std::fs::remove_dir_all(folder).expect("was made");
    keep.0.lock().expect("free").take().expect("one update")
});

#[derive(Clone, Default)]
struct Keep(Arc<Mutex<Option<(ShardForm, Vec<u8>)>>>);

impl Gather for Keep {
    fn gather(&mut self, plan: &Plan, workers: &Workers) -> Result<Vec<Rollout>, TrainError> {
        let shards = Local.gather(plan, workers)?;
        let form = ShardForm::of(plan, &plan.to_bytes()?);
        let mut head = form.write(0, &shards[0]);
        head.truncate(HEAD);
        *self.0.lock().expect("free") = Some((form, head));
        Ok(shards)
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
