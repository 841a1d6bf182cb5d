//! Reads the text of clauses and lines: the small grammar of `docs/STRATEGIES.md`.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use newmarket_env::text::{Joined as _, brief};

use super::expression::{Answer, Clause, Comparison, Condition, Line, Step, Sum, Term};
use super::facts::{Fact, Scope, facts};

/// Most characters of a clause.
pub const LONGEST_CLAUSE: usize = 200;
/// Most brackets and `not`s around a condition.
const DEEPEST: usize = 8;
/// Greatest number in a clause: chips of a table stay below.
const GREATEST: f64 = 1e7;

/// Why a text cannot be read: the problem, and what would be right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Misread {
    pub(super) problem: String,
    pub(super) expected: String,
}

type Read<T> = Result<T, Misread>;

const COMPARISONS: [(&str, Comparison); 6] = [
    (">=", Comparison::AtLeast),
    ("<=", Comparison::AtMost),
    ("!=", Comparison::Unequal),
    (">", Comparison::Above),
    ("<", Comparison::Below),
    ("=", Comparison::Equal),
];

/// The words of orders, and whether they want the greatest.
const ORDERS: [(&str, bool); 4] =
    [("most", true), ("highest", true), ("fewest", false), ("lowest", false)];

/// A clause on leads ([`Scope::Suit`]) or on cells ([`Scope::Cell`]).
pub(super) fn clause(text: &str, scope: Scope) -> Read<Clause> {
    let mut reader = Reader::new(text)?;
    let when = if reader.word("when") {
        let when = reader.condition(Scope::Table)?;
        reader.expect(":", "`:` after the condition, as in `when players <= 4: most cards`")?;
        Some(when)
    } else {
        None
    };
    let all_but = reader.words(&["all", "but"]);
    let order = ORDERS.into_iter().find(|(word, _)| reader.word(word));
    let step = match order {
        Some((_, most)) => Step::Order { sum: reader.sum(scope)?, most, all_but },
        None if all_but => {
            return reader
                .misread("a word of order after `all but`: most, fewest, highest or lowest");
        }
        None => Step::Test(reader.condition(scope)?),
    };
    reader.end()?;
    Ok(Clause { when, step, text: text.into() })
}

/// A condition on the table.
pub(super) fn condition(text: &str) -> Read<Condition> {
    let mut reader = Reader::new(text)?;
    let condition = reader.condition(Scope::Table)?;
    reader.end()?;
    Ok(condition)
}

