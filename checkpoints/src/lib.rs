//! Checkpoint files: format, store, retention.
