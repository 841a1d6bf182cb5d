//! The functions of the interface. Their descriptions are those of `newmarket.h`.

use alloc::boxed::Box;
use alloc::string::String;
use core::ffi::c_char;
use core::ptr;

use newmarket_env::{Action, Observation};

use crate::border::{Status, guarded, read, write};
use crate::session::{Outputs, Session};

/// The version of this interface. `nm_abi()` is that of the library.
pub const NM_ABI: u32 = 1;
/// Numbers of a row: the observation of a seat.
pub const NM_INPUTS: usize = 896;
/// Actions; some of them are legal in a decision.
pub const NM_ACTIONS: usize = 74;
/// For `nm_act`: the network takes the decision.
pub const NM_BY_PLAYER: i32 = -1;

/// Success.
pub const NM_OK: i32 = 0;
/// Success, and there is more to do.
pub const NM_MORE: i32 = 1;
/// A pointer is null or not aligned, or a length is not possible.
pub const NM_POINTER: i32 = -1;
/// The name of a table is not UTF-8.
pub const NM_TEXT: i32 = -2;
/// The call was refused; an `error` line has the reason.
pub const NM_REFUSED: i32 = -3;
/// The host has sent `quit`.
pub const NM_QUIT: i32 = -4;
/// The library has a fault. Only `nm_free` may still be called with the engine.
pub const NM_FAILED: i32 = -5;

const _: () = assert!(NM_INPUTS == Observation::LEN && NM_ACTIONS == Action::COUNT);

/// A player's network, tables, and their unread lines. One thread at a time may use it.
pub struct NmEngine {
    session: Session,
    /// The line that was read last, and a zero.
    said: String,
    failed: bool,
}

/// Calls a body with an engine that is in order.
///
/// # Safety
/// The engine is one of `nm_new`, and nobody else uses it.
unsafe fn with(engine: *mut NmEngine, body: impl FnOnce(&mut NmEngine) -> Status) -> Status {
    // SAFETY: it is null, or an engine that nobody else uses, as the caller says.
    let Some(engine) = (unsafe { engine.as_mut() }) else { return NM_POINTER };
    if engine.failed {
        return NM_FAILED;
    }
    guarded(|| body(engine)).unwrap_or_else(|| {
        engine.failed = true;
        NM_FAILED
    })
}

/// The version of the interface that the library has. A program compares it with `NM_ABI`.
#[unsafe(no_mangle)]
pub extern "C" fn nm_abi() -> u32 {
    NM_ABI
}

/// Limits players that search, in the whole process: `threads` that they use at once, 0 for one a core, and the most
/// `worlds` of a player, 1 to 1,000,000. A player by name with more is refused. A world takes up to 400 bytes, so
/// 10,000 worlds keep a decision below 4 MB.
///
/// Call it before the first engine is made: later, or a second time, it is `NM_REFUSED` and changes nothing.
/// Without it `threads` is one a core, and `worlds` is 1,000,000.
#[cfg(feature = "std")]
#[unsafe(no_mangle)]
pub extern "C" fn nm_limit(threads: u32, worlds: u32) -> i32 {
    match guarded(|| crate::limits::set(threads, worlds)) {
        Some(true) => NM_OK,
        Some(false) => NM_REFUSED,
        None => NM_FAILED,
    }
}

/// An engine with the player of a file in memory: a checkpoint, or an export of
/// `newmarket checkpoint export`. The bytes are not needed afterwards.
///
/// Returns null if the bytes are no such file. `problem`, unless it is null, then gets the reason: a text
/// of at most `room` bytes, with a zero at its end.
///
/// # Safety
/// `player` has `len` bytes, and `problem` has room for `room`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nm_new(
    player: *const u8,
    len: usize,
    problem: *mut c_char,
    room: usize,
) -> *mut NmEngine {
    // SAFETY: as the caller says.
    let bytes = unsafe { read(player, len) };
    let made = guarded(|| match bytes {
        Ok(bytes) => Session::new(bytes),
        Err(_) => Err("expected the bytes of a player's file".into()),
    });
    let reason = match made {
        Some(Ok(session)) => {
            let engine = NmEngine { session, said: String::new(), failed: false };
            return Box::into_raw(Box::new(engine));
        }
        Some(Err(reason)) => reason,
        None => "the library has a fault".into(),
    };
    // SAFETY: as the caller says.
    if let Ok(Some(problem)) = unsafe { write(problem.cast::<u8>(), room) } {
        let end = reason.floor_char_boundary(room - 1);
        problem[..end].copy_from_slice(&reason.as_bytes()[..end]);
        problem[end] = 0;
    }
    ptr::null_mut()
}

