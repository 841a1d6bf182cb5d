//! Gives the shared library its name for the loader, with the version of the interface.

use std::env;

/// The source that defines `NM_ABI`.
const SOURCE: &str = include_str!("src/abi.rs");

fn main() {
    println!("cargo::rerun-if-changed=src/abi.rs");
    let version = SOURCE.split("NM_ABI: u32 = ").nth(1).and_then(|rest| rest.split(';').next());
    let version = version.expect("src/abi.rs defines NM_ABI");
    let system = env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    let argument = match &*system {
        "linux" | "android" => format!("-Wl,-soname,libnewmarket_c.so.{version}"),
        "macos" | "ios" => format!("-Wl,-install_name,@rpath/libnewmarket_c.{version}.dylib"),
        _ => return,
    };
    println!("cargo::rustc-cdylib-link-arg={argument}");
}
