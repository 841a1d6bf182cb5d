//! Searching players by name.

use alloc::format;
use alloc::string::String;
use core::time::Duration;

use super::{Budget, Clock, Ismcts, Omniscient, Pimc, Playout};
use crate::player::Player;

/// The names with their meanings, in the order of the help text.
pub const NAMES: [(&str, &str); 4] = [
    ("pimc:N", "tries every choice in the same N sampled determinizations"),
    ("pimc:Tms", "the same for T milliseconds a decision"),
    ("ismcts:N", "grows a tree over sampled determinizations, N iterations a decision"),
    (Omniscient::NAME, "cheats: sees all cards"),
];

/// The rule of playouts that makes the strongest players, as measured.
const PLAYOUT: Playout = Playout::Stopper;

/// Why a name of a searching player cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("agent `{name}`: {what}")]
pub struct SpecError {
    name: String,
    what: String,
}

/// The searching player of this name; `None` if it is not the name of one. Players by time read
/// `clock`; without a clock, where the same seed must give the same play, they are refused.
///
/// # Errors
/// If it is such a name, but what follows the colon makes no sense, or needs a clock and there is
/// none.
pub fn named(name: &str, clock: Option<Clock>) -> Result<Option<Player>, SpecError> {
    let (kind, how) = match name.split_once(':') {
        Some((kind, how)) => (kind, Some(how)),
        None => (name, None),
    };
    let wrong = |what: String| SpecError { name: name.into(), what };
    Ok(Some(match (kind, how) {
        (Omniscient::NAME, None) => Player::Open(Omniscient::default()),
        (Omniscient::NAME, Some(_)) => {
            return Err(wrong("expected omniscient, without more".into()));
        }
        ("pimc", how) => {
            let (amount, playout) = parse(how).map_err(wrong)?;
            let budget = budget(amount, clock).map_err(wrong)?;
            Pimc::new(name, budget, playout).into()
        }
        ("ismcts", how) => {
            let (amount, playout) = parse(how).map_err(wrong)?;
            let iterations = number(amount).ok_or_else(|| {
                wrong(format!(
                    "`{amount}` is not a number of iterations: expected ismcts:N as ismcts:500, \
                     1 to 1000000"
                ))
            })?;
            Ismcts::new(name, iterations, playout).into()
        }
        _ => return Ok(None),
    }))
}

/// What stands behind the colon: an amount, and how to play out.
fn parse(how: Option<&str>) -> Result<(&str, Playout), String> {
    let mut parts = how.unwrap_or_default().split(',');
    let amount = parts.next().unwrap_or_default();
    let mut playout = PLAYOUT;
    for part in parts {
        let names = Playout::ALL.map(Playout::name).join(", playout=");
        let rule = part.strip_prefix("playout=").and_then(Playout::named);
        playout = rule.ok_or_else(|| format!("`{part}`: expected playout={names}"))?;
    }
    Ok((amount, playout))
}

fn budget(amount: &str, clock: Option<Clock>) -> Result<Budget, String> {
    if let Some(count) = number(amount) {
        return Ok(Budget::Count(count));
    }
    match (amount.strip_suffix("ms").and_then(number), clock) {
        (Some(time), Some(clock)) => Ok(Budget::Time(Duration::from_millis(time.into()), clock)),
        (Some(_), None) => {
            Err("plays by the clock, so its play cannot be repeated, and this must be \
                                repeatable: expected pimc:N as pimc:60"
                .into())
        }
        (None, _) => Err(format!(
            "`{amount}` is not a number of worlds or milliseconds: expected pimc:N as pimc:60, or \
             pimc:Tms as pimc:5ms, 1 to 1000000"
        )),
    }
}

fn number(text: &str) -> Option<u32> {
    text.parse().ok().filter(|number| (1..=1_000_000).contains(number))
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use super::*;

    fn no_clock() -> Duration {
        Duration::ZERO
    }

    #[test]
    fn names_are_understood() {
        for name in [
            "pimc:60",
            "pimc:1000,playout=stopper",
            "pimc:5ms",
            "pimc:5ms,playout=random",
            "ismcts:500",
            "ismcts:8,playout=longest",
            "omniscient",
        ] {
            let agent = named(name, Some(no_clock)).unwrap().unwrap();
            assert_eq!(agent.name(), name);
            assert_eq!(agent.another().name(), name);
        }
        for name in ["random", "net:pimc:60", "pimc60", ""] {
            assert!(named(name, Some(no_clock)).unwrap().is_none(), "{name}");
        }
    }

    #[test]
    fn without_a_clock_nobody_plays_by_time() {
        let refused = named("pimc:5ms", None).err().unwrap().to_string();
        assert!(refused.contains("`pimc:5ms`: plays by the clock"), "{refused}");
        assert_eq!(refused.lines().count(), 1);
        for name in ["pimc:60", "ismcts:500", "omniscient"] {
            assert_eq!(named(name, None).unwrap().unwrap().name(), name);
        }
    }

    #[test]
    fn wrong_names_are_told_what_would_be_right() {
        for (name, right) in [
            ("pimc", "expected pimc:N as pimc:60, or pimc:Tms as pimc:5ms"),
            ("pimc:", "expected pimc:N"),
            ("pimc:0", "`0` is not a number of worlds"),
            ("pimc:-3", "expected pimc:N"),
            ("pimc:5s", "expected pimc:N"),
            ("pimc:0ms", "expected pimc:N"),
            ("pimc:9,playout=best", "`playout=best`: expected playout=random, playout=longest"),
            ("pimc:9,fast", "`fast`: expected playout=random"),
            ("ismcts:5ms", "expected ismcts:N as ismcts:500"),
            ("omniscient:3", "expected omniscient, without more"),
        ] {
            let error = named(name, Some(no_clock)).err().expect(name).to_string();
            assert!(error.contains(right) && error.contains(name), "{error}");
            assert_eq!(error.lines().count(), 1);
        }
    }
}
