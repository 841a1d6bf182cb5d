//! The parts of the name of a network's player.

/// The text after `net:` in this name, and the text after `+search:` if the network searches. `None` if
/// the name is not a network's.
pub fn parts(name: &str) -> Option<(&str, Option<&str>)> {
    let rest = name.strip_prefix("net:").filter(|rest| !rest.is_empty())?;
    let search = rest.rsplit_once('+');
    let search = search.and_then(|(network, how)| Some((network, how.strip_prefix("search:")?)));
    Some(search.map_or((rest, None), |(network, worlds)| (network, Some(worlds))))
}

/// The most worlds in which a network tries a lead, 1 to 1,000,000. `None` if the text is no such number.
pub fn worlds(number: &str) -> Option<u32> {
    number.parse().ok().filter(|worlds| (1..=1_000_000).contains(worlds))
}
