"""Examples run, and show what they say: on fresh deals, intervals included."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


# A command, the library that it needs, the line to look at, and the least lower end of its interval.
# `random` has +0.09 at a table of `longest`: to beat that shows nothing.
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("command", "needs", "line", "least"),
    [
        ("tutorial.py", "numpy", "against longest", 0.3),
        ("ppo.py", "torch", "against longest", 0.5),
        ("maskable_ppo.py", "sb3_contrib", "against longest", 0.5),
        ("rllib_ppo.py", "ray", "last over first", 0.0),
        ("rllib_ppo.py --env-runners 1 --iterations 2", "ray", "last over first", 0.0),
    ],
)
def test_it_learns(command: str, needs: str, line: str, least: float) -> None:
    if importlib.util.find_spec(needs) is None:
        pytest.skip(f"needs {needs}")
    name, *arguments = command.split()
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name), *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found = re.search(f"{line}: ([+-][0-9.]+) ± ([0-9.]+) chips", done.stdout)
    assert found, done.stdout
    gain, ci95 = float(found[1]), float(found[2])
    assert gain - ci95 > least, done.stdout
