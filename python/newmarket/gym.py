"""A Gymnasium environment: one seat against named opponents, who play inside the engine.

Importing this module registers an id for every named game:

>>> import gymnasium
>>> import newmarket.gym
>>> env = gymnasium.make("newmarket/michigan-v0", players=4, opponents="stopper")
>>> observation, info = env.reset(seed=1)
>>> env.unwrapped.action_masks().sum() > 0
np.True_

``gymnasium.make_vec(id, num_envs=512)`` is the vector form, ``newmarket.vector``.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from newmarket import ACTIONS, Seated, named_games
from newmarket._arguments import Rules, make_game, whole
from newmarket._common import Masks, Opponents, Pinned, Seeds, check_form, check_render_mode
from newmarket._picture import picture

Observation: TypeAlias = Any
"""A dict of arrays, ``observation`` and ``action_mask``; with ``mask="info"`` the former alone."""


def observation_space(form: str, masks: Masks) -> spaces.Space[Any]:
    """What comes out of the environments: ``observation`` and ``action_mask``, or the former alone."""
    shape, dtype, low, high = check_form(form)
    seen = spaces.Box(low, high, shape, dtype)  # type: ignore[arg-type]
    if not masks.observed:
        return seen
    return spaces.Dict(
        {"observation": seen, "action_mask": spaces.Box(0, 1, (ACTIONS,), masks.dtype.type)}
    )


class NewmarketEnv(Pinned, gymnasium.Env[Observation, int]):
    """One seat at a table of named opponents.

    Observation: a dict of ``observation``, ``float32[896]`` (or ``uint8[PACKED]`` with
    ``form="packed"``; see ``newmarket.spans()``), and ``action_mask``, ``int8[74]``, 1 for a legal
    action. Action: an id from 0 to 73 (``newmarket.action_names()``). Reward: the chips that the
    seat gained since its last decision; what it paid before its first one belongs to the first
    step. ``gamma`` is 1. An episode is one deal, or a session.

    Observation, mask and reward are those of the environment's own seat, ``info["seat"]``. In the
    observation seats are relative: 0 is that seat, 1 the seat after it.

    ``info`` has ``action_mask``; ``seat``; ``illegal_action``, whether the action was replaced;
    ``skipped``, how many episodes without a decision of this seat were passed over since the last
    ``reset(seed=...)``, and ``skipped_gain``, the chips that the seat gained in them. Rewards are those of
    the other episodes alone.

    Args:
        rules: a named game, the path of a rules file, a dict of changes, or a ``Game``.
        players: seats at the table; not used with a ``Game``.
        opponents: a name for all other seats, a name for each, or shares by name, from which
            every seat's is drawn in every episode.
        seat: the seat of the environment's player, or ``"random"``: drawn in every episode.
        episode: ``"deal"``, ``"carried_deal"`` or ``"session"``.
        form: ``"f32"`` or ``"packed"``.
        on_illegal: ``"replace"`` takes the lowest legal action in the place of an illegal one;
            ``"raise"`` raises ``IllegalActionError``.
        mask: ``"observation"``, or ``"info"``: the observation is then the array ``observation``
            itself, and the mask is in ``info`` and ``action_masks()`` alone.
        mask_dtype: ``"int8"`` or ``"bool"``.
        mask_at_end: the mask after the end of an episode: ``"zeros"``, or ``"ones"`` for
            libraries that draw an action there.
        render_mode: ``"ansi"``, ``"human"``, ``"rgb_array"`` (with ``newmarket[picture]``) or ``None``.

    Raises:
        ValueError: for anything that there is none of, and for rules by which the seat decides nothing.
        ImportError: for ``"rgb_array"`` without the libraries that draw.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "human", "rgb_array"], "render_fps": 4}

    def __init__(
        self,
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
        render_mode: str | None = None,
    ) -> None:
        check_render_mode(render_mode, self.metadata["render_modes"])
        self._masks = Masks(mask, mask_dtype, mask_at_end)
        self.render_mode = render_mode
        self.game = make_game(rules, players)
        self._seated = Seated(
            self.game,
            1,
            opponents=opponents,
            seat=seat,
            episode=episode,
            form=form,
            autoreset="disabled",
            on_illegal=on_illegal,
        )
        self._begun, self._seeds = False, Seeds()
        self.observation_space: Any = observation_space(form, self._masks)
        self.action_space: Any = spaces.Discrete(ACTIONS)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode: episode 0 of a seed, or without one the next.

        ``options={"table": t}`` plays table ``t`` of the seed in the place of table 0.
        """
        super().reset(seed=seed)
        table = whole("table", (options or {}).get("table", 0))
        # A generator that somebody has set decides.
        rng = self.np_random if self.np_random_seed == -1 else None
        self._seated.reset_table(0, self._seeds.begin(seed, rng), of=table)
        self._begun = True
        self._render_human()
        return self._observation(), self._info(illegal=False)

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take an action for the seat; the opponents answer."""
        if not self._begun:
            raise gymnasium.error.ResetNeeded("call reset() before step()")
        if self._seated.over[0]:
            raise gymnasium.error.ResetNeeded("the episode is over: call reset()")
        self._seated.step(np.asarray([action]))
        self._render_human()
        reward, over = float(self._seated.rewards[0]), bool(self._seated.over[0])
        info = self._info(illegal=bool(self._seated.illegal[0]))
        return self._observation(), reward, over, False, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions, ``bool[74]``, as ``MaskablePPO`` asks for them."""
        return self._mask().astype(np.bool_)

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """What the seat sees: text, printed with ``human``, or a picture, ``uint8[448, 640, 3]``."""
        if self.render_mode == "rgb_array":
            return picture(self._seated.view(0))
        if self.render_mode == "ansi":
            return str(self._seated.view(0))
        if self.render_mode == "human":
            print(self._seated.view(0), end="\n\n")
        return None

    def _render_human(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _observation(self) -> Observation:
        return self._masks.observation(self._seated.observations[0].copy(), self._mask())

    def _mask(self) -> npt.NDArray[Any]:
        return self._masks.of(self._seated.mask[0].copy())

    def _info(self, *, illegal: bool) -> dict[str, Any]:
        return {
            "action_mask": self._mask(),
            "seat": int(self._seated.seats[0]),
            "illegal_action": illegal,
            "skipped": self._seated.skipped(0),
            "skipped_gain": self._seated.skipped_gain(0),
        }


def register_envs() -> None:
    """Register ``newmarket/NAME-v0`` for every named game; again does no harm."""
    for name in named_games():
        env_id = f"newmarket/{name}-v0"
        if env_id not in gymnasium.registry:
            gymnasium.register(
                env_id,
                entry_point="newmarket.gym:NewmarketEnv",
                vector_entry_point="newmarket.vector:NewmarketVectorEnv",
                kwargs={"rules": name},
            )


register_envs()
