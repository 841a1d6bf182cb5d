"""PPO in one file, in the manner of CleanRL, at a table of ``longest``; measured on fresh deals.

A minute or two:

    python python/examples/ppo.py

The loop reads from top to bottom: gather, estimate advantages (GAE), learn. The network has the
shape of the package's own, so that its weights become a checkpoint, which plays in a duel.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import newmarket

TABLES, STEPS = 128, 64  # decisions of one update: their product
EPOCHS, MINIBATCH = 4, 1024
LEARNING_RATE = 1e-3  # falls to 0 over the run
LAMBDA, CLIP, ENTROPY, VALUE = 0.95, 0.2, 0.01, 0.5  # gamma is 1: a deal is short
GRADIENT = 0.5  # the longest gradient
CHIPS = 0.1  # of a reward, so that returns are about 1


class Agent(nn.Module):  # type: ignore[misc]
    """One trunk, two heads."""

    def __init__(self, hidden: int = 128) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            layer(newmarket.OBSERVATION, hidden, 2**0.5),
            nn.ReLU(),
            layer(hidden, hidden, 2**0.5),
            nn.ReLU(),
        )
        self.policy = layer(hidden, newmarket.ACTIONS, 0.01)
        self.value = layer(hidden, 1, 1.0)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """[n, OBSERVATION], [n, ACTIONS] -> the policy over the legal actions, values [n]."""
        features = self.trunk(x)
        logits = self.policy(features).masked_fill(~mask, -1e9)
        return Categorical(logits=logits, validate_args=False), self.value(features).squeeze(-1)

    def save(self, path: Path) -> None:
        """As a checkpoint of the package's."""
        layers = {"trunk.0": self.trunk[0], "trunk.1": self.trunk[2]}
        layers |= {"policy": self.policy, "value": self.value}
        weights = {}
        for name, dense in layers.items():
            weights[f"{name}.weight"] = dense.weight.detach().numpy().T.copy()
            weights[f"{name}.bias"] = dense.bias.detach().numpy().copy()
        newmarket.write_checkpoint(path, weights, training="python/examples/ppo.py")


def layer(inputs: int, outputs: int, gain: float) -> nn.Linear:
    """A linear layer with orthogonal weights."""
    linear = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(linear.weight, gain)
    nn.init.zeros_(linear.bias)
    return linear


def train(game: newmarket.Game, updates: int, seed: int) -> Agent:
    """PPO; see Huang et al., "The 37 Implementation Details of Proximal Policy Optimization"."""
    torch.manual_seed(seed)
    tables = newmarket.Seated(game, TABLES, seed, opponents="longest")
    agent = Agent()
    optimizer = torch.optim.Adam(agent.parameters(), lr=LEARNING_RATE, eps=1e-5)
    shape = (STEPS, TABLES)
    x = torch.zeros(*shape, newmarket.OBSERVATION)
    masks = torch.zeros(*shape, newmarket.ACTIONS, dtype=torch.bool)
    actions = torch.zeros(shape, dtype=torch.long)
    log_probs, rewards, values, ends = (torch.zeros(shape) for _ in range(4))
    chips, deals, start = 0.0, 0, time.monotonic()
    for update in range(updates):
        optimizer.param_groups[0]["lr"] = LEARNING_RATE * (1 - update / updates)

        # Gather. Row t is what the hero sees, does, and gains by it.
        for t in range(STEPS):
            newmarket.unpack(tables.observations, x[t].numpy())
            masks[t] = torch.from_numpy(tables.mask != 0)
            with torch.no_grad():
                policy, values[t] = agent(x[t], masks[t])
            actions[t] = policy.sample()
            log_probs[t] = policy.log_prob(actions[t])
            tables.step(actions[t].numpy())
            rewards[t] = torch.from_numpy(tables.rewards) * CHIPS
            ends[t] = torch.from_numpy(tables.over)
        chips, deals = chips + float(rewards.sum()) / CHIPS, deals + int(ends.sum())

        # Advantages. What comes after the end of a deal is another deal's.
        with torch.no_grad():
            last = torch.from_numpy(newmarket.unpack(tables.observations))
            _, following = agent(last, torch.from_numpy(tables.mask != 0))
            advantages, advantage = torch.zeros(shape), torch.zeros(TABLES)
            for t in reversed(range(STEPS)):
                goes_on = 1 - ends[t]
                delta = rewards[t] + goes_on * following - values[t]
                advantage = delta + goes_on * LAMBDA * advantage
                advantages[t], following = advantage, values[t]
            returns = advantages + values

        # Learn.
        flat = [rows.flatten(0, 1) for rows in (x, masks, actions, log_probs, advantages, returns)]
        for _ in range(EPOCHS):
            for rows in torch.randperm(STEPS * TABLES).split(MINIBATCH):
                seen, mask, action, old, gain, target = (part[rows] for part in flat)
                policy, value = agent(seen, mask)
                ratio = (policy.log_prob(action) - old).exp()
                gain = (gain - gain.mean()) / (gain.std() + 1e-8)
                objective = torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
                error = 0.5 * (value - target).square().mean()
                loss = VALUE * error - objective - ENTROPY * policy.entropy().mean()
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), GRADIENT)
                optimizer.step()

        if (update + 1) % 10 == 0:
            decisions, seconds = (update + 1) * STEPS * TABLES, time.monotonic() - start
            print(f"{decisions:8} decisions, {seconds:3.0f} s: {chips / deals:+.2f} chips a deal")
            chips, deals = 0.0, 0
    return agent


def main() -> None:
    """Train, save as a checkpoint, measure."""
    parser = argparse.ArgumentParser(description="PPO at a table of longest.")
    parser.add_argument("--updates", type=int, default=30, help="how long to train")
    parser.add_argument("--seed", type=int, default=1, help="of training")
    asked = parser.parse_args()
    game = newmarket.Game("newmarket", players=4)
    agent = train(game, asked.updates, asked.seed)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ppo.ckpt"
        agent.save(path)
        # Fresh deals: the seed of training is a small number.
        duel = newmarket.duel(f"net:{path}", "longest", game, deals=3000, seed=1_000_003)
        print(f"against longest: {duel.gain:+.2f} ± {duel.ci95:.2f} chips a deal")


if __name__ == "__main__":
    main()
