"""EvoTorch's PGPE on ``Seated``: evolution strategies, without gradients of a network.

Two or three minutes:

    python python/examples/others/evotorch_es.py

A generation is a batch of tables: every player of the population plays the same deals, and its fitness is the mean of
the chips that it gains. A player is a matrix from the observation to a score for each action.
"""

from __future__ import annotations

import argparse

import numpy as np
import numpy.typing as npt
import torch
from _common import GAME, OPPONENTS, report
from evotorch import Problem
from evotorch.algorithms import PGPE

import newmarket

POPULATION, DEALS = 64, 64  # tables of a generation: their product
SHAPE = (newmarket.OBSERVATION, newmarket.ACTIONS)


class Deals(Problem):  # type: ignore[misc]
    """The chips that players gain in the same deals, which are others in every generation."""

    def __init__(self) -> None:
        super().__init__("max", solution_length=SHAPE[0] * SHAPE[1], initial_bounds=(-0.01, 0.01), seed=1)
        self.begun = 0
        self.tables = newmarket.Seated(
            GAME, POPULATION * DEALS, opponents=OPPONENTS, form="f32", autoreset="disabled"
        )

    def _evaluate_batch(self, solutions: torch.Tensor) -> None:
        players = solutions.values.reshape(-1, *SHAPE)  # [POPULATION, OBSERVATION, ACTIONS]
        tables = self.tables
        tables.reset([self.begun + deal for _ in range(POPULATION) for deal in range(DEALS)])
        self.begun += DEALS
        chips = np.zeros(len(tables))
        while tables.mask.any():
            rows = torch.from_numpy(tables.observations).reshape(POPULATION, DEALS, -1)
            scores = torch.bmm(rows, players).reshape(len(tables), -1).numpy()
            actions = np.where(tables.mask, scores, -np.inf).argmax(axis=1)
            tables.step(actions)
            chips += tables.rewards
        solutions.set_evals(torch.from_numpy(chips.reshape(POPULATION, DEALS).mean(axis=1)))


def main() -> None:
    """Train and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--generations", type=int, default=500)
    generations = parser.parse_args().generations
    torch.set_num_threads(1)
    search = PGPE(
        Deals(),
        popsize=POPULATION,
        center_learning_rate=0.15,
        stdev_learning_rate=0.1,
        stdev_init=0.05,
        center_init=torch.zeros(SHAPE[0] * SHAPE[1]),
    )
    search.run(generations)
    best = search.status["center"].reshape(SHAPE).numpy()

    def player(rows: npt.NDArray[np.float32], mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        actions: npt.NDArray[np.int64] = np.where(mask, rows @ best, -np.inf).argmax(axis=1)
        return actions

    report("EvoTorch", player)


if __name__ == "__main__":
    main()
