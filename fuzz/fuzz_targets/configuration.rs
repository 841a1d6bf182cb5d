//! Any text is refused with a message, or is a configuration that is written and read back unchanged.
#![no_main]

use newmarket_train::{Config, TrainError};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let quick = || Config::preset("quick").expect("a preset");
    let whole = Config::from_toml(text, "whole.toml");
    let laid = quick().with_toml(text, "part.toml");
    let set = quick().with_override(text);
    for config in [whole, laid, set] {
        if let Err(error) = config.and_then(holds) {
            newmarket_fuzz::tells(&error);
        }
    }
});

/// A configuration that was read is refused, or valid and written as it is.
fn holds(config: Config) -> Result<(), TrainError> {
    config.validate()?;
    let text = config.to_toml().expect("it can be written");
    let again = Config::from_toml(&text, "again").expect("it can be read");
    assert_eq!(again.to_toml().expect("again"), text);
    Ok(())
}
