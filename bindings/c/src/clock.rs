//! The time, for budgets of milliseconds.

use core::time::Duration;

/// The time since the first call.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn now() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;

    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed()
}

/// The time that the host of the module tells.
#[cfg(target_family = "wasm")]
pub(crate) fn now() -> Duration {
    #[link(wasm_import_module = "newmarket")]
    unsafe extern "C" {
        /// Milliseconds since some fixed moment.
        safe fn now() -> f64;
    }
    Duration::try_from_secs_f64(now() / 1000.0).unwrap_or_default()
}
