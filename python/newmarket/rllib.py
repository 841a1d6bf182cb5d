"""RLlib's ``MultiAgentEnv``: every seat is an agent.

Observations are dicts of ``observations`` and ``action_mask``, as Ray's own
``ActionMaskingTorchRLModule`` takes them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from ray.rllib.env.multi_agent_env import MultiAgentEnv

from newmarket import ACTIONS, IllegalActionError, Table
from newmarket._arguments import make_game
from newmarket._common import Seeds, check_form, with_decisions


class NewmarketMultiAgentEnv(MultiAgentEnv):  # type: ignore[misc]
    """Every seat is an agent, ``seat_0`` to ``seat_7``; one acts at a time.

    A seat is observed, and given the chips that it gained since then, when it is to act; at the
    end all seats are, also those that had nothing to decide. RLlib drops the chips of these, since it has
    no action to learn from: sum what ``step`` returns to have them. Rewards are by agent; seats in the observation
    of an agent are relative: 0 is its own.

    RLlib has no episode without an action. So in a deal in which nobody has a choice, the decisions with a
    single choice are asked for. Actions that are not legal are replaced by the lowest legal
    one, unless ``on_illegal="raise"``.

    ``config``: a dict of ``rules``, ``players``, ``episode``, ``form`` and ``on_illegal``, as for
    ``newmarket.aec.raw_env``.
    """

    def __init__(self, config: dict[str, Any] | None = None) -> None:
        super().__init__()
        options: dict[str, Any] = {
            "rules": "newmarket",
            "players": 4,
            "episode": "deal",
            "form": "f32",
            "on_illegal": "replace",
        }
        unknown = set(config or {}) - set(options)
        if unknown:
            raise ValueError(f"unknown {sorted(unknown)}: expected {', '.join(options)}")
        options.update(config or {})
        self._form, self._raise = options["form"], options["on_illegal"] == "raise"
        self.game = make_game(options["rules"], options["players"])
        self._chosen = self._table = Table(self.game, options["episode"])
        self._kind: str = options["episode"]
        self._forced: Table | None = None
        self._seeds = Seeds()
        self.possible_agents = [f"seat_{seat}" for seat in range(self.game.players)]
        self.agents = self.possible_agents[:]
        shape, dtype, low, high = check_form(self._form)
        space = spaces.Dict(
            {
                "observations": spaces.Box(low, high, shape, dtype),
                "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
            }
        )
        action = spaces.Discrete(ACTIONS)
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = dict.fromkeys(self.possible_agents, action)
        self._due: dict[str, float] = {}
        self._acted: set[str] = set()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode: episode 0 of a seed, or without one the next."""
        self._chosen.reset(self._seeds.begin(seed), table=int((options or {}).get("table", 0)))
        self._table, self._forced = with_decisions(self._chosen, self._kind, self._forced)
        self._due = dict.fromkeys(self.possible_agents, 0.0)
        self._acted = set()
        agent = self._agent()
        return {agent: self._observe(agent)}, {}

    def step(self, action_dict: dict[str, Any]) -> tuple[Any, Any, Any, Any, Any]:
        """Take the action of the agent that is to act."""
        agent, table, illegal = self._agent(), self._table, False
        if table.over:
            raise ValueError("the episode is over: call reset()")
        if agent not in action_dict:
            raise ValueError(f"no action of {agent}, which is to act, but of {sorted(action_dict)}")
        try:
            table.step(action_dict[agent])
        except IllegalActionError:
            if self._raise:
                raise
            table.step(table.legal[0])
            illegal = True
        self._acted.add(agent)
        for name, gained in zip(self.possible_agents, table.rewards, strict=True):
            self._due[name] += gained
        over = table.over
        seen = self.possible_agents if over else [self._agent()]
        rewards = {name: self._due[name] for name in seen if over or name in self._acted}
        for name in rewards:
            self._due[name] = 0.0
        observations = {name: self._observe(name) for name in seen}
        infos = {name: {"illegal_action": illegal} for name in seen if name == agent}
        return observations, rewards, {"__all__": over}, {"__all__": False}, infos

    def _agent(self) -> str:
        return self.possible_agents[self._table.seat]

    def _observe(self, agent: str) -> dict[str, Any]:
        seat = self.possible_agents.index(agent)
        acts = not self._table.over and seat == self._table.seat
        # At the end no action is legal; a module that masks needs one all the same.
        mask = self._table.mask() if acts else np.ones(ACTIONS, np.int8)
        return {"observations": self._table.observe(seat, self._form), "action_mask": mask}
