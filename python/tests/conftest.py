"""What the tests share."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import newmarket

#: A pack that is solved in a second.
TINY = {
    "base": "newmarket-buy",
    "players": [2, 2],
    "ranks": 2,
    "suits": 3,
    "cells": ["2C", "AD"],
    "layout_ante": {"free": {"chips": 2, "dealer_chips": 2}},
    "dead_hand": {"position": "last", "remainder": "rotation"},
    "exchange": {"dealer_exchange": {"fee": 1}},
    "session": {"leftover": "lot"},
}
REPOSITORY = Path(__file__).parents[2]
TWO_SEATS = REPOSITORY / "eval" / "games" / "two-seats.toml"


#: Lines that a run of tests shows at its end.
SHOWN: list[str] = []


def pytest_terminal_summary(terminalreporter: Any) -> None:
    for line in SHOWN:
        terminalreporter.write_line(line)


@pytest.fixture
def game() -> newmarket.Game:
    return newmarket.Game("newmarket", 4)


def lowest(mask: Any) -> Any:
    """The lowest legal action of each row; 0 where there is none."""
    return np.argmax(mask, axis=-1).astype(np.int64)


def some(rng: np.random.Generator, mask: Any) -> Any:
    """A random legal action of each row; 0 where there is none."""
    return np.argmax(rng.random(mask.shape) * mask, axis=-1).astype(np.int64)


def program(*arguments: str) -> Any:
    """What the program in the wheel prints as JSON, an entry a line."""
    command = [sys.executable, "-m", "newmarket", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def tells(result: newmarket.Result, theirs: Any) -> bool:
    """Whether a result has all that the program prints, to the bit, but for the time and the command."""

    def same(mine: Any, theirs: Any) -> bool:
        if isinstance(theirs, dict):
            kept = (key for key in theirs if key not in ("seconds", "command"))
            return all(key in mine and same(mine[key], theirs[key]) for key in kept)
        if isinstance(theirs, list):
            return len(mine) == len(theirs) and all(map(same, mine, theirs))
        return bool(mine == theirs)

    return same(result.to_dict(), theirs)
