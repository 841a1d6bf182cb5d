//! The rules of Newmarket and its family, as an environment.
