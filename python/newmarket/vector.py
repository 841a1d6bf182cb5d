"""Gymnasium's vector form: many tables in one call, the opponents inside the engine.

Step by step it does what ``SyncVectorEnv`` does with as many single environments, in every
autoreset mode.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from newmarket import ACTIONS, Seated
from newmarket._arguments import Rules, make_game, whole
from newmarket._common import Masks, Opponents, Pinned, Seeds, check_render_mode, unknown
from newmarket._picture import picture
from newmarket.gym import Observation, observation_space

_MODES = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "disabled",
}

#: What ``call`` knows: what each table answers for itself, and what is the same at all.
_METHODS = ("action_masks", "render")
_SHARED = ("action_space", "game", "observation_space", "render_mode")


class NewmarketVectorEnv(Pinned, VectorEnv[Observation, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """Many tables with a hero each; see ``newmarket.gym.NewmarketEnv`` for what a row is.

    Rewards and observations are those of the hero of each table, wherever it sits (``seat``); an
    observation counts seats from it.

    ``reset(seed=s)`` gives table ``i`` the seed ``s + i``, as Gymnasium's own vector forms do;
    a list gives each its own. In same-step mode ``info["final_obs"]`` has the observation at the
    end of each episode that ended, and ``info["final_info"]`` what was known there.

    Args:
        num_envs: number of tables.
        threads: threads that step them; 0 for one a core. The result is the same for any.
        autoreset_mode: one of Gymnasium's three.
        copy: whether what is returned stays as it is; without, it is overwritten by the next
            step, and a step costs less.
        render_mode: ``"ansi"``, ``"rgb_array"`` (with ``newmarket[picture]``) or ``None``.
        rules, players, opponents, seat, episode, form, on_illegal, mask, mask_dtype, mask_at_end: as
            for ``NewmarketEnv``.
    """

    def __init__(
        self,
        num_envs: int = 1,
        rules: Rules = "newmarket",
        players: int = 4,
        *,
        opponents: Opponents = "stopper",
        seat: str | int = "random",
        episode: str = "deal",
        form: str = "f32",
        on_illegal: str = "replace",
        mask: str = "observation",
        mask_dtype: npt.DTypeLike = "int8",
        mask_at_end: str = "zeros",
        threads: int = 1,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        render_mode: str | None = None,
    ) -> None:
        modes = ["ansi", "rgb_array"]
        check_render_mode(render_mode, modes)
        try:
            mode = AutoresetMode(autoreset_mode)
        except ValueError:
            known = [mode.value for mode in AutoresetMode]
            raise ValueError(unknown("autoreset_mode", autoreset_mode, known)) from None
        self.metadata = {"autoreset_mode": mode, "render_modes": modes, "render_fps": 4}
        self._masks = Masks(mask, mask_dtype, mask_at_end)
        self.autoreset_mode = mode
        self.render_mode = render_mode
        self.num_envs = whole("num_envs", num_envs)
        self.copy = copy
        self.game = make_game(rules, players)
        self._seated = Seated(
            self.game,
            num_envs,
            opponents=opponents,
            seat=seat,
            episode=episode,
            form=form,
            threads=whole("threads", threads),
            autoreset=_MODES[mode],
            on_illegal=on_illegal,
        )
        self._form = form
        self._begun = False
        self._seeds = [Seeds() for _ in range(num_envs)]
        self._all = np.ones(num_envs, np.bool_)
        self.single_observation_space = observation_space(form, self._masks)
        self.single_action_space = spaces.Discrete(ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode at every table, or at those of ``options["reset_mask"]``."""
        seeds: Sequence[int | None]
        if isinstance(seed, (int, np.integer)):
            super().reset(seed=int(seed))
            seeds = [int(seed) + table for table in range(self.num_envs)]
        else:
            seeds = [None] * self.num_envs if seed is None else seed
        if len(seeds) != self.num_envs:
            raise ValueError(f"seed: {len(seeds)} seeds, expected one for each of {self.num_envs} tables")
        mask = (options or {}).get("reset_mask", self._all)
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            raise ValueError(f"reset_mask: expected an array bool[{self.num_envs}]")
        table = whole("table", (options or {}).get("table", 0))
        chosen = np.flatnonzero(mask).tolist()
        # A generator that somebody has set decides.
        rng = self.np_random if self.np_random_seed == -1 else None
        given = [self._seeds[i].begin(seeds[i], rng) for i in chosen]
        self._seated.reset_tables(chosen, given, of=table)
        self._begun = True
        info = self._info(mask)
        info["illegal_action"][:] = False
        return self._observation(), info

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[
        Observation,
        npt.NDArray[np.float64],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Take an action at every table."""
        if not self._begun:
            raise ResetNeeded("call reset() before step()")
        seated = self._seated
        seated.step(actions)
        over = seated.over.copy()
        info = self._info(self._all)
        if self.autoreset_mode == AutoresetMode.SAME_STEP and over.any():
            self._add_final(info, over)
        rewards = seated.rewards.astype(np.float64)
        return self._observation(), rewards, over, np.zeros_like(over), info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions of every table, ``bool[num_envs, 74]``."""
        return self._masks.of(self._seated.mask).astype(np.bool_)

    def render(self) -> tuple[str | npt.NDArray[np.uint8], ...] | None:
        """What each hero sees: texts, or pictures, ``uint8[448, 640, 3]``."""
        if self.render_mode is None:
            return None
        draw = picture if self.render_mode == "rgb_array" else str
        return tuple(draw(self._seated.view(table)) for table in range(self.num_envs))

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """What ``name`` of every table's environment is or returns, as in Gymnasium's own vector forms.

        Raises:
            AttributeError: unless it is ``action_masks``, ``render``, ``action_space``, ``game``,
                ``observation_space`` or ``render_mode``.
        """
        if name in _METHODS:
            rows = getattr(self, name)(*args, **kwargs)
            return (None,) * self.num_envs if rows is None else tuple(rows)
        if name not in _SHARED:
            raise AttributeError(unknown("name", name, _METHODS + _SHARED))
        single = f"single_{name}" if name.endswith("space") else name
        return (getattr(self, single),) * self.num_envs

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """The same as ``call(name)``."""
        return self.call(name)

    def set_attr(self, name: str, values: Any) -> None:
        """Not possible: tables have no attributes of their own.

        Raises:
            AttributeError: always.
        """
        raise AttributeError(f"name: `{name}` cannot be set, tables have no attributes of their own")

    def close_extras(self, **kwargs: Any) -> None:
        """Nothing is held: ``reset`` begins anew."""
        self._begun = False

    def _observation(self) -> Observation:
        seen, mask = self._seated.observations, self._masks.of(self._seated.mask)
        return self._masks.observation(seen.copy(), mask.copy()) if self.copy else self._masks.observation(seen, mask)

    def _info(self, mask: npt.NDArray[np.bool_]) -> dict[str, Any]:
        seated = self._seated
        info: dict[str, Any] = {
            "action_mask": self._masks.of(seated.mask).copy(),
            "seat": seated.seats.astype(np.int64),
            "illegal_action": seated.illegal.copy(),
            "skipped": seated.skips.astype(np.int64),
            "skipped_gain": seated.skip_gains,
        }
        for name in list(info):
            info[name][~mask] = 0
            info[f"_{name}"] = mask.copy()
        return info

    def _add_final(self, info: dict[str, Any], over: npt.NDArray[np.bool_]) -> None:
        final = np.full(self.num_envs, None, dtype=object)
        for table in np.flatnonzero(over):
            seen = self._seated.final_observation(int(table), self._form)
            assert seen is not None
            final[table] = self._masks.observation(seen, self._masks.blank())
        info["final_obs"], info["_final_obs"] = final, over.copy()
        last: dict[str, Any] = {
            "action_mask": np.tile(self._masks.blank(), (self.num_envs, 1)),
            "seat": self._seated.final_seats.astype(np.int64),
            "illegal_action": self._seated.illegal & over,
            "skipped": self._seated.final_skips.astype(np.int64),
            "skipped_gain": self._seated.final_skip_gains,
        }
        for name in list(last):
            last[name][~over] = 0
            last[f"_{name}"] = over.copy()
        info["final_info"], info["_final_info"] = last, over.copy()
        # What is known of a table now is known of its next episode.
        info["illegal_action"][over] = False
