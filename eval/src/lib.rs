//! Duels, ratings and studies.
