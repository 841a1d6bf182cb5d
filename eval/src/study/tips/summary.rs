//! Tables.
use super::Findings;
use crate::study::Section;
/// x
pub fn section(_: &Findings) -> Section {
    todo!()
}
/// x
pub fn overview(_: &[Findings]) -> Section {
    todo!()
}
