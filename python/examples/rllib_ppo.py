"""RLlib's PPO plays all seats, and its last policy beats its first, measured on fresh deals.

Ray's own ``ActionMaskingTorchRLModule`` takes the masks. About a minute:

    python python/examples/rllib_ppo.py                   # in the driver
    python python/examples/rllib_ppo.py --env-runners 1   # in a process of its own
"""

from __future__ import annotations

import argparse
import os
import tempfile
from typing import Any

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

import numpy as np
import numpy.typing as npt
import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

import newmarket
from newmarket.rllib import NewmarketMultiAgentEnv

POLICY = "all_seats"
#: Two seats and two cards of each of three suits: RLlib plays some hundreds of decisions a second,
#: and the whole game takes more of them.
RULES = {
    "base": "newmarket-buy",
    "players": [2, 2],
    "ranks": 2,
    "suits": 3,
    "cells": ["2C", "AD"],
    "layout_ante": {"free": {"chips": 2, "dealer_chips": 2}},
    "dead_hand": {"position": "last", "remainder": "rotation"},
    "exchange": {"dealer_exchange": {"fee": 1}},
}


def configuration(env_runners: int) -> PPOConfig:
    """One policy for all seats."""
    return (
        PPOConfig()
        .environment(NewmarketMultiAgentEnv, env_config={"rules": RULES, "players": 2})
        .env_runners(num_env_runners=env_runners, num_envs_per_env_runner=16)
        .multi_agent(policies={POLICY}, policy_mapping_fn=lambda *_, **__: POLICY)
        .rl_module(
            rl_module_spec=RLModuleSpec(
                module_class=ActionMaskingTorchRLModule,
                model_config={"fcnet_hiddens": [128, 128], "head_fcnet_hiddens": []},
            )
        )
        .training(
            gamma=1.0,
            lr=2e-3,
            train_batch_size_per_learner=2000,
            minibatch_size=250,
            num_epochs=6,
            entropy_coeff=0.01,
            vf_clip_param=1000.0,
            grad_clip=0.5,
            use_kl_loss=False,
        )
        .debugging(seed=1, log_level="ERROR")
    )


def likeliest(module: Any, tables: newmarket.Seated) -> npt.NDArray[np.int64]:
    """The action that the policy finds likeliest at each table."""
    seen = {
        "observations": torch.from_numpy(newmarket.unpack(tables.observations)),
        "action_mask": torch.from_numpy(tables.mask.astype(np.float32)),
    }
    with torch.no_grad():
        logits = module.forward_inference({Columns.OBS: seen})[Columns.ACTION_DIST_INPUTS]
    actions: npt.NDArray[np.int64] = logits.argmax(dim=1).numpy()
    return actions


def chips(module: Any, deals: int, seed: int) -> npt.NDArray[np.float64]:
    """What the policy gains in each deal at a table of ``longest``.

    Deal ``i`` is table ``i`` of the seed, so two policies play the same deals in the same seats.
    """
    game = newmarket.Game(RULES, players=2)
    tables = newmarket.Seated(game, deals, seed, opponents="longest", autoreset="disabled")
    gained = np.zeros(deals)
    while not tables.over.all():
        tables.step(likeliest(module, tables))
        gained += tables.rewards
    return gained


def main() -> None:
    """Measure, train, measure."""
    parser = argparse.ArgumentParser(description="RLlib's PPO in all seats.")
    parser.add_argument("--iterations", type=int, default=3, help="how long to train")
    parser.add_argument("--env-runners", type=int, default=0, help="processes that play")
    asked = parser.parse_args()
    # The network is small: threads would wait for each other.
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        ray.init(
            num_cpus=2,
            include_dashboard=False,
            log_to_driver=False,
            _node_ip_address="127.0.0.1",
            _temp_dir=folder,
        )
        algorithm = configuration(asked.env_runners).build_algo()
        # Fresh deals: those of training have other seeds.
        deals, seed = 4000, 1_000_003
        first = chips(algorithm.get_module(POLICY), deals, seed)
        for iteration in range(asked.iterations):
            results = algorithm.train()
            print(f"iteration {iteration}: {results['time_total_s']:.0f} s", flush=True)
        gain = chips(algorithm.get_module(POLICY), deals, seed) - first
        algorithm.stop()
        ray.shutdown()
    ci95 = 1.96 * gain.std(ddof=1) / deals**0.5
    print(f"last over first: {gain.mean():+.2f} ± {ci95:.2f} chips a deal")


if __name__ == "__main__":
    main()
