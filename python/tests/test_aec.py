"""PettingZoo's checkers."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, render_test, seed_test  # noqa: E402
from pettingzoo.test.state_test import test_state as state_test  # noqa: E402

import newmarket  # noqa: E402
from newmarket import aec  # noqa: E402


@pytest.mark.parametrize("players", [2, 4, 8])
@pytest.mark.parametrize("episode", ["deal", "session"])
def test_api(players: int, episode: str) -> None:
    rules = {"base": "newmarket", "players": [2, 8]}
    with warnings.catch_warnings():
        # Observations in a dict have these two, PettingZoo's own card games included.
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        warnings.filterwarnings("ignore", message="Observation space for each agent probably")
        api_test(aec.env(rules=rules, players=players, episode=episode), num_cycles=1000)


def test_seeds() -> None:
    seed_test(aec.env, num_cycles=500)


def test_render() -> None:
    render_test(lambda render_mode=None: aec.env(render_mode=render_mode))


# Two axes are taken for a picture, in which nothing should be below 0; chips by which seats are behind are.
@pytest.mark.filterwarnings("ignore:The state contains negative numbers")
def test_state() -> None:
    env = aec.raw_env()
    state_test(env, 100)


def test_rewards_add_up() -> None:
    env = aec.env(on_illegal="raise")
    rng = np.random.default_rng(1)
    for seed in range(20):
        env.reset(seed=seed)
        sums = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            seen, reward, over, truncated, _ = env.last()
            sums[agent] += reward
            assert not truncated
            env.step(None if over else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
        table = env.unwrapped._table
        assert list(sums.values()) == table.payoffs


def test_illegal_actions() -> None:
    env, raising = aec.env(), aec.env(on_illegal="raise")
    env.reset(seed=1)
    raising.reset(seed=1)
    agent = env.agent_selection
    mask = env.observe(agent)["action_mask"]
    illegal = int(np.flatnonzero(mask == 0)[0])
    env.step(illegal)
    assert env.infos[agent]["illegal_action"]
    with pytest.raises(newmarket.IllegalActionError):
        raising.step(illegal)
    with pytest.raises(ValueError, match="unknown on_illegal"):
        aec.raw_env(on_illegal="end")
