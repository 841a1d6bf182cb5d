//! Names of programs. No shell reads a name, so it needs no quotes or escapes but those of JSON.

use newmarket_env::text::{QUOTED, brief};
use serde::Deserialize;
use serde::de::IgnoredAny;

/// The prefix of the names of external players.
pub const PREFIX: &str = "exec:";

/// A program with its arguments, and the player to ask it for.
#[derive(PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Named {
    pub(super) run: Vec<String>,
    #[serde(default)]
    pub(super) player: Option<String>,
}

impl Named {
    /// Reads a name `exec:…`.
    pub(super) fn read(name: &str) -> Result<Self, String> {
        let rest = name.strip_prefix(PREFIX).unwrap_or(name);
        let problem = |error: String| {
            format!(
                "agent `{}`: {error}: expected exec:PROGRAM, exec:[\"PROGRAM\",\"ARGUMENT\",…] or \
                 exec:{{\"run\":[\"PROGRAM\",…],\"player\":\"NAME\"}}",
                brief(name, QUOTED)
            )
        };
        let read = match rest.as_bytes().first() {
            Some(b'[') => serde_json::from_str(rest).map(|run| Self { run, player: None }),
            Some(b'{') => serde_json::from_str(rest),
            _ => Ok(Self { run: vec![rest.to_owned()], player: None }),
        };
        let named = read.map_err(|error| problem(error.to_string()))?;
        match named.run.first() {
            Some(program) if !program.is_empty() => Ok(named),
            _ => Err(problem("it names no program".into())),
        }
    }
}

/// The length in bytes of a program's name at the start of a list of names; `None` if the name ends at the next
/// comma.
pub(crate) fn name_at(list: &str) -> Option<usize> {
    let rest = list.strip_prefix(PREFIX).filter(|rest| rest.starts_with(['[', '{']))?;
    let mut values = serde_json::Deserializer::from_str(rest).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    Some(PREFIX.len() + values.byte_offset())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_shell_splits_a_name() {
        for (name, run, player) in [
            ("exec:bot", &["bot"][..], None),
            ("exec:./my bots/a 'b' \"c\" $d;e", &["./my bots/a 'b' \"c\" $d;e"], None),
            ("exec: bot", &[" bot"], None),
            (
                r#"exec:["py","my bot.py","a,b","it's \"so\"",""]"#,
                &["py", "my bot.py", "a,b", "it's \"so\"", ""],
                None,
            ),
            (
                r#"exec:{"run":["n","engine"],"player":"net:hard"}"#,
                &["n", "engine"],
                Some("net:hard"),
            ),
        ] {
            let read = Named::read(name).expect(name);
            assert_eq!(
                (&read.run[..], read.player.as_deref()),
                (&run.iter().map(ToString::to_string).collect::<Vec<_>>()[..], player)
            );
        }
    }

    #[test]
    fn what_names_no_program_is_told_so() {
        for name in [
            "exec:",
            "exec:[",
            "exec:[]",
            "exec:[\"\"]",
            "exec:[1]",
            "exec:{\"run\":[]}",
            "exec:{\"player\":\"x\"}",
            "exec:{\"run\":[\"a\"],\"x\":1}",
            "exec:[\"a\"] b",
        ] {
            let line = Named::read(name).expect_err(name);
            assert!(line.contains("expected exec:PROGRAM") && line.lines().count() == 1, "{line}");
        }
    }

    #[test]
    fn commas_of_a_name_are_its_own() {
        assert_eq!(name_at(r#"exec:["a","b,c"],stopper"#), Some(r#"exec:["a","b,c"]"#.len()));
        assert_eq!(name_at("exec:a,b"), None);
        assert_eq!(name_at("exec:[\"a"), None);
    }
}
