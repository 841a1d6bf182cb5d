//! The number of ways to split cards.

/// Ways to split cards over places of these sizes.
pub(super) fn splits(room: impl Iterator<Item = usize> + Clone) -> f64 {
    let all = FACTORIALS[room.clone().sum::<usize>()];
    room.fold(all, |ways, room| ways / FACTORIALS[room])
}

/// `n!` for `n` up to the size of a pack.
pub(super) const FACTORIALS: [f64; 53] = {
    let mut table = [1.0; 53];
    let mut n = 1;
    while n < 53 {
        table[n] = table[n - 1] * n as f64;
        n += 1;
    }
    table
};
