//! Self-play training.
