"""PufferLib's native environment."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("pufferlib")

import pufferlib.vector  # noqa: E402

import newmarket  # noqa: E402
from newmarket.puffer import NewmarketPufferEnv  # noqa: E402


@pytest.mark.parametrize("form", ["packed", "f32"])
def test_it_is_the_seated_tables(form: str) -> None:
    env = NewmarketPufferEnv(32, form=form, opponents="random")
    seated = newmarket.Seated(newmarket.Game(), 32, 5, opponents="random", form=form)
    env.reset(seed=5)
    total, ended = 0.0, 0
    for _ in range(60):
        entries = seated.observations.shape[1]
        assert (env.observations[:, :entries] == seated.observations).all()
        assert (env.observations[:, entries:] == seated.mask).all()
        actions = seated.mask.argmax(axis=1)
        seated.step(actions)
        _, rewards, terminals, truncations, infos = env.step(actions.astype(np.int32))
        assert (rewards == seated.rewards).all() and (terminals == seated.over).all()
        assert not truncations.any() and bool(infos) == bool(terminals.any())
        total, ended = total + sum(i["episode_return"] for i in infos), ended + len(infos)
    assert ended > 0 and total != 0


def test_the_first_episodes_are_those_of_its_seed() -> None:
    env = NewmarketPufferEnv(4, seed=5)
    for episode in range(2):
        env.reset()
        assert env._seated.seed(1) == (5, 1, episode)


def test_puffers_own_vector() -> None:
    vector = pufferlib.vector.make(
        NewmarketPufferEnv, env_kwargs={"num_envs": 8}, num_envs=2, backend=pufferlib.vector.Serial
    )
    vector.async_reset(3)
    for _ in range(20):
        seen = vector.recv()[0]
        mask = seen[:, -newmarket.ACTIONS :]
        assert mask.any(axis=1).all()
        vector.send(mask.argmax(axis=1).astype(np.int32))
    vector.close()
