//! The border to C: pointers that may be anything become slices, and no panic crosses.

use core::slice;

/// What a call answers; the names are in `abi`.
pub(crate) type Status = i32;

/// The elements at a pointer; nothing where there are none to be.
///
/// # Errors
/// If the pointer is null or not aligned, or no memory is that long.
///
/// # Safety
/// There are so many elements there, and nobody writes to them while they are borrowed.
pub(crate) unsafe fn read<'a, T>(from: *const T, len: usize) -> Option<&'a [T]> {
    if len == 0 {
        return Some(&[]);
    }
    if !fits(from, len) {
        return None;
    }
    // SAFETY: the pointer is not null, is aligned, and has so many elements, as the caller says.
    Some(unsafe { slice::from_raw_parts(from, len) })
}

/// As [`read`], for writing: `Some(None)` where the pointer is null, which means that the caller
/// does not want it.
///
/// # Safety
/// There is room for so many elements, which nobody else uses while they are borrowed.
pub(crate) unsafe fn write<'a, T>(to: *mut T, len: usize) -> Option<Option<&'a mut [T]>> {
    if to.is_null() || len == 0 {
        return Some(None);
    }
    if !fits(to, len) {
        return None;
    }
    // SAFETY: as in `read`, and nobody else uses it, as the caller says. Numbers of any bits are
    // numbers; that none was written there before does no harm to one who writes.
    Some(Some(unsafe { slice::from_raw_parts_mut(to, len) }))
}

fn fits<T>(at: *const T, len: usize) -> bool {
    let bytes = len.checked_mul(size_of::<T>());
    !at.is_null() && at.is_aligned() && bytes.is_some_and(|bytes| bytes <= isize::MAX as usize)
}

/// What a body answers, unless it panics.
#[cfg(feature = "std")]
pub(crate) fn guarded<T>(body: impl FnOnce() -> T) -> Option<T> {
    std::panic::catch_unwind(core::panic::AssertUnwindSafe(body)).ok()
}

/// What a body answers. A panic ends the module.
#[cfg(not(feature = "std"))]
pub(crate) fn guarded<T>(body: impl FnOnce() -> T) -> Option<T> {
    Some(body())
}