/// Frees an engine; null is allowed.
///
/// # Safety
/// The engine is one of `nm_new`, and no later call uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nm_free(engine: *mut NmEngine) {
    if !engine.is_null() {
        // SAFETY: `nm_new` made it as a box, and nobody else has it, as the caller says.
        let engine = unsafe { Box::from_raw(engine) };
        guarded(|| drop(engine));
    }
}

/// Takes one line of the protocol, without a zero at its end. Immediate replies wait for
/// `nm_next`: none, a reply, or an `error`. `nm_work` does the work that takes time.
///
/// # Safety
/// The engine is one of `nm_new`, and `line` has `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nm_send(engine: *mut NmEngine, line: *const c_char, len: usize) -> i32 {
    // SAFETY: as the caller says.
    let Ok(line) = (unsafe { read(line.cast::<u8>(), len) }) else { return NM_POINTER };
    let send = |engine: &mut NmEngine| match engine.session.send(line) {
        Ok(()) => NM_OK,
        Err(_) => NM_QUIT,
    };
    // SAFETY: as the caller says.
    unsafe { with(engine, send) }
}

/// Works for some milliseconds on analyses and on decisions with a budget. Returns `NM_MORE` if
/// there is more to do, else `NM_OK`.
///
/// # Safety
/// The engine is one of `nm_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nm_work(engine: *mut NmEngine) -> i32 {
    let work = |engine: &mut NmEngine| if engine.session.work() { NM_MORE } else { NM_OK };
    // SAFETY: as the caller says.
    unsafe { with(engine, work) }
}

/// The next line from the engine, `*len` bytes and a zero after them; null if there is none. The line is
/// valid until the next call of `nm_next` or `nm_free`. `len` may be null.
///
/// # Safety
/// The engine is one of `nm_new`, and `len` is null or has room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nm_next(engine: *mut NmEngine, len: *mut usize) -> *const c_char {
    let (mut said, mut length) = (ptr::null(), 0);
    let next = |engine: &mut NmEngine| {
        if let Some(line) = engine.session.next() {
            engine.said = line;
            length = engine.said.len();
            engine.said.push('\0');
            said = engine.said.as_ptr().cast();
        }
        NM_OK
    };
    // SAFETY: as the caller says.
    unsafe { with(engine, next) };
    // SAFETY: as the caller says.
    if let Ok(Some(len)) = unsafe { write(len, 1) } {
        len[0] = length;
    }
    said
}

/// The network's answers to `n` rows of `NM_INPUTS` numbers. `legal` has `NM_ACTIONS` bytes a row,
/// each 0 or not; null means that all actions are legal. A null pointer skips its output:
/// `logits` (minus infinity where not legal) and `policy` (probabilities; 0 where not legal) have
/// `NM_ACTIONS` numbers a row, `value` and `action` (the likeliest legal one) have one.
///
/// The network plays in whole numbers: the bits are the same on every machine, and close to those of
/// the weights in floating point, not equal. Entries of a row that are facts, 0 or 1, count as 1 unless they
/// are 0. Rows with a number that is not finite, or without a legal action, are `NM_REFUSED`.
///
/// # Safety
/// The engine is one of `nm_new`, and each pointer is null or has so many elements, which overlap
/// with those of no other.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nm_forward(
    engine: *mut NmEngine,
    rows: *const f32,
    legal: *const u8,
    n: usize,
    logits: *mut f32,
    policy: *mut f32,
    value: *mut f32,
    action: *mut i32,
) -> i32 {
    let lengths = (n.checked_mul(NM_INPUTS), n.checked_mul(NM_ACTIONS));
    let (Some(inputs), Some(actions)) = lengths else { return NM_POINTER };
    // SAFETY: as the caller says.
    let Ok(rows) = (unsafe { read(rows, inputs) }) else { return NM_POINTER };
    let legal = if legal.is_null() {
        None
    } else {
        // SAFETY: as the caller says.
        let Ok(legal) = (unsafe { read(legal, actions) }) else { return NM_POINTER };
        Some(legal)
    };
    // SAFETY: as the caller says.
    let Ok(logits) = (unsafe { write(logits, actions) }) else { return NM_POINTER };
    // SAFETY: as the caller says.
    let Ok(policy) = (unsafe { write(policy, actions) }) else { return NM_POINTER };
    // SAFETY: as the caller says.
    let Ok(value) = (unsafe { write(value, n) }) else { return NM_POINTER };
    // SAFETY: as the caller says.
    let Ok(action) = (unsafe { write(action, n) }) else { return NM_POINTER };
    let outputs = Outputs { logits, policy, value, action };
    let forward = |engine: &mut NmEngine| match engine.session.forward(rows, legal, outputs) {
        Ok(()) => NM_OK,
        Err(_) => NM_REFUSED,
    };
    // SAFETY: as the caller says.
    unsafe { with(engine, forward) }
}

