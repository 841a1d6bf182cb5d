"""A PettingZoo AEC environment: every seat is an agent."""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from newmarket import ACTIONS, IllegalActionError, Table
from newmarket._arguments import Rules, make_game, whole
from newmarket._common import Masks, Seeds, check_form, check_render_mode, with_decisions
from newmarket._picture import picture
from newmarket.gym import Observation, observation_space


def env(render_mode: str | None = None, **kwargs: Any) -> AECEnv[str, Observation, int | None]:
    """The environment in PettingZoo's wrapper that enforces the order of calls.

    ``AssertOutOfBoundsWrapper`` is left out: ``step`` itself refuses what is no action, and every
    wrapper makes every access slower.
    """
    return wrappers.OrderEnforcingWrapper(raw_env(render_mode=render_mode, **kwargs))


class raw_env(AECEnv[str, Observation, int | None]):  # type: ignore[misc]  # noqa: N801 - PettingZoo's name
    """Every seat is an agent, ``seat_0`` to ``seat_7``.

    Observation: a dict of ``observation`` and ``action_mask``, as in ``newmarket.gym``; the mask
    is all 0 for a seat that is not to act. Rewards are the chips that each seat gained in a step: ``seat_3`` is
    seat 3 of the table. An observation is of its own agent, and counts seats from it.
    All agents terminate together, at the end of the episode; a seat that has decided nothing gets all its
    chips there. In an episode in which nobody has a choice, the decisions with a single choice are asked for:
    PettingZoo pays nothing before a first step.

    Args:
        rules, players, episode, form: as for ``newmarket.gym.NewmarketEnv``.
        on_illegal: ``"replace"`` takes the lowest legal action in the place of an illegal one and
            says so in ``infos[agent]["illegal_action"]``; ``"raise"`` raises.
        mask: ``"observation"``, or ``"info"``: an observation is then the array ``observation``
            itself, and the mask is in ``infos[agent]["action_mask"]`` alone.
        mask_dtype: ``"int8"`` or ``"bool"``.
        mask_at_end: every agent's mask after the end: ``"zeros"`` or ``"ones"``.
        render_mode: ``"ansi"``, ``"human"``, ``"rgb_array"`` (with ``newmarket[picture]``) or ``None``.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["ansi", "human", "rgb_array"],
        "name": "newmarket_v0",
        "is_parallelizable": False,
        "render_fps": 4,
    }

    def __init__(
        self,
        rules: Rules = "newmarket",
        players: int = 4,
        *,
        episode: str = "deal",
        form: str = "f32",
        on_illegal: str = "replace",
        mask: str = "observation",
        mask_dtype: npt.DTypeLike = "int8",
        mask_at_end: str = "zeros",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if on_illegal not in ("replace", "raise"):
            raise ValueError(f"unknown on_illegal `{on_illegal}`: expected replace or raise")
        check_render_mode(render_mode, self.metadata["render_modes"])
        self.render_mode = render_mode
        self.game = make_game(rules, players)
        self._chosen = self._table = Table(self.game, episode)
        self._kind: str = episode
        self._forced: Table | None = None
        self._form, self._raise = form, on_illegal == "raise"
        self._seeds = Seeds()
        self.possible_agents = [f"seat_{seat}" for seat in range(self.game.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._masks = Masks(mask, mask_dtype, mask_at_end)
        # Shared by all seats that are not to act.
        self._blank = np.zeros(ACTIONS, self._masks.dtype)
        self._end = self._masks.blank()
        for shared in (self._blank, self._end):
            shared.flags.writeable = False
        space = observation_space(form, self._masks)
        self.observation_spaces = {agent: space for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(ACTIONS) for agent in self.possible_agents}
        shape, dtype, low, high = check_form(form)
        self.state_space = spaces.Box(
            low, high, (len(self.possible_agents), *shape), dtype  # type: ignore[arg-type]
        )

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """The space of an agent's observations; the same object every time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """The space of an agent's actions; the same object every time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode: episode 0 of a seed, or without one the next."""
        self._chosen.reset(self._seeds.begin(seed), table=whole("table", (options or {}).get("table", 0)))
        self._table, self._forced = with_decisions(self._chosen, self._kind, self._forced)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]]
        self._turn()

    def _turn(self) -> None:
        agent = self.possible_agents[self._table.seat]
        self.agent_selection = agent
        blank = self._end if self._table.over else self._blank
        self.infos = {agent: {"action_mask": blank} for agent in self.agents}
        self.infos[agent] = {"action_mask": self._mask(agent)}

    def _mask(self, agent: str) -> npt.NDArray[Any]:
        if self._table.over:
            return self._end
        acts = self._seats[agent] == self._table.seat
        return self._masks.of(self._table.mask()) if acts else self._blank

    def observe(self, agent: str) -> Observation:
        """What an agent may know now, whoever is to act."""
        seen = self._table.observe(self._seats[agent], self._form)
        return self._masks.observation(seen, self._mask(agent))

    def state(self) -> npt.NDArray[Any]:
        """What all seats know, ``[players, ...]``, from seat 0 on."""
        seen = [self._table.observe(seat, self._form) for seat in range(self.game.players)]
        return np.stack(seen)

    def step(self, action: int | None) -> None:
        """Take an action for the agent that is to act."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("None is an action only after the end: expected an id from 0 to 73")
        table, illegal = self._table, False
        try:
            table.step(action)
        except IllegalActionError:
            if self._raise:
                raise
            table.step(table.legal[0])
            illegal = True
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.possible_agents, table.rewards, strict=True))
        self._turn()
        self.infos[agent]["illegal_action"] = illegal
        if table.over:
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """What the seat to act sees: text, printed with ``human``, or a picture, ``uint8[448, 640, 3]``."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode, as ansi")
            return None
        if self.render_mode == "rgb_array":
            return picture(self._table.view())
        text = str(self._table.view())
        if self.render_mode == "human":
            print(text, end="\n\n")
            return None
        return text

    def close(self) -> None:
        """Nothing is held."""
