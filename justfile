# The verbs of daily work; `.ci/run` runs the same commands.

# Train a bot in minutes and show how good it is.
train *ARGS:
    cargo run --release -- train quick {{ARGS}}

# All tests, doc tests included.
test:
    cargo test --release --workspace

# Formatting and lints, warnings as errors.
lint:
    cargo fmt --all --check
    cargo clippy --release --workspace --all-targets -- -D warnings

# The speeds of this machine.
bench:
    cargo run --release -- bench
    cargo bench -p newmarket-env

# Everything that must hold before a change lands.
ci:
    bash .ci/run

# Take over changed snapshots after reading them.
snapshots:
    INSTA_UPDATE=always cargo test --release -p newmarket-env --test playthroughs
