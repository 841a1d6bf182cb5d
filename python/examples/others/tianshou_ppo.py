"""Tianshou's PPO on single environments, with an actor that knows the mask.

A minute or two:

    python python/examples/others/tianshou_ppo.py

An observation arrives as a ``Batch`` of ``observation`` and ``action_mask``. The actor returns logits, in which
illegal actions are hopeless: then Tianshou's own categorical distribution serves.
"""

from __future__ import annotations

import argparse
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import torch
from _common import CHIPS, GAME, OPPONENTS, report
from tianshou.algorithm import PPO
from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OnPolicyTrainerParams
from tianshou.utils.net.common import AbstractDiscreteActor
from torch import nn

import newmarket
from newmarket.gym import NewmarketEnv

TABLES, STEPS = 32, 64  # decisions of one update: their product


def network(outputs: int) -> nn.Sequential:
    """A small network over the observation."""
    return nn.Sequential(
        nn.Linear(newmarket.OBSERVATION, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, outputs)
    )


class Actor(AbstractDiscreteActor):  # type: ignore[misc]
    """Logits, in which illegal actions are hopeless."""

    def __init__(self) -> None:
        super().__init__(newmarket.ACTIONS)
        self.net = network(newmarket.ACTIONS)

    def get_preprocess_net(self) -> nn.Module:
        """Tianshou asks for it; there is none."""
        return nn.Identity()

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[torch.Tensor, Any]:
        """Rows to logits, ``[n, ACTIONS]``."""
        logits = self.net(torch.as_tensor(obs.observation))
        return logits.masked_fill(torch.as_tensor(obs.action_mask) == 0, -1e9), state


class Critic(nn.Module):  # type: ignore[misc]
    """What the seat still gains."""

    def __init__(self) -> None:
        super().__init__()
        self.net = network(1)

    def forward(self, obs: Any, **_: Any) -> torch.Tensor:
        """Rows to values, ``[n, 1]``."""
        return self.net(torch.as_tensor(obs.observation))


def table() -> gymnasium.Env[Any, Any]:
    """One table; rewards in units of a few chips."""
    return gymnasium.wrappers.TransformReward(
        NewmarketEnv(GAME, opponents=OPPONENTS), lambda chips: float(chips) / CHIPS
    )


def main() -> None:
    """Train and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--updates", type=int, default=60)
    updates = parser.parse_args().updates
    torch.set_num_threads(1)
    torch.manual_seed(1)
    np.random.seed(1)
    tables = DummyVectorEnv([table] * TABLES)
    tables.seed(1)
    actor = Actor()
    policy = DiscreteActorPolicy(actor=actor, action_space=table().action_space)
    ppo = PPO(
        policy=policy,
        critic=Critic(),
        optim=AdamOptimizerFactory(lr=1e-3),
        gamma=1.0,
        max_grad_norm=0.5,
        max_batchsize=1024,
    )
    collector = Collector(ppo, tables, VectorReplayBuffer(TABLES * STEPS, TABLES))
    ppo.run_training(
        OnPolicyTrainerParams(
            training_collector=collector,
            max_epochs=1,
            epoch_num_steps=updates * TABLES * STEPS,
            collection_step_num_env_steps=TABLES * STEPS,
            batch_size=512,
            update_step_num_repetitions=4,
            verbose=False,
            show_progress=False,
        )
    )

    def player(rows: npt.NDArray[np.float32], mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        with torch.no_grad():
            logits = actor.net(torch.from_numpy(rows))
        actions: npt.NDArray[np.int64] = np.where(mask, logits.numpy(), -np.inf).argmax(axis=1)
        return actions

    report("Tianshou", player)


if __name__ == "__main__":
    main()
