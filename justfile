# Commands for daily work; `.ci/run` runs the same.

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

# Measure the speed of this machine: the program's main loops, then the benches of the environment.
bench:
    cargo run --release -- bench
    cargo bench -p newmarket-env

# Run all checks for a change.
ci:
    bash .ci/run

# Give the program hostile input and bad luck: `just campaign --minutes 60 --seed 7`.
campaign *ARGS:
    bash .ci/campaign {{ARGS}}

# Fuzz one target of `fuzz/`, as `rules`, guided by coverage, for a number of seconds.
fuzz TARGET SECONDS="60":
    bash .ci/fuzz {{TARGET}} {{SECONDS}}

# Check the light core for WebAssembly, without the standard library.
no-std:
    bash .ci/no-std

# Accept changed playthroughs as the new snapshots; then read the diff.
snapshots:
    INSTA_UPDATE=always cargo test --release -p newmarket-env --test playthroughs

# Build and test the artifacts of a release: `just release`, `just release --quick`.
release *ARGS:
    release/build {{ARGS}}
    release/check {{ARGS}}
