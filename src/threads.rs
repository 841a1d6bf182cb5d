//! How many threads work.

use std::thread::available_parallelism;

use crate::failure::Result;
use crate::terminal;

/// More threads than this, or than there are processors, are of no use to anybody.
const MOST: usize = 256;

/// Keeps `RAYON_NUM_THREADS` within what the system can start. No result depends on it.
pub(crate) fn limit() -> Result {
    let asked = std::env::var("RAYON_NUM_THREADS").ok();
    let asked = asked.and_then(|text| text.parse::<usize>().ok()).unwrap_or(0);
    let most = available_parallelism().map_or(1, usize::from).max(MOST);
    if asked > most {
        terminal::warn(format!("RAYON_NUM_THREADS is {asked}: {most} threads are used, the most"));
        rayon::ThreadPoolBuilder::new().num_threads(most).build_global()?;
    }
    Ok(())
}
