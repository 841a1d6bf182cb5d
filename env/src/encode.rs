//! A view as a vector of fixed length: one encoding for all games and table sizes.
//!
//! Seats are relative: seat 0 is the viewer, seat 1 sits to the viewer's left. Cards are in the game's
//! own rank order, so aces high or low makes no difference. Before the deal all entries about cards are
//! 0, but for cards that are not in the pack. Conclusions about hidden cards are those of
//! [`View::infer_apart`]. [`SPANS`] describes the vector.
//!
//! An [`Observation`] is a packed row: the facts from which all entries follow, as self-contained bytes
//! that are quick to write, keep and send. The entries are computed when the vector is written.
//! [`FIELDS`] describes the row.

mod change;
mod dense;
mod encoder;
mod expanded;
mod fields;
mod lanes;
mod outlook;
mod row;
mod spans;
mod template;

use core::fmt;

pub use fields::{BYTES, FIELDS, Field, Kind};
pub use spans::{Axis, LEN, SPANS, Span, VERSION, fingerprint, permute_suits};

use crate::action::ActionMask;
use crate::view::View;
pub use change::Change;
pub use encoder::Encoder;
use expanded::Expanded;
pub use row::BadRow;
use template::Template;

/// A view as a packed row. Two observations are equal if they give the same vector.
#[derive(Clone, Copy)]
pub struct Observation([u8; BYTES]);

/// The entries of an observation: facts, then numbers.
#[derive(Clone)]
pub struct ObservationEntries(Expanded);

impl ObservationEntries {
    /// No entries, to be read into once.
    pub const BLANK: Self = Self(Expanded::BLANK);

    /// Turns blank entries into those of an observation.
    pub fn read(&mut self, observation: &Observation) {
        self.0.read(&observation.0);
    }

    /// Calls `f(index)` for every entry of 1 among the first [`Observation::FACTS`], in order of index.
    pub fn for_each_fact(&self, f: impl FnMut(usize)) {
        self.0.for_each_fact(f);
    }

    /// Calls `f(index, value)` for every other entry that is not 0, in order of index.
    pub fn for_each_number(&self, f: impl FnMut(usize, f32)) {
        self.0.for_each_number(f);
    }
}

impl Observation {
    /// Length of the vector that [`Observation::write`] fills.
    pub const LEN: usize = LEN;
    /// Length of the packed row.
    pub const BYTES: usize = BYTES;

    /// An empty observation, to fill buffers with.
    pub const BLANK: Self = Self([0; BYTES]);

    /// Encodes a view. To encode many views of one game, keep an [`Encoder`]: it is quicker.
    pub fn of(view: &View) -> Self {
        let mut observation = Self::BLANK;
        let template = Template::of(view.game(), view.claims());
        row::pack(&template, view, view.legal(), &mut observation.0);
        observation
    }

    /// Number of entries of the vector, from the first on, that are facts (0 or 1).
    pub const FACTS: usize = spans::SCALARS_AT;

    /// The viewer's legal actions, without those that set a card apart.
    pub fn legal(&self) -> ActionMask {
        row::legal(&self.0)
    }

    /// The packed row, as [`FIELDS`] describes it.
    pub const fn as_bytes(&self) -> &[u8; BYTES] {
        &self.0
    }

    /// The packed row, for an [`Encoder`] to write to.
    pub(crate) const fn as_bytes_mut(&mut self) -> &mut [u8; BYTES] {
        &mut self.0
    }

    /// Seats at the table; 0 in an empty observation.
    pub fn players(&self) -> usize {
        usize::from(self.0[const { fields::field("players") }])
    }

    /// The observation of a packed row.
    ///
    /// # Errors
    /// If the bytes are no row of [`Observation::as_bytes`]. Not every fault shows in the bytes: a row with
    /// another fault gives some vector.
    pub fn from_bytes(bytes: [u8; BYTES]) -> Result<Self, BadRow> {
        row::check(&bytes)?;
        Ok(Self(bytes))
    }

    /// Calls `f(index, value)` for every entry of the vector that is not 0, in order of index.
    pub fn for_each_nonzero(&self, mut f: impl FnMut(usize, f32)) {
        let mut entries = ObservationEntries::BLANK;
        entries.read(self);
        entries.for_each_fact(|index| f(index, 1.0));
        entries.for_each_number(f);
    }

    /// Writes the vector.
    ///
    /// # Panics
    /// If `out` is not of [`Observation::LEN`].
    pub fn write(&self, out: &mut [f32]) {
        let out = out.try_into().expect("an observation has a fixed length");
        let mut expanded = Expanded::BLANK;
        expanded.read(&self.0);
        dense::write(&expanded, out);
    }
}

impl PartialEq for Observation {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || Expanded::of(&self.0) == Expanded::of(&other.0)
    }
}

impl Eq for Observation {}

impl fmt::Debug for Observation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Expanded::of(&self.0).fmt(f)
    }
}
