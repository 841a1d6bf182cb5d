//! A value for each of several seats, as events list them.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Values by seat, in order; in JSON an object. A `BTreeMap` would add ten times as much code to the
/// browser module, for each type of value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BySeat<T>(Vec<(String, T)>);

impl<T> BySeat<T> {
    /// The seats.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|entry| &*entry.0)
    }

    /// The seats, each with its value.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &T)> {
        self.0.iter().map(|(seat, value)| (&**seat, value))
    }

    /// The values, mutably.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.0.iter_mut().map(|entry| &mut entry.1)
    }

    /// Inserts a value in order. Returns false, and changes nothing, if the seat has one.
    fn insert(&mut self, seat: String, value: T) -> bool {
        let place = self.0.iter().position(|(other, _)| *other >= seat).unwrap_or(self.0.len());
        let new = self.0.get(place).is_none_or(|(other, _)| *other != seat);
        if new {
            self.0.insert(place, (seat, value));
        }
        new
    }
}

/// Keeps the first of several values of a seat.
impl<T> FromIterator<(String, T)> for BySeat<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(entries: I) -> Self {
        let mut all = Self(Vec::new());
        for (seat, value) in entries {
            all.insert(seat, value);
        }
        all
    }
}

impl<T: Serialize> Serialize for BySeat<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.entries())
    }
}

/// Refuses an object that names a seat twice.
impl<'de, T: Deserialize<'de>> Deserialize<'de> for BySeat<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Shown<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Shown<T> {
            type Value = BySeat<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with a key for each seat")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut hands = BySeat(Vec::new());
                while let Some((seat, hand)) = map.next_entry::<String, T>()? {
                    let text = format!("seat {seat} shows twice: expected each seat once");
                    if !hands.insert(seat, hand) {
                        return Err(Error::custom(text));
                    }
                }
                Ok(hands)
            }
        }

        from.deserialize_map(Shown(PhantomData))
    }
}
