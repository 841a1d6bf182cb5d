"""Stable-Baselines3 (in the full set of libraries)."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from stable_baselines3.common.env_checker import check_env  # noqa: E402
from stable_baselines3.common.env_util import make_vec_env  # noqa: E402

from newmarket.gym import NewmarketEnv  # noqa: E402
from newmarket.sb3 import NewmarketVecEnv, save_policy  # noqa: E402


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


def test_it_tells_of_itself() -> None:
    vector = NewmarketVecEnv(3)
    assert vector.has_attr("render_mode") and vector.has_attr("action_masks")
    assert not vector.has_attr("spec")
    masks = vector.action_masks()
    for indices, rows in [(None, [0, 1, 2]), (np.int64(1), [1]), (-1, [2]), ((0, 1), [0, 1])]:
        found = vector.env_method("action_masks", indices=indices)
        assert (np.stack(found) == masks[rows]).all() and len(found) == len(rows)
    with pytest.raises(NotImplementedError, match="no pictures"):
        vector.get_images()


def test_a_policy_that_sees_something_else_is_not_saved(tmp_path: Path) -> None:
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.vec_env import VecNormalize
    from torch.nn import ReLU

    options = {"n_steps": 8, "batch_size": 8, "policy_kwargs": {"activation_fn": ReLU}}
    dicts = MaskablePPO("MultiInputPolicy", NewmarketEnv(), **options)
    with pytest.raises(ValueError, match="train it on NewmarketVecEnv"):
        save_policy(dicts, tmp_path / "no.ckpt")
    for seen in (True, False):
        env = VecNormalize(NewmarketVecEnv(2), norm_obs=seen)
        model = MaskablePPO("MlpPolicy", env, **options)
        if seen:
            with pytest.raises(ValueError, match="norm_obs=False"):
                save_policy(model, tmp_path / "no.ckpt")
        else:
            save_policy(model, tmp_path / "yes.ckpt")
    assert [path.name for path in tmp_path.iterdir()] == ["yes.ckpt"]


# It asks for pictures first, and does without where nothing draws them.
@pytest.mark.parametrize("draws", [True, False])
def test_sb3_makes_it_by_its_id(monkeypatch: pytest.MonkeyPatch, draws: bool) -> None:
    from sb3_contrib import MaskablePPO

    if not draws:
        monkeypatch.setitem(sys.modules, "resvg_py", None)
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
