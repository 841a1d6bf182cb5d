//! Players: rules of thumb, the policy network, and the table at which they sit.

pub mod net;