/// A line about the dead hand, or in its auction (`bids`).
pub(super) fn line(text: &str, bids: bool) -> Read<Line> {
    let mut reader = Reader::new(text)?;
    let answers =
        if bids { "pass, up to X, up to below X or base" } else { "keep, take, auction or base" };
    if let Some(answer) = reader.answer(bids)? {
        reader.end()?;
        return Ok(Line { when: None, answer, text: text.into() });
    }
    // `when` may begin a line, as it may begin a clause.
    let _ = reader.word("when");
    let when = reader.condition(Scope::Table)?;
    reader.expect(":", &format!("`:` and an answer: {answers}"))?;
    let Some(answer) = reader.answer(bids)? else {
        return reader.misread(&format!("an answer: {answers}"));
    };
    reader.end()?;
    Ok(Line { when: Some(when), answer, text: text.into() })
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Token<'t> {
    Word(&'t str),
    Number(f64),
    Symbol(&'t str),
}

/// Reads token by token.
struct Reader<'t> {
    text: &'t str,
    tokens: Vec<(Token<'t>, usize)>,
    next: usize,
    depth: usize,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Read<Self> {
        if text.chars().count() > LONGEST_CLAUSE {
            return Err(Misread {
                problem: format!("is longer than {LONGEST_CLAUSE} characters"),
                expected: "two shorter ones".into(),
            });
        }
        Ok(Self { text, tokens: tokens(text)?, next: 0, depth: 0 })
    }

    fn peek(&self) -> Option<Token<'t>> {
        self.tokens.get(self.next).map(|token| token.0)
    }

    fn take(&mut self, wanted: Token) -> bool {
        let is_next = self.peek() == Some(wanted);
        self.next += usize::from(is_next);
        is_next
    }

    fn word(&mut self, word: &str) -> bool {
        self.take(Token::Word(word))
    }

    fn words(&mut self, words: &[&str]) -> bool {
        let ahead = self.tokens[self.next..].iter().map(|token| token.0);
        let all = ahead.zip(words).filter(|(token, word)| *token == Token::Word(word)).count();
        let are_next = all == words.len();
        self.next += if are_next { words.len() } else { 0 };
        are_next
    }

    fn symbol(&mut self, symbol: &str) -> bool {
        self.take(Token::Symbol(symbol))
    }

    /// What stands here is not what should.
    fn misread<T>(&self, expected: &str) -> Read<T> {
        let problem = match self.tokens.get(self.next) {
            None => format!("ends too early: `{}`", self.text),
            Some(&(_, start)) => format!("`{}`", brief(self.text[start..].trim_end(), 40)),
        };
        Err(Misread { problem, expected: expected.into() })
    }

    fn expect(&mut self, symbol: &str, expected: &str) -> Read<()> {
        if self.symbol(symbol) { Ok(()) } else { self.misread(expected) }
    }

    fn end(&self) -> Read<()> {
        match self.peek() {
            None => Ok(()),
            Some(_) => self.misread("the end, or `and`, `or`, `+`, `-` or a comparison before it"),
        }
    }

    fn condition(&mut self, scope: Scope) -> Read<Condition> {
        let mut any = Vec::from([self.conjunction(scope)?]);
        while self.word("or") {
            any.push(self.conjunction(scope)?);
        }
        Ok(if any.len() == 1 { any.swap_remove(0) } else { Condition::Any(any) })
    }

    fn conjunction(&mut self, scope: Scope) -> Read<Condition> {
        let mut all = Vec::from([self.atom(scope)?]);
        while self.word("and") {
            all.push(self.atom(scope)?);
        }
        Ok(if all.len() == 1 { all.swap_remove(0) } else { Condition::All(all) })
    }

    fn atom(&mut self, scope: Scope) -> Read<Condition> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.misread("at most eight brackets and `not`s inside each other");
        }
        let atom = if self.word("not") {
            Condition::Not(Box::new(self.atom(scope)?))
        } else if self.symbol("(") {
            let inner = self.condition(scope)?;
            self.expect(")", "`)`")?;
            inner
        } else {
            self.comparison(scope)?
        };
        self.depth -= 1;
        Ok(atom)
    }

    fn comparison(&mut self, scope: Scope) -> Read<Condition> {
        let left = self.sum(scope)?;
        let found = COMPARISONS.into_iter().find(|(symbol, _)| self.symbol(symbol));
        Ok(match found {
            Some((_, comparison)) => Condition::Compared(left, comparison, self.sum(scope)?),
            None if left.0.iter().all(|term| term.fact.is_none()) => {
                return self.misread("a comparison: >=, <=, >, <, = or !=");
            }
            None => Condition::Yes(left),
        })
    }

    fn sum(&mut self, scope: Scope) -> Read<Sum> {
        let mut sign = if self.symbol("-") { -1.0 } else { 1.0 };
        let mut terms = Vec::new();
        loop {
            terms.push(self.term(scope, sign)?);
            sign = match self.peek() {
                Some(Token::Symbol("+")) => 1.0,
                Some(Token::Symbol("-")) => -1.0,
                _ => return Ok(Sum(terms)),
            };
            self.next += 1;
        }
    }

    fn term(&mut self, scope: Scope, sign: f64) -> Read<Term> {
        let Some(Token::Number(number)) = self.peek() else {
            return Ok(Term { times: sign, fact: Some(self.fact(scope)?) });
        };
        self.next += 1;
        let fact = if self.symbol("*") { Some(self.fact(scope)?) } else { None };
        Ok(Term { times: sign * number, fact })
    }

    /// The fact of the longest name that stands here.
    fn fact(&mut self, scope: Scope) -> Read<&'static Fact> {
        let known = || {
            let of_table = if scope == Scope::Table { &[][..] } else { facts(Scope::Table) };
            facts(scope).iter().chain(of_table)
        };
        let mut best: Option<(&'static Fact, usize)> = None;
        for fact in known() {
            let words = fact.name.split(' ').count();
            let names = fact.name.split(' ');
            let ahead = self.tokens[self.next..].iter().map(|token| token.0);
            let same = ahead.zip(names).filter(|(token, name)| *token == Token::Word(name)).count();
            if same == words && best.is_none_or(|(_, most)| words > most) {
                best = Some((fact, words));
            }
        }
        if let Some((fact, words)) = best {
            self.next += words;
            return Ok(fact);
        }
        let names: Vec<&str> = known().map(|fact| fact.name).collect();
        match self.phrase() {
            Some(phrase) => {
                let near = nearest(phrase, &names).joined(", ");
                self.misread(&format!("a number or a fact, of which these are nearest: {near}"))
            }
            None => self.misread("a number or a fact, as `cards` or `chips`"),
        }
    }

    /// The words from here up to the next sign.
    fn phrase(&self) -> Option<&'t str> {
        let words = self.tokens[self.next..].iter().take_while(
            |(token, _)| matches!(token, Token::Word(word) if !["and", "or", "not"].contains(word)),
        );
        let (first, last) = (words.clone().next()?, words.last()?);
        let Token::Word(word) = last.0 else { return None };
        Some(&self.text[first.1..last.1 + word.len()])
    }

    /// An answer about the dead hand, if one stands here.
    fn answer(&mut self, bids: bool) -> Read<Option<Answer>> {
        let words: &[(&str, Answer)] = if bids {
            &[("pass", Answer::Pass), ("base", Answer::Base)]
        } else {
            &[
                ("keep", Answer::Keep),
                ("take", Answer::Take),
                ("auction", Answer::Auction),
                ("base", Answer::Base),
            ]
        };
        if let Some((_, answer)) = words.iter().find(|(word, _)| self.word(word)) {
            return Ok(Some(answer.clone()));
        }
        if !bids || !self.words(&["up", "to"]) {
            return Ok(None);
        }
        Ok(Some(if self.word("below") {
            Answer::UpToBelow(self.sum(Scope::Table)?)
        } else {
            Answer::UpTo(self.sum(Scope::Table)?)
        }))
    }
}

