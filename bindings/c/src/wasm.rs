//! Allocator and memory functions of the module, which has no standard library.

use alloc::alloc::{Layout, alloc, dealloc};
use core::ptr;

use talc::wasm::{WasmDynamicTalc, new_wasm_dynamic_allocator};

#[global_allocator]
static ALLOCATOR: WasmDynamicTalc = new_wasm_dynamic_allocator();

#[panic_handler]
fn panic(_info: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}

/// Memory for a caller outside: `len` bytes, aligned for numbers. Null if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn nm_alloc(len: usize) -> *mut u8 {
    match layout(len) {
        // SAFETY: its size is not 0.
        Some(layout) => unsafe { alloc(layout) },
        None => ptr::null_mut(),
    }
}

/// Frees memory of `nm_alloc` with the same `len`.
///
/// # Safety
/// The memory comes from `nm_alloc` with this `len`, and no later call uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nm_dealloc(memory: *mut u8, len: usize) {
    if let (false, Some(layout)) = (memory.is_null(), layout(len)) {
        // SAFETY: `nm_alloc` gave it by the same layout, as the caller says.
        unsafe { dealloc(memory, layout) };
    }
}

fn layout(len: usize) -> Option<Layout> {
    Layout::from_size_align(len.max(1), 16).ok()
}
