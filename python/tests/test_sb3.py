"""Stable-Baselines3 (in the full set of libraries)."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from stable_baselines3.common.env_checker import check_env  # noqa: E402
from stable_baselines3.common.env_util import make_vec_env  # noqa: E402

from newmarket.gym import NewmarketEnv  # noqa: E402
from newmarket.sb3 import NewmarketVecEnv  # noqa: E402


def test_sb3_accepts_it() -> None:
    check_env(NewmarketEnv(), warn=True)


def test_the_vector_form_is_single_environments() -> None:
    vector = NewmarketVecEnv(4, opponents="stopper")
    singles = [NewmarketEnv(opponents="stopper") for _ in range(4)]
    vector.seed(9)
    rows = vector.reset()
    for i, single in enumerate(singles):
        assert (single.reset(seed=9 + i)[0]["observation"] == rows[i]).all()
    rng = np.random.default_rng(1)
    for _ in range(60):
        actions = rng.integers(74, size=4)
        rows, rewards, dones, infos = vector.step(actions)
        for i, single in enumerate(singles):
            seen, reward, over, *_ = single.step(int(actions[i]))
            assert (reward, over) == (rewards[i], dones[i])
            if over:
                assert (infos[i]["terminal_observation"] == seen["observation"]).all()
                seen, _ = single.reset()
            assert (seen["observation"] == rows[i]).all()
            assert (vector.env_method("action_masks")[i] == single.action_masks()).all()


def test_the_first_episodes_are_those_of_its_seed() -> None:
    vector = NewmarketVecEnv(2, seed=5)
    for episode in range(2):
        vector.reset()
        assert vector._seated.seed(1) == (6, 0, episode)


# Gymnasium warns of the pictures that are asked for first.
@pytest.mark.filterwarnings("ignore:.*render_mode:UserWarning")
def test_sb3_makes_it_by_its_id() -> None:
    from sb3_contrib import MaskablePPO

    assert make_vec_env("newmarket/newmarket-v0", 2).reset()["action_mask"].any(axis=1).all()
    MaskablePPO("MultiInputPolicy", "newmarket/newmarket-v0", n_steps=8, batch_size=8).learn(8)


@pytest.mark.parametrize("form", ["vector", "single"])
def test_maskable_ppo_takes_both_forms(form: str) -> None:
    from sb3_contrib import MaskablePPO

    env = NewmarketVecEnv(4, opponents="random") if form == "vector" else NewmarketEnv()
    model = MaskablePPO("MultiInputPolicy" if form == "single" else "MlpPolicy", env, n_steps=64)
    model.learn(128)
    seen = model.env.reset()
    masks = np.stack(model.env.env_method("action_masks"))
    actions, _ = model.predict(seen, action_masks=masks)
    assert masks[np.arange(len(masks)), actions].all()
