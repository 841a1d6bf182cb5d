//! The message with the rows of a shard. Numbers are little-endian.
//!
//! | bytes | contents |
//! | --- | --- |
//! | 8 | `nmktrows` |
//! | 4 | version, 1 |
//! | 16 | the build, as text |
//! | 8 | the fingerprint of the encoding |
//! | 32 | the seal of the plan |
//! | 4, 4 | index of the shard, number of rows |
//! | 8, 8, 8 | deals, decisions in them, decisions in playouts |
//! | … | the rows |
//! | 32 | the seal: BLAKE3 of all bytes before |
//!
//! A row is the packed observation, its legal actions as bits (16), the kind of decision (2), the
//! value and the target (4, 4), then for each legal action its log-probability, weight and advantage
//! (4, 4, 4).

use super::{BUILD, MessageError, Plan, check_build};
use crate::rollout::Rollout;
use crate::trajectory::{PolicyDecision, RolloutRows};
use newmarket_env::{Action, Observation, Phase, encode};

const MAGIC: &[u8; 8] = b"nmktrows";
const VERSION: u32 = 1;
/// The most bytes of a message: tens of times those of the largest shard.
const MOST_BYTES: usize = 1 << 28;
/// More decisions than a shard can have.
const MOST_DECISIONS: u64 = 1 << 40;
const SEAL: usize = 32;

/// The form of the shards of one plan as messages.
#[derive(Clone, Debug)]
pub struct ShardForm {
    /// The seal of the plan.
    plan: [u8; SEAL],
    /// Classes of decisions.
    classes: usize,
    /// The fewest and the most deals, by shard.
    deals: Vec<[u64; 2]>,
}

impl ShardForm {
    /// The form of a plan with this message.
    pub fn of(plan: &Plan, message: &[u8]) -> Self {
        let deals = |index: usize| {
            let episodes = plan.shard(index);
            let most = episodes.iter().map(|&(_, table)| plan.mix().deals(table) as u64).sum();
            [episodes.len() as u64, most]
        };
        Self {
            plan: message.last_chunk().copied().unwrap_or_default(),
            classes: plan.mix().classes(),
            deals: (0..plan.shards()).map(deals).collect(),
        }
    }

    /// Whether it is the form of the plan with this message.
    pub(super) fn is_of(&self, message: &[u8]) -> bool {
        message.ends_with(&self.plan)
    }

    /// The number of shards of the plan.
    pub fn shards(&self) -> usize {
        self.deals.len()
    }

    /// The message of a shard.
    pub fn write(&self, index: usize, shard: &Rollout) -> Vec<u8> {
        let rows = &shard.targets.rows;
        let mut out = MAGIC.to_vec();
        out.extend(VERSION.to_le_bytes());
        out.extend(BUILD.as_bytes());
        out.extend(encode::fingerprint().to_le_bytes());
        out.extend(self.plan);
        out.extend((index as u32).to_le_bytes());
        out.extend((rows.len() as u32).to_le_bytes());
        for count in [shard.deals, shard.decisions, shard.targets.playout_decisions] {
            out.extend(count.to_le_bytes());
        }
        for row in 0..rows.len() {
            write_row(&mut out, rows, row);
        }
        let seal = blake3::hash(&out);
        out.extend(seal.as_bytes());
        out
    }

    /// Reads the message of a shard.
    ///
    /// # Errors
    ///
    /// If the message is not whole, or of another shard, plan or build.
    pub fn read(&self, index: usize, message: &[u8]) -> Result<Rollout, MessageError> {
        self.parse(index, message)
            .map_err(|fault| MessageError::new(format!("shard {index}"), fault))
    }

