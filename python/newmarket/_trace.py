"""Recorded deals, with who played them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from newmarket._svg import trace_html


class Trace(list[dict[str, Any]]):
    """The lines of a trace (docs of the repository), which say what happened, and how they were made.

    ``agents`` are the names of the players by seat, ``seed`` is that of the deals and of all random
    numbers, and ``fresh`` says whether each deal was played on its own. ``agents`` is empty where players have
    no names.
    """

    def __init__(
        self, deals: Iterable[dict[str, Any]], agents: list[str], seed: int, fresh: bool
    ) -> None:
        super().__init__(deals)
        self.agents, self.seed, self.fresh = agents, seed, fresh

    def _repr_html_(self) -> str:
        """A row a deal, for notebooks."""
        return trace_html(self)

    def __repr__(self) -> str:
        return (
            f"Trace({super().__repr__()}, agents={self.agents!r}, seed={self.seed!r}, fresh={self.fresh!r})"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return Trace, (list(self), self.agents, self.seed, self.fresh)
