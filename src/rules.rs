//! `newmarket rules`.

use newmarket_env::rules::{NAMES, RULE_SETS};
use newmarket_env::text::plain;
use newmarket_env::{Observation, Rules, encode};

use crate::failure::Result;
use crate::terminal;

/// List the named games, show one in full, or check a rules file.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  newmarket rules\n  newmarket rules michigan --toml > house.toml\n  \
                        newmarket rules house.toml"
)]
pub(crate) struct RulesArgs {
    /// A named game, the path of a rules file, or house:N, house rules drawn at random by this seed.
    rules: Option<String>,
    /// Print a complete rules file.
    #[arg(long)]
    toml: bool,
    /// Print the layout of an observation: each span of numbers and its meaning.
    #[arg(long, conflicts_with_all = ["toml", "rules"])]
    encoding: bool,
}

impl RulesArgs {
    pub(crate) fn run(self) -> Result {
        if self.encoding {
            return encoding();
        }
        match self.rules {
            Some(name) => {
                let rules = Rules::load(&name)?;
                if self.toml {
                    return terminal::print_toml(&rules.to_toml());
                }
                show(&rules)
            }
            None if self.toml => terminal::print_toml(&named("newmarket").to_toml()),
            None => list(),
        }
    }
}

fn named(name: &str) -> Rules {
    Rules::named(name).expect("NAMES are named games")
}

fn list() -> Result {
    terminal::print(format!(
        "{:<21} {:<8} {:<6} {:<12} {}",
        "game", "players", "aces", "layout", "differs in"
    ))?;
    for name in NAMES {
        let rules = named(name);
        let cells: Vec<&str> = rules.cells.iter().map(|cell| cell.name.as_str()).collect();
        let (min, max) = rules.players;
        terminal::print(format!(
            "{name:<21} {:<8} {:<6} {:<12} {}",
            format!("{min} to {max}"),
            format!("{:?}", rules.aces).to_lowercase(),
            if rules.pot().is_some() { "spaces, pot".into() } else { cells.join(" ") },
            features(&rules),
        ))?;
    }
    for name in RULE_SETS {
        let rules = named(name);
        let changes = serde_json::Value::Object(rules.overrides());
        terminal::print(format!("{name:<21} {} with {changes}", rules.base))?;
    }
    terminal::print(
        "\n`newmarket rules NAME` shows one in full; boodle and stops are michigan,\n\
                     michigan-rummy and tripoley are three-in-one.",
    )
}

/// The options in which games differ most, in a few words.
fn features(rules: &Rules) -> String {
    use newmarket_env::rules::{ChangeSuit, Exchange, FirstLead, LayoutAnte, Stage};
    let ante = match rules.layout_ante {
        LayoutAnte::Free { chips, .. } => format!("{chips} free chips"),
        LayoutAnte::Fixed { each, .. } => format!("{each} a cell"),
    };
    let change = match rules.change_suit {
        ChangeSuit::Free => "any suit after a stop",
        ChangeSuit::ElseSame => "change suit if you can",
        ChangeSuit::ElsePass => "change suit or pass",
        ChangeSuit::OtherColour => "change colour",
    };
    let exchange = match rules.exchange {
        Exchange::None => "",
        Exchange::Dealer { .. } => "; dealer may exchange",
        Exchange::DealerOrAuction { .. } => "; exchange or auction",
        Exchange::OfferChain { .. } => "; dead hand offered round",
    };
    let first = match rules.first_lead {
        FirstLead::Eldest => "",
        FirstLead::LowestOf(_) => "; lowest club leads",
        FirstLead::PokerWinner => "; poker winner leads",
    };
    let stages = rules.stages.iter().map(|stage| match stage {
        // In the named games the stage comes with poker, which is enough to say.
        Stage::Collect if rules.has(Stage::Poker) => "",
        Stage::Collect => "; cells go to the holders of their cards",
        Stage::Poker => "; poker",
    });
    let stages: String = stages.collect();
    format!("{ante}; {change}{exchange}{stages}{first}")
}

fn show(rules: &Rules) -> Result {
    terminal::print(format!("# {}: {}", plain(rules.title()), features(rules)))?;
    terminal::print(format!("#\n# {}\n", rules.in_words().join("\n# ")))?;
    terminal::print_toml(&rules.to_toml())
}

fn encoding() -> Result {
    terminal::print(format!(
        "encoding version {}, fingerprint {:016x}, {} numbers",
        encode::VERSION,
        encode::fingerprint(),
        Observation::LEN
    ))?;
    terminal::print(format!("{:>5} {:>4} {:>7}  span", "start", "len", "scale"))?;
    for span in encode::SPANS {
        terminal::print(format!(
            "{:>5} {:>4} {:>7.4}  {}: {}",
            span.start, span.len, span.scale, span.name, span.about
        ))?;
    }
    Ok(())
}
