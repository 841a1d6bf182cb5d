//! The work of the interface's functions, after their pointers have been checked.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use newmarket_engine::{Engine, Tables};
use newmarket_env::{Action, ActionMask, Observation};
use newmarket_net::{QuantisedNet, QuantisedScratch, argmax, masked_softmax};

use crate::{clock, file, player};

/// A network, the players that use it, and their unread lines.
pub(crate) struct Session {
    net: Arc<QuantisedNet>,
    scratch: QuantisedScratch,
    tables: Tables,
    said: VecDeque<String>,
}

/// The outputs of a forward pass; `None` skips an output.
#[derive(Default)]
pub(crate) struct Outputs<'a> {
    /// `[n, actions]`.
    pub(crate) logits: Option<&'a mut [f32]>,
    /// `[n, actions]`.
    pub(crate) policy: Option<&'a mut [f32]>,
    /// `[n]`.
    pub(crate) value: Option<&'a mut [f32]>,
    /// `[n]`.
    pub(crate) action: Option<&'a mut [i32]>,
}

/// Why a call was refused.
pub(crate) struct Refused;

impl Session {
    /// The player of these bytes, alone.
    pub(crate) fn new(player: &[u8]) -> Result<Self, String> {
        let (weights, choice) = file::read(player)?;
        let net = Arc::new(QuantisedNet::new(&weights));
        let shared = net.clone();
        let players = move |name: &str| player::named(name, &shared, choice);
        let engine = Engine::new(Box::new(players), &player::NAMES, clock::now);
        let scratch = net.scratch();
        let tables = Tables::new(engine);
        Ok(Self { net, scratch, tables, said: VecDeque::new() })
    }

    /// Takes a line of the host; immediate replies wait to be read.
    pub(crate) fn send(&mut self, line: &[u8]) -> Result<(), Refused> {
        if self.tables.is_over() {
            return Err(Refused);
        }
        self.said.extend(self.tables.receive(line));
        Ok(())
    }

    /// Does a slice of the work that takes time; whether there is more.
    pub(crate) fn work(&mut self) -> bool {
        self.said.extend(self.tables.work());
        self.tables.is_busy()
    }

    /// The next unread line.
    pub(crate) fn next(&mut self) -> Option<String> {
        self.said.pop_front()
    }

    /// The forward pass on these rows, `[n, inputs]`, with these legal actions, or all.
    pub(crate) fn forward(
        &mut self,
        rows: &[f32],
        legal: Option<&[u8]>,
        outputs: Outputs,
    ) -> Result<(), Refused> {
        if !rows.iter().all(|number| number.is_finite()) {
            return self.refuse("expected finite numbers");
        }
        let masks: Option<Vec<u128>> =
            legal.map(|legal| legal.chunks_exact(Action::COUNT).map(mask).collect());
        let without = masks.iter().flatten().position(|&mask| mask == 0);
        if let Some(row) = without {
            return self.refuse(&format!("row {row}: expected a legal action at least"));
        }
        let Outputs { mut logits, mut policy, mut value, mut action } = outputs;
        let legal = |row: usize| masks.as_ref().map_or(ALL, |masks| masks[row]);
        self.net.forward_each(rows, legal, &mut self.scratch, |row, found, worth| {
            let legal = legal(row);
            let of_row = row * Action::COUNT..(row + 1) * Action::COUNT;
            if let Some(logits) = &mut logits {
                logits[of_row.clone()].copy_from_slice(found);
            }
            if let Some(policy) = &mut policy {
                masked_softmax(found, legal, &mut policy[of_row]);
            }
            if let Some(value) = &mut value {
                value[row] = worth;
            }
            if let Some(action) = &mut action {
                action[row] = argmax(found, legal) as i32;
            }
        });
        Ok(())
    }

    /// Writes the observation, `[inputs]`, and the action mask, `[actions]`, of the seat to act at a table;
    /// returns the seat.
    pub(crate) fn observe(
        &mut self,
        table: &str,
        row: Option<&mut [f32]>,
        legal: Option<&mut [u8]>,
    ) -> Result<usize, Refused> {
        let asked = self.tables.observe(table).map_err(|line| self.say(line))?;
        if let Some(row) = row {
            asked.observation.write(row);
        }
        if let Some(legal) = legal {
            for (place, action) in legal.iter_mut().zip(Action::ALL) {
                *place = u8::from(asked.legal.contains(action));
            }
        }
        Ok(asked.seat)
    }

    /// Takes an action at a table; whether the decision takes more of them.
    pub(crate) fn act(&mut self, table: &str, action: usize) -> Result<bool, Refused> {
        let Some(action) = Action::try_from_index(action) else {
            return self
                .refuse(&format!("no action of this number: expected 0 to {}", Action::COUNT - 1));
        };
        match self.tables.act(table, action).map_err(|line| self.say(line))? {
            Some(line) => {
                self.said.push_back(line);
                Ok(false)
            }
            None => Ok(true),
        }
    }

    /// Takes a whole decision at a table, or the rest of it, as the network would.
    pub(crate) fn play(&mut self, table: &str) -> Result<(), Refused> {
        loop {
            let asked = self.tables.observe(table).map_err(|line| self.say(line))?;
            let action = self.choose(&asked.observation, asked.legal);
            if !self.act(table, action)? {
                return Ok(());
            }
        }
    }

    fn choose(&mut self, observation: &Observation, legal: ActionMask) -> usize {
        match legal.first() {
            Some(only) if legal.is_forced() => only.index(),
            _ => argmax(self.net.logits(observation, &mut self.scratch), legal.bits()),
        }
    }

    /// Says why something is refused.
    fn refuse<T>(&mut self, message: &str) -> Result<T, Refused> {
        Err(self.say(format!(r#"{{"type":"error","code":"field","message":"{message}"}}"#)))
    }

    fn say(&mut self, line: String) -> Refused {
        self.said.push_back(line);
        Refused
    }
}

/// Every action.
const ALL: u128 = (1 << Action::COUNT) - 1;

/// The actions that are marked.
fn mask(marks: &[u8]) -> u128 {
    let bits = marks.iter().enumerate().map(|(nth, &mark)| u128::from(mark != 0) << nth);
    bits.sum()
}
