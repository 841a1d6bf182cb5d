//! What an interrupt (Ctrl-C, SIGTERM, SIGHUP) does: nothing half written stays, and no program
//! that was started runs on.

use std::sync::{Mutex, Once, PoisonError};

use newmarket_checkpoints::remove_unfinished;

use crate::external;
use crate::failure::Result;

/// What a command does at an interrupt, in place of [`quit`].
type Action = Box<dyn FnMut() + Send>;

static ACTION: Mutex<Option<Action>> = Mutex::new(None);

/// From now on an interrupt does this; a command whose files are finished in its own time.
pub(crate) fn on(action: impl FnMut() + Send + 'static) -> Result {
    *ACTION.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(action));
    tidy()
}

/// From now on an interrupt removes what is half written, unless a command does something else.
pub(crate) fn tidy() -> Result {
    static CAUGHT: Once = Once::new();
    let mut caught = Ok(());
    CAUGHT.call_once(|| {
        caught = ctrlc::set_handler(|| {
            match &mut *ACTION.lock().unwrap_or_else(PoisonError::into_inner) {
                Some(action) => action(),
                None => quit(),
            }
        });
    });
    Ok(caught?)
}

/// Ends the program as an interrupt does.
pub(crate) fn quit() -> ! {
    remove_unfinished();
    external::kill_all();
    std::process::exit(130)
}
