"""MaskablePPO (sb3-contrib) learns at a table of ``longest``, and is measured on fresh deals.

A minute or two:

    python python/examples/maskable_ppo.py
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import torch
from sb3_contrib import MaskablePPO

import newmarket
from newmarket.sb3 import NewmarketVecEnv, save_policy


def main() -> None:
    """Train, save as a checkpoint, measure."""
    parser = argparse.ArgumentParser(description="MaskablePPO at a table of longest.")
    parser.add_argument("--steps", type=int, default=200_000, help="decisions to learn from")
    steps = parser.parse_args().steps
    torch.manual_seed(1)
    model = MaskablePPO(
        "MlpPolicy",
        NewmarketVecEnv(128, opponents="longest", seed=1),
        gamma=1.0,
        n_steps=64,
        batch_size=1024,
        n_epochs=4,
        learning_rate=1e-3,
        policy_kwargs={"net_arch": [128, 128], "activation_fn": torch.nn.ReLU},
        seed=1,
        device="cpu",
    )
    model.learn(steps)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ppo.ckpt"
        save_policy(model, path)
        # Fresh deals: training had seeds from 1 on.
        game = newmarket.Game("newmarket", players=4)
        duel = newmarket.duel(f"net:{path}", "longest", game, deals=3000, seed=1_000_003)
        print(f"against longest: {duel.gain:+.2f} ± {duel.ci95:.2f} chips a deal")


if __name__ == "__main__":
    main()
