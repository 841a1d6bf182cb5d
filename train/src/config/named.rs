//! A value that a configuration names by its `kind`: a part of an algorithm, from this crate or another.

use serde::de::Deserializer;
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};
use std::ops::Deref;
use std::sync::Arc;

/// A value behind a trait, shared by all copies of a configuration. Two are equal if they are written alike.
#[derive(Debug)]
pub struct Named<T: ?Sized>(Arc<T>);

impl<T: ?Sized> From<Box<T>> for Named<T> {
    fn from(value: Box<T>) -> Self {
        Self(value.into())
    }
}

impl<T: ?Sized> Clone for Named<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: ?Sized> Deref for Named<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: ?Sized + Serialize> PartialEq for Named<T> {
    fn eq(&self, other: &Self) -> bool {
        let written = |it: &Self| toml::Value::try_from(&*it.0).ok();
        written(self) == written(other)
    }
}

impl<T: ?Sized + Serialize> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, T: ?Sized> Deserialize<'de> for Named<T>
where
    Box<T>: Deserialize<'de>,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::deserialize(deserializer).map(Self::from)
    }
}
