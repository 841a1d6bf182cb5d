"""Arguments that functions of the package share: what they may be, and how they are read."""

from __future__ import annotations

import itertools
import operator
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, SupportsIndex, TypeAlias

import numpy as np

from newmarket import _native
from newmarket._native import Agent, Game, Player

AnyPlayer: TypeAlias = str | Agent | Player
"""A player by name or object."""

Rules: TypeAlias = str | os.PathLike[str] | Mapping[str, Any] | Game
"""A named game, a rules file, ``house:N``, changes as ``{"base": "newmarket", "per_card": 2}``, or a game."""

Players: TypeAlias = SupportsIndex | Sequence[SupportsIndex] | np.ndarray[Any, Any]
"""A number of players, or several."""

Progress: TypeAlias = Callable[[int, int], object] | bool | None
"""``progress(done, total)``, ``True`` for a bar, or nothing."""

#: Whole numbers of the program.
_MOST = 2**64 - 1


def whole(name: str, value: SupportsIndex, least: int = 0, most: int = _MOST) -> int:
    """A parameter of this name that is a whole number in a range."""
    try:
        number = operator.index(value)
    except TypeError:
        raise ValueError(f"{name}: {value!r}: expected a whole number") from None
    if not least <= number <= most:
        until = "2^64 - 1" if most == _MOST else str(most)
        raise ValueError(f"{name}: {number}: expected a whole number from {least} to {until}")
    return number


def make_game(rules: Rules, players: int | None, *, near: int = 4, name: str = "rules") -> Game:
    """The game of these rules at a table of so many players; a ``Game`` is taken as it is.

    ``near``: without a number of players, the nearest one to this that the rules allow. ``name``: of the parameter that
    has the rules.
    """
    if isinstance(rules, Game):
        return rules
    plain = dict(rules) if isinstance(rules, Mapping) else rules
    size = None if players is None else whole("players", players)
    try:
        return _native._game_near(plain, near) if size is None else Game(plain, size)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def make_games(name: str, games: Rules | Sequence[Rules], players: Players | None) -> list[Game]:
    """Every game with every number of players; a ``Game`` has its own unless one is asked for.

    ``name``: of the parameter that has the games.
    """
    listed = list(games) if isinstance(games, list | tuple) else [games]
    if not listed:
        raise ValueError(f"{name}: expected one or more")
    made = []
    for game, size in itertools.product(listed, _sizes(players)):
        again = game.rules if isinstance(game, Game) and size not in (None, game.players) else game
        made.append(make_game(again, size, name=name))
    return made


def _sizes(players: Any) -> list[int | None]:
    """Numbers of players: none that was asked for, one, or several."""
    if players is None:
        return [None]
    try:
        return [operator.index(players)]
    except TypeError:
        pass
    if isinstance(players, str) or not hasattr(players, "__iter__"):
        raise ValueError(f"players: {players!r}: expected a whole number, or a list of these")
    sizes: list[int | None] = [whole("players", size) for size in players]
    if not sizes:
        raise ValueError("players: expected one or more")
    return sizes


@contextmanager
def told(progress: Progress) -> Iterator[Callable[[int, int], object] | None]:
    """The function that is told of progress."""
    if progress is None or progress is False:
        yield None
    elif progress is True:
        try:
            from tqdm.auto import tqdm
        except ModuleNotFoundError:
            yield None
            return
        with tqdm() as bar:

            def tell(done: int, total: int) -> None:
                if total != bar.total:
                    bar.reset(total)
                bar.update(done - bar.n)

            yield tell
    elif callable(progress):
        yield progress
    else:
        raise ValueError(f"progress: {progress!r}: expected a function of (done, total), True or None")
