//! The name of a network's player, taken apart.

/// What stands behind `net:` in this name, and behind `+search:` if the network searches; nothing if it is no
/// network's name.
pub fn parts(name: &str) -> Option<(&str, Option<&str>)> {
    let rest = name.strip_prefix("net:").filter(|rest| !rest.is_empty())?;
    let search = rest.rsplit_once('+');
    let search = search.and_then(|(network, how)| Some((network, how.strip_prefix("search:")?)));
    Some(search.map_or((rest, None), |(network, worlds)| (network, Some(worlds))))
}

/// The worlds that a network looks at for a lead at most, if this is a number of them: 1 to 1,000,000.
pub fn worlds(number: &str) -> Option<u32> {
    number.parse().ok().filter(|worlds| (1..=1_000_000).contains(worlds))
}