    fn parse(&self, index: usize, message: &[u8]) -> Result<Rollout, String> {
        let deals = self.deals.get(index);
        let [fewest, most] = *deals.ok_or_else(|| format!("the plan has {}", self.shards()))?;
        if message.len() > MOST_BYTES {
            return Err(format!("{} bytes: at most {MOST_BYTES} are read", message.len()));
        }
        let Some((body, seal)) = message.split_last_chunk::<SEAL>() else {
            return Err(format!("{} bytes are no message", message.len()));
        };
        let mut body = Reader(body);
        let magic = body.take::<8>("its beginning")?;
        if magic != *MAGIC {
            return Err("its beginning is that of another kind of message".into());
        }
        let version = u32::from_le_bytes(body.take("its version")?);
        if version != VERSION {
            return Err(format!("its version is {version}, this program reads {VERSION}"));
        }
        if blake3::hash(&message[..message.len() - SEAL]) != *seal {
            return Err("damaged on its way: its seal does not match".into());
        }
        let build = body.take::<{ BUILD.len() }>("its build")?;
        check_build(&String::from_utf8_lossy(&build))?;
        let (got, expected) = (u64::from_le_bytes(body.take("encoding")?), encode::fingerprint());
        if got != expected {
            return Err(format!("its encoding is {got:016x}, expected {expected:016x}"));
        }
        if body.take::<SEAL>("its plan")? != self.plan {
            return Err("it is of another plan".into());
        }
        let got = u32::from_le_bytes(body.take("its index")?);
        if got as usize != index {
            return Err(format!("it is shard {got}"));
        }
        let rows = u32::from_le_bytes(body.take("number of rows")?);
        let mut count = |name: &str, least: u64, most: u64| {
            let count = u64::from_le_bytes(body.take(name)?);
            if (least..=most).contains(&count) {
                return Ok(count);
            }
            Err(format!("{name} is {count}, expected {least} to {most}"))
        };
        let deals = count("the number of deals", fewest, most)?;
        let decisions = count("the number of decisions", rows.into(), MOST_DECISIONS)?;
        let playout_decisions = count("the number of playouts' decisions", 0, MOST_DECISIONS)?;
        let mut shard = Rollout { deals, decisions, ..Rollout::default() };
        shard.targets.playout_decisions = playout_decisions;
        for row in 0..rows {
            read_row(&mut body, &mut shard.targets.rows, self.classes * Phase::COUNT)
                .map_err(|fault| format!("row {row} of {rows}: {fault}"))?;
        }
        if !body.0.is_empty() {
            return Err(format!("{} bytes follow its last row", body.0.len()));
        }
        Ok(shard)
    }
}

/// Writes a row.
pub(crate) fn write_row(out: &mut Vec<u8>, rows: &RolloutRows<Observation>, row: usize) {
    out.extend(rows.observations[row].as_bytes());
    out.extend(rows.legal[row].to_le_bytes());
    out.extend(rows.kind(row).to_le_bytes());
    out.extend(rows.values[row].to_le_bytes());
    out.extend(rows.targets[row].to_le_bytes());
    for action in rows.actions(row) {
        out.extend(rows.log_probs[action].to_le_bytes());
        out.extend(rows.weights[action].to_le_bytes());
        out.extend(rows.advantages[action].to_le_bytes());
    }
}

/// Reads a row of one of so many `kinds` of decisions.
pub(crate) fn read_row(
    body: &mut Reader<'_>,
    rows: &mut RolloutRows<Observation>,
    kinds: usize,
) -> Result<(), String> {
    let observation = Observation::from_bytes(body.take("its observation")?)
        .map_err(|error| error.to_string())?;
    let legal = u128::from_le_bytes(body.take("its legal actions")?);
    if legal >> Action::COUNT != 0 || legal.count_ones() < 2 {
        return Err(format!("its legal actions are {legal:#x}, expected two or more actions"));
    }
    let kind = u16::from_le_bytes(body.take("its kind")?);
    if usize::from(kind) >= kinds {
        return Err(format!("its kind of decision is {kind}, expected one below {kinds}"));
    }
    let value = body.number("its value", f32::MIN, f32::MAX)?;
    let target = body.number("its target", f32::MIN, f32::MAX)?;
    let (mut log_probs, mut weights, mut advantages) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..legal.count_ones() {
        log_probs.push(body.number("a log-probability", f32::MIN, 0.0)?);
        weights.push(body.number("a weight", 0.0, 1.0)?);
        advantages.push(body.number("an advantage", f32::MIN, f32::MAX)?);
    }
    let unit = 1.0; // Its advantages are in units of the table.
    let decision = PolicyDecision { observation, legal, log_probs, value, kind, unit };
    rows.push_weighed(decision, target, &weights, &advantages);
    Ok(())
}

/// The rest of a message.
pub(crate) struct Reader<'m>(pub(crate) &'m [u8]);

impl Reader<'_> {
    pub(crate) fn take<const N: usize>(&mut self, name: &str) -> Result<[u8; N], String> {
        let taken = self.0.split_first_chunk::<N>();
        let (bytes, left) = taken.ok_or_else(|| format!("it ends within {name}"))?;
        self.0 = left;
        Ok(*bytes)
    }

    /// Reads a number within these bounds; NaN is refused.
    fn number(&mut self, name: &str, least: f32, most: f32) -> Result<f32, String> {
        let number = f32::from_le_bytes(self.take(name)?);
        if (least..=most).contains(&number) {
            return Ok(number);
        }
        let expected = match (least, most) {
            (0.0, most) => format!("0 to {most}"),
            (_, 0.0) => "a finite number, at most 0".into(),
            _ => "a finite number".into(),
        };
        Err(format!("{name} is {number}, expected {expected}"))
    }
}
