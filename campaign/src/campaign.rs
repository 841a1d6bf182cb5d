//! Chooses tries, has them done side by side, counts what came of them, keeps what failed.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use newmarket_env::Seed;

use crate::attempt::Attempt;
use crate::kinds::Kind;
use crate::materials::{Materials, copy};
use crate::program::Program;
use crate::report::{Finding, Tally};
use crate::verdict::Failure;

/// Failing inputs that are kept of each kind and fault.
const KEPT: u64 = 5;

/// An interrupt came: no more tries.
static STOPPED: AtomicBool = AtomicBool::new(false);

/// Ends the campaign after the tries that are under way.
pub(crate) fn stop() {
    STOPPED.store(true, Ordering::SeqCst);
}

/// What is tried, on what, with what.
pub(crate) struct Campaign<'c> {
    pub(crate) kinds: Vec<&'static Kind>,
    pub(crate) seed: u64,
    /// The number of the first try of each kind.
    pub(crate) from: u64,
    /// How many of each kind; if none, as many as there is time for.
    pub(crate) tries: Option<u64>,
    pub(crate) time: Duration,
    /// The program as it was given, for commands that repeat a try.
    pub(crate) given: &'c Path,
    /// Where failing inputs go.
    pub(crate) keep: &'c Path,
    pub(crate) program: Program,
    pub(crate) materials: Materials,
    pub(crate) scratch: &'c Path,
}

/// What is known so far: a tally for each kind, and the failures.
struct Progress {
    tallies: Vec<Tally>,
    findings: Vec<Finding>,
}

impl Campaign<'_> {
    /// Tries until the time is up, the number is reached, or an interrupt comes.
    pub(crate) fn run(&self) -> (Vec<Tally>, Vec<Finding>) {
        let tally = |kind: &&Kind| Tally { name: kind.name, ..Tally::default() };
        let tallies = self.kinds.iter().map(tally).collect();
        let progress = Mutex::new(Progress { tallies, findings: Vec::new() });
        let locked = || -> MutexGuard<'_, Progress> { progress.lock().expect("no try panics") };
        let end = Instant::now() + self.time;
        let work = || {
            loop {
                let Some((kind, index)) = self.next(&mut locked().tallies, end) else { return };
                let start = Instant::now();
                let (result, attempt) = self.attempt(self.kinds[kind], index);
                let mut progress = locked();
                let tally = &mut progress.tallies[kind];
                tally.runs += attempt.runs;
                tally.signals += attempt.signals;
                tally.seconds += start.elapsed().as_secs_f64();
                if let Err(failure) = result {
                    let count = tally.failures.entry(failure.fault).or_default();
                    *count += 1;
                    if *count <= KEPT {
                        let finding = self.keep(self.kinds[kind], index, failure, &attempt);
                        progress.findings.push(finding);
                    }
                }
                drop(progress);
                clear(&attempt.folder);
            }
        };
        let workers = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(work))));
        let Progress { tallies, findings } = progress.into_inner().expect("no try panics");
        (tallies, findings)
    }

    /// The next try: of the kind that has had the least time, its number.
    fn next(&self, tallies: &mut [Tally], end: Instant) -> Option<(usize, u64)> {
        let open = |kind: &usize| match self.tries {
            _ if STOPPED.load(Ordering::SeqCst) => false,
            Some(tries) => tallies[*kind].tries < tries,
            None => Instant::now() < end,
        };
        let spent = |kind: &usize| (1e6 * tallies[*kind].seconds) as u64;
        let kind = (0..tallies.len()).filter(open).min_by_key(spent)?;
        let tally = &mut tallies[kind];
        let index = self.from + tally.tries;
        tally.tries += 1;
        // So that another worker takes another kind.
        tally.seconds += 1e-3;
        Some((kind, index))
    }

    /// One try.
    fn attempt(&self, kind: &Kind, index: u64) -> (Result<(), Failure>, Attempt<'_>) {
        let folder = self.scratch.join(format!("{}-{index}", kind.name));
        fs::create_dir_all(folder.join("work")).expect("can be made");
        let name = kind.name.bytes().fold(0_u64, |sum, byte| sum * 257 + u64::from(byte));
        let mut attempt = Attempt {
            program: &self.program,
            materials: &self.materials,
            rng: Seed::new(self.seed).child(name).child(index).rng(),
            folder,
            lines: Vec::new(),
            runs: 0,
            signals: 0,
            killed: false,
        };
        ((kind.law)(&mut attempt), attempt)
    }

    /// Keeps what a try left behind, and says how to repeat it.
    fn keep(&self, kind: &Kind, index: u64, failure: Failure, attempt: &Attempt<'_>) -> Finding {
        let folder = self.keep.join(format!("{}-{}-{index}", self.seed, kind.name));
        fs::create_dir_all(&folder).expect("can be made");
        // Files that are mostly holes are not worth their copy.
        if size(&attempt.folder) < 20 << 20 {
            copy(&attempt.folder, &folder);
        }
        let lines = attempt.lines.join("\n");
        let text = format!("{}: {}\n{lines}\n", failure.fault.name(), failure.detail);
        fs::write(folder.join("failure.txt"), text).expect("can be written");
        let repeat = format!(
            "just campaign --seed {} --kind {} --from {index} --tries 1 --program {}",
            self.seed,
            kind.name,
            self.given.display()
        );
        Finding { kind: kind.name, index, fault: failure.fault, detail: failure.detail, repeat }
    }
}

/// How long the files of a folder are together.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let length = |entry: fs::DirEntry| match entry.metadata() {
        Ok(data) if data.is_dir() => size(&entry.path()),
        Ok(data) => data.len(),
        Err(_) => 0,
    };
    entries.map(length).sum()
}

/// Removes the folder of a try.
fn clear(folder: &Path) {
    if fs::remove_dir_all(folder).is_err() {
        // A disk may still be let go of.
        thread::sleep(Duration::from_millis(100));
        let _ = fs::remove_dir_all(folder);
    }
}
