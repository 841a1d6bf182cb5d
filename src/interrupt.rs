//! Interrupts (Ctrl-C, SIGTERM, SIGHUP). They remove unfinished files and kill the programs that were started.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};

use newmarket_checkpoints::remove_unfinished;

use crate::external;
use crate::failure::Result;

/// What a command does at an interrupt instead of [`quit`].
type Action = Box<dyn FnMut() + Send>;

static ACTION: Mutex<Option<Action>> = Mutex::new(None);

/// Whether an interrupt came since the last action was set.
static CAME: AtomicBool = AtomicBool::new(false);

/// Whether the command that set an action was interrupted since.
pub(crate) fn came() -> bool {
    CAME.load(Ordering::SeqCst)
}

/// Runs `action` at each interrupt from now on, for a command that ends by itself.
pub(crate) fn on(action: impl FnMut() + Send + 'static) -> Result {
    *ACTION.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(action));
    CAME.store(false, Ordering::SeqCst);
    catch()
}

/// Catches interrupts from now on. They [`quit`], unless a command has set an action.
pub(crate) fn catch() -> Result {
    static CAUGHT: Once = Once::new();
    let mut caught = Ok(());
    CAUGHT.call_once(|| {
        caught = ctrlc::set_handler(|| {
            CAME.store(true, Ordering::SeqCst);
            match &mut *ACTION.lock().unwrap_or_else(PoisonError::into_inner) {
                Some(action) => action(),
                None => quit(),
            }
        });
    });
    Ok(caught?)
}

/// Removes unfinished files, kills the programs that were started, and exits with code 130.
pub(crate) fn quit() -> ! {
    leave(130)
}

/// As [`quit`], with this code.
pub(crate) fn leave(code: u8) -> ! {
    remove_unfinished();
    external::kill_all();
    std::process::exit(code.into())
}
