//! A deal that somebody else can play: the same rules, cards and chips.

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;

use newmarket_env::rules::Bankroll;
use newmarket_env::{Game, MAX_PLAYERS, Seed, Session};
use serde_json::{Map, Value};

use crate::fields::{Fields, Refusal, refuse};
use crate::seat::{Games, fill, seed, standing};

/// A session at some deal, and the seat of whoever shared it (`TABLES.md`, deal codes).
#[derive(Clone, Debug)]
pub struct SharedDeal {
    /// The rules and the number of seats.
    pub game: Arc<Game>,
    /// The session, before the deal.
    pub session: Session,
    /// The seat to play.
    pub seat: usize,
}

impl SharedDeal {
    /// Reads the JSON of a deal code.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn read(json: &[u8]) -> Result<Self, String> {
        let in_words = |Refusal(why): Refusal| match &why.field {
            Some(field) => format!("`{field}`: {}", why.message),
            None => why.message,
        };
        Self::parse(json).map_err(in_words)
    }

    fn parse(json: &[u8]) -> Result<Self, Refusal> {
        let mut fields = Fields::read(json)?;
        let (game, session, _) = session(&mut fields, &mut Games::default())?;
        let seat = fields.get("seat").unwrap_or(0);
        fields.end()?;
        if !session.deal_start().seats_in.contains(seat) {
            return refuse("field", "seat", "expected a seat that plays this deal");
        }
        Ok(Self { game, session, seat })
    }
}

/// The session that a message begins: at its first deal, or at the one that it describes.
pub(crate) fn session(
    fields: &mut Fields,
    games: &mut Games,
) -> Result<(Arc<Game>, Session, Seed), Refusal> {
    let rules: Map<String, Value> = fields.need("rules");
    let players = fields.need("players");
    fields.sound()?;
    let game = games.game(rules, players)?;
    let Some(seed) = seed(fields)? else { return refuse("field", "seed", "it is missing") };
    let deal: Option<u64> = fields.get("deal");
    fields.sound()?;
    let Some(deal) = deal else {
        let session = Session::new(&game, seed);
        return Ok((game, session, seed));
    };
    let dealer = fields.need("dealer");
    fields.sound()?;
    let mut start = standing(fields, &game, dealer)?;
    start.credit = game.rules().session.bankroll == Bankroll::Credit;
    let mut bought = [0; MAX_PLAYERS];
    fill(&mut bought[..game.players()], "bought", fields)?;
    let deal = u32::try_from(deal).unwrap_or(0);
    let session = Session::at(&game, seed, deal, start, bought);
    let session = session.or_else(|problem| refuse("deal", "deal", problem))?;
    Ok((game, session, seed))
}
