"""A native environment for PufferLib 3 (``pufferlib-core`` 3.0, or 3.x): one hero a row.

PufferLib has no masks of actions, so a row is an observation and, after it, the mask: the last
``newmarket.ACTIONS`` entries, 1 for a legal action.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pufferlib.pufferlib import PufferEnv

from newmarket import ACTIONS, Seated
from newmarket._arguments import Rules, make_game
from newmarket._common import Opponents, check_form


class NewmarketPufferEnv(PufferEnv):  # type: ignore[misc]
    """Many tables with a hero each; the opponents play inside the engine.

    An episode's end is in ``terminals``; the observation is then the next one's. Its length and
    the chips gained are in ``infos``, as means: ``episode_length`` and ``episode_return``. Episodes without a
    decision of the hero are passed over; ``skipped`` and ``skipped_return`` have how many there were
    before each of these, and the chips gained in them.

    Rewards are the hero's, wherever it sits; seats in its observation are relative: 0 is the hero.

    Args:
        num_envs: number of tables, PufferLib's agents.
        form: ``"packed"`` (the default) or ``"f32"``.
        threads: threads that step them.
        seed: of the first episodes, if ``reset`` is given none.
        rules, players, opponents, seat, episode, on_illegal: as for ``NewmarketEnv``.
    """

    def __init__(
        self,
        num_envs: int = 512,
        rules: Rules = "newmarket",
        players: int = 4,
        *,
        opponents: Opponents = "stopper",
        seat: str | int = "random",
        episode: str = "deal",
        form: str = "packed",
        on_illegal: str = "replace",
        threads: int = 1,
        buf: Any = None,
        seed: int = 0,
    ) -> None:
        (entries,), kind, low, high = check_form(form)
        dtype: Any = kind
        shape = (entries + ACTIONS,)
        self.single_observation_space = spaces.Box(low, high, shape, dtype)
        self.single_action_space = spaces.Discrete(ACTIONS)
        self.num_agents = num_envs
        self._entries = entries
        self._seated = Seated(
            make_game(rules, players),
            num_envs,
            seed,
            opponents=opponents,
            seat=seat,
            episode=episode,
            form=form,
            threads=threads,
            on_illegal=on_illegal,
        )
        # Whether the tables stand at the episodes that they were made with.
        self._fresh = True
        self._returns = np.zeros(num_envs)
        self._lengths = np.zeros(num_envs, np.int64)
        # What had been passed over when the last episode of each table ended.
        self._skips = np.zeros((2, num_envs))
        super().__init__(buf)

    def reset(self, seed: int | None = None) -> tuple[npt.NDArray[Any], list[dict[str, Any]]]:
        """Begin an episode at every table: table ``i`` is table ``i`` of the seed.

        Without a seed it is the next one, at first the first.
        """
        if seed is not None:
            self._skips[:] = 0
        if seed is not None or not self._fresh:
            self._seated.reset(seed)
        self._fresh = False
        self._returns[:] = 0
        self._lengths[:] = 0
        self._write()
        return self.observations, []

    def step(self, actions: npt.NDArray[Any]) -> tuple[Any, Any, Any, Any, list[dict[str, Any]]]:
        """Take an action at every table."""
        seated, self._fresh = self._seated, False
        seated.step(np.asarray(actions).reshape(-1))
        self._write()
        self.rewards[:] = seated.rewards
        self.terminals[:] = seated.over
        self.truncations[:] = False
        self._returns += seated.rewards
        self._lengths += 1
        ended = np.flatnonzero(seated.over)
        infos = []
        if ended.size:
            skips = np.stack([seated.final_skips, seated.final_skip_gains])[:, ended]
            skipped, gained = (skips - self._skips[:, ended]).mean(axis=1)
            self._skips[:, ended] = skips
            infos.append(
                {
                    "episode_return": float(self._returns[ended].mean()),
                    "episode_length": float(self._lengths[ended].mean()),
                    "skipped": float(skipped),
                    "skipped_return": float(gained),
                }
            )
            self._returns[ended] = 0
            self._lengths[ended] = 0
        return self.observations, self.rewards, self.terminals, self.truncations, infos

    def _write(self) -> None:
        self.observations[:, : self._entries] = self._seated.observations
        self.observations[:, self._entries :] = self._seated.mask

    def close(self) -> None:
        """Nothing is held."""