/// The tokens of a text, and where each begins. Words are of small letters.
fn tokens(text: &str) -> Read<Vec<(Token<'_>, usize)>> {
    let mut tokens = Vec::new();
    let mut start = 0;
    while let Some(first) = text[start..].chars().next() {
        let rest = &text[start..];
        let run = |belongs: fn(char) -> bool| rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        let length = if first.is_whitespace() {
            first.len_utf8()
        } else if first.is_ascii_lowercase() {
            let length = run(|c| c.is_ascii_lowercase());
            tokens.push((Token::Word(&rest[..length]), start));
            length
        } else if first.is_ascii_digit() {
            let length = run(|c| c.is_ascii_digit() || c == '.');
            let Some(number) = number(&rest[..length]) else {
                return Err(Misread {
                    problem: format!("`{}` is no number", brief(&rest[..length], 40)),
                    expected: "one as 3 or 0.5, at most 10000000".into(),
                });
            };
            tokens.push((Token::Number(number), start));
            length
        } else {
            let signs =
                COMPARISONS.iter().map(|(sign, _)| *sign).chain(["+", "-", "*", "(", ")", ":"]);
            let Some(sign) = signs.into_iter().find(|sign| rest.starts_with(sign)) else {
                return Err(Misread {
                    problem: format!("`{}`", brief(rest, 40)),
                    expected: "words in small letters, numbers, and >= <= > < = != + - * ( ) :"
                        .into(),
                });
            };
            tokens.push((Token::Symbol(sign), start));
            sign.len()
        };
        start += length;
    }
    if tokens.is_empty() {
        return Err(Misread {
            problem: "is empty".into(),
            expected: "a clause, or no text".into(),
        });
    }
    Ok(tokens)
}

/// A number of digits and at most one point between them. `str::parse` reads the same, but is 6 KB of code in a
/// web page.
fn number(text: &str) -> Option<f64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    // Up to here both are exact, so the quotient is the nearest number.
    if whole.is_empty() || part.is_empty() || whole.len() + part.len() > 15 {
        return None;
    }
    let [digits, scale] =
        part.bytes().try_fold([whole.parse().ok()?, 1_u64], |[all, scale], digit| {
            digit.is_ascii_digit().then(|| [all * 10 + u64::from(digit - b'0'), scale * 10])
        })?;
    Some(digits as f64 / scale as f64).filter(|number| *number <= GREATEST)
}

/// The names that are most like a word, at most four.
pub(super) fn nearest<'n>(word: &str, names: &[&'n str]) -> Vec<&'n str> {
    let mut left: Vec<&str> = names.to_vec();
    let mut nearest = Vec::new();
    while nearest.len() < 4
        && let Some((_, nth)) =
            left.iter().enumerate().map(|(nth, name)| (unlikeness(word, name), nth)).min()
    {
        nearest.push(left.remove(nth));
    }
    nearest
}

/// How unlike two texts are: less if they share words, or letters.
fn unlikeness(left: &str, right: &str) -> usize {
    let shared =
        right.split(' ').filter(|word| left.split(' ').any(|other| other == *word)).count();
    letters_apart(left, right) + 20 - 6 * shared.min(3)
}

#[cfg(feature = "std")]
fn letters_apart(left: &str, right: &str) -> usize {
    strsim::damerau_levenshtein(brief(left, 60).as_ref(), right)
}

/// Without the library that compares letters, their order does not count.
#[cfg(not(feature = "std"))]
fn letters_apart(left: &str, right: &str) -> usize {
    let count = |text: &str, letter: u8| text.bytes().filter(|&other| other == letter).count();
    (b'a'..=b'z').map(|letter| count(left, letter).abs_diff(count(right, letter))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_the_standard_library_reads_them() {
        for text in
            ["0", "3", "0.5", "0.1", "2.675", "12.0625", "9999999.9", "10000000", "007", "1.10"]
        {
            assert_eq!(number(text), text.parse().ok(), "{text}");
        }
        for text in ["", ".", ".5", "5.", "1.2.3", "10000000.1", "10000001", "0.1234567890123456"] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
