//! The border to C: checks pointers and makes slices of them, and stops panics.

use core::slice;

/// The result of a call; `abi` has the names.
pub(crate) type Status = i32;

/// A pointer that cannot point to the expected elements.
pub(crate) struct Unfit;

/// The elements at a pointer; an empty slice if the length is 0.
///
/// # Errors
/// If the pointer is null or not aligned, or no memory is that long.
///
/// # Safety
/// The pointer has this many elements, and nobody writes to them while they are borrowed.
pub(crate) unsafe fn read<'a, T>(from: *const T, len: usize) -> Result<&'a [T], Unfit> {
    if len == 0 {
        return Ok(&[]);
    }
    if !fits(from, len) {
        return Err(Unfit);
    }
    // SAFETY: the pointer is not null, is aligned, and has so many elements, as the caller says.
    Ok(unsafe { slice::from_raw_parts(from, len) })
}

/// As [`read`], for writing; `None` if the pointer is null, because the caller does not want the
/// output.
///
/// # Errors
/// As [`read`].
///
/// # Safety
/// The pointer has room for this many elements, and nobody else uses them while they are borrowed.
pub(crate) unsafe fn write<'a, T>(to: *mut T, len: usize) -> Result<Option<&'a mut [T]>, Unfit> {
    if to.is_null() || len == 0 {
        return Ok(None);
    }
    if !fits(to, len) {
        return Err(Unfit);
    }
    // SAFETY: as in `read`, and nobody else uses it, as the caller says. Numbers of any bits are
    // numbers; that none was written there before does no harm to one who writes.
    Ok(Some(unsafe { slice::from_raw_parts_mut(to, len) }))
}

fn fits<T>(at: *const T, len: usize) -> bool {
    let bytes = len.checked_mul(size_of::<T>());
    !at.is_null() && at.is_aligned() && bytes.is_some_and(|bytes| isize::try_from(bytes).is_ok())
}

/// The result of a body, unless it panics.
#[cfg(feature = "std")]
pub(crate) fn guarded<T>(body: impl FnOnce() -> T) -> Option<T> {
    std::panic::catch_unwind(core::panic::AssertUnwindSafe(body)).ok()
}

/// The result of a body. A panic ends the module.
#[cfg(not(feature = "std"))]
pub(crate) fn guarded<T>(body: impl FnOnce() -> T) -> Option<T> {
    Some(body())
}
