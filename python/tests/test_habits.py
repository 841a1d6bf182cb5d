"""What libraries expect of an environment besides its steps: masks in their form, pictures, calls, clear errors."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from conftest import REPOSITORY  # noqa: E402
from gymnasium import spaces  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402

import newmarket  # noqa: E402
from newmarket.gym import NewmarketEnv  # noqa: E402
from newmarket.vector import NewmarketVectorEnv  # noqa: E402

PICTURE = (448, 640, 3)


def played(env: Any) -> tuple[Any, dict[str, Any]]:
    """The observation and info at the end of a deal."""
    env.reset(seed=1)
    over = False
    while not over:
        mask = env.unwrapped.action_masks()
        assert mask.dtype == np.bool_ and mask.any() and not mask.all()
        seen, _, over, _, info = env.step(int(mask.argmax()))
    return seen, info


@pytest.mark.parametrize("dtype", ["int8", "bool", np.int8, np.bool_])
@pytest.mark.parametrize("at_end", ["zeros", "ones"])
def test_masks_as_asked_for(dtype: Any, at_end: str) -> None:
    plain, inside = (
        NewmarketEnv(mask=mask, mask_dtype=dtype, mask_at_end=at_end) for mask in ("info", "observation")
    )
    assert isinstance(plain.observation_space, spaces.Box)
    assert plain.observation_space == inside.observation_space["observation"]
    assert inside.observation_space["action_mask"].dtype == dtype
    row, info = played(plain)
    seen, same_info = played(inside)
    assert (row == seen["observation"]).all() and row.dtype == np.float32
    for mask in (seen["action_mask"], info["action_mask"], same_info["action_mask"]):
        assert mask.dtype == dtype and mask.shape == (newmarket.ACTIONS,)
        assert (mask == (at_end == "ones")).all()
    assert (plain.action_masks() == (at_end == "ones")).all()


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_a_mask_of_ones_is_that_of_an_end(mode: AutoresetMode) -> None:
    env = NewmarketVectorEnv(5, autoreset_mode=mode, mask="info", mask_at_end="ones", opponents="random")
    seen, info = env.reset(seed=3)
    assert seen.shape == (5, newmarket.OBSERVATION)
    ended = 0
    for _ in range(60):
        _, _, over, _, info = env.step(info["action_mask"].argmax(axis=1))
        ended += int(over.sum())
        assert (info["action_mask"].all(axis=1) == (over & (mode != AutoresetMode.SAME_STEP))).all()
        assert (env.action_masks() == info["action_mask"]).all()
        if mode == AutoresetMode.SAME_STEP and over.any():
            assert info["final_info"]["action_mask"][over].all()
            assert all(row.shape == (newmarket.OBSERVATION,) for row in info["final_obs"][over])
        if mode == AutoresetMode.DISABLED and over.any():
            _, info = env.reset(options={"reset_mask": over})
            info["action_mask"] = env.action_masks()
    assert ended > 5


def test_pictures_show_what_the_seat_sees() -> None:
    env = NewmarketEnv(render_mode="rgb_array")
    env.reset(seed=1)
    first = env.render()
    assert isinstance(first, np.ndarray) and first.shape == PICTURE and first.dtype == np.uint8
    assert len(np.unique(first)) > 8, "letters, lines and areas"
    assert (first == env.render()).all()
    env.step(int(env.action_masks().argmax()))
    after = env.render()
    assert after is not None and (after != first).any()
    played(env)
    assert isinstance(env.render(), np.ndarray), "after the end, too"
    assert env.metadata["render_fps"] > 0


def test_pictures_of_many_tables_are_those_of_each() -> None:
    mine = NewmarketVectorEnv(3, render_mode="rgb_array")
    theirs = SyncVectorEnv([lambda: NewmarketEnv(render_mode="rgb_array")] * 3)
    for env in (mine, theirs):
        env.reset(seed=4)
    pictures = mine.render()
    assert pictures is not None and len(pictures) == 3
    for picture, same, called in zip(pictures, theirs.render(), mine.call("render"), strict=True):
        assert (picture == same).all() and (picture == called).all()


def test_gymnasium_records_a_video(tmp_path: Path) -> None:
    pytest.importorskip("moviepy")
    from gymnasium.wrappers import RecordVideo

    env = gymnasium.make("newmarket/newmarket-v0", players=3, render_mode="rgb_array")
    recorder = RecordVideo(env, str(tmp_path / "videos"), episode_trigger=lambda _: True)
    played(recorder)
    recorder.close()
    (video,) = tmp_path.glob("videos/*.mp4")
    assert video.stat().st_size > 1000


@pytest.mark.parametrize("library", ["resvg_py", "PIL"])
def test_without_the_libraries_that_draw(monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    for make in (NewmarketEnv, NewmarketVectorEnv):
        # Stable-Baselines3 goes on at a TypeError.
        with pytest.raises(TypeError):
            make(render_mode="rgb_array")
        with pytest.raises(ImportError, match=r"newmarket\[picture\]") as caught:
            make(render_mode="rgb_array")
        assert "\n" not in str(caught.value)
        make(render_mode="ansi")


def test_a_system_without_fonts_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from newmarket import _picture

    monkeypatch.setattr(_picture, "_FAMILIES", ("There is none of this name",))
    _picture._family.cache_clear()
    with pytest.warns(UserWarning, match="no font for pictures"):
        assert _picture.raster('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 5 3"/>').shape == PICTURE
    _picture._family.cache_clear()


def test_calls_are_gymnasiums() -> None:
    mine = NewmarketVectorEnv(3, opponents="random", players=3)
    theirs = SyncVectorEnv([lambda: NewmarketEnv(opponents="random", players=3)] * 3)
    for env in (mine, theirs):
        env.reset(seed=4)
    for name in ("action_space", "observation_space", "render_mode", "render"):
        assert mine.call(name) == theirs.call(name) == mine.get_attr(name)
    assert (np.stack(mine.call("action_masks")) == np.stack(theirs.call("action_masks"))).all()
    assert [game.players for game in mine.get_attr("game")] == [3, 3, 3]
    with pytest.raises(AttributeError, match="unknown name `_seated`"):
        mine.call("_seated")
    with pytest.raises(AttributeError, match="cannot be set"):
        mine.set_attr("render_mode", "ansi")


@pytest.mark.parametrize("make", [NewmarketEnv, NewmarketVectorEnv])
@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("players", -1),
        ("players", 2.5),
        ("mask", "nowhere"),
        ("mask", None),
        ("mask_dtype", "float32"),
        ("mask_dtype", None),
        ("mask_dtype", "no type"),
        ("mask_at_end", 1),
        ("render_mode", "svg"),
        ("on_illegal", "end"),
        ("seat", -1),
        ("form", "text"),
        ("episode", "year"),
        ("opponents", 3),
        ("rules", 3),
    ],
)
def test_errors_name_their_parameter(make: Callable[..., Any], name: str, given: Any) -> None:
    with pytest.raises(ValueError, match=rf"^(unknown )?{name}\b") as caught:
        make(**{name: given})
    assert "expected" in str(caught.value) and "\n" not in str(caught.value)


def test_errors_of_the_vector_form_name_their_parameter() -> None:
    for name, given in [("num_envs", -1), ("threads", -1), ("threads", 1.5), ("autoreset_mode", "never")]:
        with pytest.raises(ValueError, match=rf"^(unknown )?{name}\b.*expected"):
            NewmarketVectorEnv(**{name: given})
    for env in (NewmarketEnv(), NewmarketVectorEnv(2)):
        for table in (-1, "first"):
            with pytest.raises(ValueError, match="^table: .*expected"):
                env.reset(seed=1, options={"table": table})


def test_the_wheels_description_links_to_nothing_that_it_lacks() -> None:
    text = (REPOSITORY / "python" / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]*)\)", text)
    assert links and all(link.startswith(("https://", "#")) for link in links)
