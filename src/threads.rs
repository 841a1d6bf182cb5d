//! The number of threads.

use std::thread::available_parallelism;

use crate::failure::Result;
use crate::terminal;

/// The most threads, unless there are more processors.
const MOST: usize = 256;

/// Limits `RAYON_NUM_THREADS` to a number of threads that the system can start. No result depends on it.
pub(crate) fn limit() -> Result {
    let asked = std::env::var("RAYON_NUM_THREADS").ok();
    let asked = asked.and_then(|text| text.parse::<usize>().ok()).unwrap_or(0);
    let most = available_parallelism().map_or(1, usize::from).max(MOST);
    if asked > most {
        terminal::warn(format!("RAYON_NUM_THREADS is {asked}: using {most} threads, the most"));
        rayon::ThreadPoolBuilder::new().num_threads(most).build_global()?;
    }
    Ok(())
}
