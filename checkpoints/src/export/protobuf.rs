//! Messages of Protocol Buffers, as far as a writer needs them.
//!
//! <https://protobuf.dev/programming-guides/encoding/>

use alloc::vec::Vec;

/// A message that is being written, field by field.
#[derive(Default)]
pub(super) struct Message(Vec<u8>);

/// Wire types.
const VARINT: u64 = 0;
const LENGTH: u64 = 2;

impl Message {
    /// A message of fields that `fill` writes.
    pub(super) fn of(fill: impl FnOnce(&mut Self)) -> Self {
        let mut message = Self::default();
        fill(&mut message);
        message
    }

    pub(super) fn int(&mut self, field: u64, value: u64) {
        self.varint(field << 3 | VARINT);
        self.varint(value);
    }

    pub(super) fn bytes(&mut self, field: u64, bytes: &[u8]) {
        self.varint(field << 3 | LENGTH);
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
    }

    pub(super) fn text(&mut self, field: u64, text: &str) {
        self.bytes(field, text.as_bytes());
    }

    /// A message within this one.
    pub(super) fn message(&mut self, field: u64, fill: impl FnOnce(&mut Self)) {
        self.bytes(field, &Self::of(fill).0);
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the specification.
    #[test]
    fn bytes_are_those_of_the_specification() {
        let a = |value| Message::of(|it| it.int(1, value)).into_bytes();
        assert_eq!(a(150), [0x08, 0x96, 0x01]);
        assert_eq!(a(127), [0x08, 0x7f]);
        let text = Message::of(|it| it.text(2, "testing"));
        assert_eq!(text.into_bytes(), [&[0x12, 0x07][..], b"testing"].concat());
        let nested = Message::of(|it| it.message(3, |it| it.int(1, 150)));
        assert_eq!(nested.into_bytes(), [0x1a, 0x03, 0x08, 0x96, 0x01]);
    }
}
