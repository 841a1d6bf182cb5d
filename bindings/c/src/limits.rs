//! Limits of the whole process for players that search: threads, and worlds.

use std::sync::OnceLock;

/// The most worlds of a player that has no other limit.
const MOST: u32 = 1_000_000;

/// The most worlds, once it is settled.
static WORLDS: OnceLock<u32> = OnceLock::new();

/// Settles both limits; whether they can be, and were not settled before.
pub(crate) fn set(threads: u32, worlds: u32) -> bool {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads as usize);
    (1..=MOST).contains(&worlds)
        && threads <= 1024
        && WORLDS.set(worlds).is_ok()
        && pool.build_global().is_ok()
}

/// The most worlds; settled from now on.
pub(crate) fn worlds() -> u32 {
    *WORLDS.get_or_init(|| MOST)
}

/// Whether the player of this name searches in more worlds than it may. `pimc:5ms` is limited by its time.
pub(crate) fn exceeded(name: &str) -> bool {
    let amount = name.rsplit(':').next().unwrap_or_default();
    let amount = amount.split(',').next().unwrap_or_default();
    amount.parse::<u32>().is_ok_and(|amount| amount > worlds())
}
