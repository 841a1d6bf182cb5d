"""What the front ends share."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from newmarket import PACKED, Game, OBSERVATION

Rules: TypeAlias = "str | os.PathLike[str] | Mapping[str, Any]"
"""A named game, the path of a rules file, or changes as ``{"base": "newmarket", "per_card": 2}``."""

Opponents: TypeAlias = "str | Sequence[str] | Mapping[str, float]"
"""One name for all seats, a name for each seat, or shares by name."""

#: Every number of an observation lies between minus this and this. Numbers are kept in 16 bits.
BOUND = 32768.0


def make_game(rules: Rules | Game, players: int) -> Game:
    """The game of these rules at a table of so many players; a ``Game`` is taken as it is."""
    if isinstance(rules, Game):
        return rules
    return Game(dict(rules) if isinstance(rules, Mapping) else rules, players)


class RenderModeError(ValueError, TypeError):
    """A way to draw that there is none of.

    It is a ``TypeError`` as well, since Stable-Baselines3 asks for pictures first and does without at one.
    """


def check_render_mode(mode: str | None, modes: Sequence[str]) -> None:
    """Raise ``RenderModeError`` unless the mode is one of these, or none."""
    if mode is not None and mode not in modes:
        raise RenderModeError(f"unknown render_mode `{mode}`: expected {' or '.join(modes)}")


def check_form(form: str) -> tuple[tuple[int], type[np.generic], float, float]:
    """Shape, dtype, least and greatest value of an observation of this form."""
    if form == "f32":
        return (OBSERVATION,), np.float32, -BOUND, BOUND
    if form == "packed":
        return (PACKED,), np.uint8, 0, 255
    raise ValueError(f"unknown form `{form}`: expected packed or f32")


def fresh_seed(rng: np.random.Generator) -> int:
    """A seed for those who did not choose one."""
    return int(rng.integers(2**63))
