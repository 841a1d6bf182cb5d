//! Signals: interrupts (Ctrl-C, SIGTERM, SIGHUP, SIGQUIT), and stops (Ctrl-Z).
//!
//! Interrupts remove unfinished files and kill the programs that were started. A signal that was ignored when this
//! process began stays ignored, as `nohup` and shells without job control ask.

#[cfg(unix)]
mod unix;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use newmarket_checkpoints::remove_unfinished;

use crate::external;
use crate::failure::Result;
#[cfg(unix)]
pub(crate) use unix::{Job, on_jobs, stop, survive_large_files};

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
    static CAUGHT: Mutex<bool> = Mutex::new(false);
    let mut caught = CAUGHT.lock().unwrap_or_else(PoisonError::into_inner);
    if !*caught {
        let act = || {
            CAME.store(true, Ordering::SeqCst);
            match &mut *ACTION.lock().unwrap_or_else(PoisonError::into_inner) {
                Some(action) => action(),
                None => quit(),
            }
        };
        #[cfg(unix)]
        unix::at_interrupts(act)?;
        #[cfg(not(unix))]
        ctrlc::set_handler(act)?;
        *caught = true;
    }
    Ok(())
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
