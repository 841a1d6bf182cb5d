//! Advice for a run that had to stop.

use super::folder::{checkpoints, is_run};
use crate::TrainError;
use newmarket_checkpoints::{BEST, Error, list};
use std::io::ErrorKind;
use std::path::Path;

/// The error with advice, if there is any.
pub(super) fn stopped(folder: &Path, error: TrainError) -> TrainError {
    match advice(folder, &error) {
        Some(advice) => TrainError::Stopped { error: Box::new(error), advice },
        None => error,
    }
}

fn advice(folder: &Path, error: &TrainError) -> Option<String> {
    let dir = folder.display();
    let newest = list(&checkpoints(folder)).unwrap_or_default().pop();
    let (saved, latest) = newest.unzip();
    let system = match error {
        TrainError::NotFinite { .. } => {
            let begin = "begin anew with a lower learner.learning_rate or learner.max_grad_norm";
            return Some(match saved {
                Some(update) => format!(
                    "update {update} and what was saved before are intact, but going on from there \
                     ends here again; {begin}, from its best so far with --set network.start={dir}"
                ),
                None => format!("nothing was saved before; {begin}"),
            });
        }
        TrainError::Gather { .. } => {
            return Some(match saved {
                Some(update) => {
                    format!("update {update} is saved: `newmarket resume {dir}` goes on")
                }
                None => format!("`newmarket resume {dir}` begins"),
            });
        }
        TrainError::Checkpoint(Error::Format { path, .. })
            if path.starts_with(checkpoints(folder)) =>
        {
            return Some(match latest {
                Some(latest) if path.ends_with(BEST) => format!(
                    "no other checkpoint has the best of this run: a new one goes on from its latest \
                     weights with --set network.start={}",
                    latest.display()
                ),
                _ => "no earlier checkpoint of the run can be used: remove this one, and the run \
                      begins anew from its configuration"
                    .into(),
            });
        }
        TrainError::Io { error, .. } | TrainError::Checkpoint(Error::Io { source: error, .. }) => {
            error.kind()
        }
        _ => return None,
    };
    let first = match system {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "free some space",
        ErrorKind::FileTooLarge => "allow larger files",
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => "allow writing there",
        _ => return None,
    };
    Some(match saved {
        Some(update) => {
            format!("update {update} is saved: {first}, then go on with `newmarket resume {dir}`")
        }
        None if is_run(folder) => format!("{first}, then begin with `newmarket resume {dir}`"),
        None => format!("{first}, or name another folder"),
    })
}
