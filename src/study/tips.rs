//! `newmarket study tips`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use newmarket_agents::strategy::{Base, Content};
use newmarket_checkpoints::{read_strategy, strategy_from_toml};
use newmarket_eval::study::{Candidate, Payoff, tips};

use super::strategy::{MeasureArgs, Plan, check_is_no_file, short};
use crate::failure::{At, Failure, Result};
use crate::table_args::{agent, quoted};

/// Test what descriptions of the game advise: a folder of strategy files, each with the claim that it tests.
///
/// `claim` of a file is "gains" or "makes no difference", `over` says over whom, `field` among whom, and `needs` at which
/// tables. Without a folder the tips that come with the program are tested: those of eval/tips/ in the source.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  newmarket study tips\n  \
                        newmarket study tips my-tips --rules newmarket --players 4,6 --by-seat\n  \
                        newmarket study tips --base net:champion --field net:champion")]
pub(crate) struct TipsArgs {
    /// A folder of strategy files.
    folder: Option<PathBuf>,
    /// Test the tips for somebody who plays on as this agent, instead of as the base of each file. A tip that says
    /// nothing to such a player is left out.
    #[arg(long, value_name = "AGENT")]
    base: Option<String>,
    #[command(flatten)]
    measure: MeasureArgs,
}

impl TipsArgs {
    pub(super) fn run(self) -> Result {
        let mut files = match &self.folder {
            Some(folder) => {
                of_folder(folder, |file| check_is_no_file(&[file], self.measure.out.as_deref()))?
            }
            None => of_program()?,
        };
        if let Some(name) = &self.base {
            agent(name)?;
            let base = Base::Named(name.clone());
            files = over_base(files, &base);
        }
        let candidates = candidates(files);
        let study = |plan: &Plan, done: &(dyn Fn(u64) + Sync)| {
            Ok(tips::run(&plan.study(&candidates, false), self.folder.is_none(), done)?)
        };
        let folder = self.folder.as_ref().map(|folder| quoted(&folder.display().to_string()));
        let base = self.base.as_ref().map(|base| format!("--base {}", quoted(base)));
        let words: Vec<String> =
            std::iter::once("tips".to_owned()).chain(folder).chain(base).collect();
        self.measure.show(&tips::GAMES, Payoff::Session, &words.join(" "), study)
    }
}

/// Tips for somebody who plays on as another player. Tips that say nothing to such a player are left out.
pub(crate) fn over_base(
    files: Vec<(String, Arc<Content>)>,
    base: &Base,
) -> Vec<(String, Arc<Content>)> {
    let over =
        |(name, tip): (String, Arc<Content>)| Some((name, tips::over_base(&tip, base)?.into()));
    files.into_iter().filter_map(over).collect()
}

/// The tips that come with the program, by their names.
pub(crate) fn of_program() -> Result<Vec<(String, Arc<Content>)>> {
    let read = |(name, text): (&str, &str)| Ok((name.into(), strategy_from_toml(text, name)?));
    tips::FILES.into_iter().map(read).collect()
}

/// Tips as what is measured.
pub(crate) fn candidates(files: Vec<(String, Arc<Content>)>) -> Vec<Candidate> {
    let candidate = |(name, content): (String, Arc<Content>)| {
        let name = content.name.clone().unwrap_or(name);
        Candidate { name, content, over: None }
    };
    files.into_iter().map(candidate).collect()
}

/// The strategy files of a folder, by their names. `check` may refuse a file.
pub(crate) fn of_folder(
    folder: &Path,
    check: impl Fn(&str) -> Result,
) -> Result<Vec<(String, Arc<Content>)>> {
    let shown = folder.display().to_string();
    let entries = std::fs::read_dir(folder).map_err(|error| {
        Failure::user(format!("cannot read {shown}: {error}: expected a folder of strategy files"))
    })?;
    let paths = entries.map(|entry| Ok(entry.at(&shown)?.path())).collect::<Result<Vec<_>>>()?;
    let is_file =
        |path: &PathBuf| path.extension().is_some_and(|end| end == "toml" || end == "json");
    let mut paths: Vec<PathBuf> = paths.into_iter().filter(is_file).collect();
    paths.sort();
    if paths.is_empty() {
        return Err(Failure::user(format!(
            "{shown} has no strategy file: expected a folder of files whose names end in .toml or .json"
        )));
    }
    paths
        .into_iter()
        .map(|path| {
            let name = path.display().to_string();
            check(&name)?;
            Ok((short(&name), read_strategy(&path)?))
        })
        .collect()
}
