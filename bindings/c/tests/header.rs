//! `newmarket.h` is what the functions say. `UPDATE_HEADER=1` writes it anew.

use std::path::Path;

#[test]
fn the_header_is_current() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(here.join("cbindgen.toml")).expect("a configuration");
    let mut made = Vec::new();
    cbindgen::Builder::new()
        .with_config(config)
        .with_src(here.join("src/abi.rs"))
        .generate()
        .expect("a header")
        .write(&mut made);
    let path = here.join("newmarket.h");
    if std::env::var_os("UPDATE_HEADER").is_some() {
        std::fs::write(&path, &made).expect("written");
    }
    let kept = std::fs::read(&path).expect("the header");
    assert!(made == kept, "newmarket.h is out of date: UPDATE_HEADER=1 cargo test writes it");
}
