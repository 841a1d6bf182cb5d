//! Deal codes: a deal that somebody else can play, with the same rules, cards and chips
//! (`TABLES.md`, deal codes).

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use base64ct::{Base64UrlUnpadded, Encoding as _};
use newmarket_env::rules::Bankroll;
use newmarket_env::text::{Joined as _, brief};
use newmarket_env::{Game, MAX_PLAYERS, Seed, Session};
use serde_json::{Map, Value};

use crate::fields::{Fields, Refusal, refuse};
use crate::reply::Reply;
use crate::seat::{Games, fill, seed, standing};

/// Letters of the longest code.
const LONGEST: usize = 8192;
/// Characters of a code that a message quotes.
const SHOWN: usize = 60;

/// The keys of a code, in the order in which they are written.
const KEYS: [&str; 11] = [
    "rules", "players", "seed", "seat", "deal", "dealer", "stacks", "layout", "kitty", "seats_in",
    "bought",
];

/// A session before the deal that a code describes, and the seat to play.
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
    /// Reads a deal code, or a link that ends with one.
    ///
    /// # Errors
    /// The field and its fault.
    pub fn read(code_or_link: &str) -> Result<Self, String> {
        let in_words = |Refusal(why): Refusal| match &why.field {
            Some(field) if field != "code" => format!("`{field}`: {}", why.message),
            _ => why.message,
        };
        let deal = decoded(code_or_link).map_err(in_words)?;
        Self::of(deal, &mut Games::default()).map_err(in_words)
    }

    /// The deal that the fields of a code describe.
    fn of(deal: Map<String, Value>, games: &mut Games) -> Result<Self, Refusal> {
        let mut fields = Fields::of(deal);
        let (game, session, _) = session(&mut fields, games)?;
        let seat = fields.get("seat").unwrap_or(0);
        fields.end()?;
        if !session.deal_start().seats_in.contains(seat) {
            return refuse("field", "seat", "expected a seat that plays this deal");
        }
        Ok(Self { game, session, seat })
    }
}

/// Answers a `code`: the deal of a code, or the code of a deal.
pub(crate) fn code(mut fields: Fields, games: &mut Games) -> Result<Option<String>, Refusal> {
    let id: Option<String> = fields.get("id");
    let code: Option<String> = fields.get("code");
    fields.sound()?;
    let mut deal = match code {
        None => fields.rest(),
        Some(code) => {
            fields.end()?;
            decoded(&code)?
        }
    };
    let shared = SharedDeal::of(deal.clone(), games)?;
    deal.insert("seat".into(), shared.seat.into());
    let code = encoded(&deal);
    if code.len() > LONGEST {
        return too_long(code.len());
    }
    Ok(Some(Reply::Code { id, code, deal: &deal }.line()))
}

/// The fields of the deal that a code, or a link that ends with one, describes.
fn decoded(code_or_link: &str) -> Result<Map<String, Value>, Refusal> {
    let code =
        code_or_link.trim_start_matches('\u{feff}').trim().rsplit('/').next().unwrap_or_default();
    if code.len() > LONGEST {
        return too_long(code.len());
    }
    let json = Base64UrlUnpadded::decode_vec(code).unwrap_or_default();
    match serde_json::from_slice(&json) {
        Ok(Value::Object(deal)) => Ok(deal),
        _ => refuse("field", "code", format!("`{}` is no deal's code", brief(code, SHOWN))),
    }
}

fn too_long<T>(letters: usize) -> Result<T, Refusal> {
    refuse("field", "code", format!("{letters} letters, more than {LONGEST}"))
}

/// The code of a deal with these fields.
fn encoded(deal: &Map<String, Value>) -> String {
    let field = |&key: &&str| Some(format!("\"{key}\":{}", deal.get(key)?));
    let fields: Vec<String> = KEYS.iter().filter_map(field).collect();
    Base64UrlUnpadded::encode_string(format!("{{{}}}", fields.joined(",")).as_bytes())
}

/// The session of a message: at its first deal, or at the deal that the message describes.
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
