"""skrl's PPO on Gymnasium's vector form, with a categorical model that knows the mask.

A minute or two:

    python python/examples/others/skrl_ppo.py

The wrapper flattens the observation, a dict; the model takes it apart again.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from _common import CHIPS, GAME, OPPONENTS, report
from gymnasium.vector import AutoresetMode
from skrl.agents.torch.ppo import PPO, PPO_CFG
from skrl.envs.wrappers.torch import wrap_env
from skrl.memories.torch import RandomMemory
from skrl.models.torch import CategoricalMixin, DeterministicMixin, Model
from skrl.trainers.torch import SequentialTrainer
from skrl.utils import set_seed
from skrl.utils.spaces.torch import unflatten_tensorized_space
from torch import nn

import newmarket
from newmarket.vector import NewmarketVectorEnv

TABLES, STEPS = 64, 32  # decisions of one update: their product


def network(outputs: int) -> nn.Sequential:
    """A small network over the observation."""
    return nn.Sequential(
        nn.Linear(newmarket.OBSERVATION, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, outputs)
    )


class Policy(CategoricalMixin, Model):  # type: ignore[misc]
    """Logits, in which illegal actions are hopeless."""

    def __init__(self, **spaces: Any) -> None:
        Model.__init__(self, **spaces)
        CategoricalMixin.__init__(self)
        self.net = network(newmarket.ACTIONS)

    def compute(self, inputs: dict[str, Any], role: str = "") -> tuple[torch.Tensor, dict[str, Any]]:
        """Rows of flat observations to logits, ``[n, ACTIONS]``."""
        seen = unflatten_tensorized_space(self.observation_space, inputs["observations"])
        return self.net(seen["observation"]).masked_fill(seen["action_mask"] == 0, -1e9), {}


class Value(DeterministicMixin, Model):  # type: ignore[misc]
    """What the seat still gains."""

    def __init__(self, **spaces: Any) -> None:
        Model.__init__(self, **spaces)
        DeterministicMixin.__init__(self)
        self.net = network(1)

    def compute(self, inputs: dict[str, Any], role: str = "") -> tuple[torch.Tensor, dict[str, Any]]:
        """Rows of flat observations to values, ``[n, 1]``."""
        seen = unflatten_tensorized_space(self.observation_space, inputs["observations"])
        return self.net(seen["observation"]), {}


def main() -> None:
    """Train and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--updates", type=int, default=60)
    updates = parser.parse_args().updates
    torch.set_num_threads(1)
    set_seed(1)
    tables = NewmarketVectorEnv(
        TABLES, GAME, opponents=OPPONENTS, autoreset_mode=AutoresetMode.SAME_STEP
    )
    env = wrap_env(tables, wrapper="gymnasium")
    spaces = {
        "observation_space": env.observation_space,
        "action_space": env.action_space,
        "device": env.device,
    }
    policy = Policy(**spaces)
    models = {"policy": policy, "value": Value(**spaces)}
    cfg = PPO_CFG(
        rollouts=STEPS,
        learning_epochs=4,
        mini_batches=4,
        discount_factor=1.0,
        learning_rate=1e-3,
        entropy_loss_scale=0.01,
        value_loss_scale=0.5,
        rewards_shaper=lambda rewards, *_: rewards / CHIPS,
    )
    # No files and no curves.
    cfg.experiment.write_interval = cfg.experiment.checkpoint_interval = 0
    agent = PPO(models=models, memory=RandomMemory(memory_size=STEPS, num_envs=TABLES), cfg=cfg, **spaces)
    trainer = SequentialTrainer(
        env=env, agents=agent, cfg={"timesteps": updates * STEPS, "disable_progressbar": True}
    )
    trainer.train()

    def player(rows: npt.NDArray[np.float32], mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        with torch.no_grad():
            logits = policy.net(torch.from_numpy(rows))
        actions: npt.NDArray[np.int64] = np.where(mask, logits.numpy(), -np.inf).argmax(axis=1)
        return actions

    report("skrl", player)


if __name__ == "__main__":
    main()
