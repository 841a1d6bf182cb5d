"""PettingZoo's checkers."""

from __future__ import annotations

import copy
import pickle
import warnings

import numpy as np
import pytest

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, render_test, seed_test  # noqa: E402
from pettingzoo.test.state_test import test_state as state_test  # noqa: E402

import newmarket  # noqa: E402
from newmarket import aec  # noqa: E402

RULES = {"base": "newmarket", "players": [2, 8]}


@pytest.mark.parametrize("players", [2, 4, 8])
@pytest.mark.parametrize("episode", ["deal", "session"])
def test_api(players: int, episode: str) -> None:
    with warnings.catch_warnings():
        # Observations in a dict have these two, PettingZoo's own card games included.
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        warnings.filterwarnings("ignore", message="Observation space for each agent probably")
        api_test(aec.env(rules=RULES, players=players, episode=episode), num_cycles=1000)


@pytest.mark.parametrize("players", [2, 4, 8])
def test_seeds(players: int) -> None:
    seed_test(lambda: aec.env(rules=RULES, players=players), num_cycles=500)


@pytest.mark.parametrize("players", [2, 4, 8])
def test_render(players: int) -> None:
    render_test(
        lambda render_mode=None: aec.env(rules=RULES, players=players, render_mode=render_mode)
    )


# Two axes are taken for a picture, in which nothing should be below 0; chips by which seats are behind are.
@pytest.mark.filterwarnings("ignore:The state contains negative numbers")
@pytest.mark.parametrize("players", [2, 4, 8])
def test_state(players: int) -> None:
    state_test(aec.raw_env(rules=RULES, players=players), 100)


def test_copies_and_pickles_go_on_alike() -> None:
    env, rng = aec.raw_env(episode="session"), np.random.default_rng(2)
    env.reset(seed=4)
    for step in range(60):
        if step % 20 == 10:
            others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
        action = int(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])))
        for one in [env, *(others if step >= 10 else [])]:
            one.step(action)
        for other in others if step >= 10 else []:
            assert other.agent_selection == env.agent_selection and other.rewards == env.rewards
            for agent in env.agents:
                assert (other.observe(agent)["observation"] == env.observe(agent)["observation"]).all()


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


@pytest.mark.parametrize("mask", ["observation", "info"])
@pytest.mark.parametrize("dtype", ["int8", "bool"])
@pytest.mark.parametrize("at_end", ["zeros", "ones"])
def test_masks_as_asked_for(mask: str, dtype: str, at_end: str) -> None:
    env = aec.env(mask=mask, mask_dtype=dtype, mask_at_end=at_end)
    plain = aec.env()
    for one in (env, plain):
        one.reset(seed=2)
    for agent in plain.agent_iter():
        seen, _, over, _, info = env.last()
        expected = plain.last()[0]
        assert env.agent_selection == agent and env.observation_space(agent).contains(seen)
        row = seen if mask == "info" else seen["observation"]
        assert (row == expected["observation"]).all()
        for given in [info["action_mask"], *([] if mask == "info" else [seen["action_mask"]])]:
            assert given.dtype == dtype
            assert (given == (expected["action_mask"] if not over else at_end == "ones")).all()
        waiting = [other for other in env.agents if other != agent]
        assert over or not any(env.infos[other]["action_mask"].any() for other in waiting)
        for one in (env, plain):
            one.step(None if over else int(expected["action_mask"].argmax()))


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
    for wrong in (3.7, "3"):
        with pytest.raises(TypeError, match="integer"):
            raising.step(wrong)
    with pytest.raises(ValueError, match="unknown on_illegal"):
        aec.raw_env(on_illegal="end")
    for name in ("mask", "mask_dtype", "mask_at_end", "render_mode"):
        with pytest.raises(ValueError, match=f"unknown {name} `x`"):
            aec.raw_env(**{name: "x"})
