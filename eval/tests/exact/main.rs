//! The solver of small games against answers that are known, and against itself.

mod kuhn;
