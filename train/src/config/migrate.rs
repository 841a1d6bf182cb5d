//! Configurations that older programs have written.
//!
//! Before estimators and objectives were values, a configuration had `rollout.worlds`,
//! `rollout.playouts`, `learner.temperature` and so on, and no `phases`. Such a configuration is read
//! as the one that trains the same weights to the bit. An option that is gone is refused by its name,
//! unless its value says that it is not used.

use crate::schedule::Schedule;
use toml::{Table, Value};

/// Keys that have another name now: the same value means the same.
const RENAMED: [(&str, &str); 5] = [
    ("run.yardstick_every", "run.benchmark_every"),
    ("run.yardstick_deals", "run.benchmark_deals"),
    ("run.yardsticks", "run.benchmark_opponents"),
    ("run.average", "run.ema_decay"),
    ("learner.kl", "learner.kl_weight"),
];

/// Keys that are part of each phase now, with their place there.
const MOVED: [(&str, &str); 9] = [
    ("rollout.worlds", "estimator.worlds"),
    ("rollout.worlds_until", "until"),
    ("rollout.playouts", "estimator.playouts"),
    ("rollout.antes", "estimator.ante_share"),
    ("rollout.decisions", "estimator.decision_share"),
    ("rollout.lambda", "estimator.lambda"),
    ("learner.temperature", "objective.temperature"),
    ("learner.clip", "objective.clip"),
    ("learner.entropy", "objective.entropy"),
];

/// Keys that are gone.
const REMOVED: [&str; 3] = ["network.critic", "learner.value_clip", "learner.target_kl"];

/// Forms of schedules that are gone.
const OLD_SCHEDULES: [&str; 4] = ["cosine", "exponential", "warmup", "switch"];

