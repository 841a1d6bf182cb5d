# The verbs of daily work; `.ci/run` runs the same commands.

# Train a bot in minutes and measure it.
train *ARGS:
    cargo run --release -- train quick {{ARGS}}

# Run all tests, doc tests included.
test:
    cargo test --release --workspace

# Check formatting and lints; warnings are errors.
lint:
    cargo fmt --all --check
    cargo clippy --release --workspace --all-targets -- -D warnings

# The speeds of this machine: the program's main loops, then the environment's benches.
bench:
    cargo run --release -- bench
    cargo bench -p newmarket-env

# Everything that must hold before a change lands.
ci:
    bash .ci/run

# Hostile input and bad luck for the program: `just campaign --minutes 60 --seed 7`.
campaign *ARGS:
    bash .ci/campaign {{ARGS}}

# Coverage-guided fuzzing of one target of `fuzz/`, as `rules`, for so many seconds.
fuzz TARGET SECONDS="60":
    bash .ci/fuzz {{TARGET}} {{SECONDS}}

# The light core for WebAssembly, without the standard library.
no-std:
    bash .ci/no-std

# Write changed playthroughs as the new snapshots; then read the diff.
snapshots:
    INSTA_UPDATE=always cargo test --release -p newmarket-env --test playthroughs
