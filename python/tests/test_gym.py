"""Gymnasium's checkers, and the vector form against single environments."""

from __future__ import annotations

import copy
import pickle
import time
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402

import newmarket  # noqa: E402
from newmarket.gym import NewmarketEnv  # noqa: E402
from newmarket.vector import NewmarketVectorEnv  # noqa: E402

try:
    from gymnasium.utils.env_match import check_environments_match
except ImportError:
    check_environments_match = None


#: The ways to give a mask.
MASKS: list[dict[str, Any]] = [
    {},
    {"mask": "info"},
    {"mask_dtype": "bool", "mask_at_end": "ones"},
    {"mask": "info", "mask_dtype": np.bool_},
    {"mask_at_end": "ones"},
]


@pytest.mark.parametrize("form", ["f32", "packed"])
@pytest.mark.parametrize("episode", ["deal", "session"])
@pytest.mark.parametrize("masks", MASKS)
def test_gymnasium_accepts_it(form: str, episode: str, masks: dict[str, Any]) -> None:
    """Warnings are errors here."""
    env = gymnasium.make(
        "newmarket/newmarket-v0", form=form, episode=episode, opponents="random", render_mode="ansi", **masks
    )
    check_env(env.unwrapped)


@pytest.mark.skipif(check_environments_match is None, reason="not in this version")
def test_environments_match() -> None:
    check_environments_match(NewmarketEnv(), NewmarketEnv(), 500, seed=1)


@pytest.mark.parametrize("name", newmarket.named_games())
def test_every_game_is_registered(name: str) -> None:
    env = gymnasium.make(f"newmarket/{name}-v0", opponents="longest")
    env.reset(seed=1)
    over = False
    while not over:
        mask = env.unwrapped.action_masks()
        _, reward, over, truncated, info = env.step(int(np.flatnonzero(mask)[0]))
        assert not truncated and not info["illegal_action"] and isinstance(reward, float)


def test_illegal_actions(capsys: pytest.CaptureFixture[str]) -> None:
    env, raising = NewmarketEnv(render_mode="human"), NewmarketEnv(on_illegal="raise")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    env.reset(seed=3)
    raising.reset(seed=3)
    illegal = int(np.flatnonzero(~env.action_masks())[0])
    lowest = int(np.flatnonzero(env.action_masks())[0])
    seen, reward, *_, info = env.step(illegal)
    assert info["illegal_action"]
    with pytest.raises(newmarket.IllegalActionError):
        raising.step(illegal)
    other, other_reward, *_, info = raising.step(lowest)
    assert not info["illegal_action"] and reward == other_reward
    assert (seen["observation"] == other["observation"]).all()
    assert "to act" in capsys.readouterr().out
    with pytest.raises(ValueError, match="unknown render_mode `rgb`"):
        NewmarketEnv(render_mode="rgb")


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize(
    "kwargs", [{"form": "packed"}, {"copy": False}, *MASKS], ids=lambda kwargs: str(kwargs)
)
def test_the_vector_form_is_single_environments(mode: AutoresetMode, kwargs: dict[str, Any]) -> None:
    kwargs = {"opponents": {"random": 1, "stopper": 1}, **kwargs}
    mine = NewmarketVectorEnv(6, autoreset_mode=mode, **kwargs)
    kwargs.pop("copy", None)
    theirs = SyncVectorEnv([lambda: NewmarketEnv(**kwargs)] * 6, autoreset_mode=mode)
    assert mine.observation_space == theirs.observation_space
    assert mine.action_space == theirs.action_space
    assert mine.metadata["autoreset_mode"] == mode
    rng = np.random.default_rng(1)
    same(mine.reset(seed=5), theirs.reset(seed=5))
    ended = 0
    for step in range(150):
        actions = rng.integers(74, size=6)  # legal or not
        a, b = mine.step(actions), theirs.step(actions)
        same(a, b)
        ended += int(a[2].sum())
        if mode == AutoresetMode.DISABLED and a[2].any():
            options = {"reset_mask": a[2]}
            seed: Any = None if step % 2 else list(range(step, step + 6))
            a, b = (env.reset(seed=seed, options=dict(options)) for env in (mine, theirs))
            same(a, b)
    assert ended > 20


def same(a: Any, b: Any) -> None:
    assert type(a) is type(b)
    if isinstance(a, dict):
        assert sorted(a) == sorted(b)
        for name in a:
            same(a[name], b[name])
    elif isinstance(a, tuple):
        assert len(a) == len(b)
        for one, other in zip(a, b, strict=True):
            same(one, other)
    elif isinstance(a, np.ndarray):
        assert a.dtype == b.dtype and a.shape == b.shape
        if a.dtype == object:
            for one, other in zip(a, b, strict=True):
                same(one, other)
        else:
            assert (a == b).all()
    else:
        assert a == b


def test_make_vec_finds_it() -> None:
    env = gymnasium.make_vec("newmarket/michigan-v0", num_envs=3, players=3)
    assert isinstance(env.unwrapped, NewmarketVectorEnv)
    env.reset(seed=1)
    assert env.unwrapped.action_masks().any(axis=1).all()
    with pytest.raises(ValueError, match="2 seeds"):
        env.reset(seed=[1, 2])


def test_a_vector_reset_takes_time_by_its_tables() -> None:
    """Not by their square: that takes half a minute."""
    env = NewmarketVectorEnv(8192, form="packed", opponents="stopper")
    start = time.monotonic()
    env.reset(seed=1)
    env.step(np.zeros(8192, np.int64))
    env.reset(options={"reset_mask": np.arange(8192) % 4 == 0})
    assert time.monotonic() - start < 3


def test_the_vector_form_is_reset_before_it_steps() -> None:
    env = NewmarketVectorEnv(2)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.zeros(2, np.int64))
    env.reset(seed=1)
    env.step(np.zeros(2, np.int64))
    env.close()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.zeros(2, np.int64))


def test_returned_arrays_stay() -> None:
    env = NewmarketVectorEnv(4)
    seen, info = env.reset(seed=1)
    before = copy.deepcopy((seen, info))
    for _ in range(5):
        env.step(env.action_masks().argmax(axis=1))
    same((seen, info), before)


def test_copies_and_pickles() -> None:
    env = NewmarketEnv()
    env.reset(seed=1)
    env.step(0)
    for other in [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]:
        mine = copy.deepcopy(env)
        for _ in range(3):
            same(mine.step(0), other.step(0))
