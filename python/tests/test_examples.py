"""Examples run, and show what they say."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.mark.timeout(300)
def test_the_tutorial_learns() -> None:
    """A linear policy gains clearly at a table of `longest`, where `random` has +0.09."""
    command = [sys.executable, str(EXAMPLES / "tutorial.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = re.search(r"against longest: ([+-][0-9.]+) ± ([0-9.]+) chips", done.stdout)
    assert found, done.stdout
    gain, ci95 = float(found[1]), float(found[2])
    assert gain - ci95 > 0.3, done.stdout
