"""RLlib's environment (in the full set of libraries)."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("ray.rllib")

import newmarket  # noqa: E402
from newmarket.rllib import NewmarketMultiAgentEnv  # noqa: E402


def test_rewards_are_the_payoffs() -> None:
    env, table = NewmarketMultiAgentEnv(), newmarket.Table(newmarket.Game())
    rng = np.random.default_rng(1)
    for seed in range(30):
        seen, _ = env.reset(seed=seed)
        table.reset(seed)
        gained = dict.fromkeys(env.possible_agents, 0.0)
        over = {"__all__": False}
        while not over["__all__"]:
            [agent] = seen
            assert agent == f"seat_{table.seat}"
            assert (seen[agent]["observations"] == table.observe()).all()
            assert (seen[agent]["action_mask"] == table.mask()).all()
            action = int(rng.choice(table.legal))
            table.step(action)
            seen, rewards, over, truncated, _ = env.step({agent: action})
            assert not truncated["__all__"] and set(rewards) <= set(seen)
            for name, reward in rewards.items():
                gained[name] += reward
        for name, payoff in zip(env.possible_agents, table.payoffs, strict=True):
            if name in seen:
                assert gained[name] == payoff


def test_illegal_actions() -> None:
    env, raising = NewmarketMultiAgentEnv(), NewmarketMultiAgentEnv({"on_illegal": "raise"})
    seen, _ = env.reset(seed=1)
    raising.reset(seed=1)
    [(agent, row)] = seen.items()
    illegal = int(np.flatnonzero(row["action_mask"] == 0)[0])
    *_, infos = env.step({agent: illegal})
    # The agent hears of it when it is told anything: at the latest at the end.
    assert all(info["illegal_action"] for info in infos.values())
    with pytest.raises(newmarket.IllegalActionError):
        raising.step({agent: illegal})
    with pytest.raises(TypeError, match="integer"):
        raising.step({agent: 3.7})
    with pytest.raises(ValueError, match="expected an id from 0 to 73"):
        raising.step({agent: 74})
