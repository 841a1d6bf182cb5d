//! Chooses tries, runs them in parallel, counts the results, and keeps failing inputs.

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

/// The most failing inputs that are kept, for each kind and fault.
const KEPT: u64 = 5;

/// Set by an interrupt: no more tries.
static STOPPED: AtomicBool = AtomicBool::new(false);

/// Ends the campaign after the running tries.
pub(crate) fn stop() {
    STOPPED.store(true, Ordering::SeqCst);
}

/// A campaign to be run.
pub(crate) struct Campaign<'c> {
    pub(crate) kinds: Vec<&'static Kind>,
    pub(crate) seed: u64,
    /// The number of the first try of each kind.
    pub(crate) from: u64,
    /// The number of tries of each kind; `None` for as many as there is time for.
    pub(crate) tries: Option<u64>,
    pub(crate) time: Duration,
    /// The path of the program as given, for commands that repeat a try.
    pub(crate) given: &'c Path,
    /// The folder for failing inputs.
    pub(crate) keep: &'c Path,
    pub(crate) program: Program,
    /// Python with Ray.
    pub(crate) python: Option<Program>,
    pub(crate) materials: Materials,
    pub(crate) scratch: &'c Path,
}

/// The results so far: a tally for each kind, and the failures.
struct Progress {
    tallies: Vec<Tally>,
    findings: Vec<Finding>,
}

impl Campaign<'_> {
    /// Runs tries until the time is up, their number is reached, or an interrupt comes.
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

    /// The next try: the kind that has had the least time, and its number.
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
        // Another worker then takes another kind.
        tally.seconds += 1e-3;
        Some((kind, index))
    }

    /// Runs one try.
    fn attempt(&self, kind: &Kind, index: u64) -> (Result<(), Failure>, Attempt<'_>) {
        let folder = self.scratch.join(format!("{}-{index}", kind.name));
        fs::create_dir_all(folder.join("work")).expect("can be made");
        let name = kind.name.bytes().fold(0_u64, |sum, byte| sum * 257 + u64::from(byte));
        let mut attempt = Attempt {
            program: &self.program,
            python: self.python.as_ref(),
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

    /// Keeps the folder of a failed try, with the command that repeats it.
    fn keep(&self, kind: &Kind, index: u64, failure: Failure, attempt: &Attempt<'_>) -> Finding {
        let folder = self.keep.join(format!("{}-{}-{index}", self.seed, kind.name));
        fs::create_dir_all(&folder).expect("can be made");
        // Large files are mostly holes, and are not copied.
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

/// The total size of the files of a folder in bytes.
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
        // A disk may still be unmounting.
        thread::sleep(Duration::from_millis(100));
        let _ = fs::remove_dir_all(folder);
    }
}
