"""From the first step to a bot of one's own in a duel, with numpy alone.

Editors show each part between ``# %%`` as a cell of a notebook.

A linear policy learns by REINFORCE (Williams 1992) at a table of ``longest``, becomes a checkpoint,
and plays duels, one of them against the best network that comes with the package. About a minute:

    python python/examples/tutorial.py
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import newmarket

Floats = npt.NDArray[np.float32]
TABLES, STEPS = 256, 32


# %% One deal
def first_step() -> None:
    """One deal: a table, what a seat sees, an action."""
    table = newmarket.Table(newmarket.Game("newmarket", players=4))
    table.reset(seed=7)
    print(table.view(), end="\n\n")
    names = newmarket.action_names()
    print("seat", table.seat, "takes:", names[table.legal[0]], end="\n\n")
    table.step(table.legal[0])


# %% A policy
def policy(x: Floats, mask: npt.NDArray[np.int8], w: Floats) -> Floats:
    """Softmax over the legal actions: [n, OBSERVATION], [n, ACTIONS] -> [n, ACTIONS]."""
    logits = np.where(mask > 0, x @ w, -np.inf)
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    chances: Floats = (odds / odds.sum(axis=1, keepdims=True)).astype(np.float32)
    return chances


# %% Learning
def train(game: newmarket.Game, updates: int) -> Floats:
    """REINFORCE with Adam: whole deals, the return of each decision, normalised."""
    tables = newmarket.Seated(game, TABLES, seed=1, opponents="longest", form="f32")
    rng = np.random.default_rng(1)
    w = np.zeros((newmarket.OBSERVATION, newmarket.ACTIONS), np.float32)
    first, second = np.zeros_like(w), np.zeros_like(w)
    for update in range(1, updates + 1):
        seen, scores, rewards, ends = [], [], [], []
        for _ in range(STEPS):
            x, mask = tables.observations.copy(), tables.mask
            chances = policy(x, mask, w)
            # The Gumbel trick: the largest is a sample.
            actions = np.where(mask > 0, np.log(chances + 1e-9) + rng.gumbel(size=mask.shape), -np.inf)
            chosen = actions.argmax(axis=1)
            score = -chances
            score[np.arange(TABLES), chosen] += 1.0
            tables.step(chosen)
            seen.append(x)
            scores.append(score)
            rewards.append(tables.rewards.copy())
            ends.append(tables.over.copy())
        # What each decision gained until the end of its deal; deals that did not end are left out.
        gain, whole = np.zeros(TABLES, np.float32), np.zeros(TABLES, np.bool_)
        returns, known = np.zeros((STEPS, TABLES), np.float32), np.zeros((STEPS, TABLES), np.bool_)
        for t in reversed(range(STEPS)):
            gain = np.where(ends[t], 0, gain) + rewards[t]
            whole |= ends[t]
            returns[t], known[t] = gain, whole
        keep = known.ravel()
        advantage = returns.ravel()[keep]
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
        score = np.concatenate(scores)[keep] * advantage[:, None]
        gradient = np.concatenate(seen)[keep].T @ score / keep.sum()
        first = 0.9 * first + 0.1 * gradient
        second = 0.999 * second + 0.001 * gradient**2
        step = first / (1 - 0.9**update) / (np.sqrt(second / (1 - 0.999**update)) + 1e-8)
        w += 0.02 / np.sqrt(update) * step
    print(f"{updates} updates, {updates * STEPS * TABLES} decisions")
    return w


# %% The policy as a player
def checkpoint(w: Floats, path: Path) -> None:
    """The linear policy as a network: relu(x w) - relu(-x w) = x w."""
    actions = newmarket.ACTIONS
    one = np.eye(actions, dtype=np.float32)
    weights: dict[str, Any] = {
        "trunk.0.weight": np.concatenate([w, -w], axis=1),
        "trunk.0.bias": np.zeros(2 * actions, np.float32),
        "policy.weight": np.concatenate([one, -one]),
        "policy.bias": np.zeros(actions, np.float32),
        "value.weight": np.zeros((2 * actions, 1), np.float32),
        "value.bias": np.zeros(1, np.float32),
    }
    newmarket.write_checkpoint(path, weights, training="python/examples/tutorial.py")


# %% Duels
def main() -> None:
    """The whole way."""
    parser = argparse.ArgumentParser(description="From the first step to a bot of one's own.")
    parser.add_argument("--updates", type=int, default=60, help="how long to train")
    updates = parser.parse_args().updates
    first_step()
    game = newmarket.Game("newmarket", players=4)
    w = train(game, updates)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mine.ckpt"
        checkpoint(w, path)
        for field in ["random", "longest", "net:champion"]:
            # Fresh deals: seed 1 was for training.
            duel = newmarket.duel(f"net:{path}", field, game, deals=2000, seed=1_000_003)
            print(f"against {field}: {duel.gain:+.2f} ± {duel.ci95:.2f} chips a deal")


if __name__ == "__main__":
    main()
