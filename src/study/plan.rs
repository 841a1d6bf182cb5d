//! What a report is made of: studies, games, companies and tables.

use std::sync::Arc;

use newmarket_env::Game;
use newmarket_eval::study::Study;

use super::StudyArgs;
use crate::failure::Result;

/// Players at a table where nothing is said, as far as the game seats them.
const PLAYERS: usize = 4;

/// Who sits in the other seats.
struct Company {
    field: &'static str,
    /// Numbers of players; none: as the study has them.
    players: &'static [usize],
    /// Whether they are networks, who think longer than heuristics.
    networks: bool,
}

/// The company of a study alone, and the first of a report of all.
const USUAL: Company = Company { field: "stopper", players: &[], networks: false };

/// The companies of a report of all.
const COMPANIES: [Company; 3] = [
    USUAL,
    Company { field: "net:hard", players: &[4], networks: true },
    Company { field: "net:champion", players: &[4, 6], networks: true },
];

/// How many deals a study of a report plays for so many that are asked for.
#[derive(Clone, Copy)]
pub(super) struct Share {
    times: u64,
    every: u64,
}

impl Share {
    /// As many as are asked for.
    const ALL: Self = Self { times: 1, every: 1 };

    /// What an ante is worth is little, and quick to play among heuristics; leads take networks long.
    fn of(study: Study, networks: bool) -> Self {
        match (study, networks) {
            (Study::Ante, false) => Self { times: 8, ..Self::ALL },
            (Study::Lead | Study::Tips, true) => Self { every: 4, ..Self::ALL },
            _ => Self::ALL,
        }
    }

    /// So many of these deals.
    pub(super) fn of_deals(self, deals: u64) -> u64 {
        (deals * self.times).div_ceil(self.every)
    }
}

/// Numbers of players at the tables where tips are tested among others than heuristics.
const TIPS_AMONG_OTHERS: [usize; 2] = [4, 6];

/// A study, and what it is made of.
pub(super) struct Asked {
    pub(super) study: Study,
    /// The name of the game; none for tips about the usual ones.
    pub(super) rules: Option<String>,
    /// Who sits in the other seats.
    pub(super) field: String,
    /// The table; for tips, the tables.
    pub(super) games: Vec<Arc<Game>>,
    /// How many of the deals that are asked for it plays.
    pub(super) share: Share,
}

impl StudyArgs {
    /// What a study is made of, in each company: a table each, and for tips all tables together.
    pub(super) fn asked(&self, study: Study, all: bool) -> Vec<Result<Asked>> {
        let companies: &[Company] =
            if all && study.depends_on_company() { &COMPANIES } else { &[USUAL] };
        match &self.field {
            Some(field) => self.in_company(study, all, &USUAL, field),
            None => companies
                .iter()
                .flat_map(|company| self.in_company(study, all, company, company.field))
                .collect(),
        }
    }

    fn in_company(
        &self,
        study: Study,
        all: bool,
        company: &Company,
        field: &str,
    ) -> Vec<Result<Asked>> {
        let several = study == Study::Tips;
        let usual = study.usual_games();
        let names: Vec<&str> = match &self.rules {
            Some(name) => vec![name],
            None if several || all => usual.to_vec(),
            None => vec![usual[0]],
        };
        let share = if all { Share::of(study, company.networks) } else { Share::ALL };
        let asked = |rules: Option<&str>, games: Vec<Arc<Game>>| Asked {
            study,
            rules: rules.map(str::to_owned),
            field: field.into(),
            games,
            share,
        };
        let tables = |name: &str| self.tables(study, name, company, field);
        if several {
            let together = names.iter().map(|name| tables(name)).collect::<Result<Vec<_>>>();
            return vec![together.map(|games| asked(self.rules.as_deref(), games.concat()))];
        }
        let each = |name: &&str| match tables(name) {
            Ok(games) => games.into_iter().map(|game| Ok(asked(Some(name), vec![game]))).collect(),
            Err(error) => vec![Err(error)],
        };
        names.iter().flat_map(each).collect()
    }

    /// The tables of a game.
    fn tables(
        &self,
        study: Study,
        name: &str,
        company: &Company,
        field: &str,
    ) -> Result<Vec<Arc<Game>>> {
        let rules = newmarket_eval::study::rules(name)?;
        let (least, most) = rules.players;
        let fits = |players: &usize| (least..=most).contains(players);
        let sizes: Vec<usize> = match (self.players, study) {
            (Some(players), _) => vec![players],
            (None, Study::Tips) if field == USUAL.field => (least.max(3)..=most).collect(),
            (None, Study::Tips) => TIPS_AMONG_OTHERS.into_iter().filter(fits).collect(),
            (None, _) => company.players.iter().copied().filter(fits).collect(),
        };
        // A game that seats none of these numbers has one table.
        let sizes = if sizes.is_empty() { vec![PLAYERS.clamp(least, most)] } else { sizes };
        let game = |players| Ok(Arc::new(Game::new(rules.clone(), players)?));
        sizes.into_iter().map(game).collect()
    }
}
