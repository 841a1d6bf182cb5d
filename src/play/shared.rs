//! Deals that somebody shared: `play --deal CODE` (`engine/TABLES.md`, deal codes).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use newmarket_engine::SharedDeal;
use newmarket_env::text::brief;

use crate::failure::{Failure, Result};

/// Letters of the longest code.
const LONGEST: usize = 8192;

/// The deal of a code, or of a link that ends with one.
pub(super) fn read(code_or_link: &str) -> Result<SharedDeal> {
    let code = code_or_link.rsplit('/').next().unwrap_or_default();
    let no_code = || format!("`{}` is no deal's code", brief(code, 60));
    let wrong = |problem: &str| {
        let expected = "expected the code, or the link, that the page gives for a deal";
        Failure::user(format!("--deal: {problem}: {expected}"))
    };
    if code.len() > LONGEST {
        return Err(wrong(&format!("{} letters, more than {LONGEST}", code.len())));
    }
    let json = URL_SAFE_NO_PAD.decode(code).map_err(|_| wrong(&no_code()))?;
    if serde_json::from_slice::<serde_json::Map<_, _>>(&json).is_err() {
        return Err(wrong(&no_code()));
    }
    SharedDeal::read(&json).map_err(|problem| wrong(&problem))
}