/// What an old key is called now, or why it cannot be set.
pub(super) enum OldKey {
    Renamed(&'static str),
    Gone(String),
}

/// Looks up a key of older programs, as `section.name`.
pub(super) fn old_key(key: &str) -> Option<OldKey> {
    if let Some((_, new)) = RENAMED.iter().find(|(old, _)| *old == key) {
        return Some(OldKey::Renamed(new));
    }
    let gone = |line: String| Some(OldKey::Gone(line));
    if let Some((_, place)) = MOVED.iter().find(|(old, _)| *old == key) {
        return gone(format!("`{key}` is now `phases.N.{place}`, N counted from 0"));
    }
    if ["network.auxiliary", "learner.auxiliary"].contains(&key) {
        return gone(format!("`{key}` is now `learner.seat_gains_weight`"));
    }
    REMOVED.contains(&key).then(|| OldKey::Gone(removed(key)))
}

/// Why an option cannot be used, and what to do.
fn removed(what: &str) -> String {
    format!(
        "`{what}` has been removed since it gained nothing (train/NOTEBOOK.md, 41); train without \
         it, or with the program of commit d687014"
    )
}

/// Whether a table has any key that only older programs write.
fn is_old(table: &Table) -> bool {
    let moved = MOVED.iter().chain(&RENAMED).map(|(old, _)| *old);
    moved.chain(REMOVED).any(|key| get(table, key).is_some())
}

/// A whole configuration in the keys of today; `table` as it is if it has them.
pub(super) fn migrated(mut table: Table) -> Result<Table, String> {
    if !is_old(&table) {
        return Ok(table);
    }
    refuse_old_schedules(&table)?;
    for key in REMOVED {
        match take(&mut table, key) {
            None => {}
            Some(Value::Array(list)) if list.is_empty() => {}
            Some(value) if number(&value) == Some(0.0) => {}
            Some(_) => return Err(removed(key)),
        }
    }
    let weight = seat_gains_weight(&mut table)?;
    let phases = phases(&mut table)?;
    for (old, new) in RENAMED {
        if let Some(value) = take(&mut table, old) {
            put(&mut table, new, value);
        }
    }
    put(&mut table, "learner.seat_gains_weight", Value::Float(weight));
    let agents = table.get_mut("opponents").and_then(|others| others.get_mut("agents"));
    for agent in agents.and_then(Value::as_array_mut).into_iter().flatten() {
        let Some(agent) = agent.as_table_mut() else { continue };
        if let Some(stand_in) = agent.remove("stand_in") {
            agent.insert("playout_policy".into(), stand_in);
        }
    }
    table.insert("phases".into(), Value::Array(phases));
    Ok(table)
}

/// The weight of what every seat gains; where hidden cards were targets, an error.
fn seat_gains_weight(table: &mut Table) -> Result<f64, String> {
    let heads = take(table, "network.auxiliary");
    let weight = take(table, "learner.auxiliary").as_ref().and_then(number).unwrap_or(0.0);
    let heads = heads.as_ref().and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    if heads.iter().any(|head| head.as_str() != Some("values")) {
        return Err(removed("network.auxiliary = [\"cards\"]"));
    }
    Ok(if heads.is_empty() { 0.0 } else { weight })
}

/// The phases that the old keys describe.
fn phases(table: &mut Table) -> Result<Vec<Value>, String> {
    let mut needed = |key: &str| take(table, key).ok_or_else(|| format!("missing key `{key}`"));
    let [worlds, until, playouts, antes, decisions, lambda] =
        ["worlds", "worlds_until", "playouts", "antes", "decisions", "lambda"]
            .map(|name| needed(&format!("rollout.{name}")));
    let (worlds, until, playouts) = (worlds?, until?, playouts?);
    let (antes, decisions, lambda) = (antes?, decisions?, lambda?);
    // Also where no phase uses them any more.
    for (name, value) in [("antes", &antes), ("decisions", &decisions), ("lambda", &lambda)] {
        if !number(value).is_some_and(|share| (0.0..=1.0).contains(&share)) {
            return Err(format!("`rollout.{name}` is {value}, a number from 0 to 1 is needed"));
        }
    }
    let [temperature, clip, entropy] =
        ["temperature", "clip", "entropy"].map(|name| needed(&format!("learner.{name}")));
    let (temperature, clip, entropy) = (temperature?, clip?, entropy?);

    let regression = number(&temperature).is_some_and(|chips| chips > 0.0);
    if regression && !is_zero(&entropy) {
        return Err(
            "`learner.entropy` is not 0 while `learner.temperature` is positive: an entropy \
                    bonus belongs to the clipped objective alone now; set one of both to 0"
                .into(),
        );
    }
    let objective = if regression {
        entry("regression", [("temperature", temperature)])
    } else {
        entry("clipped", [("clip", clip), ("entropy", entropy)])
    };
    let shares = || [("ante_share", antes.clone()), ("decision_share", decisions.clone())];
    let phase = |until: f64, estimator: Value| {
        let phase = [
            ("until".to_owned(), Value::Float(until)),
            ("estimator".to_owned(), estimator),
            ("objective".to_owned(), objective.clone()),
        ];
        Value::Table(phase.into_iter().collect())
    };
    let until = number(&until).ok_or("`rollout.worlds_until` must be a number")?;
    let until = if number(&worlds) == Some(0.0) { 0.0 } else { until };
    let mut phases = Vec::new();
    if until > 0.0 {
        let [ante, decision] = shares();
        phases.push(phase(until, entry("determinized", [("worlds", worlds), ante, decision])));
    }
    if until < 1.0 {
        let then = if number(&playouts) == Some(0.0) {
            entry("gae", [("lambda", lambda)])
        } else {
            let [ante, decision] = shares();
            entry("policy_rollouts", [("playouts", playouts), ante, decision])
        };
        phases.push(phase(1.0, then));
    }
    Ok(phases)
}

/// An estimator or objective.
fn entry<const N: usize>(kind: &str, fields: [(&str, Value); N]) -> Value {
    let kind = ("kind".to_owned(), Value::String(kind.into()));
    let fields = fields.into_iter().map(|(name, value)| (name.to_owned(), value));
    Value::Table(std::iter::once(kind).chain(fields).collect())
}

fn refuse_old_schedules(table: &Table) -> Result<(), String> {
    let learner = table.get("learner").and_then(Value::as_table);
    for (name, value) in learner.into_iter().flatten() {
        let forms = value.as_table().into_iter().flat_map(|form| form.keys());
        if let Some(form) = forms.into_iter().find(|form| OLD_SCHEDULES.contains(&&***form)) {
            return Err(format!(
                "`learner.{name}`: {}",
                removed(&format!("{form} = …")).replace("it gained nothing", "nothing used it")
            ));
        }
    }
    Ok(())
}

fn number(value: &Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64))
}

/// Whether a schedule is 0 throughout.
fn is_zero(value: &Value) -> bool {
    let schedule: Result<Schedule, _> = value.clone().try_into();
    schedule.is_ok_and(|schedule| schedule.at(0.0) == 0.0 && schedule.at(1.0) == 0.0)
}

fn get<'t>(table: &'t Table, key: &str) -> Option<&'t Value> {
    let (section, name) = key.split_once('.')?;
    table.get(section)?.get(name)
}

fn take(table: &mut Table, key: &str) -> Option<Value> {
    let (section, name) = key.split_once('.')?;
    table.get_mut(section)?.as_table_mut()?.remove(name)
}

