"""Paths, the version and small helpers that the scripts of a release share."""

import functools
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = (ROOT / os.environ.get("CARGO_TARGET_DIR", "target")).resolve()
# Cargo would take a relative path from wherever it runs.
os.environ["CARGO_TARGET_DIR"] = str(TARGET)
ARTIFACTS = TARGET / "release-artifacts"
# What the library's loader asks for: NM_ABI of bindings/c/src/abi.rs, by way of bindings/c/build.rs.
SONAME = "libnewmarket_c.so.1"
CRATES = [f"newmarket{part}" for part in ("-env", "-net", "-agents", "-engine", "-checkpoints", "-train", "-eval", "")]


def run(*command, cwd=ROOT, env=None, **more):
    """Runs a command, and ends with its exit code if it fails."""
    print("$", *command, flush=True)
    try:
        return subprocess.run([str(part) for part in command], cwd=cwd, env=os.environ | (env or {}), check=True, **more)
    except FileNotFoundError:
        sys.exit(f"error: `{command[0]}` is not there")
    except subprocess.CalledProcessError as error:
        sys.exit(f"error: `{' '.join(map(str, command))}` ended with {error.returncode}")


def refuse(unknown, kind, expected):
    """Ends with exit code 2 for a name that is none of the expected ones."""
    print(f"error: unknown {kind} `{unknown}`: expected {', '.join(expected)}", file=sys.stderr)
    sys.exit(2)


def output(*command, **more):
    """What a command prints."""
    return run(*command, stdout=subprocess.PIPE, text=True, **more).stdout


@functools.cache
def rustc():
    """What the compiler says of itself, by name: `release`, `host` and more."""
    return dict(line.split(": ", 1) for line in output("rustc", "-vV").splitlines() if ": " in line)


@functools.cache
def sysroot():
    """The folder of the toolchain."""
    return Path(output("rustc", "--print", "sysroot").strip())


TRIPLE = rustc()["host"]
# Of artifacts: a build of its own, on x86 for processors since 2009.
PORTABLE = {"CARGO_TARGET_DIR": str(TARGET / "portable")}
if TRIPLE.startswith("x86_64"):
    PORTABLE["RUSTFLAGS"] = "-C target-cpu=x86-64-v2"


@functools.cache
def metadata(*options):
    """What Cargo knows of the workspace."""
    return json.loads(output("cargo", "metadata", "--locked", "--format-version", "1", *options))


def version():
    """The version of the workspace, and the public address of its repository."""
    [package] = [it for it in metadata("--no-deps")["packages"] if it["name"] == "newmarket"]
    return package["version"], package["repository"]


@functools.cache
def tools():
    """The folder of `uv` and `maturin`."""
    return Path(output("python/tools").strip())


def need(*programs):
    """Installs programs by apt-get where they are missing: pairs of a program and its package."""
    missing = [package for program, package in programs if shutil.which(program) is None]
    if missing:
        run("apt-get", "update")
        run("apt-get", "install", "--yes", "--no-install-recommends", *missing)
