//! The media type and the caching of a file, by its name.

/// Media types by extension. Any other file is `application/octet-stream`.
const TYPES: [(&str, &str); 12] = [
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("wasm", "application/wasm"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("ico", "image/x-icon"),
    ("woff2", "font/woff2"),
    ("json", "application/json"),
    ("map", "application/json"),
    ("webmanifest", "application/manifest+json"),
    ("txt", "text/plain; charset=utf-8"),
];

/// The media type of a file.
pub(super) fn media_type(name: &str) -> &'static str {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let known = TYPES.iter().find(|(known, _)| *known == extension);
    known.map_or("application/octet-stream", |(_, media)| media)
}

/// The header `Cache-Control`: a file with a hash of its contents in its name never changes; the browser asks for any
/// other file each time.
pub(super) fn caching(name: &str) -> &'static str {
    if is_hashed(name) { "public, max-age=31536000, immutable" } else { "no-cache" }
}

/// Whether Vite has put a hash of the contents into the name: `assets/NAME-HASH.EXTENSION`, with eight characters of
/// base64.
fn is_hashed(name: &str) -> bool {
    let stem = name.strip_prefix("assets/").and_then(|name| name.rsplit_once('.'));
    let Some((stem, _)) = stem else { return false };
    let Some((before, hash)) = stem.split_at_checked(stem.len().saturating_sub(8)) else {
        return false;
    };
    let word = hash.bytes().all(|c| c.is_ascii_lowercase() || c == b'-');
    let base64 = hash.bytes().all(|c| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'_'));
    // Eight small letters may be a word, such as `champion`.
    before.ends_with('-') && base64 && !word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_what_their_names_say() {
        for (name, media) in [
            ("index.html", "text/html; charset=utf-8"),
            ("assets/engine-Ab3_xY-9.wasm", "application/wasm"),
            ("manifest.webmanifest", "application/manifest+json"),
            ("champion.safetensors", "application/octet-stream"),
            ("html", "application/octet-stream"),
        ] {
            assert_eq!(media_type(name), media, "{name}");
        }
    }

    #[test]
    fn only_hashed_names_are_kept_for_good() {
        let kept = ["assets/index-DiwrgTda.js", "assets/a.b-0123_-xY.css"];
        let asked = [
            "index.html",
            "sw.js",
            "sw-DiwrgTda.js",
            "assets/index.js",
            "assets/net-champion.safetensors",
            "assets/DiwrgTda.js",
            "assets/é-DiwrgTd.js",
            "assets/x",
        ];
        for name in kept {
            assert!(caching(name).contains("immutable"), "{name}");
        }
        for name in asked {
            assert_eq!(caching(name), "no-cache", "{name}");
        }
    }
}
