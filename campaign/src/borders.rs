//! Values at the borders of what a reader of numbers, words and paths may expect.

use newmarket_env::Rng;

use crate::common::{draw, one_in, one_of};

/// Numbers, or nearly.
const NUMBERS: [&str; 34] = [
    "0",
    "1",
    "2",
    "-1",
    "-3",
    "8",
    "9",
    "64",
    "65",
    "255",
    "256",
    "65536",
    "1000000",
    "200000000",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "10000000000",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999999999999999999999999",
    "0.5",
    "1e-320",
    "1e308",
    "-1e308",
    "1e309",
    "nan",
    "inf",
    "-inf",
    "-0.0",
];

/// Words: nothing, what is no text, what a terminal would obey, other alphabets.
const WORDS: [&str; 18] = [
    "",
    " ",
    "\u{1b}[31mred\u{1b}[0m",
    "\u{1b}]0;title\u{7}",
    "\u{9b}31m",
    "\r\n",
    "a\nb",
    "\t",
    "é́́́",
    "\u{202e}desrever",
    "𝟙",
    "٣",
    "%s%n",
    "../../../../etc/passwd",
    "--",
    "-",
    "--help",
    "=",
];

/// Paths that are no files to read or write.
const PATHS: [&str; 8] = [
    ".",
    "/",
    "/dev/zero",
    "/dev/null",
    "/dev/full",
    "/no/such/folder/file",
    "/dev/stdin",
    "net:/dev/zero",
];

/// A number at a border.
pub(crate) fn number(rng: &mut Rng) -> &'static str {
    one_of(rng, &NUMBERS)
}

/// Anything at a border: mostly a number, now and then a very long word.
pub(crate) fn anything(rng: &mut Rng) -> String {
    match draw(rng, 8) {
        0 | 1 => one_of(rng, &WORDS).into(),
        2 => one_of(rng, &PATHS).into(),
        3 if one_in(rng, 20) => "x".repeat(100_000),
        _ => number(rng).into(),
    }
}