fn put(table: &mut Table, key: &str, value: Value) {
    if let Some((section, name)) = key.split_once('.')
        && let Some(section) = table.get_mut(section).and_then(Value::as_table_mut)
    {
        section.insert(name.into(), value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;

    /// The presets as commit d687014 had them.
    const OLD: [(&str, &str); 3] = [
        ("quick", include_str!("../../tests/old/presets/quick.toml")),
        ("standard", include_str!("../../tests/old/presets/standard.toml")),
        ("champion", include_str!("../../tests/old/presets/champion.toml")),
    ];

    fn old(name: &str) -> &'static str {
        OLD.iter().find(|(old, _)| *old == name).expect("an old preset").1
    }

    fn refused(text: &str) -> String {
        let message = Config::from_toml(text, "old.toml").expect_err("refused").to_string();
        assert!(message.starts_with("old.toml: ") && !message.contains('\n'), "{message}");
        message
    }

    /// They differ in what has been decided since: how many updates there are, where phases end, how
    /// long `standard` takes, how fast the learner goes, and that `quick` hears leads.
    #[test]
    fn old_presets_are_read_as_they_were_meant() {
        for (name, updates) in [("quick", 120), ("standard", 400), ("champion", 1200)] {
            let read = Config::from_toml(old(name), name).expect(name);
            read.validate().expect(name);
            assert_eq!(read.run.updates, updates);
            let longer = [
                "run.minutes=20.0",
                "run.benchmark_every=40",
                "run.benchmark_deals=4000",
                "phases.1.estimator.playouts=8",
            ];
            let deaf =
                ["phases.1.estimator.hear_leads=false", "phases.1.estimator.candidate_worlds=8"];
            let then: &[&str] = match name {
                "quick" => &deaf,
                "standard" => &longer,
                _ => &[],
            };
            let sets: Vec<String> = then.iter().map(ToString::to_string).collect();
            let mut today = Config::load(name, None, &sets).expect(name);
            today.run.updates = updates;
            let (now, then) = (&mut today.learner, &read.learner);
            (now.epochs, now.minibatch, now.shards) = (then.epochs, then.minibatch, then.shards);
            now.learning_rate = then.learning_rate;
            for (phase, then) in today.phases.iter_mut().zip(&read.phases) {
                phase.until = then.until;
            }
            if name != "champion" {
                assert_eq!(read, today, "{name}");
            }
        }
    }

    #[test]
    fn options_that_are_gone_are_refused_by_name_unless_they_are_off() {
        for (was, is, word) in [
            ("critic = []", "critic = [64]", "`network.critic`"),
            ("auxiliary = []", "auxiliary = [\"cards\"]", "cards"),
            ("value_clip = 0.0", "value_clip = 0.2", "`learner.value_clip`"),
            ("target_kl = 0.0", "target_kl = 0.01", "`learner.target_kl`"),
            ("clip = 0.2", "clip = { cosine = { from = 1, to = 0 } }", "cosine"),
            ("entropy = 0.0", "entropy = 0.01", "`learner.entropy`"),
        ] {
            let text = old("quick").replace(was, is);
            assert_ne!(text, old("quick"), "{was}");
            assert!(refused(&text).contains(word), "{}", refused(&text));
        }
        let lacking = old("quick").replace("worlds_until = 0.6\n", "");
        assert!(refused(&lacking).contains("rollout.worlds_until"));
    }

    #[test]
    fn every_way_to_estimate_and_to_learn_has_its_phases() {
        let phases = |changes: &[(&str, &str)]| {
            let mut text = old("quick").to_owned();
            for (was, is) in changes {
                text = text.replace(was, is);
            }
            let config = Config::from_toml(&text, "old.toml").expect("fits");
            config.validate().expect("makes sense");
            let written = config.to_toml().expect("written");
            assert_eq!(Config::from_toml(&written, "again").expect("complete"), config);
            let of =
                |phase: &crate::config::TrainingPhase| toml::to_string(phase).expect("serialises");
            config.phases.iter().map(of).collect::<Vec<_>>()
        };
        let (no_worlds, clipped) =
            (("worlds = 60", "worlds = 0"), ("temperature = 0.5", "temperature = 0"));
        assert_eq!(phases(&[]).len(), 2);
        for (changes, words) in [
            (vec![no_worlds], vec!["policy_rollouts", "regression"]),
            (vec![("until = 0.6", "until = 1")], vec!["determinized", "regression"]),
            (vec![no_worlds, clipped], vec!["policy_rollouts", "clipped", "clip = 0.2"]),
            (vec![no_worlds, clipped, ("playouts = 4", "playouts = 0")], vec!["gae", "lambda = 1"]),
        ] {
            let phases = phases(&changes);
            assert_eq!(phases.len(), 1, "{phases:?}");
            for word in words {
                assert!(phases[0].contains(word), "{word}: {phases:?}");
            }
        }
    }

    #[test]
    fn what_was_learnt_besides_and_who_stood_in_is_kept() {
        let text = old("quick")
            .replace("auxiliary = []", "auxiliary = [\"values\"]")
            .replace(
                "agents = []",
                "agents = [{ agent = 'pimc:9', share = 0.1, stand_in = 'stopper' }]",
            )
            .replace("kl = 0.0\ntarget", "kl = 0.5\ntarget");
        let config = Config::from_toml(&text, "old.toml").expect("fits");
        assert!((config.learner.seat_gains_weight - 0.1).abs() < 1e-12);
        assert_eq!(config.learner.kl_weight, Schedule::Constant(0.5));
        assert_eq!(config.opponents.agents[0].playout_policy, "stopper");
    }
}
