"""Analysis of a position: what every choice of a decision is worth, by what its seat knows.

>>> table = newmarket.Table(newmarket.Game("newmarket", players=4))
>>> table.reset(seed=7)
>>> analysis = newmarket.analyse(table, worlds=200, player="stopper")
>>> analysis.recommended.name
'chip on cell 0'
>>> analysis.frame()                              # a pandas.DataFrame, if pandas is installed

A *world* is a complete deal that is consistent with what the seat has seen. Every choice is tried in the same worlds. In
each of them a fair player plays on in all seats to the end of the deal, and sees what each seat could see there. The
value of a choice is the mean of the chips that the seat gains from now on.

An interval says how far the draw of worlds leaves a value open. It does not say how well the player plays.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

from newmarket._arguments import AnyPlayer, Progress, told
from newmarket._native import _analyse
from newmarket._result import Result, plus_minus

if TYPE_CHECKING:
    from newmarket._native import Table, View


class World(TypedDict):
    """A complete deal that is consistent with what a seat knows, of ``View.worlds``."""

    #: The cards of each seat as they lie now; before the deal, as they will be dealt.
    hands: list[list[str]]
    #: The cards of the dead hand.
    dead: list[str]
    #: The weight of the world. Those of all worlds of a call sum to 1.
    weight: float


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What a choice is worth."""

    #: The id of the action.
    action: int
    #: Its name (``action_names()``).
    name: str
    #: Chips that the seat gains from now to the end of the deal, in the mean over worlds.
    chips: float
    #: Half the width of the 95 % interval of ``chips``; infinite if one world has all the weight.
    ci95: float
    #: Chips by which the choice is behind the recommended one.
    behind: float
    #: Half the width of the 95 % interval of ``behind``, from the differences in the same worlds.
    behind_ci95: float
    #: Whether it is the recommended choice: that of the greatest ``chips``, of equal ones the lowest id.
    recommended: bool


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Analysis(Result):
    """What every choice of a decision is worth (``analyse``)."""

    #: The name of the rules.
    rules: str
    #: The rules as changes to a named game: ``Game(rules_file, players)`` is the game.
    rules_file: dict[str, Any]
    #: Seats at the table.
    players: int
    #: The seat that is to act.
    seat: int
    #: What is due, as in ``View.phase``.
    phase: str
    #: Who played on after a choice, in all seats.
    player: str
    #: The player by which worlds were weighed; ``None`` if all were equally likely.
    given: str | None
    #: The share of doubt in that player (``View.worlds``).
    doubt: float
    #: The number of worlds.
    worlds: int
    #: How many worlds of equal weight would tell as much; ``worlds`` where all are equally likely.
    effective_worlds: float
    #: The seed of worlds and play.
    seed: int
    #: The choices, the best first.
    choices: tuple[Choice, ...]

    @property
    def recommended(self) -> Choice:
        """The choice of the greatest value."""
        return self.choices[0]

    def _sentence(self) -> str:
        best = self.recommended
        worlds = f"{self.worlds} worlds" + (f" given {self.given}" if self.given else "")
        return (
            f"seat {self.seat}, {self.phase}: {best.name} of {len(self.choices)} choices, "
            f"{plus_minus(best.chips, best.ci95, 2)} chips by {self.player} in {worlds}"
        )

    def _rows(self) -> list[dict[str, Any]]:
        return [vars(choice).copy() for choice in self.choices]


def analyse(
    view: View | Table,
    *,
    worlds: int = 200,
    player: AnyPlayer = "basic",
    given: AnyPlayer | None = None,
    doubt: float = 0.05,
    seed: int = 1,
    threads: int = 0,
    progress: Progress = None,
) -> Analysis:
    """What every choice of the decision is worth that a seat is to take, by what it knows.

    Args:
        view: what the seat knows, or a table, whose seat to act is meant.
        worlds: complete deals in which every choice is tried, 2 to 100,000.
        player: who plays on in all seats, any fair player: one that sees no hidden cards.
        given: a player by whom the other seats are taken to have decided so far. Worlds are then drawn by the
            likelihood of what they did, from eight times as many (``View.worlds``); else all are equally likely.
        doubt: how likely a decision is to be a uniform choice instead of ``given``'s, more than 0, at most 1.
        seed: of the worlds and the player's random numbers, 0 to 2**64 - 1.
        threads: 0 for one a core; the result is the same for any.
        progress: called with the number of worlds done and of all, about ten times a second and at the end; ``True`` for
            a bar by tqdm.

    Chips are counted to the end of the deal, also in a session. At an ante a choice is the next chip, and the player
    places the others. The recommended choice has the greatest mean, so its own value is a little too high if several
    choices are close: ``behind`` with its interval tells.

    Raises:
        ValueError: if the seat is not to act, or an argument is out of range, or a player sees all cards, is a
            program or needs the events of the deal.
    """
    start = time.perf_counter()
    with told(progress) as tell:
        found = _analyse(view, worlds, player, given, doubt, seed, threads, tell)
    choices = [{**choice, "recommended": not nth} for nth, choice in enumerate(found["choices"])]
    seconds = time.perf_counter() - start
    return Analysis._of(found, worlds=worlds, doubt=doubt, seed=seed, choices=choices, seconds=seconds)
