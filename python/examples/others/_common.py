"""What the scripts share: the table, and what a player gains over a random one in the same seat."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

import newmarket

PLAYERS = 3
GAME = newmarket.Game("newmarket", PLAYERS)
OPPONENTS = "random"
#: Chips by which rewards are divided, so that returns are about 1.
CHIPS = 5.0

Player = Callable[[npt.NDArray[np.float32], npt.NDArray[np.bool_]], npt.NDArray[np.int64]]
"""Rows, ``float32[n, OBSERVATION]``, and masks, ``bool[n, ACTIONS]``, to legal actions, ``[n]``."""

_START = time.monotonic()


def play(player: Player, seeds: list[int]) -> npt.NDArray[np.float64]:
    """The chips that a player gains in table 0 of each seed, ``[len(seeds)]``; its seat is drawn."""
    tables = newmarket.Seated(
        GAME, len(seeds), seeds, opponents=OPPONENTS, form="f32", autoreset="disabled"
    )
    chips = np.zeros(len(seeds))
    # A row is without a legal action once its deal is over.
    while (rows := tables.mask.any(axis=1)).any():
        actions = np.zeros(len(seeds), np.int64)
        actions[rows] = player(tables.observations[rows], tables.mask[rows] != 0)
        tables.step(actions)
        chips[rows] += tables.rewards[rows]
    return chips


def report(library: str, player: Player, deals: int = 12_000, least: float = 0.5) -> None:
    """Print what a player gains over a random one on fresh deals, and exit with 1 if that is too little.

    Both play the same deals in the same seats. The interval is that of the mean of the differences.
    """
    trained = time.monotonic() - _START
    rng = np.random.default_rng(1)

    def at_random(_: npt.NDArray[np.float32], mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        actions: npt.NDArray[np.int64] = np.argmax(rng.random(mask.shape) * mask, axis=1)
        return actions

    # Training has other seeds.
    seeds = list(range(1_000_000_000, 1_000_000_000 + deals))
    gains = play(player, seeds) - play(at_random, seeds)
    mean, half = gains.mean(), 1.96 * gains.std(ddof=1) / deals**0.5
    print(
        f"{library}: {mean:+.2f} ± {half:.2f} chips a deal over a random player in the same seat "
        f"({deals} deals, {trained:.0f} s of training)"
    )
    if mean - half <= least:
        sys.exit(f"error: expected a lower end above {least:+.1f}")
