"""TorchRL's PPO: a collector with action masks on Gymnasium's vector form.

A minute or two:

    python python/examples/others/torchrl_ppo.py

``ActionMask`` wants masks of ``bool``, and reads one after every step, also at the end of an episode: so the mask there
must have an action, ``mask_at_end="ones"``. With autoreset disabled the collector itself resets the tables that are over.
"""

from __future__ import annotations

import argparse

import numpy as np
import numpy.typing as npt
import torch
from _common import CHIPS, GAME, OPPONENTS, report
from gymnasium.vector import AutoresetMode
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import ActionMask, Compose, GymWrapper, RewardScaling, TransformedEnv
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import newmarket
from newmarket.vector import NewmarketVectorEnv

TABLES, STEPS = 64, 32  # decisions of one update: their product
EPOCHS, MINIBATCH = 4, 512


def network(outputs: int) -> nn.Sequential:
    """A small network over the observation."""
    return nn.Sequential(
        nn.Linear(newmarket.OBSERVATION, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, outputs)
    )


def main() -> None:
    """Train and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--updates", type=int, default=60)
    updates = parser.parse_args().updates
    torch.set_num_threads(1)
    torch.manual_seed(1)
    env = NewmarketVectorEnv(
        TABLES,
        GAME,
        opponents=OPPONENTS,
        mask_dtype="bool",
        mask_at_end="ones",
        autoreset_mode=AutoresetMode.DISABLED,
    )
    tables = TransformedEnv(
        GymWrapper(env, categorical_action_encoding=True),
        Compose(ActionMask(), RewardScaling(loc=0.0, scale=1 / CHIPS)),
    )
    tables.set_seed(1)
    net = network(newmarket.ACTIONS)
    actor = ProbabilisticActor(
        TensorDictModule(net, in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    critic = ValueOperator(network(1), in_keys=["observation"])
    advantages = GAE(gamma=1.0, lmbda=0.95, value_network=critic, average_gae=False)
    loss = ClipPPOLoss(
        actor, critic, entropy_coeff=0.01, critic_coeff=0.5, normalize_advantage=True, loss_critic_type="l2"
    )
    optimizer = torch.optim.Adam(loss.parameters(), lr=1e-3)
    collector = Collector(
        tables,
        actor,
        frames_per_batch=TABLES * STEPS,
        total_frames=updates * TABLES * STEPS,
        auto_register_policy_transforms=True,
    )
    for batch in collector:
        with torch.no_grad():
            advantages(batch)
        rows = batch.reshape(-1)
        for _ in range(EPOCHS):
            for chosen in torch.randperm(len(rows)).split(MINIBATCH):
                parts = loss(rows[chosen])
                optimizer.zero_grad()
                (parts["loss_objective"] + parts["loss_critic"] + parts["loss_entropy"]).backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimizer.step()
    collector.shutdown()

    def player(rows: npt.NDArray[np.float32], mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        with torch.no_grad():
            logits = net(torch.from_numpy(rows))
        actions: npt.NDArray[np.int64] = np.where(mask, logits.numpy(), -np.inf).argmax(axis=1)
        return actions

    report("TorchRL", player)


if __name__ == "__main__":
    main()
