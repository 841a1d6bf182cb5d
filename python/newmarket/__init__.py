"""Newmarket (Michigan, Boodle, Stops): environments, agents and measurements.

The core needs numpy alone:

>>> import newmarket
>>> table = newmarket.Table(newmarket.Game("newmarket", players=4))
>>> table.reset(seed=7)
>>> while not table.over:
...     table.step(table.legal[0])
>>> len(table.payoffs)
4

Front ends, each of which imports its library when it is imported itself: ``newmarket.gym``,
``newmarket.vector``, ``newmarket.aec``, ``newmarket.spiel``, ``newmarket.puffer``,
``newmarket.rllib``. ``newmarket.distributed`` trains on many machines.

**Seeds.** A deal is named by three numbers: a seed, a table, and an episode, the latter two
counted from 0. The same three give the same cards in every front end. A front end with one table
plays table 0 of its seed; without a seed, ``reset`` goes on to the next episode. ``Batch`` and
``Seated`` with one seed play its tables 0, 1, 2, ...; with a list of seeds, table 0 of each.
Gymnasium's vector form follows Gymnasium's own convention: ``reset(seed=s)`` gives its
sub-environments the seeds ``s``, ``s + 1``, ..., table 0 of each.
"""

from __future__ import annotations

from newmarket._keeper import keep_programs as _keep_programs
from newmarket._native import (
    ACTIONS,
    MAX_PLAYERS,
    OBSERVATION,
    PACKED,
    Agent,
    Batch,
    Deal,
    Game,
    IllegalActionError,
    Seated,
    Table,
    View,
    __version__,
    action_names,
    duel,
    encoding,
    exploit,
    named_agents,
    named_games,
    read_checkpoint,
    spans,
    study,
    trace,
    unpack,
    write_checkpoint,
)
from newmarket._trace import Trace

_keep_programs()

__all__ = [
    "ACTIONS",
    "MAX_PLAYERS",
    "OBSERVATION",
    "PACKED",
    "Agent",
    "Batch",
    "Deal",
    "Game",
    "IllegalActionError",
    "Seated",
    "Table",
    "Trace",
    "View",
    "__version__",
    "action_names",
    "duel",
    "encoding",
    "exploit",
    "named_agents",
    "named_games",
    "read_checkpoint",
    "spans",
    "study",
    "trace",
    "unpack",
    "write_checkpoint",
]
