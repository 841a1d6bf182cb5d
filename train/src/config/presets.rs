//! The presets of the crate.

/// A complete configuration with a name.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Its name, as on the command line.
    pub name: &'static str,
    /// Its purpose, in a few words.
    pub about: &'static str,
    /// The configuration as TOML.
    pub toml: &'static str,
}

/// All presets, the shortest run first.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "quick",
        about: "newmarket for four, three minutes on two cores",
        toml: include_str!("../presets/quick.toml"),
    },
    Preset {
        name: "standard",
        about: "newmarket for four, six minutes on two cores",
        toml: include_str!("../presets/standard.toml"),
    },
    Preset {
        name: "champion",
        about: "all named games and house rules, an hour and forty minutes on two cores",
        toml: include_str!("../presets/champion.toml"),
    },
];
