//! Newmarket as a library with the binary interface of C, which WebAssembly shares.
//!
//! [`abi`] has the functions; they check pointers and stop panics. `session` does the work, without
//! `unsafe`. `README.md` shows how a program in C uses it.

#![no_std]
#![warn(clippy::std_instead_of_core, clippy::std_instead_of_alloc, clippy::alloc_instead_of_core)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod abi;
mod border;
mod clock;
mod file;
#[cfg(feature = "std")]
mod limits;
mod player;
mod session;
#[cfg(all(target_family = "wasm", not(feature = "std")))]
pub mod wasm;