/// Writes the observation of the seat to act at a table, `NM_INPUTS` numbers in `row`, and its action mask,
/// `NM_ACTIONS` bytes of 0 or 1 in `legal`; either may be null. The table is one that was opened here
/// or one that the engine plays at. Returns the seat.
///
/// Where cards are set apart for poker, one of the best five is the only legal action: a rule sets
/// the five cards apart, and networks are not trained for it.
///
/// # Safety
/// The engine is one of `nm_new`, `table` has `len` bytes, and `row` and `legal` are null or have so
/// many elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nm_observe(
    engine: *mut NmEngine,
    table: *const c_char,
    len: usize,
    row: *mut f32,
    legal: *mut u8,
) -> i32 {
    // SAFETY: as the caller says.
    let Ok(table) = (unsafe { read(table.cast::<u8>(), len) }) else { return NM_POINTER };
    let Ok(table) = str::from_utf8(table) else { return NM_TEXT };
    // SAFETY: as the caller says.
    let Ok(row) = (unsafe { write(row, NM_INPUTS) }) else { return NM_POINTER };
    // SAFETY: as the caller says.
    let Ok(legal) = (unsafe { write(legal, NM_ACTIONS) }) else { return NM_POINTER };
    let observe = |engine: &mut NmEngine| match engine.session.observe(table, row, legal) {
        Ok(seat) => seat as i32,
        Err(_) => NM_REFUSED,
    };
    // SAFETY: as the caller says.
    unsafe { with(engine, observe) }
}

/// Takes an action for the seat to act at a table. Some decisions take several: `NM_MORE` asks for
/// the next one. `NM_BY_PLAYER` takes the whole decision, or the rest of it, as the network would.
///
/// `NM_OK` says that the decision is whole. The engine then writes a line
/// `{"type":"did","table":…,"seat":…,"do":…}`, and takes the decision if the table was opened here.
///
/// # Safety
/// The engine is one of `nm_new`, and `table` has `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nm_act(
    engine: *mut NmEngine,
    table: *const c_char,
    len: usize,
    action: i32,
) -> i32 {
    // SAFETY: as the caller says.
    let Ok(table) = (unsafe { read(table.cast::<u8>(), len) }) else { return NM_POINTER };
    let Ok(table) = str::from_utf8(table) else { return NM_TEXT };
    let act = |engine: &mut NmEngine| {
        let done = match action {
            NM_BY_PLAYER => engine.session.play(table).map(|()| false),
            action => engine.session.act(table, usize::try_from(action).unwrap_or(usize::MAX)),
        };
        match done {
            Ok(false) => NM_OK,
            Ok(true) => NM_MORE,
            Err(_) => NM_REFUSED,
        }
    };
    // SAFETY: as the caller says.
    unsafe { with(engine, act) }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use newmarket_checkpoints::released;

    #[test]
    fn a_panic_stays_here_and_the_engine_says_so() {
        let player = released::ALL[0].file;
        // SAFETY: the bytes are there.
        let engine = unsafe { nm_new(player.as_ptr(), player.len(), ptr::null_mut(), 0) };
        // SAFETY: the engine is new.
        assert_eq!(unsafe { with(engine, |_| NM_OK) }, NM_OK);
        // SAFETY: as before.
        assert_eq!(unsafe { with(engine, |_| panic!("a fault")) }, NM_FAILED);
        // SAFETY: as before.
        assert_eq!(unsafe { nm_work(engine) }, NM_FAILED);
        // SAFETY: as before; it is not used any more.
        unsafe { nm_free(engine) };
    }
}
