"""What the front ends share."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from newmarket import ACTIONS, OBSERVATION, PACKED, Agent, Game, Player, Table
from newmarket._arguments import AnyPlayer
from newmarket._picture import check_pictures

Opponents: TypeAlias = AnyPlayer | Sequence[AnyPlayer] | Mapping[Any, float]
"""One player for all seats, one for each seat, or shares by player."""

#: Every number of an observation lies between minus this and this. Numbers are kept in 16 bits.
BOUND = 32768.0


def pinned(game: Game) -> Any:
    """Rules that mean the same in any folder and process: a name that says all, or a dict of changes."""
    changes = game.rules
    return changes["base"] if len(changes) == 1 else changes


def pinned_player(name: AnyPlayer) -> AnyPlayer:
    """The name of a player with the whole path of its file, if it has one; other players as they are."""
    if not isinstance(name, str):
        return name
    kind, _, rest = name.partition(":")
    path, plus, how = rest.rpartition("+")
    if not how.startswith(("pimc:", "search:")):
        path, plus, how = rest, "", ""
    if kind in ("net", "strategy") and os.path.exists(path) and not os.path.isabs(path):
        return f"{kind}:{os.path.abspath(path)}{plus}{how}"
    return name


def pinned_opponents(opponents: Opponents) -> Opponents:
    """Opponents with the whole paths of their files."""
    if isinstance(opponents, (str, Agent, Player)):
        return pinned_player(opponents)
    if isinstance(opponents, Mapping):
        return {pinned_player(name): share for name, share in opponents.items()}
    return [pinned_player(name) for name in opponents]


class Pinned:
    """A Gymnasium environment whose specification stands on its own: rules inside, paths of players whole."""

    game: Game
    _spec: Any = None

    @property
    def spec(self) -> Any:
        """The specification by which Gymnasium makes this environment again, wherever it is."""
        return self._spec

    @spec.setter
    def spec(self, spec: Any) -> None:
        if spec is not None:
            spec.kwargs = {**spec.kwargs, "rules": pinned(self.game), "players": self.game.players}
            if "opponents" in spec.kwargs:
                spec.kwargs["opponents"] = pinned_opponents(spec.kwargs["opponents"])
        self._spec = spec


def with_decisions(
    table: Table, kind: str, forced: Table | None
) -> tuple[Table, Table | None]:
    """The table, unless its episode is over before anybody has a choice: then one that also asks for the
    decisions with a single choice, at the same episode. And that one, to be used again."""
    if not table.over:
        return table, forced
    forced = forced or Table(table.game, kind, show_forced=True)
    seed, number, episode = table.seed
    forced.reset(seed, table=number, episode=episode)
    return forced, forced


class RenderModeError(ValueError, TypeError):
    """A way to draw that there is none of.

    It is a ``TypeError`` as well, since Stable-Baselines3 asks for pictures first and does without at one.
    """


def check_render_mode(mode: str | None, modes: Sequence[str]) -> None:
    """Raise ``RenderModeError`` unless the mode is one of these, or none; pictures need their libraries."""
    if mode is not None and mode not in modes:
        raise RenderModeError(unknown("render_mode", mode, modes))
    if mode == "rgb_array":
        check_pictures()


def unknown(name: str, given: Any, known: Sequence[str]) -> str:
    """The message about a parameter that is none of these words."""
    return f"unknown {name} `{given}`: expected {', '.join(known[:-1])} or {known[-1]}"


class Masks:
    """How an environment gives its masks.

    Args:
        mask: ``"observation"``: in the observation, a dict, and in ``info``; ``"info"``: in ``info`` alone.
        mask_dtype: ``"int8"`` or ``"bool"``, or the dtype.
        mask_at_end: of an episode: ``"zeros"`` or ``"ones"``.

    Raises:
        ValueError: for anything else.
    """

    def __init__(self, mask: str, mask_dtype: npt.DTypeLike, mask_at_end: str) -> None:
        if mask not in ("observation", "info"):
            raise ValueError(unknown("mask", mask, ["observation", "info"]))
        try:
            self.dtype = np.dtype(mask_dtype)
        except TypeError:
            self.dtype = np.dtype(object)
        if mask_dtype is None or self.dtype not in (np.int8, np.bool_):
            raise ValueError(unknown("mask_dtype", mask_dtype, ["int8", "bool"]))
        if mask_at_end not in ("zeros", "ones"):
            raise ValueError(unknown("mask_at_end", mask_at_end, ["zeros", "ones"]))
        self.observed = mask == "observation"
        self.ones_at_end = mask_at_end == "ones"

    def of(self, rows: npt.NDArray[np.int8]) -> npt.NDArray[Any]:
        """The engine's masks, ``int8[..., 74]``, in this form; not copied where nothing changes.

        An engine's row without a legal action is that of an episode that is over.
        """
        given = rows.view(self.dtype)
        return given | ~given.any(axis=-1, keepdims=True) if self.ones_at_end else given

    def blank(self) -> npt.NDArray[Any]:
        """A mask at the end of an episode."""
        return self.of(np.zeros(ACTIONS, np.int8))

    def observation(self, seen: npt.NDArray[Any], mask: npt.NDArray[Any]) -> Any:
        """What the environment returns as its observation."""
        return {"observation": seen, "action_mask": mask} if self.observed else seen


def check_form(form: str) -> tuple[tuple[int], type[np.generic], float, float]:
    """Shape, dtype, least and greatest value of an observation of this form."""
    if form == "f32":
        return (OBSERVATION,), np.float32, -BOUND, BOUND
    if form == "packed":
        return (PACKED,), np.uint8, 0, 255
    raise ValueError(f"unknown form `{form}`: expected packed or f32")


#: What tells this process from others; a number of a process may be used again.
_process = secrets.token_bytes(8)


def _renew() -> None:
    global _process
    _process = secrets.token_bytes(8)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)


class Seeds:
    """The seeds at which the resets of a table begin.

    Until a seed is given, the first reset draws one from the operating system, and so does the first
    reset of a copy in another process, by a fork or a pickle: copies deal cards of their own. After a
    seed was given, all resets without one follow from it, in every copy.
    """

    def __init__(self) -> None:
        self._given = False
        self._process: bytes | None = None

    def begin(self, seed: int | None, rng: np.random.Generator | None = None) -> int | None:
        """The seed to begin at; ``None`` goes on to the next episode of the last one.

        ``rng`` takes the place of the operating system.
        """
        if seed is not None:
            self._given = True
        elif not self._given and self._process != _process:
            seed = secrets.randbits(63) if rng is None else int(rng.integers(2**63))
        self._process = _process
        return seed
