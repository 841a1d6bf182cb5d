//! Whoever gathers in another process.

use super::{Guest, MessageError, PieceForm, Plan};
use std::collections::BTreeMap;

/// Computes pieces of the plans that it is sent, whoever sends them.
#[derive(Default)]
pub struct Gatherer {
    guests: BTreeMap<String, Guest>,
    plan: Option<(Plan, PieceForm)>,
}

impl Gatherer {
    /// Nothing has been sent yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether it has this guest.
    pub fn knows(&self, guest: &str) -> bool {
        self.guests.contains_key(guest)
    }

    /// Takes in a guest.
    ///
    /// # Errors
    ///
    /// If the message is refused.
    pub fn meet(&mut self, guest: &[u8]) -> Result<(), MessageError> {
        let guest = Guest::read(guest)?;
        self.guests.insert(guest.id().into(), guest);
        Ok(())
    }

    /// Turns to a plan, unless it is at it already. Guests that sit at none of its tables are
    /// forgotten.
    ///
    /// # Errors
    ///
    /// If the message is refused, or a guest is missing.
    pub fn turn_to(&mut self, plan: &[u8]) -> Result<(), MessageError> {
        if self.plan.as_ref().is_some_and(|(_, form)| form.is_of(plan)) {
            return Ok(());
        }
        let now = Plan::from_bytes(plan, &self.guests)?;
        self.guests = now.guests().iter().map(|it| (it.id().into(), it.clone())).collect();
        let form = PieceForm::of(&now, plan);
        self.plan = Some((now, form));
        Ok(())
    }

    /// Computes a piece of the plan, as a message.
    ///
    /// # Errors
    ///
    /// If there is no plan yet, or no such piece of it.
    pub fn gather(&self, index: usize) -> Result<Vec<u8>, MessageError> {
        let refused = |fault: String| MessageError::new(format!("piece {index}"), fault);
        let (plan, form) = self.plan.as_ref().ok_or_else(|| refused("no plan yet".into()))?;
        if index >= plan.pieces() {
            return Err(refused(format!("the plan has {} pieces", plan.pieces())));
        }
        Ok(form.write(index, &plan.gather(index)))
    }
}
