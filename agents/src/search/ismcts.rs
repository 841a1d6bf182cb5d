//! stub
/// stub
pub struct Ismcts;
