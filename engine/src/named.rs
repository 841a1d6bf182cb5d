//! A small map from names to values.

use alloc::string::String;
use alloc::vec::Vec;

/// Values by name, in no order. There are at most a thousand, mostly a few. A tree would be ten times as
/// much code in a web page, for each type of value.
pub(crate) struct Named<T>(Vec<(String, T)>);

impl<T> FromIterator<(String, T)> for Named<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(entries: I) -> Self {
        Self(entries.into_iter().collect())
    }
}

impl<T> IntoIterator for Named<T> {
    type Item = (String, T);
    type IntoIter = alloc::vec::IntoIter<(String, T)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<T> Named<T> {
    pub(crate) const fn new() -> Self {
        Self(Vec::new())
    }

    pub(crate) const fn len(&self) -> usize {
        self.0.len()
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|entry| entry.0 == name)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.position(name).is_some()
    }

    pub(crate) fn get(&self, name: &str) -> Option<&T> {
        self.position(name).map(|nth| &self.0[nth].1)
    }

    pub(crate) fn get_mut(&mut self, name: &str) -> Option<&mut T> {
        self.position(name).map(|nth| &mut self.0[nth].1)
    }

    pub(crate) fn insert(&mut self, name: &str, value: T) {
        match self.position(name) {
            Some(nth) => self.0[nth].1 = value,
            None => self.0.push((name.into(), value)),
        }
    }

    pub(crate) fn remove(&mut self, name: &str) -> Option<T> {
        self.position(name).map(|nth| self.0.swap_remove(nth).1)
    }

    /// The first name in alphabetical order.
    pub(crate) fn first(&self) -> Option<&str> {
        self.0.iter().map(|entry| &*entry.0).min()
    }
}
